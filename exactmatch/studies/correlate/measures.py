"""How well scores agree with human judgement: of pairs, of outputs, of systems.

Two metrics that are computed from the same graphs are alike: Williams' test of two
correlations with people takes into account how far the metrics correlate with each
other, McNemar's test of two accuracies the decisions that only one has right.
docs/trust/people.md says what is measured of which judgement, and has the sources.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TypeVar

import numpy as np

from exactmatch.scoring.resampling import (
    FEWEST,
    TIE,
    Bootstrap,
    Interval,
    Matrix,
    Resamples,
    Vector,
    holm,
)

Tested = TypeVar("Tested", "WilliamsTest", "AccuracyTest")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval.

    The number is NaN where it is not defined, such as the correlation with a constant,
    or says nothing, such as that of two points.  There is no interval of too few pairs,
    and where agreement is perfect and the approximation behind it breaks down.
    """

    value: float
    interval: Interval | None


def complete(*values: Vector) -> list[Vector]:
    """Values of the same items without those items of which one is missing (NaN)."""
    known = ~np.isnan(sum(values))
    return [each[known] for each in values]


def _correlation(
    name: str,
    variance: Callable[[float, int], float],
    x: Vector,
    y: Vector,
    level: float = 0.95,
) -> Estimate:
    """A correlation of SciPy's, with an interval by Fisher's z of that variance."""
    from scipy import stats
    from scipy.special import ndtri

    n = len(x)
    if n < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Estimate(math.nan, None)
    r = float(getattr(stats, name)(x, y).statistic)
    if n < 5 or abs(r) > 1 - TIE:
        return Estimate(r, None)
    reach = float(ndtri((1 + level) / 2)) * math.sqrt(variance(r, n))
    z = math.atanh(r)
    return Estimate(r, Interval(math.tanh(z - reach), math.tanh(z + reach), level))


pearson = partial(_correlation, "pearsonr", lambda _r, n: 1 / (n - 3))
"""Pearson's r."""

spearman = partial(_correlation, "spearmanr", lambda r, n: (1 + r * r / 2) / (n - 3))
"""Spearman's ρ; the variance is that of Bonett and Wright (2000)."""

kendall = partial(_correlation, "kendalltau", lambda _r, n: 0.437 / (n - 4))
"""Kendall's τ-b; the variance is that of Fieller, Hartley and Pearson (1957)."""


def rmse(x: Vector, y: Vector) -> float:
    """The root of the mean squared difference; NaN of nothing."""
    if not len(x):
        return math.nan
    return float(np.sqrt(np.mean((x - y) ** 2)))


def quantile_rmse(x: Vector, y: Vector) -> float:
    """The root mean squared difference of the quantiles 0.1, 0.2, …, 0.9.

    It asks whether a metric gives as many high and low scores as people do, and not
    whether it gives them to the same pairs (Opitz et al. 2020, table 7).
    """
    if not len(x):
        return math.nan
    deciles = [k / 10 for k in range(1, 10)]
    return rmse(np.quantile(x, deciles), np.quantile(y, deciles))


def resampled(
    function: Callable[[Vector, Vector], float],
    x: Vector,
    y: Vector,
    bootstrap: Bootstrap,
    advance: Callable[[], None] = lambda: None,
) -> Estimate:
    """A statistic of paired values with its percentile bootstrap interval, if any."""
    value = function(x, y)
    if len(x) < FEWEST:
        return Estimate(value, None)
    rng = np.random.default_rng(bootstrap.seed)
    drawn = []
    for _ in range(bootstrap.samples):
        chosen = rng.integers(len(x), size=len(x))
        drawn.append(function(x[chosen], y[chosen]))
        advance()
    resamples = Resamples(np.array([value]), np.array(drawn)[:, np.newaxis])
    return Estimate(value, bootstrap.interval(resamples))


@dataclass(frozen=True, slots=True)
class Preference:
    """How often a metric prefers what people prefer."""

    decided: int  # pairs of which people prefer one
    right: int  # those where the metric strictly prefers the same one
    tied: int  # those where the metric sees no difference; not right
    undecided: int  # pairs that people find equally good; they are left out
    accuracy: Estimate  # right over decided, with Wilson's interval

    @property
    def wrong(self) -> int:
        """The pairs where the metric strictly prefers the other one."""
        return self.decided - self.right - self.tied


