"""The common part of all optimal alignments of a problem, and where they differ.

Several alignments may be worth the optimum.  A *part* of the problem (the same
nodes, some of its weight) can then be worth more under one of them and less under
another.  Its least and its greatest value are two integer programs: the aggregated
model's rows, the part's weights as objective, and one more row that holds the
problem's own value at the optimum::

    min / max  sum_c part_c x_c + sum_p part_p y_p
    sum_c unary_c x_c + sum_p weight_p y_p >= optimum - 1/4

The last row is what lets ``y`` stay continuous although one objective wants it
small: all weights are integers, so only an optimal ``x`` can fulfil it, and then
``y`` falls short of ``x_c x_d`` by a quarter at most.  Results are rounded to the
integer on the safe side.  The bounds are those of SciPy's HiGHS.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import ProblemError, SolverError
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.model import aggregated_model
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits

_SLACK = 0.25
_TOLERANCE = 1e-6
_OPTIMAL = 0

Weights = npt.NDArray[np.float64]


class OptimalFace:
    """The alignments that are worth at least a given value: all the optimal ones.

    Attributes:
        problem: the whole problem.
        value: the optimum.
        alignment: one alignment that is worth it.
    """

    def __init__(self, problem: AlignmentProblem, alignment: Alignment) -> None:
        """Take a problem and an optimal alignment of it.

        If *alignment* is not optimal, all alignments at least as good as it count.

        Raises:
            ProblemError: if a unary weight is negative; alignments of equal value may
                then differ in what they earn and what they pay.
        """
        if problem.n_candidates and problem.unary.min() < 0:
            raise ProblemError("optima are compared without negative weights only")
        self.problem = problem
        self.alignment = alignment
        self.value = problem.value(alignment)
        self._known_to_agree: bool | None = None

    def agree(self) -> bool:
        """Whether every optimal alignment collects exactly the same weights."""
        if self.value == 0:
            return True
        if self._known_to_agree is None:
            collected = self.problem.objective * self.problem.earned(self.alignment)
            least = self._least(collected.astype(np.float64))
            self._known_to_agree = least >= self.value
        return self._known_to_agree

    def range(self, part: AlignmentProblem) -> tuple[int, int]:
        """The least and greatest value of a part under all optimal alignments.

        Args:
            part: a problem on the same nodes, each of whose weights is also (and at
                least as large) in the whole problem.

        Raises:
            ProblemError: if it is no part of the problem.
        """
        weights = self._columns(part)
        if not weights.any():
            return 0, 0
        if self.agree():
            worth = part.value(self.alignment)
            return worth, worth
        return self._least(weights), -self._least(-weights)

    def _least(self, weights: Weights) -> int:
        bound: float = process.run(
            least,
            self.problem,
            self.value,
            weights,
            imports=("scipy.optimize", "scipy.sparse"),
            progress=Progress(self.problem, Limits()),
        )
        return math.ceil(bound - _TOLERANCE)

    def _columns(self, part: AlignmentProblem) -> Weights:
        whole = self.problem
        if (part.n_left, part.n_right) != (whole.n_left, whole.n_right):
            raise ProblemError("a part must have the nodes of the whole problem")
        candidates = _places(
            _keys(whole.left, whole.right, whole.n_right),
            _keys(part.left, part.right, whole.n_right),
        )
        terms = _places(
            _keys(whole.first, whole.second, whole.n_candidates),
            _keys(candidates[part.first], candidates[part.second], whole.n_candidates),
        )
        weights = np.zeros(whole.n_candidates + whole.n_terms)
        weights[candidates] = part.unary
        weights[whole.n_candidates + terms] = part.weight
        if np.any(weights > whole.objective):
            raise ProblemError("a part weighs more than the whole problem")
        return weights


def least(
    report: process.Report | None,
    seconds: float | None,
    problem: AlignmentProblem,
    value: int,
    weights: Weights,
) -> float:
    """The least sum of weights of alignments worth at least *value*, as HiGHS says.

    Called in a process of its own.

    Args:
        report, seconds: unused; the call reports nothing and has no time limit.
        problem: the whole problem.
        value: what alignments must be worth.
        weights: of its candidates, then of its pair terms.

    Raises:
        SolverError: if HiGHS fails.
    """
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array

    del report, seconds
    model = aggregated_model(problem)
    worth = csr_array(model.objective.astype(np.float64)[np.newaxis, :])
    optimal = LinearConstraint(worth, value - _SLACK, np.inf)
    result = model.minimise(weights, optimal)
    if result.status != _OPTIMAL:
        raise SolverError(f"HiGHS gave up: {result.message}")
    return float(result.mip_dual_bound)


def _keys(major: Any, minor: Any, width: int) -> npt.NDArray[np.int64]:
    """One increasing number for each pair of numbers."""
    keys: npt.NDArray[np.int64] = major.astype(np.int64) * max(width, 1) + minor
    return keys


def _places(
    known: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]
) -> npt.NDArray[np.intp]:
    """Where each wanted key stands among the known ones, which are sorted."""
    places = np.searchsorted(known, wanted)
    found = places < len(known)
    found[found] = known[places[found]] == wanted[found]
    if not found.all():
        raise ProblemError("a part has a candidate or term that the whole has not")
    return places
