"""Sums over pairs that do not depend on the order of the pairs.

Floats are added without rounding (Shewchuk 1997, *Adaptive Precision Floating-Point
Arithmetic*, section 2.5), so parts of a corpus that are scored apart have together the
very sums of the whole.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from exactmatch.metrics.base import Statistics
from exactmatch.metrics.score import Score

if TYPE_CHECKING:
    from typing_extensions import Self

_ROWS = 4096  # rows that are kept before they are added up


class Columns:
    """The exact sum of each column of rows of floats.

    >>> sums = Columns()
    >>> for value in (1e16, 1.0, -1e16):
    ...     sums.add([value])
    >>> sums.sums()
    (1.0,)
    """

    __slots__ = ("_columns", "_rows")

    def __init__(self, width: int = 0) -> None:
        self._columns: list[list[float]] = [[] for _ in range(width)]
        self._rows: list[Sequence[float]] = []

    def add(self, row: Sequence[float]) -> None:
        """Add a row; a shorter one is padded with zeros."""
        self._rows.append(row)
        if len(self._rows) == _ROWS:
            self._shorten()

    def extend(self, columns: Iterable[Iterable[float]]) -> None:
        """Add many rows, which are given by their columns."""
        self._extend(columns)
        self._shorten()

    def sums(self) -> Statistics:
        """Return the sum of each column, rounded once."""
        self._gather()
        return tuple(map(math.fsum, self._columns))

    def merge(self, other: Columns) -> None:
        """Add the sums of other rows."""
        other._shorten()
        self.extend(other._columns)

    def record(self) -> list[list[float]]:
        """Return each sum as a few floats that add up to it."""
        self._shorten()
        return [[*column] for column in self._columns]

    @classmethod
    def of(cls, record: Sequence[Sequence[float]]) -> Self:
        """Return the sums of a record."""
        made = cls()
        made.extend(record)
        return made

    def _extend(self, columns: Iterable[Iterable[float]]) -> None:
        for place, values in enumerate(columns):
            while len(self._columns) <= place:
                self._columns.append([])
            self._columns[place] += values

    def _gather(self) -> None:
        """Move the rows that were added to the columns."""
        self._extend(zip_longest(*self._rows, fillvalue=0.0))
        self._rows = []

    def _shorten(self) -> None:
        self._gather()
        self._columns = [_expansion(column) for column in self._columns]


def _expansion(values: list[float]) -> list[float]:
    """Return a few floats that have the same sum, the largest first."""
    parts: list[float] = []
    values = [*values]
    while (rest := math.fsum(values)) and math.isfinite(rest):
        parts.append(rest)
        values.append(-rest)
    return parts if not values or math.isfinite(rest) else [rest]


class Sums:
    """Sums over the pairs under one metric.

    Attributes:
        statistics: the sums of the metric's statistics.
        averages: the sums of the shares whose means are taken over pairs.
        lacking: the places of shares that some pair lacks.
        pairs, defined, proven, stored: the number of pairs, and of those that have a
            score, are proven, are from a cache.
        searched: whether the metric searches.
        kept: each pair's statistics and score, where intervals are drawn.
        indices: the numbers of these pairs.
        dropped: what readers left out.
    """

    def __init__(self, width: int) -> None:
        self.statistics = Columns(width)
        self.averages = Columns()
        self.lacking: set[int] = set()
        self.pairs = self.defined = self.proven = self.stored = 0
        self.searched = False
        self.kept: list[tuple[Statistics, Score]] = []
        self.indices: list[int] = []
        self.dropped: Counter[str] = Counter()

    def average(self, values: Sequence[float | None]) -> None:
        """Add a pair's shares; a share that some pair lacks has no mean."""
        self.defined += 1
        if None in values:
            self.lacking |= {k for k, value in enumerate(values) if value is None}
        shares: Sequence[Any] = values
        if self.lacking:
            shares = [0.0 if value is None else value for value in values]
        self.averages.add(shares)

    def means(self, names: Sequence[str]) -> dict[str, float | None]:
        """Return the mean of each share over the pairs that have what is scored."""
        totals = dict(enumerate(self.averages.sums()))
        return {
            name: None
            if k in self.lacking or not self.defined
            else totals[k] / self.defined
            for k, name in enumerate(names)
        }

    def merge(self, other: Sums, first: int) -> None:
        """Add the pairs of another part, whose numbers begin at *first*."""
        self.statistics.merge(other.statistics)
        self.averages.merge(other.averages)
        self.lacking |= other.lacking
        for name in ("pairs", "defined", "proven", "stored"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.searched |= other.searched
        self.kept += other.kept
        self.indices += [first + index for index in other.indices]
        self.dropped += other.dropped

    def record(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "statistics": self.statistics.record(),
            "averages": self.averages.record(),
            "lacking": sorted(self.lacking),
            "counts": [self.pairs, self.defined, self.proven, self.stored],
            "searched": self.searched,
            "rows": [[*row] for row, _ in self.kept],
            "indices": self.indices,
            "dropped": dict(self.dropped),
        }

    @classmethod
    def of(cls, record: Mapping[str, Any], metric: Any) -> Sums:
        """Return the sums of a record under a metric."""
        sums = cls(metric.width)
        sums.statistics = Columns.of(record["statistics"])
        sums.averages = Columns.of(record["averages"])
        sums.lacking = {*record["lacking"]}
        sums.pairs, sums.defined, sums.proven, sums.stored = record["counts"]
        sums.searched = record["searched"]
        sums.kept = [(tuple(row), metric.scores(tuple(row))) for row in record["rows"]]
        sums.indices = [*record["indices"]]
        sums.dropped = Counter(record["dropped"])
        return sums
