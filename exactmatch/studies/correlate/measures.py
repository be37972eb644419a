"""How well scores agree with human judgement of pairs, and which metric does better.

Two metrics that are computed from the same graphs are alike: Williams' test of two
correlations with people takes into account how far the metrics correlate with each
other, McNemar's test of two accuracies the decisions that only one has right.
docs/trust/people.md says what is measured of which judgement, and has the sources.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exactmatch.scoring.exchange import (
    TIE,
    Sides,
    Vector,
    compare_by_exchange,
    fewest,
)
from exactmatch.scoring.paired_tests import holm
from exactmatch.scoring.resampling import Interval, Sampling
from exactmatch.scoring.rows import Codes, mean_scorer, only, summed
from exactmatch.studies.correlate.halves import (
    LEAST,
    any_halves,
    kendall_halves,
    mean_halves,
    pearson_halves,
    spearman_halves,
)

Tested = TypeVar("Tested", "WilliamsTest", "AccuracyTest")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval.

    The number is NaN where it is not defined, such as the correlation with a constant,
    or says nothing, such as that of two points.  There is no interval of too few items,
    and none of a perfect correlation, which every half of the items has.
    """

    value: float
    interval: Interval | None


def complete(*values: Vector) -> list[Vector]:
    """Drop items with a NaN in any series."""
    known = ~np.isnan(sum(values))
    return [each[known] for each in values]


def _correlation(
    name: str,
    halves: Callable[[Vector, Vector, Sampling, Codes | None], Interval | None],
    x: Vector,
    y: Vector,
    sampling: Sampling | None = None,
    codes: Codes | None = None,
) -> Estimate:
    """Return a correlation of SciPy's, with the interval of random halves if drawn."""
    from scipy import stats

    if len(x) < LEAST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Estimate(math.nan, None)
    r = float(getattr(stats, name)(x, y).statistic)
    if sampling is None or abs(r) > 1 - TIE:
        return Estimate(r, None)
    return Estimate(r, halves(x, y, sampling, codes))


pearson = partial(_correlation, "pearsonr", pearson_halves)
"""Pearson's r."""

spearman = partial(_correlation, "spearmanr", spearman_halves)
"""Spearman's ρ."""

kendall = partial(_correlation, "kendalltau", kendall_halves)
"""Kendall's τ-b."""


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


def root_mean_square(
    x: Vector,
    y: Vector,
    sampling: Sampling | None = None,
    codes: Codes | None = None,
) -> Estimate:
    """Return the RMSE with its interval, if some scores differ and it is bounded."""
    value = rmse(x, y)
    if sampling is None or not _are_enough(x, y, sampling, codes):
        return Estimate(value, None)
    squares = mean_halves((x - y) ** 2, np.ones(len(x)), sampling, codes)
    if squares is None:
        return Estimate(value, None)
    ends = math.sqrt(max(0.0, squares.low)), math.sqrt(max(0.0, squares.high))
    return Estimate(value, Interval(*ends, sampling.level))


def root_mean_square_of_quantiles(
    x: Vector,
    y: Vector,
    sampling: Sampling | None = None,
    codes: Codes | None = None,
) -> Estimate:
    """Return the RMSE of quantiles with its interval, as :func:`root_mean_square`."""
    value = quantile_rmse(x, y)
    if sampling is None or not _are_enough(x, y, sampling, codes):
        return Estimate(value, None)

    def of_some(items: npt.NDArray[np.intp]) -> float:
        return quantile_rmse(x[items], y[items])

    return Estimate(value, any_halves(len(x), of_some, sampling, codes=codes))


def _are_enough(x: Vector, y: Vector, sampling: Sampling, codes: Codes | None) -> bool:
    """Tell whether enough of the scores differ for an interval."""
    differs = (np.abs(x - y) > TIE)[:, None].astype(np.float64)
    return int((summed(differs, codes) > 0).sum()) >= fewest(sampling.level)


@dataclass(frozen=True, slots=True)
class Preference:
    """How often a metric prefers what people prefer."""

    decided: int  # pairs of which people prefer one
    right: int  # those where the metric strictly prefers the same one
    tied: int  # those where the metric sees no difference; not right
    undecided: int  # pairs that people find equally good; they are left out
    accuracy: Estimate  # right over decided

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
    first: Vector,
    second: Vector,
    human: Vector,
    sampling: Sampling | None = None,
    codes: Codes | None = None,
) -> Preference:
    """Compare a metric's preferences with people's; what has NaN is left out.

    *human* is 1 where people prefer the first, 0 the second, 0.5 neither.  The interval
    is that of Wilson (1927), by SciPy; where the decisions are of documents, numbered
    by *codes*, it is that of random halves of these.
    """
    from scipy.stats import binomtest

    sampling = sampling or Sampling()
    right_or_wrong = choices(first, second, human)
    first, second, human = complete(first, second, human)
    clear = human != 0.5
    decided, right = int(clear.sum()), int(np.nansum(choices(first, second, human)))
    tied = int((preferred(first, second)[clear] == 0).sum())
    accuracy = Estimate(math.nan, None)
    if decided and codes is not None:
        known = ~np.isnan(right_or_wrong)
        of_both = right_or_wrong[known], np.ones(int(known.sum()))
        halves = mean_halves(*of_both, sampling, only(codes, known))
        accuracy = Estimate(right / decided, halves)
    elif decided:
        found = binomtest(right, decided).proportion_ci(sampling.level, "wilson")
        interval = Interval(float(found.low), float(found.high), sampling.level)
        accuracy = Estimate(right / decided, interval)
    return Preference(decided, right, tied, len(human) - decided, accuracy)


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


def mcnemar_tests(
    right: Mapping[str, Vector],
    sampling: Sampling | None = None,
    codes: Codes | None = None,
) -> list[AccuracyTest]:
    """McNemar's exact test of every two metrics, Holm's correction over all of them.

    Of the b + c decisions that one of two metrics alone has right, b are the first's
    with probability 1/2 each if both are equally good: p is binomial.  What each has
    right is told by :func:`choices`.  Where the decisions are of documents, numbered by
    *codes*, what the metrics have right in a document is exchanged as a whole.

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
        if codes is not None and sampling is not None:
            known = ~np.isnan(right[first] + right[second])
            own = only(codes, known)
            p_value = _exchanged_documents(ours, theirs, own, sampling)
        else:
            p_value = float(binomtest(only_first, split).pvalue) if split else 1.0
        counts = len(ours), only_first, only_second
        found.append(AccuracyTest(first, second, *counts, p_value))
    return _corrected(found)


def _exchanged_documents(
    ours: Vector, theirs: Vector, codes: Codes, sampling: Sampling
) -> float:
    """Return the p-value of exchanging what two metrics have right, by document."""
    if not len(ours):
        return 1.0
    first, second = (
        summed(np.stack((right, np.ones(len(right))), axis=1), codes)
        for right in (ours, theirs)
    )
    weights = first[:, 1]
    how = sampling.drawn(len(weights)), sampling.seed, sampling.level
    sides = Sides(first, second, weights, weights)
    return compare_by_exchange(sides, mean_scorer, 0, *how).p
