"""Similarity of concepts by a model that embeds their words (extra ``[encoder]``).

*Alone*: the words of a concept (its lemma, or the concept itself, with blanks for its
hyphens) are embedded by a model of ``sentence-transformers``, or by any model of
``transformers`` as the mean of its last layer over the words' tokens.

*In context*: a model of ``transformers`` reads the sentence of a graph, and a node's
vector is the mean of a hidden layer's output over the word pieces of the words that the
node is aligned to; or, if to none, over the words of its concept, read alone.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np

from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.base.registry import imported, installed
from exactmatch.metrics.similarity.concepts import (
    ConceptSimilarity,
    Distance,
    EmbeddingSimilarity,
    ExactSimilarity,
    GradedSimilarity,
    LcsSimilarity,
    Numbers,
    VectorSimilarity,
    closeness,
    lemma_of,
)
from exactmatch.metrics.similarity.vectors import Matrix, Vector, of_length_one

_PHRASES = 64  # phrases that a model embeds at once
_SENTENCES = 32  # sentences that a model reads at once
_KEPT = 64  # sentences whose embeddings are kept, for their other graphs


class EncoderSimilarity(EmbeddingSimilarity):
    """Embeddings of the words of a concept, out of their sentence."""

    def __init__(self, model: str, distance: Distance, *rules: float) -> None:
        super().__init__(distance, *rules)
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


class ContextualSimilarity(GradedSimilarity):
    """Similarity by the embeddings of aligned words."""

    def __init__(
        self, model: str, layer: int, distance: Distance = "cosine", *rules: float
    ) -> None:
        super().__init__(distance, *rules)
        self.encoder = HiddenLayer(model, layer)
        self._pieces = lru_cache(_KEPT)(lambda words: self.encoder.pieces([words])[0])
        self._alone: dict[str, Vector] = {}
        self._concepts: list[str] = []

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.encoder.model, self.encoder.layer, self.kind)
        return type(self), (*arguments, self.cutoff, self.diffsense)

    def signature(self) -> list[tuple[str, str]]:
        return [
            *super().signature(),
            *self.encoder.signature(),
            ("context", "sentence"),
            ("unaligned", "alone"),
        ]

    def vectors(
        self,
        concepts: Sequence[str],
        words: Sequence[str],
        aligned: Sequence[Sequence[int]],
    ) -> Matrix:
        """Return the vector of each node, from its *aligned* words or its concept.

        Aligned words are numbers from 0 of the words of a sentence that the encoder can
        read.
        """
        with self._learning:
            pieces = self._pieces(tuple(words) if any(aligned) else ())
        vectors = np.zeros((len(concepts), self.encoder.size))
        for k, (concept, places) in enumerate(zip(concepts, aligned, strict=True)):
            rows = [row for row, word in enumerate(pieces.words) if word in places]
            vectors[k] = (
                self._mean(pieces.matrix[rows]) if rows else self._vector(concept)
            )
        return vectors

    def alike(self, left: Matrix, right: Matrix) -> Matrix:
        """Return the similarities of words with these vectors, before any rule."""
        return closeness(self.kind, left, right)

    def _learn(self, concepts: Sequence[str]) -> None:
        self._concepts += concepts

    def _words(self, left: Numbers, right: Numbers) -> Matrix:
        left_words, right_words = (
            [self._vector(self._concepts[k]) for k in numbers.tolist()]
            for numbers in (left, right)
        )
        shape = (-1, self.encoder.size)
        return self.alike(np.reshape(left_words, shape), np.reshape(right_words, shape))

    def _vector(self, concept: str) -> Vector:
        """Return the vector of a concept whose words are read alone."""
        phrase = phrase_of(concept.lower())
        if phrase not in self._alone:
            (pieces,) = self.encoder.pieces([phrase.split()])
            self._alone[phrase] = self._mean(pieces.matrix)
        return self._alone[phrase]

    def _mean(self, rows: Matrix) -> Vector:
        """Return the mean of some pieces; for the cosine it is scaled to length 1."""
        mean: Vector = rows.mean(axis=0) if len(rows) else np.zeros(self.encoder.size)
        return of_length_one(mean) if self.kind == "cosine" else mean


def phrase_of(concept: str) -> str:
    """Return the words of a concept: ``have org role`` of ``have-org-role-91``."""
    return (lemma_of(concept) or concept).replace("-", " ").strip() or concept


def load_encoder(model: str) -> Any:
    """Load a model by its name or folder, as a function from phrases to rows.

    Raises:
        MissingExtraError: if neither package is installed.
        InputError: if the model cannot be loaded.
    """
    has = importlib.util.find_spec
    with _loading(model):
        if has("sentence_transformers"):
            return _sentence_transformer(model)
        if has("transformers") and has("torch"):
            return _mean_of_layer(model)
    raise MissingExtraError(
        "--encoder needs sentence-transformers: pip install 'exactmatch[encoder]'"
    )


@contextmanager
def _loading(model: str) -> Iterator[None]:
    """Turn errors of loading a model into one sentence."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"cannot load encoder {model!r}: {reason}") from None


