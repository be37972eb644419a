"""HiGHS, as it comes with SciPy, on the aggregated model.

Candidates are binary, pair terms continuous.  The bound is HiGHS's own dual
bound, never its status.  It works in a process of its own
(:mod:`exactmatch.solvers.linear.process`), because it looks at the clock rarely: a
limit of 5 seconds was seen to take 15.

Traps, each seen: ``scipy.optimize.milp`` stops at a relative gap of 1e-4 unless
``mip_rel_gap=0``; the absolute gap of 1e-6 cannot be set and does no harm, because the
true optimum is an integer; bounds hold only to tolerances, so they are floored a little
above what is reported; ``mip_dual_bound`` is missing when time runs out early; there is
no start and no callback, so the bound on the way is read from what HiGHS prints; no
seed either, but it starts from a fixed one; ``highspy`` cannot be loaded after
``ortools``.

Upstream: https://docs.scipy.org/doc/scipy/reference/generated/scipy.optimize.milp.html
and https://ergo-code.github.io/HiGHS/
"""

from __future__ import annotations

import math
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import climbed
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.model import aggregated_model, alignment_of, floored
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

_BEST_BOUND = re.compile(rb"\d%\s+(-?\d\S*)")
"""In a line about the search, the bound follows the explored share of the tree."""

_SPARE, _LEAST_SPARE = 0.3, 0.1
"""Seconds, or the part of the time, that HiGHS gets less, to have time to answer."""


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
        return process.search(solved, imports=process.SCIPY, progress=progress)


def solved(
    report: process.Report, seconds: float | None, problem: AlignmentProblem
) -> Proposal:
    """Solve a problem that has candidates, and report every bound that HiGHS prints.

    Called in a process of its own.
    """
    model = aggregated_model(problem)
    options: dict[str, Any] = {"disp": True}
    if seconds is not None:
        options["time_limit"] = seconds - min(_SPARE, _LEAST_SPARE * seconds)
    nothing: Alignment = (-1,) * problem.n_left
    with _reading_bounds(
        lambda bound: report(Proposal(nothing, floored(bound), "milp"))
    ):
        result = model.minimise(-model.objective.astype(np.float64), **options)
    alignment = nothing
    if result.x is not None:
        alignment = alignment_of(problem, result.x[: model.n_x])
    reported = result.mip_dual_bound
    if reported is None or not math.isfinite(reported):
        return Proposal(alignment, bound=None)
    return Proposal(alignment, floored(-reported), "milp")


@contextmanager
def _reading_bounds(hear: Callable[[float], None]) -> Iterator[None]:
    reading, writing = os.pipe()
    usual = os.dup(1)
    os.dup2(writing, 1)
    os.close(writing)

    def read() -> None:
        with open(reading, "rb") as printed:
            for line in printed:
                match = _BEST_BOUND.search(line)
                if match:
                    hear(-float(match.group(1)))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield
    finally:
        os.dup2(usual, 1)
        os.close(usual)
        reader.join()
