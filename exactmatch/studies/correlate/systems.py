"""Comparison of metrics with people's judgement of systems and of their outputs.

docs/trust/people.md says what is measured for which judgement, and has the sources.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import OutOfTimeError
from exactmatch.base.errors import InputError
from exactmatch.scoring.exchange import TIE, Matrix, Vector
from exactmatch.scoring.paired_tests import holm
from exactmatch.scoring.resampling import Interval, Sampling, out_of_time
from exactmatch.scoring.rows import Codes, mean_scorer, only
from exactmatch.studies.correlate.grouped import (
    MERGED,
    By,
    Kind,
    by_group,
    calibrated,
    correlation,
    groups_of,
    row_pearson,
)
from exactmatch.studies.correlate.halves import any_halves, intervals_of, mean_halves
from exactmatch.studies.correlate.measures import (
    Estimate,
    pearson,
    preferred,
)
from exactmatch.studies.correlate.rivals import (
    MetricTest,
    cluster_ranks,
    compare_pair_accuracies,
    compare_soft_accuracies,
)
from exactmatch.studies.correlate.soft import SystemRows, soft_accuracy

_HALVES = 200  # for numbers that are slow to compute
_FLIPS = 200  # exchanges in each of these halves
_TRIED = 7  # items of a half up to which all exchanges are tried: 2⁷ < 200
_PAIRS = 2 * 10**6  # for more pairs of outputs in one group, τ has no interval
_MOST = 5 * 10**7  # for more pairs of outputs, there is no tie calibration
_PERMUTATIONS = 1000  # exchanges of two metrics' scores of outputs


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """Agreement of a metric with people's order of two outputs for a segment.

    τ is (concordant - discordant) / pairs, with the interval of halves of segments.
    """

    pairs: int  # of outputs: people prefer one, and the metric scores both
    concordant: int  # of these, the metric strictly prefers the same one
    discordant: int  # all others
    tied: int  # of the discordant, the metric scores both alike
    tau: Estimate


def rank_agreement(
    better: Sequence[tuple[int, int, int]],
    scores: Matrix,
    sampling: Sampling,
    codes: Codes | None = None,
) -> RankAgreement:
    """Compute WMT's Kendall's τ of daRR pairs (Ma et al. 2019, equation 2).

    A tie of the metric is discordant, because people see a difference.

    Args:
        better: segment, index of the better and of the worse system.
        scores: shape ``(segments, systems)``; NaN where there is none.
        sampling: settings of the interval.
        codes: the number of each segment's document, if documents are units.
    """
    places = np.array(better, dtype=np.intp).reshape(-1, 3)
    segment, winner, loser = places.T
    gain = scores[segment, winner] - scores[segment, loser]
    is_defined = ~np.isnan(gain)
    segment, gain = segment[is_defined], gain[is_defined]
    right = gain > TIE
    rows = np.zeros((len(scores), 2))
    np.add.at(rows, (segment, np.where(right, 0, 1)), 1)
    codes = only(codes, rows.any(axis=1))
    rows = rows[rows.any(axis=1)]
    pairs, concordant = len(gain), int(right.sum())
    tied = int((np.abs(gain) <= TIE).sum())
    if not pairs:
        return RankAgreement(0, 0, 0, 0, Estimate(math.nan, None))
    counts = rows.sum(axis=1)
    share = (rows[:, 0] - rows[:, 1]) / counts
    interval = mean_halves(share, counts, sampling, codes)
    tau = Estimate((2 * concordant - pairs) / pairs, interval)
    return RankAgreement(pairs, concordant, pairs - concordant, tied, tau)


class Judged(NamedTuple):
    """People's and a metric's scores of the outputs of the same systems and items.

    If documents are units, an item is a document, with the sums of its segments.

    Attributes:
        people: people's scores of outputs, as rows that give systems' scores.
        metric: the metric's statistics of the outputs.
        is_complete: whether each item was judged for all systems or for none.
    """

    people: SystemRows
    metric: SystemRows
    is_complete: bool


@dataclass(frozen=True, slots=True)
class SystemAgreement:
    """Agreement of a metric's scores of systems with people's."""

    systems: int  # that both score
    soft: Estimate  # soft pairwise accuracy; NaN without scores of all outputs
    pearson: Estimate
    accuracy: Estimate  # right / pairs; NaN without pairs
    right: int  # pairs that the metric orders as people do
    pairs: int  # of systems that people do not score alike


def system_agreement(
    scores: Vector,
    human: Vector,
    sampling: Sampling | None = None,
    judged: Judged | None = None,
) -> SystemAgreement:
    """Compare a metric's scores of systems with people's; NaN is left out.

    Pearson's r is that of Ma et al. (2019), equation 1, the accuracy Kocmi et al.'s.

    Args:
        scores: the metric's scores of the systems.
        human: people's scores.
        sampling: settings of the intervals; ``None`` for none.
        judged: scores of outputs, which are halved for intervals; without these, the
            systems are halved.
    """
    is_defined = ~np.isnan(scores + human)
    r = pearson(scores[is_defined], human[is_defined], None if judged else sampling)
    right, pairs = _same_order(scores[is_defined], human[is_defined])
    accuracy = Estimate(right / pairs if pairs else math.nan, None)
    soft = Estimate(math.nan, None)
    if judged is not None:
        some = judged._replace(
            people=judged.people._replace(rows=judged.people.rows[is_defined]),
            metric=judged.metric._replace(rows=judged.metric.rows[is_defined]),
        )
        if some.is_complete:
            soft = _soft(some, sampling)
        if sampling is not None:
            ends = _system_intervals(some, sampling)
            if not abs(r.value) > 1 - TIE:
                r = replace(r, interval=ends[0])
            accuracy = replace(accuracy, interval=ends[1])
    return SystemAgreement(int(is_defined.sum()), soft, r, accuracy, right, pairs)


def _same_order(scores: Vector, human: Vector) -> tuple[int, int]:
    a, b = np.triu_indices(len(scores), 1)
    people, metric = preferred(human[a], human[b]), preferred(scores[a], scores[b])
    pairs = int((people != 0).sum())
    return int(((people != 0) & (people == metric)).sum()), pairs


def _soft(judged: Judged, sampling: Sampling | None) -> Estimate:
    people, metric = judged.people, judged.metric
    seed = 0 if sampling is None else sampling.seed
    items = people.rows.shape[1]
    samples = (sampling or Sampling()).drawn(items)
    if not metric.is_fast:
        samples = min(samples, _PERMUTATIONS)
    try:
        value = soft_accuracy(people, metric, samples, seed)
    except OutOfTimeError:
        out_of_time()
        return Estimate(math.nan, None)
    if sampling is None or math.isnan(value) or not metric.is_fast:
        return Estimate(value, None)

    sampling_key = _FLIPS, seed, _TRIED

    def of_some(places: npt.NDArray[np.intp]) -> float:
        return soft_accuracy(people.at(places), metric.at(places), *sampling_key)

    return Estimate(value, any_halves(items, of_some, sampling, _HALVES))


def _system_intervals(judged: Judged, sampling: Sampling) -> list[Interval | None]:
    """Return the intervals of Pearson's r and of the accuracy, by halves of items."""
    systems, items, _ = judged.people.rows.shape
    sides = [
        (side, side.rows.transpose(1, 0, 2).reshape(items, -1))
        for side in (judged.people, judged.metric)
    ]
    a, b = np.triu_indices(systems, 1)

    def agreement(coins: Matrix) -> Matrix:
        human, scores = (
            side.scorer((coins @ flat).reshape(-1, side.rows.shape[2]))[:, side.column]
            for side, flat in sides
        )
        human, scores = human.reshape(-1, systems), scores.reshape(-1, systems)
        missing = np.isnan(human + scores).any(axis=1)
        r = row_pearson(human, scores)
        people_prefer = preferred(human[:, a], human[:, b])
        same = (people_prefer == preferred(scores[:, a], scores[:, b])) & (
            people_prefer != 0
        )
        pairs = (people_prefer != 0).sum(axis=1)
        share = np.full(len(r), np.nan)
        np.divide(same.sum(axis=1), pairs, out=share, where=pairs > 0)
        return np.where(missing[:, None], np.nan, np.stack((r, share), axis=1))

    return intervals_of(
        items,
        lambda coins: (agreement(coins), agreement(1 - coins)),
        sampling,
        sampling.drawn(items) if judged.metric.is_fast else _PERMUTATIONS,
        numbers=sum(flat.shape[1] for _, flat in sides) + 3 * len(a),
    )


