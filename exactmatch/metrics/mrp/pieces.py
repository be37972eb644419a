"""The pieces of a graph that the MRP scores compare.

======================  ========================================
piece                   one for each
======================  ========================================
tops                    top node
labels                  node with a label
properties              property of a node, with its value
anchors                 node with anchors
edges                   edge, with its label
attributes              attribute of an edge, with its value
======================  ========================================

Each distinct piece counts once; case means nothing.  What is normalised before, edges
that are stated inversely and the ends of anchors, is the profile's business
(:mod:`exactmatch.graphs.standardise`).

Source: Oepen et al. (2019), "MRP 2019", section 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.standardise import (
    MRP_ANCHOR_ROLE,
    MRP_SAID_OF_EDGE,
    MRP_TOP_ROLE,
)

Piece: TypeAlias = Literal[
    "tops", "labels", "properties", "anchors", "edges", "attributes"
]
PIECES: tuple[Piece, ...] = get_args(Piece)

Characters: TypeAlias = frozenset[int]
"""The characters that a node stands for: places of the input, from 0."""

_OF_ROLES: dict[str, Piece] = {MRP_TOP_ROLE: "tops", MRP_ANCHOR_ROLE: "anchors"}


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a graph, nodes by number.

    Attributes:
        n_nodes: how many nodes there are.
        of_nodes: for each kind the pieces of single nodes: ``(node, what)``.
        of_edges: the same of pairs: ``(source, target, what)``.
    """

    n_nodes: int
    of_nodes: dict[Piece, frozenset[tuple[int, Hashable]]]
    of_edges: dict[Piece, frozenset[tuple[int, int, Hashable]]]

    @property
    def total(self) -> int:
        """How many pieces there are."""
        return sum(self.counts().values())

    def counts(self) -> dict[Piece, int]:
        """How many pieces of each kind there are."""
        nodes, edges = self.of_nodes, self.of_edges
        return {
            kind: len(nodes.get(kind, ())) + len(edges.get(kind, ())) for kind in PIECES
        }


def equal_pieces(
    left: Pieces, right: Pieces, mapping: Sequence[int]
) -> dict[Piece, int]:
    """Count the equal pieces of each kind under a mapping of nodes.

    Args:
        left, right: the pieces of two graphs.
        mapping: for each left node the number of its right node, or -1.
    """
    found = dict.fromkeys(PIECES, 0)
    for piece, ours in left.of_nodes.items():
        theirs = right.of_nodes.get(piece, frozenset())
        found[piece] += sum((mapping[node], what) in theirs for node, what in ours)
    for piece, edges in left.of_edges.items():
        others = right.of_edges.get(piece, frozenset())
        renamed = ((mapping[s], mapping[t], what) for s, t, what in edges)
        found[piece] += sum(edge in others for edge in renamed)
    return found


def pieces_of(graph: Graph) -> Pieces:
    """Take apart a graph whose triples are those that profile ``mrp`` counts."""
    folded = [label.lower() for label in graph.labels]
    of_nodes: dict[Piece, set[tuple[int, Hashable]]] = defaultdict(set)
    of_edges: dict[Piece, set[tuple[int, int, Hashable]]] = defaultdict(set)
    for node, concept in graph.instances:
        of_nodes["labels"].add((node, folded[concept]))
    for node, role, value in graph.attributes:
        kind = _OF_ROLES.get(graph.labels[role], "properties")
        content: Hashable = None
        if kind == "anchors":
            content = frozenset(map(int, folded[value].split()))
        elif kind == "properties":
            content = (folded[role], folded[value])
        of_nodes[kind].add((node, content))
    for source, code, target in graph.relations:
        label, mark, fact = folded[code].partition(MRP_SAID_OF_EDGE)
        if mark:
            name, _, worth = fact.partition("=")
            of_edges["attributes"].add((source, target, (label, name, worth)))
        else:
            of_edges["edges"].add((source, target, label))
    return Pieces(
        len(graph.variables),
        {piece: frozenset(found) for piece, found in of_nodes.items()},
        {piece: frozenset(found) for piece, found in of_edges.items()},
    )
