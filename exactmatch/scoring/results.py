"""The results of scoring a pair, a corpus, and a whole evaluation.

A :class:`PairResult` is one pair under one metric, a :class:`CorpusScore` one metric's
number for all pairs, and a :class:`Report` the corpus scores of every metric with
what was left out.  All of them are frozen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exactmatch.errors import InputError
from exactmatch.metrics.base import Score, Statistics
from exactmatch.reading.pairs import Omission
from exactmatch.solvers.solution import Solution

if TYPE_CHECKING:
    from exactmatch.alignment.problem import StatedProblem
    from exactmatch.scoring.resampling import Interval


@dataclass(frozen=True, slots=True)
class PairResult:
    """One pair under one metric.

    Attributes:
        index: the pair's number, from 0.
        id: its ``# ::id``, if it has one.
        score: precision, recall, F1, counts, bound.
        statistics: the metric's summable numbers.
        solution: the alignment and its proof, for a metric that searches.
        pred, gold: what was compared, where the evaluation keeps it; of a metric that
            searches the graphs as it counts them, whose variables are aligned.
        stated: the alignment problem, where the evaluation keeps it.
        dropped: what the reader left out of both texts, and how often.
        problem: what was wrong, if an empty graph stands in for a bad one.
        rejected: why the certificate was refused; empty if it was found right,
            ``None`` if it was not checked.

    >>> import exactmatch
    >>> gold = "(b / bark-01 :ARG0 (d / dog))"
    >>> report = exactmatch.evaluate(["(b / bark-01)"], [gold])
    >>> pair = report.pairs[0]
    >>> pair.score.matched, pair.solution.is_optimal
    (2, True)
    """

    index: int
    id: str | None
    score: Score
    statistics: Statistics
    solution: Solution | None = None
    pred: Any = None
    gold: Any = None
    problem: str | None = None
    rejected: str | None = None
    stated: StatedProblem | None = None
    dropped: tuple[tuple[str, int], ...] = ()

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.score.metric

    @property
    def stated_problem(self) -> StatedProblem:
        """The alignment problem.

        Raises:
            InputError: if the evaluation did not keep it.
        """
        if self.stated is None:
            raise InputError(f"the alignment problem of pair {self.index} was not kept")
        return self.stated

    @property
    def solved(self) -> Solution:
        """The solution, of a metric that searches.

        Raises:
            InputError: if the metric does not.
        """
        if self.solution is None:
            raise InputError(f"metric {self.metric!r} searches for no alignment")
        return self.solution


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """One metric's result on a corpus.

    Attributes:
        score: the score of the summed statistics (micro average).
        macro: means over the pairs of precision, recall, F1 and score.
        pairs: how many pairs were scored.
        proven: how many are proven optimal; ``None`` without a search.
        signature: all that determines the number, in one line.
        intervals: bootstrap intervals of precision, recall and score, where they
            were asked for and are defined.
        macro_intervals: the same of their means over the pairs.
        dropped: what the reader left out of well-formed graphs, and how often.
        confidence: the level that intervals were asked for at, if they were; few
            pairs have none even then.

    >>> import exactmatch
    >>> gold = "(b / bark-01 :ARG0 (d / dog))"
    >>> report = exactmatch.evaluate(["(b / bark-01)"], [gold])
    >>> corpus = report["smatch"]
    >>> corpus.pairs, corpus.proven, corpus.score.recall
    (1, 1, 0.5)
    """

    score: Score
    macro: dict[str, float | None]
    pairs: int
    proven: int | None
    signature: str
    intervals: dict[str, Interval] = field(default_factory=dict)
    macro_intervals: dict[str, Interval] = field(default_factory=dict)
    confidence: float | None = None
    dropped: dict[str, int] = field(default_factory=dict)

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.score.metric

    @property
    def interval(self) -> Interval | None:
        """The bootstrap interval of the headline number, if it was asked for."""
        return self.intervals.get("score")


@dataclass(frozen=True, slots=True)
class Warned:
    """The warnings of one kind.

    Attributes:
        count: how many there were.
        examples: the texts of the first ones.
    """

    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProofCounts:
    """How many results are unproven, and how many proofs were checked and rejected.

    Attributes:
        unproven: results that a search left open.
        checked, rejected: certificates.
    """

    unproven: int = 0
    checked: int = 0
    rejected: int = 0

    def __add__(self, other: ProofCounts) -> ProofCounts:
        return ProofCounts(
            self.unproven + other.unproven,
            self.checked + other.checked,
            self.rejected + other.rejected,
        )


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an evaluation.

    Attributes:
        scores: one corpus score for each metric, in the order asked for.
        pairs: each pair's result, where they were kept.
        omitted: what was left out or replaced by an empty graph.
        warnings: the warnings while graphs were read, by kind.
        partial: whether it was interrupted before the end.
        proofs: how many results are proven, and their proofs checked.

    >>> import exactmatch
    >>> report = exactmatch.evaluate(["(b / bark-01)"], ["(b / bark-01)"])
    >>> [corpus.metric for corpus in report.scores], report.is_proven, report.omitted
    (['smatch'], True, ())
    """

    scores: tuple[CorpusScore, ...]
    pairs: tuple[PairResult, ...] = ()
    omitted: tuple[Omission, ...] = ()
    warnings: dict[str, Warned] = field(default_factory=dict)
    partial: bool = False
    proofs: ProofCounts = ProofCounts()

    def __getitem__(self, metric: str) -> CorpusScore:
        for found in self.scores:
            if found.metric == metric:
                return found
        raise KeyError(metric)

    def by_metric(self) -> dict[str, dict[int, PairResult]]:
        """Each metric's results by the pairs' numbers, where they were kept."""
        found: dict[str, dict[int, PairResult]] = {s.metric: {} for s in self.scores}
        for pair in self.pairs:
            found[pair.metric][pair.index] = pair
        return found

    @property
    def precision(self) -> float | None:
        """Precision of the first metric."""
        return self.scores[0].score.precision

    @property
    def recall(self) -> float | None:
        """Recall of the first metric."""
        return self.scores[0].score.recall

    @property
    def f1(self) -> float | None:
        """F1 of the first metric."""
        return self.scores[0].score.f1

    @property
    def score(self) -> float:
        """The headline number of the first metric."""
        return self.scores[0].score.score

    @property
    def is_proven(self) -> bool:
        """Whether every pair of every metric that searches is proven optimal."""
        return all(s.proven in (None, s.pairs) for s in self.scores)


def name_of(index: int, name: str | None) -> str:
    """The name of a pair in messages: its number, and its id if it has one."""
    return f"pair {index}" + (f" ({name})" if name else "")
