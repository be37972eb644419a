"""The best one-to-one matching of the rows and columns of a table."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels

_dense = kernels.load("exactmatch.solvers.kernel.dense")

Ints: TypeAlias = npt.NDArray[np.intp]


def best_matching(table: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """Return rows and their columns, so that the sum of their entries is largest.

    The shorter side is matched completely.  Of several best matchings it is the one
    that SciPy's ``linear_sum_assignment(table, maximize=True)`` returns.

    Args:
        table: finite numbers; shape ``(n, m)``.

    Returns:
        Two arrays of length ``min(n, m)``: rows in ascending order, and the column of
        each.

    >>> rows, columns = best_matching(np.array([[1, 2], [4, 4], [0, 3]]))
    >>> rows.tolist(), columns.tolist()
    ([1, 2], [0, 1])
    """
    if not table.size:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    images = np.array(_dense.assign(table.astype(np.float64)), dtype=np.intp)
    rows = np.flatnonzero(images >= 0)
    return rows, images[rows]
