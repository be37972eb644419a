"""The default: the cheapest proof that closes the gap.

1. One linear assignment bounds the problem and a climb looks for an alignment
   that reaches the bound (``proof: assignment``).
2. Linear relaxations, their duals made exact in integers, prove or fix nearly
   everything else: ``proof: lp`` if one was enough, ``branch`` if a tree was
   needed.
3. What a hundred nodes leave open goes to CP-SAT (``proof: milp``).

All stages share one deadline; when it strikes, the best alignment and the best
bound so far are the answer.  A stage's packages are imported when it is
reached.
"""

from __future__ import annotations

import time

from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Proof, Proposal


class Auto(Solver):
    """Prove the optimum by the cheapest means."""

    name = "auto"
    exact = True
    summary = "bound and climb, then linear relaxations, then CP-SAT on the rest"
    requires = ("scipy", "ortools")

    def _solve(self, problem: AlignmentProblem, limits: Limits) -> Proposal:
        from exactmatch.solvers.hillclimb import HillClimb
        from exactmatch.solvers.cpsat import CpSat
        from exactmatch.solvers.lp_branch import Incumbent, prove

        deadline = (
            None if limits.seconds is None else time.perf_counter() + limits.seconds
        )
        incumbent = Incumbent((-1,) * problem.n_left, 0)
        bound: int = problem.row_bound()
        proof: Proof = "none"
        if incumbent.value < bound:
            climbed = HillClimb().solve(problem, _rest(limits, deadline))
            incumbent.offer(climbed.alignment, climbed.value)
        if incumbent.value < bound:
            outcome = prove(problem, incumbent, deadline, finish=CpSat(), limits=limits)
            if outcome is not None and outcome.bound < bound:
                bound, proof = outcome.bound, outcome.proof
        return Proposal(incumbent.alignment, max(bound, incumbent.value), proof)


def _rest(limits: Limits, deadline: float | None) -> Limits:
    """The limits less the time already spent."""
    if deadline is None:
        return limits
    seconds = max(deadline - time.perf_counter(), 0.0)
    return Limits(seconds, limits.threads, limits.seed)
