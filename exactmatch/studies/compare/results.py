"""Systems compared on the same references, under one metric and under several."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, ClassVar, NamedTuple

from exactmatch.base.numbers import fixed, is_missing, p_text, p_value, several
from exactmatch.base.visible import visible
from exactmatch.metrics.score import Score
from exactmatch.scoring.exchange import fewest
from exactmatch.scoring.paired_tests import PairedTest
from exactmatch.scoring.resampling import Interval, Sampling, Test
from exactmatch.scoring.results import PairResult, pair_record
from exactmatch.scoring.rows import SCORE_NAMES
from exactmatch.scoring.tables import Losses
from exactmatch.studies.answer import Answer, OfFirstMetric, of_metric

SIGNIFICANT = 0.05  # a difference is called significant where p is no greater
POINTS = 0.5  # of a hundred: the difference that a comparison should be able to see
POWER = 0.8  # how often a test should see it
HEADLINE = SCORE_NAMES.index("score")  # the headline number's place among values


@dataclass(frozen=True, slots=True)
class Deciding:
    """A pair that a difference between two systems rests on."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    baseline_score: float
    system_score: float
    share: float | None  # of the corpus difference, to which all pairs' shares sum
    without: float | None = None  # the corpus difference without the pair, if no share

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
    ranks: tuple[int, int] | None = None  # between which the tests leave the rank

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


def columns_of_pair(own: Sequence[ComparedPair]) -> dict[str, Any]:
    """A pair's columns under the first metric: each system, and what is lowest."""
    first = own[0]
    gains, scores = first.differences.values(), first.scores
    lowest = min(scores.values(), default=None)
    return {
        **first.about(),
        **{name: scores.get(name) for name in first.results},
        "score": lowest,
        "f1": lowest,
        "difference": max(gains, key=abs, default=None),
    }


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
    tests: Mapping[tuple[str, str], PairedTest] = field(default_factory=dict)
    """The tests of two systems, the second held against the first."""
    corrected: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Their p-values, corrected for all tests of the family (Holm 1979)."""
    tested: int = 0  # tests that p-values are corrected for
    documents: int | None = None  # that are exchanged and split as wholes, if they are

    @property
    def units(self) -> int:
        """How many pairs or documents are exchanged and split."""
        return self.pairs if self.documents is None else self.documents

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
        pairs = of_documents(self.pairs, self.documents)
        return visible(f"{self.metric}: {', '.join(shown)}; {pairs}")


@dataclass(frozen=True, slots=True)
class Winner:
    """The system that is best under one metric, and how sure that is."""

    metric: str
    best: str
    ranks: tuple[int, int] | None  # between which the tests leave its rank
    runner_up: str
    test: PairedTest | None  # between the two
    p_value: float | None  # of the test, corrected for one test a metric
    best_in: float | None  # share of resampled corpora in which it is best

    @property
    def gain(self) -> float | None:
        """By how much the best is better than the runner-up."""
        return None if self.test is None else abs(self.test.difference)


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
    they strictly prefer different ones (Opitz et al., table 8).  NaN where a metric has
    all systems equal, or there is nothing to compare.
    """

    first: str
    second: str
    tau: float  # Kendall's τ-b of the systems' scores
    disagreement: float
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
        sampling: samples, level and seed of intervals and tests.
        lost: what the metrics' readers left out of each system's graphs.
        signatures: what determines the numbers, of each metric.
        winners: the best system under each metric, where there are several metrics.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> found = exactmatch.compare({"one": golds, "other": golds[::-1]}, golds)
    >>> found.baseline, found.pairs
    ('one', 2)
    >>> found
    smatch: one 1.0000, other 0.3333 (Δ -0.6667, p 0.5000); 2 pairs
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
    sampling: Sampling
    lost: Losses
    signatures: tuple[str, ...]
    winners: tuple[Winner, ...] = ()

    metric = OfFirstMetric[str]("The metric's name.")
    baseline = OfFirstMetric[str]("The system that the others are tested against.")
    pairs = OfFirstMetric[int]("How many pairs the systems were compared on.")
    standings = OfFirstMetric[tuple[Standing, ...]]("The systems, best first.")
    results = OfFirstMetric[Mapping[str, Sequence[PairResult]]](
        "Each system's score for each pair."
    )

    def __getitem__(self, metric: str) -> MetricComparison:
        return of_metric({one.metric: one for one in self.metrics}, metric)

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


