"""Rounding for people: no minus zero, a dash for nothing."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.base.numbers import Ends, Real, count, fixed, percent, scientific

finite = st.floats(-1e6, 1e6)
digits = st.integers(0, 8)


@given(finite, digits, st.booleans())
def test_fixed_rounds_as_python_does_and_knows_no_minus_zero(
    value: Any, digits: Any, signed: Any
) -> None:
    shown = fixed(value, digits, signed=signed)
    plain = f"{value:{'+' if signed else ''}.{digits}f}"
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
