"""Edit paths one after another: ever cheaper ones, or all of the cheapest."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from exactmatch.edit.options import SOLVER
from exactmatch.edit.problem import EditPath, EditProblem
from exactmatch.solvers import get_solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits

STAGES = ("hungarian", "bnb:nodes=1", "bnb:nodes=100", SOLVER)
"""Solvers by how long they take; the last one proves that nothing is cheaper."""


def improving_paths(
    stated: EditProblem, seconds: float | None = None, most: float | None = None
) -> Iterator[EditPath]:
    """Edit paths, each cheaper than the one before, until one is proven cheapest.

    Args:
        stated: the graphs and costs.
        seconds: how long to search; ``None`` for no limit.  The last path is not proven
            to be cheapest if this ends the search.
        most: what a path may cost that is of interest; the search ends once it is
            proven that none costs so little.
    """
    above = stated.needless(most)
    deadline = None if seconds is None else time.perf_counter() + seconds
    problem, best = stated.problem, -1
    for name in STAGES:
        left = None if deadline is None else max(deadline - time.perf_counter(), 0.0)
        limits = Limits(seconds=left, above=above)
        solution = get_solver(name).solve(problem, limits)
        if solution.value > best:
            best = solution.value
            yield stated.edit_path(solution.alignment)
        is_done = solution.bound == best or (above and solution.bound <= above)
        if is_done or (left is not None and not left):
            return


def optimal_alignments(
    problem: AlignmentProblem, above: int = 0
) -> Iterator[Alignment]:
    """All alignments of the largest value, pairs that add nothing included.

    There are none if *above* is given and the largest value is no larger.

    Node by node, every choice is kept that still leads to the optimum; the search for
    it is repeated for what the choice leaves.  There may be very many.
    """
    best = BranchAndBound().solve(problem, Limits(above=above)).value
    if above and best <= above:
        return
    yield from _completions(problem, (), best)


def _completions(
    problem: AlignmentProblem, chosen: Alignment, needed: int
) -> Iterator[Alignment]:
    """All ways to extend *chosen* to the other left nodes with a gain of *needed*."""
    node = len(chosen)
    if node == problem.n_left:
        yield chosen
        return
    for c in [-1, *np.flatnonzero(problem.left == node).tolist()]:
        rest, gained = _after(problem, node, c)
        if _is_worth(rest, needed - gained):
            j = -1 if c < 0 else int(problem.right[c])
            yield from _completions(rest, (*chosen, j), needed - gained)


def _after(
    problem: AlignmentProblem, node: int, c: int
) -> tuple[AlignmentProblem, int]:
    """The problem left once a node has candidate *c* (-1: none), and the gain."""
    unary = problem.unary.copy()
    keep = problem.left != node
    gained = 0
    if c >= 0:
        keep &= problem.right != problem.right[c]
        gained = int(unary[c])
        for own, partner in (
            (problem.first, problem.second),
            (problem.second, problem.first),
        ):
            with_c = own == c
            unary[partner[with_c]] += problem.weight[with_c]
    rest = replace(problem, unary=unary).restricted(keep)
    return rest, gained


def _is_worth(problem: AlignmentProblem, needed: int) -> bool:
    """Whether some alignment is worth *needed*, an upper bound on all values."""
    if needed <= 0:
        return needed == 0
    found = BranchAndBound().search(
        problem, Progress(problem, Limits()), above=needed - 1
    )
    return problem.value(found.alignment) == needed
