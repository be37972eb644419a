"""A solver: the heaviest candidate first, as long as one is free."""

from __future__ import annotations

from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal


class Greedy(Solver):
    """Takes candidates in order of weight, pair terms included; proves nothing."""

    name = "greedy"
    exact = False
    summary = "the heaviest candidate first; a quick guess"

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        worth = problem.unary.copy()
        for ends in (problem.first, problem.second):
            for candidate, weight in zip(ends, problem.weight, strict=True):
                worth[candidate] += weight
        alignment = [-1] * problem.n_left
        used: set[int] = set()
        for candidate in sorted(range(len(worth)), key=lambda c: (-worth[c], c)):
            if progress.is_out_of_time():
                break
            i, j = int(problem.left[candidate]), int(problem.right[candidate])
            if worth[candidate] > 0 and alignment[i] < 0 and j not in used:
                alignment[i] = j
                used.add(j)
        return Proposal(tuple(alignment), None)
