"""MRP: precision, recall and F1 of two graphs' pieces under one optimal mapping.

The *maximum common edge subgraph* of two graphs is what they share under the one-to-one
mapping of nodes that makes most of their *pieces* equal (``docs/metrics/mrp.md``).

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
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from exactmatch.base.errors import CertificationError
from exactmatch.base.limits import MAX_TERMS
from exactmatch.engine.problem import CodedGraph, GraphProblem, encode
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.standardise import (
    MRP_ANCHOR_ROLE,
    MRP_EDGE_FACT,
    MRP_TOP_ROLE,
)
from exactmatch.metrics.aligning import KindsMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.score import Part

if TYPE_CHECKING:
    from exactmatch.solvers.problem import Alignment

PIECES = ("tops", "labels", "properties", "anchors", "edges", "attributes")
_OF_NODES, _OF_EDGES = PIECES[:4], PIECES[4:]
_PREFERRED = ("tops", "labels", "properties")

_OF_ROLES = {MRP_TOP_ROLE: "tops", MRP_ANCHOR_ROLE: "anchors"}

MAX_PREFERRED = 20_000
"""Graphs with more pieces are mapped without preferences: their weights would be too
large to be exact."""

Pieces: TypeAlias = dict[str, frozenset[Any]]
"""The pieces of each kind: ``(node, what)``, or ``(source, target, what)`` of edges and
of their attributes, nodes by number."""


def pieces_of(graph: Graph) -> Pieces:
    """Take apart a graph whose triples are those that profile ``mrp`` counts."""
    folded = [label.lower() for label in graph.labels]
    pieces: dict[str, set[Any]] = {kind: set() for kind in PIECES}
    for node, concept in graph.instances:
        pieces["labels"].add((node, folded[concept]))
    for node, role, value in graph.attributes:
        kind = _OF_ROLES.get(graph.labels[role], "properties")
        content: Hashable = None
        if kind == "anchors":
            content = frozenset(map(int, folded[value].split()))
        elif kind == "properties":
            content = (folded[role], folded[value])
        pieces[kind].add((node, content))
    for source, code, target in graph.relations:
        label, mark, fact = folded[code].partition(MRP_EDGE_FACT)
        if mark:
            name, _, worth = fact.partition("=")
            pieces["attributes"].add((source, target, (label, name, worth)))
        else:
            pieces["edges"].add((source, target, label))
    return {kind: frozenset(pieces) for kind, pieces in pieces.items()}


class CodedPieces(NamedTuple):
    """An MRP graph, prepared for the comparison."""

    pieces: Pieces
    coded: CodedGraph  # the same as coded triples
    edges: CodedGraph  # of these, the edges and their attributes alone


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
    def preparation_key(self) -> Hashable:
        return (Mrp, self.profile)

    def prepare(self, item: Graph) -> CodedPieces:
        graph = self.standardise(item)
        edges = replace(graph, instances=(), attributes=())
        coded = (encode(each, self.profile) for each in (graph, edges))
        return CodedPieces(pieces_of(graph), *coded)

    def build_problem(self, left: CodedPieces, right: CodedPieces) -> MrpProblem:
        import numpy as np

        smaller = min(sum(map(len, side.pieces.values())) for side in (left, right))
        preference = smaller + 1 if smaller < MAX_PREFERRED else 1
        n, m = left.coded.n_variables, right.coded.n_variables
        max_terms = MAX_TERMS if self.max_terms is None else self.max_terms
        weights = np.zeros((n, m) if n * m <= max_terms else (0, 0), dtype=np.int64)
        for kind in _OF_NODES if weights.size else ():
            holders: defaultdict[Hashable, list[int]] = defaultdict(list)
            for node, value in right.pieces[kind]:
                holders[value].append(node)
            for node, value in left.pieces[kind]:
                weights[node, holders[value]] += weight_of(kind, preference)
        scale, graded = weight_of("edges", preference), weights.reshape(-1)
        weighed = (left.coded, right.coded, self.profile, scale, graded, self.max_terms)
        return MrpProblem(*weighed, both=(left, right), preference=preference)

    def counts_of_kinds(
        self, problem: MrpProblem, alignment: Alignment
    ) -> Sequence[Mapping[Any, int]]:
        left_counts, right_counts = (
            {kind: len(pieces) for kind, pieces in side.pieces.items()}
            for side in problem.both
        )
        return problem.equal(alignment), left_counts, right_counts

    def parts(self, sums: Statistics) -> dict[str, Part]:
        return super().parts(sums) | {"all": Part(*sums[:1], *sums[2:4])}

    def counting_signature(self) -> list[tuple[str, str]]:
        return [*super().counting_signature(), ("ties", "labels,edges,anchors")]


@dataclass(eq=False, kw_only=True)
class MrpProblem(GraphProblem):
    """The mapping of two graphs' nodes as a problem with preferences."""

    both: tuple[CodedPieces, CodedPieces]
    preference: int  # T, the weight of preferred pieces; 1 if none is preferred

    @property
    def ends(self) -> tuple[CodedGraph, CodedGraph]:
        left, right = self.both
        return left.edges, right.edges

    def worth(self, alignment: Alignment, equal: int) -> int:
        del equal
        counts = self.equal(alignment)
        return sum(n * weight_of(kind, self.preference) for kind, n in counts.items())

    def matched(self, alignment: Alignment, equal: int) -> float:
        counts = self.equal(alignment)
        if counts["edges"] + counts["attributes"] != equal:
            raise CertificationError(
                f"a mapping matches other edges than the {equal} of its value; "
                "please report the two graphs"
            )
        return float(sum(counts.values()))

    def at_most(self, units: int) -> float:
        return float(units // self.preference**2)

    def equal(self, alignment: Alignment) -> dict[str, int]:
        """Count the pieces of each kind that are equal under a mapping."""
        left_pieces, right_pieces = (side.pieces for side in self.both)
        image, counts = alignment, {}
        for kind in _OF_NODES:
            right_of_kind = right_pieces[kind]
            counts[kind] = sum(
                (image[v], value) in right_of_kind for v, value in left_pieces[kind]
            )
        for kind in _OF_EDGES:
            renamed = ((image[s], image[t], value) for s, t, value in left_pieces[kind])
            counts[kind] = sum(map(right_pieces[kind].__contains__, renamed))
        return counts


def weight_of(kind: str, preference: int) -> int:
    """Return the weight of an equal piece: more where it is preferred."""
    if preference == 1:
        return 1
    if kind in _PREFERRED:
        return preference**2 + preference
    return preference**2 + (kind != "anchors")