def _sentence_transformer(model: str) -> Any:
    encoder = imported("sentence_transformers:SentenceTransformer")(model)

    def encode(phrases: list[str]) -> Matrix:
        rows = encoder.encode(phrases, batch_size=_PHRASES, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float64)

    return encode


def _transformer(model: str, **settings: Any) -> tuple[Any, Any]:
    """Load a model's tokenizer, with settings, and its network."""
    transformers = imported("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(model, **settings)
    return tokenizer, transformers.AutoModel.from_pretrained(model).eval()


def _mean_of_layer(model: str) -> Any:
    torch = imported("torch")
    tokenizer, network = _transformer(model)

    def encode(phrases: list[str]) -> Matrix:
        rows = []
        for first in range(0, len(phrases), _PHRASES):
            some = phrases[first : first + _PHRASES]
            batch = tokenizer(some, padding=True, return_tensors="pt")
            with torch.no_grad():
                states = network(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1)
            rows.append((states * mask).sum(1) / mask.sum(1))
        return np.asarray(torch.cat(rows).numpy(), dtype=np.float64)

    return encode


@dataclass(frozen=True, slots=True, eq=False)
class WordPieces:
    """The word pieces of a sentence, without the special tokens that the model adds."""

    texts: tuple[str, ...]  # as the tokenizer writes them
    words: tuple[int, ...]  # for each the number of its word, from 0
    matrix: Matrix  # the embedding of each, a row


class HiddenLayer:
    """A model of ``transformers`` and one of its hidden layers, read piece by piece.

    Attributes:
        model: the model's name or folder.
        layer: number of the hidden layer; 0 is the input of the first.  Default: that
            at three quarters of the depth, as in Lo (2019, §2.2).
        size: the length of an embedding.

    Raises:
        MissingExtraError: if ``torch`` or ``transformers`` is not installed.
        InputError: if the model cannot be loaded or has no such layer.
    """

    def __init__(self, model: str, layer: int | None = None) -> None:
        self.model = model
        for package in ("torch", "transformers"):
            installed(package, "--encoder needs", "encoder")
        imported("transformers").utils.logging.disable_progress_bar()
        with _loading(model):
            self._tokenizer, self._network = _transformer(
                model, add_prefix_space=True, use_fast=True
            )
        if not self._tokenizer.is_fast:
            raise InputError(
                f"encoder {model!r} has no fast tokenizer, which says what word a "
                "piece is part of"
            )
        depth = int(self._network.config.num_hidden_layers)
        self.size = int(self._network.config.hidden_size)
        self.layer = round(0.75 * depth) if layer is None else layer
        if not 0 <= self.layer <= depth:
            raise InputError(
                f"--layer is {layer}; encoder {model!r} has the layers 0 to {depth}"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self.layer)

    def signature(self) -> list[tuple[str, str]]:
        """Return model and layer."""
        return [("encoder", self.model), ("layer", str(self.layer))]

    def fault(self, words: Sequence[str]) -> str | None:
        """Return why the model cannot read these words; ``None`` if it can."""
        if not words:
            return None
        length = len(self._tokenizer(list(words), is_split_into_words=True).input_ids)
        max_length = min(
            getattr(self._network.config, "max_position_embeddings", sys.maxsize),
            self._tokenizer.model_max_length,
        )
        if length <= max_length:
            return None
        return (
            f"has {length} pieces, more than the {max_length} that encoder "
            f"{self.model!r} can read; split it"
        )

    def pieces(self, sentences: Sequence[Sequence[str]]) -> list[WordPieces]:
        """Return the pieces of sentences of words, which the model can read."""
        torch = imported("torch")
        results = [WordPieces((), (), np.zeros((0, self.size)))] * len(sentences)
        for first in range(0, len(sentences), _SENTENCES):
            numbers = range(len(sentences))[first : first + _SENTENCES]
            some = [k for k in numbers if sentences[k]]
            if not some:
                continue
            batch = self._tokenizer(
                [list(sentences[k]) for k in some],
                is_split_into_words=True,
                padding=True,
                return_tensors="pt",
            )
            with torch.no_grad():
                output = self._network(**batch, output_hidden_states=True)
            states = output.hidden_states[self.layer].double().numpy()
            for row, k in enumerate(some):
                words = batch.word_ids(row)
                places = [place for place, word in enumerate(words) if word is not None]
                ids = batch["input_ids"][row].tolist()
                texts = self._tokenizer.convert_ids_to_tokens([ids[p] for p in places])
                node_words = tuple(words[place] for place in places)
                results[k] = WordPieces(tuple(texts), node_words, states[row][places])
        return results


Kind: TypeAlias = Literal["cosine", "euclidean", "cityblock", "lcs", "exact"]


def concept_similarity(
    kind: str | None = None,
    vectors: str | os.PathLike[str] | None = None,
    encoder: str | None = None,
    cutoff: float = 0.5,
    diffsense: float = 0.5,
    layer: int | None = None,
) -> ConceptSimilarity:
    """Make the similarity of concepts that the options of S²Match describe.

    Args:
        kind: ``cosine``, ``euclidean`` or ``cityblock`` for vectors or an
            encoder, ``lcs`` or ``exact`` for neither; default: ``cosine`` where
            there are vectors or an encoder, else ``lcs``.
        vectors: a file of word vectors.
        encoder: the name or folder of a model that embeds the words of concepts.
        cutoff, diffsense: in [0, 1]; as for ``GradedSimilarity``.
        layer: the hidden layer of the encoder that embeds the words aligned with a
            node, in their sentence; by default concepts are read alone.

    Raises:
        InputError: if the options contradict each other.
        MissingExtraError: if the encoder's package is not installed.

    Example:
        >>> similarity = concept_similarity("lcs")
        >>> similarity("hit-01", "hit-02"), similarity("cat", "cats")
        (0.5, 0.8571428571428571)
    """
    if vectors is not None and encoder is not None:
        raise InputError("--vectors and --encoder exclude each other; give one of them")
    if layer is not None and encoder is None:
        raise InputError("--layer is of an encoder; name one with --encoder")
    resource = vectors is not None or encoder is not None
    if kind is None:
        kind = "cosine" if resource else "lcs"
    if kind not in get_args(Kind):
        known_kinds = ", ".join(get_args(Kind))
        raise InputError(f"unknown similarity {kind!r} (known: {known_kinds})")
    if (kind in get_args(Distance)) != resource:
        reason = "takes neither --vectors nor --encoder; leave it out"
        if not resource:
            reason = "compares vectors; give --vectors FILE or --encoder MODEL"
        raise InputError(f"--similarity {kind} {reason}")
    if kind == "exact":
        return ExactSimilarity()
    rules = cutoff, diffsense
    distance = cast("Distance", kind)
    if vectors is not None:
        return VectorSimilarity(vectors, distance, *rules)
    if encoder is None:
        return LcsSimilarity(*rules)
    if layer is not None:
        return ContextualSimilarity(encoder, layer, distance, *rules)
    return EncoderSimilarity(encoder, distance, *rules)
