"""The longest common substring against trying every substring."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.similarity import lcs_length, lcs_similarity

texts = st.text("abcé", max_size=8)


@given(texts, texts)
def test_length_is_that_of_the_longest_substring_in_both(a: str, b: str) -> None:
    substrings = {a[i:j] for i in range(len(a) + 1) for j in range(i, len(a) + 1)}
    longest = max(len(part) for part in substrings if part in b)
    assert lcs_length(a, b) == longest
    assert lcs_length(b, a) == longest
    for above in range(4):
        assert lcs_length(a, b, above) == (longest if longest > above else 0)


def test_long_strings_are_compared_as_short_ones_are() -> None:
    text = "".join(map(str, range(100)))
    assert lcs_length(text, text[30:130] + text) == len(text)
    assert lcs_length(text[:60], text) == 60


@given(texts, texts)
def test_similarity_is_symmetric_and_1_only_for_equal_strings(a: str, b: str) -> None:
    assert lcs_similarity(a, b) == lcs_similarity(b, a)
    assert 0 <= lcs_similarity(a, b) <= 1
    assert (lcs_similarity(a, b) == 1) == (a == b)


def test_strings_are_measured_in_code_points_and_bytes_in_bytes() -> None:
    assert lcs_similarity("é", "éa") == pytest.approx(2 / 3)
    assert lcs_similarity("é".encode(), "éa".encode()) == pytest.approx(4 / 5)
