"""The exchange test against enumeration by hand, and its laws."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from exactmatch.base.errors import InputError
from exactmatch.scoring.exchange import fewest
from exactmatch.studies import exchange_test, halves_interval

Counts = list[tuple[int, int, int]]


@st.composite
def corpora(draw: st.DrawFn, least: int = 1, most: int = 7) -> tuple[Counts, Counts]:
    """Counts of two systems on the same pairs; many pairs are equal."""
    base, system = [], []
    for _ in range(draw(st.integers(least, most))):
        gold = draw(st.integers(0, 6))
        sides = []
        for _ in range(2):
            predicted = draw(st.integers(0, 6))
            matched = draw(st.integers(0, min(predicted, gold)))
            sides.append((matched, predicted, gold))
        base.append(sides[0])
        system.append(sides[draw(st.integers(0, 1))])
    return base, system


def f1(counts: Any) -> Fraction | None:
    matched, predicted, gold = (sum(row[k] for row in counts) for k in range(3))
    below = predicted + gold
    return Fraction(2 * matched, below) if below else None


def difference(base: Counts, system: Counts) -> Fraction | None:
    ends = f1(base), f1(system)
    return None if None in ends else ends[1] - ends[0]


@given(systems=corpora())
@settings(max_examples=examples(150), deadline=None)
def test_p_is_the_share_of_all_exchanges(systems: tuple[Counts, Counts]) -> None:
    """Counted one by one in exact fractions."""
    base, system = systems
    real = difference(base, system)
    test = exchange_test(base, system)
    if real is None:
        assert math.isnan(test.difference)
        return
    extreme = 0
    for coins in product((0, 1), repeat=len(base)):
        pairs = [
            (b, s)[::-1] if coin else (b, s)
            for coin, b, s in zip(coins, base, system, strict=True)
        ]
        other = difference([a for a, _ in pairs], [b for _, b in pairs])
        extreme += other is None or abs(other) >= abs(real)
    assert test.exact
    assert test.p == pytest.approx(extreme / 2 ** len(base))
    assert test.difference == pytest.approx(float(real))


@given(systems=corpora(), macro=st.booleans(), level=st.sampled_from([0.5, 0.8, 0.95]))
@settings(max_examples=examples(300), deadline=None)
def test_the_interval_never_contradicts_the_test(
    systems: tuple[Counts, Counts], macro: bool, level: float
) -> None:
    """It contains 0 exactly if p > 1 - level."""
    test = exchange_test(*systems, macro=macro, confidence=level)
    if math.isnan(test.difference):
        return
    low, high = test.interval
    contains = (low is None or low <= 0) and (high is None or high >= 0)
    assert contains == (test.p > 1 - level + 1e-12)
    assert low is None or low <= test.difference + 1e-12
    assert high is None or high >= test.difference - 1e-12


@pytest.mark.slow
@given(systems=corpora(least=16, most=30), seed=st.integers(0, 5))
@settings(max_examples=examples(50), deadline=None)
def test_many_pairs_contradict_nothing_either(
    systems: tuple[Counts, Counts], seed: int
) -> None:
    test = exchange_test(*systems, samples=500, seed=seed)
    low, high = test.interval
    contains = (low is None or low <= 0) and (high is None or high >= 0)
    assert contains == (test.p > 0.05 + 1e-12)


@given(systems=corpora(), macro=st.booleans())
@settings(max_examples=examples(100), deadline=None)
def test_who_is_the_baseline_changes_the_sign_alone(
    systems: tuple[Counts, Counts], macro: bool
) -> None:
    there = exchange_test(*systems, macro=macro)
    back = exchange_test(*systems[::-1], macro=macro)
    assert there.p == back.p
    if not math.isnan(there.difference):
        assert there.difference == pytest.approx(-back.difference, abs=1e-12)


@given(systems=corpora())
@settings(max_examples=examples(100), deadline=None)
def test_halves_are_the_scores_of_parts(systems: tuple[Counts, Counts]) -> None:
    """All splits, one by one: the j-th smallest lower and j-th largest higher score."""
    rows = systems[1]
    lows, highs = [], []
    for coins in product((False, True), repeat=len(rows)):
        parts = [
            [row for row, coin in zip(rows, coins, strict=True) if coin == side]
            for side in (False, True)
        ]
        scores = [f1(part) for part in parts]
        if None in scores:
            lows.append(-math.inf)
            highs.append(math.inf)
        else:
            lows.append(float(min(scores)))
            highs.append(float(max(scores)))
    j = 1
    while not j > Fraction(1, 20) * len(lows):
        j += 1
    low, high = sorted(lows)[j - 1], sorted(highs, reverse=True)[j - 1]
    expected = [None if math.isinf(end) else pytest.approx(end) for end in (low, high)]
    assert [*halves_interval(rows)] == expected


def test_random_exchanges_are_near_the_exact_p() -> None:
    """Of 15 differing pairs all exchanges are tried; one pair more, and some are."""
    rng = np.random.default_rng(3)
    gold = rng.integers(5, 20, 15)
    base, system = (
        np.stack((rng.binomial(gold, share), gold, gold), 1) for share in (0.6, 0.75)
    )
    exact = exchange_test(base, system)
    assert exact.exact
    equal = np.array([[9, 10, 10]] * 5)
    more = exchange_test(np.vstack((base, equal)), np.vstack((system, equal)))
    assert more.exact
    assert more.differing == exact.differing
    once_more = np.array([[9, 10, 10]]), np.array([[9, 11, 10]])
    drawn = exchange_test(
        np.vstack((base, equal, once_more[0])), np.vstack((system, equal, once_more[1]))
    )
    if drawn.differing > 15:
        assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.03)


def test_differing_outputs_that_a_level_needs() -> None:
    """The smallest p-value of k differing outputs is 2 / 2ᵏ."""
    for level in (0.5, 0.9, 0.95, 0.99, 0.999):
        k = fewest(level)
        assert 2.0 ** (1 - k) <= 1 - level < 2.0 ** (2 - k)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([(1, 2)], {}, "has the shape"),
        ([(1, 2, -3)], {}, "negative"),
        ([(1, 2, math.nan)], {}, "not finite"),
        ("abc", {}, "not an array of numbers"),
        ([(1, 2, 3)], {"samples": 0}, "samples is 0"),
        ([(1, 2, 3)], {"confidence": 95}, "confidence is 95"),
        ([(1, 2, 3)], {"seed": -1}, "seed"),
    ],
)
def test_bad_arguments_are_named(rows: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        halves_interval(rows, **options)
    with pytest.raises(InputError, match=message):
        exchange_test(rows, rows, **options)


def test_empty_and_unequal_corpora() -> None:
    assert halves_interval([]) == (None, None)
    with pytest.raises(InputError, match="no pairs"):
        exchange_test([], [])
    with pytest.raises(InputError, match="same pairs in the same order"):
        exchange_test([(1, 2, 3)], [(1, 2, 3), (1, 2, 3)])
