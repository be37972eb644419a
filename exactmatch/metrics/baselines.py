"""The baselines YiSi was measured against: BLEU, sentence BLEU and chrF.

They compare sentences, not graphs, and are computed by sacreBLEU; its own
signature is part of ours.  Scores are fractions: sacreBLEU prints them times 100.

Sources: Papineni et al. (2002), "BLEU"; Lin and Och (2004) for BLEU of sentences,
smoothed by sacreBLEU's ``exp`` method (Chen and Cherry 2014, smoothing 3); Popović
(2015), "chrF"; Post (2018), "A call for clarity in reporting BLEU scores".
"""

from __future__ import annotations

from copy import copy
from functools import cache, lru_cache
from typing import Any, ClassVar

from exactmatch.base.registry import imported, installed
from exactmatch.metrics.base import Statistics, TextMetric
from exactmatch.metrics.counts import MeanMetric, SearchlessMetric
from exactmatch.metrics.score import Score


class _SacreBleuMetric(SearchlessMetric, TextMetric):
    """A metric of sacreBLEU.

    SacreBLEU's own sufficient statistics are summed, so a corpus gets the score that
    sacreBLEU gives it.
    """

    engine: ClassVar[str]
    """The class of ``sacrebleu.metrics`` that computes it."""

    settings: ClassVar[dict[str, Any]] = {}
    """Arguments of that class beyond its defaults."""

    def __init__(self) -> None:
        self._references = 1

    def sacrebleu(self) -> Any:
        """Return the object that computes the metric; sacreBLEU is imported here."""
        installed("sacrebleu", f"metric {self.name!r} needs")
        return _engine(self.engine, **self.settings)

    def expect_references(self, number: int) -> None:
        self._references = max(1, number)

    def prepare(self, item: str) -> str:
        return item

    def statistics_of(self, pred: str, golds: tuple[str, ...]) -> Statistics:
        """Return sacreBLEU's sufficient statistics of one sentence."""
        self.sacrebleu()  # which may be missing
        return _counts(self.engine, pred, golds)

    def score_of(self, statistics: Statistics) -> float:
        """Return the score of summed statistics, as a fraction."""
        summed = [int(number) for number in statistics]
        score: float = self.sacrebleu()._compute_score_from_stats(summed).score
        return score / 100.0

    def scores(self, sums: Statistics) -> Score:
        return Score(self.name, self.score_of(sums) if sums else 0.0)

    def signature(self) -> list[tuple[str, str]]:
        engine = copy(self.sacrebleu())
        engine.num_refs = self._references
        pairs = (part.split(":", 1) for part in str(engine.get_signature()).split("|"))
        return [("sacrebleu" if k == "version" else k, value) for k, value in pairs]


@cache
def _engine(name: str, **settings: Any) -> Any:
    return imported(f"sacrebleu.metrics:{name}")(**settings)


@lru_cache(maxsize=64)
def _counts(engine: str, pred: str, golds: tuple[str, ...]) -> Statistics:
    """Return the statistics of a pair, kept for BLEU and sentence BLEU in turns.

    Their settings change scores, not statistics.
    """
    stream = [[gold] for gold in golds]
    (counts,) = _engine(engine)._extract_corpus_statistics([pred], stream)
    return tuple(float(number) for number in counts)


class Bleu(_SacreBleuMetric):
    """BLEU of a corpus: n-grams are summed over its sentences.

    A pair's own score is the BLEU of a corpus of one sentence, which is 0 where no
    4-gram exists; for sentences use ``sentence-bleu``.
    """

    name = "bleu"
    title = "BLEU"
    summary = "BLEU of the sentences, n-grams summed over the corpus (sacreBLEU)"
    engine = "BLEU"


class SentenceBleu(MeanMetric, _SacreBleuMetric):
    """The mean of the sentences' BLEU, smoothed and over the n-grams that exist.

    Statistics: the sum of the sentences' scores, and their number.
    """

    name = "sentence-bleu"
    title = "sentence BLEU"
    summary = "mean BLEU of single sentences, smoothed (sacreBLEU)"
    engine = "BLEU"
    settings: ClassVar[dict[str, Any]] = {"effective_order": True}
    width = 2

    def statistics_of(self, pred: str, golds: tuple[str, ...]) -> Statistics:
        return self.score_of(super().statistics_of(pred, golds)), 1.0


class ChrF(_SacreBleuMetric):
    """chrF2 of a corpus: character n-grams are summed over its sentences."""

    name = "chrf"
    title = "chrF"
    summary = "character n-gram F-score of the sentences (sacreBLEU)"
    engine = "CHRF"
