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

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import KindsMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.mrp.pieces import PIECES
from exactmatch.metrics.score import Part

if TYPE_CHECKING:  # NumPy stands behind it; a command's help can do without
    from exactmatch.metrics.mrp.piece_problem import CodedPieces, MrpProblem
    from exactmatch.solvers.problem import Alignment


class Mrp(KindsMetric["CodedPieces"]):
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
        from exactmatch.metrics.mrp.piece_problem import coded_pieces

        return coded_pieces(self.standardise(item), self.profile)

    def state(self, left: CodedPieces, right: CodedPieces) -> MrpProblem:
        from exactmatch.metrics.mrp.piece_problem import state

        return state(left, right, self.profile, self.max_terms)

    def counts_of_kinds(
        self, stated: MrpProblem, alignment: Alignment
    ) -> Sequence[Mapping[Any, int]]:
        sides = (stated.left_side.pieces, stated.right_side.pieces)
        return stated.equal(alignment), *(side.counts() for side in sides)

    def parts(self, sums: Statistics) -> dict[str, Part]:
        return super().parts(sums) | {"all": Part(*sums[:1], *sums[2:4])}

    def counting_signature(self) -> list[tuple[str, str]]:
        return [*super().counting_signature(), ("ties", "labels,edges,anchors")]
