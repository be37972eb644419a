"""JSON that gives everything back, CSV that no spreadsheet runs."""

import csv
import io
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.base.visible import visible
from exactmatch.views.data import csv_cell, write_json
from exactmatch.views.tables import Tables, fields_table, write

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def as_json(value: Any, indent: Any = None) -> str:
    stream = io.StringIO()
    write_json(stream, value, indent)
    return stream.getvalue()


@given(plain, st.sampled_from([None, 2]))
def test_json_is_safe_to_look_at_and_gives_back_every_character(
    value: Any, indent: Any
) -> None:
    text = as_json(value, indent)
    assert json.loads(text) == value
    assert all(line == visible(line) for line in text.split("\n"))


def as_csv(rows: Any) -> str:
    stream = io.StringIO()
    write(stream, Tables("", (), None, rows=fields_table("ab", rows)), "csv")
    return stream.getvalue()


def test_json_has_no_number_for_nan_infinity_and_minus_zero() -> None:
    text = as_json({"a": [math.nan, math.inf, -0.0, 0, 0.5], "b": (None,)})
    assert text == '{"a": [null, null, 0.0, 0, 0.5], "b": [null]}\n'


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+sum(1)", "'+sum(1)"),
        ("-1+1", "'-1+1"),
        ("@here", "'@here"),
        ("＝1", "'＝1"),
        ("\t=1", r"\t=1"),
        ("-", "'-"),
        ("-1", "-1"),
        ("+1.5e-3", "+1.5e-3"),
        ("plain, text", "plain, text"),
        (-0.25, -0.25),
        (-3, -3),
        (0, 0),
        (-0.0, 0.0),
        (math.nan, ""),
        (None, None),
        (True, True),
    ],
)
def test_text_is_no_formula_and_numbers_stay_numbers(value: Any, cell: Any) -> None:
    assert csv_cell(value) == cell
    assert str(csv_cell(value)) == str(cell)


@given(st.lists(st.text(), min_size=2, max_size=2))
def test_csv_cells_are_one_line_and_begin_with_no_formula(texts: Any) -> None:
    written = as_csv([dict(zip("ab", texts, strict=True))])
    head, row = csv.reader(io.StringIO(written))
    assert head == ["a", "b"]
    for text, cell in zip(texts, row, strict=True):
        assert cell.removeprefix("'") == visible(text).removeprefix("'")
        assert cell == visible(cell)
        assert cell[:1] not in tuple("=+-@") or float(cell) is not None


def test_what_a_row_does_not_have_is_an_empty_cell() -> None:
    assert as_csv([{"b": 0, "c": 1}, {"a": None}]) == "a,b\n,0\n,\n"
