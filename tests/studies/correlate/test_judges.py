"""Agreement of judges against published examples and against counting pairs."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from exactmatch.studies.correlate.human import judges_agreement

NAN = math.nan

KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)
"""Krippendorff (2011), section C: four observers, twelve units, missing values."""

FLEISS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
"""The worked example of Wikipedia's article on Fleiss' kappa: 14 raters."""


def test_alpha_of_krippendorffs_example() -> None:
    """Nominal 0.743 and interval 0.849, as he gives them."""
    assert judges_agreement(KRIPPENDORFF, numbers=False).alpha == pytest.approx(
        0.743, abs=5e-4
    )
    assert judges_agreement(KRIPPENDORFF, numbers=True).alpha == pytest.approx(
        0.849, abs=5e-4
    )


def test_kappa_of_a_worked_example() -> None:
    columns = [[j for j, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    found = judges_agreement(np.array(columns, dtype=float).T, numbers=False)
    assert found.kappa == pytest.approx(0.210, abs=5e-4)
    assert found.pairwise == pytest.approx(0.378, abs=5e-4)
    assert (found.judges, found.items) == (14, 10)
    assert found.unanimous == 0.1


answers = st.lists(
    st.lists(st.sampled_from([0.0, 0.5, 1.0, NAN]), min_size=3, max_size=3),
    min_size=1,
    max_size=6,
)


@given(columns=answers, numbers=st.booleans())
@settings(max_examples=examples(200), deadline=None)
def test_alpha_is_one_less_observed_over_expected_distance(
    columns: list[list[float]], numbers: bool
) -> None:
    """Counted over every two answers, of one item and of all of them."""
    found = judges_agreement(np.array(columns).T, numbers)
    units = [[v for v in column if not math.isnan(v)] for column in columns]
    units = [unit for unit in units if len(unit) > 1]
    assert found.items == len(units)
    if not units:
        assert math.isnan(found.alpha)
        assert math.isnan(found.pairwise)
        return

    def distance(a: float, b: float) -> float:
        return (a - b) ** 2 if numbers else float(a != b)

    every = [v for unit in units for v in unit]
    n = len(every)
    observed = sum(
        distance(a, b) / (len(unit) - 1)
        for unit in units
        for a, b in permutations(unit, 2)
    )
    expected = sum(distance(a, b) for a, b in permutations(every, 2)) / (n - 1)
    if expected == 0:
        assert math.isnan(found.alpha)
    else:
        assert found.alpha == pytest.approx(1 - observed / expected)
    pairs = [a == b for unit in units for a, b in combinations(unit, 2)]
    assert found.pairwise == pytest.approx(sum(pairs) / len(pairs))
    assert found.unanimous == pytest.approx(
        sum(len(set(unit)) == 1 for unit in units) / len(units)
    )


def test_two_judges_of_scores_correlate() -> None:
    rng = np.random.default_rng(0)
    first = rng.random(50)
    second = first + rng.normal(0, 0.2, 50)
    second[:5] = NAN
    found = judges_agreement(np.array([first, second]), numbers=True)
    assert found.correlation == pytest.approx(np.corrcoef(first[5:], second[5:])[0, 1])
    assert found.items == 45
    assert math.isnan(found.kappa)


@pytest.mark.parametrize("shape", [(0, 0), (1, 5)])
def test_one_judge_agrees_with_nobody(shape: tuple[int, int]) -> None:
    assert judges_agreement(np.ones(shape), numbers=False) is None


@pytest.mark.parametrize("shape", [(2, 0), (3, 1)])
def test_nothing_and_one(shape: tuple[int, int]) -> None:
    found = judges_agreement(np.ones(shape), numbers=False)
    assert found is not None
    assert found.judges == shape[0]
    assert found.items == (1 if shape == (3, 1) else 0)
    assert math.isnan(found.alpha)


@pytest.mark.slow
def test_many_judges_of_many_items() -> None:
    """Answers at random agree no more than by chance."""
    rng = np.random.default_rng(1)
    found = judges_agreement(rng.integers(0, 3, (20, 20_000)).astype(float), False)
    assert found.alpha == pytest.approx(0, abs=2e-3)
    assert found.kappa == pytest.approx(0, abs=2e-3)
