"""Similarity of concepts by the words of a sentence that their nodes are aligned to.

A model of ``transformers`` reads the sentence of a graph, and a node's vector is the
mean of a hidden layer's output over the word pieces of the words that the node is
aligned to.  So the same concept has another vector in another sentence.  A node that is
aligned to nothing has the mean of the same layer over the words of its concept, which
the model then reads alone: its vector lies in the same space, but has no context.

The rules over the similarity of words are those of all kinds of similarity
(:mod:`exactmatch.metrics.similarity.concepts`): equal concepts have the similarity 1
in any context.

Needs the extra ``[encoder]``.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from exactmatch.metrics.similarity.concepts import GradedSimilarity, Numbers
from exactmatch.metrics.similarity.embeddings import SIMILARITIES, Distance
from exactmatch.metrics.similarity.encoder import phrase_of
from exactmatch.metrics.similarity.hidden_layer import HiddenLayer, WordPieces
from exactmatch.metrics.similarity.vectors import Matrix, Vector

_KEPT = 64
"""Number of sentences whose embeddings are remembered; a prediction and its reference
often have the same sentence."""


class ContextualSimilarity(GradedSimilarity):
    """Similarity by the embeddings of aligned words.

    Raises:
        MissingExtraError: if ``torch`` or ``transformers`` is not installed.
        InputError: if the model cannot be loaded or has no such layer.
    """

    kind: Distance

    def __init__(
        self,
        model: str,
        layer: int,
        distance: Distance = "cosine",
        cutoff: float = 0.5,
        diffsense: float = 0.5,
    ) -> None:
        super().__init__(cutoff, diffsense)
        self.encoder = HiddenLayer(model, layer)
        self.kind = distance
        self._sentences: OrderedDict[tuple[str, ...], WordPieces] = OrderedDict()
        self._alone: dict[str, Vector] = {}
        self._concepts: list[str] = []

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.encoder.model, self.encoder.layer, self.kind)
        return type(self), (*given, self.cutoff, self.diffsense)

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
        """The vectors of the nodes of a graph, shape ``(concepts, size of the layer)``.

        Args:
            concepts: of each node.
            words: the sentence of the graph; no longer than the encoder can read.
            aligned: for each node the numbers of its words, from 0.
        """
        pieces = self._read(tuple(words)) if any(aligned) else None
        found = np.zeros((len(concepts), self.encoder.size))
        for k, (concept, places) in enumerate(zip(concepts, aligned, strict=True)):
            rows = [] if pieces is None else _rows(pieces, places)
            if pieces is not None and rows:
                found[k] = self._scale(_mean(pieces.matrix[rows]))
            else:
                found[k] = self._vector(concept)
        return found

    def in_context(
        self, left: Matrix, right: Matrix, ours: Numbers, theirs: Numbers
    ) -> Matrix:
        """The similarities of numbered concepts whose nodes have these vectors."""
        return self.apply_rules(self.alike(left, right), ours, theirs)

    def alike(self, left: Matrix, right: Matrix) -> Matrix:
        """The similarities of words with these vectors, before any rule."""
        found: Matrix = SIMILARITIES[self.kind](left, right)
        return found

    def _learn(self, concept: str) -> None:
        self._concepts.append(concept)

    def _words(self, left: Numbers, right: Numbers) -> Matrix:
        rows, columns = (
            np.array([self._vector(self._concepts[k]) for k in numbers.tolist()])
            for numbers in (left, right)
        )
        size = self.encoder.size
        return SIMILARITIES[self.kind](
            rows.reshape(-1, size), columns.reshape(-1, size)
        )

    def _vector(self, concept: str) -> Vector:
        """The vector of a concept whose words are read alone."""
        phrase = phrase_of(concept.lower())
        if phrase not in self._alone:
            (pieces,) = self.encoder.pieces([phrase.split()])
            matrix = pieces.matrix
            mean = _mean(matrix) if len(matrix) else np.zeros(self.encoder.size)
            self._alone[phrase] = self._scale(mean)
        return self._alone[phrase]

    def _read(self, words: tuple[str, ...]) -> WordPieces:
        with self._learning:
            if words not in self._sentences:
                (self._sentences[words],) = self.encoder.pieces([words])
                if len(self._sentences) > _KEPT:
                    self._sentences.popitem(last=False)
            return self._sentences[words]

    def _scale(self, vector: Vector) -> Vector:
        """Scale a vector to length 1 for the cosine; leave it for other distances."""
        if self.kind != "cosine":
            return vector
        length = math.sqrt(math.fsum(vector * vector))
        return vector / length if length else vector


def _rows(pieces: WordPieces, places: Sequence[int]) -> list[int]:
    wanted = set(places)
    return [k for k, word in enumerate(pieces.words) if word in wanted]


def _mean(rows: Matrix) -> Vector:
    mean: Vector = rows.mean(axis=0)
    return mean
