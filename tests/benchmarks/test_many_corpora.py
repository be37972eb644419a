"""Tests and intervals of many corpora at once are those of one after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.many_corpora import Fractions, exchange_tests, halves_hold
from exactmatch.studies import exchange_test, halves_interval

CORPORA = 30


def drawn(rng: np.random.Generator, n: int, alike: int) -> Any:
    """Draw corpora of two systems of which some outputs are equal, and some empty."""
    golds = rng.integers(0, 6, (CORPORA, n))
    preds = rng.integers(0, 6, (2, CORPORA, n))
    matched = rng.binomial(np.minimum(golds, preds), 0.7)
    sides = np.stack((matched, preds, np.broadcast_to(golds, preds.shape)), axis=-1)
    sides[1, :, :alike] = sides[0, :, :alike]
    return sides.astype(np.float64)


def first_seed(seed: int) -> int:
    """Return the seed of the coins of the first batch."""
    return int(np.random.default_rng(seed).integers(2**32))


def holds(interval: tuple[float | None, float | None], truth: float) -> bool:
    low, high = interval
    return (low is None or low <= truth) and (high is None or truth <= high)


@pytest.mark.parametrize("macro", [False, True])
@pytest.mark.parametrize(("n", "alike"), [(1, 0), (7, 0), (12, 4), (19, 9), (22, 1)])
def test_as_one_after_another(n: int, alike: int, macro: bool) -> None:
    base, system = drawn(np.random.default_rng((n, macro)), n, alike)
    differing = []
    for k in range(CORPORA):
        filled = (base[k] + system[k])[:, 1:].any(axis=1)
        own = base[k][filled], system[k][filled]
        if not filled.any():
            continue
        truth = 0.03 * (k - CORPORA / 2)
        how: Any = {"macro": macro, "samples": 300, "seed": first_seed(k)}
        one = exchange_test(*own, **how)
        first, second = (
            Fractions.of(rows[k : k + 1], macro) for rows in (base, system)
        )
        many = exchange_tests(first, second, truth, 300, k)
        # coins of pairs that do not differ are dealt in another order
        if n <= 15 or not one.exact:
            assert many.is_held[0] == holds(one.interval, truth)
        assert many.p[0] == one.p
        assert many.differing[0] == one.differing
        differing.append(one.differing)
        scored = base[k][base[k][:, 1:].any(axis=1)]
        interval = halves_interval(scored, **how)
        held = halves_hold(Fractions.of(base[k : k + 1], macro), 0.5 + truth, 300, k)
        assert held[0] == holds(interval, 0.5 + truth)
    assert n < 20 or max(differing) > 15


def test_a_batch_is_as_its_corpora() -> None:
    sides = drawn(np.random.default_rng(5), 9, 2)
    first, second = (Fractions.of(rows, False) for rows in sides)
    batch = exchange_tests(first, second, 0.1, 100, 0)
    held = halves_hold(first, 0.5, 100, 0)
    for k in range(CORPORA):
        own, other = (Fractions.of(rows[k : k + 1], False) for rows in sides)
        one = exchange_tests(own, other, 0.1, 100, 0)
        assert (one.p[0], one.is_held[0]) == (batch.p[k], batch.is_held[k])
        assert halves_hold(own, 0.5, 100, 0)[0] == held[k]
