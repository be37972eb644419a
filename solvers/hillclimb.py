"""Smatch's hill-climbing heuristic, as published, reproducible by its seed.

The climb of smatch 1.0.4 (Cai and Knight, 2013): from a first alignment, take
the best step as long as it gains, of all *moves* (a left node goes to an unused
right node that is its candidate) and then all *swaps* (two left nodes exchange
their right nodes, candidates or not); of equally good steps the first counts,
moves before swaps.  No step takes a left node's partner away.  The best of
``restarts + 1`` rounds is kept, the earliest of equally good ones.

The first round begins with the problem's ``start`` candidates (for Smatch:
equal concepts): every left node takes its first unused one, then the others
draw an unused candidate at random.  The other rounds draw for every left node.

Differences from smatch 1.0.4: random numbers come from a seeded generator of
our own, so a run can be repeated; gains are kept up to date instead of being
recounted and remembered in a dictionary, which on documents takes gigabytes.
The distribution of answers is the same.

Source: https://github.com/snowblink14/smatch (``get_best_gain`` and below).
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.base import Solver
from exactmatch.solvers.errors import SolverError
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.solution import Limits, Proposal


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

    def signature(self) -> str:
        """The name, the restarts, and the seed if it is the solver's own."""
        seed = "" if self.seed is None else f",seed={self.seed}"
        return f"{self.name}:restarts={self.restarts}{seed}"

    def _solve(self, problem: AlignmentProblem, limits: Limits) -> Proposal:
        seconds = limits.seconds
        deadline = None if seconds is None else time.perf_counter() + seconds
        rng = random.Random(limits.seed if self.seed is None else self.seed)
        climb = Climb(problem)
        pools = _pools(problem)
        best, best_value = (-1,) * problem.n_left, 0
        for round_number in range(self.restarts + 1):
            first = _smart_choice(problem) if round_number == 0 else {}
            value = climb.run(_drawn(pools, first, rng), deadline)
            if value > best_value:
                best, best_value = climb.alignment(), value
            if deadline is not None and time.perf_counter() > deadline:
                break
        return Proposal(best, bound=None)


