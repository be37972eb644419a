"""Similarity of concepts by a model that embeds their words (extra ``[encoder]``).

The words of a concept (its lemma, or the concept itself, with blanks for its
hyphens) are embedded by a model of ``sentence-transformers``, or by any model
of ``transformers`` as the mean of its last layer over the words' tokens.  The model
reads the words of one concept and nothing else: the sentence that the graph stands for
is not its context, so equal concepts have equal embeddings everywhere.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable
from typing import Any

import numpy as np

from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.metrics.similarity.concepts import lemma_of
from exactmatch.metrics.similarity.embeddings import Distance, EmbeddingSimilarity
from exactmatch.metrics.similarity.vectors import Matrix, Vector

_BATCH = 64


class EncoderSimilarity(EmbeddingSimilarity):
    """Embeddings of the words of a concept, out of their sentence.

    Raises:
        MissingExtraError: if neither package is installed.
        InputError: if the model cannot be loaded.
    """

    def __init__(
        self,
        model: str,
        distance: Distance = "cosine",
        cutoff: float = 0.5,
        diffsense: float = 0.5,
    ) -> None:
        super().__init__(distance, cutoff, diffsense)
        self.model = model
        self._encode = load_encoder(model)
        self._embedded: dict[str, Vector] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self.kind, self.cutoff, self.diffsense)

    def signature(self) -> list[tuple[str, str]]:
        return [*super().signature(), ("encoder", self.model)]

    def preload(self, concepts: Iterable[str]) -> None:
        phrases = {phrase_of(concept.lower()) for concept in concepts}
        new = sorted(phrases - self._embedded.keys())
        if new:
            self._embedded.update(zip(new, self._encode(new), strict=True))

    def _vector(self, concept: str) -> Vector | None:
        self.preload([concept])
        return self._embedded[phrase_of(concept)]


def phrase_of(concept: str) -> str:
    """The words of a concept: ``have org role`` of ``have-org-role-91``."""
    return (lemma_of(concept) or concept).replace("-", " ").strip() or concept


def load_encoder(model: str) -> Any:
    """Load a model that embeds phrases.

    Args:
        model: its name or folder.

    Returns:
        A function from a list of phrases to a matrix of their embeddings, of shape
        ``(phrases, dimensions)``.

    Raises:
        MissingExtraError: if neither package is installed.
        InputError: if the model cannot be loaded.
    """
    try:
        if importlib.util.find_spec("sentence_transformers"):
            return _sentence_transformer(model)
        if importlib.util.find_spec("transformers") and importlib.util.find_spec(
            "torch"
        ):
            return _transformer(model)
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"cannot load encoder {model!r}: {reason}") from None
    raise MissingExtraError(
        "--encoder needs sentence-transformers: pip install 'exactmatch[encoder]'"
    )


def _sentence_transformer(model: str) -> Any:
    package: Any = importlib.import_module("sentence_transformers")
    encoder = package.SentenceTransformer(model)

    def encode(phrases: list[str]) -> Matrix:
        found = encoder.encode(phrases, batch_size=_BATCH, show_progress_bar=False)
        return np.asarray(found, dtype=np.float64)

    return encode


def _transformer(model: str) -> Any:
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    network = transformers.AutoModel.from_pretrained(model)
    network.eval()

    def encode(phrases: list[str]) -> Matrix:
        rows = []
        for first in range(0, len(phrases), _BATCH):
            batch = tokenizer(
                phrases[first : first + _BATCH], padding=True, return_tensors="pt"
            )
            with torch.no_grad():
                states = network(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1)
            rows.append((states * mask).sum(1) / mask.sum(1))
        return np.asarray(torch.cat(rows).numpy(), dtype=np.float64)

    return encode
