"""What a tree of relaxations left of a window, by SciPy's HiGHS: the last resort.

HiGHS searches the same program as the relaxation (leaves taken together), with
candidates that are chosen or not, for what is worth at least the next possible value.
There is none, says HiGHS; or it has one, which is looked at.  Its word is no
certificate.
"""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.base import Solver
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.relaxation import Program, rounded
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

_INFEASIBLE = 2

_SPARE = 0.01
"""So much of a step is left between what is demanded and the next possible value."""


class Rest(Solver):
    """Search a window with SciPy's HiGHS, for more than the progress is above."""

    name: ClassVar[str] = "rest"
    exact: ClassVar[bool] = True
    summary: ClassVar[str] = "SciPy's HiGHS on a relaxation"
    requires: ClassVar[tuple[str, ...]] = ("scipy",)

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        goal = progress.goal
        with suppress(process.OutOfTimeError):
            is_none, x = process.run(
                searched,
                problem,
                goal,
                imports=("scipy.optimize", "scipy.sparse"),
                progress=progress,
            )
            if is_none:
                return Proposal(progress.alignment, goal, "milp")
            if x is not None:
                rounded(problem, x, progress)
        return Proposal(progress.alignment, None)


def searched(
    report: process.Report | None,
    seconds: float | None,
    problem: AlignmentProblem,
    goal: int,
) -> tuple[bool, npt.NDArray[np.float64] | None]:
    """Whether nothing is worth more than *goal*, or else how much is chosen of each.

    Called in a process of its own.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, vstack

    del report
    program = Program(problem)
    lattice = problem.lattice()
    worth = program.objective / lattice
    if not len(worth):
        return goal >= 0, None
    least = goal // lattice + 1 - _SPARE
    is_plain = np.arange(len(worth)) < len(program.plain)
    result = milp(
        -worth,
        integrality=is_plain,
        bounds=Bounds(0.0, np.where(is_plain, 1.0, np.inf)),
        constraints=LinearConstraint(
            vstack([program.matrix, csr_array(-worth[np.newaxis])]),
            -np.inf,
            np.append(program.upper, -least),
        ),
        options={} if seconds is None else {"time_limit": seconds},
    )
    if result.x is None:
        return result.status == _INFEASIBLE, None
    return False, program.solution(0.0, result.x, np.zeros(len(program.upper))).x
