"""Maximum-weight bipartite matching of a few rows with a few columns.

Frames and role fillers come by the handful.  Where no two rows wish for the same
column, every row gets its wish.  Otherwise most problems here have a side of four
or fewer: these are solved by dynamic programming over the subsets of that side, in
microseconds.  Larger ones are assigned by shortest augmenting paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from exactmatch.solvers.kernel import compiled as kernels

_dense: Any = kernels.load("exactmatch.solvers.kernel.dense")

Weights: TypeAlias = Sequence[Sequence[float]]
SMALL = 4


def best_matching(weights: Weights) -> list[int | None]:
    """The one-to-one matching of rows with columns of largest total weight.

    Args:
        weights: one list per row, of non-negative numbers.  A pair of weight 0
            is as good as no pair, and is left unmatched.

    Returns:
        For every row its column, or ``None``.
    """
    if not weights or not weights[0]:
        return [None] * len(weights)
    wished = [_best_column(row) for row in weights]
    taken = [column for column in wished if column is not None]
    if len(set(taken)) == len(taken):
        return wished
    n_rows, n_columns = len(weights), len(weights[0])
    if n_columns <= SMALL:
        found = _by_subsets(weights)
    elif n_rows <= SMALL:
        flipped = _by_subsets(list(zip(*weights, strict=True)))
        found = [None] * n_rows
        for column, row in enumerate(flipped):
            if row is not None:
                found[row] = column
    else:
        assigned: list[int] = _dense.assign(np.array(weights))
        found = [None if column < 0 else column for column in assigned]
    return [
        None if column is None or weights[row][column] <= 0 else column
        for row, column in enumerate(found)
    ]


def _best_column(row: Sequence[float]) -> int | None:
    best = max(row)
    return row.index(best) if best > 0 else None


def _by_subsets(weights: Weights) -> list[int | None]:
    """Best value for the rows so far and each set of columns they have taken."""
    n_columns = len(weights[0])
    best: dict[int, tuple[float, tuple[int | None, ...]]] = {0: (0.0, ())}
    for row in weights:
        grown: dict[int, tuple[float, tuple[int | None, ...]]] = {}
        for taken, (value, chosen) in best.items():
            old = grown.get(taken)
            if old is None or value > old[0]:
                grown[taken] = (value, (*chosen, None))
            for column in range(n_columns):
                if not taken >> column & 1 and row[column] > 0:
                    key, sum_ = taken | 1 << column, value + row[column]
                    old = grown.get(key)
                    if old is None or sum_ > old[0]:
                        grown[key] = (sum_, (*chosen, column))
        best = grown
    return list(max(best.values(), key=lambda state: state[0])[1])
