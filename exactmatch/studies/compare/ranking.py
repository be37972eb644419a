"""Ranking of systems on the same references: tests, ranks, winners, human accuracy.

Sources: Koehn (2004), Riezler and Maxwell (2005) and Holm (1979) for the tests
(:mod:`exactmatch.scoring.paired_tests`); Song and Gildea (2019), tables 2 and 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import OutOfTimeError
from exactmatch.base.errors import InputError
from exactmatch.base.numbers import nearest
from exactmatch.metrics.base import Metric
from exactmatch.scoring.documents import Documents
from exactmatch.scoring.exchange import TIE, Matrix, SumScorer
from exactmatch.scoring.paired_tests import Weights, holm, paired_test
from exactmatch.scoring.resampling import (
    FEWEST,
    Sampling,
    Test,
    out_of_time,
    resampling_counts,
)
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.rows import (
    SCORE_NAMES,
    Codes,
    counted,
    mean_scorer,
    only,
    pair_weights,
    rows_of,
    summed,
    value_rows,
)
from exactmatch.studies.compare.deciding import deciding_pairs
from exactmatch.studies.compare.results import (
    HEADLINE,
    SIGNIFICANT,
    HumanAccuracy,
    MetricComparison,
    Standing,
    Winner,
)
from exactmatch.studies.correlate.assessments import Assessments
from exactmatch.studies.correlate.measures import preferred

DIGITS = 4  # decimals of printed scores; scores that are printed alike share a rank


def best_system(
    metric: Metric, systems: Mapping[str, Sequence[PairResult]], macro: bool = False
) -> str:
    """Return the system with the highest score on the same pairs."""
    scorer, rows = _summable(metric, systems, macro)
    has_score = {name: _having(results) for name, results in systems.items()}
    return _in_order(_values(scorer, rows, has_score), has_score)[0]


def rank_systems(
    metric: Metric,
    systems: Mapping[str, Sequence[PairResult]],
    sampling: Sampling,
    test: Test = "exchange",
    baseline: str | None = None,
    macro: bool = False,
    shown: int = 3,
    advance: Callable[[], None] = lambda: None,
    documents: Documents | None = None,
) -> MetricComparison:
    """Rank systems by their results on the same pairs, and test their differences.

    A named *baseline* is tested against each other system.  Without one, every two
    systems are tested, because the best is chosen from the same data.  The scores of
    the summed counts are compared or, with *macro*, the means over pairs.  *shown* is
    the number of deciding pairs of each system.  *documents* has the document of each
    pair, for a *sampling* whose units are documents.
    """
    pairs = len(next(iter(systems.values()), ()))
    if not pairs:
        raise InputError("no pair was scored for every system; nothing can be compared")
    scorer, rows = _summable(metric, systems, macro)
    weights: Weights = pair_weights if macro else metric.output_weights
    has_score = {name: _having(results) for name, results in systems.items()}
    codes = _codes(systems, sampling, documents)
    values = _values(scorer, rows, has_score)
    headline = {name: scores[HEADLINE] for name, scores in values.items()}
    order = _in_order(values, has_score)
    against = order[0] if baseline is None else baseline
    if baseline is None:
        couples = [*combinations(order, 2)]
    else:
        couples = [(baseline, name) for name in order if name != baseline]
    tests = {}
    for first, second in couples:
        fewer = min(int(has_score[side].sum()) for side in (first, second))
        if fewer:
            either = has_score[first] | has_score[second]
            codes_of_both = only(codes, either)
            base, system = (
                summed(rows[s][either], codes_of_both) for s in (first, second)
            )
            enough_pairs = fewer
            if codes is not None:
                parts = (only(codes, has_score[side]) for side in (first, second))
                enough_pairs = min(counted(part, fewer) for part in parts)
            result = paired_test(
                base, system, scorer, weights, HEADLINE, sampling, test, enough_pairs
            )
            if codes is not None:
                result = replace(result, pairs=fewer, documents=enough_pairs)
            tests[first, second] = result
        advance()
    standings = []
    for name in order:
        paired = tests.get((against, name))
        deciding = []
        if paired is not None:
            rows_and_scorer = rows[against], rows[name], scorer, weights
            deciding = deciding_pairs(systems[against], systems[name], *rows_and_scorer)
        total = rows_of([r.statistics for r in systems[name]]).sum(axis=0)
        score = metric.scores(tuple(total.tolist()))
        standings.append(
            Standing(
                name,
                _rank(headline[name], headline.values()),
                score,
                values[name],
                tuple(
                    sampling.intervals(
                        summed(
                            rows[name][has_score[name]], only(codes, has_score[name])
                        ),
                        scorer,
                    )
                ),
                paired,
                None,
                tuple(deciding[:shown]),
                int(has_score[name].sum()),
                _mean_upper(systems[name]) if macro else score.f1_upper,
            )
        )
    compared = MetricComparison(
        metric.name,
        against,
        pairs,
        tuple(standings),
        systems,
        tests=tests,
        documents=None if codes is None else counted(codes, pairs),
    )
    return corrected_together([compared])[0]


def _codes(
    systems: Mapping[str, Sequence[PairResult]],
    sampling: Sampling,
    documents: Documents | None,
) -> Codes | None:
    """Return each pair's document, if documents are the units."""
    if sampling.unit == "pair" or documents is None:
        return None
    results = next(iter(systems.values()))
    return documents.codes([result.index for result in results])


