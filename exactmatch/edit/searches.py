"""Two graphs as numbers, and the kernels that search their largest common subgraphs.

Where equality of nodes and of edges is what labels could say (whatever equals a third
is equal), both fall into classes.  By these ``_growing`` searches the connected common
subgraph with the most edges, and ``_partition`` the induced one with the most nodes.
"""

from __future__ import annotations

import math
import time
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.edit.costs import classes
from exactmatch.edit.problem import Bundles, Sides
from exactmatch.solvers.problem import Alignment, IntArray
from exactmatch.solvers.solution import Solution

_growing: Any = kernels.load("exactmatch.edit._growing")
_partition: Any = kernels.load("exactmatch.edit._partition")

LARGEST = 512
"""No induced subgraph is searched in graphs with more nodes."""

_GROWING_WORK = 100_000
"""The clock is read after a step for each edge has been made so many times in all."""

_PARTITION_WORK = 50_000
"""The clock is read after so many steps, fewer for large graphs: some 5 ms."""


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
    """Number what may become each other; nothing if equality is no equivalence."""
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
    connected; ``None`` if equality is no equivalence.
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


def largest_induced(
    sides: Sides, seconds: float | None, *, connected: bool = False, above: int = 0
) -> Solution | None:
    """Search for the common induced subgraph with the most nodes.

    The alignment is empty if it has no more nodes than *above*, which are of no use;
    ``None`` if equality is no equivalence, or the graphs are too large.
    """
    started = time.perf_counter()
    first, second = map(len, sides.nodes)
    graphs = classified(sides) if max(first, second) <= LARGEST else []
    if not graphs:
        return None
    labels = _labels_and_joints(graphs)
    joined = sum(np.count_nonzero(kinds) for _, kinds in labels)
    sign = 1 if 2 * joined > first**2 + second**2 else -1
    orders = [
        np.argsort(sign * np.count_nonzero(kinds, axis=1), kind="stable")
        for _, kinds in labels
    ]
    ordered = [
        (own[order], kinds[np.ix_(order, order)].ravel())
        for (own, kinds), order in zip(labels, orders, strict=True)
    ]
    tables = map(np.concatenate, zip(*ordered, strict=True))
    most = max(int(kinds.max(initial=0)) for _, kinds in labels)
    search = _partition.Search(first, second, *tables, most, connected)
    search.best = above
    steps = 1 + _PARTITION_WORK // (1 + max(first, second) // 64)
    _run(search, steps, started, seconds)
    pairs = search.mapping() if search.best > above else np.zeros((0, 2), dtype=np.intc)
    alignment = np.full(first, -1)
    alignment[orders[0][pairs[:, 0]]] = orders[1][pairs[:, 1]]
    took = time.perf_counter() - started
    found = tuple(alignment.tolist())
    return Solution(found, len(pairs), search.bound(), "partition", "partition", took)


def _labels_and_joints(graphs: list[Side]) -> list[tuple[IntArray, IntArray]]:
    """Number the nodes of each graph with their loops, and how any two are joined."""
    labels: dict[Any, int] = {}
    found, joined = [], []
    for own, kinds, bundles in graphs:
        loops = bundles.loops()
        keys = (
            (label, *sorted(kinds[e] for e in loops.get(i, ())))
            for i, label in enumerate(own)
        )
        numbers = [labels.setdefault(key, len(labels)) for key in keys]
        found.append(np.array(numbers, dtype=np.intc))
        joints = {}
        for i, k in chain(bundles.between, (ends[::-1] for ends in bundles.between)):
            if i != k:
                ways = bundles.of(i, k), bundles.of(k, i)
                joints[i, k] = tuple(tuple(sorted(kinds[e] for e in w)) for w in ways)
        joined.append(joints)
    shared = set(joined[0].values()) & set(joined[1].values())
    known = {key: number for number, key in enumerate(sorted(shared), 1)}
    tables: list[tuple[IntArray, IntArray]] = []
    for side, numbered in enumerate(found):
        table = np.zeros((len(numbered), len(numbered)), dtype=np.intc)
        for pair, key in joined[side].items():
            table[pair] = known.get(key, len(known) + 1 + side)
        tables.append((numbered, table))
    return tables
