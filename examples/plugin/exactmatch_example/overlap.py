"""A metric: the F1 of two graphs' concepts, each as often as it occurs.

Its option is declared once, in :class:`OverlapOptions`: Python, the command line
(``--least-length``), configuration files, help and completion have it from there.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from exactmatch.base import values
from exactmatch.base.options import Options, option
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import GraphMetric, Pair, Statistics
from exactmatch.metrics.score import FScore, Score, f_score

if TYPE_CHECKING:
    from exactmatch.solvers.solution import Limits


class OverlapOptions(Options, purpose="measures"):
    """Concepts that count."""

    least_length: int = option(
        "count only labels of at least N letters (default: 0)",
        default=0,
        read=values.natural_int,
        metavar="N",
    )


class Overlap(GraphMetric):
    """Overlap of concepts; roles do not count."""

    name = "overlap"
    title = "Overlap"
    summary = "concepts that two graphs share, whatever their roles"
    default_profile = "clean"
    options_class = OverlapOptions

    @property
    def preparation_key(self) -> Any:
        """Return a key that metrics share which prepare a graph alike."""
        return (Overlap, self.profile, self.options.least_length)

    def prepare(self, item: Graph) -> Counter[str]:
        """Count the concepts of a graph that are long enough."""
        least = self.options.least_length
        concepts = (c for c in item.concepts() if c is not None)
        return Counter(c for c in concepts if sum(map(str.isalpha, c)) >= least)

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
        least = str(self.options.least_length)
        return [("least-length", least), *self.profile.signature()]
