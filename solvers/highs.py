"""HiGHS, as it comes with SciPy, on the aggregated model.

Candidates are binary, pair terms continuous.  The bound is HiGHS's own dual
bound, never its status.

Traps, each seen: ``scipy.optimize.milp`` stops at a relative gap of 1e-4
unless ``mip_rel_gap=0``; the absolute gap of 1e-6 cannot be set through SciPy
and does no harm, because the true optimum is an integer; bounds hold only to
the solver's tolerances, so they are floored a little above what is reported;
``mip_dual_bound`` is missing when time runs out early.  A seed cannot be set
and is not needed: HiGHS starts from a fixed one.  ``highspy`` is not used: it
cannot be loaded after ``ortools``.

Upstream: https://docs.scipy.org/doc/scipy/reference/generated/scipy.optimize.milp.html
and https://ergo-code.github.io/HiGHS/
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from exactmatch.solvers.base import Solver
from exactmatch.solvers.errors import SolverError
from exactmatch.solvers.linear.model import (
    AggregatedModel,
    aggregated_model,
    alignment_of,
    floored,
)
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Proposal

_OPTIMAL, _OUT_OF_TIME = 0, 1


class Highs(Solver):
    """Prove the optimum with SciPy's HiGHS."""

    name = "highs"
    exact = True
    summary = "SciPy's HiGHS (branch and cut) on the aggregated model"
    requires = ("scipy",)
    distribution = "scipy"

    def _solve(self, problem: AlignmentProblem, limits: Limits) -> Proposal:
        from scipy.optimize import Bounds, LinearConstraint, milp

        nothing = (-1,) * problem.n_left
        if not problem.n_candidates:
            return Proposal(nothing, 0, "milp")
        model = aggregated_model(problem)
        options: dict[str, Any] = {"mip_rel_gap": 0.0}
        if limits.seconds is not None:
            options["time_limit"] = max(limits.seconds, 0.0)
        result = milp(
            -model.objective.astype(np.float64),
            integrality=np.arange(model.n_x + model.n_y) < model.n_x,
            bounds=Bounds(0.0, 1.0),
            constraints=LinearConstraint(_matrix(model), -np.inf, model.upper),
            options=options,
        )
        if result.status not in (_OPTIMAL, _OUT_OF_TIME):
            raise SolverError(f"HiGHS gave up: {result.message}")
        alignment = nothing
        if result.x is not None:
            alignment = alignment_of(problem, result.x[: model.n_x])
        reported = result.mip_dual_bound
        if reported is None or not math.isfinite(reported):
            return Proposal(alignment, bound=None)
        return Proposal(alignment, floored(-reported), "milp")


def _matrix(model: AggregatedModel) -> Any:
    from scipy.sparse import csr_array

    shape = (model.n_rows, model.n_x + model.n_y)
    data = model.coefficients.astype(np.float64)
    return csr_array((data, model.columns, model.starts), shape=shape)
