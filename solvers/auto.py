"""The default: the cheapest proof that closes the gap.

First the assignment bound and a climb; whatever they leave open goes to the
MILP solver that is quickest for the size.
"""

from __future__ import annotations

import time

from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Proposal, Solution

_LARGE_TERMS = 2000
"""From this many pair terms on, HiGHS beats CP-SAT."""


class Auto(Solver):
    """Prove the optimum by the cheapest means."""

    name = "auto"
    exact = True
    summary = "bound and climb first, then the cheapest proof that closes the gap"
    requires = ("scipy", "ortools")

    def _solve(self, problem: AlignmentProblem, limits: Limits) -> Proposal:
        from exactmatch.solvers.hillclimb import HillClimb
        from exactmatch.solvers.hungarian import Hungarian

        started = time.perf_counter()
        bounded = Hungarian().solve(problem, limits)
        if bounded.is_optimal:
            return _proposal(bounded, bounded.bound)
        climbed = HillClimb().solve(problem, limits)
        best = max(bounded, climbed, key=lambda solution: solution.value)
        if best.value == bounded.bound:
            return Proposal(best.alignment, best.value, "assignment")
        if limits.seconds is not None:
            spent = time.perf_counter() - started
            limits = Limits(limits.seconds - spent, limits.threads, limits.seed)
        solved = _integer_program(problem).solve(problem, limits)
        bound = min(bounded.bound, solved.bound)
        best = max(best, solved, key=lambda solution: solution.value)
        proof = solved.proof if solved.bound <= bounded.bound else bounded.proof
        return Proposal(best.alignment, bound, proof)


def _integer_program(problem: AlignmentProblem) -> Solver:
    if problem.n_terms < _LARGE_TERMS:
        from exactmatch.solvers.cpsat import CpSat

        return CpSat()
    from exactmatch.solvers.highs import Highs

    return Highs()


def _proposal(solution: Solution, bound: int) -> Proposal:
    return Proposal(solution.alignment, bound, solution.proof)
