"""How far a parser's graphs differ in shape from the references.

A graph's shape is measured on its simplified form: variables, concepts and
constants are nodes (equal concepts and equal constants are one node), and two
nodes are joined by at most one edge in each direction.  With |V| nodes and |E|
edges the *node degree* is 2|E| / |V| and the *density* |E| / (|V| (|V| - 1)).

Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", table 9, and their ``graph_structure_error.py``; other than there, a
variable and a concept of the same name are two nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass

from exactmatch.graphs.graph import Graph


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a graph, or the mean error in it.

    Attributes:
        degree: mean node degree.
        density: share of all possible edges.
        nodes: |V|.
        edges: |E|.
    """

    degree: float
    density: float
    nodes: float
    edges: float


def shape_of(graph: Graph) -> Shape:
    """Measure the shape of a graph."""
    edges: set[tuple[object, object]] = set()
    nodes: set[object] = set(range(len(graph.variables)))
    edges.update((v, graph.labels[concept]) for v, concept in graph.instances)
    edges.update((v, graph.labels[value]) for v, _, value in graph.attributes)
    edges.update((source, target) for source, _, target in graph.relations)
    nodes.update(target for _, target in edges)
    n, m = len(nodes), len(edges)
    return Shape(2 * m / n if n else 0.0, m / (n * (n - 1)) if n > 1 else 0.0, n, m)


def shape_error(pairs: Iterable[tuple[Shape, Shape]]) -> Shape | None:
    """The mean absolute difference in each measure; ``None`` where there is no pair."""
    differences = [
        [abs(a - b) for a, b in zip(astuple(pred), astuple(gold), strict=True)]
        for pred, gold in pairs
    ]
    columns = zip(*differences, strict=True)
    means = [sum(column) / len(differences) for column in columns]
    return Shape(*means) if means else None
