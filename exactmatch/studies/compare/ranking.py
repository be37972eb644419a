"""Systems compared on the same references, and metrics by how they compare them.

Sources: Koehn (2004), Riezler and Maxwell (2005) and Holm (1979) for the tests
(:mod:`exactmatch.scoring.resampling`); Song and Gildea (2019), tables 2 and 4; for the
agreement of metrics Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", tables 8 and 9 and figure 11.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.metrics.base import Metric
from exactmatch.scoring.resampling import (
    FEWEST,
    SCORE_NAMES,
    TIE,
    Bootstrap,
    Matrix,
    SumScorer,
    Test,
    Vector,
    holm,
    influence,
    mean_scorer,
    paired_test,
    resampling_counts,
    rows_of,
    value_rows,
)
from exactmatch.scoring.results import PairResult
from exactmatch.studies.compare.results import (
    HEADLINE,
    Agreement,
    Deciding,
    Disagreement,
    HumanAccuracy,
    MetricComparison,
    Standing,
)
from exactmatch.studies.correlate.assessments import Assessments
from exactmatch.studies.correlate.measures import preferred

DIGITS = 4  # decimals of printed scores; what is equal there shares a rank


def rank_systems(
    metric: Metric,
    systems: Mapping[str, Sequence[PairResult]],
    bootstrap: Bootstrap,
    test: Test | None = None,
    baseline: str | None = None,
    macro: bool = False,
    shown: int = 3,
    advance: Callable[[], None] = lambda: None,
) -> MetricComparison:
    """Rank systems by their results on the same pairs; test each against a baseline.

    That is the best by default.  Compared are the scores of sums or, *macro*, means
    over pairs; so many deciding pairs are *shown*.
    """
    pairs = len(next(iter(systems.values()), ()))
    if not pairs:
        raise InputError("no pair was scored for every system; nothing can be compared")
    scorer, rows = _summable(metric, systems, macro)
    having = {name: _having(results) for name, results in systems.items()}
    values = dict.fromkeys(systems, (math.nan,) * len(SCORE_NAMES))
    for name, matrix in rows.items():
        if having[name].any():
            sums = matrix.sum(axis=0, keepdims=True)
            values[name] = tuple(scorer(sums)[0].tolist())
    headline = {name: found[HEADLINE] for name, found in values.items()}
    test = test or usual_test(metric)
    order = sorted(systems, key=lambda name: (not having[name].any(), -headline[name]))
    against = order[0] if baseline is None else baseline
    standings = []
    for name in order:
        paired, deciding = None, []
        fewer = min(int(having[side].sum()) for side in (against, name))
        if name != against and fewer:
            either = having[against] | having[name]
            both = rows[against][either], rows[name][either], scorer
            paired = paired_test(*both, HEADLINE, bootstrap, test, fewer)
            felt = influence(rows[against], rows[name], scorer, HEADLINE)
            deciding = _deciding(systems[against], systems[name], felt)
        advance()
        summed = rows_of([r.statistics for r in systems[name]]).sum(axis=0)
        score = metric.scores(tuple(summed.tolist()))
        standings.append(
            Standing(
                name,
                _rank(headline[name], headline.values()),
                score,
                values[name],
                tuple(bootstrap.intervals(rows[name][having[name]], scorer)),
                paired,
                None,
                tuple(deciding[:shown]),
                int(having[name].sum()),
                _mean_upper(systems[name]) if macro else score.f1_upper,
            )
        )
    found = MetricComparison(metric.name, against, pairs, tuple(standings), systems)
    return corrected_together([found])[0]


def usual_test(metric: Metric) -> Test:
    """Return the test that holds its level for a metric.

    Few pairs have a part of graphs; the bootstrap of few pairs finds differences that
    do not exist.
    """
    return "randomisation" if metric.of_part else "bootstrap"


def _having(results: Sequence[PairResult]) -> npt.NDArray[np.bool_]:
    """Whether each pair has what is scored."""
    return np.array([result.score.is_defined for result in results], dtype=bool)


def _mean_upper(results: Sequence[PairResult]) -> float | None:
    """The most that the mean of the scores can be, where every pair says so."""
    scores = [result.score for result in results if result.score.is_defined]
    found = [s.score if s.proven else s.f1_upper for s in scores]
    known = [upper for upper in found if upper is not None]
    return math.fsum(known) / len(found) if found and len(known) == len(found) else None


def _summable(
    metric: Metric, systems: Mapping[str, Sequence[PairResult]], macro: bool
) -> tuple[SumScorer, dict[str, Matrix]]:
    """Each system's statistics, a row a pair, and the function that scores sums."""
    if macro:
        return mean_scorer, {
            name: value_rows(result.score for result in results)
            for name, results in systems.items()
        }
    rows = rows_of([r.statistics for results in systems.values() for r in results])
    parts = np.split(rows, len(systems))
    return metric.score_rows, dict(zip(systems, parts, strict=True))


def _rank(score: float, scores: Iterable[float]) -> int:
    """One more than the number of scores that are printed higher; none is lowest."""
    return 1 + sum(
        round(other, DIGITS) > round(score, DIGITS)
        or math.isnan(score) > math.isnan(other)
        for other in scores
    )


