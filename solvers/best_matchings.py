"""All best one-to-one matchings of the rows and columns of a table.

With duals ``u, v >= 0``, ``u[i] + v[j] >= table[i, j]``, a matching is best if and only
if each of its entries is ``u[i] + v[j]``, and no row or column with a dual above zero
is left out (complementary slackness).  So the best matchings are the matchings of some
*usable* entries that leave out none of some *needed* rows and columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.matching import best_matching

Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Pair: TypeAlias = tuple[int, int]
Counts: TypeAlias = Mapping[Any, int]


@dataclass(frozen=True, slots=True)
class BestMatchings:
    """The best matchings of a table of whole numbers; entries of zero do not match.

    Attributes:
        matching: one of them, as pairs of a row and a column.
        usable: the entries that they may use; shape ``(rows, columns)``.
        needed_rows, needed_columns: what each of them matches.
    """

    matching: list[Pair]
    usable: Bools
    needed_rows: Bools
    needed_columns: Bools

    @classmethod
    def of(cls, table: Ints, matching: list[Pair]) -> BestMatchings:
        """Return all best matchings of a table, of which one is known."""
        u, v = duals(table, matching)
        usable = (table > 0) & (table == u[:, None] + v)
        return cls(matching, usable, u > 0, v > 0)

    @property
    def is_single(self) -> bool:
        """Return whether no row and no column has two usable entries."""
        per_row, per_column = self.usable.sum(1), self.usable.sum(0)
        return bool(per_row.max(initial=0) <= 1 >= per_column.max(initial=0))

    def pairs(self) -> list[Pair]:
        """Return the usable entries."""
        return [(i, j) for i, j in np.argwhere(self.usable).tolist()]

    def narrowed(self, worth: Ints) -> BestMatchings:
        """Return those of the matchings whose sum of another worth is largest.

        Args:
            worth: not negative; shape ``(rows, columns)``.

        >>> table = np.array([[2, 2], [2, 2]])
        >>> best = BestMatchings.of(table, [(0, 1), (1, 0)])
        >>> best.narrowed(np.eye(2, dtype=np.int64)).matching
        [(0, 0), (1, 1)]
        """
        usable = np.where(self.usable, worth, 0)
        more = 1 + min(worth.shape) * int(usable.max(initial=0))  # than all worth
        needed = self.needed_rows[:, None].astype(np.int64) + self.needed_columns
        table = np.where(self.usable, usable + more * needed, 0)
        return BestMatchings.of(table, matching_of(table))

    def constant(self, counts: Mapping[Pair, Counts | None]) -> Counts | None:
        """Return the summed counts of the matched entries; ``None`` if they differ.

        Args:
            counts: of each usable entry; ``None`` where they differ already.

        The matchings differ from the known one by cycles: a row moves from its column
        to another, whose row moves on.  A cycle may pass by one further node, where
        rows and columns are left out.  All cycles change nothing if and only if the
        changes within each strongly connected part are differences of potentials.
        """
        if any(counts[pair] is None for pair in self.matching):
            return None
        arcs = self._moves()
        if arcs:
            from scipy.sparse import coo_array
            from scipy.sparse.csgraph import connected_components

            ends = np.array([arc[:2] for arc in arcs])
            size = len(self.needed_columns) + 1
            graph = coo_array(
                (np.ones(len(ends)), (ends[:, 0], ends[:, 1])), (size, size)
            )
            _, part_of = connected_components(graph, connection="strong")
            inside = [arc for arc in arcs if part_of[arc[0]] == part_of[arc[1]]]
            if not _cancel(inside, counts):
                return None
        return added((1, counts[pair]) for pair in self.matching)

    def _moves(self) -> list[tuple[int, int, Pair | None, Pair | None]]:
        """Return each move: from and to a column, the entry it adds and it removes.

        Columns count from 1; 0 is where rows and columns are left out.
        """
        column_of, row_of = dict(self.matching), {j: i for i, j in self.matching}
        arcs: list[tuple[int, int, Pair | None, Pair | None]] = []
        for i, j in self.pairs():
            old = column_of.get(i)
            if old is None:
                arcs.append((0, j + 1, (i, j), None))
            elif old != j:
                arcs.append((old + 1, j + 1, (i, j), (i, old)))
        for j, is_needed in enumerate(self.needed_columns.tolist()):
            row = row_of.get(j)
            if row is None:
                arcs.append((j + 1, 0, None, None))
                continue
            if not is_needed:
                arcs.append((0, j + 1, None, None))
            if not self.needed_rows[row]:
                arcs.append((j + 1, 0, None, (row, j)))
        return arcs


def _cancel(
    arcs: Iterable[tuple[int, int, Pair | None, Pair | None]],
    counts: Mapping[Pair, Counts | None],
) -> bool:
    """Return whether the changes along every cycle of moves sum to nothing."""
    moves: defaultdict[int, list[tuple[int, Counts]]] = defaultdict(list)
    for begin, end, new, old in arcs:
        change: list[tuple[int, Counts | None]] = []
        for sign, pair in ((1, new), (-1, old)):
            if pair is not None:
                change.append((sign, counts[pair]))
        if any(counted is None for _, counted in change):
            return False
        moves[begin].append((end, added(change)))
    potentials: dict[int, Counts] = {}
    for start in list(moves):
        if start in potentials:
            continue
        potentials[start] = {}
        work = [start]
        while work:
            node = work.pop()
            for end, change_of in moves[node]:
                there = added([(1, potentials[node]), (1, change_of)])
                if end not in potentials:
                    potentials[end] = there
                    work.append(end)
                elif potentials[end] != there:
                    return False
    return True


def added(counts: Iterable[tuple[int, Counts | None]]) -> Counts:
    """Return the sum of signed counts, without zeros."""
    total: dict[Any, int] = {}
    for sign, counted in counts:
        for key, number in (counted or {}).items():
            total[key] = total.get(key, 0) + sign * number
    return {key: number for key, number in total.items() if number}


def matching_of(table: Ints) -> list[Pair]:
    """Return a best matching of a table; entries of zero do not match."""
    rows, columns = best_matching(table)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(i, j) for i, j in pairs if table[i, j] > 0]


def duals(table: Ints, matching: list[Pair]) -> tuple[Ints, Ints]:
    """Return the duals of rows and columns, of columns the least.

    Args:
        table: whole numbers, not negative; shape ``(rows, columns)``.
        matching: a best one.

    >>> u, v = duals(np.array([[3, 5], [2, 5]]), [(0, 0), (1, 1)])
    >>> u.tolist(), v.tolist()
    ([3, 3], [0, 2])
    """
    n_rows, n_columns = table.shape
    u, v = np.zeros(n_rows, dtype=np.int64), np.zeros(n_columns, dtype=np.int64)
    if not matching:
        return u, v
    rows, columns = (np.array(side) for side in zip(*matching, strict=True))
    alone = np.ones(n_rows, dtype=bool)
    alone[rows] = False
    least = table[alone].max(axis=0, initial=0)
    worth = table[rows, columns]
    gains = table[rows] - worth[:, None]
    v = least
    while True:  # longest paths; a best matching has no cycle that gains
        raised = np.maximum(least, (gains + v[columns][:, None]).max(axis=0))
        if np.array_equal(raised, v):
            break
        v = raised
    u[rows] = worth - v[columns]
    return u, v
