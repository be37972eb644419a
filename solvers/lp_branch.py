"""Branch and bound by linear relaxations, every bound proved in integers.

For graphs of documents.  At each node of the search tree:

1. the linear relaxation of the aggregated model is solved, and its duals are
   made exact (:mod:`exactmatch.solvers.relaxation`);
2. its solution is rounded to an alignment and improved by hill-climbing;
3. candidates that, by their slack, are in no better alignment are dropped
   (reduced-cost fixing), which usually leaves a small problem;
4. a candidate that the relaxation chooses halfway is branched on: taken, so
   that its rivals at both nodes are dropped, or left out.

Every node is a restriction of the problem to some of its candidates, so an
alignment of one is an alignment of all.

The relaxation is so close to the optimum that it pays to be optimistic: what
is searched first is only what may be worth as much as the bound allows, a much
smaller problem than what may beat the best alignment known.  If nothing is
found there, the bound falls and the window doubles.  A window that needs too
many nodes goes to another solver, which must then be believed.
"""

from __future__ import annotations

import heapq
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.base import Solver
from exactmatch.solvers.hillclimb import Climb
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.relaxation import ProvenDuals, Relaxation, proven, relaxation
from exactmatch.solvers.solution import Limits, Proof


@dataclass(slots=True)
class Incumbent:
    """The best alignment found so far, shared by all parts of a search."""

    alignment: Alignment
    value: int

    def offer(self, alignment: Alignment, value: int) -> None:
        """Keep an alignment if it is worth more."""
        if value > self.value:
            self.alignment, self.value = alignment, value


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search proved.

    Attributes:
        bound: no alignment is worth more.
        proof: ``lp`` if one relaxation proves it, ``branch`` if a tree of them,
            ``milp`` if another solver had to be believed.
        nodes: how many relaxations it took.
    """

    bound: int
    proof: Proof
    nodes: int


def prove(
    problem: AlignmentProblem,
    incumbent: Incumbent,
    deadline: float | None = None,
    max_nodes: int = 100,
    finish: Solver | None = None,
    limits: Limits | None = None,
) -> Outcome | None:
    """Improve the incumbent and bound the problem, to optimality if time allows.

    Args:
        problem: what to maximise.
        incumbent: an alignment to start from; updated in place.
        deadline: when to stop, on the clock of ``perf_counter``.
        max_nodes: how many relaxations to solve at most for one window.
        finish: who solves what is left of a window after so many nodes.
        limits: threads and seed for *finish*.

    Returns:
        The bound reached, or ``None`` if not even the first relaxation was
        solved in time.
    """
    first = _relaxed(problem, deadline)
    if first is None:
        return None
    relaxed, duals = first
    _round(problem, relaxed, incumbent, deadline)
    bound, nodes, window = duals.bound, 1, problem.scale
    proof: Proof = "lp"
    while bound > incumbent.value:
        floor = max(incumbent.value, bound - window)
        part = restricted(problem, duals.open_candidates(floor))
        searched = _search(part, bound, floor, incumbent, deadline, max_nodes)
        nodes += searched.nodes
        reached = searched.bound
        by_other = False
        if reached > max(floor, incumbent.value) and finish is not None:
            reached = _finished(part, floor, incumbent, deadline, finish, limits)
            by_other = reached < searched.bound
        if max(reached, incumbent.value) < bound:
            bound = max(reached, incumbent.value)
            proof = "milp" if by_other or proof == "milp" else "branch"
        if reached > max(floor, incumbent.value):  # cut short
            break
        window *= 2
    return Outcome(bound, proof, nodes)


def _finished(
    part: AlignmentProblem,
    floor: int,
    incumbent: Incumbent,
    deadline: float | None,
    finish: Solver,
    limits: Limits | None,
) -> int:
    """Have another solver look for alignments worth more than *floor*."""
    seconds = None if deadline is None else max(deadline - time.perf_counter(), 0.0)
    limits = limits or Limits()
    solution = finish.solve(part, Limits(seconds, limits.threads, limits.seed))
    incumbent.offer(solution.alignment, solution.value)
    return max(floor, solution.bound)


def restricted(
    problem: AlignmentProblem, keep: npt.NDArray[np.bool_]
) -> AlignmentProblem:
    """The problem with only some of its candidates, less those left worthless."""
    together = keep[problem.first] & keep[problem.second]
    useful = keep & (problem.unary > 0)
    useful[problem.first[together]] = True
    useful[problem.second[together]] = True
    number = np.cumsum(useful, dtype=np.int32) - np.int32(1)
    return AlignmentProblem.trusted(
        problem.n_left,
        problem.n_right,
        (
            problem.left[useful],
            problem.right[useful],
            problem.unary[useful],
            number[problem.first[together]],
            number[problem.second[together]],
            problem.weight[together],
            number[problem.start[useful[problem.start]]],
        ),
        problem.scale,
    )


@dataclass(frozen=True, slots=True)
class _Searched:
    bound: int
    nodes: int


def _search(
    problem: AlignmentProblem,
    bound: int,
    floor: int,
    incumbent: Incumbent,
    deadline: float | None,
    max_nodes: int,
) -> _Searched:
    """Look for alignments worth more than *floor*, best bound first.

    The bound reached is at most *floor*, or the incumbent's value, if the
    search was not cut short.
    """
    nodes = 0
    order = 0  # of equal bounds the newest first, so that the search dives
    heap = [(-bound, order, problem)]
    while heap:
        negated, _, part = heapq.heappop(heap)
        if -negated <= max(floor, incumbent.value):
            break
        solved = _relaxed(part, deadline) if nodes < max_nodes else None
        if solved is None:
            return _Searched(-negated, nodes)
        nodes += 1
        relaxed, duals = solved
        _round(part, relaxed, incumbent, deadline)
        goal = max(floor, incumbent.value)
        node_bound = min(duals.bound, -negated)
        if node_bound <= goal:
            continue
        still_open = duals.open_candidates(goal)
        c = _branching_candidate(part, relaxed, still_open)
        if c < 0:
            return _Searched(node_bound, nodes)
        rivals = (part.left == part.left[c]) | (part.right == part.right[c])
        rivals[c] = False
        others = still_open.copy()
        others[c] = False
        for child in (others, still_open & ~rivals):
            order -= 1
            heapq.heappush(heap, (-node_bound, order, restricted(part, child)))
    return _Searched(max(floor, incumbent.value), nodes)


def _relaxed(
    problem: AlignmentProblem, deadline: float | None
) -> tuple[Relaxation, ProvenDuals] | None:
    seconds = None if deadline is None else deadline - time.perf_counter()
    if seconds is not None and seconds <= 0:
        return None
    relaxed = relaxation(problem, seconds)
    return None if relaxed is None else (relaxed, proven(problem, relaxed))


def _round(
    problem: AlignmentProblem,
    relaxed: Relaxation,
    incumbent: Incumbent,
    deadline: float | None,
) -> None:
    """Climb from the alignment nearest to the relaxation's solution."""
    from scipy.optimize import linear_sum_assignment

    chosen = np.zeros((problem.n_left, problem.n_right))
    chosen[problem.left, problem.right] = relaxed.x
    rows, columns = linear_sum_assignment(chosen, maximize=True)
    start = np.full(problem.n_left, -1)
    used = chosen[rows, columns] > 0
    start[rows[used]] = columns[used]
    climb = Climb(problem)
    value = climb.run(start.tolist(), deadline)
    incumbent.offer(climb.alignment(), value)


def _branching_candidate(
    problem: AlignmentProblem,
    relaxed: Relaxation,
    still_open: npt.NDArray[np.bool_],
) -> int:
    """The open candidate with a rival that the relaxation is least sure of."""
    left = np.bincount(problem.left[still_open], minlength=problem.n_left)
    right = np.bincount(problem.right[still_open], minlength=problem.n_right)
    has_rival = (left[problem.left] > 1) | (right[problem.right] > 1)
    doubt = np.minimum(relaxed.x, 1 - relaxed.x)
    stake = problem.unary.astype(np.float64)
    np.add.at(stake, problem.first, problem.weight)
    np.add.at(stake, problem.second, problem.weight)
    score = np.where(still_open & has_rival, (doubt + 1e-6) * stake, -1.0)
    c = int(score.argmax()) if len(score) else -1
    return c if c >= 0 and score[c] > 0 else -1
