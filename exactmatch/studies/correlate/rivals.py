"""Permutation tests of two metrics' agreement with people, and ranks from them.

If two metrics are equally good, the scores that they give an output may be exchanged.
Scores are standardised first, because metrics have different scales.

Sources: Deutsch, Dror and Roth (2021), "A Statistical Analysis of Summarization
Evaluation Metrics Using Resampling Methods", section 5 (PERM-BOTH); Deutsch, Foster and
Freitag (2023), "Ties Matter", appendix; Freitag et al. (2024), "Are LLMs Breaking MT
Metrics? Results of the WMT24 Metrics Shared Task", for the ranks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from exactmatch.base.deadline import check
from exactmatch.scoring.exchange import TIE, Matrix, Vector, exchanges
from exactmatch.scoring.rows import Codes, summed
from exactmatch.studies.correlate.grouped import (
    Array,
    By,
    Kind,
    by_group,
    complete_groups,
    correlation,
)

_AT_ONCE = 2**20  # exchanged scores in memory
FLIPS = 1000  # exchanges of outputs within each exchange of metrics


class MetricTest(NamedTuple):
    """Comparison of two metrics' agreement with people.

    Attributes:
        difference: the second's agreement minus the first's; NaN if one has none.
        p: two-sided p-value.
        p_first: one-sided p-value of "the first is better".
        p_second: one-sided p-value of "the second is better".
    """

    difference: float
    p: float
    p_first: float
    p_second: float


def _tested(difference: float, drawn: Vector) -> MetricTest:
    """Return the test of a difference, from the differences of random exchanges."""
    if np.isnan(difference):
        return MetricTest(difference, np.nan, np.nan, np.nan)
    n_exchanges = 1 + len(drawn)  # the real scores count as an exchange
    two, low, high = (
        float((1 + extreme.sum()) / n_exchanges)
        for extreme in (
            np.abs(drawn) >= abs(difference) - TIE,
            drawn <= difference + TIE,
            drawn >= difference - TIE,
        )
    )
    return MetricTest(difference, two, low, high)


def _standardised(scores: Matrix, judged: Matrix) -> Matrix:
    is_defined = ~np.isnan(scores) & ~np.isnan(judged)
    values = scores[is_defined]
    spread = float(values.std()) if len(values) else 0.0
    if spread == 0:
        return np.where(is_defined, 0.0, np.nan)
    return np.where(is_defined, (scores - values.mean()) / spread, np.nan)


def _exchanged(
    first: Matrix, second: Matrix, samples: int, seed: int, codes: Codes | None = None
) -> Iterator[tuple[Array, Array]]:
    """Yield chunks of both metrics' scores with some outputs' scores exchanged.

    If *codes* has the number of each item's document, the scores of a system's outputs
    in a document are exchanged together.
    """
    rng = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // max(1, first.size))
    units, places = first.shape[1], None
    if codes is not None:
        present, places = np.unique(codes, return_inverse=True)
        units = len(present)
    for start in range(0, samples, step):
        check()
        size = min(step, samples - start), len(first), units
        coins = rng.random(size) < 0.5
        if places is not None:
            coins = coins[..., places]
        yield np.where(coins, second, first), np.where(coins, first, second)


def compare_correlations(
    kind: Kind,
    people: Matrix,
    first: Matrix,
    second: Matrix,
    by: By = "none",
    samples: int = 1000,
    seed: int = 0,
) -> MetricTest:
    """Test which of two metrics correlates better with people, averaged over groups.

    Args:
        kind: the correlation, as in :func:`~.grouped.correlation`.
        people: people's scores, shape (systems, items), NaN where there is none.
        first: a metric's scores, of the same shape.
        second: the other metric's.
        by: how outputs are grouped.
        samples: random exchanges of the two metrics' scores of outputs.
        seed: their seed.
    """
    correlations = [
        correlation(kind, people, each, by).value for each in (first, second)
    ]
    first_scores, second_scores = (
        _standardised(each, people) for each in (first, second)
    )
    judged = np.where(np.isnan(first_scores) | np.isnan(second_scores), np.nan, people)
    drawn = [
        _mean_of_groups(kind, judged, exchanged_second, by)
        - _mean_of_groups(kind, judged, exchanged_first, by)
        for exchanged_first, exchanged_second in _exchanged(
            first_scores, second_scores, samples, seed
        )
    ]
    return _tested(correlations[1] - correlations[0], np.concatenate(drawn))


def _mean_of_groups(kind: Kind, people: Matrix, metric: Array, by: By) -> Vector:
    values, sizes = by_group(kind, people, metric, by)
    is_defined = ~np.isnan(values) & (sizes >= 2)
    sums = np.where(is_defined, values, 0.0).sum(axis=-1)
    means: Vector = sums / np.maximum(is_defined.sum(axis=-1), 1)  # 0 without any
    return means


def compare_pair_accuracies(
    people: Matrix,
    first: Matrix,
    second: Matrix,
    epsilons: tuple[float, float],
    by: By = "item",
    samples: int = 1000,
    seed: int = 0,
    codes: Codes | None = None,
) -> MetricTest:
    """Test which of two metrics orders outputs better, ties included (acc_eq).

    The test exchanges whether each metric is right about a pair of outputs.  So only
    pairs matter that one metric alone has right; their signs are drawn by group.

    Args:
        people: people's scores, shape (systems, items), NaN where there is none.
        first: a metric's scores, of the same shape.
        second: the other metric's.
        epsilons: each metric's ε, which stays.
        by: how outputs are grouped.
        samples: random exchanges.
        seed: their seed.
        codes: the number of each item's document, whose outputs are exchanged as a
            whole; outputs are then grouped by item.
    """
    judged = np.where(np.isnan(first) | np.isnan(second), np.nan, people)
    only_first, only_second, pairs = _one_sided(judged, first, second, epsilons, by)
    is_defined = pairs > 0
    if not is_defined.any():
        return MetricTest(np.nan, np.nan, np.nan, np.nan)
    weights = 1 / (pairs[is_defined] * is_defined.sum())
    split = (only_first + only_second)[is_defined]
    difference = float(((only_second - only_first)[is_defined] * weights).sum())
    if codes is not None:
        gains = ((only_second - only_first)[is_defined] * weights)[:, None]
        return _tested(
            difference, _signed(summed(gains, codes[is_defined]), samples, seed)
        )
    rng, drawn = np.random.default_rng(seed), np.zeros(samples)
    for weight in np.unique(weights):
        check()
        signs = int(split[weights == weight].sum())
        drawn += weight * (2.0 * rng.binomial(signs, 0.5, size=samples) - signs)
    return _tested(difference, drawn)


def _signed(gains: Matrix, samples: int, seed: int) -> Vector:
    """Return sums of the gains with random signs, one for each sample."""
    drawn = []
    for coins in exchanges(len(gains), samples, seed, enumerated=0):
        check()
        drawn.append((1 - 2 * coins) @ gains[:, 0])
    return np.concatenate(drawn)


def _one_sided(
    people: Matrix,
    first: Matrix,
    second: Matrix,
    epsilons: tuple[float, float],
    by: By,
) -> tuple[Vector, Vector, Vector]:
    """Count the pairs in each group that one metric alone has right, and all pairs."""
    x, first_scores = complete_groups(people, first, by)
    _, second_scores = complete_groups(people, second, by)
    only_first, only_second, pairs = np.zeros((3, len(x)))
    for lag in range(1, x.shape[1]):
        dx = x[:, lag:] - x[:, :-lag]
        right = []
        for scores, epsilon in zip(
            (first_scores, second_scores), epsilons, strict=True
        ):
            dy = scores[:, lag:] - scores[:, :-lag]
            signs = np.where(np.abs(dy) <= epsilon, 0.0, np.sign(dy))
            right.append(signs == np.sign(dx))
        is_defined = ~np.isnan(dx)
        only_first += (right[0] & ~right[1] & is_defined).sum(axis=1)
        only_second += (right[1] & ~right[0] & is_defined).sum(axis=1)
        pairs += is_defined.sum(axis=1)
    return only_first, only_second, pairs


def compare_soft_accuracies(
    people: Matrix,
    first: Matrix,
    second: Matrix,
    samples: int = 1000,
    seed: int = 0,
    flips: int = FLIPS,
    codes: Codes | None = None,
) -> MetricTest:
    """Test which of two metrics has the better soft pairwise accuracy.

    Here systems' scores are means over items, because outputs' scores are exchanged.

    Args:
        people: people's scores, shape (systems, items), none missing.
        first: a metric's scores, of the same shape.
        second: the other metric's.
        samples: random exchanges of the two metrics' scores of outputs.
        seed: their seed.
        flips: exchanges of outputs for each p; all exchanges if these are not more.
        codes: the number of each item's document, if documents are exchanged.
    """
    items = people.shape[1]
    if len(people) < 2 or not items:
        return MetricTest(np.nan, np.nan, np.nan, np.nan)
    units = items if codes is None else len(np.unique(codes))
    coins = np.random.default_rng(seed).random((flips, units)) < 0.5
    if 2**units <= flips:
        coins = (np.arange(2**units)[:, None] >> np.arange(units) & 1) == 1
    if codes is not None:
        coins = coins[:, np.unique(codes, return_inverse=True)[1]]
    flipped = coins.astype(np.float64)
    people_shares = _shares(people, flipped)

    def error(scores: Matrix) -> float:
        return float(np.abs(_shares(scores, flipped) - people_shares).mean())

    standard_first, standard_second = (
        _standardised(each, people) for each in (first, second)
    )
    drawn = [
        error(first_scores) - error(second_scores)
        for exchanged in _exchanged(
            standard_first, standard_second, samples, seed + 1, codes
        )
        for first_scores, second_scores in zip(*exchanged, strict=True)
    ]
    return _tested(error(standard_first) - error(standard_second), np.array(drawn))


def _shares(scores: Matrix, flipped: Matrix) -> Vector:
    """Return the p of every two systems' means, as :func:`~.soft.surely_better` does.

    An exchange of some items lowers the difference of two systems by twice the
    contribution of these items; so it is at least the real one if that is at most 0.
    """
    first, second = np.triu_indices(len(scores), 1)
    lost = flipped @ scores.T
    gain = lost[:, first] - lost[:, second]
    shares: Vector = (gain <= TIE * scores.shape[1]).mean(axis=0)
    return shares


def cluster_ranks(p_better: Matrix, level: float = 0.05) -> list[int]:
    """Return the ranks of metrics by WMT's rules, from the best metric on.

    A new rank begins at the first metric that any metric of the current rank beats.  So
    neighbours with different ranks need not differ significantly.

    Args:
        p_better: p-values of "the row's metric is better than the column's", from the
            best metric to the worst; values below the diagonal are ignored.
        level: p-values up to this are significant.

    >>> cluster_ranks(np.array([[0, 0.2, 0.01], [0, 0, 0.3], [0, 0, 0]]))
    [1, 1, 2]
    """
    ranked: list[int] = []
    rank, first = 1, 0
    for place in range(len(p_better)):
        if (p_better[first:place, place] <= level).any():
            rank, first = rank + 1, place
        ranked.append(rank)
    return ranked
