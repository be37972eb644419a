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

Weights: TypeAlias = Sequence[Sequence[float]]

_kernel: Any = kernels.load("exactmatch.metrics.yisi._matching")
_dense: Any = kernels.load("exactmatch.solvers.kernel.dense")


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
    found = _kernel.match_few(weights)
    if found is None:
        found = _dense.assign(np.array(weights))
    return [
        None if column < 0 or weights[row][column] <= 0 else column
        for row, column in enumerate(found)
    ]