class Climb:
    """Steepest ascent on one problem; call :meth:`run` for every start.

    ``gain[i, j]`` is what aligning *i* with *j* is worth beside the other
    aligned pairs; it changes only with the pairs a step touches.  The last
    column stands for "unaligned" and stays 0.
    """

    def __init__(self, problem: AlignmentProblem) -> None:
        self._problem = problem
        self._unary = np.zeros((problem.n_left, problem.n_right + 1), dtype=np.int64)
        self._unary[problem.left, problem.right] = problem.unary
        owner = np.concatenate((problem.first, problem.second))
        partner = np.concatenate((problem.second, problem.first))
        order = np.argsort(owner, kind="stable")
        counts = np.bincount(owner, minlength=problem.n_candidates)
        self._starts = [0, *np.cumsum(counts).tolist()]
        cell = problem.left.astype(np.int64) * (problem.n_right + 1) + problem.right
        self._partner_cell = cell[partner[order]]
        self._partner_weight = np.tile(problem.weight, 2)[order]
        self._number = np.full_like(self._unary, -1)
        self._number[problem.left, problem.right] = np.arange(problem.n_candidates)
        self._left_of_first = problem.left[problem.first]
        self._left_of_second = problem.left[problem.second]
        self._right_of_first = problem.right[problem.first]
        self._right_of_second = problem.right[problem.second]

    def run(self, start: Iterable[int], deadline: float | None = None) -> int:
        """Climb from an alignment to a peak; returns the peak's value.

        Args:
            start: the right node of every left node, ``-1`` for none.
            deadline: when to stop early, on the clock of ``perf_counter``.
        """
        problem = self._problem
        self._current = np.array(list(start), dtype=np.int64)
        self._gain = self._unary.copy()
        self._used = np.zeros(problem.n_right + 1, dtype=np.bool_)
        self._used[self._current] = True  # -1 is the last, the "unaligned" column
        for i, j in enumerate(self._current.tolist()):
            self._spread(i, j, 1)
        value = problem.value(self.alignment())
        while len(self._current) and (
            deadline is None or time.perf_counter() <= deadline
        ):
            step = self._step()
            if step == 0:
                break
            value += step
        return value

    def alignment(self) -> Alignment:
        """Where the climb stands."""
        return tuple(self._current.tolist())

    def _step(self) -> int:
        """Take the best step; returns its gain, 0 where none gains."""
        problem, current = self._problem, self._current
        own = self._gain[np.arange(problem.n_left), current]
        moves = self._gain[problem.left, problem.right] - own[problem.left]
        moves[self._used[problem.right]] = 0
        move = int(moves.argmax()) if len(moves) else -1
        best = int(moves[move]) if move >= 0 else 0
        swaps = self._swaps(own)
        swap = int(swaps.argmax())
        i, k = divmod(swap, problem.n_left)
        if swaps[i, k] > max(best, 0):
            best = int(swaps[i, k])
            self._place([(i, int(current[k])), (k, int(current[i]))])
        elif best > 0:
            self._place([(int(problem.left[move]), int(problem.right[move]))])
        return max(best, 0)

    def _swaps(self, own: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The gain of every swap, symmetric, shape ``(n_left, n_left)``.

        ``gain`` counts a term between the two new pairs not at all and one
        between the two old pairs once for each, so both are added.
        """
        crossed = self._gain[:, self._current] - own[:, None]
        swaps: npt.NDArray[np.int64] = crossed + crossed.T
        now_first = self._current[self._left_of_first]
        now_second = self._current[self._left_of_second]
        together = (now_first == self._right_of_first) & (
            now_second == self._right_of_second
        )
        exchanged = (now_first == self._right_of_second) & (
            now_second == self._right_of_first
        )
        touched = np.flatnonzero(together | exchanged)
        i, k = self._left_of_first[touched], self._left_of_second[touched]
        weight = self._problem.weight[touched]
        np.add.at(swaps, (i, k), weight)
        np.add.at(swaps, (k, i), weight)
        return swaps

    def _place(self, pairs: list[tuple[int, int]]) -> None:
        """Give left nodes new right nodes and bring the gains up to date."""
        for i, _ in pairs:
            old = int(self._current[i])
            self._spread(i, old, -1)
            self._used[old] = False
        for i, j in pairs:
            self._spread(i, j, 1)
            self._current[i] = j
            self._used[j] = True

    def _spread(self, i: int, j: int, sign: int) -> None:
        """Add or take away what the pair ``(i, j)`` is worth to its partners."""
        c = int(self._number[i, j])
        if c < 0:
            return
        entries = slice(self._starts[c], self._starts[c + 1])
        self._gain.ravel()[self._partner_cell[entries]] += (
            sign * self._partner_weight[entries]
        )


def _pools(problem: AlignmentProblem) -> list[list[int]]:
    """The candidates of every left node, in increasing order."""
    pools: list[list[int]] = [[] for _ in range(problem.n_left)]
    for i, j in zip(problem.left.tolist(), problem.right.tolist(), strict=True):
        pools[i].append(j)
    return pools


def _smart_choice(problem: AlignmentProblem) -> dict[int, int]:
    """The first unused ``start`` candidate of every left node that has one."""
    chosen: dict[int, int] = {}
    used: set[int] = set()
    start = problem.start
    for i, j in zip(
        problem.left[start].tolist(), problem.right[start].tolist(), strict=True
    ):
        if i not in chosen and j not in used:
            chosen[i] = j
            used.add(j)
    return chosen


def _drawn(
    pools: list[list[int]], chosen: dict[int, int], rng: random.Random
) -> list[int]:
    """Complete an alignment: left nodes draw from their unused candidates."""
    used = set(chosen.values())
    alignment = []
    for i, pool in enumerate(pools):
        j = chosen.get(i, -1)
        if j < 0:
            unused = [k for k in pool if k not in used]
            if unused:
                j = unused[rng.randrange(len(unused))]
                used.add(j)
        alignment.append(j)
    return alignment
