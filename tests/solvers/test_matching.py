"""A table's best matching is SciPy's, ties included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.optimize import linear_sum_assignment

from exactmatch.solvers.matching import best_matching

SHAPES = array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=7)


@given(table=arrays(np.int64, SHAPES, elements=st.integers(-3, 3)))
def test_it_is_the_one_that_scipy_returns(table: Any) -> None:
    wanted = linear_sum_assignment(table, maximize=True)
    for side in (table, table / 8):
        found = best_matching(side)
        assert [each.tolist() for each in found] == [each.tolist() for each in wanted]


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_is_matched_with_nothing(shape: tuple[int, int]) -> None:
    table = np.zeros(shape)
    assert [each.tolist() for each in best_matching(table)] == [[], []]
    assert table[best_matching(table)].sum() == 0
