"""The assignment of a table is SciPy's, of whatever ties there are."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import linear_sum_assignment
from support.examples import examples

from exactmatch.base import compiled as kernels

NAME = "exactmatch.solvers.kernel.dense"

SHAPES = arrays.array_shapes(min_dims=2, max_dims=2, max_side=9)

TABLES = st.one_of(
    arrays.arrays(np.int64, SHAPES, elements=st.integers(0, 2)),  # nearly all are ties
    arrays.arrays(np.int64, SHAPES, elements=st.integers(-3, 2**53)),
    arrays.arrays(np.float64, SHAPES, elements=st.sampled_from([0.0, 0.1, 0.3, 0.7])),
    arrays.arrays(np.float64, SHAPES, elements=st.floats(-1, 1)),
)


@pytest.fixture(params=["load", "load_interpreted"], scope="module")
def kernel(request: pytest.FixtureRequest) -> Any:
    """The kernel as it is used, and as Python."""
    return getattr(kernels, request.param)(NAME)


@settings(max_examples=examples(300), deadline=None)
@given(table=TABLES)
@example(table=np.zeros((4, 4)))
@example(table=np.zeros((0, 3)))
@example(table=np.zeros((3, 0)))
def test_it_finds_the_assignment_that_scipy_finds(
    kernel: Any, table: npt.NDArray[Any]
) -> None:
    """Which of several best ones decides what a heuristic aligns."""
    expected = [-1] * len(table)
    for row, column in zip(*linear_sum_assignment(table, maximize=True), strict=True):
        expected[row] = column
    assert kernel.assign(table) == expected


@pytest.mark.parametrize("value", [-math.inf, math.nan])
def test_a_table_without_an_assignment_is_refused(kernel: Any, value: float) -> None:
    with pytest.raises(ValueError, match="no assignment has a finite total"):
        kernel.assign(np.full((2, 3), value))


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--solver", "hungarian"], ["--metric", "yisi"]])
def test_what_assigns_does_not_wait_for_scipy(arguments: list[str]) -> None:
    """Importing it takes longer than all that it would assign."""
    code = (
        "import sys; from exactmatch.cli.main import main; "
        f"main({['sample', *arguments]!r}); "
        "print([name for name in sys.modules if name.startswith('scipy')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
