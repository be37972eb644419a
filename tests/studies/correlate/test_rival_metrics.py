"""Williams' and McNemar's tests against other programs, closed forms and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from support.examples import examples

from exactmatch.studies.correlate.measures import (
    choices,
    mcnemar_tests,
    williams,
    williams_tests,
)

NAN = math.nan


def test_williams_as_rs_psych_computes_it() -> None:
    """R's ``psych::r.test`` gives p = 0.2716978, one-sided, for these 45 items.

    The value is from the tests of the Python package ``nlpstats``, which like WMT's
    scripts takes correlations without their signs.
    """
    draws = np.random.RandomState(12)
    x, y, z = (draws.random_sample((9, 5)).ravel() for _ in range(3))
    r12, r13, r23 = (
        abs(np.asarray(np.corrcoef(pair))[0, 1]) for pair in ((x, z), (y, z), (x, y))
    )
    t, p_value = williams(r12, r13, r23, 45)
    assert t > 0
    assert p_value / 2 == pytest.approx(0.2716978, abs=5e-8)


def test_williams_as_the_wmt_script_computes_it() -> None:
    """The example of nlp-williams' README, one-sided."""
    _, p_value = williams(0.65, 0.55, 0.3, 50)
    assert p_value / 2 == pytest.approx(0.20928617286753592, abs=1e-12)


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 30),
    share=st.floats(0, 0.95),
)
@settings(max_examples=examples(100), deadline=None)
def test_williams_is_antisymmetric_and_its_k_is_a_determinant(
    seed: int, n: int, share: float
) -> None:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    x, y = (share * z + (1 - share) * rng.normal(size=n) for _ in range(2))
    matrix = np.corrcoef([z, x, y])
    r12, r13, r23 = matrix[0, 1], matrix[0, 2], matrix[1, 2]
    assume(abs(r12 - r13) > 1e-6)
    t, p_value = williams(r12, r13, r23, n)
    assert williams(r13, r12, r23, n) == pytest.approx((-t, p_value))
    spread = 2 * np.linalg.det(matrix) * (n - 1) / (n - 3)
    spread += ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    expected = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / spread)
    assert t == pytest.approx(expected, rel=1e-6)
    assert p_value == pytest.approx(2 * stats.t.sf(abs(expected), n - 3), rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 40])
def test_williams_p_values_are_uniform_where_metrics_are_equally_good(n: int) -> None:
    """Simulated with ρ = 0.6 twice: 5 % below 0.05, and even all over."""
    rng = np.random.default_rng(n)
    found = []
    for _ in range(2000):
        z = rng.normal(size=n)
        x, y = (0.6 * z + 0.8 * rng.normal(size=n) for _ in range(2))
        (test,) = williams_tests({"x": x, "y": y}, z)
        found.append(test.p_value)
    assert 0.03 <= np.mean(np.array(found) < 0.05) <= 0.07
    assert stats.kstest(found, "uniform").pvalue > 0.001


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_fewer_than_four_items_are_not_tested(n: int) -> None:
    rng = np.random.default_rng(0)
    x, y, z = rng.random((3, n))
    assert williams_tests({"x": x, "y": y}, z) == []
    assert all(map(math.isnan, williams(0.5, 0.4, 0.3, n)))


def test_equal_metrics_do_not_differ_and_perfect_ones_do() -> None:
    z = np.arange(6.0)
    (found,) = williams_tests({"x": z**2, "y": z**2}, z)
    assert (found.t, found.p_value) == (0.0, 1.0)
    (found,) = williams_tests({"x": z, "y": -z}, z)
    assert (found.t, found.p_value) == (math.inf, 0.0)
    assert williams_tests({"x": z, "y": np.ones(6)}, z) == []


def test_items_that_are_missing_anywhere_are_left_out() -> None:
    rng = np.random.default_rng(1)
    x, y, z = rng.random((3, 10))
    holed = x.copy(), y.copy(), z.copy()
    for values, place in zip(holed, (0, 1, 2), strict=True):
        values[place] = NAN
    (found,) = williams_tests({"x": holed[0], "y": holed[1]}, holed[2])
    (expected,) = williams_tests({"x": x[3:], "y": y[3:]}, z[3:])
    assert found == expected
    assert found.n == 7


def test_three_metrics_are_three_tests_corrected() -> None:
    rng = np.random.default_rng(2)
    z = rng.random(30)
    metrics = {
        name: z + rng.normal(0, s, 30)
        for name, s in (("a", 0.1), ("b", 0.5), ("c", 0.5))
    }
    found = williams_tests(metrics, z)
    assert [(t.first, t.second) for t in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    smallest = min(found, key=lambda test: test.p_value)
    assert smallest.corrected == pytest.approx(min(1.0, 3 * smallest.p_value))


def test_choices_are_counted_by_hand() -> None:
    """Right, wrong, tied, undecided by people, not scored, not judged."""
    first = np.array([0.9, 0.9, 0.5, 0.3, NAN, 0.1])
    second = np.array([0.2, 0.2, 0.5 + 1e-15, 0.9, 0.1, 0.2])
    human = np.array([1.0, 0.0, 1.0, 0.5, 1.0, NAN])
    found = choices(first, second, human).tolist()
    assert found[:3] == [1.0, 0.0, 0.0]
    assert all(map(math.isnan, found[3:]))


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (5, 15), (15, 5), (3, 3), (0, 9)])
def test_mcnemars_p_is_binomial(b: int, c: int) -> None:
    """Twice the smaller tail of B + C coins, at most 1."""
    ours = np.array([1.0] * b + [0.0] * c + [1.0, 0.0, NAN])
    theirs = np.array([0.0] * b + [1.0] * c + [1.0, 0.0, 1.0])
    (found,) = mcnemar_tests({"ours": ours, "theirs": theirs})
    assert (found.decided, found.only_first, found.only_second) == (b + c + 2, b, c)
    tail = sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c)
    assert found.p_value == pytest.approx(min(1.0, 2 * tail))
    assert found.corrected is None
