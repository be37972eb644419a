"""Similarity of concepts by vectors of their words: static word vectors.

Source: Opitz, Parcalabescu and Frank (2020), section 4, equation 8; the other
distances and what the words of a concept are: their published implementation.
"""

from __future__ import annotations

import math
import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from exactmatch.metrics.similarity.concepts import GradedSimilarity, Numbers, lemma_of
from exactmatch.metrics.similarity.vectors import (
    Matrix,
    Vector,
    VectorFile,
    VectorRows,
)

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
    """Base of the similarities of vectors: one row per concept.

    Args:
        distance: how vectors are compared.
        *rules: cutoff and diffsense.
    """

    preloads = True

    def __init__(self, distance: Distance, *rules: float) -> None:
        super().__init__(distance, *rules)
        self._rows = VectorRows()
        self._exists = np.zeros(0, dtype=np.bool_)

    @abstractmethod
    def _vector(self, concept: str) -> Vector | None:
        """The vector of a concept's words, if there is one."""

    def _learn(self, concepts: Sequence[str]) -> None:
        vectors = [self._vector(concept) for concept in concepts]
        if self.kind == "cosine":
            vectors = [None if v is None else of_length_one(v) for v in vectors]
        self._rows.append(vectors)
        self._exists = np.append(self._exists, [v is not None for v in vectors])

    def _words(self, left: Numbers, right: Numbers) -> Matrix:
        matrix, exists = self._rows.matrix, self._exists
        found = SIMILARITIES[self.kind](matrix[left], matrix[right])
        if self.kind != "cosine":  # whose rows of zeros are like no other
            found *= exists[left][:, None] & exists[right]
        return found


def of_length_one(vector: Vector) -> Vector:
    """Scale a vector to length 1; one of zeros stays as it is."""
    length = math.sqrt(math.fsum((vector * vector).tolist()))
    return vector / length if length else vector


class VectorSimilarity(EmbeddingSimilarity):
    """Static word vectors.

    The vectors of the concepts that are preloaded, or come first, are read together;
    if others come up later, the whole file is read.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        distance: Distance = "cosine",
        *rules: float,
    ) -> None:
        super().__init__(distance, *rules)
        self._vectors = VectorFile(os.fspath(path))
        self._is_preloaded = False

    def signature(self) -> list[tuple[str, str]]:
        return [*super().signature(), ("vectors", self._vectors.name())]

    def preload(self, concepts: Iterable[str]) -> None:
        lower = sorted({concept.lower() for concept in concepts})
        if lower and not self._is_preloaded:
            self._is_preloaded = True
            self._vectors.preload(w for concept in lower for w in words_of(concept))
            self.numbers(lower)  # together, which takes less than one by one

    def _vector(self, concept: str) -> Vector | None:
        get = self._vectors.get
        if lemma := lemma_of(concept):
            vector, plural = get(lemma), get(lemma + "s")
            return vector if vector is None or plural is None else vector + plural
        vector = get(concept)
        if vector is None and "-" in concept:
            parts = map(get, concept.split("-"))
            known = [part for part in parts if part is not None]
            return np.sum(known, axis=0) if known else None
        return vector


def words_of(concept: str) -> list[str]:
    """The words whose vectors a concept (in lower case) may need."""
    if lemma := lemma_of(concept):
        return [lemma, lemma + "s"]
    return [concept, *concept.split("-")] if "-" in concept else [concept]
