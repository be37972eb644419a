"""Split a graph score into nodes, attributes and edges.

Several mappings may be the best, and some match more nodes and fewer edges than others.
So the part of each kind has a range over all of them, and both ends are proven.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.engine.align import Want
from exactmatch.metrics.aligning import PartScore
from exactmatch.metrics.base import Metric, Pair, ReadItem, Statistics
from exactmatch.metrics.labelled.graded_problem import GradedProblem, Side
from exactmatch.metrics.labelled.graph_metric import LabelledMatch
from exactmatch.metrics.labelled.matched_items import matched_parts
from exactmatch.metrics.labelled.parts_problem import GROUPS, PartsProblem
from exactmatch.metrics.labelled.rules import Rules
from exactmatch.metrics.labelled.two_counts import (
    WIDTH,
    rows_of_two_counts,
    with_two_counts,
)
from exactmatch.metrics.score import FScore, Score, f_score, share_of
from exactmatch.solvers.enumeration import OptimalFace
from exactmatch.solvers.problem import Alignment
from exactmatch.solvers.solution import Limits

KINDS = ("nodes", "attributes", "edges")  # in the order in which they are shown


def _counted(rules: Rules) -> list[str]:
    kinds = KINDS if rules.count == "nodes-and-edges" else (rules.count,)
    return [kind for kind in kinds if rules.weights[kind == "edges"]]


class SubScore(NamedTuple):
    """The part of one kind in a score.

    Attributes:
        matched: matches under the mapping of the score.
        pred_total, gold_total: number of items on each side.
        low, high: the least and the most matches under any best mapping.
        matched_pred, matched_gold: matches on each side, where several parts may stand
            for one node; the others are then half of both.
    """

    matched: float
    pred_total: int
    gold_total: int
    low: float
    high: float
    matched_pred: float | None = None
    matched_gold: float | None = None

    @property
    def precision(self) -> float:
        """Share of the prediction that matches."""
        if self.matched_pred is not None:
            return share_of(self.matched_pred, self.pred_total, self.f1)
        return self._if(self.matched)[0]

    @property
    def recall(self) -> float:
        """Share of the reference that is matched."""
        if self.matched_gold is not None:
            return share_of(self.matched_gold, self.gold_total, self.f1)
        return self._if(self.matched)[1]

    @property
    def f1(self) -> float:
        """F1 under the mapping of the score."""
        return self._if(self.matched)[2]

    @property
    def f1_range(self) -> tuple[float, float]:
        """Least and highest F1 under any best mapping."""
        return self._if(self.low)[2], self._if(self.high)[2]

    def _if(self, matched: float) -> tuple[float, float, float]:
        if self.matched_pred is not None:
            f1 = share_of(2 * matched, self.pred_total + self.gold_total, 1.0)
            return f1, f1, f1
        return f_score(matched, self.pred_total, self.gold_total, 1.0)


class GroupCount(NamedTuple):
    """Number of nodes with parts, under a best mapping.

    Attributes:
        matched: number under the mapping of the score.
        low, high: least and most under any best mapping.
    """

    matched: int
    low: int
    high: int


def of_score(score: Score) -> dict[str, SubScore | GroupCount]:
    """Return the parts of the kinds that count, if a graph score is proven.

    Where parts may stand for one node, ``splits`` and ``merges`` are counted, too.
    """
    _, problem = score.pair()
    if not isinstance(problem, GradedProblem):
        raise InputError(
            f"a {score.metric} score has no parts of nodes and edges; a graph score has"
        )
    if not score.proven:
        raise InputError("the best mappings are not known before the score is proven")
    assert score.solution is not None  # a pair is kept with its alignment
    alignment = score.solution.alignment
    parts = of_alignment(problem, alignment)
    subscores: dict[str, SubScore | GroupCount] = {
        name: part for name, part in parts.items() if part.pred_total + part.gold_total
    }
    if problem.rules.parts is not None:
        subscores |= _groups(problem, alignment)
    return subscores


def of_alignment(graded: GradedProblem, alignment: Alignment) -> dict[str, SubScore]:
    """Return the parts of the kinds that count, for all mappings that are as good."""
    if isinstance(graded, PartsProblem):
        return _with_parts(graded, alignment)
    rules, whole = graded.rules, graded.problem
    grades = matched_parts(*graded.graphs, rules, alignment)
    face = OptimalFace(whole, alignment)
    sizes = [(len(g.labels), g.n_attributes, len(g.edges)) for g in graded.graphs]
    subscores = {}
    for name in _counted(rules):
        number = KINDS.index(name)
        pred, gold = (size[number] for size in sizes)
        weight = rules.weights[name == "edges"]
        terms = len(whole.weight) if name == "edges" else 0
        part = replace(
            whole,
            unary=np.array(graded.parts[number]),
            first=whole.first[:terms],
            second=whole.second[:terms],
            weight=whole.weight[:terms],
        )
        low, high = (units / whole.scale / weight for units in face.range(part))
        matched = fsum(grades[number]) / weight
        ends = min(low, matched), max(high, matched)
        sides = (None, None) if rules.parts is None else (matched, matched)
        subscores[name] = SubScore(matched, pred, gold, *ends, *sides)
    return subscores


def _with_parts(problem: PartsProblem, alignment: Alignment) -> dict[str, SubScore]:
    """Return the parts of the kinds where parts may stand for one node."""
    rules, matched = problem.rules, problem.matched_of(alignment)
    ranges = problem.ranges(alignment)
    sizes = [(len(g.labels), g.n_attributes, len(g.edges)) for g in problem.graphs]
    subscores = {}
    for name in _counted(rules):
        number, weight = KINDS.index(name), rules.weights[name == "edges"]
        pred, gold = (side[number] / weight for side in matched)
        mean_total = (pred + gold) / 2
        low, high = (units / problem.scale / weight for units in ranges[name])
        ends = min(low, mean_total), max(high, mean_total)
        totals = sizes[0][number], sizes[1][number]
        subscores[name] = SubScore(mean_total, *totals, *ends, pred, gold)
    return subscores


def _groups(problem: GradedProblem, alignment: Alignment) -> dict[str, GroupCount]:
    """Count the nodes of either graph that have parts."""
    if not isinstance(problem, PartsProblem):
        return {name: GroupCount(0, 0, 0) for name in GROUPS}
    stars, ranges = problem.stars(alignment), problem.ranges(alignment)
    counts = (sum(len(star[side]) > 1 for star in stars) for side in (0, 1))
    return {
        name: GroupCount(count, *ranges[name])
        for name, count in zip(GROUPS, counts, strict=True)
    }


class KindScore(PartScore[Side]):
    """The score of one kind of items, under the best mappings of the whole graphs."""

    needs = "alignment"

    def __init__(self, kind: str, whole: LabelledMatch) -> None:
        summary = f"{kind} under the best mapping of nodes and edges"
        super().__init__(whole, kind, kind.capitalize(), summary)
        self.whole = whole
        if whole.rules.parts is not None:
            self.width = WIDTH

    @property
    def preparation_key(self) -> Hashable:
        return self.whole.preparation_key

    @property
    def comparison_key(self) -> Hashable:
        return KindScore, self.whole

    def read(self, value: Any) -> ReadItem:
        return self.whole.read(value)

    def prepare(self, item: Any) -> Side:
        return self.whole.prepare(item)

    def build_problem(self, left: Side, right: Side) -> GradedProblem:
        return self.whole.build_problem(left, right)

    def compare_shared(
        self, sides: Sequence[Any], limits: Limits | None, want: Want
    ) -> Any:
        del want
        pair: Any = self.whole.align(sides, limits, "alignment")
        return pair, of_alignment(pair.problem, pair.solution.alignment)

    def pair_of(self, comparison: Any) -> Pair:
        """Return the statistics of a kind; with parts, both sides match less alike."""
        pair, parts = comparison
        part = parts.get(self.name, SubScore(0.0, 0, 0, 0.0, 0.0))
        sizes = part.pred_total, part.gold_total
        own: Pair = self.read_off(pair, part.low, part.high, *sizes)
        if self.whole.rules.parts is None:
            return own
        less = part.matched - part.low
        pred, gold = part.matched_pred or 0.0, part.matched_gold or 0.0
        return own._replace(statistics=(*own.statistics, pred - less, gold - less))

    def scores(self, sums: Statistics) -> FScore:
        score = super().scores(sums[: PartScore.width])
        return score if self.width < WIDTH else with_two_counts(score, sums)

    def score_rows(self, sums: Any) -> Any:
        rows = super().score_rows(sums)
        return rows if self.width < WIDTH else rows_of_two_counts(rows, sums)

    def counting_signature(self) -> list[tuple[str, str]]:
        return [*self.whole.counting_signature(), ("parts", "main")]


def kind_scores(whole: LabelledMatch) -> list[Metric]:
    """Return a metric for each kind that counts, for one evaluation."""
    return [KindScore(kind, whole) for kind in _counted(whole.rules)]
