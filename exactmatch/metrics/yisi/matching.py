"""Maximum-weight bipartite matching of a few rows with a few columns.

Frames and role fillers come by the handful.  Where no two rows wish for the same
column, every row gets its wish.  Otherwise most problems here have a side of four
or fewer: these are solved by dynamic programming over the subsets of that side, in
microseconds.  Larger ones are assigned by shortest augmenting paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels

Matrix: TypeAlias = npt.NDArray[np.float64]

_kernel: Any = kernels.load("exactmatch.metrics.yisi._matching")
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
    found = _kernel.match(weights, _dense.assign)
    return [None if column < 0 else column for column in found]


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
    begins = [np.array([0, *accumulate(side)], dtype=np.intp) for side in sizes]
    found = np.zeros((len(weights), len(sizes[1])))
    tables = weights, values, worths
    chosen = wanted.view(np.uint8)
    _kernel.match_blocks(*tables, *begins, chosen, sums, found, _dense.assign)
    return found
