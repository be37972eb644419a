"""Agreement of metrics with human judgement of pairs, and tests of two metrics.

Two metrics of the same graphs are alike.  So Williams' test of two correlations with
people takes their correlation with each other into account, and McNemar's test of two
accuracies counts the decisions that only one metric has right.  docs/trust/people.md
says what is measured for which judgement, and has the sources.
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
    """Number with its interval.

    The number is NaN where it is not defined (the correlation with a constant) or
    meaningless (the correlation of two points).  The interval is ``None`` for too few
    items and for a perfect correlation, which every half of the items has.
    """

    value: float
    interval: Interval | None


def complete(*values: Vector) -> list[Vector]:
    """Drop items with a NaN in any series."""
    is_complete = ~np.isnan(sum(values))
    return [each[is_complete] for each in values]


def _correlation(
    name: str,
    halves: Callable[[Vector, Vector, Sampling, Codes | None], Interval | None],
    x: Vector,
    y: Vector,
    sampling: Sampling | None = None,
    codes: Codes | None = None,
) -> Estimate:
    """Return a correlation from SciPy, with *sampling* also its interval."""
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
    """Return the root of the mean squared difference; NaN without items."""
    if not len(x):
        return math.nan
    return float(np.sqrt(np.mean((x - y) ** 2)))


def quantile_rmse(x: Vector, y: Vector) -> float:
    """Return the root mean squared difference of the quantiles 0.1, 0.2, …, 0.9.

    It shows whether a metric gives as many high and low scores as people do, not
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
    """Return the RMSE, with its interval if enough scores differ."""
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
    """Return the RMSE of quantiles, with its interval if enough scores differ."""
    value = quantile_rmse(x, y)
    if sampling is None or not _are_enough(x, y, sampling, codes):
        return Estimate(value, None)

    def of_some(items: npt.NDArray[np.intp]) -> float:
        return quantile_rmse(x[items], y[items])

    return Estimate(value, any_halves(len(x), of_some, sampling, codes=codes))


def _are_enough(x: Vector, y: Vector, sampling: Sampling, codes: Codes | None) -> bool:
    """Return whether enough scores differ for an interval."""
    differs = (np.abs(x - y) > TIE)[:, None].astype(np.float64)
    return int((summed(differs, codes) > 0).sum()) >= fewest(sampling.level)


@dataclass(frozen=True, slots=True)
class Preference:
    """Numbers of people's preferences that a metric shares."""

    decided: int  # pairs in which people prefer one output
    right: int  # of these, the metric strictly prefers the same one
    tied: int  # of these, the metric sees no difference; not right
    undecided: int  # pairs that people find equally good; left out
    accuracy: Estimate  # right / decided

    @property
    def wrong(self) -> int:
        """Number of pairs in which the metric strictly prefers the other one."""
        return self.decided - self.right - self.tied


def preferred(first: Vector, second: Vector) -> Vector:
    """Return 1 where the first score is higher, -1 where the second is, else 0.

    Scores that differ only by the order of summation are equal.
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
    """Compare a metric's preferences with people's; items with NaN are left out.

    *human* is 1 where people prefer the first, 0 the second, 0.5 neither.  The interval
    is Wilson's (1927), by SciPy or, if *codes* number the decisions' documents, from
    random halves of these.
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
        is_decided = ~np.isnan(right_or_wrong)
        of_both = right_or_wrong[is_decided], np.ones(int(is_decided.sum()))
        halves = mean_halves(*of_both, sampling, only(codes, is_decided))
        accuracy = Estimate(right / decided, halves)
    elif decided:
        wilson = binomtest(right, decided).proportion_ci(sampling.level, "wilson")
        interval = Interval(float(wilson.low), float(wilson.high), sampling.level)
        accuracy = Estimate(right / decided, interval)
    return Preference(decided, right, tied, len(human) - decided, accuracy)


