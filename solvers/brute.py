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
        left, right = problem.left.tolist(), problem.right.tolist()
        earlier: list[list[tuple[int, int, int]]] = [[] for _ in left]
        ends = problem.first.tolist(), problem.second.tolist()
        for c, d, weight in zip(*ends, problem.weight.tolist(), strict=True):
            earlier[d].append((left[c], right[c], weight))
        choices: list[list[tuple[int, int, list[tuple[int, int, int]]]]]
        choices = [[] for _ in range(problem.n_left)]
        for c, unary in enumerate(problem.unary.tolist()):
            choices[left[c]].append((right[c], unary, earlier[c]))
        current = [-1] * problem.n_left
        best, best_value, leaves = tuple(current), 0, 0

        def decide(i: int, value: int) -> None:
            """Try everything for left nodes *i* and on; *value* is earned so far."""
            nonlocal best, best_value, leaves
            if i == len(current):
                if value > best_value:
                    best, best_value = tuple(current), value
                leaves += 1
                if leaves % _LEAVES_PER_CLOCK == 0:
                    progress.offer(best)
                    progress.tell()
                    if progress.is_out_of_time():
                        raise _OutOfTimeError
                return
            decide(i + 1, value)
            for j, unary, earlier in choices[i]:
                if j in current:
                    continue
                gain = unary
                for k, partner, weight in earlier:
                    if current[k] == partner:
                        gain += weight
                current[i] = j
                decide(i + 1, value + gain)
                current[i] = -1

        try:
            decide(0, 0)
        except _OutOfTimeError:
            return Proposal(best, bound=None)
        return Proposal(best, best_value, "enumeration")


class _OutOfTimeError(Exception):
    """The enumeration was cut short."""
