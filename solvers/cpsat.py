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

from exactmatch.base.errors import SolverError
from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import climbed
from exactmatch.solvers.components import grouped
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.model import aggregated_model, alignment_of
from exactmatch.solvers.problem import Alignment, AlignmentProblem, IntArray
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

_LARGEST_SEED = 2**31 - 1


class CpSat(Solver):
    """Prove the optimum with OR-Tools CP-SAT."""

    name = "cpsat"
    exact = True
    summary = "OR-Tools CP-SAT on the aggregated model"
    requires = ("ortools",)
    distribution = "ortools"

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        progress.offer(climbed(problem))
        return self._search(progress, [])

    def _search(self, progress: Progress, groups: list[list[int]]) -> Proposal:
        """Search from the alignment so far, with one candidate of a group at most."""
        limits = progress.limits
        arguments = progress.alignment, limits.threads, limits.seed, groups
        imports = ("ortools.sat.python.cp_model",)
        return process.search(solved, *arguments, imports=imports, progress=progress)


class ConflictFree(CpSat):
    """Prove the optimum of one problem whose candidates are in conflict.

    A *conflict* is two candidates that no answer may hold both.  Nodes that must keep
    their edges and their non-edges (induced common subgraphs) are the case in point:
    there most candidates are in conflict with most others, and pair terms only reward.

    Args:
        first, second: the candidates of each conflict, ``int32``, ``first < second``;
            those that share a node need not be named.
    """

    def __init__(self, first: IntArray, second: IntArray) -> None:
        self.first, self.second = first, second

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        proposal = self._search(progress, self.groups(problem))
        chosen = problem.chosen(proposal.alignment)
        if np.any(chosen[self.first] & chosen[self.second]):
            raise SolverError("CP-SAT chose two candidates that are in conflict")
        return proposal

    def groups(self, problem: AlignmentProblem) -> list[list[int]]:
        """Groups of candidates that exclude each other, covering every conflict.

        A node has at most one partner, so a candidate and all those candidates of one
        other node that it is in conflict with are together chosen at most once.
        """
        groups = []
        owner = np.concatenate((self.first, self.second)).astype(np.int64)
        partners = np.concatenate((self.second, self.first))
        for nodes, count in problem.sides:
            _, key = np.unique(owner * count + nodes[partners], return_inverse=True)
            for group in grouped(key):
                groups.append([int(owner[group[0]]), *partners[group].tolist()])
        return groups


def solved(
    report: process.Report,
    seconds: float | None,
    problem: AlignmentProblem,
    start: Alignment,
    threads: int,
    seed: int,
    groups: list[list[int]],
) -> Proposal:
    """Solve a problem; report every better alignment and every lower bound.

    Called in a process of its own.  Of each group of candidates at most one is chosen.
    """
    from ortools.sat.python import cp_model

    cp, literals = _cp_model(problem, cp_model)
    for group in groups:
        cp.add_at_most_one([literals[c] for c in group])
    for x, chosen in zip(literals, problem.chosen(start).tolist(), strict=True):
        cp.add_hint(x, int(chosen))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = threads
    solver.parameters.linearization_level = 2
    solver.parameters.random_seed = seed % _LARGEST_SEED
    solver.parameters.catch_sigint_signal = False  # the caller handles it
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds

    def proposed(solution: Any, bound: float | None) -> Proposal:
        chosen = [solution is not None and solution.boolean_value(x) for x in literals]
        alignment = alignment_of(problem, np.array(chosen, dtype=np.int64))
        if bound is None:
            return Proposal(alignment, None)
        # Doubles hold integers below 2**53, so the slack is for form.
        return Proposal(alignment, math.floor(bound + 1e-6), "milp")

    class Improved(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            report(proposed(self, None))

    solver.best_bound_callback = lambda bound: report(proposed(None, bound))
    status = solver.solve(cp, Improved())
    if status == cp_model.UNKNOWN:  # its bound then means nothing
        return proposed(None, None)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise SolverError(f"CP-SAT ended with status {solver.status_name(status)}")
    return proposed(solver, solver.best_objective_bound)


def _cp_model(problem: AlignmentProblem, cp_model: Any) -> tuple[Any, list[Any]]:
    model, cp = aggregated_model(problem), cp_model.CpModel()
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
