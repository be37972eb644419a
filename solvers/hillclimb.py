"""Smatch's hill-climbing heuristic, as published, reproducible by its seed.

The climb of smatch 1.0.4 (Cai and Knight, 2013): from a first alignment, take
the best step as long as it gains, of all *moves* (a left node goes to an unused
right node that is its candidate) and then all *swaps* (two left nodes exchange
their right nodes, candidates or not); of equally good steps the first counts,
moves before swaps.  No step takes a left node's partner away, unless candidates
cost: then to give one up is a step too, looked at last.  The best of ``restarts +
1`` rounds is kept, the earliest of equally good ones, or none if none is worth more
than aligning nothing.

The first round begins with the problem's ``start`` candidates (for Smatch:
equal concepts): every left node takes its first unused one, then the others
draw an unused candidate at random.  The other rounds draw for every left node.

Unlike smatch 1.0.4's, random numbers come from a seeded generator of our own, and gains
are kept up to date instead of being remembered in a dictionary, which on documents
takes gigabytes.  The distribution of answers is the same.

Source: https://github.com/snowblink14/smatch (``get_best_gain`` and below).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import SolverError
from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

_kernel: Any = kernels.load("exactmatch.solvers.kernel.steps")

_STEPS_UNTOLD = 64
"""Steps of a climb between two of the alignments that are kept if it is cut short."""


class HillClimb(Solver):
    """Climb from a smart and several random starts; proves nothing.

    Args:
        restarts: random starts after the smart one, as smatch's ``-r``.
        seed: seed of the random draws; default: that of the limits.
    """

    name = "hillclimb"
    exact = False
    summary = "Smatch's published heuristic, seeded; no proof"

    def __init__(self, restarts: int = 4, seed: int | None = None) -> None:
        if restarts < 0:
            raise SolverError(f"restarts is {restarts}; it must be 0 or more")
        self.restarts = restarts
        self.seed = seed
        self.draws = seed is None

    def signature(self) -> str:
        seed = "" if self.seed is None else f",seed={self.seed}"
        return f"{self.name}:restarts={self.restarts}{seed}"

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        seed = progress.limits.seed if self.seed is None else self.seed
        for _, alignment in peaks(problem, self.restarts, seed, progress):
            progress.offer(alignment)
        return progress.proposal()


def peaks(
    problem: AlignmentProblem,
    restarts: int,
    seed: int,
    progress: Progress | None = None,
) -> Iterator[tuple[int, Alignment]]:
    """Return the peak of every round in turn: its value and its alignment.

    The rounds do not depend on how many follow, so the answer with fewer restarts
    and the same seed is the best of the first few.  Whoever has the progress is told
    how high the climbs got, and says when to stop early.
    """
    rng = random.Random(seed)
    climb = PeakSearch(problem)
    right, rows = problem.right.tolist(), problem.rows()
    pools = [right[begin:end] for begin, end in rows]
    for round_number in range(restarts + 1):
        first = _smart_choice(problem) if round_number == 0 else {}
        value = climb.run(_drawn(pools, first, rng), progress)
        yield value, climb.alignment()
        if progress is not None and progress.is_out_of_time():
            break


class PeakSearch:
    """Steepest ascent on one problem, by the steps of ``kernel/steps.py``.

    Every so many of them the value is recounted, so that a climb would end even with
    wrong gains: a recount finds that the value has grown as they say, or raises an
    error; and values cannot grow for ever.
    """

    def __init__(self, problem: AlignmentProblem) -> None:
        self._problem = problem
        self._steps: Any = _kernel.Steps(problem)

    def run(self, start: Sequence[int], progress: Progress | None = None) -> int:
        """Climb from an alignment to a peak or until time is over; return its value."""
        problem = self._problem
        self._steps.begin_at(start)
        value = problem.value(self.alignment())
        steps = 0
        while problem.n_candidates:
            if progress is not None and steps % _STEPS_UNTOLD == 0:
                progress.offer(self.alignment())
                progress.tell()
            gain = self._steps.step()
            if gain == 0:
                break
            value += gain
            steps += 1
            if steps % problem.n_left == 0:
                counted = problem.value(self.alignment())
                if counted != value:
                    raise SolverError(
                        f"hillclimb: steps said to reach {value} reach {counted}; "
                        "please report the two graphs"
                    )
            if progress is not None and progress.is_out_of_time():
                break
        return value

    def alignment(self) -> Alignment:
        """Return the alignment that the climb has reached."""
        alignment: Alignment = self._steps.alignment()
        return alignment


def _smart_choice(problem: AlignmentProblem) -> dict[int, int]:
    """Return the first unused ``start`` candidate of every left node that has one.

    The first as smatch meets them: it keeps a node's candidates in a Python set,
    equal concepts put in before all others, and goes through it in the set's own
    order, which is not that of the numbers where one of them is 8 or more.
    """
    chosen: dict[int, int] = {}
    used: set[int] = set()
    later = np.where(problem.unary > 0, 1, 2)
    later[problem.start] = 0
    right = problem.right[np.lexsort((later, problem.left))].tolist()
    n_starts = np.bincount(problem.left[problem.start], minlength=problem.n_left)
    for i, (begin, end) in enumerate(problem.rows()):
        met, starts = set[int](), {*right[begin : begin + n_starts[i]]}
        if starts:
            met.update(right[begin:end])  # one by one, as smatch adds them
        free = (j for j in met if j in starts and j not in used)
        if (j := next(free, None)) is not None:
            chosen[i] = j
            used.add(j)
    return chosen


def _drawn(
    pools: list[list[int]], chosen: dict[int, int], rng: random.Random
) -> list[int]:
    used = set(chosen.values())
    alignment = []
    for i, pool in enumerate(pools):
        j = chosen.get(i, -1)
        if j < 0 and (unused := [k for k in pool if k not in used]):
            j = unused[rng.randrange(len(unused))]
            used.add(j)
        alignment.append(j)
    return alignment