@dataclass(frozen=True, slots=True)
class OutputAgreement:
    """Agreement of a metric's scores of outputs with people's, averaged over groups.

    Attributes:
        groups: number of groups with two or more judged outputs.
        accuracy: pairwise accuracy with ties (acc_eq), with the calibrated ε.
        epsilon: scores of the metric that differ by at most this count as tied.
        pearson, spearman, kendall: mean r, ρ and τ-b of the groups that have one.
    """

    groups: int
    accuracy: Estimate
    epsilon: float
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate


def output_agreement(
    people: Matrix,
    metric: Matrix,
    by: By,
    sampling: Sampling | None = None,
    merged: float = MERGED,
    codes: Codes | None = None,
) -> OutputAgreement:
    """Compare a metric's scores of outputs with people's.

    Args:
        people: people's scores, shape (systems, items), NaN where there is none.
        metric: the metric's, of the same shape.
        by: how outputs are grouped.
        sampling: settings of the intervals; ``None`` for none.
        merged: closer differences of the metric are one candidate for ε.
        codes: the number of each item's document, if documents are units.

    Raises:
        InputError: if there are too many pairs of outputs in a group.
    """
    sizes = (~np.isnan(groups_of(people + metric, by))).sum(axis=1)
    pairs = int((sizes * (sizes - 1) // 2).sum())
    if pairs > _MOST:
        raise InputError(f"{pairs:,} pairs of outputs are too many; group them by item")
    best = calibrated(people, metric, by, merged=merged)

    def estimate(kind: Kind, epsilon: float = 0.0) -> Estimate:
        value = correlation(kind, people, metric, by, epsilon=epsilon).value
        drawn = None if math.isnan(value) or abs(value) > 1 - TIE else sampling
        if drawn is None:
            return Estimate(value, None)
        if by == "item":
            values, sizes = by_group(kind, people, metric, by, epsilon)
            is_defined = ~np.isnan(values) & (sizes >= 2)
            values_and_weights = values[is_defined], np.ones(int(is_defined.sum()))
            interval = mean_halves(*values_and_weights, drawn, only(codes, is_defined))
            return Estimate(value, interval)
        if pairs > _PAIRS and kind not in ("pearson", "spearman"):
            return Estimate(value, None)

        def of_some(items: npt.NDArray[np.intp]) -> float:
            some = people[:, items], metric[:, items]
            return correlation(kind, *some, by, epsilon=epsilon).value

        interval = any_halves(people.shape[1], of_some, drawn, _HALVES, codes=codes)
        return Estimate(value, interval)

    return OutputAgreement(
        int((sizes >= 2).sum()),
        estimate("acc_eq", best.epsilon),
        best.epsilon,
        *(estimate(kind) for kind in ("pearson", "spearman", "tau_b")),
    )


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Tests which of two metrics agrees better with people.

    Attributes:
        first, second: the metrics.
        soft: the second's soft pairwise accuracy minus the first's.
        soft_p: its two-sided p-value, from exchanges of the two metrics' scores.
        soft_corrected: the same, corrected for several tests (Holm 1979).
        accuracy: the second's acc_eq minus the first's.
        accuracy_p, accuracy_corrected: its p-values.
    """

    first: str
    second: str
    soft: float
    soft_p: float
    soft_corrected: float | None
    accuracy: float
    accuracy_p: float
    accuracy_corrected: float | None


class MetricRanks(NamedTuple):
    """Ranks of a metric by WMT's rules; ``None`` where it has none."""

    soft: int | None
    accuracy: int | None


def compare_metrics(
    people: Matrix,
    outputs: Mapping[str, Matrix],
    epsilons: Mapping[str, float],
    is_complete: bool,
    by: By,
    sampling: Sampling,
    codes: Codes | None = None,
) -> tuple[tuple[MetricComparison, ...], dict[str, MetricRanks]]:
    """Compare every two metrics by permutation tests, and rank them.

    Args:
        people: people's scores, shape (systems, items), NaN where there is none.
        outputs: each metric's scores, of the same shape.
        epsilons: each metric's ε.
        is_complete: whether each item was judged for all systems or for none.
        by: how outputs are grouped.
        sampling: settings of the tests.
        codes: the number of each item's document, if documents are units.
    """
    soft: dict[tuple[str, str], MetricTest] = {}
    accurate: dict[tuple[str, str], MetricTest] = {}
    none = MetricTest(math.nan, math.nan, math.nan, math.nan)
    for couple in combinations(outputs, 2):
        first, second = (outputs[name] for name in couple)
        judged = ~np.isnan(people + first + second).any(axis=0)
        some = people[:, judged], first[:, judged], second[:, judged]
        samples = sampling.samples or _PERMUTATIONS
        soft[couple] = accurate[couple] = none
        couple_epsilons = epsilons[couple[0]], epsilons[couple[1]]
        drawn, seed = sampling.drawn(1), sampling.seed
        try:
            if codes is None or by == "item":
                accurate[couple] = compare_pair_accuracies(
                    people, first, second, couple_epsilons, by, drawn, seed, codes
                )
            if is_complete:
                soft[couple] = compare_soft_accuracies(
                    *some, samples, seed, codes=only(codes, judged)
                )
        except OutOfTimeError:
            out_of_time()
    soft_p, accuracy_p = (_corrected(tests) for tests in (soft, accurate))
    tests = tuple(
        MetricComparison(
            *couple,
            soft[couple].difference,
            soft[couple].p,
            soft_p.get(couple),
            accurate[couple].difference,
            accurate[couple].p,
            accuracy_p.get(couple),
        )
        for couple in soft
    )
    ranks = _ranks(list(outputs), soft), _ranks(list(outputs), accurate)
    return tests, {
        name: MetricRanks(ranks[0].get(name), ranks[1].get(name)) for name in outputs
    }


def _corrected(
    tests: Mapping[tuple[str, str], MetricTest],
) -> dict[tuple[str, str], float]:
    """Correct the p-values of several tests by Holm's method."""
    p_values = {couple: t.p for couple, t in tests.items() if not math.isnan(t.p)}
    if len(p_values) < 2:
        return {}
    return dict(zip(p_values, holm([*p_values.values()]), strict=True))


def _ranks(
    names: Sequence[str], tests: Mapping[tuple[str, str], MetricTest]
) -> dict[str, int]:
    """Rank metrics by WMT's clusters, from one-sided tests of every two."""
    if len(names) < 2 or any(math.isnan(test.difference) for test in tests.values()):
        return {}
    # the differences from the first metric give the order
    gains = {names[0]: 0.0}
    gains |= {rival: tests[names[0], rival].difference for rival in names[1:]}
    order = sorted(names, key=lambda name: -gains[name])
    p = np.zeros((len(order), len(order)))
    for i, above in enumerate(order):
        for k, below in enumerate(order[i + 1 :], i + 1):
            straight = tests.get((below, above))
            p[i, k] = (
                tests[above, below].p_first if straight is None else straight.p_second
            )
    return dict(zip(order, cluster_ranks(p), strict=True))


def rows_of_people(outputs: Matrix) -> SystemRows:
    """Return scores of outputs (segments × systems) as rows whose means are scores."""
    is_judged = ~np.isnan(outputs)
    rows = np.stack((np.where(is_judged, outputs, 0.0), is_judged), axis=-1)
    return SystemRows(rows.transpose(1, 0, 2).astype(np.float64), mean_scorer)
