"""Paired tests of few pairs against SciPy, enumeration by hand and closed forms."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support.examples import examples

from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.exchange import ENUMERATED, Matrix
from exactmatch.scoring.paired_tests import holm, influence, paired_test
from exactmatch.scoring.resampling import FEWEST, Sampling
from exactmatch.scoring.rows import mean_scorer, pair_weights

SMATCH = Smatch().score_rows
WEIGHTS = Smatch().output_weights
F1 = 2


@st.composite
def two_systems(draw: st.DrawFn, most: int = 7) -> tuple[Matrix, Matrix]:
    """Smatch's statistics of two systems: few pairs, often 0, often all."""
    sides: tuple[list[list[float]], list[list[float]]] = ([], [])
    for _ in range(draw(st.integers(1, most))):
        gold = draw(st.integers(0, 9))
        for side in sides:
            pred = draw(st.integers(0, 9))
            matched = draw(st.integers(0, min(pred, gold)))
            side.append([matched, matched, pred, gold, 1, 1])
    return np.array(sides[0], dtype=float), np.array(sides[1], dtype=float)


def f1(rows: list[list[float]]) -> float:
    matched, pred, gold = (math.fsum(row[k] for row in rows) for k in (0, 2, 3))
    return 2 * matched / (pred + gold) if pred and gold and matched else 0.0


@given(systems=two_systems())
@settings(max_examples=examples(150), deadline=None)
def test_few_pairs_are_exchanged_in_every_way(systems: tuple[Matrix, Matrix]) -> None:
    """The p-value is the share of all exchanges, counted one by one."""
    baseline, system = systems
    found = paired_test(baseline, system, SMATCH, WEIGHTS, F1, Sampling(), "exchange")
    pairs = list(zip(baseline.tolist(), system.tolist(), strict=True))
    observed = abs(f1([b for _, b in pairs]) - f1([a for a, _ in pairs]))
    extreme = 0
    for exchange in product((False, True), repeat=len(pairs)):
        sides = [
            (b, a) if x else (a, b) for (a, b), x in zip(pairs, exchange, strict=True)
        ]
        difference = f1([b for _, b in sides]) - f1([a for a, _ in sides])
        extreme += abs(difference) >= observed - 1e-12
    assert found.exact
    assert found.p_value == extreme / 2 ** len(pairs)


@given(systems=two_systems(), seed=st.integers(0, 9))
@settings(max_examples=examples(60), deadline=None)
def test_who_is_the_baseline_and_the_order_of_pairs_change_no_p_value(
    systems: tuple[Matrix, Matrix], seed: int
) -> None:
    baseline, system = systems
    order = np.random.default_rng(seed).permutation(len(baseline))
    found = paired_test(baseline, system, SMATCH, WEIGHTS, F1, Sampling(), "exchange")
    turned = paired_test(
        system[order], baseline[order], SMATCH, WEIGHTS, F1, Sampling(), "exchange"
    )
    assert turned.p_value == found.p_value
    assert turned.difference == pytest.approx(-found.difference, abs=1e-12)


@given(systems=two_systems())
@settings(max_examples=examples(60), deadline=None)
def test_few_pairs_are_not_resampled(systems: tuple[Matrix, Matrix]) -> None:
    """The exchange test has a p-value, and an interval where six outputs differ."""
    found = paired_test(*systems, SMATCH, WEIGHTS, F1, Sampling(), "bootstrap")
    assert (found.interval, found.wins, found.p_value) == (None, None, None)
    found = paired_test(*systems, SMATCH, WEIGHTS, F1, Sampling(), "exchange")
    assert found.p_value is not None
    assert found.interval is None or found.differing >= 6


def means(values: np.ndarray) -> Matrix:
    return np.stack((values, np.ones_like(values)), axis=1)


@pytest.mark.parametrize("n", [2, 5, 9, 12])
def test_exact_p_values_are_scipys(n: int) -> None:
    """SciPy enumerates the same exchanges of the same mean difference."""
    rng = np.random.default_rng(n)
    first, second = rng.random(n), rng.random(n) + 0.2
    theirs = stats.permutation_test(
        (second, first),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    found = paired_test(
        means(first),
        means(second),
        mean_scorer,
        pair_weights,
        0,
        Sampling(),
        "exchange",
    )
    assert found.difference == pytest.approx(theirs.statistic)
    assert found.p_value == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 8, ENUMERATED])
def test_differences_of_one_sign_leave_two_exchanges(n: int) -> None:
    """None and all: p = 2 / 2ⁿ, and 1 for a single pair."""
    first = np.zeros(n)
    second = np.random.default_rng(0).random(n) + 0.1
    found = paired_test(
        means(first),
        means(second),
        mean_scorer,
        pair_weights,
        0,
        Sampling(),
        "exchange",
    )
    assert found.p_value == 2.0 ** (1 - n)


