"""Tables of errors say what the counts say."""

from __future__ import annotations

import pytest

import exactmatch
from exactmatch.studies.errors.errors import ErrorCount, ErrorType
from exactmatch.studies.errors.view import Errors, tables

WHOLE = ErrorCount(ErrorType("wrong argument"), 7, 5, 9, 14, 0.7, (0, 2, 5))
PART = ErrorCount(ErrorType("wrong argument", "ARG1"), 4, 4, 4, 8, 0.4, (0, 2))
OTHER = ErrorCount(ErrorType("wrong root"), 1, 0, 2, 2, 0.1, (3,))


def errors(**counts: list[ErrorCount]) -> Errors:
    made = Errors(dict.fromkeys(counts, ()), ("signature",), {("first", "smatch"): {}})
    vars(made)["counts"] = counts
    return made


def test_a_row_has_count_range_share_and_pairs() -> None:
    made = tables(errors(first=[WHOLE, PART, OTHER]))
    (table,) = made.tables
    assert [column.title for column in table.columns] == [
        *("error", "count", "range", "share %", "pairs"),
    ]
    shown = [[c.shown(row[c.key]) for c in table.columns] for row in table.rows]
    assert shown == [
        ["wrong argument", "7", "5..9", "70.0", "3"],
        ["  ARG1", "4", "", "40.0", "2"],
        ["wrong root", "1", "0..2", "10.0", "1"],
    ]
    (system,) = made.data["systems"]
    assert system["errors"][0] == {
        "kind": "wrong argument",
        "detail": "",
        "count": 7,
        "least": 5,
        "greatest": 9,
        "triples": 14,
        "share": 0.7,
        "pairs": [0, 2, 5],
    }
    assert list(made.flat.rows)[1]["pairs"] == 2


def test_a_type_that_a_system_lacks_is_counted_as_0() -> None:
    (table,) = tables(errors(first=[WHOLE, PART], second=[OTHER])).tables
    titles = [column.title for column in table.columns]
    assert titles[1:4] == ["count first", "range first", "share % first"]
    first, _, root = table.rows
    assert [first["count_0"], first["count_1"]] == [7, 0]
    assert [root["share_0"], root["share_1"]] == [0.0, 0.1]


@pytest.mark.parametrize("show", [0, 1])
def test_no_more_types_are_shown_than_asked_for(show: int) -> None:
    (table,) = tables(errors(first=[WHOLE, PART, OTHER]), show=show).tables
    assert len(table.rows) == 2 + show


def test_the_answer_shows_itself() -> None:
    """Text, repr and data frame are those of the command."""
    found = exactmatch.studies.errors(
        ["(b / bark-01 :ARG1 (d / dog))"], ["(b / bark-01 :ARG0 (d / dog))"]
    )
    assert "role confusion" in str(found)
    assert repr(found) == (
        "1 pair, 2 differing triples; 0 pairs with several optimal alignments"
    )
    assert found.to_frame()["kind"].to_list() == ["role confusion", "role confusion"]
