"""Rules by which labelled graphs match, and the worth of a match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.metrics.labelled.groups import PartRules
from exactmatch.metrics.labelled.label_similarity import (
    Distinct,
    distinct_similarities,
    similarities,
)
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.metrics.labelled.layers import Layer

Count: TypeAlias = Literal["nodes-and-edges", "edges", "nodes"]  # what counts
Triple: TypeAlias = Literal["mean", "product", "min"]  # how three similarities are one
Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of matching items of two graphs, and the worth of a match."""

    nodes: Layer  # similarity of labels of nodes
    edges: Layer
    node_cutoff: float  # similarities below these are 0
    edge_cutoff: float
    count: Count
    triple: Triple
    unlike: bool  # whether nodes with similarity 0 may be mapped to each other
    table: Any = None  # similarities of the nodes, instead of those of their labels
    edge_table: Any = None  # the same of the edges
    share: float = 0.5  # the weight of an edge, as a share of an edge and a node
    parts: PartRules | None = None  # nodes that may together stand for one

    @property
    def weights(self) -> tuple[float, float]:
        """Weight of a node or an attribute, and of an edge; together 2."""
        if self.count != "nodes-and-edges":
            return 1.0, 1.0
        return 2 * (1 - self.share), 2 * self.share

    def remembering(self) -> Rules:
        """Return these rules for one pair of graphs, with remembered similarities."""
        nodes, edges = self.nodes.remembering(), self.edges.remembering()
        return replace(self, nodes=nodes, edges=edges)


def grades_of(label: Floats, source: Floats, target: Floats, rules: Rules) -> Floats:
    """Return the grades of edges from the similarities of labels and ends."""
    grades: Floats = (label + source + target) / 3
    if rules.triple == "product":
        grades = label * source * target
    elif rules.triple == "min":
        grades = np.minimum(label, np.minimum(source, target))
    return np.where((label > 0) & (source > 0) & (target > 0), grades, 0.0)


def node_similarities(
    left: LabelledGraph, right: LabelledGraph, rules: Rules
) -> Floats:
    """Compare all nodes, or take the similarities that came with the graphs."""
    check_directions(left, right)
    if rules.table is not None:
        return checked_table(left, right, rules)
    return similarities(left.labels, right.labels, rules.nodes, rules.node_cutoff)


def check_directions(left: LabelledGraph, right: LabelledGraph) -> None:
    """Refuse a directed graph beside one that is not."""
    if {left.is_directed, right.is_directed} == {True, False}:
        raise InputError(
            "one graph is directed and the other is not; make both the same"
        )


def checked_table(left: LabelledGraph, right: LabelledGraph, rules: Rules) -> Floats:
    """Return the similarities of nodes that the rules hold; below the cutoff is 0."""
    try:
        table = np.array(rules.table, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("similarity is not an array of numbers") from None
    shape = (len(left.labels), len(right.labels))
    if table.shape != shape:
        raise InputError(
            f"similarity has the shape {table.shape}, but there are {shape[0]} and "
            f"{shape[1]} nodes"
        )
    if not ((table >= 0) & (table <= 1)).all():
        raise InputError("similarity has numbers that are not from 0 to 1")
    table[table < rules.node_cutoff] = 0.0
    return table


def edge_similarities(
    left: LabelledGraph, right: LabelledGraph, rules: Rules
) -> Floats:
    """Compare all edges, or take the similarities that are known."""
    table, rows, columns = distinct_edges(left, right, rules)
    all_pairs: Floats = table[np.ix_(rows, columns)]
    return all_pairs


def distinct_edges(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, limit: float = np.inf
) -> Distinct:
    """Compare the distinct labels of edges, or the edges whose similarity is known."""
    if rules.edge_table is not None:
        table = np.where(rules.edge_table < rules.edge_cutoff, 0.0, rules.edge_table)
        return Distinct(table, *(np.arange(size) for size in table.shape))
    left_labels, right_labels = (
        [label for *_, label in side.edges] for side in (left, right)
    )
    return distinct_similarities(
        left_labels, right_labels, rules.edges, rules.edge_cutoff, limit
    )
