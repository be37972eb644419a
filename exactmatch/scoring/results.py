"""The results of scoring a pair, a corpus, and a whole evaluation.

A :class:`PairResult` is one pair under one metric, a :class:`CorpusScore` one metric's
number for all pairs, and :class:`Findings` the corpus scores of every metric with
what was left out and counted: warnings, predictions that are no well-formed graphs,
and results whose search was left open or whose proof was refused.  All are frozen.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from exactmatch.base.errors import InputError, UnknownKeyError
from exactmatch.base.visible import visible
from exactmatch.formats.pairs import Omission
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.score import Score
from exactmatch.solvers.solution import Solution

if TYPE_CHECKING:
    from exactmatch.engine.problem import StatedProblem
    from exactmatch.stats.resampling import Interval


@dataclass(frozen=True, slots=True, repr=False)
class PairResult:
    """One pair under one metric.

    Attributes:
        index: the pair's number, from 0.
        id: its ``# ::id``, if it has one.
        score: precision, recall, F1, counts, bound.
        statistics: the metric's summable numbers.
        solution: the alignment and its proof, for a metric that searches, where the
            evaluation keeps it.
        pred, gold: what was compared, where the evaluation keeps it; of a metric that
            searches the graphs as it counts them, whose variables are aligned.
        stated: the alignment problem, where the evaluation keeps it.
        dropped: what the reader left out of both texts, and how often.
        problem: what was wrong, if an empty graph stands in for a bad one.
        faults: what is wrong with the prediction's text, by kind, if it is not a
            well-formed graph (:mod:`exactmatch.formats.faults`).
        stored: whether it was found out in an earlier run and is from a cache.
        texts: what both graphs were read from, without comments, where the evaluation
            keeps graphs and they are of files.
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
    faults: tuple[str, ...] = ()
    stored: bool = False
    texts: tuple[str | None, str | None] = (None, None)

    def __repr__(self) -> str:
        found = f"{name_of(self.index, self.id)}: {self.score!r}"
        return visible(f"{found}; {self.problem}" if self.problem else found)

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
            raise InputError(
                f"the alignment problem of pair {self.index} was not kept; evaluate "
                "with keep_problems=True"
            )
        return self.stated

    @property
    def solved(self) -> Solution:
        """The solution, of a metric that searches.

        Raises:
            InputError: if the metric does not, or the evaluation did not keep it.
        """
        if self.solution is None and self.score.proven is not None:
            raise InputError(
                f"the solution of pair {self.index} was not kept; evaluate with "
                "keep_solutions=True"
            )
        if self.solution is None:
            raise InputError(f"metric {self.metric!r} searches for no alignment")
        return self.solution