def preferred(first: Vector, second: Vector) -> Vector:
    """1 where the first score is higher, -1 where the second is, 0 where neither.

    Scores that differ by the order of summation are equal.
    """
    difference = first - second
    difference[np.abs(difference) <= TIE] = 0.0
    signs: Vector = np.sign(difference)
    return signs


def preference(
    first: Vector, second: Vector, human: Vector, level: float = 0.95
) -> Preference:
    """Compare a metric's preferences with people's; what has NaN is left out.

    *human* is 1 where people prefer the first, 0 the second, 0.5 neither.  The interval
    is that of Wilson (1927), by SciPy.
    """
    from scipy.stats import binomtest

    first, second, human = complete(first, second, human)
    clear = human != 0.5
    decided, right = int(clear.sum()), int(np.nansum(choices(first, second, human)))
    tied = int((preferred(first, second)[clear] == 0).sum())
    accuracy = Estimate(math.nan, None)
    if decided:
        found = binomtest(right, decided).proportion_ci(level, "wilson")
        interval = Interval(float(found.low), float(found.high), level)
        accuracy = Estimate(right / decided, interval)
    return Preference(decided, right, tied, len(human) - decided, accuracy)


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """How often a metric ranks two outputs for a segment as people do.

    Of (concordant - discordant) / pairs, the interval is a bootstrap over segments.
    """

    pairs: int  # of outputs of which people prefer one, and the metric has both
    concordant: int  # those of which the metric strictly prefers the same one
    discordant: int  # all others
    tied: int  # those of the discordant that the metric scores alike
    tau: Estimate


def rank_agreement(
    better: Sequence[tuple[int, int, int]], scores: Matrix, bootstrap: Bootstrap
) -> RankAgreement:
    """Kendall's τ as WMT computes it of daRR pairs (Ma et al. 2019, equation 2).

    A tie of the metric is discordant, for people see a difference.

    Args:
        better: segment, place of the better and of the worse system.
        scores: shape ``(segments, systems)``; NaN where there is none.
    """
    rows, tied = np.zeros((len(scores), 2)), 0
    for segment, winner, loser in better:
        gain = scores[segment, winner] - scores[segment, loser]
        if np.isnan(gain):
            continue
        tied += bool(abs(gain) <= TIE)
        rows[segment] += (1, 0) if gain > TIE else (0, 1)
    rows = rows[rows.any(axis=1)]
    concordant, discordant = (int(n) for n in rows.sum(axis=0))
    pairs = concordant + discordant
    if not pairs:
        return RankAgreement(0, 0, 0, 0, Estimate(math.nan, None))

    def tau_of(sums: Matrix) -> Matrix:
        found: Matrix = (sums[:, :1] - sums[:, 1:]) / sums.sum(axis=1, keepdims=True)
        return found

    (interval,) = bootstrap.intervals(rows, tau_of)
    tau = Estimate((concordant - discordant) / pairs, interval)
    return RankAgreement(pairs, concordant, discordant, tied, tau)


@dataclass(frozen=True, slots=True)
class SystemAgreement:
    """How far a metric's scores of systems agree with people's.

    It is right about pairs of systems that both put in the same order, of those that
    people tell apart.
    """

    systems: int  # that both score
    pearson: Estimate
    accuracy: float  # right over pairs; NaN where people tell none apart
    right: int
    pairs: int


def system_agreement(
    scores: Vector, human: Vector, level: float = 0.95
) -> SystemAgreement:
    """Compare a metric's scores of systems with people's; NaN is left out.

    Pearson's r is that of Ma et al. (2019), equation 1, the accuracy Kocmi et al.'s.
    """
    scores, human = complete(scores, human)
    a, b = np.triu_indices(len(scores), 1)
    wanted = preferred(human[a], human[b])
    found = preferred(scores[a], scores[b])
    pairs = int((wanted != 0).sum())
    right = int(((wanted != 0) & (wanted == found)).sum())
    accuracy = right / pairs if pairs else math.nan
    r = pearson(scores, human, level)
    return SystemAgreement(len(scores), r, accuracy, right, pairs)