def _having(results: Sequence[PairResult]) -> npt.NDArray[np.bool_]:
    """Return for each pair whether it has anything to score."""
    return np.array([result.score.is_defined for result in results], dtype=bool)


def _mean_upper(results: Sequence[PairResult]) -> float | None:
    """Return an upper bound on the mean score, if every pair has one."""
    scores = [result.score for result in results if result.score.is_defined]
    uppers = [s.score if s.proven else s.f1_upper for s in scores]
    proven_uppers = [upper for upper in uppers if upper is not None]
    return (
        math.fsum(proven_uppers) / len(uppers)
        if uppers and len(proven_uppers) == len(uppers)
        else None
    )


def _values(
    scorer: SumScorer,
    rows: Mapping[str, Matrix],
    has_score: Mapping[str, npt.NDArray[np.bool_]],
) -> dict[str, tuple[float, ...]]:
    """Return each system's scores; NaN where it has nothing to score."""
    values = dict.fromkeys(rows, (math.nan,) * len(SCORE_NAMES))
    for name, matrix in rows.items():
        if has_score[name].any():
            sums = matrix.sum(axis=0, keepdims=True)
            values[name] = tuple(scorer(sums)[0].tolist())
    return values


def _in_order(
    values: Mapping[str, tuple[float, ...]],
    has_score: Mapping[str, npt.NDArray[np.bool_]],
) -> list[str]:
    """Return the names of the systems, the best first."""
    key = {
        name: (not has_score[name].any(), -values[name][HEADLINE]) for name in values
    }
    return sorted(values, key=key.__getitem__)


def _summable(
    metric: Metric, systems: Mapping[str, Sequence[PairResult]], macro: bool
) -> tuple[SumScorer, dict[str, Matrix]]:
    """Return the function that scores sums, and each system's statistics by pair."""
    if macro:
        return mean_scorer, {
            name: value_rows(result.score for result in results)
            for name, results in systems.items()
        }
    rows = rows_of([r.statistics for results in systems.values() for r in results])
    parts = np.split(rows, len(systems))
    return metric.score_rows, dict(zip(systems, parts, strict=True))


def _rank(score: float, scores: Iterable[float]) -> int:
    """Return 1 plus the number of scores that are printed higher; NaN is lowest."""
    return 1 + sum(
        _printed(rival_score) > _printed(score)
        or math.isnan(score) > math.isnan(rival_score)
        for rival_score in scores
    )


def _printed(score: float) -> float:
    """Return a score as tables print it; minus infinity for NaN."""
    return -math.inf if math.isnan(score) else float(nearest(score, DIGITS))


def corrected_together(
    comparisons: Sequence[MetricComparison],
) -> list[MetricComparison]:
    """Correct the p-values of comparisons for all their tests at once (Holm 1979).

    Of many single aspects of one pair of systems, some differ by chance.
    """
    p_values = {
        (place, couple): test.p_value
        for place, comparison in enumerate(comparisons)
        for couple, test in comparison.tests.items()
        if test.p_value is not None
    }
    corrected = dict(zip(p_values, holm([*p_values.values()]), strict=True))
    together = []
    for place, comparison in enumerate(comparisons):
        by_couple = {
            couple: corrected[place, couple]
            for couple in comparison.tests
            if (place, couple) in corrected
        }
        standings = [
            replace(
                standing,
                corrected=by_couple.get((comparison.baseline, standing.system))
                if len(p_values) > 1
                else None,
                ranks=_rank_range(standing.system, comparison, by_couple),
            )
            for standing in comparison.standings
        ]
        clusters = _clusters([standing.ranks for standing in standings])
        together.append(
            replace(
                comparison,
                corrected=by_couple,
                tested=len(p_values),
                standings=tuple(map(_in_cluster, standings, clusters)),
            )
        )
    return together


def _in_cluster(standing: Standing, cluster: int | None) -> Standing:
    return replace(standing, cluster=cluster)


def _clusters(ranges: Sequence[tuple[int, int] | None]) -> list[int | None]:
    """Number clusters of systems, best first, whose ranges of ranks do not overlap.

    Source: Bojar et al. (2016), "Findings of the 2016 Conference on Machine
    Translation", section 3.4, for clusters from ranges of ranks.

    >>> _clusters([(1, 2), (1, 3), (2, 3), (4, 4)])
    [1, 1, 1, 2]
    """
    clusters: list[int | None] = []
    cluster, worst = 0, 0
    for ranks in ranges:
        if ranks is None:
            return [None] * len(ranges)
        if ranks[0] > worst:
            cluster += 1
        worst = max(worst, ranks[1])
        clusters.append(cluster)
    return clusters


