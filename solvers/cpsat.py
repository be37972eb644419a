"""OR-Tools CP-SAT on the aggregated model.

All variables are Boolean and every row is "at most one of these literals",
because ``sum y <= x`` says that at most one of the ``y`` and ``not x`` holds.

Traps, each seen: ``OPTIMAL`` may only mean "within the gap limit" (and the
absolute one is not 0 by default), so the status is not read as a proof and the
reported bound is; with floating-point weights a worse solution comes back as
optimal, so weights are integers; ``linearization_level = 2`` is decisive, the
default leaves ordinary sentence pairs unproved after ten seconds.  The import
takes seconds, and ``ortools`` cannot share a process with ``python-mip``.

Upstream: https://developers.google.com/optimization/cp/cp_solver and the
parameters in https://github.com/google/or-tools/blob/stable/ortools/sat/sat_parameters.proto
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
)
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Proposal

_LARGEST_SEED = 2**31 - 1


class CpSat(Solver):
    """Prove the optimum with OR-Tools CP-SAT."""

    name = "cpsat"
    exact = True
    summary = "OR-Tools CP-SAT on the aggregated model"
    requires = ("ortools",)
    distribution = "ortools"

    def _solve(self, problem: AlignmentProblem, limits: Limits) -> Proposal:
        from ortools.sat.python import cp_model  # 2 s to import: only when used

        model, literals = _cp_model(aggregated_model(problem), cp_model)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = limits.threads
        solver.parameters.linearization_level = 2
        solver.parameters.random_seed = limits.seed % _LARGEST_SEED
        solver.parameters.catch_sigint_signal = False  # Ctrl-C ends us, not one solve
        if limits.seconds is not None:
            solver.parameters.max_time_in_seconds = max(limits.seconds, 0.0)
        status = solver.solve(model)
        if status == cp_model.UNKNOWN:  # its bound then means nothing
            return Proposal((-1,) * problem.n_left, bound=None)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise SolverError(f"CP-SAT ended with status {solver.status_name(status)}")
        x = np.array([solver.boolean_value(x) for x in literals], dtype=np.int64)
        # Integers below 2**53, which doubles hold exactly: the slack is for form.
        bound = math.floor(solver.best_objective_bound + 1e-6)
        return Proposal(alignment_of(problem, x), bound, "milp")


def _cp_model(model: AggregatedModel, cp_model: Any) -> tuple[Any, list[Any]]:
    """The aggregated model in CP-SAT's terms, and its candidate literals."""
    cp = cp_model.CpModel()
    variables = [cp.new_bool_var("") for _ in range(model.n_x + model.n_y)]
    negated = [x.negated() for x in variables[: model.n_x]]
    starts, columns = model.starts.tolist(), model.columns.tolist()
    for row in range(model.n_rows):
        entries = columns[starts[row] : starts[row + 1]]
        if row < model.n_node_rows:
            cp.add_at_most_one([variables[k] for k in entries])
            continue
        *terms, candidate = entries  # the candidate's entry is the row's last
        if len(terms) == 1:
            cp.add_implication(variables[terms[0]], variables[candidate])
        else:
            cp.add_at_most_one([*(variables[k] for k in terms), negated[candidate]])
    objective = model.objective.tolist()
    cp.maximize(cp_model.LinearExpr.weighted_sum(variables, objective))
    return cp, variables[: model.n_x]
