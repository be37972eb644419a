"""How well scores agree with human judgement: of pairs, of outputs, of systems.

* *Pairs* of graphs that people gave a similarity: error and correlation.
* *Segments*: of two outputs for the same sentence, does the metric prefer the one
  that people prefer?  As accuracy, or as a τ of concordant and discordant pairs.
* *Systems*: do the metric's scores of whole systems agree with people's?

Whether one metric agrees better than another is asked in
:mod:`exactmatch.studies.correlate.rival_metrics`.

Sources: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", table 7 and figure 9; Song and Gildea (2019), "SemBleu", table 3;
Ma, Wei, Bojar and Graham (2019), "Results of the WMT19 metrics shared task"; Kocmi
et al. (2021), "To ship or not to ship"; Bonett and Wright (2000), "Sample size
requirements for estimating Pearson, Kendall and Spearman correlations"; Fieller,
Hartley and Pearson (1957), "Tests for rank correlation coefficients I".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from exactmatch.scoring.resampling import (
    FEWEST,
    TIE,
    Bootstrap,
    Interval,
    Matrix,
    Vector,
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval.

    Attributes:
        value: the number; NaN where it is not defined, such as the correlation
            with a constant, or says nothing, such as that of two points.
        interval: ``None`` where there are too few pairs for one, or agreement is
            perfect and the approximation behind it breaks down.
    """

    value: float
    interval: Interval | None


def complete(*values: Vector) -> list[Vector]:
    """Values of the same items without those items of which one is missing (NaN)."""
    known = ~np.isnan(sum(values))
    return [each[known] for each in values]


def pearson(x: Vector, y: Vector, level: float = 0.95) -> Estimate:
    """Pearson's r; interval by Fisher's z with variance 1 / (n - 3)."""
    return _correlation("pearsonr", x, y, level, lambda _r, n: 1 / (n - 3))


def spearman(x: Vector, y: Vector, level: float = 0.95) -> Estimate:
    """Spearman's ρ; Fisher's z with variance (1 + ρ²/2) / (n - 3).

    Source: Bonett and Wright (2000).
    """
    return _correlation(
        "spearmanr", x, y, level, lambda r, n: (1 + r * r / 2) / (n - 3)
    )


def kendall(x: Vector, y: Vector, level: float = 0.95) -> Estimate:
    """Kendall's τ-b; Fisher's z with variance 0.437 / (n - 4).

    Source: Fieller, Hartley and Pearson (1957).
    """
    return _correlation("kendalltau", x, y, level, lambda _r, n: 0.437 / (n - 4))


def _correlation(
    name: str,
    x: Vector,
    y: Vector,
    level: float,
    variance: Callable[[float, int], float],
) -> Estimate:
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


def rmse(x: Vector, y: Vector) -> float:
    """The root of the mean squared difference; NaN of nothing."""
    if not len(x):
        return math.nan
    return float(np.sqrt(np.mean((x - y) ** 2)))


def quantile_rmse(x: Vector, y: Vector) -> float:
    """The root mean squared difference of the quantiles 0.1, 0.2, …, 0.9.

    It asks whether a metric gives as many high and low scores as people do, and not
    whether it gives them to the same pairs.

    Source: Opitz, Parcalabescu and Frank (2020), table 7.
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
    """A statistic of paired values with its percentile bootstrap interval.

    Of fewer than :data:`~exactmatch.scoring.resampling.FEWEST` there is none.
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
    choice = preferred(first, second)
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


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """How often a metric ranks two outputs for a segment as people do.

    Attributes:
        pairs: pairs of outputs of which people prefer one, and the metric has both.
        concordant: those of which the metric strictly prefers the same one.
        discordant: all others.
        tied: those of the discordant that the metric scores alike.
        tau: (concordant - discordant) / pairs, with a bootstrap interval over
            segments.
    """

    pairs: int
    concordant: int
    discordant: int
    tied: int
    tau: Estimate


def rank_agreement(
    better: Sequence[tuple[int, int, int]], scores: Matrix, bootstrap: Bootstrap
) -> RankAgreement:
    """Kendall's τ as WMT computes it of daRR pairs.

    A tie of the metric is discordant, for people see a difference.

    Args:
        better: segment, place of the better and of the worse system.
        scores: shape ``(segments, systems)``; NaN where there is none.

    Source: Ma, Wei, Bojar and Graham (2019), equation 2 and the table of concordant
    and discordant outcomes below it.
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

    Attributes:
        systems: those that both score.
        pearson: Pearson's r of the scores.
        accuracy: share of the pairs of systems that both put in the same order, of
            those that people tell apart; NaN where they tell none apart.
        right, pairs: that share as counts.
    """

    systems: int
    pearson: Estimate
    accuracy: float
    right: int
    pairs: int


def system_agreement(
    scores: Vector, human: Vector, level: float = 0.95
) -> SystemAgreement:
    """Compare a metric's scores of systems with people's; NaN is left out.

    Sources: Ma, Wei, Bojar and Graham (2019), equation 1, for Pearson's r; Kocmi et
    al. (2021) for the accuracy.
    """
    scores, human = complete(scores, human)
    right = pairs = 0
    for a, b in combinations(range(len(scores)), 2):
        wanted, found = human[a] - human[b], scores[a] - scores[b]
        if abs(wanted) <= TIE:
            continue
        pairs += 1
        right += bool(wanted * found > 0 and abs(found) > TIE)
    accuracy = right / pairs if pairs else math.nan
    r = pearson(scores, human, level)
    return SystemAgreement(len(scores), r, accuracy, right, pairs)
