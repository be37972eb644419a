"""Count the matches of a mapping of labelled graphs from the graphs alone.

Labels of mapped nodes and edges are compared one by one, without the tables or the
problem, so that the count can check the problem's value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from exactmatch.metrics.labelled.label_similarity import similarity_of
from exactmatch.metrics.labelled.labelled_graph import Attribute, LabelledGraph
from exactmatch.metrics.labelled.rules import (
    Floats,
    Rules,
    check_directions,
    checked_table,
    grades_of,
)
from exactmatch.solvers.matching import best_matching
from exactmatch.solvers.problem import Alignment


def between(graph: LabelledGraph) -> dict[tuple[int, int], list[int]]:
    """Return the edges between each two nodes, in either direction, by number."""
    numbers: dict[tuple[int, int], list[int]] = {}
    for number, (i, k, _) in enumerate(graph.edges):
        numbers.setdefault((min(i, k), max(i, k)), []).append(number)
    return numbers


def matched_parts(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, alignment: Alignment
) -> tuple[list[float], list[float], list[float]]:
    """Return the worths of the nodes, attributes and edges that a mapping matches.

    Only labels of nodes and edges that are mapped are compared.
    """
    check_directions(left, right)
    image = {i: j for i, j in enumerate(alignment) if j != -1}
    table = None if rules.table is None else checked_table(left, right, rules)

    def similar(i: int) -> float:
        j = image[i]
        if table is not None:
            return float(table[i, j])
        labels = left.labels[i], right.labels[j]
        return similarity_of(*labels, rules.nodes, rules.node_cutoff)

    similarities = {i: similar(i) for i in image}
    node, edge = rules.weights
    nodes: list[float] = []
    attributes: list[float] = []
    if rules.count != "edges":
        nodes = [node * similarities[i] for i in image]
    if rules.count == "nodes-and-edges":
        attributes = [
            node * matched_attributes(left.attributes[i], right.attributes[j], rules)
            for i, j in image.items()
        ]
    if rules.count == "nodes":
        return nodes, attributes, []

    worths = matched_edges(left, right, rules, image, similarities)
    return nodes, attributes, [edge * worth for worth in worths.values()]


def matched_edges(
    left: LabelledGraph,
    right: LabelledGraph,
    rules: Rules,
    image: Mapping[int, int],
    node_similarities: Mapping[int, float],
) -> dict[tuple[int, int], float]:
    """Return the worth of matching edges between each two nodes of the left graph.

    Args:
        image: the right node of each mapped left node.
        node_similarities: the similarity of each mapped node with its image.
    """

    def grade(e: int, f: int) -> float:
        (i, k, label), (*ends, other) = left.edges[e], right.edges[f]
        mapped = [image[i], image[k]]
        turned = left.is_directed is False and mapped[::-1] == ends
        if mapped != ends and not turned:
            return 0.0
        if rules.edge_table is None:
            label_similarity = similarity_of(
                label, other, rules.edges, rules.edge_cutoff
            )
        else:
            label_similarity = float(rules.edge_table[e, f])
            label_similarity = (
                label_similarity if label_similarity >= rules.edge_cutoff else 0.0
            )
        if rules.count != "edges":
            return label_similarity
        label_grade, source, target = np.array(
            [label_similarity, node_similarities[i], node_similarities[k]]
        )
        return float(grades_of(label_grade, source, target, rules))

    worths, right_edges = {}, between(right)
    for (i, k), left_edges in between(left).items():
        if i in image and k in image:
            ends = min(image[i], image[k]), max(image[i], image[k])
            if edges_between := right_edges.get(ends):
                grades = np.array(
                    [[grade(e, f) for f in edges_between] for e in left_edges]
                )
                worths[i, k] = best_worth(grades)
    return worths


def matched_attributes(
    left_attributes: tuple[Attribute, ...],
    right_attributes: tuple[Attribute, ...],
    rules: Rules,
) -> float:
    """Return the number of matching attributes of two nodes, from these alone."""
    worths = []
    for name in dict.fromkeys(name for name, _ in left_attributes):
        left_values, right_values = (
            [value for attribute, value in side if attribute == name]
            for side in (left_attributes, right_attributes)
        )
        if right_values:
            layer = rules.nodes, rules.node_cutoff
            grades = [
                [similarity_of(a, b, *layer) for b in right_values] for a in left_values
            ]
            worths.append(best_worth(np.array(grades)))
    return math.fsum(worths)


def best_worth(grades: Floats) -> float:
    """Return the worth of the best one-to-one matching of rows with columns."""
    if 1 in grades.shape:
        return float(grades.max(initial=0.0))
    return float(grades[best_matching(grades)].sum())
