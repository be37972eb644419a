"""Results of a comparison of systems, under one metric or several."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, ClassVar, NamedTuple

from exactmatch.base.numbers import fixed, is_missing, p_text, p_value, several
from exactmatch.base.visible import visible
from exactmatch.metrics.score import Score
from exactmatch.scoring.exchange import TIE, fewest
from exactmatch.scoring.paired_tests import PairedTest
from exactmatch.scoring.resampling import Interval, Sampling, Test
from exactmatch.scoring.results import PairResult, pair_record
from exactmatch.scoring.rows import SCORE_NAMES
from exactmatch.scoring.tables import Losses
from exactmatch.studies.answer import Answer, OfFirstMetric, of_metric

SIGNIFICANT = 0.05  # a difference is called significant where p is no greater
POINTS = 0.5  # difference, in points of 100, that a comparison should be able to see
POWER = 0.8  # probability that a test sees it
HEADLINE = SCORE_NAMES.index("score")  # index of the headline number among values


@dataclass(frozen=True, slots=True)
class Deciding:
    """Pair that decides between two systems."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    baseline_score: float
    system_score: float
    share: float | None  # of the corpus difference; all shares sum to it
    without: float | None = None  # the corpus difference without the pair, if no share

    @property
    def difference(self) -> float:
        """The system's score of the pair minus the baseline's."""
        return self.system_score - self.baseline_score


@dataclass(frozen=True, slots=True)
class Standing:
    """One system under one metric.

    The test is ``None`` for the baseline itself and where one of the two systems has no
    score.  The p-value is corrected (Holm 1979) where there are several tests.
    """

    system: str
    rank: int  # 1 for the best; scores that are printed alike share a rank
    score: Score
    values: tuple[float, ...]  # precision, recall and score; NaN where undefined
    intervals: tuple[Interval | None, ...]  # of these
    test: PairedTest | None  # against the baseline
    corrected: float | None
    deciding: tuple[Deciding, ...]  # the pairs with the largest differences from it
    pairs: int = 0  # with anything to score
    upper: float | None = None  # upper bound on the score, where known
    ranks: tuple[int, int] | None = None  # best and worst rank that the tests allow
    cluster: int | None = None  # 1 for the best; ranks in different ones do not overlap

    @property
    def p_value(self) -> float | None:
        """The p-value, corrected where there are several tests."""
        if self.corrected is None and self.test is not None:
            return self.test.p_value
        return self.corrected


