"""The best mapping of two labelled graphs' nodes as an alignment problem.

A candidate is a pair of nodes; it is worth how alike they are, with their attributes
and self-loops.  Two candidates together are worth what the edges between them match: of
parallel edges those of the best one-to-one matching.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.engine.problem import CodedGraph, StatedProblem, encode
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.labelled.label_similarity import Layer, similarities
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.solvers.problem import Alignment, AlignmentProblem

Count: TypeAlias = Literal["nodes-and-edges", "edges", "nodes"]  # what counts
Triple: TypeAlias = Literal["mean", "product", "min"]  # how three similarities are one
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

SCALES = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 20, 30, 60, 100, 1000, 10**4, 10**6)
FINEST = 2**30  # the scale of weights that are multiples of none of SCALES


@dataclass(frozen=True, slots=True)
class Rules:
    """Which items of two graphs match, and what that is worth."""

    nodes: Layer  # how alike labels of nodes are
    edges: Layer
    node_cutoff: float  # similarities below these are 0
    edge_cutoff: float
    count: Count
    triple: Triple
    unlike: bool  # whether a node may become one that it is not like
    table: Any = None  # similarities of the nodes, instead of those of their labels
    edge_table: Any = None  # the same of the edges
    share: float = 0.5  # the weight of an edge, of that of an edge and a node

    @property
    def weights(self) -> tuple[float, float]:
        """The weight of a node or an attribute, and of an edge; together 2."""
        if self.count != "nodes-and-edges":
            return 1.0, 1.0
        return 2 * (1 - self.share), 2 * self.share


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
    total: Any = totals[rules.count]  # a whole number but for other weights
    return Side(graph, encode(triples, profile)._replace(total=total))


@dataclass(eq=False, kw_only=True)
class GradedProblem(StatedProblem):
    """The mapping of two labelled graphs as a problem."""

    graphs: tuple[LabelledGraph, LabelledGraph]
    rules: Rules
    # the unary weights of nodes, attributes and edges, a row each
    parts: Integers = field(init=False, repr=False)

    def __post_init__(self) -> None:
        nodes, shares, first, second, worths = _weighed(
            *self.graphs, self.rules, self.most
        )
        values = np.concatenate([shares.ravel(), worths])
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
        self.given = AlignmentProblem(
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
    def names(self) -> tuple[Sequence[Any], Sequence[Any]]:
        left, right = self.graphs
        return left.names, right.names

    def check_count(self, alignment: Alignment, value: int) -> float:
        """Add up what a mapping matches; its value differs by rounding alone."""
        parts = matched_parts(*self.graphs, self.rules, alignment)
        worth = math.fsum(chain(*parts))
        terms = self.parts.size + len(self.problem.weight)
        if abs(worth - value / self.scale) > terms / self.scale / 2 + 1e-6:
            raise CertificationError(
                f"a mapping said to be worth {value / self.scale} is worth {worth}; "
                "please report the two graphs"
            )
        return worth


def _fits(values: Floats, scale: int) -> bool:
    scaled = values * scale
    return bool(np.all(np.abs(scaled - np.rint(scaled)) < 1e-9))


def _weighed(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, most: int
) -> tuple[Floats, Floats, Integers, Integers, Floats]:
    """Weigh candidates, and pairs of them, in real numbers.

    These are the similarity of each two nodes; the worth of each two nodes, of their
    attributes and of their self-loops, shape ``(3, left, right)``; the cells of the
    first, row by row, whose pairs of nodes together are worth more, the smaller and the
    larger one, sorted; and the worth of each of these.
    """
    n, m = len(left.labels), len(right.labels)
    ways = 1 if left.is_directed and right.is_directed else 2
    if max(n * m, ways * len(left.edges) * len(right.edges)) > most:
        raise InputError(
            f"graphs of {n} and {m} nodes are too large: more than {most:,} pairs of "
            "nodes or edges may match; raise --max-terms to allow them"
        )
    nodes = node_similarities(left, right, rules)
    parts = np.zeros((3, n, m))
    if rules.count != "edges":
        parts[0] = nodes
    if rules.count == "nodes-and-edges":
        parts[1] = _attributes(left, right, rules)
    first, second = np.zeros((2, 0), dtype=np.int64)
    worth = np.zeros(0)
    if rules.count != "nodes" and left.edges and right.edges:
        first, second, worth = _pairs_of_edges(left, right, nodes, rules)
        is_loop = first == second
        if is_loop.any():
            np.add.at(parts[2].reshape(-1), first[is_loop], worth[is_loop])
            first, second, worth = (x[~is_loop] for x in (first, second, worth))
    node, edge = rules.weights
    parts *= np.array([node, node, edge])[:, None, None]
    return nodes, parts, first, second, edge * worth


def _pairs_of_edges(
    left: LabelledGraph, right: LabelledGraph, nodes: Floats, rules: Rules
) -> tuple[Integers, Integers, Floats]:
    """Return all pairs of nodes that edges match between, as cells, and the worths.

    Edges that several others between the same nodes compete for are matched one to one.
    """
    labels = edge_similarities(left, right, rules)
    own, other = np.nonzero(labels)
    ours, theirs = (
        np.array([edge[:2] for edge in graph.edges], dtype=np.int64).T
        for graph in (left, right)
    )
    if not (left.is_directed and right.is_directed):  # the other way round, too
        theirs = np.concatenate([theirs, theirs[::-1]], axis=1)
        is_turned = theirs[0] != theirs[1]
        is_turned[: len(right.edges)] = False
        again = is_turned[other + len(right.edges)]
        own = np.concatenate([own, own[again]])
        other = np.concatenate([other, other[again] + len(right.edges)])
    loops = [ends[0] == ends[1] for ends in (ours, theirs)]
    if any(loop.any() for loop in loops):
        agree = loops[0][own] == loops[1][other]
        own, other = own[agree], other[agree]
    source, target = (
        end[own] * len(right.labels) + image[other]
        for end, image in zip(ours, theirs, strict=True)
    )
    worth = labels[own, other % len(right.edges)]
    if rules.count == "edges":
        flat = nodes.ravel()
        worth = grades_of(worth, flat[source], flat[target], rules)
        counts = worth > 0
        own, other, worth = own[counts], other[counts], worth[counts]
        source, target = source[counts], target[counts]
    key = np.minimum(source, target) * nodes.size + np.maximum(source, target)
    order = np.argsort(key)
    worth, own, other = worth[order], own[order], other[order] % len(right.edges)
    keys, begins, sizes = np.unique(key[order], return_index=True, return_counts=True)
    best = worth[begins]
    for g in np.flatnonzero(sizes > 1):
        several = slice(begins[g], begins[g] + sizes[g])
        ours, rows = np.unique(own[several], return_inverse=True)
        theirs, columns = np.unique(other[several], return_inverse=True)
        grades = np.zeros((len(ours), len(theirs)))
        grades[rows, columns] = worth[several]
        best[g] = _best_matching(grades)
    first, second = np.divmod(keys, nodes.size)
    return first, second, best


def _best_matching(grades: Floats) -> float:
    """Return the worth of the best one-to-one matching of rows with columns."""
    if 1 in grades.shape:
        return float(grades.max(initial=0.0))
    from scipy.optimize import linear_sum_assignment

    return float(grades[linear_sum_assignment(grades, maximize=True)].sum())


def edge_similarities(
    left: LabelledGraph, right: LabelledGraph, rules: Rules
) -> Floats:
    """Compare the labels of all edges, or take the similarities that are known."""
    if rules.edge_table is not None:
        return np.where(rules.edge_table < rules.edge_cutoff, 0.0, rules.edge_table)
    labels = [[label for *_, label in graph.edges] for graph in (left, right)]
    return similarities(labels[0], labels[1], rules.edges, rules.edge_cutoff)


def grades_of(label: Floats, source: Floats, target: Floats, rules: Rules) -> Floats:
    """Return the grades of edges whose labels and ends are so much alike."""
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
    if {left.is_directed, right.is_directed} == {True, False}:
        raise InputError(
            "one graph is directed and the other is not; make both the same"
        )
    if rules.table is None:
        return similarities(left.labels, right.labels, rules.nodes, rules.node_cutoff)
    try:
        table = np.array(rules.table, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("similarity is no array of numbers") from None
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


def _attributes(left: LabelledGraph, right: LabelledGraph, rules: Rules) -> Floats:
    """Return how many attributes of each two nodes match, graded by their values."""
    found = np.zeros((len(left.labels), len(right.labels)))
    ours, theirs = (_by_name(graph) for graph in (left, right))
    for name in ours.keys() & theirs.keys():
        for i, values in ours[name].items():
            for j, others in theirs[name].items():
                grades = similarities(values, others, rules.nodes, rules.node_cutoff)
                found[i, j] += _best_matching(grades)
    return found


def _by_name(graph: LabelledGraph) -> dict[str, dict[int, list[str]]]:
    found: dict[str, dict[int, list[str]]] = {}
    for node, known in enumerate(graph.attributes):
        for name, value in known:
            found.setdefault(name, {}).setdefault(node, []).append(value)
    return found


def between(graph: LabelledGraph) -> dict[tuple[int, int], list[int]]:
    """Return the edges between each two nodes, in either direction, by number."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, (i, k, _) in enumerate(graph.edges):
        found.setdefault((min(i, k), max(i, k)), []).append(number)
    return found


