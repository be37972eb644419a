"""Two graphs as numbers, and the search for their largest connected common subgraph.

Where equality of nodes and of edges is what labels could say (whatever equals a third
is equal), both fall into classes.  By these ``_growing`` searches the connected common
subgraph with the most edges.
"""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.edit.costs import classes
from exactmatch.edit.problem import Bundles, Sides
from exactmatch.solvers.problem import Alignment
from exactmatch.solvers.solution import Solution

_growing: Any = kernels.load("exactmatch.edit._growing")

_GROWING_WORK = 100_000
"""The clock is read after a step for each edge has been made so many times in all."""


class Side(NamedTuple):
    """A graph: the class of every node and edge, and the edges."""

    labels: list[int]
    classes: list[int]
    bundles: Bundles

    def twins(self) -> list[int]:
        """Number the nodes so that those with equal edges to all others are alike."""
        beside: list[list[tuple[int, int, int]]] = [[] for _ in self.labels]
        for number, (u, v) in zip(self.classes, self.bundles.ends, strict=True):
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


def classified(sides: Sides) -> list[Side]:
    """Number what may become each other; nothing if equality is not an equivalence."""
    nodes, edges = (
        classes(np.isfinite(table.substitution))
        for table in (sides.node_costs, sides.edge_costs)
    )
    if nodes is None or edges is None:
        return []
    return [Side(*parts) for parts in zip(nodes, edges, sides.edges, strict=True)]


def _run(search: Any, steps: int, started: float, seconds: float | None) -> None:
    """Search until it is over, or the time is; that is looked at after some steps."""
    ends = math.inf if seconds is None else started + seconds
    while not search.run(steps) and time.perf_counter() < ends:
        pass


def largest_connected(
    sides: Sides,
    seconds: float | None,
    start: tuple[Alignment, int],
    unconnected: Solution,
) -> Solution | None:
    """Search for the connected common subgraph with the most edges.

    It begins with a connected one, of so many edges, and the largest that need not be
    connected; ``None`` if equality is not an equivalence.
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
    edges = sum(len(graph.classes) for graph in graphs)
    _run(search, 1 + _GROWING_WORK // (1 + edges), started, seconds)
    pairs = search.mapping()
    if len(pairs):
        right_of = np.full(len(sides.nodes[0]), -1)
        left, right = pairs.T[::-1] if is_turned else pairs.T
        right_of[left] = right
        alignment = tuple(right_of.tolist())
    bound = search.bound()
    proof = unconnected.proof if bound == unconnected.bound else "partition"
    took = unconnected.seconds + time.perf_counter() - started
    return Solution(alignment, search.best, bound, "partition", proof, took)


def search_of(kernel: Any, one: Side, other: Side) -> Any:
    """Number everything from 0, nodes of the second graph after those of the first."""
    first = len(one.labels)
    most = 1 + max((*one.classes, *other.classes), default=0)
    tails, heads, numbers = [], [], []
    for side, offset in ((one, 0), (other, first)):
        for number, (u, v) in zip(side.classes, side.bundles.ends, strict=True):
            tails.append(u + offset)
            heads.append(v + offset)
            numbers.append(number + most * (u == v))
    labels, twins = [*one.labels, *other.labels], [*one.twins(), *other.twins()]
    edges = tails, heads, numbers, one.bundles.directed
    return kernel.Search(first, len(other.labels), labels, twins, *edges)
