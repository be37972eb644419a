"""Similarity of two AMR concepts: S²match's rules over any similarity of words.

Concepts are compared in lower case.  A concept with a hyphen and a digit has a
*sense*; what stands before its last hyphen is its *lemma* (``hit`` of
``hit-01``).  The similarity of two concepts is

1. 1 if they are equal;
2. *diffsense* if they differ in their sense alone (``hit-01`` and ``hit-02``,
   ``hit-01`` and ``hit``);
3. otherwise the similarity of their words, or 0 unless it is above the
   *cutoff*; times *diffsense* if either has a sense.

Words are compared by vectors or embeddings, by their longest common substring
(``lcs``), or not at all (``exact``: no words are alike, and no senses).

Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", section 4, equations 6 to 8; senses, plurals and parts as in the
published implementation (``s2match.py``).
"""

from __future__ import annotations

import os
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.metrics.similarity.strings import lcs_similarities
from exactmatch.metrics.similarity.vectors import (
    Matrix,
    Vector,
    VectorFile,
    VectorRows,
    of_length_one,
)

if TYPE_CHECKING:
    from typing_extensions import Self


Numbers: TypeAlias = npt.NDArray[np.int64]

_MOST_CELLS = 1 << 22  # largest number of similarities of concepts in a table
_MOST_GRAPHS = 10_000  # largest number of graphs whose concepts' numbers are kept
_DIGIT = re.compile("[0-9]")
_NONE = -1  # the code of a lemma that a concept does not have


def lemma_of(concept: str) -> str:
    """Return the part before the last hyphen of a concept with a sense, else nothing.

    >>> lemma_of("have-org-role-91"), lemma_of("hot-dog"), lemma_of("cat")
    ('have-org-role', '', '')
    """
    if "-" in concept and _DIGIT.search(concept):
        return concept.rpartition("-")[0]
    return ""


