"""Enumeration of every alignment: slow, plain, and the oracle of the others.

Left nodes are decided in order; each stays unaligned or takes an unused right
node that is a candidate.  Nothing is pruned, so the code leaves no room for a
wrong bound.  Eight nodes a side have at most 1,441,729 alignments.

When time runs out before the end, only a bound that needs no search is left.
"""

from __future__ import annotations

from exactmatch.base.errors import SolverError
from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

MAX_NODES = 8
"""The most nodes a side that enumeration accepts."""

_LEAVES_PER_CLOCK = 1024


class Brute(Solver):
    """Try every alignment of at most eight nodes a side."""

    name = "brute"
    exact = True
    summary = f"enumeration, for graphs of at most {MAX_NODES} nodes"

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        largest = max(problem.n_left, problem.n_right)
        if largest > MAX_NODES:
            raise SolverError(
                f"solver 'brute' takes at most {MAX_NODES} nodes a side, not "
                f"{largest}; use auto, cpsat or highs"
            )
        search = _Enumeration(problem, progress)
        try:
            search.decide(0, 0)
        except _OutOfTimeError:
            return Proposal(search.best, bound=None)
        return Proposal(search.best, search.best_value, "enumeration")


class _OutOfTimeError(Exception):
    """The enumeration was cut short."""


class _Enumeration:
    def __init__(self, problem: AlignmentProblem, progress: Progress) -> None:
        self.progress = progress
        self.n_left = problem.n_left
        self.choices: list[list[tuple[int, int, list[tuple[int, int, int]]]]]
        self.choices = [[] for _ in range(problem.n_left)]
        earlier: list[list[tuple[int, int, int]]]
        earlier = [[] for _ in range(problem.n_candidates)]
        left, right = problem.left.tolist(), problem.right.tolist()
        ends = problem.first.tolist(), problem.second.tolist()
        for c, d, weight in zip(*ends, problem.weight.tolist(), strict=True):
            earlier[d].append((left[c], right[c], weight))
        for c, unary in enumerate(problem.unary.tolist()):
            self.choices[left[c]].append((right[c], unary, earlier[c]))
        self.current = [-1] * problem.n_left
        self.best = tuple(self.current)
        self.best_value = 0
        self.leaves = 0

    def decide(self, i: int, value: int) -> None:
        """Try everything for left nodes *i* and on; *value* is earned so far."""
        if i == self.n_left:
            self.leaf(value)
            return
        self.decide(i + 1, value)
        current = self.current
        for j, unary, earlier in self.choices[i]:
            if j in current:
                continue
            gain = unary
            for k, partner, weight in earlier:
                if current[k] == partner:
                    gain += weight
            current[i] = j
            self.decide(i + 1, value + gain)
            current[i] = -1

    def leaf(self, value: int) -> None:
        """Remember a complete alignment if it is the best so far."""
        if value > self.best_value:
            self.best_value = value
            self.best = tuple(self.current)
        self.leaves += 1
        if self.leaves % _LEAVES_PER_CLOCK == 0:
            self.progress.offer(self.best)
            self.progress.tell()
            if self.progress.is_out_of_time():
                raise _OutOfTimeError