def corrected_together(
    comparisons: Sequence[MetricComparison],
) -> list[MetricComparison]:
    """Correct the p-values of comparisons for all their tests at once (Holm 1979).

    Single aspects are many looks at one pair of systems, so that some of them differ
    by chance.
    """
    p_values = {
        (place, standing.system): standing.test.p_value
        for place, comparison in enumerate(comparisons)
        for standing in comparison.standings
        if standing.test is not None and standing.test.p_value is not None
    }
    found = {}
    if len(p_values) > 1:
        found = dict(zip(p_values, holm([*p_values.values()]), strict=True))
    together = []
    for place, comparison in enumerate(comparisons):
        standings = tuple(
            replace(standing, corrected=found.get((place, standing.system)))
            for standing in comparison.standings
        )
        together.append(replace(comparison, tests=len(p_values), standings=standings))
    return together


def human_accuracies(
    metric: Metric,
    systems: Mapping[str, Sequence[PairResult]],
    people: Assessments,
    bootstrap: Bootstrap,
    macro: bool = False,
) -> list[HumanAccuracy]:
    """The bootstrap accuracy of every two systems that people judged.

    Each resampled corpus has its own human scores, those of the outputs in it.  Systems
    are in the order of the judgement's.

    Source: Song and Gildea (2019), section 3.1 and table 2, after Koehn (2004).
    """
    results = next(iter(systems.values()))
    people = people.at([result.index for result in results])
    scorer, rows = _summable(metric, systems, macro)
    a, b = np.triu_indices(len(systems), 1)  # every two systems
    agreeing = np.zeros(len(a))
    is_enough = min(int(_having(rs).sum()) for rs in systems.values()) >= FEWEST
    if is_enough:
        rng = np.random.default_rng(bootstrap.seed)
        for counts in resampling_counts(len(results), bootstrap.samples, rng):
            human = people.scores(counts)
            scored = [scorer(counts @ rows[name])[:, HEADLINE] for name in systems]
            found = np.stack(scored, axis=1)
            ours, theirs = (preferred(s[:, a], s[:, b]) for s in (found, human))
            agreeing += (ours == theirs).sum(axis=0)
    whole = people.scores()[0].tolist()
    judged = zip(combinations(systems, 2), combinations(whole, 2), strict=True)
    shares = (agreeing / bootstrap.samples).tolist()
    return [
        HumanAccuracy(metric.name, *names, *scores, share if is_enough else None)
        for (names, scores), share in zip(judged, shares, strict=True)
        if not math.isnan(scores[0] - scores[1])
    ]


def _deciding(
    baseline: Sequence[PairResult], system: Sequence[PairResult], felt: Vector
) -> list[Deciding]:
    """The pairs that differ, the most first; larger influence first among equals."""
    found = [
        Deciding(b.index, b.id, b.score.score, s.score.score, float(share))
        for b, s, share in zip(baseline, system, felt, strict=True)
        if abs(s.score.score - b.score.score) > TIE
    ]
    found.sort(key=lambda pair: (-abs(pair.difference), -abs(pair.influence)))
    return found


def agreement(
    comparisons: Sequence[MetricComparison], shown: int = 3
) -> list[Agreement]:
    """How far every two metrics agree about the systems.

    Outputs are compared on the pairs that both metrics scored, systems where both
    have a score; with fewer than two of them there is nothing to agree about.
    """
    if len(comparisons) < 2:
        return []
    from scipy.stats import kendalltau, ttest_rel

    found = []
    for couple in combinations(comparisons, 2):
        scores = [
            {s.system: s.values[HEADLINE] for s in one.standings} for one in couple
        ]
        names = sorted(
            n for n in scores[0] if not math.isnan(scores[0][n] + scores[1][n])
        )
        if len(names) < 2:
            continue
        of_both = [one.results[name] for one in couple for name in names]
        both = set.intersection(
            *({r.index for r in results if r.score.is_defined} for results in of_both)
        )
        ours, theirs = (_preferences(one.results, names, both) for one in couple)
        pairs = [r for r in of_both[0] if r.index in both]
        sides = [[own[name] for name in names] for own in scores]
        tau = disagreement = p_value = math.nan
        if all(len(set(side)) > 1 for side in sides):
            tau = float(kendalltau(*sides).statistic)
        if len(ours):
            disagreement = float((ours * theirs < 0).mean())
        if len(ours) > 1 and np.ptp(ours - theirs) > TIE:
            p_value = float(ttest_rel(ours, theirs).pvalue)
        examples = _disagreements(ours, theirs, names, pairs, shown)
        first, second = (one.metric for one in couple)
        found.append(Agreement(first, second, tau, disagreement, p_value, examples))
    return found


def _disagreements(
    ours: Vector,
    theirs: Vector,
    names: Sequence[str],
    pairs: Sequence[PairResult],
    shown: int,
) -> tuple[Disagreement, ...]:
    """Where both metrics are clearest about different outputs."""
    decided = np.minimum(np.abs(ours), np.abs(theirs))
    against = np.flatnonzero(ours * theirs < 0)
    order = against[np.argsort(-decided[against], kind="stable")][:shown]
    systems = list(combinations(names, 2))
    found = []
    for k in order.tolist():
        couple, place = divmod(k, len(pairs))
        lower, higher = systems[couple]
        preferred = (higher, lower) if ours[k] > 0 else (lower, higher)
        gains = float(abs(ours[k])), float(abs(theirs[k]))
        pair = pairs[place]
        found.append(Disagreement(pair.index, pair.id, *preferred, *gains))
    return tuple(found)


def _preferences(
    results: Mapping[str, Sequence[PairResult]], names: Sequence[str], pairs: set[int]
) -> Vector:
    """Score differences of every two systems on the pairs, ties as 0."""
    scores = [
        np.array([r.score.score for r in results[name] if r.index in pairs])
        for name in names
    ]
    joined = np.concatenate([b - a for a, b in combinations(scores, 2)])
    joined[np.abs(joined) <= TIE] = 0.0
    return joined
