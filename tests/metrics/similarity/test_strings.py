"""The longest common substring against trying every substring."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.base import compiled as kernels
from exactmatch.metrics.similarity.strings import lcs_similarities, lcs_similarity

texts = st.text("abcé", max_size=8)
FAST: Any = kernels.load("exactmatch.metrics.similarity._strings")
SLOW: Any = kernels.load_interpreted("exactmatch.metrics.similarity._strings")


@given(texts, texts)
def test_length_is_that_of_the_longest_substring_in_both(a: str, b: str) -> None:
    substrings = {a[i:j] for i in range(len(a) + 1) for j in range(i, len(a) + 1)}
    longest = max(len(part) for part in substrings if part in b)
    for kernel in FAST, SLOW:
        for above in range(4):
            expected = longest if longest > above else 0
            assert kernel.longest_common(a, b, above) == expected
            assert kernel.longest_common(b, a, above) == expected
    assert lcs_similarity(a, b) == (2 * longest / len(a + b) if a + b else 1.0)


def test_long_strings_are_compared_as_short_ones_are() -> None:
    text = "".join(map(str, range(100)))
    size = len(text)
    other = text[30:130] + text
    assert lcs_similarity(text, other) == 2 * size / (size + len(other))
    assert lcs_similarity(text[:60], text) == 2 * 60 / (60 + size)


@given(texts, texts)
def test_similarity_is_symmetric_and_1_only_for_equal_strings(a: str, b: str) -> None:
    assert lcs_similarity(a, b) == lcs_similarity(b, a)
    assert 0 <= lcs_similarity(a, b) <= 1
    assert (lcs_similarity(a, b) == 1) == (a == b)


def test_strings_are_measured_in_code_points() -> None:
    assert lcs_similarity("é", "éa") == pytest.approx(2 / 3)


@given(st.lists(texts, max_size=3), st.lists(texts, max_size=3), st.floats(0, 1))
def test_many_strings_are_as_similar_as_each_two(
    left: list[str], right: list[str], cutoff: float
) -> None:
    found = FAST.similarities(left, right, cutoff)
    assert found.shape == (len(left), len(right))
    assert found.tolist() == SLOW.similarities(left, right, cutoff).tolist()
    for a, row in zip(left, found.tolist(), strict=True):
        for b, value in zip(right, row, strict=True):
            alike = lcs_similarity(a, b)
            assert value == alike or (alike <= cutoff and value == 0)


def test_long_strings_among_many_are_as_similar_as_two() -> None:
    long = "".join(map(str, range(100)))
    found = lcs_similarities([long, "a"], [long[30:130]], 0.5)
    assert found.tolist() == [[lcs_similarity(long, long[30:130])], [0.0]]
