"""The answer of a comparison in sentences: which system is better, and how surely."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist

from exactmatch.base.numbers import fixed, is_missing, several, stated_p
from exactmatch.scoring.resampling import PairedTest
from exactmatch.studies.compare.results import Comparison, MetricComparison, Standing

SIGNIFICANT = 0.05
"""A difference is called significant where p is no greater."""

POINTS = 0.5
"""The difference, in points of a hundred, that a comparison should be able to see."""

POWER = 0.8
"""How often a test should see it."""


def verdicts(found: Comparison) -> tuple[str, ...]:
    """Return a sentence for each system that is held against the baseline."""
    return tuple(
        _verdict(found, comparison, standing, standing.test)
        for comparison in found.metrics
        for standing in comparison.standings
        if standing.test is not None
    )


def pairs_needed(test: PairedTest, points: float = POINTS) -> int | None:
    """Return how many pairs a test needs to see a difference in most cases.

    The standard error is read off the interval and shrinks with the root of the number
    of pairs; the test is two-sided at 5 % and has a power of 80 %.

    Args:
        test: the test of some pairs.
        points: the difference, in points of a hundred.

    Returns:
        The number; ``None`` where the test has no interval, or one of no width.

    Source: Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences",
    section 2.4.
    """
    if test.interval is None or not test.interval.high > test.interval.low:
        return None
    normal, level = NormalDist(), test.interval.level
    width = (test.interval.high - test.interval.low) / 2
    error = width / normal.inv_cdf((1 + level) / 2)
    both = normal.inv_cdf(1 - SIGNIFICANT / 2) + normal.inv_cdf(POWER)
    return math.ceil(test.pairs * (both * error / (points / 100)) ** 2)


def _verdict(
    found: Comparison,
    comparison: MetricComparison,
    standing: Standing,
    test: PairedTest,
) -> str:
    p = test.p_value if standing.corrected is None else standing.corrected
    short = found.short_names
    names = short[standing.system], short[comparison.baseline]
    better, worse = names if test.difference > 0 else names[::-1]
    under = f"under {comparison.metric}"
    pairs = several(test.pairs, "pair")
    gain = f"{fixed(100 * abs(test.difference), 2)} points"
    if p is None or is_missing(p):
        if not test.difference:
            return f"{better} and {worse} are equal {under} ({pairs}, too few to test)"
        return (
            f"{better} is better than {worse} {under} by {gain} ({pairs}, too few to "
            "test)"
        )
    sure = f"{stated_p(p)}, {pairs}"
    if p <= SIGNIFICANT:
        lines = [f"{better} is better than {worse} {under} by {gain} ({sure}"]
        lines += _interval(test, found)
        return ", ".join(lines) + ")"
    sentence = (
        f"no significant difference between {better} and {worse} {under} ({sure})"
    )
    needed = pairs_needed(test)
    if needed is None:
        return sentence
    if needed <= test.pairs:
        return f"{sentence}; one of {POINTS:g} points would have been seen"
    return (
        f"{sentence}; {needed:,} pairs would be needed to see one of {POINTS:g} points"
    )


def _interval(test: PairedTest, found: Comparison) -> Iterator[str]:
    if test.interval is not None:
        low, high = sorted(
            100 * abs(e) for e in (test.interval.low, test.interval.high)
        )
        if test.interval.low * test.interval.high > 0:
            level = f"{100 * found.bootstrap.level:g} %"
            yield f"{level}: {fixed(low, 2)} to {fixed(high, 2)}"
