"""``hungarian``: one linear assignment, as YiSi aligns, and the bound it proves.

Every candidate counts as worth its unary weight and half the weight of the best
one-to-one choice among its pair terms.  The best assignment of these worths is
an alignment, usually a good one, and no alignment is worth more than they add
up to: it is the Gilmore-Lawler bound with every pair weight split in halves.
Nobody need be aligned, so worths below zero count as zero.

Everything is counted in halves, so in integers, which SciPy's doubles hold
exactly as long as they stay below 2⁵³.

Source: Kuhn (1955), "The Hungarian method for the assignment problem"; Gilmore
(1962) and Lawler (1963) for the bound.
"""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np

from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import AlignmentProblem, IntArray
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

EXACT_IN_DOUBLES = 2**53

_FEW = 16
"""Of so many entries all pairs are tried sooner than SciPy is called."""


class Hungarian(Solver):
    """Align by one linear assignment; bound what any alignment can be worth."""

    name: ClassVar[str] = "hungarian"
    exact: ClassVar[bool] = False
    summary: ClassVar[str] = "one linear assignment, and the bound it proves"
    requires: ClassVar[tuple[str, ...]] = ("scipy",)

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        del progress  # one call of SciPy, which cannot be stopped
        worths = doubled_worths(problem)
        table = np.zeros((problem.n_left, problem.n_right), dtype=np.int64)
        table[problem.left, problem.right] = np.maximum(worths, 0)
        rows, columns = _assignment(table)
        alignment = [-1] * problem.n_left
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
            if table[i, j] > 0:
                alignment[i] = j
        if 4 * problem.total_weight() >= EXACT_IN_DOUBLES:
            return Proposal(tuple(alignment), None)
        bound = int(table[rows, columns].sum()) // 2
        return Proposal(tuple(alignment), bound, "assignment")


def doubled_worths(problem: AlignmentProblem) -> IntArray:
    """Twice what each candidate counts as worth, shape ``(candidates,)``.

    A candidate's partners are chosen one-to-one; where no two of them share a
    node, that is all of them.
    """
    owner = np.concatenate([problem.first, problem.second]).astype(np.int64)
    partner = np.concatenate([problem.second, problem.first])
    weight = np.concatenate([problem.weight, problem.weight])
    worths: IntArray = 2 * problem.unary
    np.add.at(worths, owner, weight)
    conflicted = np.union1d(
        _repeated(owner, owner * problem.n_left + problem.left[partner]),
        _repeated(owner, owner * problem.n_right + problem.right[partner]),
    )
    order = np.argsort(owner, kind="stable")
    begin = np.searchsorted(owner[order], conflicted)
    end = np.searchsorted(owner[order], conflicted, side="right")
    left, right = problem.left[partner[order]], problem.right[partner[order]]
    places = zip(begin.tolist(), end.tolist(), strict=True)
    best = [
        _best_choice(left[a:b].tolist(), right[a:b].tolist(), weight[order[a:b]])
        for a, b in places
    ]
    worths[conflicted] = 2 * problem.unary[conflicted] + np.array(best, dtype=np.int64)
    return worths


def _repeated(owner: IntArray, key: IntArray) -> IntArray:
    """The owners that have two entries with the same key."""
    order = np.argsort(key, kind="stable")
    same: IntArray = owner[order[1:]][key[order[1:]] == key[order[:-1]]]
    return same


def _best_choice(left: list[int], right: list[int], weight: IntArray) -> int:
    """The largest total weight of entries of which no two share a node."""
    rows: dict[int, int] = {}
    columns: dict[int, int] = {}
    row = [rows.setdefault(node, len(rows)) for node in left]
    column = [columns.setdefault(node, len(columns)) for node in right]
    if len(rows) == 1 or len(columns) == 1:
        return int(weight.max())
    few = min(len(rows), len(columns)) == 2 and len(row) <= _FEW
    if few:  # two entries are the most that can be chosen
        entries = list(zip(row, column, weight.tolist(), strict=True))
        two = (
            own + other
            for (i, j, own), (k, m, other) in combinations(entries, 2)
            if i != k and j != m
        )
        return max(max(two, default=0), int(weight.max()))
    table = np.zeros((len(rows), len(columns)), dtype=np.int64)
    table[row, column] = weight
    return int(table[_assignment(table)].sum())


def _assignment(table: IntArray) -> tuple[IntArray, IntArray]:
    """The rows and columns of an assignment of the largest total."""
    from scipy.optimize import linear_sum_assignment  # 0.4 s to import: when used

    rows, columns = linear_sum_assignment(table, maximize=True)
    return rows, columns
