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
        stated, solver: the problem, and what solves what the search does not.
        limits: the time, and what value is of use.
        most: the largest cost of interest; ``None``: any.
    """
    started = time.perf_counter()
    ends = math.inf if limits.seconds is None else started + limits.seconds
    limit = -1 if most is None or most >= stated.replacing_all else max(int(most), 0)
    kernel = _begun(stated, limit)
    if kernel is None:
        return solver.solve(stated.problem, limits)
    nodes = sum(map(len, stated.sides.nodes))
    edges = sum(len(bundles.names) for bundles in stated.sides.edges)
    seconds = math.inf if 2 * edges < SPARSE * nodes else FIRST_SECONDS
    found = kernel.searched(WORK // kernel.room**2)
    if found is None and seconds < math.inf:
        found = kernel.searched_for(min(3 * seconds, ends - time.perf_counter()))
    best = None
    while found is None:
        turn = max(min(seconds, ends - time.perf_counter()), 0.0)
        is_last = turn < seconds or seconds == math.inf
        turns = replace(limits, seconds=None if turn == math.inf else turn)
        answer = solver.solve(stated.problem, turns)
        if best is not None:  # the better alignment and the better bound of two
            sharper = min(best, answer, key=attrgetter("bound"))
            answer = max(best, answer, key=attrgetter("value"))
            answer = replace(answer, bound=sharper.bound, proof=sharper.proof)
        best = answer
        if is_last or best.bound <= max(best.value, limits.above):
            found = best
            break
        seconds *= math.sqrt(10)
        left = ends - time.perf_counter()
        found = kernel.searched_for(min(3 * seconds, left), best)
    return replace(found, seconds=time.perf_counter() - started)


@dataclass
class _Search:
    """The search of one pair.

    Attributes:
        search: the kernel's, which has begun, and may have been over at once.
        room: the number of nodes of the larger graph.
        limit: the largest cost of interest; less than 0: any.
        seconds: how long its steps have taken.
    """

    stated: EditProblem
    search: Any
    room: int
    limit: int
    is_over: bool
    seconds: float = 0.0

    def searched_for(
        self, seconds: float, known: Solution | None = None
    ) -> Solution | None:
        """Search on for some time, as :meth:`searched` does."""
        steps = int(seconds * (1 + self.search.tried) / self.seconds)
        return self.searched(steps, known)

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
        left, right = map(len, stated.sides.nodes)
        alignment = [-1] * left
        value, bound = 0, stated.replacing_all - search.best
        is_far = 0 <= self.limit < search.best
        if known is not None and (is_far or bound <= known.value):
            return replace(known, bound=bound, proof="branch")
        if not is_far:
            problem = stated.problem
            ends = zip(problem.left.tolist(), problem.right.tolist(), strict=True)
            candidates = set(ends)  # other pairs of nodes save nothing
            for one, image in enumerate(search.mapping().tolist()):
                i, j = (one, image) if left <= right else (image, one)
                if (i, j) in candidates:
                    alignment[i] = j
            value = problem.value(tuple(alignment))
            if value != bound:  # the path would cost something else
                return None
        return Solution(tuple(alignment), value, bound, "auto", "branch", self.seconds)


def _begun(stated: EditProblem, limit: int) -> _Search | None:
    """Begin the search of a problem; ``None`` if it is another kind."""
    sides = stated.sides
    if max(map(len, sides.nodes)) > LARGEST or stated.root is not None:
        return None
    nodes = _labels(sides.node_costs)
    edges = _labels(sides.edge_costs) if nodes is not None else None
    if nodes is None or edges is None or stated.problem.scale != 1:
        return None
    if any(len(e) > 1 for side in sides.edges for e in side.between.values()):
        return None
    if len({*edges[0], *edges[1]}) > MOST_KINDS:
        return None
    plain = []
    for labels, kinds, bundles in zip(nodes, edges, sides.edges, strict=True):
        ends = zip(bundles.ends, kinds, strict=True)
        joined = [(i, k, kind) for (i, k), kind in ends]
        plain.append(Plain(labels, joined, bundles.directed))
    packed = pack_plain(plain)
    room = max(int(packed.sizes.max(initial=1)), 1)
    search = _uniform.Search(*packed, room)
    return _Search(stated, search, room, limit, search.begin(0, 1, limit))


def _labels(costs: CostTable) -> tuple[list[int], list[int]] | None:
    """Number what is equal on both sides alike; ``None`` if edits do not cost 1."""
    if not (costs.deletion == 1).all() or not (costs.insertion == 1).all():
        return None
    table = costs.substitution
    if not ((table == 0) | (table == 1)).all():
        return None
    return classes(table == 0)
