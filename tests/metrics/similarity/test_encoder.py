"""Contextual encoders, with packages that only look like the real ones."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from exactmatch.base.errors import InputError
from exactmatch.metrics.similarity.encoder import concept_similarity, phrase_of

EMBEDDINGS = {
    "cat": [1.0, 0.0],
    "kitten": [0.6, 0.8],
    "have org role": [0.0, 2.0],
    "hot dog": [3.0, 4.0],
}


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the model was asked to embed, call by call."""
    asked: list[list[str]] = []

    class SentenceTransformer:
        def __init__(self, model: str) -> None:
            if model == "nothing":
                raise OSError("no such model\nin any place")

        def encode(self, phrases: list[str], **_: Any) -> np.ndarray:
            asked.append(phrases)
            rows = [EMBEDDINGS[phrase] for phrase in phrases]
            return np.array(rows, dtype=np.float32)

    package = ModuleType("sentence_transformers")
    vars(package)["SentenceTransformer"] = SentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    monkeypatch.setattr(
        "importlib.util.find_spec",
        lambda name: package if name == package.__name__ else None,
    )
    return asked


def test_concepts_are_embedded_as_their_words(batches: list[list[str]]) -> None:
    similarity = concept_similarity(encoder="model", cutoff=0.0)
    similarity.preload(["cat", "kitten", "hot-dog"])
    assert similarity("cat", "Kitten") == pytest.approx(0.6)
    assert similarity("kitten", "have-org-role-91") == pytest.approx(0.5 * 0.8)
    assert similarity("hot-dog", "cat") == pytest.approx(0.6)
    assert batches == [["cat", "hot dog", "kitten"], ["have org role"]]
    assert dict(similarity.signature())["encoder"] == "model"


@pytest.mark.usefixtures("batches")
def test_a_model_that_cannot_be_loaded_is_named() -> None:
    with pytest.raises(
        InputError, match=r"cannot load encoder 'nothing': no such model$"
    ):
        concept_similarity(encoder="nothing")


@pytest.mark.parametrize(
    ("concept", "phrase"),
    [("hit-01", "hit"), ("hot-dog", "hot dog"), ("-5", "5"), ("-", "-")],
)
def test_phrases(concept: str, phrase: str) -> None:
    assert phrase_of(concept) == phrase
