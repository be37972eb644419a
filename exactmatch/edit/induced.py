"""Two graphs as numbers, and their largest common induced subgraph.

Where equality of nodes and of edges is what labels could say (whatever equals a third
is equal), pairs of nodes fall into classes, and the kernel ``_partition`` searches.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.edit.costs import classes
from exactmatch.edit.problem import Sides
from exactmatch.solvers.problem import IntArray
from exactmatch.solvers.solution import Solution

_partition: Any = kernels.load("exactmatch.edit._partition")

LARGEST = 512
"""Graphs with more nodes are not searched."""

WORK = 50_000
"""The clock is read after so many steps, fewer for large graphs: some 5 ms."""


def largest(
    sides: Sides, seconds: float | None, *, connected: bool = False, above: int = 0
) -> Solution | None:
    """Search for the largest common induced subgraph.

    Args:
        sides: both graphs, and what may be substituted in them.
        seconds: wall-clock limit; ``None``: none.
        connected: whether it must hang together.
        above: how many nodes are too few to be of use.

    Returns:
        The alignment, which is empty if it has no more than *above* nodes; ``None`` if
        equality is no equivalence, or the graphs are too large.
    """
    started = time.perf_counter()
    labels = [] if max(map(len, sides.nodes)) > LARGEST else _numbers(sides)
    if not labels:
        return None
    first, second = map(len, sides.nodes)
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
    search = _partition.Search(
        first,
        second,
        *map(np.concatenate, zip(*ordered, strict=True)),
        max(int(kinds.max(initial=0)) for _, kinds in labels),
        connected,
    )
    search.best = above
    work = 1 + WORK // (1 + max(first, second) // 64)
    is_over = search.run(work)
    while not is_over and (seconds is None or time.perf_counter() - started < seconds):
        is_over = search.run(work)
    pairs = search.mapping() if search.best > above else np.zeros((0, 2), dtype=np.intc)
    alignment = np.full(first, -1)
    alignment[orders[0][pairs[:, 0]]] = orders[1][pairs[:, 1]]
    took = time.perf_counter() - started
    found = tuple(alignment.tolist())
    return Solution(found, len(pairs), search.bound(), "partition", "partition", took)


def _numbers(sides: Sides) -> list[tuple[IntArray, IntArray]]:
    """Number the labels of all nodes with their loops, and how any two are joined.

    Returns:
        Both for each graph; nothing if equality is no equivalence.
    """
    nodes, edges = (
        classes(np.isfinite(table.substitution))
        for table in (sides.node_costs, sides.edge_costs)
    )
    if nodes is None or edges is None:
        return []
    labels: dict[Any, int] = {}
    found, joined = [], []
    for side in (0, 1):
        own, bundles = edges[side], sides.edges[side]
        loops = bundles.loops()
        keys = (
            (label, *sorted(own[e] for e in loops.get(i, ())))
            for i, label in enumerate(nodes[side])
        )
        numbers = [labels.setdefault(key, len(labels)) for key in keys]
        found.append(np.array(numbers, dtype=np.intc))
        joined.append(
            {
                (i, k): tuple(
                    tuple(sorted(own[e] for e in bundles.of(*way)))
                    for way in ((i, k), (k, i))
                )
                for pair in bundles.between
                for i, k in (pair, pair[::-1])
                if i != k
            }
        )
    shared = set(joined[0].values()) & set(joined[1].values())
    kinds = {key: number for number, key in enumerate(sorted(shared), 1)}
    answer = []
    for side in (0, 1):
        table = np.zeros((len(nodes[side]),) * 2, dtype=np.intc)
        for (i, k), key in joined[side].items():
            table[i, k] = kinds.get(key, len(kinds) + 1 + side)
        answer.append((found[side], table))
    return answer