class ConceptSimilarity(ABC):
    """A similarity of concepts, computed for whole graphs at once.

    Each distinct concept gets a number when it is first met, and similarities are
    computed between numbers, so that no concept is analysed twice.  The numbers are
    valid for this object in this process; threads may share the object.
    """

    preloads: bool = False  # whether preload saves time

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._learning = threading.RLock()
        self._table: tuple[Numbers, Numbers, Matrix] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without lock and table, which every process makes itself."""
        not_pickled = ("_learning", "_table")
        return {k: v for k, v in self.__dict__.items() if k not in not_pickled}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _learning=threading.RLock(), _table=None)

    @abstractmethod
    def between(self, left: Numbers, right: Numbers) -> Matrix:
        """Return the similarities of numbered concepts, shape ``(left, right)``."""

    @abstractmethod
    def signature(self) -> list[tuple[str, str]]:
        """Return kind, cutoff, factor and resource."""

    def expect(self, left: Iterable[str], right: Iterable[str]) -> None:
        """Get ready for comparing each left concept with each right one."""
        del left, right

    def preload(self, concepts: Iterable[str]) -> None:
        """Read or compute the vectors of concepts together."""
        del concepts

    def remark(self) -> str:
        """Return a warning if nothing is known of the preloaded concepts, or ''."""
        return ""

    def numbers(self, concepts: Sequence[str]) -> Numbers:
        """Return the numbers of concepts, new ones at their first appearance."""
        number_of = self._numbers
        new = [concept for concept in concepts if concept not in number_of]
        if new:
            with self._learning:
                for concept in new:
                    number_of.setdefault(concept, len(number_of))
        return np.array([number_of[concept] for concept in concepts], dtype=np.int64)

    def matrix(self, left: Sequence[str], right: Sequence[str]) -> Matrix:
        """Return similarities in [0, 1], of shape ``(len(left), len(right))``."""
        return self.between(self.numbers(left), self.numbers(right))

    def __call__(self, a: str, b: str) -> float:
        return float(self.matrix([a], [b])[0, 0])


class ExactSimilarity(ConceptSimilarity):
    """1 for equal concepts, 0 for all others: S²Match becomes Smatch."""

    def between(self, left: Numbers, right: Numbers) -> Matrix:
        equal: Matrix = (left[:, None] == right).astype(np.float64)
        return equal

    def signature(self) -> list[tuple[str, str]]:
        return [("similarity", "exact")]


class GradedSimilarity(ConceptSimilarity):
    """Base of the similarities that follow the rules above.

    Its *kind* is for the signature; *cutoff* and *diffsense* are in [0, 1].
    """

    def __init__(self, kind: str, cutoff: float = 0.5, diffsense: float = 0.5) -> None:
        super().__init__()
        self.kind: Any = kind
        for name, value in (("cutoff", cutoff), ("diffsense", diffsense)):
            if not 0 <= value <= 1:
                raise InputError(f"--{name} is {value}; it must be 0 to 1")
        self.cutoff = cutoff
        self.diffsense = diffsense
        self._strings: dict[str, int] = {}
        self._of_graphs: dict[tuple[str, ...], Numbers] = {}
        self._codes = np.zeros((0, 2), dtype=np.int64)

    @abstractmethod
    def _words(self, left: Numbers, right: Numbers) -> Matrix:
        """Return the similarities of the words of numbered concepts."""

    @abstractmethod
    def _learn(self, concepts: Sequence[str]) -> None:
        """Store the words of the concepts with the next numbers."""

    def with_cutoff(self, cutoff: float) -> Self:
        """Return the similarity with another cutoff, for the numbered concepts."""
        similarity = copy(self)
        similarity.cutoff = cutoff
        return similarity

    def words(self, left: Numbers, right: Numbers) -> Matrix:
        """Return the similarities of numbered concepts' words, before any rule."""
        return self.with_cutoff(0.0)._words(left, right)

    def numbers(self, concepts: Sequence[str]) -> Numbers:
        if isinstance(concepts, tuple) and concepts in self._of_graphs:
            return self._of_graphs[concepts]
        number_of = self._numbers
        try:  # nearly all have been met, in lower case
            listed = [number_of[concept] for concept in concepts]
        except KeyError:
            lower = [concept.lower() for concept in concepts]
            new = [concept for concept in lower if concept not in number_of]
            if new:
                with self._learning:
                    self._number(new)
            listed = [number_of[concept] for concept in lower]
        numbers = np.array(listed, dtype=np.int64)
        if isinstance(concepts, tuple):
            if len(self._of_graphs) >= _MOST_GRAPHS:
                self._of_graphs.clear()
            self._of_graphs[concepts] = numbers
        return numbers

    def _number(self, concepts: Sequence[str]) -> None:
        """Number new concepts, at the end: other threads look numbers up unlocked."""
        self.preload(concepts)
        new = [c for c in dict.fromkeys(concepts) if c not in self._numbers]
        codes = []
        for concept in new:
            lemma = lemma_of(concept)
            codes.append((self._code(concept), self._code(lemma) if lemma else _NONE))
        if new:
            self._codes = np.concatenate((self._codes, np.array(codes)))
            self._learn(new)
        for concept in new:
            self._numbers[concept] = len(self._numbers)

    def _code(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings))

    def signature(self) -> list[tuple[str, str]]:
        return [
            ("similarity", self.kind),
            ("cutoff", f"{self.cutoff:g}"),
            ("diffsense", f"{self.diffsense:g}"),
        ]

    def between(self, left: Numbers, right: Numbers) -> Matrix:
        return self.apply_rules(self._words(left, right), left, right)

    def apply_rules(self, words: Matrix, left: Numbers, right: Numbers) -> Matrix:
        """Apply the rules of the module's docstring to similarities of words.

        *words*, of shape ``(left, right)``, are overwritten.
        """
        left_codes, right_codes = self._codes[left], self._codes[right]
        left_whole, left_lemma, right_whole, right_lemma = (
            left_codes[:, :1],
            left_codes[:, 1:],
            right_codes[:, 0],
            right_codes[:, 1],
        )
        words[words <= self.cutoff] = 0.0
        words[(left_lemma >= 0) | (right_lemma >= 0)] *= self.diffsense
        same_lemma = (left_lemma == right_lemma) & (left_lemma >= 0)
        words[
            same_lemma | (left_lemma == right_whole) | (left_whole == right_lemma)
        ] = self.diffsense
        words[left_whole == right_whole] = 1.0
        return words


