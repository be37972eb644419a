"""The best mapping of two labelled graphs' nodes as an alignment problem.

A candidate is a pair of nodes; it is worth how alike they are, with their attributes
and self-loops.  Two candidates together are worth what the edges between them match: of
parallel edges those of the best one-to-one matching.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.engine.coding import CodedGraph, encode
from exactmatch.engine.problem import StatedProblem
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.labelled.label_similarity import Similar, similarities
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.solvers.problem import Alignment, AlignmentProblem

Count: TypeAlias = Literal["nodes-and-edges", "edges", "nodes"]
"""The items that count."""

Triple: TypeAlias = Literal["mean", "product", "min"]
"""How a triple's grade is made of its label's and its ends' similarities."""

Floats: TypeAlias = npt.NDArray[np.float64]

SCALES = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 20, 30, 60, 100, 1000, 10**4, 10**6)
"""Scales that are tried before weights are rounded."""

FINEST = 2**30
"""The scale of weights that are multiples of none of these."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which items of two graphs match, and what that is worth.

    Attributes:
        nodes, edges: how alike labels of nodes, and of edges, are.
        node_cutoff, edge_cutoff: similarities below these are 0.
        count: the items that count.
        triple: the grade of an edge where edges alone count.
        unlike: whether a node may become one that it is not like.
        table: similarities of the nodes, instead of those of their labels.
    """

    nodes: str | Similar
    edges: str | Similar
    node_cutoff: float
    edge_cutoff: float
    count: Count
    triple: Triple
    unlike: bool
    table: Any = None


class Side(NamedTuple):
    """A graph, ready to be compared.

    Attributes:
        labelled: the graph.
        coded: the same as triples, for drawings and lists of differences; ``total`` is
            the number of items that count.
    """

    labelled: LabelledGraph
    coded: CodedGraph


def side(graph: LabelledGraph, triples: Graph, profile: Profile, count: Count) -> Side:
    """Code a graph and count its items."""
    nodes, edges = len(graph.labels), len(graph.edges)
    whole = nodes + graph.n_attributes + edges
    totals = {"nodes-and-edges": whole, "nodes": nodes, "edges": edges}
    return Side(graph, encode(triples, profile)._replace(total=totals[count]))


class Weights(NamedTuple):
    """The worth of candidates and of pairs of them, as real numbers.

    Attributes:
        nodes: similarity of each two nodes, shape ``(left, right)``.
        unary: worth of each two nodes, shape ``(left, right)``.
        pairs: worth of two candidates ``(i, j)``, ``(k, l)`` with ``i < k``, as rows
            ``i, j, k, l``, shape ``(pairs, 4)``.
        worth: the worth of each row.
    """

    nodes: Floats
    unary: Floats
    pairs: npt.NDArray[np.int64]
    worth: Floats


@dataclass(eq=False, kw_only=True)
class GradedProblem(StatedProblem):
    """The mapping of two labelled graphs as a problem.

    Attributes:
        graphs: what is compared.
        rules: what matches.

    Raises:
        InputError: if similarities are of another shape, or only one graph is directed,
            or there are too many pairs of nodes or edges.
    """

    graphs: tuple[LabelledGraph, LabelledGraph]
    rules: Rules

    def __post_init__(self) -> None:
        self.given = self._assembled()

    def _assembled(self) -> AlignmentProblem:
        weights = _weighed(*self.graphs, self.rules, self.most)
        values = np.concatenate([weights.unary.ravel(), weights.worth])
        self.scale = next((s for s in SCALES if _fits(values, s)), FINEST)
        unary = np.rint(weights.unary * self.scale).astype(np.int64)
        worth = np.rint(weights.worth * self.scale).astype(np.int64)
        pairs, worth = weights.pairs[worth > 0], worth[worth > 0]
        chosen = unary > 0
        for i, j in ((0, 1), (2, 3)):
            chosen[pairs[:, i], pairs[:, j]] = True
        if not self.rules.unlike:
            chosen &= weights.nodes > 0
            kept = chosen[pairs[:, 0], pairs[:, 1]] & chosen[pairs[:, 2], pairs[:, 3]]
            pairs, worth = pairs[kept], worth[kept]
        left, right = np.nonzero(chosen)
        number = np.cumsum(chosen).reshape(chosen.shape) - 1
        first, second = (number[pairs[:, k], pairs[:, k + 1]] for k in (0, 2))
        order = np.lexsort((second, first))
        return AlignmentProblem(
            len(self.graphs[0].labels),
            len(self.graphs[1].labels),
            left.astype(np.int32),
            right.astype(np.int32),
            unary[chosen],
            first[order].astype(np.int32),
            second[order].astype(np.int32),
            worth[order],
            self.scale,
        )

    @property
    def names(self) -> tuple[Sequence[Any], Sequence[Any]]:
        left, right = self.graphs
        return left.names, right.names

    def check_count(self, alignment: Alignment, value: int) -> float:
        """Add up what a mapping matches, edge by edge, and hold its value against it.

        Raises:
            CertificationError: if they differ by more than rounding explains.
        """
        worth = matched_items(*self.graphs, self.rules, alignment)
        terms = len(self.problem.unary) + len(self.problem.weight)
        if abs(worth - value / self.scale) > terms / self.scale / 2 + 1e-6:
            raise CertificationError(
                f"a mapping said to be worth {value / self.scale} is worth {worth}; "
                "please report the two graphs"
            )
        return worth

    def bound_of(self, solution: Any, matched: float) -> float:
        if solution.is_optimal:
            return matched
        return max(self.at_most(solution.bound), matched)