@dataclass(frozen=True, slots=True)
class WilliamsTest:
    """Two metrics' Pearson correlations with people, on the same judgement.

    The p-value says how probable so large a difference, of either sign, is if they
    correlate equally; WMT's one-sided tests have half of it.
    """

    first: str
    second: str
    n: int
    r_first: float
    r_second: float
    r_between: float  # the correlation of the two metrics
    t: float  # of n - 3 degrees of freedom; above 0 where the first correlates better
    p_value: float
    corrected: float | None = None  # for several tests (Holm 1979)


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """Williams' test of two dependent correlations that share variable 1.

    Returned are t and the two-sided p-value; NaN of fewer than four items.
    Correlations keep their signs; WMT's scripts drop them, for the sake of metrics that
    count errors.

    Sources: Williams (1959), "Regression Analysis", chapter 5; Graham and Baldwin
    (2014); docs/trust/people.md has the formula.
    """
    from scipy.stats import t as student

    if n < 4 or any(map(math.isnan, (r12, r13, r23))):
        return math.nan, math.nan
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    spread = 2 * max(0.0, determinant) * (n - 1) / (n - 3)
    spread += (r12 + r13) ** 2 / 4 * max(0.0, 1 - r23) ** 3
    if abs(r12 - r13) <= TIE:
        return 0.0, 1.0
    if spread <= TIE**2:
        return math.copysign(math.inf, r12 - r13), 0.0
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23)) / math.sqrt(spread)
    return t, float(2 * student.sf(abs(t), n - 3))


def _corrected(tests: list[Tested]) -> list[Tested]:
    """Tests of several pairs with Holm's correction over all of them."""
    if len(tests) < 2:
        return tests
    both = zip(tests, holm([test.p_value for test in tests]), strict=True)
    return [replace(test, corrected=value) for test, value in both]


def williams_tests(scores: Mapping[str, Vector], human: Vector) -> list[WilliamsTest]:
    """Williams' test of every two metrics, Holm's correction over all of them.

    Left out is what has no score or judgement (NaN), and what cannot be tested.
    """
    found = []
    for first, second in combinations(scores, 2):
        x, y, z = complete(scores[first], scores[second], human)
        r = pearson(x, z).value, pearson(y, z).value, pearson(x, y).value
        t, p_value = williams(*r, len(z))
        if not math.isnan(p_value):
            found.append(WilliamsTest(first, second, len(z), *r, t, p_value))
    return _corrected(found)


def choices(first: Vector, second: Vector, human: Vector) -> Vector:
    """Whether a metric prefers what people prefer: 1 or 0.

    NaN where people prefer neither, or a score or the judgement is missing (NaN).
    """
    known = ~np.isnan(first + second + human) & (human != 0.5)
    found = np.full(len(human), np.nan)
    found[known] = preferred(first, second)[known] == np.sign(human - 0.5)[known]
    return found


@dataclass(frozen=True, slots=True)
class AccuracyTest:
    """Two metrics' accuracies, on the same decisions.

    The p-value says how probable so uneven a split of the decisions that one of them
    alone has right is, of either sign, if they are equally good.
    """

    first: str
    second: str
    decided: int  # what people decided and both metrics score
    only_first: int
    only_second: int
    p_value: float
    corrected: float | None = None  # for several tests (Holm 1979)


def mcnemar_tests(right: Mapping[str, Vector]) -> list[AccuracyTest]:
    """McNemar's exact test of every two metrics, Holm's correction over all of them.

    Of the b + c decisions that one of two metrics alone has right, b are the first's
    with probability 1/2 each if both are equally good: p is binomial.  What each has
    right is told by :func:`choices`.

    Source: McNemar (1947), "Note on the sampling error of the difference between
    correlated proportions or percentages", in its exact binomial form.
    """
    from scipy.stats import binomtest

    found = []
    for first, second in combinations(right, 2):
        ours, theirs = complete(right[first], right[second])
        only_first = int((ours > theirs).sum())
        only_second = int((ours < theirs).sum())
        split = only_first + only_second
        p_value = float(binomtest(only_first, split).pvalue) if split else 1.0
        counts = len(ours), only_first, only_second
        found.append(AccuracyTest(first, second, *counts, p_value))
    return _corrected(found)