@pytest.mark.parametrize("n", [3, 10, ENUMERATED])
@pytest.mark.parametrize("wins", [0, 1, 3])
def test_equal_differences_are_the_sign_test(n: int, wins: int) -> None:
    """With scores of 0 and 1 the number of wins is binomial."""
    second = (np.arange(n) < wins).astype(float)
    found = paired_test(
        means(1 - second),
        means(second),
        mean_scorer,
        pair_weights,
        0,
        Sampling(),
        "exchange",
    )
    expected = stats.binomtest(wins, n, 0.5).pvalue
    assert found.p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [ENUMERATED, ENUMERATED + 1])
def test_samples_follow_where_enumeration_ends(n: int) -> None:
    """Sampled and enumerated p-values of neighbouring sizes agree with SciPy's."""
    rng = np.random.default_rng(3)
    first = rng.random(n)
    second = first + rng.normal(0.04, 0.1, n)
    theirs = stats.permutation_test(
        (second - first,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    found = paired_test(
        means(first),
        means(second),
        mean_scorer,
        pair_weights,
        0,
        Sampling(20_000),
        "exchange",
    )
    assert found.exact == (n <= ENUMERATED)
    assert found.p_value == pytest.approx(theirs.pvalue, abs=0.015)


@pytest.mark.parametrize("test", ["bootstrap", "exchange"])
@pytest.mark.parametrize("n", [FEWEST, 200_000])
def test_enough_and_very_many_pairs(test: Any, n: int) -> None:
    """Everything is there, and it is what the normal distribution says."""
    rng = np.random.default_rng(4)
    first = rng.random(n)
    second = first + rng.normal(0.1 / math.sqrt(n), 0.1, n)
    found = paired_test(
        means(first), means(second), mean_scorer, pair_weights, 0, Sampling(50), test
    )
    error = float((second - first).std()) / math.sqrt(n)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(
        found.difference - 1.96 * error, abs=error
    )
    assert found.interval.high == pytest.approx(
        found.difference + 1.96 * error, abs=error
    )
    assert found.p_value is not None
    assert 0 < found.p_value <= 1
    assert not found.exact


@pytest.mark.parametrize("test", ["bootstrap", "exchange"])
@pytest.mark.parametrize("n", [1, 2, 15, 16, 19, 20, 40])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_systems_that_score_all_0_or_all_1(test: Any, n: int, value: float) -> None:
    rows = means(np.full(n, value))
    found = paired_test(rows, rows, mean_scorer, pair_weights, 0, Sampling(100), test)
    assert found.difference == 0
    if test == "exchange":
        assert (found.p_value, found.differing, found.interval) == (1.0, 0, None)
    elif n >= FEWEST:
        assert found.interval is not None
        assert (found.interval.low, found.interval.high) == (0, 0)
        assert (found.p_value, found.wins) == (1.0, 0.5)
    else:
        assert found.p_value is None
    assert influence(rows, rows, mean_scorer, 0).tolist() == [0.0] * n


def test_the_mean_of_nothing_is_not_a_number() -> None:
    assert np.isnan(mean_scorer(np.zeros((2, 4)))).all()


# Holm's correction


def closed_tests(p_values: list[float]) -> list[float]:
    """Holm's as a closed test: a hypothesis falls with all sets that contain it.

    Each set is tested by Bonferroni: its size times its smallest p-value.
    """
    places = range(len(p_values))
    found = []
    for k in places:
        sets = [
            chosen
            for size in range(1, len(p_values) + 1)
            for chosen in combinations(places, size)
            if k in chosen
        ]
        worst = max(len(s) * min(p_values[j] for j in s) for s in sets)
        found.append(min(1.0, worst))
    return found


@given(
    p_values=st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.3, 1.0]), max_size=6)
)
@settings(max_examples=examples(100), deadline=None)
def test_holms_correction_is_the_closed_test(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(closed_tests(p_values), abs=1e-15)


@pytest.mark.slow
@given(p_values=st.lists(st.floats(0, 1), max_size=12))
def test_corrected_p_values_keep_their_order_and_lie_within_bonferronis(
    p_values: list[float],
) -> None:
    found = holm(p_values)
    m = len(p_values)
    for plain, corrected in zip(p_values, found, strict=True):
        assert plain <= corrected <= min(1.0, m * plain) + 1e-15
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(found)[order]) >= 0).all()


def test_holms_correction_by_hand() -> None:
    """In order 0.005 · 4, 0.01 · 3, 0.03 · 2, and 0.04 · 1 raised to the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_pairs_that_do_not_differ_leave_few_exchanges() -> None:
    """Of 200 pairs 3 differ: 2 of 8 exchanges are as far, and all others are these."""
    first = np.full(200, 0.5)
    second = first.copy()
    second[:3] += (0.1, 0.2, 0.3)
    rows = means(first), means(second)
    found = paired_test(*rows, mean_scorer, pair_weights, 0, Sampling(), "exchange")
    assert found.exact is True
    assert found.p_value == 2 / 8
