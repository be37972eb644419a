"""Order of slots in their rows, where boxes stand in bands.

A band takes the same place in every row, so that a frame can be drawn around it.  Rows
are ordered by the mean place of neighbours, as in :mod:`layered`, but within bands; and
neighbouring bands change places where links cross less for it.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence

SWEEPS = 6
MOST = 24  # bands that change places: more take as long as all else


class Banded:
    """Rows of slots in bands; the first order is kept where no other is better.

    Args:
        rows: the slots of each row.
        steps: two slots of neighbouring rows between which a link leads.
        bands: of each slot; they stand in the order of their numbers at first.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        steps: Iterable[tuple[int, int]],
        bands: Sequence[int],
    ) -> None:
        self._bands = bands
        self._ranks = list(range(max(bands, default=-1) + 1))
        self._before: list[list[int]] = [[] for _ in bands]
        self._after: list[list[int]] = [[] for _ in bands]
        for left, right in steps:
            self._before[right].append(left)
            self._after[left].append(right)
        self._places = [0.0] * len(bands)
        self.rows = [sorted(row, key=bands.__getitem__) for row in rows]
        for row in self.rows:
            self._number(row)

    def _number(self, row: Sequence[int]) -> None:
        for place, slot in enumerate(row):
            self._places[slot] = place

    def _sort(self, row: list[int], near: Sequence[Sequence[int]]) -> None:
        """Order a row by bands, and within by the mean place of neighbours."""
        places, bands, ranks = self._places, self._bands, self._ranks

        def key(slot: int) -> tuple[int, float]:
            neighbours = near[slot]
            mean = (
                sum(places[k] for k in neighbours) / len(neighbours)
                if neighbours
                else places[slot]
            )
            return ranks[bands[slot]], mean

        row.sort(key=key)
        self._number(row)

    def crossings(self) -> int:
        """Count the crossings of links between neighbouring rows."""
        count = 0
        for row in self.rows:
            met: list[float] = []
            for slot in row:
                ends = [self._places[k] for k in self._after[slot]]
                count += sum(len(met) - bisect_right(met, end) for end in ends)
                for end in ends:
                    insort(met, end)
        return count

    def uncross(self) -> None:
        """Look for an order with fewer crossings."""
        self._sweep()
        if 1 < len(self._ranks) <= MOST and self._exchange():
            self._sweep()

    def _sweep(self) -> None:
        fewest, best = self.crossings(), [list(row) for row in self.rows]
        for sweep in range(SWEEPS):
            if not fewest:
                break
            if sweep % 2 == 0:
                for row in self.rows[1:]:
                    self._sort(row, self._before)
            else:
                for row in self.rows[-2::-1]:
                    self._sort(row, self._after)
            if (crossings_now := self.crossings()) < fewest:
                fewest, best = crossings_now, [list(row) for row in self.rows]
        self._take(best)

    def _take(self, rows: list[list[int]]) -> None:
        self.rows = rows
        for row in rows:
            self._number(row)

    def _exchange(self) -> bool:
        """Exchange neighbouring bands as long as that helps; whether it did."""
        fewest, has_changed = self.crossings(), False
        order = sorted(range(len(self._ranks)), key=self._ranks.__getitem__)
        is_better = True
        while is_better and fewest:
            is_better = False
            for k in range(len(order) - 1):
                kept = [list(row) for row in self.rows]
                self._swap(order, k)
                if (crossings_now := self.crossings()) < fewest:
                    fewest, is_better, has_changed = crossings_now, True, True
                else:
                    self._swap(order, k)
                    self._take(kept)
        return has_changed

    def _swap(self, order: list[int], k: int) -> None:
        order[k], order[k + 1] = order[k + 1], order[k]
        for rank, band in enumerate(order):
            self._ranks[band] = rank
        ranks, bands = self._ranks, self._bands
        for row in self.rows:
            row.sort(key=lambda slot: ranks[bands[slot]])
            self._number(row)

    def order(self) -> list[int]:
        """Return the bands from above."""
        return sorted(range(len(self._ranks)), key=self._ranks.__getitem__)