def verdicts(compared: Comparison) -> tuple[str, ...]:
    """Return a sentence for each system that is held against the baseline."""
    lines = [
        _verdict(comparison, standing, standing.test)
        for comparison in compared.metrics
        for standing in comparison.standings
        if standing.test is not None
    ]
    if len(compared.winners) > 1:
        lines.append(_winners_verdict(compared.winners))
    return tuple(lines)


def _winners_verdict(winners: Sequence[Winner]) -> str:
    """Return a sentence about whether the best system depends on the metric."""
    counts: dict[str, int] = {}
    sure: dict[str, int] = {}
    for one in winners:
        is_sure = one.p_value is not None and one.p_value <= SIGNIFICANT
        counts[one.best] = counts.get(one.best, 0) + 1
        sure[one.best] = sure.get(one.best, 0) + is_sure
    order = sorted(counts, key=lambda name: -counts[name])
    of_all = several(len(winners), "metric")
    said = [
        f"{name} is best under {counts[name]} of {of_all}, significantly under "
        f"{sure[name]}"
        for name in order
    ]
    line = "; ".join(said)
    if not any(sure.values()):
        return f"{line}: these data do not decide"
    if len(order) > 1:
        return f"{line}: the choice of metric decides"
    return line


def _verdict(
    comparison: MetricComparison,
    standing: Standing,
    test: PairedTest,
) -> str:
    names = standing.system, comparison.baseline
    better, worse = names if test.difference > 0 else names[::-1]
    under = f"under {comparison.metric}"
    pairs = of_documents(test.pairs, test.documents)
    p = standing.p_value
    if not test.differing and not test.difference:
        return f"{better} and {worse} are equal {under} ({pairs})"
    is_better = (
        f"{better} is better than {worse} {under} by "
        f"{fixed(abs(test.difference), 2, percent=True)} points"
    )
    if p is None or is_missing(p):
        if not test.difference:
            is_better = f"{better} and {worse} are equal {under}"
        why = "no time was left to test" if test.late else "too few to test"
        return f"{is_better} ({pairs}, {why})"
    sure = f"{p_text(p)}, {pairs}"
    if p <= SIGNIFICANT:
        between = test.interval
        if between is not None and between.low * between.high > 0:
            ends = sorted(abs(end) for end in (between.low, between.high))
            level = f"{100 * between.level:g} %"
            low, high = (fixed(end, 2, percent=True) for end in ends)
            sure += f", {level}: {low} to {high}"
        return f"{is_better} ({sure})"
    line = f"no significant difference between {better} and {worse} {under} ({sure})"
    needed = fewest(1 - SIGNIFICANT)
    if test.differing < needed:
        return (
            f"{line}; {_few(test, names)}, and fewer than {needed} differing "
            f"{'outputs' if test.documents is None else 'documents'} "
            f"cannot be significant at {100 * SIGNIFICANT:g} %"
        )
    wanted = pairs_needed(test)
    if wanted is None:
        return line
    if wanted <= test.units:
        return f"{line}; one of {POINTS:g} points would have been seen"
    what = "pairs" if test.documents is None else "documents"
    return f"{line}; {wanted:,} {what} would be needed to see one of {POINTS:g} points"


def of_documents(pairs: int, documents: int | None) -> str:
    """Say how many pairs there are, and of how many documents, where these count."""
    of = "" if documents is None else f" of {several(documents, 'document')}"
    return f"{several(pairs, 'pair')}{of}"


def _few(test: PairedTest, names: tuple[str, str]) -> str:
    """Say how many outputs differ, and in whose favour."""
    of_all = several(test.units, "output" if test.documents is None else "document")
    share = f"{test.differing} of {of_all} differ{'s' * (test.differing == 1)}"
    system, baseline = names
    if test.better and not test.worse:
        return f"{share}, all in favour of {system}"
    if test.worse and not test.better:
        return f"{share}, all in favour of {baseline}"
    return f"{share}, {test.better} in favour of {system}"


def pairs_needed(test: PairedTest, points: float = POINTS) -> int | None:
    """Return how many pairs a test needs to see a difference in most cases.

    They are documents where these are the units.  The standard error is read off the
    interval and shrinks with the root of their number; the test is two-sided at 5 %
    and has a power of 80 %.  ``None`` where it has no interval, or one of no width.

    Source: Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences",
    section 2.4.
    """
    if test.interval is None or not test.interval.high > test.interval.low:
        return None
    normal, level = NormalDist(), test.interval.level
    width = (test.interval.high - test.interval.low) / 2
    error = width / normal.inv_cdf((1 + level) / 2)
    both = normal.inv_cdf(1 - SIGNIFICANT / 2) + normal.inv_cdf(POWER)
    return math.ceil(test.units * (both * error / (points / 100)) ** 2)
