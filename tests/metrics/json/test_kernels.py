"""The kernels compute what a table of letters and a loop do, compiled and as Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from exactmatch.base import compiled as kernels

NAME = "exactmatch.metrics.json._tables"
KERNELS = [kernels.load(NAME), kernels.load_interpreted(NAME)]
both = pytest.mark.parametrize("kernel", KERNELS, ids=["compiled", "interpreted"])


def longest(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, by the textbook's table."""
    above = [0] * (len(right) + 1)
    for a in left:
        row = [0]
        for j, b in enumerate(right):
            row.append(above[j] + 1 if a == b else max(above[j + 1], row[j]))
        above = row
    return above[-1]


def texts(draw: random.Random, lengths: Sequence[int]) -> list[Any]:
    found: list[Any] = []
    for length in lengths:
        letters = draw.choices("abcé😀", k=length)
        found.append(tuple(letters) if draw.random() < 0.5 else "".join(letters))
    return found


@both
def test_longest_common_subsequences(kernel: Any) -> None:
    draw = random.Random(5)
    lengths = [0, 1, 2, 5, 62, 63, 64, 65, 126, 127, 130, 200]
    left, right = texts(draw, lengths), texts(draw, lengths)
    for a in left:
        for b in right:
            assert kernel.longest_common(a, b) == longest(a, b)


@both
@pytest.mark.parametrize("lengths", [[0, 1, 3, 40, 63], [2, 62, 64, 127, 190]])
def test_tables_of_similarities(kernel: Any, lengths: list[int]) -> None:
    draw = random.Random(6)
    left, right = texts(draw, lengths), texts(draw, lengths)
    unit = 2**46 + 1
    table = kernel.similarities(left, right, unit, 3)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            most = max(len(a), len(b), 1)
            above = max(0, 2 * longest(a, b) - most)
            assert table[i, j] == 3 * (above * unit // most)


@both
def test_values_are_added_where_both_have_one(kernel: Any) -> None:
    rows, columns = [4, -1, 7, 4], [7, 4, -1]
    table = np.zeros((4, 3), dtype=np.int64)
    kernel.add_equal(table, rows, columns, 2)
    assert table.tolist() == [[0, 2, 0], [0, 0, 0], [2, 0, 0], [0, 2, 0]]
    (ours, x), (theirs, y) = kernel.distinct(rows), kernel.distinct(columns)
    assert (ours, x) == ([4, 7], [0, -1, 1, 0])
    values = np.array([[1, 10], [100, 1000]], dtype=np.int64)
    kernel.add_values(table, x, y, values)
    assert (theirs, y) == ([7, 4], [0, 1, -1])
    assert table.tolist() == [[1, 12, 0], [0, 0, 0], [102, 1000, 0], [1, 12, 0]]


@both
def test_children_by_name(kernel: Any) -> None:
    contents = [(("a", "b"), (1, 2)), (("b",), (3,))]
    assert kernel.by_name(contents, [1, 0]) == {"b": [3, 2], "a": [-1, 1]}