def _fits(values: Floats, scale: int) -> bool:
    scaled = values * scale
    return bool(np.all(np.abs(scaled - np.rint(scaled)) < 1e-9))


def _weighed(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, most: int
) -> Weights:
    n, m = len(left.labels), len(right.labels)
    if max(n * m, len(left.edges) * len(right.edges)) > most:
        raise InputError(
            f"graphs of {n} and {m} nodes are too large: more than {most:,} pairs of "
            "nodes or edges may match; raise --max-terms to allow them"
        )
    nodes = node_similarities(left, right, rules)
    unary = np.zeros((n, m)) if rules.count == "edges" else nodes.copy()
    if rules.count == "nodes-and-edges":
        unary += _attributes(left, right, rules)
    pairs, worth = np.zeros((0, 4), dtype=np.int64), np.zeros(0)
    if rules.count != "nodes" and left.edges and right.edges:
        pairs, worth = _pairs_of_edges(left, right, nodes, rules)
        is_loop = pairs[:, 0] == pairs[:, 2]
        np.add.at(unary, (pairs[is_loop, 0], pairs[is_loop, 1]), worth[is_loop])
        pairs, worth = pairs[~is_loop], worth[~is_loop]
    return Weights(nodes, unary, pairs, worth)


def _pairs_of_edges(
    left: LabelledGraph, right: LabelledGraph, nodes: Floats, rules: Rules
) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return all ``i, j, k, l`` where edges of *i*, *k* and *j*, *l* match, and worths.

    Edges that several others between the same nodes compete for are matched one to one.
    """
    labels = edge_similarities(left, right, rules)
    own, other = np.nonzero(labels)
    ours, theirs = (
        np.array([edge[:2] for edge in graph.edges], dtype=np.int64)
        for graph in (left, right)
    )
    (i, k), (j, l_) = ours[own].T, theirs[other].T
    rows = np.stack([i, j, k, l_, own, other], axis=1)
    if not (left.is_directed and right.is_directed):  # the other way round, too
        rows = np.concatenate([rows, rows[j != l_][:, [0, 3, 2, 1, 4, 5]]])
    rows = rows[(rows[:, 0] == rows[:, 2]) == (rows[:, 1] == rows[:, 3])]
    worth = labels[rows[:, 4], rows[:, 5]]
    if rules.count == "edges":
        ends = nodes[rows[:, 0], rows[:, 1]], nodes[rows[:, 2], rows[:, 3]]
        worth = _grades(worth, *ends, rules)
    rows, worth = rows[worth > 0], worth[worth > 0]
    is_late = rows[:, 0] > rows[:, 2]
    rows[is_late] = rows[is_late][:, [2, 3, 0, 1, 4, 5]]
    order = np.lexsort(rows[:, :4].T[::-1])
    rows, worth = rows[order], worth[order]
    if not len(rows):
        return rows[:, :4], worth
    begins = np.flatnonzero(np.r_[True, (rows[1:, :4] != rows[:-1, :4]).any(axis=1)])
    sums = np.add.reduceat(worth, begins)
    sizes = np.diff(np.r_[begins, len(rows)])
    for group in np.flatnonzero(sizes > 1).tolist():
        part = slice(begins[group], begins[group] + sizes[group])
        sums[group] = _matched(rows[part, 4:], worth[part])
    return rows[begins, :4], sums


def _matched(edges: npt.NDArray[np.int64], worth: Floats) -> float:
    """Return the worth of the best matching of parallel edges."""
    from scipy.optimize import linear_sum_assignment

    (own, rows), (other, columns) = (
        np.unique(side, return_inverse=True) for side in edges.T
    )
    table = np.zeros((len(own), len(other)))
    table[rows, columns] = worth
    return float(table[linear_sum_assignment(table, maximize=True)].sum())


def edge_similarities(
    left: LabelledGraph, right: LabelledGraph, rules: Rules
) -> Floats:
    """Compare the labels of all edges."""
    labels = [[label for *_, label in graph.edges] for graph in (left, right)]
    return similarities(labels[0], labels[1], rules.edges, rules.edge_cutoff)


def _grades(label: Floats, source: Floats, target: Floats, rules: Rules) -> Floats:
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
    """Compare all nodes, or take the similarities that came with the graphs.

    Raises:
        InputError: if they are of another shape, or not in [0, 1], or only one graph
            is directed.
    """
    if None not in (left.is_directed, right.is_directed) and (
        left.is_directed != right.is_directed
    ):
        raise InputError(
            "one graph is directed and the other is not; make both the same"
        )
    if rules.table is None:
        return similarities(left.labels, right.labels, rules.nodes, rules.node_cutoff)
    table = np.array(rules.table, dtype=np.float64)
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


def between(graph: LabelledGraph) -> Mapping[tuple[int, int], list[int]]:
    """Return the edges between each two nodes, in either direction, by number."""
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (i, k, _) in enumerate(graph.edges):
        found[min(i, k), max(i, k)].append(number)
    return found


def edges_worth(
    left: LabelledGraph,
    right: LabelledGraph,
    own: Sequence[int],
    others: Sequence[int],
    image: Mapping[int, int],
    labels: Floats,
    nodes: Floats,
    rules: Rules,
) -> float:
    """Return what the edges between two nodes are worth with those of their images."""
    grades = np.zeros((len(own), len(others)))
    for row, e in enumerate(own):
        i, k, _ = left.edges[e]
        for column, f in enumerate(others):
            ends = right.edges[f][:2]
            mapped = image[i], image[k]
            if mapped == ends or (left.is_directed is False and mapped[::-1] == ends):
                grades[row, column] = labels[e, f]
                if rules.count == "edges":
                    sims = nodes[i, mapped[0]], nodes[k, mapped[1]]
                    grades[row, column] = _grades(labels[e, f], *sims, rules)
    if 1 in grades.shape:
        return float(grades.max(initial=0.0))
    from scipy.optimize import linear_sum_assignment

    return float(grades[linear_sum_assignment(grades, maximize=True)].sum())


def _attributes(left: LabelledGraph, right: LabelledGraph, rules: Rules) -> Floats:
    """Return how many attributes of each two nodes match, graded by their values."""
    found = np.zeros((len(left.labels), len(right.labels)))
    ours, theirs = (_by_name(graph) for graph in (left, right))
    for name in ours.keys() & theirs.keys():
        for i, values in ours[name].items():
            for j, others in theirs[name].items():
                grades = similarities(values, others, rules.nodes, rules.node_cutoff)
                if 1 in grades.shape:
                    found[i, j] += grades.max(initial=0.0)
                    continue
                from scipy.optimize import linear_sum_assignment

                found[i, j] += grades[linear_sum_assignment(-grades)].sum()
    return found


def _by_name(graph: LabelledGraph) -> dict[str, dict[int, list[str]]]:
    found: defaultdict[str, defaultdict[int, list[str]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for node, known in enumerate(graph.attributes):
        for name, value in known:
            found[name][node].append(value)
    return {name: dict(nodes) for name, nodes in found.items()}


def matched_items(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, alignment: Alignment
) -> float:
    """Add up the grades of all that a mapping matches, from the graphs alone."""
    image = {i: j for i, j in enumerate(alignment) if j != -1}
    nodes = node_similarities(left, right, rules)
    worth: list[float] = []
    if rules.count != "edges":
        worth += [float(nodes[i, j]) for i, j in image.items()]
    if rules.count == "nodes-and-edges":
        attributes = _attributes(left, right, rules)
        worth += [float(attributes[i, j]) for i, j in image.items()]
    if rules.count != "nodes":
        labels = edge_similarities(left, right, rules)
        others = between(right)
        for (i, k), own in between(left).items():
            if i in image and k in image:
                ends = sorted((image[i], image[k]))
                found = others.get((ends[0], ends[1]), [])
                if found:
                    worth.append(
                        edges_worth(
                            left, right, own, found, image, labels, nodes, rules
                        )
                    )
    return math.fsum(worth)
