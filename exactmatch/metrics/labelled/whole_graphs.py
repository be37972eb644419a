"""Large graphs, one of which contains the other: map the whole smaller graph.

No mapping is worth more than the smaller graph.  If mapping nodes with similar
neighbours to one another reaches that, no other pair of nodes has to be considered: two
graphs of 10,000 edges with 20 labels have five million pairs of equal edges.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from exactmatch.base.deadline import check
from exactmatch.metrics.labelled.edge_pairs import EdgeTerms
from exactmatch.metrics.labelled.label_similarity import similarity_of
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.metrics.labelled.matched_items import matched_attributes, matched_edges
from exactmatch.metrics.labelled.rules import Floats, Rules
from exactmatch.solvers.nearly_equal import Skeleton, paired

SMALL = 1_000_000
"""Largest number of pairs of edges for which the whole problem is built at once."""

ROUNDS = 2
"""Rounds of parting wrong pairs: whether a graph contains the other shows early."""


def whole_mapping(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, limit: float
) -> tuple[Floats, Floats, EdgeTerms] | None:
    """Weigh the mapping of all of one large graph, if one is found.

    Args:
        limit: upper bound of any mapping; a mapping that reaches it is the result.

    Returns:
        The worths of each two nodes, and of each two pairs of nodes, as in the problem
        of all pairs, but 0 outside of the mapping.
    """
    if len(left.edges) * len(right.edges) <= SMALL or rules.parts is not None:
        return None
    if rules.table is not None or rules.edge_table is not None:
        return None
    if {left.is_directed, right.is_directed} != {True} or rules.count == "nodes":
        return None
    left_skeleton, right_skeleton = _skeletons(left, right)
    edges = [Counter((i, k, x) for i, k, x in g.edges) for g in (left, right)]
    fewest = min(len(left.edges), len(right.edges))

    def cost(image: Sequence[int]) -> int:
        check()
        kept = ((image[i], image[k], x) for i, k, x in edges[0])
        return fewest - sum(edge in edges[1] for edge in kept)

    allowed = np.ones((len(left.labels), len(right.labels)), dtype=np.bool_)
    image = paired(left_skeleton, right_skeleton, cost, allowed, ROUNDS)
    if cost(image) > 0:
        return None
    return _weighed(left, right, rules, limit, image)


def _weighed(
    left: LabelledGraph,
    right: LabelledGraph,
    rules: Rules,
    limit: float,
    image: Sequence[int],
) -> tuple[Floats, Floats, EdgeTerms] | None:
    n, m = len(left.labels), len(right.labels)
    pairs = {i: j for i, j in enumerate(image) if j >= 0}
    layer = rules.nodes, rules.node_cutoff
    similar_pairs = {
        i: similarity_of(left.labels[i], right.labels[j], *layer)
        for i, j in pairs.items()
    }
    node, edge = rules.weights
    nodes, parts = np.zeros((n, m)), np.zeros((3, n, m))
    for i, j in pairs.items():
        nodes[i, j] = similar_pairs[i]
        if rules.count == "nodes-and-edges":
            left_attributes, right_attributes = left.attributes[i], right.attributes[j]
            parts[1, i, j] = node * matched_attributes(
                left_attributes, right_attributes, rules
            )
    if rules.count != "edges":
        parts[0] = node * nodes
    terms: list[tuple[int, int, float]] = []
    for (i, k), worth in matched_edges(
        left, right, rules, pairs, similar_pairs
    ).items():
        if i == k:
            parts[2, i, pairs[i]] = edge * worth
        elif worth:
            terms.append((i * m + pairs[i], k * m + pairs[k], edge * worth))
    terms.sort()
    worths = [worth for *_, worth in terms]
    if math.fsum([*parts[parts > 0].tolist(), *worths]) < limit:
        return None
    cells = np.array([cells for *cells, _ in terms], dtype=np.int64).reshape(-1, 2)
    return nodes, parts, EdgeTerms(cells[:, 0], cells[:, 1], np.array(worths))


def _skeletons(left: LabelledGraph, right: LabelledGraph) -> list[Skeleton]:
    """Number nodes by labels and attributes, and bundles of edges by their labels."""
    numbers: dict[Any, int] = {}

    def number(key: Any) -> int:
        return numbers.setdefault(key, len(numbers))

    skeletons = []
    for graph in (left, right):
        bundles: dict[tuple[int, int], list[tuple[bool, Any]]] = {}
        for i, k, label in graph.edges:
            bundles.setdefault((i, k), []).append((True, number(("edge", label))))
            if i != k:
                bundles.setdefault((k, i), []).append((False, number(("edge", label))))
        neighbours: list[dict[int, int]] = [{} for _ in graph.labels]
        loops: dict[int, Any] = {}
        for (i, k), bundle in bundles.items():
            kind = number(tuple(sorted(bundle)))
            if i == k:
                loops[i] = kind
            else:
                neighbours[i][k] = kind
        classes = [
            number((label, tuple(sorted(graph.attributes[i])), loops.get(i)))
            for i, label in enumerate(graph.labels)
        ]
        skeletons.append(Skeleton(classes, neighbours))
    return skeletons