@dataclass(frozen=True, slots=True)
class WilliamsTest:
    """Williams' test of two metrics' Pearson correlations with the same judgement.

    The p-value is two-sided; that of WMT's one-sided tests is half of it.
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
    """Return t and the two-sided p-value of two correlations that share variable 1.

    They are NaN for fewer than four items.  Correlations keep their signs; WMT's
    scripts drop them, for metrics that count errors.

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
    """Return the tests with Holm's correction over all of them."""
    if len(tests) < 2:
        return tests
    tests_and_p_values = zip(tests, holm([test.p_value for test in tests]), strict=True)
    return [replace(test, corrected=value) for test, value in tests_and_p_values]


def williams_tests(scores: Mapping[str, Vector], human: Vector) -> list[WilliamsTest]:
    """Run Williams' test of every two metrics, with Holm's correction.

    Items without a score or judgement (NaN) are left out, and so are metrics that
    cannot be tested.
    """
    tests = []
    for first, second in combinations(scores, 2):
        x, y, z = complete(scores[first], scores[second], human)
        r = pearson(x, z).value, pearson(y, z).value, pearson(x, y).value
        t, p_value = williams(*r, len(z))
        if not math.isnan(p_value):
            tests.append(WilliamsTest(first, second, len(z), *r, t, p_value))
    return _corrected(tests)


def choices(first: Vector, second: Vector, human: Vector) -> Vector:
    """Return 1 where a metric prefers what people prefer, else 0.

    It is NaN where people prefer neither or a score or the judgement is missing.
    """
    is_decided = ~np.isnan(first + second + human) & (human != 0.5)
    agrees = np.full(len(human), np.nan)
    agrees[is_decided] = (
        preferred(first, second)[is_decided] == np.sign(human - 0.5)[is_decided]
    )
    return agrees


@dataclass(frozen=True, slots=True)
class AccuracyTest:
    """Test of two metrics' accuracies on the same decisions.

    The p-value is the probability, if both are equally good, that the decisions which
    only one metric has right split at least so unevenly.
    """

    first: str
    second: str
    decided: int  # decisions of people that both metrics score
    only_first: int
    only_second: int
    p_value: float
    corrected: float | None = None  # for several tests (Holm 1979)


def mcnemar_tests(
    right: Mapping[str, Vector],
    sampling: Sampling | None = None,
    codes: Codes | None = None,
) -> list[AccuracyTest]:
    """Run McNemar's exact test of every two metrics, with Holm's correction.

    *right* comes from :func:`choices`.  If both metrics are equally good, each of the
    b + c decisions that only one of them has right is the first's with probability
    1/2: p is binomial.  If *codes* number the decisions' documents, the decisions of a
    document are exchanged as a whole.

    Source: McNemar (1947), "Note on the sampling error of the difference between
    correlated proportions or percentages", in its exact binomial form.
    """
    from scipy.stats import binomtest

    tests = []
    for first, second in combinations(right, 2):
        first_right, second_right = complete(right[first], right[second])
        only_first = int((first_right > second_right).sum())
        only_second = int((first_right < second_right).sum())
        split = only_first + only_second
        if codes is not None and sampling is not None:
            is_decided = ~np.isnan(right[first] + right[second])
            known_codes = only(codes, is_decided)
            p_value = _exchanged_documents(
                first_right, second_right, known_codes, sampling
            )
        else:
            p_value = float(binomtest(only_first, split).pvalue) if split else 1.0
        counts = len(first_right), only_first, only_second
        tests.append(AccuracyTest(first, second, *counts, p_value))
    return _corrected(tests)


def _exchanged_documents(
    first_right: Vector, second_right: Vector, codes: Codes, sampling: Sampling
) -> float:
    """Return the p-value of exchanging two metrics' right decisions by document."""
    if not len(first_right):
        return 1.0
    first, second = (
        summed(np.stack((right, np.ones(len(right))), axis=1), codes)
        for right in (first_right, second_right)
    )
    weights = first[:, 1]
    sampling_key = sampling.drawn(len(weights)), sampling.seed, sampling.level
    sides = Sides(first, second, weights, weights)
    return compare_by_exchange(sides, mean_scorer, 0, *sampling_key).p