@dataclass(frozen=True, slots=True, repr=False)
class ComparedPair:
    """Scores of all systems for one pair under one metric."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    metric: str
    baseline: str  # the system that the others are compared with
    results: Mapping[str, PairResult] = field(repr=False)  # the best system's first

    FIELDS: ClassVar = (
        *("index", "id", "metric", "system", "baseline", "precision", "recall"),
        *("score", "f1_upper", "difference"),
    )
    """Columns of :meth:`rows`."""

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
        """Scores of the systems that have anything to score."""
        results = self.results.items()
        return {name: r.score.score for name, r in results if r.score.is_defined}

    @property
    def differences(self) -> dict[str, float]:
        """Return the others' differences from the baseline, where there are scores."""
        scores = self.scores
        against = scores.pop(self.baseline, None)
        if against is None:
            return {}
        return {name: score - against for name, score in scores.items()}

    def about(self) -> dict[str, Any]:
        """Return the pair's number and id, and the metric."""
        return {"index": self.index, "id": self.id, "metric": self.metric}

    def record(self) -> dict[str, Any]:
        """Return everything as a JSON object."""
        scores, differences = self.scores, self.differences
        other_systems = [name for name in self.results if name != self.baseline]
        return {
            **self.about(),
            "baseline": self.baseline,
            "scores": {name: scores.get(name) for name in self.results},
            "differences": {name: differences.get(name) for name in other_systems},
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each system, for CSV and data frames."""
        differences = self.differences
        for name, result in self.results.items():
            row = pair_record(result) | {"system": name, "baseline": self.baseline}
            row["difference"] = differences.get(name)
            yield {field: row[field] for field in self.FIELDS}


def columns_of_pair(pairs: Sequence[ComparedPair]) -> dict[str, Any]:
    """Return a pair's columns under the first metric: all systems, and the lowest."""
    first = pairs[0]
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
    pairs: int  # that the systems were compared on
    standings: tuple[Standing, ...]  # the best first
    results: Mapping[str, Sequence[PairResult]] = field(
        default_factory=dict, compare=False
    )
    tests: Mapping[tuple[str, str], PairedTest] = field(default_factory=dict)
    """Tests of two systems; differences are the second's score minus the first's."""
    corrected: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """P-values of these, corrected for all tests of the family (Holm 1979)."""
    tested: int = 0  # tests that p-values are corrected for
    documents: int | None = None  # exchanged and split as wholes, if these are units

    @property
    def units(self) -> int:
        """Number of pairs or documents that are exchanged and split."""
        return self.pairs if self.documents is None else self.documents

    def per_pair(self) -> tuple[ComparedPair, ...]:
        """Return every system's score for each pair, as ``compare --per-pair`` does."""
        names = [standing.system for standing in self.standings]
        metric_and_baseline, compared = (self.metric, self.baseline), []
        for pair in zip(*(self.results[name] for name in names), strict=True):
            results = dict(zip(names, pair, strict=True))
            compared.append(
                ComparedPair(pair[0].index, pair[0].id, *metric_and_baseline, results)
            )
        return tuple(compared)

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
    """Best system under one metric, and the evidence that it is best."""

    metric: str
    best: str
    ranks: tuple[int, int] | None  # best and worst rank that the tests allow
    runner_up: str
    test: PairedTest | None  # between the two
    p_value: float | None  # of the test, corrected for one test under each metric
    best_in: float | None  # share of resampled corpora in which it is best

    @property
    def gain(self) -> float | None:
        """Return the difference of the best system from the runner-up."""
        return None if self.test is None else abs(self.test.difference)


@dataclass(frozen=True, slots=True)
class HumanAccuracy:
    """Reliability with which a metric orders two systems as people do.

    The accuracy is the share of resampled corpora in which the scores of the metric and
    of people differ with the same sign, or both are equal; ``None`` for too few pairs.
    """

    metric: str
    first: str
    second: str
    human_first: float  # people's score of the first
    human_second: float
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two outputs for one reference that two metrics order differently."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    first_prefers: str  # the system that the first metric scores higher
    second_prefers: str
    first_gain: float  # by how much
    second_gain: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two metrics about the same systems.

    The disagreement is the share of pairs of outputs for one reference of which the
    metrics strictly prefer different ones (Opitz et al., table 8).  Numbers are NaN
    where a metric finds all systems equal or there is nothing to compare.
    """

    first: str
    second: str
    tau: float  # Kendall's τ-b of the systems' scores
    disagreement: float
    examples: tuple[Disagreement, ...]  # the clearest first (Opitz et al., figure 11)


class Shape(NamedTuple):
    """Shape of a graph, or the mean error in it.

    The graph is simplified: variables, concepts and constants are nodes (equal concepts
    and equal constants are one node), and two nodes are joined by at most one edge in
    each direction.

    Attributes:
        degree: mean node degree, 2|E| / |V|.
        density: share of all possible edges, |E| / (|V| (|V| - 1)).
        nodes, edges: |V| and |E|.

    Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
    Principles", table 9, and their ``graph_structure_error.py``, where a variable and a
    concept of the same name are one node; here they are two.
    """

    degree: float
    density: float
    nodes: float
    edges: float


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Answer):
    """Systems under one metric or several.

    ``result["sembleu"]`` is the comparison under one metric.  Attributes that this and
    the whole have in common are those of the first metric.

    Attributes:
        agreements: the agreement of every two metrics.
        accuracies: each metric's reliability in ordering systems as people do.
        errors: each system's error in the shape of its graphs, where measured.
        remarks: warnings about the files.
        test: the test that p-values come from.
        sampling: samples, level and seed of intervals and tests.
        lost: what the metrics' readers left out of each system's graphs.
        signatures: each metric's signature.
        winners: the best system under each metric, where there are several metrics.
        checked: what lint found in UMR files, in one line; '' if it was not asked.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> result = exactmatch.compare({"ours": golds, "theirs": golds[::-1]}, golds)
    >>> result.baseline, result.pairs
    ('ours', 2)
    >>> result
    smatch: ours 1.0000, theirs 0.3333 (Δ -0.6667, p 0.5000); 2 pairs
    >>> result.per_pair()[1]
    pair 2: smatch ours 1.0000, theirs 0.3333 (Δ -0.6667)
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
    checked: str = ""

    metric = OfFirstMetric[str]("Name of the metric.")
    baseline = OfFirstMetric[str]("System that the others are tested against.")
    pairs = OfFirstMetric[int]("Number of pairs that the systems were compared on.")
    standings = OfFirstMetric[tuple[Standing, ...]]("Systems, the best first.")
    results = OfFirstMetric[Mapping[str, Sequence[PairResult]]](
        "Every system's score for each pair."
    )

    def __getitem__(self, metric: str) -> MetricComparison:
        return of_metric(
            {comparison.metric: comparison for comparison in self.metrics}, metric
        )

    def per_pair(self) -> tuple[ComparedPair, ...]:
        """Return every system's score for each pair, as ``compare --per-pair`` does."""
        return tuple(
            pair for comparison in self.metrics for pair in comparison.per_pair()
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a row for each pair and system, as in the CSV of ``--per-pair``."""
        return self._frame(backend, per_pair=True)

    def __repr__(self) -> str:
        first, *more_metrics = self.metrics
        more_note = (
            f"; {several(len(more_metrics), 'more metric')}" if more_metrics else ""
        )
        return f"{first!r}{more_note}"


def verdicts(compared: Comparison) -> tuple[str, ...]:
    """Return a sentence for each system that is tested against the baseline."""
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
    """Say whether the best system depends on the metric."""
    counts: dict[str, int] = {}
    sure: dict[str, int] = {}
    ties = 0
    for winner in winners:
        if winner.gain is not None and winner.gain <= TIE:
            ties += 1
            continue
        is_sure = winner.p_value is not None and winner.p_value <= SIGNIFICANT
        counts[winner.best] = counts.get(winner.best, 0) + 1
        sure[winner.best] = sure.get(winner.best, 0) + is_sure
    order = sorted(counts, key=lambda name: -counts[name])
    of_all = several(len(winners), "metric")
    sentences = [
        f"{name} is best under {counts[name]} of {of_all}, significantly under "
        f"{sure[name]}"
        for name in order
    ]
    if ties:
        sentences.append(f"{ties} of {of_all} {'has' if ties == 1 else 'have'} a tie")
    line = "; ".join(sentences)
    significant = [name for name in order if sure[name]]
    if not significant:
        return f"{line}: these data do not decide"
    if len(significant) > 1:
        return f"{line}: the winner depends on the metric"
    if len(order) > 1:
        return f"{line}: only {significant[0]} wins significantly"
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
    needed_pairs = pairs_needed(test)
    if needed_pairs is None:
        return line
    if needed_pairs <= test.units:
        return f"{line}; one of {POINTS:g} points would have been seen"
    unit = "pairs" if test.documents is None else "documents"
    return (
        f"{line}; a difference of {POINTS:g} points needs {needed_pairs:,} {unit} to "
        "be significant"
    )


def of_documents(pairs: int, documents: int | None) -> str:
    """Say how many pairs there are and, where these are units, how many documents."""
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
    """Return how many pairs (or documents) a test needs to see a difference.

    The standard error comes from the interval and shrinks with the square root of their
    number; the test is two-sided at 5 % and has a power of 80 %.  Return ``None`` if
    there is no interval or its width is 0.

    Source: Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences",
    section 2.4.
    """
    if test.interval is None or not test.interval.high > test.interval.low:
        return None
    normal, level = NormalDist(), test.interval.level
    width = (test.interval.high - test.interval.low) / 2
    error = width / normal.inv_cdf((1 + level) / 2)
    quantile_sum = normal.inv_cdf(1 - SIGNIFICANT / 2) + normal.inv_cdf(POWER)
    return math.ceil(test.units * (quantile_sum * error / (points / 100)) ** 2)