def _rank_range(
    name: str, comparison: MetricComparison, corrected: Mapping[tuple[str, str], float]
) -> tuple[int, int] | None:
    """Return the best and the worst rank of a system that the tests allow.

    Without a test of every two systems, return ``None``.
    """
    systems = [standing.system for standing in comparison.standings]
    n = len(systems)
    if n < 2 or len(corrected) < n * (n - 1) // 2:
        return None
    better = worse = 0
    for (first, second), p in corrected.items():
        if p <= SIGNIFICANT and name in (first, second):
            gain = comparison.tests[first, second].difference
            is_ahead = (gain > 0) == (name == second)
            better, worse = better + (not is_ahead), worse + is_ahead
    return 1 + better, n - worse


def winners(
    comparisons: Sequence[MetricComparison],
    metrics: Sequence[Metric],
    sampling: Sampling,
    macro: bool = False,
    documents: Documents | None = None,
) -> list[Winner]:
    """Return each metric's best system and runner-up, with the test between them.

    P-values are corrected for one test a metric (Holm 1979).  The share of corpora in
    which the best system is best comes from the same random corpora for every metric.
    """
    best_systems = []
    for comparison, metric in zip(comparisons, metrics, strict=True):
        scored = [s for s in comparison.standings if s.pairs]
        if len(scored) < 2:
            continue
        best, second = scored[0], scored[1]
        couples = (best.system, second.system), (second.system, best.system)
        test = next(comparison.tests.get(c) for c in couples if c in comparison.tests)
        share = _share_best(
            metric, comparison.results, best.system, sampling, macro, documents
        )
        best_systems.append(
            Winner(
                comparison.metric,
                best.system,
                best.ranks,
                second.system,
                test,
                None,
                share,
            )
        )
    p_values = [
        w.test.p_value for w in best_systems if w.test and w.test.p_value is not None
    ]
    corrected = iter(holm(p_values))
    return [
        replace(winner, p_value=next(corrected))
        if winner.test and winner.test.p_value is not None
        else winner
        for winner in best_systems
    ]


def _share_best(
    metric: Metric,
    systems: Mapping[str, Sequence[PairResult]],
    best: str,
    sampling: Sampling,
    macro: bool,
    documents: Documents | None,
) -> float | None:
    """Return the share of resampled corpora in which a system is best or ties."""
    scorer, of_pairs = _summable(metric, systems, macro)
    codes = _codes(systems, sampling, documents)
    rows = {name: summed(matrix, codes) for name, matrix in of_pairs.items()}
    n = len(rows[best])
    if n < FEWEST:
        return None
    rng, wins = np.random.default_rng(sampling.seed), 0
    samples = sampling.drawn(n, coins=False)
    try:
        for counts in resampling_counts(n, samples, rng):
            scores = {
                k: scorer(counts @ matrix)[:, HEADLINE] for k, matrix in rows.items()
            }
            highest = np.fmax.reduce([*scores.values()])
            wins += int((scores[best] >= highest - TIE).sum())
    except OutOfTimeError:
        out_of_time()
        return None
    return wins / samples


def human_accuracies(
    metric: Metric,
    systems: Mapping[str, Sequence[PairResult]],
    people: Assessments,
    sampling: Sampling,
    macro: bool = False,
    documents: Documents | None = None,
) -> list[HumanAccuracy]:
    """Return the bootstrap accuracy of every two systems that people judged.

    The human scores of a resampled corpus are those of the outputs in it.  Systems have
    the order of the judgements.

    Source: Song and Gildea (2019), section 3.1 and table 2, after Koehn (2004).
    """
    results = next(iter(systems.values()))
    people = people.at([result.index for result in results])
    scorer, rows = _summable(metric, systems, macro)
    a, b = np.triu_indices(len(systems), 1)  # every two systems
    agreeing = np.zeros(len(a))
    codes = _codes(systems, sampling, documents)
    n = counted(codes, len(results))
    samples = sampling.drawn(n, coins=False)
    parts = [_having(results) for results in systems.values()]
    is_enough = min(counted(only(codes, h), int(h.sum())) for h in parts) >= FEWEST
    if is_enough:
        rng = np.random.default_rng(sampling.seed)
        try:
            for drawn in resampling_counts(n, samples, rng):
                counts = drawn if codes is None else drawn[:, codes]
                human = people.scores(counts)
                scored = [scorer(counts @ rows[name])[:, HEADLINE] for name in systems]
                metric_scores = np.stack(scored, axis=1)
                first_accuracies, second_accuracies = (
                    preferred(s[:, a], s[:, b]) for s in (metric_scores, human)
                )
                agreeing += (first_accuracies == second_accuracies).sum(axis=0)
        except OutOfTimeError:
            out_of_time()
            is_enough = False
    human_scores = people.scores()[0].tolist()
    judged = zip(combinations(systems, 2), combinations(human_scores, 2), strict=True)
    shares = (agreeing / samples).tolist()
    return [
        HumanAccuracy(metric.name, *names, *scores, share if is_enough else None)
        for (names, scores), share in zip(judged, shares, strict=True)
        if not math.isnan(scores[0] - scores[1])
    ]
