"""Feedback on a predicted graph: the edits that turn it into its reference, priced.

Under the best mapping, a predicted item that matches nothing is removed, one of the
reference that nothing matches is added, and a label that is not the reference's is
changed.  So there are as few edits as under any mapping that matches as much, and all
of them together make the score 1.  The price of an edit is by how much F1 rises, at the
least, if it alone is made: the mapping stays, and the best one may match more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base.errors import check_kind
from exactmatch.engine.problem import GraphProblem
from exactmatch.metrics.json.corrections import corrections
from exactmatch.metrics.json.differences import ComparedDocuments
from exactmatch.metrics.labelled.graded_problem import GradedProblem
from exactmatch.metrics.labelled.label_similarity import similarities
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph, of_graph
from exactmatch.metrics.labelled.layers import NamedLayer
from exactmatch.metrics.labelled.parts_problem import PartsProblem
from exactmatch.metrics.labelled.rules import (
    Floats,
    Rules,
    edge_similarities,
    grades_of,
    node_similarities,
)
from exactmatch.metrics.s2match import SoftProblem
from exactmatch.metrics.score import Score, f_score
from exactmatch.solvers.matching import best_matching
from exactmatch.solvers.problem import Alignment
from exactmatch.studies.feedback.edit import Edit, Ends, What
from exactmatch.studies.feedback.parts import edits_with_parts
from exactmatch.studies.feedback.results import Feedback


class Compared(NamedTuple):
    """Two graphs under their best mapping, with the similarities of their parts."""

    left: LabelledGraph
    right: LabelledGraph
    image: dict[int, int]
    nodes: Floats
    edges: Floats
    rules: Rules
    totals: tuple[float, float]
    matched: float
    nothing: float

    @property
    def missing(self) -> list[int]:
        """Nodes of the reference that the prediction lacks."""
        return sorted(set(range(len(self.right.labels))) - set(self.image.values()))

    def couples(self) -> Iterator[tuple[int | None, int | None]]:
        """Yield each node of the prediction with its partner, then those it lacks."""
        for i in range(len(self.left.labels)):
            yield i, self.image.get(i)
        for j in self.missing:
            yield None, j

    def name(self, i: int | None, j: Any) -> str:
        """Return the name of a predicted node, or the label of a new one."""
        if i is not None:
            return str(self.left.names[i])
        return f"'{self.right.labels[j] or self.right.names[j]}'"

    def price(self, matched: float, items: int, what: What = "node") -> float:
        """Return the gain in F1 from *matched* more matches and *items* more items."""
        pred, gold = self.totals
        weight = self.rules.weights[what == "edge"]
        matched, added_items = weight * matched, weight * items
        before = f_score(self.matched, pred, gold, self.nothing)[2]
        after = f_score(self.matched + matched, pred + added_items, gold, self.nothing)[
            2
        ]
        return after - before


def compared(problem: GraphProblem, alignment: Alignment, matched: float) -> Compared:
    """Compare the graphs of an alignment problem under its alignment."""
    image = {i: j for i, j in enumerate(alignment) if j != -1}
    totals = float(problem.left.total), float(problem.right.total)
    if isinstance(problem, GradedProblem):
        (left, right), rules = problem.graphs, problem.rules
    else:
        left, right = of_graph(problem.left.graph), of_graph(problem.right.graph)
        rules = EXACT
    nodes = node_similarities(left, right, rules)
    edges = edge_similarities(left, right, rules)
    if isinstance(problem, SoftProblem):
        nodes = np.maximum(nodes, np.minimum(problem.soft, 1.0))
    score_of_nothing = problem.profile.score_of_nothing
    pair = Compared(
        left, right, image, nodes, edges, rules, totals, matched, score_of_nothing
    )
    single, missing = (
        [i for i in range(len(left.labels)) if i not in image],
        pair.missing,
    )
    for a, b in _best(nodes[np.ix_(single, missing)]):  # these pairs earn nothing alone
        if nodes[single[a], missing[b]] > 0:
            image[single[a]] = missing[b]
    return pair


_EQUAL = NamedLayer("exact")


EXACT = Rules(_EQUAL, _EQUAL, 0.0, 0.0, "nodes-and-edges", "mean", True)


def edits(pair: Compared) -> list[Edit]:
    """Find all edits, the dearest first."""
    count, unsorted = pair.rules.count, list(_of_nodes(pair))
    if count == "nodes-and-edges":
        unsorted += _of_attributes(pair)
    if count != "nodes":
        unsorted += _of_edges(pair)
    return sorted(unsorted, key=lambda edit: -edit.price)


def _of_nodes(pair: Compared) -> Iterator[Edit]:
    for i, j in pair.couples():
        where = Ends(pair.name(i, j))
        pred_nodes, gold_nodes = ([] if node is None else [node] for node in (i, j))
        pred_labels = [pair.left.labels[node] for node in pred_nodes]
        gold_labels = [pair.right.labels[node] for node in gold_nodes]
        similarity_table = pair.nodes[np.ix_(pred_nodes, gold_nodes)]
        if pair.rules.count != "edges":
            yield from _changes(
                pair, "node", where, (pred_labels, gold_labels), similarity_table
            )
        elif similarity_table.size and (likeness := float(similarity_table[0, 0])) < 1:
            price = pair.price(_relabelled(pair, pred_nodes[0]), 0)
            labels = pred_labels[0], gold_labels[0]
            yield Edit("change", "node", where, *labels, None, likeness, price)


def _relabelled(pair: Compared, node: int) -> float:
    """Return the rise of matches if a node gets the label of its partner."""
    nodes = pair.nodes.copy()
    nodes[node, pair.image[node]] = 1.0
    gain = 0.0
    for pred_edges, gold_edges in _between(pair):
        for sign, table in ((1, nodes), (-1, pair.nodes)):
            grades = _grades(pair, pred_edges, gold_edges, table)
            gain += sign * math.fsum(grades[cell] for cell in _best(grades))
    return float(gain)


def _of_attributes(pair: Compared) -> Iterator[Edit]:
    rules = pair.rules
    for i, j in pair.couples():
        where = Ends(pair.name(i, j))
        pred_attributes = () if i is None else pair.left.attributes[i]
        gold_attributes = () if j is None else pair.right.attributes[j]
        for name in dict.fromkeys(
            name for name, _ in (*pred_attributes, *gold_attributes)
        ):
            pred_values, gold_values = (
                [value for key, value in side if key == name]
                for side in (pred_attributes, gold_attributes)
            )
            similarity_table = similarities(
                pred_values, gold_values, rules.nodes, rules.node_cutoff
            )
            yield from _changes(
                pair,
                "attribute",
                where,
                (pred_values, gold_values),
                similarity_table,
                name,
            )


def _of_edges(pair: Compared) -> Iterator[Edit]:
    pred_node_of = {j: i for i, j in pair.image.items()}
    for pred_edges, gold_edges in _between(pair):
        graph, edges = (
            (pair.left, pred_edges) if pred_edges else (pair.right, gold_edges)
        )
        nodes = graph.edges[edges[0]][:2]
        sources = nodes if pred_edges else [pred_node_of.get(node) for node in nodes]
        where = Ends(*map(pair.name, sources, nodes))
        pred_labels = [pair.left.edges[e][2] for e in pred_edges]
        gold_labels = [pair.right.edges[f][2] for f in gold_edges]
        similarity_table = pair.edges[np.ix_(pred_edges, gold_edges)]
        grades = _grades(pair, pred_edges, gold_edges, pair.nodes)
        full = _full(pair, sources) if pair.rules.count == "edges" else 1.0
        labels = pred_labels, gold_labels
        yield from _changes(
            pair, "edge", where, labels, similarity_table, None, grades, full
        )


def _between(pair: Compared) -> list[tuple[list[int], list[int]]]:
    """Return the edges of both graphs, by number, that lie between the same nodes.

    Edges of the prediction at a node without partner, and those of the reference, stand
    alone.
    """
    is_directed = False not in (pair.left.is_directed, pair.right.is_directed)
    by_ends: dict[Any, tuple[list[int], list[int]]] = {}
    for e, (i, k, _) in enumerate(pair.left.edges):
        ends: Any = ("removed", e)
        if i in pair.image and k in pair.image:
            ends = (pair.image[i], pair.image[k])
            ends = ends if is_directed else tuple(sorted(ends))
        by_ends.setdefault(ends, ([], []))[0].append(e)
    for f, (j, l_, _) in enumerate(pair.right.edges):
        ends = (j, l_) if is_directed else tuple(sorted((j, l_)))
        by_ends.setdefault(ends, ([], []))[1].append(f)
    return list(by_ends.values())


def _grades(
    pair: Compared, pred_edges: Sequence[int], gold_edges: Sequence[int], nodes: Floats
) -> Floats:
    """Return the worth of matching each two edges between the same nodes."""
    labels: Floats = pair.edges[np.ix_(pred_edges, gold_edges)]
    if pair.rules.count != "edges" or not labels.size:
        return labels
    i, k, _ = pair.left.edges[pred_edges[0]]
    ends = nodes[i, pair.image[i]], nodes[k, pair.image[k]]
    source, target = (np.full_like(labels, end) for end in ends)
    return grades_of(labels, source, target, pair.rules)


def _full(pair: Compared, sources: Sequence[int | None]) -> float:
    """Return the worth of a triple that has the label of the reference."""
    full_pairs = [
        1.0 if i is None or i not in pair.image else pair.nodes[i, pair.image[i]]
        for i in sources
    ]
    source, target = np.array(full_pairs).reshape(2, 1)
    return float(grades_of(np.ones(1), source, target, pair.rules)[0])


def _best(table: Floats) -> list[tuple[int, int]]:
    rows, columns = best_matching(table)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _changes(
    pair: Compared,
    what: What,
    where: Ends,
    labels: tuple[Sequence[str | None], Sequence[str | None]],
    similarity_table: Floats,
    name: str | None = None,
    grades: Floats | None = None,
    full: float = 1.0,
) -> Iterator[Edit]:
    """Yield the edits that turn labels, matched in the best way, into others."""
    pred_labels, gold_labels = labels
    worth = similarity_table if grades is None else grades
    matched = _best(worth + 1e-6 * similarity_table)
    for a, b in matched:
        if (likeness := float(similarity_table[a, b])) < 1:
            price = pair.price(full - float(worth[a, b]), 0, what)
            says, reference = pred_labels[a], gold_labels[b]
            yield Edit("change", what, where, says, reference, name, likeness, price)
    for a in set(range(len(pred_labels))) - {a for a, _ in matched}:
        price = pair.price(0.0, -1, what)
        yield Edit("remove", what, where, pred_labels[a], None, name, None, price)
    for b in set(range(len(gold_labels))) - {b for _, b in matched}:
        price = pair.price(full, 1, what)
        yield Edit("add", what, where, None, gold_labels[b], name, None, price)


def feedback(score: Score) -> Feedback:
    """List the changes that a predicted graph needs, with the price of each.

    Args:
        score: the score of two graphs by :func:`exactmatch.score`, under a metric that
            aligns, or of two JSON documents under ``json``.

    Returns:
        The edits that turn the prediction into the reference under the best mapping,
        each with the similarity of the changed labels and its price: the least rise of
        F1 if only this edit is made.

    Raises:
        InputError: if the score keeps no alignment.

    >>> import exactmatch
    >>> pair = "(b / bark-01 :ARG0 (c / cat))", "(b / bark-01 :ARG0 (d / dog))"
    >>> for edit in exactmatch.feedback(exactmatch.score(*pair, metric="smatch")):
    ...     print(edit)
    node c says 'cat', reference 'dog' (0.00, +0.25)
    """
    check_kind("the score", score, Score, "what exactmatch.score returns")
    _, problem = score.pair()
    if isinstance(problem, ComparedDocuments):
        return Feedback(score, tuple(corrections(problem)))
    assert score.solution is not None  # a pair is kept with its alignment
    alignment = score.solution.alignment
    if isinstance(problem, PartsProblem):
        return Feedback(score, tuple(edits_with_parts(problem, alignment)))
    pair = compared(problem, alignment, score.matched or 0.0)
    return Feedback(score, tuple(edits(pair)))
