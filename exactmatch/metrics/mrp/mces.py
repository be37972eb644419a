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

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.mrp.pieces import PIECES
from exactmatch.metrics.score import Part, Score

if TYPE_CHECKING:  # NumPy stands behind it; a command's help can do without
    from exactmatch.engine.align import Aligned
    from exactmatch.metrics.mrp.stated import CodedPieces, MrpProblem

_COUNTS = 6
"""How many numbers come first in the statistics: those of every aligning metric."""


class Mrp(AligningMetric["CodedPieces"]):
    """The MRP score, its mapping of nodes solved to the proven optimum.

    It compares MRP graphs.  A graph of triples, as AMR has them, is compared as an MRP
    graph: concepts are labels, constants properties, the root the only top.

    Statistics: those of every metric that aligns, then for each kind of piece the equal
    ones, those of the system's graph and those of the gold one.
    """

    name = "mrp"
    title = "MRP"
    summary = "F1 of tops, labels, properties, anchors, edges (Oepen et al. 2019)"
    default_profile = "mrp"
    profiles: ClassVar[tuple[str, ...]] = ("mrp",)
    in_all = False
    needs = "alignment"

    @property
    def preparation(self) -> Hashable:
        return (Mrp, self.profile)

    def prepare(self, item: Graph) -> CodedPieces:
        from exactmatch.metrics.mrp.stated import coded_pieces

        return coded_pieces(self.standardised(item), self.profile)

    def state(self, left: CodedPieces, right: CodedPieces) -> MrpProblem:
        from exactmatch.metrics.mrp.stated import state

        return state(left, right, self.profile, self.max_terms)

    def statistics(self, stated: MrpProblem, found: Aligned) -> Statistics:
        assert found.solution is not None
        equal = stated.equal(found.solution.alignment)
        sides = (stated.left_side.pieces, stated.right_side.pieces)
        return super().statistics(stated, found) + tuple(
            float(count)
            for piece in PIECES
            for count in (equal[piece], *(side.count(piece) for side in sides))
        )

    def scores(self, sums: Statistics) -> Score:
        score = super().scores(sums[:_COUNTS])
        counts = iter(sums[_COUNTS:])
        parts: dict[str, Part] = {
            piece: Part(*numbers)
            for piece, *numbers in zip(PIECES, counts, counts, counts, strict=True)
        }
        parts["all"] = Part(*sums[:1], *sums[2:4])
        return replace(score, parts=parts)

    def identity(self) -> Statistics:
        return (*super().identity(), *(0.0,) * (3 * len(PIECES)))

    def counting_signature(self) -> list[tuple[str, str]]:
        return [*super().counting_signature(), ("ties", "labels,edges,anchors")]
