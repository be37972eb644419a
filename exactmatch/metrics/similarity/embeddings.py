"""Similarity of concepts by vectors of their words: static word vectors.

Source: Opitz, Parcalabescu and Frank (2020), section 4, equation 8; the other
distances and what the words of a concept are: their published implementation.
"""

from __future__ import annotations

import math
import os
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

import numpy as np

from exactmatch.metrics.similarity.concepts import GradedSimilarity, Numbers, lemma_of
from exactmatch.metrics.similarity.vectors import Matrix, Vector, Vectors

Distance: TypeAlias = Literal["cosine", "euclidean", "cityblock"]


def _cosine(rows: Matrix, columns: Matrix) -> Matrix:
    """Cosines of unit rows, negative ones 0; each depends on its two rows alone."""
    found: Matrix = np.einsum("ik,jk->ij", rows, columns)
    np.maximum(found, 0.0, out=found)
    return np.minimum(found, 1.0, out=found)


def _euclidean(rows: Matrix, columns: Matrix) -> Matrix:
    return _near([np.sqrt(((columns - row) ** 2).sum(axis=1)) for row in rows], columns)


def _cityblock(rows: Matrix, columns: Matrix) -> Matrix:
    return _near([np.abs(columns - row).sum(axis=1) for row in rows], columns)


def _near(distances: list[Vector], columns: Matrix) -> Matrix:
    """``exp(-distance)``, of shape ``(rows, columns)`` even if there are no rows."""
    found: Matrix = np.exp(-np.array(distances)).reshape(-1, len(columns))
    return found


SIMILARITIES: dict[Distance, Callable[[Matrix, Matrix], Matrix]] = {
    "cosine": _cosine,
    "euclidean": _euclidean,
    "cityblock": _cityblock,
}
"""By distance: similarities in [0, 1] of the rows of two matrices, shape ``(rows of
the first, rows of the second)``.  For ``cosine`` the rows must have length 1."""


class EmbeddingSimilarity(GradedSimilarity):
    """Base of the similarities of vectors: one row per concept."""

    preloads = True
    kind: Distance

    def __init__(
        self, distance: Distance, cutoff: float = 0.5, diffsense: float = 0.5
    ) -> None:
        super().__init__(cutoff, diffsense)
        self.kind = distance
        self._waiting: list[Vector | None] = []
        self._filled = 0
        self._matrix = np.zeros((0, 0))
        self._exists = np.zeros(0, dtype=np.bool_)

    @abstractmethod
    def _vector(self, concept: str) -> Vector | None:
        """The vector of a concept's words, if there is one."""

    def _learn(self, concept: str) -> None:
        vector = self._vector(concept)
        if self.kind == "cosine" and vector is not None:
            length = math.sqrt(math.fsum((vector * vector).tolist()))
            vector = vector / length if length else None
        self._waiting.append(vector)

    def _words(self, left: Numbers, right: Numbers) -> Matrix:
        matrix, exists = self._matrix, self._exists
        found = SIMILARITIES[self.kind](matrix[left], matrix[right])
        if self.kind != "cosine":  # whose rows of zeros are like no other
            found *= exists[left][:, None] & exists[right]
        return found

    def _take_up(self) -> None:
        size = max(
            [self._matrix.shape[1], *(len(v) for v in self._waiting if v is not None)]
        )
        needed = self._filled + len(self._waiting)
        if needed > len(self._matrix) or size > self._matrix.shape[1]:
            matrix = np.zeros((2 * needed, size))
            exists = np.zeros(2 * needed, dtype=np.bool_)
            matrix[: self._filled, : self._matrix.shape[1]] = self._matrix[
                : self._filled
            ]
            exists[: self._filled] = self._exists[: self._filled]
            self._matrix, self._exists = matrix, exists
        for number, vector in enumerate(self._waiting, self._filled):
            if vector is not None:
                self._matrix[number] = vector
                self._exists[number] = True
        self._filled = needed
        self._waiting.clear()


class VectorSimilarity(EmbeddingSimilarity):
    """Static word vectors.

    The vectors of preloaded concepts, or of those that come first, are loaded
    together.  If words come up later that were not asked for, the whole file is
    loaded.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        distance: Distance = "cosine",
        cutoff: float = 0.5,
        diffsense: float = 0.5,
    ) -> None:
        super().__init__(distance, cutoff, diffsense)
        self.path = os.fspath(path)
        self._vectors: Vectors | None = None
        self._announced: set[str] = set()
        self._asked: set[str] = set()
        self._loads = 0
        self._complete = False

    def signature(self) -> list[tuple[str, str]]:
        return [*super().signature(), ("vectors", self._loaded().name)]

    def preload(self, concepts: Iterable[str]) -> None:
        if self._complete:
            return
        lower = {concept.lower() for concept in set(concepts)} - self._announced
        if not lower:
            return
        self._announced |= lower
        words = {word for concept in lower for word in words_of(concept)}
        if not words <= self._asked:
            self._load(words)
            self.numbers(sorted(lower))  # together, which takes less than one by one

    def _load(self, words: set[str]) -> Vectors:
        self._loads += bool(words)
        self._asked |= words
        self._complete = self._loads > _SEPARATE_LOADS
        self._vectors = Vectors.load(self.path, None if self._complete else self._asked)
        return self._vectors

    def _loaded(self) -> Vectors:
        return self._load(set()) if self._vectors is None else self._vectors

    def _vector(self, concept: str) -> Vector | None:
        vectors = self._loaded()
        lemma = lemma_of(concept)
        if lemma:
            vector, plural = vectors.get(lemma), vectors.get(lemma + "s")
            return vector if vector is None or plural is None else vector + plural
        vector = vectors.get(concept)
        if vector is None and "-" in concept:
            parts = [vectors.get(part) for part in concept.split("-")]
            known = [part for part in parts if part is not None]
            return np.sum(known, axis=0) if known else None
        return vector


_SEPARATE_LOADS = 1
"""After so many loads of some words, the whole file is loaded."""


def words_of(concept: str) -> list[str]:
    """The words whose vectors a concept (in lower case) may need."""
    if lemma := lemma_of(concept):
        return [lemma, lemma + "s"]
    return [concept, *concept.split("-")] if "-" in concept else [concept]
