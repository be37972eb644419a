"""Numbers as people read them: rounded, and a dash where there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from copy import copy
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import partial
from itertools import pairwise
from typing import Any

from exactmatch.base.records import NamedTuple

NOISE = 1e-9  # numbers this close are equal: they differ by the order of summation
_ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)
"""Holds every float with its decimals."""


def fixed(
    value: float | None, digits: int, *, signed: bool = False, percent: bool = False
) -> str:
    """Write a number with *digits* decimals; ``None`` and NaN become a dash.

    The number is taken as JSON shows it, the shortest decimal of the float, and rounded
    half away from zero; *percent* moves the point of that decimal.  So a score has the
    same digits in text, percent, tables and pages.  What rounds to zero has no minus
    sign; only *signed* numbers have a plus sign.

    >>> fixed(-0.00001, 4), fixed(0.25, 1, signed=True), fixed(None, 4)
    ('0.0000', '+0.3', '-')
    >>> fixed(131 / 160, 4), fixed(131 / 160, 2, percent=True)
    ('0.8188', '81.88')
    """
    if value is None or math.isnan(value):
        return "-"
    if math.isinf(value):
        return f"{value:{'+' if signed else ''}}"
    rounded = nearest(value, digits, percent=percent)
    return f"{rounded:{'+' if signed else ''}.{digits}f}"


def nearest(value: float, digits: int, *, percent: bool = False) -> Decimal:
    """Round the shortest decimal of a number half away from zero, without minus zero.

    >>> nearest(0.28125, 4), nearest(-0.00004, 4)
    (Decimal('0.2813'), Decimal('0.0000'))
    """
    exact = Decimal(repr(float(value)))
    if not exact.is_finite():
        return exact
    moved = exact.scaleb(2) if percent else exact
    with localcontext(_ROUNDING):
        rounded = moved.quantize(Decimal(1).scaleb(-digits))
    return rounded if rounded else abs(rounded)


class Bounds(NamedTuple):
    """A number that lies between two others, or is the first if there is no other."""

    low: float | None
    high: float | None = None


class Ends(NamedTuple):
    """The ends of a confidence interval; ``None`` where there is none."""

    low: float | None
    high: float | None


def interval_fields(name: str, interval: Any) -> dict[str, float | None]:
    """Return both ends of an interval, or of none, by their names in rows of data."""
    low, high = ends_of(interval)
    return {f"{name}_low": low, f"{name}_high": high}


def ends_of(interval: Any) -> Ends:
    """Return both ends of an interval, or of none."""
    return Ends(interval.low, interval.high) if interval else Ends(None, None)


class Real:
    """Writes numbers that are never percentages, such as correlations.

    Numbers, their :class:`Bounds` and the :class:`Ends` of an interval are written.

    >>> real = Real(4)
    >>> real(-0.78801), real(Ends(-0.1, 0.8)), real.with_digits(1)(None)
    ('-0.7880', '[-0.1000, 0.8000]', '-')
    """

    def __init__(self, digits: int, signed: bool = False) -> None:
        self.digits = digits
        self.signed = signed

    def __call__(self, value: Any) -> str:
        if isinstance(value, Ends):
            if is_missing(value.low) or is_missing(value.high):
                return "-"
            return f"[{self._end(value.low)}, {self._end(value.high)}]"
        if isinstance(value, Bounds):
            low, high = self._fixed(value.low), self._fixed(value.high)
            return low if value.high in (None, value.low) else f"{low}..{high}"
        return self._fixed(value)

    def _fixed(self, value: float | None) -> str:
        return fixed(value, self.digits, signed=self.signed)

    def _end(self, value: float | None) -> str:
        """Write the end of an interval; that of a difference is 0 only if it is."""
        if not (self.signed and value and abs(value) > NOISE):
            return self._fixed(value)
        shown = self
        while shown._fixed(value) == shown._fixed(0.0):
            shown = shown.with_digits(shown.digits + 1)
        return shown._fixed(value)

    def digits_that_show(self, values: Iterable[float]) -> int | None:
        """Return how many decimals show what these hide; ``None`` if they hide nothing.

        Hidden are a difference of two values, and that from 0 and, of what has no sign,
        from 1.

        >>> real = Real(4)
        >>> real.digits_that_show([0.5, 0.6]), real.digits_that_show([0.5, 0.500004])
        (None, 6)
        """
        distinct = {*values, *((0.0,) if self.signed else (0.0, 1.0))}
        neighbours = [(a, b) for a, b in pairwise(sorted(distinct)) if b - a > NOISE]
        shown = self
        while any(shown(a) == shown(b) for a, b in neighbours):
            shown = shown.with_digits(shown.digits + 1)
        return shown.digits if shown.digits > self.digits else None

    def with_digits(self, digits: int) -> Real:
        """Return the format with *digits* decimals."""
        changed = copy(self)
        changed.digits = digits
        return changed


class Share(Real):
    """Writes shares of 1, such as scores, or in percent, with two decimals less.

    >>> share = Share(4)
    >>> share(0.78801), share(Bounds(0.7, 0.75)), share(Ends(0.7, 0.8))
    ('0.7880', '0.7000..0.7500', '[0.7000, 0.8000]')
    >>> share.in_percent()(0.78801)
    '78.80'
    """

    _is_percent = False

    def _fixed(self, value: float | None) -> str:
        if not self._is_percent or value is None:
            return super()._fixed(value)
        digits = max(self.digits - 2, 1)
        return fixed(value, digits, signed=self.signed, percent=True)

    def in_percent(self) -> Share:
        """Return the format in percent."""
        changed = copy(self)
        changed._is_percent = True
        return changed


def count(value: float | None) -> str:
    """Write a number of triples; a float, for partial matches, has three decimals.

    >>> count(3), count(2.5)
    ('3', '2.500')
    """
    return str(value) if isinstance(value, int) else fixed(value, 3)


def from_one(index: Any) -> str:
    """Return the number, from 1, of an index, from 0; other values as they are."""
    return str(index + 1) if isinstance(index, int) else str(index)


def whole(number: float) -> float:
    """Return an integer where the number is one, for output without ``.0``."""
    return int(number) if number % 1 == 0 else number


def several(number: int, noun: str) -> str:
    """Write a number with its noun: ``1 pair``, ``3 pairs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def decimals(digits: int) -> Callable[[Any], str]:
    """Return a function that writes numbers with *digits* decimals."""
    return partial(fixed, digits=digits)


def percent(digits: int = 1) -> Callable[[Any], str]:
    """Return a function that writes shares as percentages."""

    def shown(value: Any) -> str:
        return fixed(value, digits, percent=True)

    return shown


def scientific(value: Any) -> str:
    """Return a small number with its power of ten; zero as 0."""
    if is_missing(value):
        return "-"
    return "0" if value == 0 else f"{value:.1e}"


def p_value(value: float | None) -> str:
    """Return a p-value: four decimals, or that it is below all of them."""
    if value is None or math.isnan(value):
        return "-"
    return fixed(value, 4) if value >= 0.0001 else "<0.0001"


def p_text(value: float) -> str:
    """Return a p-value in a sentence.

    >>> p_text(0.03), p_text(1e-9)
    ('p = 0.0300', 'p < 0.0001')
    """
    return "p < 0.0001" if value < 0.0001 else f"p = {p_value(value)}"


def is_missing(value: Any) -> bool:
    """Return whether there is no number: ``None`` or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))
