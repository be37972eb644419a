"""How alike words and phrases are, and how much they weigh."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactmatch.base.errors import InputError
from exactmatch.metrics.similarity.strings import lcs_similarities
from exactmatch.metrics.similarity.vectors import Vectors
from exactmatch.metrics.yisi.words import (
    CosineSimilarity,
    Idf,
    Similarity,
    byte_similarity,
    exact_similarity,
    phrasal_share,
    read_counts,
)

WORDS = st.sampled_from(["the", "cat", "cats", "sat", "Sat", "a", "dog"])
PHRASES = st.lists(WORDS, max_size=5)
no_deadline = settings(deadline=None)
"""SciPy takes its time when it is first imported."""


def of_two(similarity: Similarity, hyp: str, other: str) -> float:
    return float(similarity([hyp], [other])[0, 0])


@no_deadline
@given(st.text("abÄ", max_size=6), st.text("abÄ", max_size=6), st.booleans())
def test_substring_similarity_tries_every_substring(
    a: str, b: str, in_bytes: bool
) -> None:
    left: Any
    right: Any
    left, right = (a.encode(), b.encode()) if in_bytes else (a, b)
    lengths = [
        end - start
        for start, end in itertools.combinations(range(len(left) + 1), 2)
        if left[start:end] in right
    ]
    total = len(left) + len(right)
    expected = 2 * max(lengths, default=0) / total if total else 1.0
    similarity = byte_similarity if in_bytes else lcs_similarities
    assert of_two(similarity, a, b) == pytest.approx(expected)


def test_bytes_and_characters_differ_beyond_ascii() -> None:
    """``Ä`` and ``ä`` share the first of their two bytes, but no character."""
    assert of_two(byte_similarity, "Ä", "ä") == 0.5
    assert of_two(lcs_similarities, "Ä", "ä") == 0.0


def vectors_of(**vectors: Sequence[float]) -> Vectors:
    return Vectors.of({word: np.array(v, float) for word, v in vectors.items()})


def test_vectors_by_word_then_lower_case_then_unknown() -> None:
    table = vectors_of(cat=(1, 0), dog=(3, 4), Sat=(0, 1), bad=(-1, 0), null=(0, 0))
    similarity = CosineSimilarity(table)
    assert of_two(similarity, "cat", "CAT") == 1.0
    assert of_two(similarity, "CAT", "dog") == pytest.approx(0.6)
    assert of_two(similarity, "Sat", "dog") == pytest.approx(0.8)
    assert of_two(similarity, "sat", "dog") == 0.0, "no vector of that word"
    assert of_two(similarity, "cat", "bad") == 0.0, "negative cosines are 0"
    assert of_two(similarity, "cat", "null") == 0.0
    with_unknown = CosineSimilarity(vectors_of(**{"cat": (1, 0), "<unk>": (1, 1)}))
    assert of_two(with_unknown, "cat", "zzz") == pytest.approx(math.sqrt(0.5))


def test_across_languages_equal_words_are_alike_unless_both_have_vectors() -> None:
    """``Gift`` is not ``gift``, but ``2019`` is ``2019``."""
    english, german = vectors_of(gift=(1, 0), x=(1, 0)), vectors_of(gift=(0, 1))
    similarity = CosineSimilarity(english, german)
    assert of_two(similarity, "gift", "gift") == 0.0
    assert of_two(similarity, "2019", "2019") == 1.0
    assert of_two(similarity, "x", "X") == 1.0


def test_idf_counts_sentences_not_words() -> None:
    idf = Idf.of([["the", "the", "cat"], ["the", "Dog"]])
    assert idf("the") == pytest.approx(math.log2(1 + 3 / 3))
    assert idf("THE") == pytest.approx(math.log2(1 + 3 / 3))
    assert idf("cat") == pytest.approx(math.log2(1 + 3 / 2))
    assert idf("dog") == pytest.approx(math.log2(1 + 3 / 1)), "Dog is not dog"


def test_counts_are_read_in_either_order() -> None:
    assert read_counts(["5", "4 the", "2 1992"], "f") == Idf(5, {"the": 4, "1992": 2})
    assert read_counts(["5", "the 4", "1992 2"], "f") == Idf(5, {"the": 4, "1992": 2})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "f: is empty"),
        (["5 the"], "f:1: holds 2 fields"),
        (["5", "", "the"], "f:3: holds 1 field;"),
        (["five"], "f:1: 'five' is not a number"),
        (["5", "the x"], "f:2: 'x' is not a number"),
        (["5", "-1 the"], "f:2: '-1' is not a number"),
    ],
)
def test_bad_counts_are_named(lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_counts(lines, "f")


def spelled_out(own: list[str], other: list[str], n: int, idf: Idf) -> float:
    """The formula of Lo (2019), §2.1, written down as it is printed."""
    n = min(n, len(own), len(other))
    if not n:
        return 0.0
    top = sum(
        max(
            sum(
                idf(own[a + k]) * of_two(lcs_similarities, own[a + k], other[b + k])
                for k in range(n)
            )
            for b in range(len(other) - n + 1)
        )
        for a in range(len(own) - n + 1)
    )
    bottom = sum(idf(own[a + k]) for a in range(len(own) - n + 1) for k in range(n))
    return top / bottom


@no_deadline
@given(PHRASES, PHRASES, st.integers(0, 4))
def test_phrasal_similarity_is_the_printed_formula(
    own: list[str], other: list[str], n: int
) -> None:
    idf = Idf.of([own, other, ["the", "cat"]])
    found = phrasal_share(list(map(idf, own)), lcs_similarities(own, other), n)
    assert found == pytest.approx(spelled_out(own, other, n, idf))


def test_order_counts_from_two_words_on() -> None:
    scores = [
        phrasal_share([1.0, 1.0], exact_similarity()(["b", "a"], ["a", "b"]), n)
        for n in (1, 2, 3)
    ]
    assert scores == [1.0, 0.0, 0.0]


@given(st.lists(st.text("aäb", max_size=4)), st.lists(st.text("aäb", max_size=4)))
def test_a_table_is_its_single_values(own: list[str], others: list[str]) -> None:
    """Of substrings, compared all at once, and of words compared one by one."""
    alike: Similarity
    for alike in (byte_similarity, lcs_similarities, exact_similarity(0.25)):
        found = alike(own, others)
        assert found.shape == (len(own), len(others))
        each = [[of_two(alike, a, b) for b in others] for a in own]
        assert found.tolist() == each or not own


_SPELT = st.lists(
    st.sampled_from(["a", "A", "b", "B", "c", "C", "Ä", "ä", "zzz"]), max_size=6
)
_NUMBER = st.integers(-8, 8).map(lambda n: n / 7)
_TABLE = st.dictionaries(
    st.sampled_from([*"aAbBcÄ", "<unk>"]), st.tuples(_NUMBER, _NUMBER, _NUMBER)
)


@given(_SPELT, _SPELT, _SPELT, _TABLE, st.none() | _TABLE)
def test_cosines_at_once_are_those_of_two_vectors(
    own: list[str],
    others: list[str],
    more: list[str],
    vectors: dict[str, Sequence[float]],
    other_vectors: dict[str, Sequence[float]] | None,
) -> None:
    """To the last bit, whatever was compared before."""
    table = vectors_of(**vectors)
    other_table = None if other_vectors is None else vectors_of(**other_vectors)
    alike = CosineSimilarity(table, other_table)

    def unit(word: str, listed: Vectors) -> Any:
        forms = (word, word.replace("A", "a").replace("B", "b").replace("C", "c"))
        known = [form for form in (*forms, "<unk>") if form in listed]
        if not known:
            return None
        single = np.array(listed.get(known[0]), dtype=np.float32)
        length = math.sqrt((single * single).astype(np.float64).sum())
        return single.astype(np.float64) / length if length else None

    def expected(hyp: str, other: str) -> float:
        theirs = table if other_table is None else other_table
        same = hyp == other or (hyp.isascii() and hyp.lower() == other.lower())
        if same and not (other_table and hyp in table and other in theirs):
            return 1.0
        left, right = unit(hyp, table), unit(other, theirs)
        if left is None or right is None:
            return 0.0
        return min(1.0, max(0.0, float(left @ right)))

    for left, right in ((own, others), (own, more), (more, others)):
        found = alike(left, right)
        assert found.shape == (len(left), len(right))
        for i, hyp in enumerate(left):
            for j, other in enumerate(right):
                assert found[i, j] == expected(hyp, other) == of_two(alike, hyp, other)
