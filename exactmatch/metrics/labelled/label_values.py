"""Values of labels: the number or the date that a label writes."""

from __future__ import annotations

import re
from contextlib import suppress
from decimal import Decimal
from typing import Any

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_NUMBER = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?([eE][+-]?\d+)?%?")
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_DATES = (
    re.compile(
        r"(?P<year>\d{4})-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?(?:T[\d:.]+Z?)?"
    ),
    re.compile(rf"(?:{_DAY}\s+)?{_MONTH},?\s+(?P<year>\d{{4}})", re.IGNORECASE),
    re.compile(rf"{_MONTH}\s+{_DAY},?\s+(?P<year>\d{{4}})", re.IGNORECASE),
)


def value_of(label: str) -> tuple[Any, ...] | None:
    """Read the number or the date that a label writes; ``None`` if it is neither.

    >>> value_of('"1,000.0"') == value_of("1e3") == ("number", 1000)
    True
    >>> value_of("11 July 1907") == value_of("1907-07-11") == value_of("Jul. 11, 1907")
    True
    """
    text = label.strip(" \t\"'").replace("_", " ")
    if _NUMBER.fullmatch(text):
        with suppress(ArithmeticError):  # of an exponent that nobody counts to
            number = Decimal(text.rstrip("%").replace(",", ""))
            return "number", number / 100 if text.endswith("%") else number
        return None
    for pattern in _DATES:
        if match := pattern.fullmatch(text):
            return _date(**match.groupdict())
    return None


def _date(year: str, month: str, day: str | None) -> tuple[Any, ...] | None:
    named = [k for k, m in enumerate(_MONTHS, 1) if m.startswith(month.lower())]
    number = int(month) if month.isdigit() else 0
    if len(named) == 1:
        number = named[0]
    if not 1 <= number <= 12 or (day is not None and not 1 <= int(day) <= 31):
        return None
    return "date", int(year), number, None if day is None else int(day)
