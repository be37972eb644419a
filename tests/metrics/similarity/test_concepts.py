"""S²match's rules for concepts, by every kind of similarity."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.metrics.similarity.concepts import (
    ConceptSimilarity,
    ExactSimilarity,
    LcsSimilarity,
    VectorSimilarity,
    lemma_of,
)
from exactmatch.metrics.similarity.encoder import concept_similarity
from exactmatch.metrics.similarity.strings import lcs_similarity
from exactmatch.metrics.similarity.vectors import Vectors

VECTORS = """\
cat 1 0 0
kitten 0.8 0.6 0
dog 0 1 0
hot -1 0 0
run 1 1 0
runs 0 0 1
walk 1 1 1
null 0 0 0
10 0 0 2
"""


@pytest.fixture
def vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "vectors.txt"
    file.write_text(VECTORS)
    return file


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ("cat", "cat", 1.0),
        ("Cat", "cAT", 1.0),
        ("zzz", "zzz", 1.0),
        ("cat", "kitten", 0.8),
        ("cat", "hot", 0.0),
        ("cat", "zzz", 0.0),
        ("cat", "null", 0.0),
        ("cat", "dog", 0.0),
        ("run-01", "run-02", 0.5),
        ("run-01", "run", 0.5),
        ("zzz-01", "zzz", 0.5),
        ("run-01", "walk", 0.5),  # (1, 1, 0) + (0, 0, 1): runs
        ("run-01", "walk-02", 0.5),
        ("cat-dog", "cat", math.sqrt(0.5)),  # (1, 0, 0) + (0, 1, 0)
        ("zzz-cat", "kitten", 0.8),
        ("zzz-yyy", "kitten", 0.0),
        ("10-cat", "cat", 0.0),  # a digit and a hyphen: a sense, its lemma is 10
        ("-5", "cat", 0.0),
    ],
)
def test_cosine(vectors: Path, a: str, b: str, wanted: float) -> None:
    similarity = concept_similarity(vectors=vectors)
    assert similarity(a, b) == pytest.approx(wanted)
    assert similarity(b, a) == similarity(a, b)


def test_cutoff_and_diffsense(vectors: Path) -> None:
    """The cutoff is strict and comes before the factor."""
    strict = concept_similarity(vectors=vectors, cutoff=0.8, diffsense=0.25)
    assert strict("cat", "kitten") == 0.0
    assert strict("run-01", "run-02") == 0.25
    assert strict("run-01", "walk") == pytest.approx(0.25)
    low = concept_similarity(vectors=vectors, cutoff=0.0)
    assert low("kitten", "dog") == pytest.approx(0.6)


def test_other_distances(vectors: Path) -> None:
    away = math.sqrt(0.2**2 + 0.6**2)
    euclidean = concept_similarity("euclidean", vectors, cutoff=0.0)
    assert euclidean("cat", "kitten") == pytest.approx(math.exp(-away))
    assert euclidean("cat", "zzz") == 0.0
    cityblock = concept_similarity("cityblock", vectors, cutoff=0.0)
    assert cityblock("cat", "kitten") == pytest.approx(math.exp(-0.8))


def test_lcs_compares_lemmas() -> None:
    similarity = LcsSimilarity(cutoff=0.5)
    assert similarity("bacterium", "bacteria") == pytest.approx(14 / 17)
    assert similarity("improve-01", "improves") == pytest.approx(0.5 * 14 / 15)
    assert similarity("cat", "dog") == 0.0
    assert similarity("hit-01", "hit-02") == 0.5


words = st.text("abc", max_size=9)


@given(words, words, st.floats(0, 1))
def test_only_what_is_above_the_cutoff_counts(a: str, b: str, cutoff: float) -> None:
    """Substrings too short to matter are not looked for, and nothing else is lost."""
    wanted = lcs_similarity(a, b)
    found = LcsSimilarity(cutoff)(a, b)
    assert found == (wanted if wanted > cutoff or a == b else 0.0)


def test_the_rules_one_after_another() -> None:
    """As the module's docstring numbers them, for every two concepts."""
    words = ["hit", "hit-01", "hit-02", "hat-01", "hot-dog", "hot", "-1", "HIT-01"]
    similarity = LcsSimilarity(cutoff=0.6, diffsense=0.3)
    for a in words:
        for b in words:
            whole, lemmas = (a.lower(), b.lower()), (lemma_of(a), lemma_of(b))
            if whole[0] == whole[1]:
                expected = 1.0
            elif (lemmas[0] or whole[0]).lower() == (lemmas[1] or whole[1]).lower():
                expected = 0.3
            else:
                own, other = (lemma_of(w) or w for w in whole)
                expected = lcs_similarity(own, other)
                expected = expected if expected > 0.6 else 0.0
                expected *= 0.3 if any(lemmas) else 1.0
            assert similarity(a, b) == expected, (a, b)


