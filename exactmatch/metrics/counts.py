"""Metrics without a search, and scores read off sums: counts of kinds, means of pairs.

Kinds are counted in threes: what both sides have, what the prediction has, and what the
reference has.  A row of statistics holds the threes one behind the other.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from exactmatch.metrics.base import GraphMetric, Metric, Pair, Statistics
from exactmatch.metrics.score import FScore, Part, Score, f_score
from exactmatch.solvers.solution import Limits


def f1_of(
    metric: GraphMetric, counts: Part, parts: Mapping[str, Part] | None = None
) -> FScore:
    """Compute precision, recall and F1 of the counts of a metric without a search."""
    ratios = f_score(*counts)
    return FScore(
        metric.name,
        ratios[2],
        *ratios,
        *counts,
        parts=parts or {},
        of_part=metric.of_part,
        is_defined=metric.has_score(*counts[1:]),
    )


class SearchlessMetric(Metric):
    """Base of the metrics that compare without a search, and so without limits."""

    @abstractmethod
    def statistics_of(self, pred: Any, golds: Any) -> Statistics:
        """Return the statistics of a prediction and its references, all prepared."""

    def compare(self, pred: Any, *golds: Any, limits: Limits | None = None) -> Pair:
        del limits
        return Pair(self.statistics_of(pred, golds))


class DirectMetric(SearchlessMetric, GraphMetric):
    """Base of the metrics that compare a graph with one reference without a search."""

    takes_one = True

    @abstractmethod
    def statistics(self, pred: Any, gold: Any) -> Statistics:
        """Return the statistics of a prediction and its reference, both prepared."""

    def statistics_of(self, pred: Any, golds: Any) -> Statistics:
        return self.statistics(*self.pred_and_gold((pred, *golds)))


class MeanMetric(SearchlessMetric):
    """Base class of metrics whose corpus score is the mean of the pair scores.

    Statistics: the sums of the pairs' scores (and of their precisions and recalls), and
    the number of pairs.
    """

    width = 4

    def scores(self, sums: Statistics) -> Score:
        *totals, pairs = sums
        score, *precision_and_recall = [
            total / pairs if pairs else 0.0 for total in totals
        ]
        precision, recall = precision_and_recall or (None, None)
        return Score(self.name, score, precision, recall, is_defined=bool(pairs))

    def score_rows(self, sums: Any) -> Any:
        import numpy as np

        pairs = sums[:, -1:]
        means = np.full((len(sums), sums.shape[1] - 1), np.nan)
        np.divide(sums[:, :-1], pairs, out=means, where=pairs > 0)
        scores = np.full((len(sums), 3), np.nan)
        scores[:, 2] = means[:, 0]
        scores[:, : means.shape[1] - 1] = means[:, 1:]
        return scores
