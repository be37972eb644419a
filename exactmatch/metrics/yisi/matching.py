"""Maximum-weight bipartite matching of a few rows with a few columns.

Frames and role fillers come by the handful.  Where no two rows wish for the same
column, every row gets its wish.  Otherwise most problems here have a side of four
or fewer: these are solved by dynamic programming over the subsets of that side.
Larger ones are assigned by shortest augmenting paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels

Matrix: TypeAlias = npt.NDArray[np.float64]

SMALL = 4
"""Of so many columns all subsets are tried."""

_dense: Any = kernels.load("exactmatch.solvers.kernel.dense")


def best_matching(weights: Matrix) -> list[int | None]:
    """The one-to-one matching of rows with columns of largest total weight.

    Args:
        weights: non-negative numbers.  A pair of weight 0 is as good as no pair,
            and is left unmatched.

    Returns:
        For every row its column, or ``None``.
    """
    if not weights.size:
        return [None] * len(weights)
    return _matched(weights, weights.tolist())


def match_blocks(
    weights: Matrix,
    values: Matrix,
    worths: Matrix,
    sizes: tuple[Sequence[int], Sequence[int]],
    wanted: npt.NDArray[np.bool_],
    sums: Matrix,
) -> Matrix:
    """Match each block of rows with each block of columns.

    Args:
        weights: of each row and column, as for :func:`best_matching`.
        values: what a row finds in a column that it is matched with.
        worths: what is added to the sum of two blocks for such a row.
        sizes: of the blocks of rows and of those of columns, in order.
        wanted: which blocks of rows and of columns are matched at all.
        sums: of each two blocks; added to.

    Returns:
        What each row found in each block of columns; 0 without a match.
    """
    rows, columns = (list(pairwise(accumulate(side, initial=0))) for side in sizes)
    found = np.zeros((len(weights), len(columns)))
    table = weights.tolist()
    for (i, (top, bottom)), (j, (left, right)) in product(
        enumerate(rows), enumerate(columns)
    ):
        if top == bottom or left == right or not wanted[i, j]:
            continue
        block = [row[left:right] for row in table[top:bottom]]
        matched = _matched(weights[top:bottom, left:right], block)
        for row, column in enumerate(matched, top):
            if column is not None:
                found[row, j] = values[row, left + column]
                sums[i, j] += worths[row, left + column]
    return found


def _matched(weights: Matrix, rows: list[list[float]]) -> list[int | None]:
    """The column of each row, from an array and from lists of the same numbers."""
    best = [max(row) for row in rows]
    wishes = [
        row.index(most) if most > 0 else None
        for row, most in zip(rows, best, strict=True)
    ]
    taken = [column for column in wishes if column is not None]
    if len(set(taken)) == len(taken):
        return wishes
    if len(rows[0]) <= SMALL:
        return _by_subsets(rows)
    if len(rows) <= SMALL:
        found: list[int | None] = [None] * len(rows)
        columns = _by_subsets([list(column) for column in zip(*rows, strict=True)])
        for column, row in enumerate(columns):
            if row is not None:
                found[row] = column
        return found
    return [
        column if column >= 0 and row[column] > 0 else None
        for row, column in zip(rows, _dense.assign(weights), strict=True)
    ]


def _by_subsets(rows: list[list[float]]) -> list[int | None]:
    """The column of each row, of few columns.

    Row by row, the best sum is known for each set of columns that were taken, and the
    column of every row in it.  Sets are passed in the order in which they were first
    reached, and a sum replaces only a smaller one.
    """
    best: dict[int, tuple[float, tuple[int | None, ...]]] = {0: (0.0, ())}
    for row in rows:
        grown: dict[int, tuple[float, tuple[int | None, ...]]] = {}
        wanted = [(k, weight) for k, weight in enumerate(row) if weight > 0]
        for taken, (total, columns) in best.items():
            if taken not in grown or total > grown[taken][0]:
                grown[taken] = total, (*columns, None)
            for column, weight in wanted:
                key = taken | 1 << column
                if key != taken and (
                    key not in grown or total + weight > grown[key][0]
                ):
                    grown[key] = total + weight, (*columns, column)
        best = grown
    return list(max(best.values(), key=itemgetter(0))[1])