@dataclass(frozen=True, slots=True, repr=False)
class CorpusScore:
    """One metric's result on a corpus.

    Attributes:
        score: the score of the summed statistics (micro average).
        macro: means of precision, recall, F1 and score over the pairs that have what
            is scored, and the most that these can be where a pair is not proven.
        pairs: how many pairs were scored.
        defined: how many of them have what is scored.
        proven: how many are proven optimal; ``None`` without a search.
        signature: all that determines the number, in one line.
        intervals: bootstrap intervals of precision, recall and score, where they
            were asked for and are defined.
        macro_intervals: the same of their means over the pairs.
        dropped: what the reader left out of well-formed graphs, and how often.
        stored: how many pairs are from a cache, and so were proven when stored.
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
    defined: int
    proven: int | None
    signature: str
    intervals: dict[str, Interval] = field(default_factory=dict)
    macro_intervals: dict[str, Interval] = field(default_factory=dict)
    confidence: float | None = None
    dropped: dict[str, int] = field(default_factory=dict)
    stored: int = 0

    def __repr__(self) -> str:
        if not self.pairs:
            return f"{self.metric} -, 0 pairs"
        pairs = f"{self.pairs:,} pair{'' if self.pairs == 1 else 's'}"
        return ", ".join(filter(None, (self.score.numbers(), pairs, self.proof())))

    def proof(self) -> str:
        """How many pairs are proven, in words; empty without a search."""
        if self.proven is None:
            return ""
        told = "all" if self.proven == self.pairs else f"{self.proven:,}"
        return f"{told} proven{self.when_stored()}"

    def when_stored(self) -> str:
        """What is to be said of pairs from a cache; empty if there are none."""
        if not self.stored:
            return ""
        told = "" if self.proven is None else ", proven when stored"
        return f" ({self.stored:,} from the cache{told})"

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
class Predictions:
    """How many predictions are well-formed graphs, and what is wrong with the others.

    A prediction is well-formed if its text is one graph that a careful reader takes
    without leniency.  Sentences are not looked at.

    Attributes:
        count: how many there were, those of pairs that were left out included.
        faulty: how many are not well-formed.
        faults: how many have a fault of each kind; one may have several.
    """

    count: int = 0
    faulty: int = 0
    faults: Mapping[str, int] = field(default_factory=dict)

    @property
    def well_formed(self) -> float | None:
        """The share of well-formed predictions; ``None`` if there was none."""
        return 1 - self.faulty / self.count if self.count else None


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


@dataclass(frozen=True, slots=True, repr=False)
class Findings:
    """All that an evaluation found, for :mod:`exactmatch.scoring.report` to write.

    Attributes:
        scores: one corpus score for each metric, in the order asked for.
        pairs: each pair's result, where they were kept.
        omitted: what was left out or replaced by an empty graph.
        warnings: the warnings while graphs were read, by kind.
        partial: whether it was interrupted before the end.
        proofs: how many results are proven, and their proofs checked.
        predictions: how many predictions are well-formed graphs.
    """

    scores: tuple[CorpusScore, ...]
    pairs: tuple[PairResult, ...] = ()
    omitted: tuple[Omission, ...] = ()
    warnings: dict[str, Warned] = field(default_factory=dict)
    partial: bool = False
    proofs: ProofCounts = field(default_factory=ProofCounts)
    predictions: Predictions = field(default_factory=Predictions)
    _places: dict[tuple[str, int | str], int] = field(
        default_factory=dict, init=False, compare=False
    )
    """Each result's place among the pairs; empty until one is asked for."""

    def __repr__(self) -> str:
        parts = [*map(repr, self.scores)]
        skipped = sum(omission.action == "skipped" for omission in self.omitted)
        if skipped:
            parts.append(f"{skipped:,} skipped")
        if empty := len(self.omitted) - skipped:
            what = "an empty graph" if empty == 1 else "empty graphs"
            parts.append(f"{empty:,} counted as {what}")
        if self.predictions.faulty:
            faulty = self.predictions.faulty
            what = "prediction" if faulty == 1 else "predictions"
            parts.append(f"{faulty:,} {what} not well-formed")
        if self.partial:
            parts.append("partial")
        return "; ".join(parts)

    def __len__(self) -> int:
        return self.scores[0].pairs if self.scores else 0

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[PairResult]:
        self.check_kept()
        first = self.scores[0].metric if self.scores else ""
        return (pair for pair in self.pairs if pair.metric == first)

    @overload
    def __getitem__(self, key: int) -> PairResult: ...

    @overload
    def __getitem__(self, key: str) -> Any: ...

    @overload
    def __getitem__(self, key: tuple[str, int | str]) -> PairResult: ...

    def __getitem__(
        self, key: SupportsIndex | str | tuple[str, SupportsIndex | str]
    ) -> CorpusScore | PairResult:
        metric, wanted = key if isinstance(key, tuple) else (None, key)
        if metric is None:
            for score in self.scores:
                if score.metric == wanted:
                    return score
            metric = self.scores[0].metric if self.scores else ""
        if not isinstance(wanted, str):
            wanted = operator.index(wanted)
        place = self._place_of().get((metric, wanted))
        if place is None:
            raise UnknownKeyError(self._unknown(metric, wanted))
        return self.pairs[place]

    def _place_of(self) -> dict[tuple[str, int | str], int]:
        """The place of each result by metric and number, and by metric and id.

        Of several pairs with one id the first is found.

        Raises:
            InputError: if the evaluation did not keep its pairs.
        """
        self.check_kept()
        if not self._places:
            found: dict[tuple[str, int | str], int] = {}
            for place, pair in enumerate(self.pairs):
                found.setdefault((pair.metric, pair.index), place)
                if pair.id is not None:
                    found.setdefault((pair.metric, pair.id), place)
            self._places.update(found)
        return self._places

    def check_kept(self) -> None:
        """Refuse to look for pairs that are not there.

        Raises:
            InputError: if the evaluation did not keep its pairs.
        """
        if not self.pairs and any(score.pairs for score in self.scores):
            raise InputError("this report has no pairs; evaluate with keep_pairs=True")

    def _unknown(self, metric: str, wanted: int | str) -> str:
        """What to say of a key that is neither a metric nor a pair."""
        names = [score.metric for score in self.scores]
        if metric not in names:
            return f"no metric is called {metric!r} (known: {', '.join(names)})"
        for omission in self.omitted:
            if wanted in (omission.index, omission.id) and omission.concerns(metric):
                return f"{metric} has no result of pair {wanted!r}: {omission}"
        keys = [key for name, key in self._place_of() if name == metric]
        if isinstance(wanted, int):
            numbers = [key for key in keys if isinstance(key, int)]
            known = f"from {min(numbers)} to {max(numbers)}" if numbers else "none"
            return f"no pair has the number {wanted} (known: {known})"
        from difflib import get_close_matches

        ids = [key for key in keys if isinstance(key, str)]
        near = get_close_matches(wanted, [*names, *ids], n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        held = f"; {len(ids):,} ids of pairs" if ids else "; no pair has an id"
        return (
            f"{wanted!r} is neither a metric nor the id of a pair{hint} (metrics: "
            f"{', '.join(names)}{held})"
        )

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
