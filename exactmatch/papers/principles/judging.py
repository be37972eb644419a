"""One metric at work on the probes that measure the principles, and its responses.

What a probe is made of, and what of it is scored, is the probe's own
(:mod:`exactmatch.papers.principles.probes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from exactmatch import Limits
from exactmatch.metrics.base import Metric, Pair
from exactmatch.metrics.score import Score
from exactmatch.scoring.proofs import check_proof
from exactmatch.scoring.results import PairResult, ProofCounts

Kind: TypeAlias = Literal["graph", "text"]
"""What a metric reads."""


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


class PairScores(NamedTuple):
    """A metric's scores of a pair: in full, the other way round, of further runs."""

    forward: PairResult
    backward: float
    again: tuple[float, ...]

    @property
    def score(self) -> float:
        """The pair's score."""
        return self.forward.score.score


class VariedScores(NamedTuple):
    """A metric's scores of the versions of a graph or sentence.

    For wrong concepts it is what each loses against the graph itself.
    """

    copied: float
    different: tuple[float, ...]
    losses: Mapping[str, float]
    edits: tuple[float, ...]


class FixedScores(NamedTuple):
    """A metric's scores of trees and synonyms.

    Attributes:
        losses: by place and degree, what wrong concepts lose; ``leaves`` are
            as many as the degree.
        synonyms: scores of each near-synonym and of the unrelated concept.
    """

    losses: dict[str, float]
    synonyms: tuple[tuple[float, float], ...]


Scores: TypeAlias = PairScores | VariedScores | FixedScores


class Response(NamedTuple):
    """A metric's answer to one probe: scores by their meaning, every score, proofs."""

    scores: Scores
    seen: list[float]
    proofs: ProofCounts


class Judge:
    """One metric at work; keeps count of what it says."""

    def __init__(self, metric: Metric, setting: Setting) -> None:
        self._metric = metric
        self.prepare = metric.prepare
        self.setting = setting
        self.seen: list[float] = []
        self.proofs = ProofCounts()

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
        checked = rejected = False
        if setting.check_proofs and pair.stated is not None and pair.solution:
            checked = True
            rejected = bool(check_proof(pair.stated, pair.solution))
        self.proofs += ProofCounts(score.proven is False, checked, rejected)
        return pair, score

    def score(self, pred: Any, gold: Any, place: int = 0, run: int = 0) -> float:
        """Score what was prepared."""
        return self.compared(pred, gold, place, run)[1].score


class Probe(Protocol):
    """A probe of a metric, which is scored on its own."""

    def put(self, judge: Judge) -> Scores:
        """Have everything about it scored."""


def answer(
    task: tuple[int, Probe], metrics: Sequence[Metric], setting: Setting
) -> Response:
    """Put a probe to one of the metrics; a task is the metric's place and the probe."""
    number, probe = task
    judge = Judge(metrics[number], setting)
    scores = probe.put(judge)
    return Response(scores, judge.seen, judge.proofs)