def test_exact_knows_neither_case_nor_sense() -> None:
    similarity = ExactSimilarity()
    assert similarity.matrix(["a", "hit-01"], ["a", "A", "hit-02"]).tolist() == [
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
    ]


@pytest.mark.parametrize(
    ("concept", "lemma"),
    [
        ("hit-01", "hit"),
        ("have-org-role-91", "have-org-role"),
        ("hot-dog", ""),
        ("2000", ""),
        ("10-year", "10"),
        ("-5", ""),
        ("a1-b", "a1"),
    ],
)
def test_lemmas(concept: str, lemma: str) -> None:
    assert lemma_of(concept) == lemma


concepts = st.sampled_from(
    ["hit-01", "hit-02", "hit", "Hit", "hits", "cat", "cat-01", "", "-5", "hit-01-02"]
)


@given(st.lists(concepts, max_size=4), st.lists(concepts, max_size=4))
def test_a_matrix_is_its_single_values(left: list[str], right: list[str]) -> None:
    similarity = LcsSimilarity(0.2, 0.75)
    found = similarity.matrix(left, right)
    assert found.shape == (len(left), len(right))
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            assert found[i, j] == LcsSimilarity(0.2, 0.75)(a, b)
            assert found[i, j] == similarity(b, a)
            assert 0 <= found[i, j] <= 1
            assert (found[i, j] == 1) or a.lower() != b.lower()


def test_vectors_are_read_for_what_occurs(vectors: Path) -> None:
    """Once for what was preloaded; if that was not all, then the whole file."""
    similarity = VectorSimilarity(vectors)
    similarity.preload(["cat", "run-01"])
    assert similarity("cat", "cat") == 1.0
    first = similarity.signature()
    assert similarity("cat", "kitten") == pytest.approx(0.8)
    assert similarity("run-01", "walk-01") == pytest.approx(0.5)
    assert similarity("hot", "dog") == 0.0
    assert similarity.signature() == first
    assert dict(first)["vectors"].startswith("vectors.txt@")


def test_new_concepts_do_not_disturb_old_ones(vectors: Path) -> None:
    """The table of vectors grows while it is used."""
    similarity = concept_similarity(vectors=vectors)
    before = similarity("cat", "kitten")
    for k in range(1000):
        similarity("cat", f"word{k}")
    assert similarity("cat", "kitten") == before
    assert similarity("run-01", "walk") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "cosine"}, "--similarity cosine compares vectors; give --vectors"),
        ({"kind": "lcs", "vectors": "x"}, "--similarity lcs takes neither"),
        ({"kind": "exact", "encoder": "x"}, "--similarity exact takes neither"),
        ({"kind": "dice"}, "unknown similarity 'dice'"),
        ({"vectors": "x", "encoder": "y"}, "exclude each other"),
        ({"cutoff": 1.5}, "--cutoff is 1.5; it must be 0 to 1"),
        ({"diffsense": -1}, "--diffsense is -1; it must be 0 to 1"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        concept_similarity(**options)


def test_without_a_resource_strings_are_compared() -> None:
    signature = dict(concept_similarity().signature())
    assert signature == {"similarity": "lcs", "cutoff": "0.5", "diffsense": "0.5"}


class Lengths(ConceptSimilarity):
    """A similarity of one's own."""

    def between(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        return np.full((len(left), len(right)), 0.25)

    def signature(self) -> list[tuple[str, str]]:
        return [("similarity", "quarter")]


def test_a_similarity_of_ones_own() -> None:
    assert Lengths()("a", "b") == 0.25


def test_an_encoder_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'exactmatch\[encoder\]'"):
        concept_similarity(encoder="some-model")


def test_what_is_preloaded_is_looked_up_together(
    vectors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    similarity = VectorSimilarity(vectors)
    similarity.preload(["Cat", "kitten", "run-01"])
    monkeypatch.setattr(Vectors, "get", None)
    assert similarity("cat", "kitten") == pytest.approx(0.8)
