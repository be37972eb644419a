"""A metric: the F1 of two graphs' concepts, each as often as it occurs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import GraphMetric, Pair, Statistics
from exactmatch.metrics.score import FScore, Score, f_score

if TYPE_CHECKING:
    from exactmatch.solvers.solution import Limits


class Overlap(GraphMetric):
    """The overlap of concepts; roles do not count."""

    name = "overlap"
    title = "Overlap"
    summary = "concepts that two graphs share, whatever their roles"
    default_profile = "clean"

    def prepare(self, item: Graph) -> Counter[str]:
        """Count the concepts of a graph."""
        return Counter(concept for concept in item.concepts() if concept is not None)

    def compare(
        self, pred: Counter[str], *golds: Counter[str], limits: Limits | None = None
    ) -> Pair:
        """Count what both have, what the prediction has, what the reference has."""
        del limits
        (gold,) = golds
        return Pair(((pred & gold).total(), pred.total(), gold.total()))

    def identity(self) -> Statistics:
        """Return the counts of no pairs."""
        return (0, 0, 0)

    def scores(self, sums: Statistics) -> Score:
        """Turn counts, of a pair or of a corpus, into precision, recall and F1."""
        matched, pred_total, gold_total = sums
        precision, recall, f1 = f_score(matched, pred_total, gold_total, nothing=1.0)
        return FScore(self.name, f1, precision, recall, f1)

    def signature(self) -> list[tuple[str, str]]:
        """Name all that determines the number, besides the metric."""
        return self.profile.signature()
