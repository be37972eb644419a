"""A graph as the Weisfeiler-Leman kernels see it: labelled nodes, labelled edges.

Every variable is a node with its concept as label, and so is every constant, one for
each attribute.  Repeated triples count once; the root is not marked.  With
``edge_to_node`` every edge becomes a node, too, with the role as its label, and all
edges look alike.

A constant that is spelt like a concept of the same graph is no node of its own in the
published program: its edge leads to the last node with that concept, or is left out
where that is the first node of all.  The same is done here.

Source: Opitz, Daza and Frank (2021), "Weisfeiler-Leman in the Bamboo: Novel AMR Graph
Metrics and a Benchmark for AMR Graph Similarity", section 4; the program published with
it (version 0.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from exactmatch.graphs.graph import INVERSE, Graph
from exactmatch.graphs.profile import NORMALISERS, Profile

EDGE = "edge"
"""The role of every edge where roles have become nodes."""


class LabelledEdge(NamedTuple):
    """An edge between two nodes, which are counted from 0."""

    source: int
    role: str
    target: int


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """Nodes and edges, both with labels.

    Attributes:
        labels: the label of each node.
        edges: the edges, none of them twice.
    """

    labels: tuple[str, ...]
    edges: tuple[LabelledEdge, ...]


def labelled_graph(
    graph: Graph, profile: Profile, edge_to_node: bool = False
) -> LabelledGraph:
    """Make nodes of variables and constants, and of roles if asked for.

    A variable with several concepts has the last one as its label; one without any
    has the empty label.

    Args:
        graph: the graph.
        profile: how labels are normalised.
        edge_to_node: whether roles become nodes.
    """
    normalise = NORMALISERS[profile.comparison]
    words = [normalise(label) for label in graph.labels]
    labels = [""] * len(graph.variables)
    for v, concept in graph.instances:
        labels[v] = words[concept]
    last = {label: node for node, label in enumerate(labels)}
    links: dict[_Link, None] = {}
    for source, code, target in graph.relations:
        links[_Link(source, words[code], target)] = None
    stated = dict.fromkeys((v, words[r], words[k]) for v, r, k in graph.attributes)
    for v, role, value in stated:
        node = last.get(value)
        if node is None:
            node = len(labels)
            labels.append(value)
        end = node or None
        if role.endswith(INVERSE):
            links[_Link(end, role.removesuffix(INVERSE), v)] = None
        else:
            links[_Link(v, role, end)] = None
    edges: list[LabelledEdge] = []
    for link in links:
        if edge_to_node:
            edges += _edge(link.source, EDGE, len(labels))
            edges += _edge(len(labels), EDGE, link.target)
            labels.append(f":{link.role}")
        else:
            edges += _edge(*link)
    return LabelledGraph(tuple(labels), tuple(edges))


class _Link(NamedTuple):
    source: int | None
    role: str
    target: int | None


def _edge(source: int | None, role: str, target: int | None) -> list[LabelledEdge]:
    if source is None or target is None:
        return []
    return [LabelledEdge(source, role, target)]
