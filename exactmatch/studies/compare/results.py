"""Systems compared on the same references, under one metric and under several."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, ClassVar, NamedTuple

from exactmatch.base.numbers import fixed, is_missing, p_value, several, stated_p
from exactmatch.base.visible import visible
from exactmatch.metrics.score import Score
from exactmatch.scoring.resampling import (
    SCORE_NAMES,
    Bootstrap,
    Interval,
    PairedTest,
    Test,
)
from exactmatch.scoring.results import PairResult, pair_record
from exactmatch.scoring.tables import Losses
from exactmatch.studies.answer import Answer, OfFirst, of_metric
from exactmatch.studies.pairs import short_names

HEADLINE = SCORE_NAMES.index("score")  # the headline number's place among values


@dataclass(frozen=True, slots=True)
class Deciding:
    """A pair that a difference between two systems rests on."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    baseline_score: float
    system_score: float
    influence: float  # how much smaller the corpus difference is without the pair

    @property
    def difference(self) -> float:
        """The system's score of the pair less the baseline's."""
        return self.system_score - self.baseline_score


@dataclass(frozen=True, slots=True)
class Standing:
    """One system under one metric.

    There is no test of the baseline itself, or where one of both has no score.  The
    p-value is corrected (Holm 1979) where there are several.
    """

    system: str
    rank: int  # 1 for the best; scores that are printed alike share a rank
    score: Score
    values: tuple[float, ...]  # precision, recall and score; NaN where undefined
    intervals: tuple[Interval | None, ...]  # of these
    test: PairedTest | None  # against the baseline
    corrected: float | None
    deciding: tuple[Deciding, ...]  # the pairs with the largest differences from it
    pairs: int = 0  # that have what is scored
    upper: float | None = None  # the most that the score can be, where it is known

    @property
    def p_value(self) -> float | None:
        """The p-value, corrected where there are several tests."""
        if self.corrected is None and self.test is not None:
            return self.test.p_value
        return self.corrected


