"""What notebooks show of annotators: tables, and sentences beneath them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactmatch.base.markup import Markup, element, joined
from exactmatch.base.numbers import Ends, several
from exactmatch.views.tables import Table

if TYPE_CHECKING:
    from exactmatch.stats.resampling import Interval

DIGITS = 4
"""Decimals that notebooks show."""


def ends(interval: Interval | None) -> Ends | str:
    """Return both ends of an interval, nothing where there is none."""
    return "" if interval is None else Ends(interval.low, interval.high)


def counted(number: int, what: str) -> str:
    """Write a number with its noun: ``3,000 pairs``."""
    return several(number, what).replace(str(number), f"{number:,}", 1)


def page(tables: Sequence[Table], sentences: Sequence[str]) -> Markup:
    """Put tables and the sentences beneath them together."""
    from exactmatch.views.page import table_of

    shown = [table_of(table) for table in tables]
    return joined([*shown, *(element("p", sentence) for sentence in sentences)])
