"""Tables at a terminal: columns line up, lines fit."""

import io
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.views.tables import Column, Table, Tables, write
from exactmatch.views.text import shortened, table_lines, width

WIDE = ["中文", "한국어", "e\N{COMBINING ACUTE ACCENT}", "ｆ", "plain", ""]


def columns_of(text: str) -> Any:
    """Columns by the Unicode database: East Asian width, combining class."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


@pytest.mark.parametrize("text", WIDE)
def test_width_counts_columns(text: str) -> None:
    assert width(text) == columns_of(text)


def test_wide_and_combining_characters_line_up() -> None:
    """Each cell begins, or ends, in the column of its heading."""
    rows = [{"name": text, "other": text, "number": k} for k, text in enumerate(WIDE)]
    columns = (
        Column("name", "name"),
        Column("other", "其他", is_text=True),
        Column("number", "n"),
    )
    lines = list(table_lines(Table("", columns, rows)))
    assert {columns_of(line) for line in lines} == {columns_of(lines[0])}
    start = columns_of(lines[0][: lines[0].index("其")])
    for line, row in zip(lines[1:], rows, strict=True):
        before = line.rstrip("0123456789").rstrip()
        if row["other"]:
            assert columns_of(before[: before.rindex(str(row["other"]))]) == start


def test_rows_stand_under_their_title() -> None:
    table = Table("a title", (Column("a", "a"), Column("b", "b")), [{"a": "x", "b": 1}])
    assert list(table_lines(table)) == ["a title", "  a  b", "  x  1"]
    assert list(table_lines(Table("", table.columns, ()))) == ["a  b"]


def test_what_stands_beneath_a_value_has_a_line() -> None:
    columns = (Column("a", "", beneath="_a"), Column("b", "b", beneath="_b"))
    rows = [{"a": "x", "b": 0.5, "_a": "95 %", "_b": "[0, 1]"}, {"a": "y", "b": 1}]
    assert list(table_lines(Table("", columns, rows))) == [
        "           b",
        "x        0.5",
        "95 %  [0, 1]",
        "y          1",
    ]


def wide_table(n: int) -> Table:
    columns = (
        Column("name", "name", shrinks=True),
        Column("more", "more", waits=True),
        Column("score", "score"),
        Column("text", "text", is_text=True, shrinks=True),
    )
    row = {"name": "n" * n, "more": "m" * 30, "score": "0.5000", "text": "word " * n}
    return Table("", columns, [row, {}])


@pytest.mark.parametrize("terminal", [40, 80, 200])
@pytest.mark.parametrize("n", [0, 1, 20, 500])
def test_a_table_that_can_give_way_fits_the_terminal(
    n: int, terminal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(terminal))
    lines = list(table_lines(wide_table(n)))
    assert max(map(width, lines)) <= terminal
    assert all("score" in line or "0.5000" in line for line in lines[:2])


def test_what_can_wait_is_shown_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = {}
    for terminal in (40, 80, 120):
        monkeypatch.setenv("COLUMNS", str(terminal))
        shown[terminal] = "\n".join(table_lines(wide_table(4)))
    assert "more" not in shown[40]
    assert "more" in shown[80]
    assert "word word word word" in shown[120]
    assert "…" not in shown[120]


@given(st.text(st.characters(exclude_categories=["C", "Z"])), st.integers(2, 20))
def test_a_shortened_text_fits_and_begins_like_the_whole(text: str, room: Any) -> None:
    short = shortened(text, room)
    assert width(short) <= room
    assert text.startswith(short.removesuffix("…").rstrip())
    assert short == text or width(text) > room


def test_sentences_come_after_the_tables() -> None:
    columns = (Column("a", "a"),)
    tables = Tables(
        "page",
        (Table("", columns, [{"a": 1}]), Table("second", columns, [{"a": 2}])),
        None,
        details=(Table("", columns, [{"a": 0}]),),
        states=["state"],
        notes=["note"],
        warnings=["warning"],
        signatures=["s"],
    )
    stream = io.StringIO()
    write(stream, tables, "text")
    assert stream.getvalue() == (
        "a\n0\n\na\n1\n\nsecond\n  a\n  2\nstate\n\nnote\nwarning\nsignature: s\n"
    )
