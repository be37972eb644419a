"""Narrowing of the edit problems of large graphs by a cheap edit path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from exactmatch.edit.costs import classes
from exactmatch.edit.problem import Sides, best_matching
from exactmatch.solvers.nearly_equal import Least, Skeleton, paired, within_cost
from exactmatch.solvers.problem import Alignment, BoolArray, FloatArray, IntArray

SMALL = 64
"""Problems of graphs with no more nodes are not narrowed."""

FAR = 2**40
"""The least cost of no things, in units."""


def narrowed(
    sides: Sides,
    edge_savings: IntArray,
    scale: int,
    replacing_all: int,
    allowed: BoolArray,
) -> Alignment | None:
    """Find an edit path of large graphs, and forbid substitutions of no cheaper one.

    Returns:
        The path as an alignment; ``None`` if the graphs are small, or if costs of 0 are
        not an equivalence.
    """
    if max(allowed.shape) <= SMALL:
        return None
    skeletons = _skeletons(sides)
    if skeletons is None:
        return None
    node_costs, edge_costs = sides.node_costs, sides.edge_costs
    savings = node_costs.savings(scale)

    def cost(right_of: Sequence[int]) -> int:
        value = sum(int(savings[i, j]) for i, j in enumerate(right_of) if j >= 0)
        for (i, k), left_edges in sides.edges[0].between.items():
            if right_of[i] >= 0 and right_of[k] >= 0:
                right_edges = sides.edges[1].of(right_of[i], right_of[k])
                value += best_matching(edge_savings, left_edges, right_edges)[0]
        return replacing_all - value

    start = paired(*skeletons, cost, allowed)
    deletions, insertions = (
        np.rint(x * scale) for x in (node_costs.deletion, node_costs.insertion)
    )
    renaming = np.where(
        allowed, np.add.outer(deletions, insertions) - savings, -1
    ).astype(np.int64)
    scaled_costs = [
        np.rint(costs.values() * scale) for costs in (node_costs, edge_costs)
    ]
    step = int(np.gcd.reduce(np.concatenate(scaled_costs).astype(np.int64)))

    def smallest(*costs: FloatArray) -> int:
        positive_costs = np.concatenate([c[np.isfinite(c) & (c > 0)] for c in costs])
        return (
            round(float(positive_costs.min(initial=np.inf)) * scale)
            if len(positive_costs)
            else FAR
        )

    def least(costs: FloatArray) -> int:
        return round(float(costs.min()) * scale) if len(costs) else FAR

    deleted, inserted = least(edge_costs.deletion), least(edge_costs.insertion)
    changed = min(deleted, inserted, smallest(edge_costs.substitution))
    renamed = min(smallest(node_costs.substitution), changed)
    m, n = allowed.shape
    extra_cost = max(m - n, 0) * least(node_costs.deletion)
    extra_cost += max(n - m, 0) * least(node_costs.insertion)
    limits = Least(deleted, inserted, changed, changed, renamed, extra_cost)
    possible = within_cost(*skeletons, renaming, limits, cost(start) - max(step, 1))
    pairs = [(i, j) for i, j in enumerate(start) if j >= 0]
    possible[tuple(np.array(pairs, dtype=np.intp).reshape(-1, 2).T)] = True
    allowed &= possible
    return tuple(start)


def _skeletons(sides: Sides) -> tuple[Skeleton, Skeleton] | None:
    """Number nodes and bundles of edges so that equal ones have equal numbers."""
    nodes, edges = (
        classes(table.substitution == 0)
        for table in (sides.node_costs, sides.edge_costs)
    )
    if nodes is None or edges is None:
        return None
    numbers: dict[Any, int] = {}
    skeletons = []
    for node_kinds, kinds, bundles in zip(nodes, edges, sides.edges, strict=True):
        loops = bundles.loops()
        labels = [
            numbers.setdefault(
                (label, *sorted(kinds[e] for e in loops.get(i, ()))), len(numbers)
            )
            for i, label in enumerate(node_kinds)
        ]
        neighbours: list[dict[int, int]] = [{} for _ in node_kinds]
        for i, k in bundles.pairs():
            for u, v in ((i, k), (k, i)):
                ways = (bundles.of(u, v), bundles.of(v, u))[: 1 + bundles.directed]
                key = tuple(tuple(sorted(kinds[e] for e in way)) for way in ways)
                neighbours[u][v] = numbers.setdefault(("bundle", key), len(numbers))
        skeletons.append(Skeleton(labels, neighbours))
    return skeletons[0], skeletons[1]
