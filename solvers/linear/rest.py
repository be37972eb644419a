"""What a tree of relaxations left of a window, by HiGHS: the last resort.

HiGHS searches the same program as the relaxation (leaves taken together), with
candidates that are chosen or not, for what is worth at least the next possible value.
There is none, says HiGHS; or it has one, which is looked at.  Its word is no
certificate.

OR-Tools has HiGHS with its options, which SciPy does not pass on.  Two matter here,
where the best alignment is mostly known and only its proof is missing: HiGHS is told
what has to be beaten (``objective_bound``), and looks for no alignments by heuristics.
Windows of molecules of 80 atoms take half the time, or less.

Upstream: https://developers.google.com/optimization/math_opt and
https://ergo-code.github.io/HiGHS/dev/options/definitions/
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.base import Solver
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.relaxation import Program, rounded
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

LARGE = 4_000
"""Where there are more candidates, branches are not tried before one is chosen."""

_SPARE = 0.01
"""So much of a step is left between what is demanded and the next possible value."""


class Rest(Solver):
    """Search a window with HiGHS, for more than the progress is above."""

    name: ClassVar[str] = "rest"
    exact: ClassVar[bool] = True
    summary: ClassVar[str] = "HiGHS on a relaxation"
    requires: ClassVar[tuple[str, ...]] = ("scipy", "ortools")

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        imports = "scipy.sparse", "ortools.math_opt.python.mathopt"
        found = process.run(
            searched, problem, progress.goal, imports=imports, progress=progress
        )
        bound, x = found or (None, None)
        if x is not None:
            rounded(problem, x, progress)
        return Proposal(progress.alignment, bound, "milp")


def searched(
    report: process.Report | None,
    seconds: float | None,
    problem: AlignmentProblem,
    goal: int,
) -> tuple[int | None, npt.NDArray[np.float64] | None]:
    """Return a bound, and how much is chosen of each if that is worth more than *goal*.

    The bound is *goal* where nothing is worth more, and ``None`` where time ran out.
    Called in a process of its own.
    """
    from datetime import timedelta

    from ortools.math_opt.python import mathopt
    from ortools.math_opt.solvers.highs_pb2 import HighsOptionsProto

    del report
    program = Program(problem)
    lattice = problem.lattice()
    worth = program.objective / lattice
    if not len(worth):
        return max(goal, 0), None
    least = goal // lattice + 1 - _SPARE
    model = mathopt.Model()
    columns = [model.add_binary_variable() for _ in program.plain]
    columns += [model.add_variable(lb=0.0) for _ in range(len(worth) - len(columns))]
    matrix = program.matrix
    for row, upper in enumerate(program.upper.tolist()):
        place = slice(matrix.indptr[row], matrix.indptr[row + 1])
        entries = zip(matrix.indices[place], matrix.data[place].tolist(), strict=True)
        sum_of_row = mathopt.fast_sum(factor * columns[k] for k, factor in entries)
        model.add_linear_constraint(ub=upper, expr=sum_of_row)
    model.minimize(
        mathopt.fast_sum(
            -value * column
            for value, column in zip(worth.tolist(), columns, strict=True)
        )
    )
    options = HighsOptionsProto()
    options.double_options["objective_bound"] = -least
    options.double_options["mip_heuristic_effort"] = 0.0
    options.double_options["mip_rel_gap"] = 0.0
    if problem.n_candidates > LARGE:
        options.int_options["mip_pscost_minreliable"] = 0
    limit = None if seconds is None else timedelta(seconds=seconds)
    parameters = mathopt.SolveParameters(time_limit=limit, highs=options)
    result = mathopt.solve(model, mathopt.SolverType.HIGHS, params=parameters)
    ends = mathopt.TerminationReason.INFEASIBLE, mathopt.TerminationReason.OPTIMAL
    is_done = result.termination.reason in ends
    if result.has_primal_feasible_solution():
        found = result.variable_values()
        x = np.array([found[column] for column in columns])
        if worth @ x >= least:
            best = round(float(worth @ x)) * lattice
            chosen = program.solution(0.0, x, np.zeros(len(program.upper))).x
            return best if is_done else None, chosen
    return goal if is_done else None, None
