"""Distances of two small graphs where every edit costs 1, without a stated proof.

The search of :mod:`exactmatch.edit.matrix` is asked before a solver where nobody wants
a certificate: it decides most pairs of a dozen nodes, and dense ones of many more, in
a fraction of the time.  Its answer is an alignment like a solver's, of which the edit
path is made and its cost added up as ever.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from exactmatch.base import compiled as kernels
from exactmatch.edit.bundles import Bundles
from exactmatch.edit.costs import CostTable, classes
from exactmatch.edit.packed import MOST_KINDS, Plain, pack_plain
from exactmatch.edit.problem import EditProblem
from exactmatch.solvers.solution import Limits, Solution

if TYPE_CHECKING:
    from exactmatch.solvers.base import Solver

_uniform: Any = kernels.load("exactmatch.edit._uniform")

LARGEST = 64
"""Graphs with more nodes are the solver's at once."""

WORK = 500_000
"""The first turn takes so many steps, each of a node squared: some 10 ms."""

SPARSE = 2.5
"""Where nodes have fewer neighbours in the mean, the solver goes on alone."""

FIRST_SECONDS = 0.1
"""So long is the solver's first turn; those of the search are three times as long."""


def solved(
    stated: EditProblem, solver: Solver, limits: Limits, most: float | None = None
) -> Solution:
    """Solve an edit problem: a first search, then the solver.

    Where the graphs are dense, their turns grow in length until one of them is done.

    Args:
        stated: the problem.
        solver: what solves what the search does not.
        limits: the time, and what value is of use.
        most: the largest cost of interest; ``None``: any.
    """
    started = time.perf_counter()
    ends = math.inf if limits.seconds is None else started + limits.seconds
    limit = -1 if most is None or most >= stated.replacing_all else max(int(most), 0)
    kernel = _Kernel.of(stated, limit)
    if kernel is None:
        return solver.solve(stated.problem, limits)
    nodes, edges = sum(map(len, stated.nodes)), sum(len(e.names) for e in stated.edges)
    seconds = math.inf if 2 * edges < SPARSE * nodes else FIRST_SECONDS
    found = kernel.searched(WORK // kernel.room**2)
    if found is None and seconds < math.inf:
        left = ends - time.perf_counter()
        found = kernel.searched_for(min(3 * seconds, left), None)
    best = None
    while found is None:
        turn = max(min(seconds, ends - time.perf_counter()), 0.0)
        is_last = turn < seconds or seconds == math.inf
        turns = replace(limits, seconds=None if turn == math.inf else turn)
        answer = solver.solve(stated.problem, turns)
        best = answer if best is None else _both(best, answer)
        if is_last or best.bound <= max(best.value, limits.above):
            found = best
            break
        seconds *= math.sqrt(10)
        left = ends - time.perf_counter()
        found = kernel.searched_for(min(3 * seconds, left), best)
    return replace(found, seconds=time.perf_counter() - started)


def _both(one: Solution, other: Solution) -> Solution:
    """The better alignment and the better bound of two answers."""
    better = max(one, other, key=attrgetter("value"))
    sharper = min(one, other, key=attrgetter("bound"))
    return replace(better, bound=sharper.bound, proof=sharper.proof)


@dataclass
class _Kernel:
    """The search of one pair.

    Attributes:
        stated: the edit problem.
        search: the kernel's, which has begun.
        room: the number of nodes of the larger graph.
        limit: the largest cost of interest; less than 0: any.
        is_over: whether it was over when it began.
        seconds: how long its steps have taken.
    """

    stated: EditProblem
    search: Any
    room: int
    limit: int
    is_over: bool
    seconds: float = 0.0

    @classmethod
    def of(cls, stated: EditProblem, limit: int) -> _Kernel | None:
        """Begin the search of a problem; ``None`` if it is another kind."""
        if max(map(len, stated.nodes)) > LARGEST or stated.root is not None:
            return None
        nodes = _labels(stated.node_costs)
        edges = _labels(stated.edge_costs) if nodes is not None else None
        if nodes is None or edges is None or stated.problem.scale != 1:
            return None
        if any(len(e) > 1 for side in stated.edges for e in side.between.values()):
            return None
        if len({*edges[0], *edges[1]}) > MOST_KINDS:
            return None
        sides = [_plain(nodes[k], edges[k], stated.edges[k]) for k in (0, 1)]
        packed = pack_plain(sides)
        room = max(int(packed.sizes.max(initial=1)), 1)
        search = _uniform.Search(*packed.arrays(), room)
        return cls(stated, search, room, limit, search.begin(0, 1, limit))

    def searched_for(self, seconds: float, known: Solution | None) -> Solution | None:
        """Search on for some time, as :meth:`searched` does."""
        return self.searched(
            int(seconds * (1 + self.search.tried) / self.seconds), known
        )

    def searched(self, steps: int, known: Solution | None = None) -> Solution | None:
        """Search on for some steps; ``None`` if that is not enough.

        Where no path costs so little as is of interest, the alignment is empty, or that
        of the solution that is known.
        """
        stated, search = self.stated, self.search
        if known is not None:
            search.best = min(search.best, stated.replacing_all - known.value)
        started = time.perf_counter()
        is_open = not self.is_over and search.go_on(max(steps, 0)) < 0
        self.seconds += time.perf_counter() - started
        if is_open:
            return None
        alignment = [-1] * len(stated.nodes[0])
        value, bound = 0, stated.replacing_all - search.best
        is_far = 0 <= self.limit < search.best
        if known is not None and (is_far or bound <= known.value):
            return replace(known, bound=bound, proof="branch")
        if not is_far:
            images = search.mapping().tolist()
            images = _alignment(images, *map(len, stated.nodes))
            alignment = _kept(stated, images)
            value = stated.problem.value(tuple(alignment))
            if value != bound:  # the path would cost something else
                return None
        return Solution(tuple(alignment), value, bound, "auto", "branch", self.seconds)


def _labels(costs: CostTable) -> tuple[list[int], list[int]] | None:
    """Number what is equal on both sides alike; ``None`` if edits do not cost 1."""
    if not (costs.deletion == 1).all() or not (costs.insertion == 1).all():
        return None
    table = costs.substitution
    if not ((table == 0) | (table == 1)).all():
        return None
    return classes(table == 0)


def _plain(nodes: list[int], edges: list[int], joined: Bundles) -> Plain:
    return Plain(
        nodes,
        [(i, k, edges[e]) for (i, k), (e,) in joined.between.items()],
        joined.directed,
    )


def _alignment(images: list[int], left: int, right: int) -> list[int]:
    """The right node of each left one; the search maps the smaller graph."""
    if left <= right:
        return images
    alignment = [-1] * left
    for j, i in enumerate(images):
        alignment[i] = j
    return alignment


def _kept(stated: EditProblem, alignment: list[int]) -> list[int]:
    """Leave out pairs of nodes that are no candidates, as they save nothing."""
    problem = stated.problem
    known = set(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    return [j if (i, j) in known else -1 for i, j in enumerate(alignment)]
