"""The best mapping of two labelled graphs' nodes as an alignment problem.

A candidate is a pair of nodes, worth their similarity with that of their attributes and
self-loops.  Two candidates together are worth the matches of the edges between them; of
parallel edges, those of the best one-to-one matching.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.base.limits import PLACE_TERMS
from exactmatch.engine.problem import CodedGraph, GraphProblem, encode
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.labelled.attribute_pairs import attribute_similarities
from exactmatch.metrics.labelled.edge_pairs import EdgeTerms, edge_terms
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph, completed
from exactmatch.metrics.labelled.matched_items import matched_parts
from exactmatch.metrics.labelled.rules import Rules, node_similarities
from exactmatch.metrics.labelled.whole_graphs import whole_mapping
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.solution import Solution

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

SCALES = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 20, 30, 60, 100, 1000, 10**4, 10**6)
FINEST = 2**30  # the scale of weights that are multiples of none of SCALES


class Side(NamedTuple):
    """A graph, ready to be compared."""

    labelled: LabelledGraph
    coded: CodedGraph  # the same as triples, to be shown; its total is what counts


def side(graph: LabelledGraph, triples: Graph, profile: Profile, rules: Rules) -> Side:
    """Code a graph and weigh its items."""
    nodes, edges = len(graph.labels), len(graph.edges)
    node, edge = rules.weights
    whole = node * (nodes + graph.n_attributes) + edge * edges
    totals = {"nodes-and-edges": whole, "nodes": nodes, "edges": edges}
    total: Any = totals[rules.count]  # a whole number unless there are weights
    return Side(graph, encode(triples, profile)._replace(total=total))


@dataclass(eq=False, kw_only=True)
class GradedProblem(GraphProblem):
    """The mapping of two labelled graphs as a problem."""

    graphs: tuple[LabelledGraph, LabelledGraph]
    rules: Rules
    # the unary weights of nodes, attributes and edges, a row each
    parts: Integers = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.rules = self.rules.remembering()
        weighed = whole_mapping(*self.graphs, self.rules, self.limit)
        if weighed is None:
            weighed = _weighed(*self.graphs, self.rules, self.most)
        nodes, shares, (first, second, worths) = weighed
        values = _distinct(shares, worths)
        self.scale = next((s for s in SCALES if _fits(values, s)), FINEST)
        parts = np.rint(shares * self.scale).astype(np.int64)
        unary = parts.sum(axis=0)
        worth = np.rint(worths * self.scale).astype(np.int64)
        if not worth.all():
            first, second, worth = first[worth > 0], second[worth > 0], worth[worth > 0]
        chosen = unary.ravel() > 0
        chosen[first] = chosen[second] = True
        if not self.rules.unlike:
            chosen &= nodes.ravel() > 0
            possible = chosen[first] & chosen[second]
            first, second, worth = first[possible], second[possible], worth[possible]
        left, right = np.nonzero(chosen.reshape(unary.shape))
        number = np.cumsum(chosen, dtype=np.int32) - np.int32(1)
        self.parts = parts.reshape(3, -1)[:, chosen]
        self.prebuilt = AlignmentProblem(
            len(self.graphs[0].labels),
            len(self.graphs[1].labels),
            left.astype(np.int32),
            right.astype(np.int32),
            unary.ravel()[chosen],
            number[first],
            number[second],
            worth,
            self.scale,
        )

    @property
    def limit(self) -> float:
        """Upper bound of the matches of any mapping; with parts, half of both sides."""
        totals = self.left.total, self.right.total
        return min(totals) if self.rules.parts is None else math.fsum(totals) / 2

    @property
    def names(self) -> tuple[Sequence[Any], Sequence[Any]]:
        left, right = self.graphs
        return left.names, right.names

    def completed(self, alignment: Alignment) -> Alignment:
        if self.rules.count != "edges":
            return alignment
        return completed(alignment, *self.graphs)

    def check_count(self, alignment: Alignment, value: int) -> float:
        """Add up the matches of a mapping; its value differs only by rounding."""
        parts = matched_parts(*self.graphs, self.rules, alignment)
        worth = math.fsum(chain(*parts))
        terms = self.parts.size + len(self.problem.weight)
        if abs(worth - value / self.scale) > terms / self.scale / 2 + 1e-6:
            raise CertificationError(
                f"a mapping said to be worth {value / self.scale} is worth {worth}; "
                "please report the two graphs"
            )
        return worth


class UnbuiltProblem(GradedProblem):
    """Two labelled graphs whose problem could not be built in time.

    Nothing is aligned; the matches are bounded by the items of the smaller graph.
    """

    def __post_init__(self) -> None:
        self.parts = np.zeros((3, 0), dtype=np.int64)
        n, m = (len(graph.labels) for graph in self.graphs)
        self.prebuilt = AlignmentProblem.from_weights(n, m, {}, {})

    @property
    def interval(self) -> Solution:
        """Empty alignment, with a bound of all alignments."""
        n = len(self.graphs[0].labels)
        bound = math.ceil(self.limit * self.scale)
        return Solution((-1,) * n, 0, bound, "none", "none", 0.0)


def _fits(values: Floats, scale: int) -> bool:
    scaled = values * scale
    return bool(np.all(np.abs(scaled - np.rint(scaled)) < 1e-9))


def _distinct(*weights: Floats) -> Floats:
    """Return the distinct weights that are not zero."""
    return np.unique(np.concatenate([w[w != 0] for w in weights]))


def _weighed(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, most: int
) -> tuple[Floats, Floats, EdgeTerms]:
    """Weigh candidates and pairs of candidates, in real numbers.

    Returns:
        The similarity of each two nodes; the worth of each two nodes, of their
        attributes and of their self-loops, of shape ``(3, left, right)``; and the pair
        terms.
    """
    n, m = len(left.labels), len(right.labels)
    if PLACE_TERMS * n * m > most:
        raise InputError(
            f"graphs of {n} and {m} nodes are too large: more than {most:,} pairs of "
            "nodes or edges may match; raise --max-terms to allow them"
        )
    nodes = node_similarities(left, right, rules)
    parts = np.zeros((3, n, m))
    if rules.count != "edges":
        parts[0] = nodes
    if rules.count == "nodes-and-edges":
        parts[1] = attribute_similarities(left, right, rules, most)
    none: Integers = np.zeros(0, dtype=np.int64)
    terms = EdgeTerms(none, none, np.zeros(0))
    if rules.count != "nodes" and left.edges and right.edges:
        terms = edge_terms(left, right, nodes, rules, most)
        is_loop = terms.first == terms.second
        if is_loop.any():
            loops = terms.first[is_loop], terms.worth[is_loop]
            np.add.at(parts[2].reshape(-1), *loops)
            first, second, worth = (values[~is_loop] for values in terms)
            terms = EdgeTerms(first, second, worth)
    node, edge = rules.weights
    parts *= np.array([node, node, edge])[:, None, None]
    return nodes, parts, terms._replace(worth=edge * terms.worth)
