"""HiGHS, as it comes with SciPy, on the aggregated model.

Candidates are binary, pair terms continuous.  The bound is HiGHS's own dual
bound, never its status.  It works in a process of its own
(:mod:`exactmatch.solvers.linear.process`), because it looks at the clock rarely: a
limit of 5 seconds was seen to take 15.

Traps, each seen: ``scipy.optimize.milp`` stops at a relative gap of 1e-4
unless ``mip_rel_gap=0``; the absolute gap of 1e-6 cannot be set through SciPy
and does no harm, because the true optimum is an integer; bounds hold only to
the solver's tolerances, so they are floored a little above what is reported;
``mip_dual_bound`` is missing when time runs out early; a start cannot be given and
there is no callback, so the bound on the way is read from what HiGHS prints.  A seed
cannot be set and is not needed: HiGHS starts from a fixed one.  ``highspy`` is not
used: it cannot be loaded after ``ortools``.

Upstream: https://docs.scipy.org/doc/scipy/reference/generated/scipy.optimize.milp.html
and https://ergo-code.github.io/HiGHS/
"""

from __future__ import annotations

import math
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import climbed
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.model import (
    AggregatedModel,
    aggregated_model,
    alignment_of,
    floored,
)
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

_OPTIMAL, _OUT_OF_TIME = 0, 1

_BEST_BOUND = re.compile(rb"\d%\s+(-?\d\S*)")
"""In a line about the search, the bound follows the explored share of the tree."""

_SPARE, _LEAST_SPARE = 0.3, 0.1
"""HiGHS is given so many seconds less than there are, or that part, to answer in."""


class Highs(Solver):
    """Prove the optimum with SciPy's HiGHS."""

    name = "highs"
    exact = True
    summary = "SciPy's HiGHS (branch and cut) on the aggregated model"
    requires = ("scipy",)
    distribution = "scipy"

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        if not problem.n_candidates:
            return Proposal((-1,) * problem.n_left, 0, "milp")
        progress.offer(climbed(problem))
        with suppress(process.OutOfTimeError):
            found: Proposal = process.run(
                solved,
                problem,
                imports=("scipy.optimize", "scipy.sparse"),
                progress=progress,
                hear=lambda bound: progress.prove(floored(bound), "milp"),
            )
            progress.take(found)
        return progress.proposal()


def solved(
    report: process.Report, seconds: float | None, problem: AlignmentProblem
) -> Proposal:
    """Solve a problem here and now; called in a process of its own.

    Args:
        report: called with every bound that HiGHS prints.
        seconds: when HiGHS should stop.
        problem: one with candidates.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    model = aggregated_model(problem)
    options: dict[str, Any] = {"mip_rel_gap": 0.0, "disp": True}
    if seconds is not None:
        options["time_limit"] = seconds - min(_SPARE, _LEAST_SPARE * seconds)
    with _reading_bounds(report):
        result = milp(
            -model.objective.astype(np.float64),
            integrality=np.arange(model.n_x + model.n_y) < model.n_x,
            bounds=Bounds(0.0, 1.0),
            constraints=LinearConstraint(_matrix(model), -np.inf, model.upper),
            options=options,
        )
    if result.status not in (_OPTIMAL, _OUT_OF_TIME):
        raise SolverError(f"HiGHS gave up: {result.message}")
    alignment: Alignment = (-1,) * problem.n_left
    if result.x is not None:
        alignment = alignment_of(problem, result.x[: model.n_x])
    reported = result.mip_dual_bound
    if reported is None or not math.isfinite(reported):
        return Proposal(alignment, bound=None)
    return Proposal(alignment, floored(-reported), "milp")


@contextmanager
def _reading_bounds(report: process.Report) -> Iterator[None]:
    reading, writing = os.pipe()
    usual = os.dup(1)
    os.dup2(writing, 1)
    os.close(writing)
    reader = threading.Thread(target=_report_bounds, args=(reading, report))
    reader.start()
    try:
        yield
    finally:
        os.dup2(usual, 1)
        os.close(usual)
        reader.join()


def _report_bounds(reading: int, report: process.Report) -> None:
    with open(reading, "rb") as printed:
        for line in printed:
            found = _BEST_BOUND.search(line)
            if found:
                report(-float(found.group(1)))


def _matrix(model: AggregatedModel) -> Any:
    from scipy.sparse import csr_array

    shape = (model.n_rows, model.n_x + model.n_y)
    data = model.coefficients.astype(np.float64)
    columns, starts = (a.astype(np.int32) for a in (model.columns, model.starts))
    return csr_array((data, columns, starts), shape=shape)  # SciPy 1.14 needs C's int