class LcsSimilarity(GradedSimilarity):
    """The longest common substring of lemmas: needs no resource."""

    def __init__(self, cutoff: float = 0.5, diffsense: float = 0.5) -> None:
        super().__init__("lcs", cutoff, diffsense)
        self._texts: list[str] = []

    def _learn(self, concepts: Sequence[str]) -> None:
        self._texts += [lemma_of(concept) or concept for concept in concepts]

    def _words(self, left: Numbers, right: Numbers) -> Matrix:
        left_words, right_words = (
            [self._texts[k] for k in side.tolist()] for side in (left, right)
        )
        return lcs_similarities(left_words, right_words, self.cutoff)

    def between(self, left: Numbers, right: Numbers) -> Matrix:
        """Return the similarities of numbered concepts, if possible from the table."""
        if self._table is not None:
            rows, columns, table = self._table
            if max(left.max(initial=0), right.max(initial=0)) < len(rows):
                left_rows, right_columns = rows[left], columns[right]
                if min(left_rows.min(initial=0), right_columns.min(initial=0)) >= 0:
                    cached: Matrix = table[left_rows[:, None], right_columns]
                    return cached
        return super().between(left, right)

    def expect(self, left: Iterable[str], right: Iterable[str]) -> None:
        """Compute all similarities at once, unless there are too many."""
        left_numbers, right_numbers = (
            np.unique(self.numbers(sorted(set(s)))) for s in (left, right)
        )
        if 0 < len(left_numbers) * len(right_numbers) <= _MOST_CELLS:
            rows, columns = np.full((2, len(self._numbers)), -1)
            rows[left_numbers], columns[right_numbers] = (
                np.arange(len(left_numbers)),
                np.arange(len(right_numbers)),
            )
            self._table = rows, columns, super().between(left_numbers, right_numbers)


Distance: TypeAlias = Literal["cosine", "euclidean", "cityblock"]


def closeness(distance: Distance, left: Matrix, right: Matrix) -> Matrix:
    """Return similarities in [0, 1] of each left row with each right one.

    Each depends only on its two rows, which for ``cosine`` are of length 1 or 0.
    """
    table: Matrix
    if distance == "cosine":
        table = np.matmul(left[:, None, None, :], right[:, :, None])[:, :, 0, 0]
        return np.minimum(np.maximum(table, 0.0), 1.0)
    from scipy.spatial.distance import cdist

    table = np.exp(-cdist(left, right, distance))
    return table


class EmbeddingSimilarity(GradedSimilarity):
    """Base of the similarities of vectors: one row per concept."""

    preloads = True

    def __init__(self, distance: Distance, *rules: float) -> None:
        super().__init__(distance, *rules)
        self._rows = VectorRows()
        self._exists = np.zeros(0, dtype=np.bool_)

    @abstractmethod
    def _vector(self, concept: str) -> Vector | None:
        """Return the vector of a concept's words, if there is one."""

    def _learn(self, concepts: Sequence[str]) -> None:
        vectors = [self._vector(concept) for concept in concepts]
        if self.kind == "cosine":
            vectors = [None if v is None else of_length_one(v) for v in vectors]
        self._rows.append(vectors)
        self._exists = np.append(self._exists, [v is not None for v in vectors])

    def _words(self, left: Numbers, right: Numbers) -> Matrix:
        matrix, exists = self._rows.matrix, self._exists
        table = closeness(self.kind, matrix[left], matrix[right])
        if self.kind != "cosine":  # whose rows of zeros are like no other
            table *= exists[left][:, None] & exists[right]
        return table


class VectorSimilarity(EmbeddingSimilarity):
    """Static word vectors.

    The vectors of the preloaded or first concepts are read together; if others come
    later, the whole file is read.
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

    def remark(self) -> str:
        if self._exists.any() or not self._is_preloaded:
            return ""
        name, concepts = os.path.basename(self._vectors.path), len(self._exists)
        return (
            f"none of {several(concepts, 'concept')} has a vector in {name}: concepts "
            "are equal or not"
        )

    def _vector(self, concept: str) -> Vector | None:
        get = self._vectors.get
        if lemma := lemma_of(concept):
            vector, plural = get(lemma), get(lemma + "s")
            return vector if vector is None or plural is None else vector + plural
        vector = get(concept)
        if vector is None and "-" in concept:
            parts = map(get, concept.split("-"))
            vectors = [part for part in parts if part is not None]
            return np.sum(vectors, axis=0) if vectors else None
        return vector


def words_of(concept: str) -> list[str]:
    """Return the words whose vectors a concept (in lower case) may need."""
    if lemma := lemma_of(concept):
        return [lemma, lemma + "s"]
    return [concept, *concept.split("-")] if "-" in concept else [concept]
