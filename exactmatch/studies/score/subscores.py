"""What of a score is of nodes, of attributes and of edges.

Several mappings may be the best, and they may match more nodes and fewer edges.  So the
part of each kind has a range over all of them, of which both ends are proven.
"""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.metrics.labelled.graded_problem import GradedProblem, matched_parts
from exactmatch.metrics.score import Score, f_score
from exactmatch.solvers.linear.optima import OptimalFace
from exactmatch.solvers.problem import AlignmentProblem


class SubScore(NamedTuple):
    """The part of one kind in a score.

    Attributes:
        matched: what matches of it under the mapping that was found.
        pred_total, gold_total: how many there are.
        low, high: the least and the most that matches under any best mapping.
    """

    matched: float
    pred_total: int
    gold_total: int
    low: float
    high: float

    @property
    def precision(self) -> float:
        """The share of the prediction that matches."""
        return f_score(self.matched, self.pred_total, self.gold_total, 1.0)[0]

    @property
    def recall(self) -> float:
        """The share of the reference that is matched."""
        return f_score(self.matched, self.pred_total, self.gold_total, 1.0)[1]

    @property
    def f1(self) -> float:
        """F1 under the mapping that was found."""
        return f_score(self.matched, self.pred_total, self.gold_total, 1.0)[2]

    @property
    def f1_range(self) -> tuple[float, float]:
        """The least and the highest F1 under any best mapping."""
        sizes = self.pred_total, self.gold_total, 1.0
        return f_score(self.low, *sizes)[2], f_score(self.high, *sizes)[2]


def of_score(score: Score) -> dict[str, SubScore]:
    """Return the parts of nodes, attributes and edges, of the kinds that count.

    Raises:
        InputError: if it is no score by the graph metric, or is not proven.
    """
    _, stated = score.pair()
    if not isinstance(stated, GradedProblem):
        raise InputError(
            f"a {score.metric} score has no parts of nodes and edges; a graph score has"
        )
    if not score.proven:
        raise InputError("the best mappings are not known before the score is proven")
    assert score.solution is not None  # a pair is kept with its alignment
    alignment, rules = score.solution.alignment, stated.rules
    left, right = stated.graphs
    grades = matched_parts(left, right, rules, alignment)
    whole = stated.problem
    face = OptimalFace(whole, alignment)
    sizes = {
        "nodes": [len(graph.labels) for graph in (left, right)],
        "attributes": [graph.n_attributes for graph in (left, right)],
        "edges": [len(graph.edges) for graph in (left, right)],
    }
    counted = {
        "nodes-and-edges": ("nodes", "attributes", "edges"),
        "nodes": ("nodes",),
        "edges": ("edges",),
    }[rules.count]
    found = {}
    for number, (name, (pred, gold)) in enumerate(sizes.items()):
        if name not in counted or not pred + gold:
            continue
        terms = len(whole.weight) if name == "edges" else 0
        part = AlignmentProblem(
            whole.n_left,
            whole.n_right,
            whole.left,
            whole.right,
            np.array(stated.parts[number]),
            whole.first[:terms],
            whole.second[:terms],
            whole.weight[:terms],
            whole.scale,
        )
        weight = rules.weights[name == "edges"]
        if not weight:
            continue
        low, high = (units / whole.scale / weight for units in face.range(part))
        matched = fsum(grades[number]) / weight
        ends = min(low, matched), max(high, matched)
        found[name] = SubScore(matched, pred, gold, *ends)
    return found
