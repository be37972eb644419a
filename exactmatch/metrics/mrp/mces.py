"""MRP: precision, recall and F1 of two graphs' pieces under one optimal mapping.

The *maximum common edge subgraph* of two graphs is what they share under the one-to-one
mapping of nodes that makes most of their pieces equal: tops, labels, properties,
anchors, edges and attributes (:mod:`exactmatch.metrics.mrp.pieces`).  With *c* equal
pieces, *s* pieces of the system's graph and *g* of the gold one,

    P = c / s,    R = c / g,    F1 = 2PR / (P + R),

for all pieces together, which is the score, and for each kind.  A corpus sums counts.

**Among optimal mappings** the one is taken that makes most tops, labels and properties
equal, and of several such the one with most edges and attributes: anchors come last.
This is part of the problem that the solver proves, so each kind's counts are as
determinate as their sum.  Every equal piece weighs ``T²``, *T* being larger than any
count; besides, tops, labels and properties weigh ``T`` each, edges and attributes 1.

Source: Oepen et al. (2019), "MRP 2019: Cross-Framework Meaning Representation Parsing",
section 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from exactmatch.base.errors import CertificationError
from exactmatch.engine.problem import MAX_TERMS, CodedGraph, StatedProblem, encode
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import KindsMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.mrp.pieces import (
    PIECES,
    Piece,
    Pieces,
    equal_pieces,
    pieces_of,
)
from exactmatch.metrics.score import Part

if TYPE_CHECKING:  # NumPy stands behind it; a command's help can do without
    from exactmatch.solvers.problem import Alignment

MAX_PREFERRED = 20_000
"""Graphs with more pieces are mapped without preferences: their weights would be too
large to be exact."""

_OF_NODES: tuple[Piece, ...] = ("tops", "labels", "properties")


class CodedPieces(NamedTuple):
    """An MRP graph, ready to be compared with others.

    Attributes:
        pieces: its pieces.
        coded: the same as coded triples; ``total`` is how many there are.
        edges: of the triples, the edges and their attributes alone.
    """

    pieces: Pieces
    coded: CodedGraph
    edges: CodedGraph


class Mrp(KindsMetric[CodedPieces]):
    """The MRP score, its mapping of nodes solved to the proven optimum.

    It compares MRP graphs.  A graph of triples, as AMR has them, is compared as an MRP
    graph: concepts are labels, constants properties, the root the only top.
    """

    name = "mrp"
    title = "MRP"
    summary = "F1 of tops, labels, properties, anchors, edges (Oepen et al. 2019)"
    default_profile = "mrp"
    takes_kinds = False
    profiles: ClassVar[tuple[str, ...]] = ("mrp",)
    kinds = PIECES

    @property
    def preparation(self) -> Hashable:
        return (Mrp, self.profile)

    def prepare(self, item: Graph) -> CodedPieces:
        graph = self.standardise(item)
        edges = replace(graph, instances=(), attributes=())
        coded = (encode(each, self.profile) for each in (graph, edges))
        return CodedPieces(pieces_of(graph), *coded)

    def state(self, left: CodedPieces, right: CodedPieces) -> MrpProblem:
        import numpy as np

        smaller = min(left.pieces.total, right.pieces.total)
        preference = smaller + 1 if smaller < MAX_PREFERRED else 1
        n, m = left.pieces.n_nodes, right.pieces.n_nodes
        most = MAX_TERMS if self.max_terms is None else self.max_terms
        weights = np.zeros((n, m) if n * m <= most else (0, 0), dtype=np.int64)
        for piece, ours in left.pieces.of_nodes.items():
            if not weights.size:
                break
            holders: defaultdict[Hashable, list[int]] = defaultdict(list)
            for node, what in right.pieces.of_nodes.get(piece, ()):
                holders[what].append(node)
            for node, what in ours:
                weights[node, holders[what]] += weight_of(piece, preference)
        return MrpProblem(
            left.coded,
            right.coded,
            self.profile,
            weight_of("edges", preference),
            weights.reshape(-1),
            self.max_terms,
            both=(left, right),
            preference=preference,
        )

    def counts_of_kinds(
        self, stated: MrpProblem, alignment: Alignment
    ) -> Sequence[Mapping[Any, int]]:
        sides = (side.pieces.counts() for side in stated.both)
        return stated.equal(alignment), *sides

    def parts(self, sums: Statistics) -> dict[str, Part]:
        return super().parts(sums) | {"all": Part(*sums[:1], *sums[2:4])}

    def counting_signature(self) -> list[tuple[str, str]]:
        return [*super().counting_signature(), ("ties", "labels,edges,anchors")]


@dataclass(eq=False, kw_only=True)
class MrpProblem(StatedProblem):
    """The mapping of two graphs' nodes as a problem with preferences.

    Attributes:
        both: the graphs that are compared.
        preference: T, the weight of what is preferred among equal mappings; 1 if
            nothing is.
    """

    both: tuple[CodedPieces, CodedPieces]
    preference: int

    @property
    def ends(self) -> tuple[CodedGraph, CodedGraph]:
        left, right = self.both
        return left.edges, right.edges

    def worth(self, alignment: Alignment, equal: int) -> int:
        del equal
        found = self.equal(alignment)
        return sum(n * weight_of(piece, self.preference) for piece, n in found.items())

    def matched(self, alignment: Alignment, equal: int) -> float:
        found = self.equal(alignment)
        if found["edges"] + found["attributes"] != equal:
            raise CertificationError(
                f"a mapping said to make {equal} edges equal makes others equal; "
                "please report the two graphs"
            )
        return float(sum(found.values()))

    def at_most(self, units: int) -> float:
        return float(units // self.preference**2)

    def equal(self, alignment: Alignment) -> dict[Piece, int]:
        """How many pieces of each kind are equal under a mapping."""
        left, right = self.both
        return equal_pieces(left.pieces, right.pieces, alignment)


def weight_of(piece: Piece, preference: int) -> int:
    """The weight of an equal piece: more where it is preferred."""
    if preference == 1:
        return 1
    if piece in _OF_NODES:
        return preference**2 + preference
    return preference**2 + (piece != "anchors")
