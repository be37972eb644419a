"""How well scores agree with human judgement: correlation, error, preference.

Sources: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", table 7 and figure 9; Song and Gildea (2019), "SemBleu", table 3;
Bonett and Wright (2000), "Sample size requirements for estimating Pearson,
Kendall and Spearman correlations"; Fieller, Hartley and Pearson (1957), "Tests
for rank correlation coefficients I".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactmatch.scoring.resampling import FEWEST, Bootstrap, Interval, Vector

_TIE = 1e-12

QUANTILES = tuple(k / 10 for k in range(1, 10))
"""Where Opitz et al. (2020, table 7) compare the two distributions."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval.

    Attributes:
        value: the number; NaN where it is not defined, such as the correlation
            with a constant.
        interval: ``None`` where there are too few pairs for one, or agreement is
            perfect and the approximation behind it breaks down.
    """

    value: float
    interval: Interval | None


def pearson(x: Vector, y: Vector, level: float = 0.95) -> Estimate:
    """Pearson's r; interval by Fisher's z with variance 1 / (n - 3)."""
    from scipy.stats import pearsonr

    return _correlation(pearsonr, x, y, level, lambda _r, n: 1 / (n - 3))


def spearman(x: Vector, y: Vector, level: float = 0.95) -> Estimate:
    """Spearman's ρ; Fisher's z with variance (1 + ρ²/2) / (n - 3).

    Source: Bonett and Wright (2000).
    """
    from scipy.stats import spearmanr

    return _correlation(spearmanr, x, y, level, lambda r, n: (1 + r * r / 2) / (n - 3))


def kendall(x: Vector, y: Vector, level: float = 0.95) -> Estimate:
    """Kendall's τ-b; Fisher's z with variance 0.437 / (n - 4).

    Source: Fieller, Hartley and Pearson (1957).
    """
    from scipy.stats import kendalltau

    return _correlation(kendalltau, x, y, level, lambda _r, n: 0.437 / (n - 4))


def _correlation(
    function: Callable[[Vector, Vector], Any],
    x: Vector,
    y: Vector,
    level: float,
    variance: Callable[[float, int], float],
) -> Estimate:
    from scipy.special import ndtri

    n = len(x)
    if n < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Estimate(math.nan, None)
    r = float(function(x, y).statistic)
    if n < 5 or abs(r) > 1 - _TIE:
        return Estimate(r, None)
    reach = float(ndtri((1 + level) / 2)) * math.sqrt(variance(r, n))
    z = math.atanh(r)
    return Estimate(r, Interval(math.tanh(z - reach), math.tanh(z + reach), level))


def rmse(x: Vector, y: Vector) -> float:
    """The root of the mean squared difference; NaN of nothing."""
    if not len(x):
        return math.nan
    return float(np.sqrt(np.mean((x - y) ** 2)))


def quantile_rmse(x: Vector, y: Vector) -> float:
    """The same of the two distributions' quantiles 0.1, 0.2, …, 0.9.

    It asks whether a metric gives out as many high and low scores as people do,
    not whether to the same pairs.

    Source: Opitz, Parcalabescu and Frank (2020), table 7.
    """
    if not len(x):
        return math.nan
    return rmse(np.quantile(x, QUANTILES), np.quantile(y, QUANTILES))


def resampled(
    function: Callable[[Vector, Vector], float],
    x: Vector,
    y: Vector,
    bootstrap: Bootstrap,
    advance: Callable[[], None] = lambda: None,
) -> Estimate:
    """A number of paired values with its percentile bootstrap interval.

    Of fewer than :data:`~exactmatch.scoring.resampling.FEWEST` there is none.

    Args:
        function: the number.
        x, y: the paired values.
        bootstrap: samples, level and seed.
        advance: called after each sample.
    """
    value = function(x, y)
    if len(x) < FEWEST:
        return Estimate(value, None)
    rng = np.random.default_rng(bootstrap.seed)
    drawn = []
    for _ in range(bootstrap.samples):
        chosen = rng.integers(len(x), size=len(x))
        drawn.append(function(x[chosen], y[chosen]))
        advance()
    tails = [(1 - bootstrap.level) / 2, (1 + bootstrap.level) / 2]
    low, high = np.quantile(drawn, tails)
    return Estimate(value, Interval(float(low), float(high), bootstrap.level))


@dataclass(frozen=True, slots=True)
class Preference:
    """How often a metric prefers what people prefer.

    Attributes:
        decided: pairs of which people prefer one.
        right: those where the metric strictly prefers the same one.
        tied: those where the metric sees no difference; not right.
        undecided: pairs that people find equally good; they are left out.
        accuracy: right over decided, with Wilson's interval.
    """

    decided: int
    right: int
    tied: int
    undecided: int
    accuracy: Estimate


def preference(
    first: Vector, second: Vector, human: Vector, level: float = 0.95
) -> Preference:
    """Hold a metric's preferences against people's.

    Args:
        first, second: scores of the two candidates of each pair.
        human: 1 where people prefer the first, 0 the second, 0.5 neither.
        level: of the interval (Wilson 1927, by SciPy).
    """
    from scipy.stats import binomtest

    choice = np.sign(first - second)
    wanted = np.sign(human - 0.5)
    clear = wanted != 0
    decided = int(clear.sum())
    right = int((choice[clear] == wanted[clear]).sum())
    tied = int((choice[clear] == 0).sum())
    accuracy = Estimate(math.nan, None)
    if decided:
        found = binomtest(right, decided).proportion_ci(level, "wilson")
        interval = Interval(float(found.low), float(found.high), level)
        accuracy = Estimate(right / decided, interval)
    return Preference(decided, right, tied, len(human) - decided, accuracy)
