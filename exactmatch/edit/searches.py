"""Search for the connected common subgraph with the most edges.

If equality of nodes and of edges is an equivalence, both fall into classes, which the
kernel ``_growing`` compares.
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
"""Work between two looks at the clock, in steps times edges."""


class Side(NamedTuple):
    """Graph with the class of every node and edge."""

    labels: list[int]
    classes: list[int]
    bundles: Bundles

    def twins(self) -> list[int]:
        """Number the nodes; those with equal edges to all others have one number."""
        neighbours_of: list[list[tuple[int, int, int]]] = [[] for _ in self.labels]
        for number, (u, v) in zip(self.classes, self.bundles.ends, strict=True):
            if u == v:
                neighbours_of[u].append((-1, number, 0))
            else:
                neighbours_of[u].append((v, number, int(self.bundles.directed)))
                neighbours_of[v].append((u, number, 0))
        kinds: dict[Any, int] = {}
        return [
            kinds.setdefault((label, *sorted(neighbours)), len(kinds))
            for label, neighbours in zip(self.labels, neighbours_of, strict=True)
        ]


def classified(sides: Sides) -> list[Side]:
    """Return the classes of both graphs; none if equality is not an equivalence."""
    nodes, edges = (
        classes(np.isfinite(table.substitution))
        for table in (sides.node_costs, sides.edge_costs)
    )
    if nodes is None or edges is None:
        return []
    return [Side(*parts) for parts in zip(nodes, edges, sides.edges, strict=True)]


def _run(search: Any, steps: int, started: float, seconds: float | None) -> None:
    """Search until it is over or the time is; look at the clock after *steps*."""
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

    Args:
        sides: the two graphs.
        seconds: the time limit.
        start: a connected subgraph, and the number of its edges.
        unconnected: the largest that need not be connected, whose bound holds, too.

    Returns:
        The largest, or ``None`` if equality is not an equivalence.
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


def search_of(kernel: Any, left: Side, right: Side) -> Any:
    """Return the kernel's search, with nodes of both graphs numbered in one row."""
    first = len(left.labels)
    n_classes = 1 + max((*left.classes, *right.classes), default=0)
    tails, heads, numbers = [], [], []
    for side, offset in ((left, 0), (right, first)):
        for number, (u, v) in zip(side.classes, side.bundles.ends, strict=True):
            tails.append(u + offset)
            heads.append(v + offset)
            numbers.append(number + n_classes * (u == v))
    labels, twins = [*left.labels, *right.labels], [*left.twins(), *right.twins()]
    edges = tails, heads, numbers, left.bundles.directed
    return kernel.Search(first, len(right.labels), labels, twins, *edges)
