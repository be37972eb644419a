"""One metric at work on the probes that measure the principles, and its responses.

What a probe is made of, and what of it is scored, is the probe's own:
:mod:`exactmatch.papers.principles.probes` has those of graphs, and
:mod:`exactmatch.papers.principles.sentence_probes` those of sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

import numpy as np

from exactmatch import Limits
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Metric, Pair
from exactmatch.metrics.score import Score
from exactmatch.scoring.proofs import check_proof
from exactmatch.scoring.results import PairResult


@dataclass(frozen=True, slots=True)
class Setting:
    """How probes are scored.

    Attributes:
        runs: how often a pair is scored for determinacy.
        seed: seed of everything random.
        limits: of each comparison; each has a seed of its own.
        check_proofs: whether each solution's certificate is checked.
    """

    runs: int = 5
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    check_proofs: bool = False


@dataclass(frozen=True, slots=True)
class PairScores:
    """A metric's scores of a pair.

    Attributes:
        forward: prediction against reference, in full.
        backward: the score of the same the other way round.
        again: scores of the repeated runs.
    """

    forward: PairResult
    backward: float
    again: tuple[float, ...]

    @property
    def score(self) -> float:
        """The pair's score."""
        return self.forward.score.score


@dataclass(frozen=True, slots=True)
class VariedScores:
    """A metric's scores of a varied graph or sentence.

    Attributes:
        copied, different, edits: scores of the versions of those names.
        losses: what each wrong concept loses against the graph itself.
    """

    copied: float
    different: tuple[float, ...]
    losses: dict[str, float] = field(default_factory=dict)
    edits: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedScores:
    """A metric's scores of trees and synonyms.

    Attributes:
        losses: by place and degree, what wrong concepts lose; ``leaves`` are
            as many as the degree.
        synonyms: scores of the near-synonym and of the unrelated concept.
    """

    losses: dict[str, float]
    synonyms: tuple[tuple[float, float], ...]


Scores: TypeAlias = PairScores | VariedScores | FixedScores


@dataclass(frozen=True, slots=True)
class Response:
    """A metric's answer to one probe.

    Attributes:
        scores: the scores by their meaning.
        seen: every score that was given.
        unproven: measurements whose search was left open.
        checked, rejected: certificates.
    """

    scores: Scores
    seen: tuple[float, ...]
    unproven: int
    checked: int
    rejected: int


class Judge:
    """One metric at work; keeps count of what it says."""

    def __init__(self, metric: Metric, setting: Setting) -> None:
        self._metric = metric
        self.setting = setting
        self.seen: list[float] = []
        self.unproven = self.checked = self.rejected = 0

    def prepared(self, item: Any) -> Any:
        """A graph or sentence as the metric compares it."""
        return self._metric.prepare(item)

    def compared(
        self, pred: Any, gold: Any, place: int = 0, run: int = 0
    ) -> tuple[Pair, Score]:
        """Compare what was prepared; every run of every pair has its own seed."""
        setting = self.setting
        words = np.random.SeedSequence([setting.seed, run, place])
        limits = replace(setting.limits, seed=int(words.generate_state(1)[0]))
        pair = self._metric.compare(pred, gold, limits=limits)
        score = self._metric.scores(pair.statistics)
        self.seen.append(score.score)
        self.unproven += score.proven is False
        if setting.check_proofs and pair.stated is not None and pair.solution:
            self.checked += 1
            self.rejected += bool(check_proof(pair.stated, pair.solution))
        return pair, score

    def score(self, pred: Any, gold: Any, place: int = 0, run: int = 0) -> float:
        """Score what was prepared."""
        return self.compared(pred, gold, place, run)[1].score


class Probe(Protocol):
    """A probe of a metric, which is scored on its own."""

    def put(self, judge: Judge) -> Scores:
        """Have everything about it scored."""


@dataclass(frozen=True, slots=True)
class PairProbe:
    """A pair of the user's graphs or sentences, as one metric reads them.

    Attributes:
        place: its place among the pairs; its random numbers are drawn by it.
        index, id: the pair's number and its ``# ::id``.
        pred, gold: the graphs or sentences.
    """

    place: int
    index: int
    id: str | None
    pred: Any
    gold: Any

    def put(self, judge: Judge) -> PairScores:
        """Run 0 is forward, run 1 backward, and the repeated ones follow."""
        pred, gold = judge.prepared(self.pred), judge.prepared(self.gold)
        pair, score = judge.compared(pred, gold, self.place)
        forward = PairResult(self.index, self.id, score, pair.statistics, pair.solution)
        backward = judge.score(gold, pred, self.place, 1)
        again = tuple(
            judge.score(pred, gold, self.place, 1 + run)
            for run in range(1, judge.setting.runs)
        )
        return PairScores(forward, backward, again)


@dataclass(frozen=True, slots=True)
class Plain:
    """A pair read alike for all metrics, which tells if its two sides are equal.

    Attributes:
        pred, gold: the graphs under the ``clean`` profile, or the sentences.
        equal: whether they are the same graph, or the same words.
    """

    pred: Graph | str
    gold: Graph | str
    equal: bool


def answer(
    task: tuple[int, Probe], metrics: Sequence[Metric], setting: Setting
) -> Response:
    """Put a probe to one of the metrics.

    Args:
        task: the metric's place, and the probe.
        metrics: all metrics.
        setting: how probes are scored.
    """
    number, probe = task
    judge = Judge(metrics[number], setting)
    scores = probe.put(judge)
    return Response(
        scores, tuple(judge.seen), judge.unproven, judge.checked, judge.rejected
    )