@dataclass(frozen=True, slots=True, repr=False)
class ComparedPair:
    """The scores of all systems for one pair under one metric."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    metric: str
    baseline: str  # the system that the others are held against
    results: Mapping[str, PairResult] = field(repr=False)  # the best system's first

    FIELDS: ClassVar = (
        *("index", "id", "metric", "system", "baseline", "precision", "recall"),
        *("score", "f1_upper", "difference"),
    )
    """The columns of :meth:`rows`."""

    def __repr__(self) -> str:
        scores, differences, shown = self.scores, self.differences, []
        for name in self.results:
            shown.append(f"{name} {fixed(scores.get(name), 4)}")
            if name in differences:
                shown[-1] += f" (Δ {fixed(differences[name], 4, signed=True)})"
        name = str(self.index + 1) if self.id is None else self.id
        return visible(f"pair {name}: {self.metric} {', '.join(shown)}")

    @property
    def scores(self) -> dict[str, float]:
        """Each system's score, of those for which there is something to score."""
        results = self.results.items()
        return {name: r.score.score for name, r in results if r.score.is_defined}

    @property
    def differences(self) -> dict[str, float]:
        """By how much each other system is better than the baseline, of the same."""
        scores = self.scores
        against = scores.pop(self.baseline, None)
        if against is None:
            return {}
        return {name: score - against for name, score in scores.items()}

    def about(self) -> dict[str, Any]:
        """Which pair and metric it is."""
        return {"index": self.index, "id": self.id, "metric": self.metric}

    def record(self) -> dict[str, Any]:
        """Everything, as an object of JSON."""
        scores, differences = self.scores, self.differences
        others = [name for name in self.results if name != self.baseline]
        return {
            **self.about(),
            "baseline": self.baseline,
            "scores": {name: scores.get(name) for name in self.results},
            "differences": {name: differences.get(name) for name in others},
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each system, as CSV and data frames have it."""
        differences = self.differences
        for name, result in self.results.items():
            row = pair_record(result) | {"system": name, "baseline": self.baseline}
            row["difference"] = differences.get(name)
            yield {field: row[field] for field in self.FIELDS}


@dataclass(frozen=True, slots=True, repr=False)
class MetricComparison:
    """All systems under one metric."""

    metric: str
    baseline: str  # the system that the others are tested against
    pairs: int  # how many pairs they were compared on
    standings: tuple[Standing, ...]  # the best first
    results: Mapping[str, Sequence[PairResult]] = field(
        default_factory=dict, compare=False
    )
    tests: int = 0  # that p-values are corrected for

    def per_pair(self) -> tuple[ComparedPair, ...]:
        """Every system's score for each pair, as ``compare --per-pair`` shows it."""
        names = [standing.system for standing in self.standings]
        both, found = (self.metric, self.baseline), []
        for own in zip(*(self.results[name] for name in names), strict=True):
            results = dict(zip(names, own, strict=True))
            found.append(ComparedPair(own[0].index, own[0].id, *both, results))
        return tuple(found)

    def __repr__(self) -> str:
        shown = []
        for standing in self.standings:
            shown.append(f"{standing.system} {fixed(standing.values[HEADLINE], 4)}")
            if test := standing.test:
                p = "" if test.p_value is None else f", p {p_value(test.p_value)}"
                shown[-1] += f" (Δ {fixed(test.difference, 4, signed=True)}{p})"
        pairs = several(self.pairs, "pair")
        return visible(f"{self.metric}: {', '.join(shown)}; {pairs}")


@dataclass(frozen=True, slots=True)
class HumanAccuracy:
    """How reliably a metric orders two systems as people do.

    The accuracy is the share of resampled corpora in which the metric's and people's
    scores differ with the same sign, or neither differ; ``None`` of few pairs.
    """

    metric: str
    first: str
    second: str
    human_first: float  # people's score of the first
    human_second: float
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two outputs for the same reference that two metrics order differently."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    first_prefers: str  # the system that the first metric scores higher
    second_prefers: str
    first_gain: float  # by how much
    second_gain: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two metrics' view of the same systems.

    They disagree about a share of the pairs of outputs for the same reference, of which
    they strictly prefer different ones (Opitz et al., table 8).  The p-value is that of
    a paired t-test of the differences that they see between the outputs.  NaN where a
    metric has all systems equal, or there is nothing to test.
    """

    first: str
    second: str
    tau: float  # Kendall's τ-b of the systems' scores
    disagreement: float
    p_value: float
    examples: tuple[Disagreement, ...]  # the clearest first (Opitz et al., figure 11)


class Shape(NamedTuple):
    """The shape of a graph, or the mean error in it.

    It is that of its simplified form: variables, concepts and constants are nodes
    (equal concepts and equal constants are one node), and two nodes are joined by at
    most one edge in each direction.

    Attributes:
        degree: mean node degree, 2|E| / |V|.
        density: share of all possible edges, |E| / (|V| (|V| - 1)).
        nodes, edges: |V| and |E|.

    Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
    Principles", table 9, and their ``graph_structure_error.py``; other than there, a
    variable and a concept of the same name are two nodes.
    """

    degree: float
    density: float
    nodes: float
    edges: float


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Answer):
    """Systems under one metric or several.

    ``found["sembleu"]`` is the comparison under one metric; the attributes that the two
    have in common are those of the first metric.

    Attributes:
        agreements: how far every two metrics agree.
        accuracies: how reliably each metric orders systems as people do.
        errors: each system's error in the shape of its graphs, where measured.
        remarks: what looks wrong about the files.
        test: where p-values come from.
        bootstrap: samples, level and seed of intervals and tests.
        lost: what the metrics' readers left out of each system's graphs.
        signatures: what determines the numbers, of each metric.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> found = exactmatch.compare({"one": golds, "other": golds[::-1]}, golds)
    >>> found.baseline, found.pairs
    ('one', 2)
    >>> found
    smatch: one 1.0000, other 0.3333 (Δ -0.6667); 2 pairs
    >>> found.per_pair()[1]
    pair 2: smatch one 1.0000, other 0.3333 (Δ -0.6667)
    """

    VIEW = "exactmatch.studies.compare.view:tables"

    metrics: tuple[MetricComparison, ...]
    agreements: tuple[Agreement, ...]
    accuracies: tuple[HumanAccuracy, ...]
    errors: Mapping[str, Shape]
    remarks: tuple[str, ...]
    test: Test
    bootstrap: Bootstrap
    lost: Losses
    signatures: tuple[str, ...]

    metric = OfFirst[str]("The metric's name.")
    baseline = OfFirst[str]("The system that the others are tested against.")
    pairs = OfFirst[int]("How many pairs the systems were compared on.")
    standings = OfFirst[tuple[Standing, ...]]("The systems, best first.")
    results = OfFirst[Mapping[str, Sequence[PairResult]]](
        "Each system's score for each pair."
    )

    def __getitem__(self, metric: str) -> MetricComparison:
        return of_metric({one.metric: one for one in self.metrics}, metric)

    @property
    def short_names(self) -> dict[str, str]:
        """The systems' names as tables and sentences have them."""
        return short_names([one.system for one in self.standings])

    def per_pair(self) -> tuple[ComparedPair, ...]:
        """Every system's score for each pair, as ``compare --per-pair`` shows it."""
        return tuple(pair for one in self.metrics for pair in one.per_pair())

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a row for each pair and system, as ``--per-pair`` has in CSV."""
        return self._frame(backend, per_pair=True)

    def __repr__(self) -> str:
        first, *others = self.metrics
        more = f"; {several(len(others), 'more metric')}" if others else ""
        return f"{first!r}{more}"


SIGNIFICANT = 0.05  # a difference is called significant where p is no greater
POINTS = 0.5  # of a hundred: the difference that a comparison should be able to see
POWER = 0.8  # how often a test should see it


def verdicts(found: Comparison) -> tuple[str, ...]:
    """Return a sentence for each system that is held against the baseline."""
    short = found.short_names
    return tuple(
        _verdict(comparison, standing, standing.test, short)
        for comparison in found.metrics
        for standing in comparison.standings
        if standing.test is not None
    )


def _verdict(
    comparison: MetricComparison,
    standing: Standing,
    test: PairedTest,
    short: Mapping[str, str],
) -> str:
    names = short[standing.system], short[comparison.baseline]
    better, worse = names if test.difference > 0 else names[::-1]
    under, pairs = f"under {comparison.metric}", several(test.pairs, "pair")
    is_better = (
        f"{better} is better than {worse} {under} by "
        f"{fixed(100 * abs(test.difference), 2)} points"
    )
    p = standing.p_value
    if p is None or is_missing(p):
        if not test.difference:
            is_better = f"{better} and {worse} are equal {under}"
        return f"{is_better} ({pairs}, too few to test)"
    sure = f"{stated_p(p)}, {pairs}"
    if p <= SIGNIFICANT:
        between = test.interval
        if between is not None and between.low * between.high > 0:
            low, high = sorted(100 * abs(end) for end in (between.low, between.high))
            level = f"{100 * between.level:g} %"
            sure += f", {level}: {fixed(low, 2)} to {fixed(high, 2)}"
        return f"{is_better} ({sure})"
    told = f"no significant difference between {better} and {worse} {under} ({sure})"
    needed = pairs_needed(test)
    if needed is None:
        return told
    if needed <= test.pairs:
        return f"{told}; one of {POINTS:g} points would have been seen"
    return f"{told}; {needed:,} pairs would be needed to see one of {POINTS:g} points"


def pairs_needed(test: PairedTest, points: float = POINTS) -> int | None:
    """Return how many pairs a test needs to see a difference in most cases.

    The standard error is read off the interval and shrinks with the root of the number
    of pairs; the test is two-sided at 5 % and has a power of 80 %.  ``None`` where it
    has no interval, or one of no width.

    Source: Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences",
    section 2.4.
    """
    if test.interval is None or not test.interval.high > test.interval.low:
        return None
    normal, level = NormalDist(), test.interval.level
    width = (test.interval.high - test.interval.low) / 2
    error = width / normal.inv_cdf((1 + level) / 2)
    both = normal.inv_cdf(1 - SIGNIFICANT / 2) + normal.inv_cdf(POWER)
    return math.ceil(test.pairs * (both * error / (points / 100)) ** 2)
