"""Little assignments that are solved by trying all matchings, beside SciPy's."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from exactmatch.base import compiled as kernels

kernel = kernels.load_interpreted("exactmatch.solvers.kernel.assignment")

EMPTY_BEFORE = 2
"""So many rows, columns and entries of other problems lie before the one solved."""

entries = st.none() | st.tuples(st.integers(0, 5), st.booleans())


def assignment(table: Any) -> Any:
    """One problem behind two empty rows and columns, as the search lays them out."""
    rows, cols = len(table), len(table[0])
    cells = [
        (r + EMPTY_BEFORE, k + EMPTY_BEFORE, *entry)
        for r, row in enumerate(table)
        for k, entry in enumerate(row)
        if entry is not None
    ]
    made = kernel.Assignment()
    made.carve(kernel.Memory(), rows + 2, cols + 2, len(cells), max(rows, cols))
    made.row_of = [cell[0] for cell in cells]
    made.col_of = [cell[1] for cell in cells]
    made.value = [cell[2] for cell in cells]
    made.live = [int(cell[3]) for cell in cells]
    for r in range(rows + EMPTY_BEFORE + 1):
        made.row_begin[r] = sum(row < r for row in made.row_of)
    made.row_order = list(range(len(cells)))
    made.row_match[:] = [-1] * len(made.row_match)
    made.col_match[:] = [-1] * len(made.col_match)
    return made


@given(
    table=st.tuples(st.integers(1, 3), st.integers(1, 3)).flatmap(
        lambda shape: st.lists(
            st.lists(entries, min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        )
    )
)
def test_all_matchings_are_tried(table: Any) -> None:
    """The sum is the optimum, and the matches are one-to-one and add up to it."""
    worth = np.array([[0 if not e or not e[1] else e[0] for e in row] for row in table])
    rows, cols = linear_sum_assignment(worth, maximize=True)
    made = assignment(table)
    first, end = EMPTY_BEFORE, [EMPTY_BEFORE + size for size in worth.shape]
    best = made.solve_small(first, end[0], first, end[1])
    assert best == worth[rows, cols].sum()
    chosen = [e for e in made.row_match[first : end[0]] if e >= 0]
    assert sorted(chosen) == sorted(e for e in made.col_match[first : end[1]] if e >= 0)
    assert len({made.col_of[e] for e in chosen}) == len(chosen)
    assert all(made.live[e] for e in chosen)
    assert sum(made.value[e] for e in chosen) == best
