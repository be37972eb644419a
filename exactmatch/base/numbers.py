"""How numbers are written for people: rounded, and a dash where there is none."""

import math
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any, NamedTuple


def fixed(value: float | None, digits: int, *, signed: bool = False) -> str:
    """A number with so many decimals; ``None`` and NaN become a dash.

    What rounds to zero has no minus sign; only *signed* numbers have a plus sign.

    >>> fixed(-0.00001, 4), fixed(0.25, 1, signed=True), fixed(None, 4)
    ('0.0000', '+0.2', '-')
    """
    if value is None or math.isnan(value):
        return "-"
    rounded = round(value, digits) + 0.0
    return f"{rounded:{'+' if signed else ''}.{digits}f}"


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
            return f"[{self._fixed(value.low)}, {self._fixed(value.high)}]"
        if isinstance(value, Bounds):
            low, high = self._fixed(value.low), self._fixed(value.high)
            return low if value.high in (None, value.low) else f"{low}..{high}"
        return self._fixed(value)

    def _fixed(self, value: float | None) -> str:
        return fixed(value, self.digits, signed=self.signed)

    def with_digits(self, digits: int) -> "Real":
        """Return the format with so many decimals."""
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
        return fixed(100 * value, max(self.digits - 2, 1), signed=self.signed)

    def in_percent(self) -> "Share":
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
    """The number, from 1, of what has an index, from 0; other things as they are."""
    return str(index + 1) if isinstance(index, int) else str(index)


def whole(number: float) -> float:
    """An integer where the number is one, for output without ``.0``."""
    return int(number) if number % 1 == 0 else number


def several(number: int, what: str) -> str:
    """Write a number with its noun: ``1 pair``, ``3 pairs``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def decimals(digits: int) -> Callable[[Any], str]:
    """A function that writes numbers with so many decimals."""
    return partial(fixed, digits=digits)


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


def stated_p(value: float) -> str:
    """A p-value in a sentence.

    >>> stated_p(0.03), stated_p(1e-9)
    ('p = 0.0300', 'p < 0.0001')
    """
    return "p < 0.0001" if value < 0.0001 else f"p = {p_value(value)}"


def is_missing(value: Any) -> bool:
    """Whether there is no number: ``None`` or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))
