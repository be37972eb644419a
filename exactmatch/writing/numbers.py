"""How numbers are written for people: rounded, and a dash where there is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


def fixed(value: float | None, digits: int, *, signed: bool = False) -> str:
    """A number with so many decimals; what rounds to zero has no minus sign.

    Args:
        value: the number; ``None`` and NaN become a dash.
        digits: the decimals.
        signed: whether a plus sign is written too.

    >>> fixed(-0.00001, 4), fixed(0.25, 1, signed=True), fixed(None, 4)
    ('0.0000', '+0.2', '-')
    """
    if value is None or math.isnan(value):
        return "-"
    rounded = round(value, digits) + 0.0
    return f"{rounded:{'+' if signed else ''}.{digits}f}"


def between(low: float | None, high: float | None, digits: int) -> str:
    """An interval in brackets, or a dash if an end is missing."""
    if is_missing(low) or is_missing(high):
        return "-"
    return f"[{fixed(low, digits)}, {fixed(high, digits)}]"


def count(value: float | None) -> str:
    """A number of triples: three decimals where concepts match in part."""
    return str(value) if isinstance(value, int) else fixed(value, 3)


def decimals(digits: int, *, signed: bool = False) -> Callable[[Any], str]:
    """A function that writes numbers with so many decimals."""

    def shown(value: Any) -> str:
        return fixed(value, digits, signed=signed)

    return shown


def percent(digits: int = 1) -> Callable[[Any], str]:
    """A function that writes shares as percentages."""

    def shown(value: Any) -> str:
        return "-" if is_missing(value) else fixed(100 * value, digits)

    return shown


def scientific(value: Any) -> str:
    """A small number with its power of ten; zero as 0."""
    if is_missing(value):
        return "-"
    return "0" if value == 0 else f"{value:.1e}"


def p_value(value: float | None) -> str:
    """A p-value: four decimals, or that it is below all of them."""
    if value is None or math.isnan(value):
        return "-"
    return fixed(value, 4) if value >= 0.0001 else "<0.0001"


def is_missing(value: Any) -> bool:
    """Whether there is no number: ``None`` or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))
