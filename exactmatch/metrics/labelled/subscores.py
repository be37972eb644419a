"""What of a score is of nodes, of attributes and of edges.

Several mappings may be the best, and they may match more nodes and fewer edges.  So the
part of each kind has a range over all of them, of which both ends are proven.
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
from exactmatch.metrics.base import Metric, Pair, ReadItem
from exactmatch.metrics.labelled.graded_problem import (
    GradedProblem,
    Rules,
    Side,
    matched_parts,
)
from exactmatch.metrics.labelled.graph_metric import LabelledMatch
from exactmatch.metrics.score import Score, f_score
from exactmatch.solvers.enumeration import OptimalFace
from exactmatch.solvers.problem import Alignment
from exactmatch.solvers.solution import Limits

KINDS = ("nodes", "attributes", "edges")  # in the order in which they are shown


def _counted(rules: Rules) -> list[str]:
    known = KINDS if rules.count == "nodes-and-edges" else (rules.count,)
    return [kind for kind in known if rules.weights[kind == "edges"]]


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
        return self._if(self.matched)[0]

    @property
    def recall(self) -> float:
        """The share of the reference that is matched."""
        return self._if(self.matched)[1]

    @property
    def f1(self) -> float:
        """F1 under the mapping that was found."""
        return self._if(self.matched)[2]

    @property
    def f1_range(self) -> tuple[float, float]:
        """The least and the highest F1 under any best mapping."""
        return self._if(self.low)[2], self._if(self.high)[2]

    def _if(self, matched: float) -> tuple[float, float, float]:
        return f_score(matched, self.pred_total, self.gold_total, 1.0)


def of_score(score: Score) -> dict[str, SubScore]:
    """Return the parts of the kinds that count, if a graph score is proven."""
    _, stated = score.pair()
    if not isinstance(stated, GradedProblem):
        raise InputError(
            f"a {score.metric} score has no parts of nodes and edges; a graph score has"
        )
    if not score.proven:
        raise InputError("the best mappings are not known before the score is proven")
    assert score.solution is not None  # a pair is kept with its alignment
    found = of_alignment(stated, score.solution.alignment)
    return {name: p for name, p in found.items() if p.pred_total + p.gold_total}


def of_alignment(stated: GradedProblem, alignment: Alignment) -> dict[str, SubScore]:
    """Return the parts of the kinds that count, for all mappings that are as good."""
    rules, whole = stated.rules, stated.problem
    grades = matched_parts(*stated.graphs, rules, alignment)
    face = OptimalFace(whole, alignment)
    sizes = [(len(g.labels), g.n_attributes, len(g.edges)) for g in stated.graphs]
    found = {}
    for name in _counted(rules):
        number = KINDS.index(name)
        pred, gold = (size[number] for size in sizes)
        weight = rules.weights[name == "edges"]
        terms = len(whole.weight) if name == "edges" else 0
        part = replace(
            whole,
            unary=np.array(stated.parts[number]),
            first=whole.first[:terms],
            second=whole.second[:terms],
            weight=whole.weight[:terms],
        )
        low, high = (units / whole.scale / weight for units in face.range(part))
        matched = fsum(grades[number]) / weight
        ends = min(low, matched), max(high, matched)
        found[name] = SubScore(matched, pred, gold, *ends)
    return found


class KindScore(PartScore[Side]):
    """The score of one kind of items, under the best mappings of the whole graphs."""

    needs = "alignment"

    def __init__(self, kind: str, whole: LabelledMatch) -> None:
        summary = f"{kind} under the best mapping of nodes and edges"
        super().__init__(whole, kind, kind.capitalize(), summary)
        self.whole = whole

    @property
    def preparation(self) -> Hashable:
        return self.whole.preparation

    @property
    def comparison(self) -> Hashable:
        return KindScore, self.whole

    def read(self, given: Any) -> ReadItem:
        return self.whole.read(given)

    def prepare(self, item: Any) -> Side:
        return self.whole.prepare(item)

    def state(self, left: Side, right: Side) -> GradedProblem:
        return self.whole.state(left, right)

    def find(self, sides: Sequence[Any], limits: Limits | None, want: Want) -> Any:
        del want
        pair: Any = self.whole.align(sides, limits, "alignment")
        return pair, of_alignment(pair.stated, pair.solution.alignment)

    def row(self, found: Any) -> Pair:
        pair, parts = found
        part = parts.get(self.name, SubScore(0.0, 0, 0, 0.0, 0.0))
        sizes = part.pred_total, part.gold_total
        return self.read_off(pair, part.low, part.high, *sizes)

    def counting_signature(self) -> list[tuple[str, str]]:
        return [*self.whole.counting_signature(), ("parts", "main")]


def kind_scores(whole: LabelledMatch) -> list[Metric]:
    """The scores of the kinds that count, as metrics for one evaluation."""
    return [KindScore(kind, whole) for kind in _counted(whole.rules)]
