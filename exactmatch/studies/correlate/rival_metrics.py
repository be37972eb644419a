"""Whether one metric agrees better with people than another, on the same judgement.

Two metrics that are computed from the same graphs are alike, so that their
agreement with people cannot be compared as if they had been measured apart:

* *Williams' test* compares two correlations with people, and takes into account
  how far the metrics correlate with each other;
* *McNemar's test* compares two accuracies by the decisions that only one metric has
  right.

Sources: Graham and Baldwin (2014), "Testing for significance of increased
correlation with human judgment"; McNemar (1947), "Note on the sampling error of the
difference between correlated proportions or percentages".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

import numpy as np

from exactmatch.scoring.resampling import TIE, Vector, holm
from exactmatch.studies.correlate.measures import complete, pearson, preferred

Tested = TypeVar("Tested", "WilliamsTest", "AccuracyTest")


@dataclass(frozen=True, slots=True)
class WilliamsTest:
    """Two metrics' correlations with people, on the same judgement.

    Attributes:
        r_first, r_second: their Pearson correlations with people.
        r_between: the correlation of the two.
        t: Williams' statistic, with n - 3 degrees of freedom; above 0 where the
            first correlates better.
        p_value: how probable so large a difference, of either sign, is if they
            correlate equally; WMT's one-sided tests have half of it.
        corrected: the p-value corrected for the number of tests (Holm 1979), where
            there are several.
    """

    first: str
    second: str
    n: int
    r_first: float
    r_second: float
    r_between: float
    t: float
    p_value: float
    corrected: float | None = None


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """Williams' test of two dependent correlations that share a variable.

    With K = 1 - r12² - r13² - r23² + 2 r12 r13 r23, the statistic

        t = (r12 - r13) √((n - 1)(1 + r23))
            / √(2 K (n - 1)/(n - 3) + (r12 + r13)²/4 · (1 - r23)³)

    follows Student's t with n - 3 degrees of freedom.  Correlations keep their
    signs; WMT's scripts drop them, for the sake of metrics that count errors.

    Args:
        r12, r13: the correlations to tell apart, both with variable 1.
        r23: the correlation of variables 2 and 3.
        n: how many items they are computed from.

    Returns:
        t and the two-sided p-value; NaN of fewer than four items.

    Sources: Williams (1959), "Regression Analysis", chapter 5; Graham and Baldwin
    (2014).
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
    corrected = holm([test.p_value for test in tests])
    return [
        replace(test, corrected=value)
        for test, value in zip(tests, corrected, strict=True)
    ]


def williams_tests(scores: Mapping[str, Vector], human: Vector) -> list[WilliamsTest]:
    """Williams' test of every two metrics, Holm's correction over all of them.

    Left out is what has no score or judgement (NaN), and what cannot be tested: fewer
    than four items, a metric or people that give everything the same score.
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

    Attributes:
        decided: what people decided and both metrics score.
        only_first, only_second: decisions that one of them alone has right.
        p_value: how probable so uneven a split of those is, of either sign, if the
            metrics are equally good.
        corrected: the p-value corrected for the number of tests (Holm 1979), where
            there are several.
    """

    first: str
    second: str
    decided: int
    only_first: int
    only_second: int
    p_value: float
    corrected: float | None = None


def mcnemar_tests(right: Mapping[str, Vector]) -> list[AccuracyTest]:
    """McNemar's exact test of every two metrics, Holm's correction over all of them.

    Of the b + c decisions that one of two metrics alone has right, b are the first's
    with probability 1/2 each if both are equally good: p is binomial.

    Args:
        right: of each metric 1 where it has a decision right, 0 where not, NaN where
            it was not asked.

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
