"""Tables fit the terminal: columns go by their ranks, then rows become columns."""

import io
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.views.tables import Column, Table, Tables
from exactmatch.views.text import table_lines, width, write_text

ROWS = [
    {"name": f"row {k}", "a": k, "b": 10 * k, "c": "x" * 12, "d": "ü" * 6}
    for k in range(3)
]
TABLE = Table(
    "",
    (
        Column("name", "name"),
        Column("a", "first", rank=1),
        Column("b", "second", rank=2),
        Column("c", "third"),
        Column("d", "fourth"),
    ),
    ROWS,
)


@pytest.mark.parametrize("room", range(20, 60))
def test_no_line_is_wider_than_the_terminal(room: int) -> None:
    lines = list(table_lines(TABLE, room))
    assert max(map(width, lines)) <= room
    text = "\n".join(lines)
    for row in ROWS:  # what has no rank stays, whatever the width
        assert str(row["name"]) in text
    assert text.count("x" * 12) == text.count("ü" * 6) == 3


def test_columns_go_by_their_ranks() -> None:
    wide = next(iter(table_lines(TABLE, 80)))
    assert wide.split() == ["name", "first", "second", "third", "fourth"]
    narrow = list(table_lines(TABLE, 34))
    assert narrow[0].split() == ["name", "first", "third", "fourth"]
    assert narrow[-1] == "(without second)"
    narrower = list(table_lines(TABLE, 27))
    assert narrower[0].split() == ["name", "third", "fourth"]
    assert narrower[-1] == "(without second, first)"
    turned = list(table_lines(TABLE, 26))
    assert [line.split()[0] for line in turned[:3]] == ["name", "third", "fourth"]


def test_what_is_no_terminal_is_as_wide_as_it_is() -> None:
    stream = io.StringIO()
    write_text(stream, Tables("", [TABLE], {}))
    assert stream.getvalue().splitlines()[0].split()[2] == "second"
    narrow = io.StringIO()
    write_text(narrow, Tables("", [TABLE], {}, room=34))
    assert "without second" in narrow.getvalue()


def test_a_comparison_fits_80_columns(
    cli: Cli, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)", "(c / cat)"] * 10
    paths = [
        files.graphs("gold.amr", texts),
        files.graphs("a.amr", texts),
        files.graphs("b.amr", texts[::-1]),
    ]
    free = cli.out("compare", *paths, "--no-structure").splitlines()
    assert width(free[1]) > 80
    monkeypatch.setenv("COLUMNS", "80")
    lines = cli.out("compare", *paths, "--no-structure").splitlines()
    table = lines[: lines.index("")]
    assert max(map(width, table)) <= 80
    assert table[-1] == "(without rank, P, R)"
    saved = str(files.folder / "saved.txt")
    cli.out("compare", *paths, "--no-structure", "-o", saved)
    assert Path(saved).read_text("utf-8").splitlines()[0] == free[0]