def matched_parts(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, alignment: Alignment
) -> tuple[list[float], list[float], list[float]]:
    """Return what all nodes, attributes and edges are worth that a mapping matches.

    The grades are taken from the graphs alone.
    """
    image = {i: j for i, j in enumerate(alignment) if j != -1}
    similar = node_similarities(left, right, rules)
    node, edge = rules.weights
    nodes: list[float] = []
    attributes: list[float] = []
    edges: list[float] = []
    if rules.count != "edges":
        nodes = [node * float(similar[i, j]) for i, j in image.items()]
    if rules.count == "nodes-and-edges":
        alike = _attributes(left, right, rules)
        attributes = [node * float(alike[i, j]) for i, j in image.items()]
    if rules.count == "nodes":
        return nodes, attributes, edges
    labels = edge_similarities(left, right, rules)

    def grade(e: int, f: int) -> float:
        (i, k, _), ends = left.edges[e], right.edges[f][:2]
        mapped = image[i], image[k]
        turned = left.is_directed is False and mapped[::-1] == ends
        if mapped != ends and not turned:
            return 0.0
        if rules.count != "edges":
            return float(labels[e, f])
        sims = similar[i, mapped[0]], similar[k, mapped[1]]
        return float(grades_of(labels[e, f], *sims, rules))

    others = between(right)
    for (i, k), own in between(left).items():
        if i in image and k in image:
            ends = min(image[i], image[k]), max(image[i], image[k])
            if found := others.get(ends):
                grades = np.array([[grade(e, f) for f in found] for e in own])
                edges.append(edge * _best_matching(grades))
    return nodes, attributes, edges
