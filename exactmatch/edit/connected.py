"""The largest connected common subgraph by edges: two graphs as numbers, and a search.

Where equality of nodes and of edges is what labels could say (whatever equals a third
is equal), edges fall into classes, and the kernel ``_growing`` searches.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.edit.bundles import Bundles
from exactmatch.edit.costs import classes
from exactmatch.edit.problem import EditProblem, Sides
from exactmatch.solvers.problem import Alignment
from exactmatch.solvers.solution import Solution

_growing: Any = kernels.load("exactmatch.edit._growing")

WORK = 100_000
"""The clock is read after a step for each edge has been made so many times in all."""


class Side(NamedTuple):
    """A graph: the class of every node and edge, and the edges."""

    labels: list[int]
    classes: list[int]
    bundles: Bundles

    def ends(self) -> list[tuple[int, int]]:
        """The nodes that each edge joins, in the order of their names."""
        found = {e: way for way, own in self.bundles.between.items() for e in own}
        return [found[e] for e in range(len(found))]

    def twins(self, ends: list[tuple[int, int]]) -> list[int]:
        """Number the nodes so that those with equal edges to all others are alike."""
        beside: list[list[tuple[int, int, int]]] = [[] for _ in self.labels]
        for number, (u, v) in zip(self.classes, ends, strict=True):
            if u == v:
                beside[u].append((-1, number, 0))
            else:
                beside[u].append((v, number, int(self.bundles.directed)))
                beside[v].append((u, number, 0))
        kinds: dict[Any, int] = {}
        return [
            kinds.setdefault((label, *sorted(own)), len(kinds))
            for label, own in zip(self.labels, beside, strict=True)
        ]


def largest_connected(
    sides: Sides | EditProblem,
    seconds: float | None,
    start: tuple[Alignment, int],
    unconnected: Solution,
) -> Solution | None:
    """Search for the connected common subgraph with the most edges.

    Args:
        sides: both graphs, and what may be substituted in them.
        seconds: wall-clock limit; ``None``: none.
        start: a connected one, and how many edges it has.
        unconnected: the largest that need not be connected, and its bound.

    Returns:
        The best alignment found; ``None`` if equality is no equivalence.
    """
    started = time.perf_counter()
    graphs = classified(sides)
    if not graphs:
        return None
    # the nodes of the graph with fewer edges are left out one after another
    is_turned = len(graphs[0].classes) > len(graphs[1].classes)
    search = search_of(_growing, *(graphs[::-1] if is_turned else graphs))
    alignment, search.best = start
    search.upper = unconnected.bound
    work = 1 + WORK // (1 + sum(len(graph.classes) for graph in graphs))
    is_over = search.run(work)
    while not is_over and (seconds is None or time.perf_counter() - started < seconds):
        is_over = search.run(work)
    pairs = search.mapping()
    if len(pairs):
        right_of = np.full(len(sides.nodes[0]), -1)
        left, right = pairs.T[::-1] if is_turned else pairs.T
        right_of[left] = right
        alignment = tuple(right_of.tolist())
    bound = search.bound()
    return Solution(
        alignment,
        search.best,
        bound,
        solver="partition",
        proof=unconnected.proof if bound == unconnected.bound else "partition",
        seconds=unconnected.seconds + time.perf_counter() - started,
    )


def classified(sides: Sides | EditProblem) -> list[Side]:
    """Number what may become each other; nothing if equality is no equivalence."""
    nodes, edges = (
        classes(np.isfinite(table.substitution))
        for table in (sides.node_costs, sides.edge_costs)
    )
    if nodes is None or edges is None:
        return []
    return [Side(*parts) for parts in zip(nodes, edges, sides.edges, strict=True)]


def search_of(kernel: Any, one: Side, other: Side) -> Any:
    """Number everything from 0, nodes of the second graph after those of the first."""
    first = len(one.labels)
    most = 1 + max((*one.classes, *other.classes), default=0)
    tails, heads, numbers, twins = [], [], [], []
    for side, offset in ((one, 0), (other, first)):
        ends = side.ends()
        tails += [u + offset for u, _ in ends]
        heads += [v + offset for _, v in ends]
        numbers += [
            number + most * (u == v)
            for number, (u, v) in zip(side.classes, ends, strict=True)
        ]
        twins += side.twins(ends)
    return kernel.Search(
        first,
        len(other.labels),
        [*one.labels, *other.labels],
        twins,
        tails,
        heads,
        numbers,
        one.bundles.directed,
    )
