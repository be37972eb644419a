"""Rounding for people: no minus zero, a dash for nothing."""

import json
import math
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.base.numbers import Ends, Real, count, fixed, percent, scientific

finite = st.floats(-1e6, 1e6)
digits = st.integers(0, 8)


@given(finite, digits, st.booleans())
def test_fixed_rounds_the_decimal_of_json_and_knows_no_minus_zero(
    value: Any, digits: Any, signed: Any
) -> None:
    shown = fixed(value, digits, signed=signed)
    unit = Decimal(1).scaleb(-digits)
    half_up = Decimal(json.dumps(value)).quantize(unit, ROUND_HALF_UP)
    plain = f"{half_up:{'+' if signed else ''}.{digits}f}"
    if float(plain) == 0:
        assert "-" not in shown
        assert shown.lstrip("+") == plain.lstrip("+-")
    else:
        assert shown == plain


@pytest.mark.parametrize("nothing", [None, math.nan])
def test_nothing_is_a_dash(nothing: float | None) -> None:
    assert fixed(nothing, 4) == percent()(nothing) == scientific(nothing) == "-"
    assert Real(2)(Ends(nothing, 0.5)) == Real(2)(Ends(0.5, nothing)) == "-"
    assert count(None) == "-"


def test_zero_is_a_number() -> None:
    assert fixed(0, 4) == fixed(-0.0, 4) == "0.0000"
    assert percent()(0) == "0.0"
    assert count(0) == scientific(0) == "0"
    assert Real(1)(Ends(0, 0)) == "[0.0, 0.0]"
    assert percent()(-1e-9) == "0.0"
    assert fixed(-1e-9, 4, signed=True) == "+0.0000"


def test_an_end_of_a_difference_is_zero_only_if_it_is() -> None:
    real = Real(4, signed=True)
    assert real(Ends(0.00003, 0.0159)) == "[+0.00003, +0.0159]"
    assert real(Ends(-0.5, -0.0000004)) == "[-0.5000, -0.0000004]"
    assert real(Ends(0.0, 1e-17)) == "[+0.0000, +0.0000]"
    assert Real(4)(Ends(0.00003, 0.5)) == "[0.0000, 0.5000]"


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ([0.5, 0.50004], 5),
        ([0.5, 0.5 + 1e-12], None),
        ([0.99997], 5),
        ([1.0, 0.0], None),
        ([0.00001], 5),
        ([], None),
    ],
)
def test_decimals_that_show_what_is_hidden(
    values: list[float], digits: int | None
) -> None:
    assert Real(4).digits_that_show(values) == digits
    assert Real(6).digits_that_show(values) is None


def test_a_difference_is_hidden_behind_zero_alone() -> None:
    assert Real(4, signed=True).digits_that_show([1.00001, 0.5]) is None
    assert Real(4, signed=True).digits_that_show([-0.00004]) == 5
