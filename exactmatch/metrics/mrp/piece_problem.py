"""The mapping of two MRP graphs' nodes as an alignment problem with preferences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import CertificationError
from exactmatch.engine.coding import CodedGraph, encode
from exactmatch.engine.problem import MAX_TERMS, StatedProblem
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.mrp.pieces import Piece, Pieces, equal_pieces, pieces_of
from exactmatch.solvers.problem import Alignment
from exactmatch.solvers.solution import Solution

MAX_PREFERRED = 20_000
"""Graphs with more pieces are mapped without preferences: their weights would be too
large to be exact."""

_OF_NODES: tuple[Piece, ...] = ("tops", "labels", "properties")


@dataclass(frozen=True, slots=True)
class CodedPieces:
    """An MRP graph, ready to be compared with others.

    Attributes:
        pieces: its pieces.
        coded: the same as coded triples; ``total`` is how many there are.
        edges: of the triples, the edges and their attributes alone.
    """

    pieces: Pieces
    coded: CodedGraph
    edges: CodedGraph


def coded_pieces(graph: Graph, profile: Profile) -> CodedPieces:
    """Code a graph whose triples are those that the profile counts."""
    edges = replace(graph, instances=(), attributes=())
    return CodedPieces(pieces_of(graph), encode(graph, profile), encode(edges, profile))


@dataclass(eq=False, kw_only=True)
class MrpProblem(StatedProblem):
    """The mapping of two graphs' nodes as a problem, and what it was made of.

    Attributes:
        left_side, right_side: what is compared.
        preference: T, the weight of what is preferred among equal mappings; 1 if
            nothing is.
    """

    left_side: CodedPieces
    right_side: CodedPieces
    preference: int

    @property
    def ends(self) -> tuple[CodedGraph, CodedGraph]:
        return self.left_side.edges, self.right_side.edges

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

    def bound_of(self, solution: Solution, matched: float) -> float:
        if solution.is_optimal:
            return matched
        return self.at_most(solution.bound)

    def at_most(self, units: int) -> float:
        return float(units // self.preference**2)

    def equal(self, alignment: Alignment) -> dict[Piece, int]:
        """How many pieces of each kind are equal under a mapping."""
        return equal_pieces(self.left_side.pieces, self.right_side.pieces, alignment)


def weight_of(piece: Piece, preference: int) -> int:
    """The weight of an equal piece: more where it is preferred."""
    if preference == 1:
        return 1
    if piece in _OF_NODES:
        return preference**2 + preference
    return preference**2 + (piece != "anchors")


def state(
    left: CodedPieces, right: CodedPieces, profile: Profile, max_terms: int | None
) -> MrpProblem:
    """State the mapping of two graphs' nodes as a problem."""
    smaller = min(left.pieces.total, right.pieces.total)
    preference = smaller + 1 if smaller < MAX_PREFERRED else 1
    n, m = left.pieces.n_nodes, right.pieces.n_nodes
    most = MAX_TERMS if max_terms is None else max_terms
    weights = np.zeros((n, m) if n * m <= most else (0, 0), dtype=np.int64)
    if weights.size:
        for piece, ours in left.pieces.of_nodes.items():
            theirs = right.pieces.of_nodes.get(piece, frozenset())
            _add(weights, ours, theirs, weight_of(piece, preference))
    return MrpProblem(
        left.coded,
        right.coded,
        profile,
        weight_of("edges", preference),
        weights.reshape(-1),
        max_terms,
        left_side=left,
        right_side=right,
        preference=preference,
    )


def _add(
    weights: npt.NDArray[np.int64],
    ours: Iterable[tuple[int, Hashable]],
    theirs: Iterable[tuple[int, Hashable]],
    weight: int,
) -> None:
    holders: defaultdict[Hashable, list[int]] = defaultdict(list)
    for node, what in theirs:
        holders[what].append(node)
    for node, what in ours:
        weights[node, holders.get(what, [])] += weight
