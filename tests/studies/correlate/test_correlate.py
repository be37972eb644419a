"""Correlations, errors and preferences against SciPy and counting by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from exactmatch.scoring.exchange import Vector, exchanges
from exactmatch.scoring.resampling import Sampling
from exactmatch.studies.correlate.measures import (
    kendall,
    pearson,
    preference,
    quantile_rmse,
    rmse,
    root_mean_square,
    root_mean_square_of_quantiles,
    spearman,
)


def noisy(n: int, share: float, seed: int) -> tuple[Vector, Vector]:
    rng = np.random.default_rng(seed)
    x = rng.random(n)
    return x, share * x + (1 - share) * rng.random(n)


HALVES = Sampling(2000)


def test_pearsons_interval_is_near_fishers_of_normal_scores() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    y = x + rng.normal(size=400)
    found = pearson(x, y, Sampling(level=0.9))
    expected = stats.pearsonr(x, y).confidence_interval(0.9)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (expected.low, expected.high), abs=0.01
    )


@pytest.mark.slow
@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_intervals_cover(function: Any) -> None:
    """Most intervals of samples hold the correlation of a very large sample."""
    truth = function(*noisy(5000, 0.5, 1)).value
    covered = 0
    for seed in range(200):
        interval = function(*noisy(60, 0.5, 10 + seed), Sampling(400)).interval
        covered += interval.low <= truth <= interval.high
    assert 180 <= covered <= 200


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
@pytest.mark.parametrize("n", [7, 40])
def test_the_ends_are_correlations_of_halves(function: Any, n: int) -> None:
    """Each end is SciPy's correlation of some half, with ties, seen one by one."""
    rng = np.random.default_rng(n)
    x = rng.integers(0, 5, n).astype(float)
    y = x + rng.integers(0, 4, n)
    sampling = Sampling(50, level=0.8)
    ends = function(x, y, sampling).interval
    lows, highs = [], []
    for coins in exchanges(n, 50, 0):
        for coin in coins:
            halves = [np.flatnonzero(coin == side) for side in (1, 0)]
            both = [function(x[half], y[half]).value for half in halves]
            missing = np.isnan(both).any()
            lows.append(-np.inf if missing else min(both))
            highs.append(np.inf if missing else max(both))
    place = int(0.2 * (len(lows) + (n > 15)) - (n > 15) + 1e-9)
    wanted = sorted(lows)[place], sorted(highs)[-1 - place]
    if not np.isfinite(wanted).all():
        assert ends is None
    else:
        assert (ends.low, ends.high) == pytest.approx(wanted, abs=1e-12)


def test_a_constant_has_no_correlation() -> None:
    x = np.arange(10.0)
    found = pearson(x, np.ones(10))
    assert np.isnan(found.value)
    assert found.interval is None


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_perfect_agreement_has_no_interval(function: Any) -> None:
    """So few points do not prove the truth to be 1, though each half of them has it."""
    x = np.arange(30.0)
    for sign in (1, -1):
        found = function(x, sign * x, HALVES)
        assert found.value == pytest.approx(sign)
        assert found.interval is None


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_correlations_of_very_few(function: Any, n: int) -> None:
    """Three points are the first that say anything; so few have no interval."""
    x, y = noisy(n, 0.5, 4)
    found = function(x, y, HALVES)
    assert np.isnan(found.value) == (n < 3)
    assert found.interval is None


@pytest.mark.parametrize("function", [rmse, quantile_rmse])
def test_errors_of_nothing_and_of_few(function: Any) -> None:
    x, y = noisy(20, 0.5, 4)
    assert np.isnan(function(x[:0], y[:0]))
    assert function(x[:1], y[:1]) == pytest.approx(abs(x[0] - y[0]))


@pytest.mark.slow
@pytest.mark.parametrize("function", [root_mean_square, root_mean_square_of_quantiles])
def test_errors_that_rest_on_few_have_no_interval(function: Any) -> None:
    x, y = noisy(30, 0.5, 4)
    assert function(x, y, HALVES).interval is not None
    y[5:] = x[5:]
    assert function(x, y, HALVES).interval is None
    assert function(x, y).interval is None


def test_preference_of_nothing() -> None:
    nothing = np.array([])
    found = preference(nothing, nothing, nothing)
    assert (found.decided, found.accuracy.interval) == (0, None)
    assert np.isnan(found.accuracy.value)


def test_errors_are_counted_by_hand() -> None:
    """Differences 0.1 and -0.3: the root of 0.1 / 2; quantiles ignore the order."""
    x, y = np.array([0.5, 0.2]), np.array([0.4, 0.5])
    assert rmse(x, y) == pytest.approx(np.sqrt(0.05))
    values = np.random.default_rng(2).random(50)
    assert quantile_rmse(values, values[::-1]) == 0
    assert quantile_rmse(values, values + 0.25) == pytest.approx(0.25)


def test_the_interval_of_an_error_surrounds_it() -> None:
    x, y = noisy(200, 0.7, 3)
    found = root_mean_square(x, y, HALVES)
    assert found.interval is not None
    squares = (x - y) ** 2
    reach = 1.96 * squares.std() / np.sqrt(200) / (2 * found.value)
    assert found.interval.low == pytest.approx(found.value - reach, abs=0.15 * reach)
    assert found.interval.high == pytest.approx(found.value + reach, abs=0.15 * reach)


def test_preferences_are_counted_by_hand() -> None:
    """Right, wrong, tied by the metric, undecided by people, right."""
    first = np.array([0.9, 0.9, 0.5, 0.3, 0.1])
    second = np.array([0.2, 0.2, 0.5, 0.9, 0.7])
    found = preference(first, second, np.array([1.0, 0.0, 1.0, 0.5, 0.0]))
    assert (found.decided, found.right, found.tied, found.undecided) == (4, 2, 1, 1)
    assert found.accuracy.value == 0.5
    theirs = stats.binomtest(2, 4).proportion_ci(0.95, "wilson")
    assert found.accuracy.interval is not None
    assert found.accuracy.interval.low == pytest.approx(theirs.low)
