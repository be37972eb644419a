"""``hungarian``: one linear assignment, as YiSi aligns, and the bound it proves.

Every candidate counts as worth its unary weight and half the weight of the best
one-to-one choice among its pair terms.  The best assignment of these worths is
an alignment, usually a good one, and no alignment is worth more than they add
up to: it is the Gilmore-Lawler bound with every pair weight split in halves.
Nobody need be aligned, so worths below zero count as zero.  Everything is counted in
halves, so in integers, which doubles hold exactly as long as they stay below 2⁵³.

Source: Kuhn (1955), "The Hungarian method for the assignment problem"; Gilmore
(1962) and Lawler (1963) for the bound.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import MAX_TOTAL_WEIGHT, AlignmentProblem, IntArray
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

_kernel: Any = kernels.load("exactmatch.solvers.kernel.solve")
_dense: Any = kernels.load("exactmatch.solvers.kernel.dense")


class Hungarian(Solver):
    """Align by one linear assignment; bound what any alignment can be worth."""

    name: ClassVar[str] = "hungarian"
    exact: ClassVar[bool] = False
    summary: ClassVar[str] = "one linear assignment, and the bound it proves"

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        del progress  # one call of the kernel
        table = np.zeros((problem.n_left, problem.n_right), dtype=np.int64)
        table[problem.left, problem.right] = np.maximum(doubled_worths(problem), 0)
        assigned = _dense.assign(table)
        worths = [int(table[i, j]) if j >= 0 else 0 for i, j in enumerate(assigned)]
        pairs = zip(assigned, worths, strict=True)
        alignment = tuple(j if worth else -1 for j, worth in pairs)
        if 4 * problem.total_weight() >= MAX_TOTAL_WEIGHT:
            return Proposal(alignment, None)
        return Proposal(alignment, sum(worths) // 2, "assignment")


def doubled_worths(problem: AlignmentProblem) -> IntArray:
    """Twice what each candidate counts as worth, shape ``(candidates,)``.

    A candidate's partners are chosen one-to-one; where no two of them share a
    node, that is all of them.
    """
    return np.array(_kernel.doubled_worths(problem), dtype=np.int64)
