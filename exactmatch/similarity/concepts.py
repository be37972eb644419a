"""How alike two AMR concepts are: S²match's rules over any similarity of words.

Concepts are compared in lower case.  A concept with a hyphen and a digit has a
*sense*; what stands before its last hyphen is its *lemma* (``hit`` of
``hit-01``).  The similarity of two concepts is

1. 1 if they are equal;
2. *diffsense* if they differ in their sense alone (``hit-01`` and ``hit-02``,
   ``hit-01`` and ``hit``);
3. otherwise the similarity of their words, or 0 unless it is above the
   *cutoff*; times *diffsense* if either has a sense.

What the words are and how they compare is the kind of similarity:

* *vectors*: the vector of a lemma is its own plus that of its plural or third
  person (lemma + ``s``); a concept without a sense has its own or, failing
  that, the sum of those of its hyphenated parts; without any vector, 0.
  ``cosine``: 1 - min(1, cosine distance); ``euclidean`` and ``cityblock``:
  exp(-distance);
* *lcs*: the longest common substring of lemmas or concepts;
* *encoder*: the cosine of a contextual encoder's embeddings of the words;
* *exact*: no words are alike, and no senses.

Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", section 4, equations 6 to 8; senses, plurals and parts as in the
published implementation (``s2match.py``).
"""

from __future__ import annotations

import math
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from exactmatch.errors import InputError
from exactmatch.similarity.strings import lcs_similarity
from exactmatch.similarity.vectors import Matrix, Vector, Vectors

Distance: TypeAlias = Literal["cosine", "euclidean", "cityblock"]
Kind: TypeAlias = Literal["cosine", "euclidean", "cityblock", "lcs", "exact"]

_DIGIT = re.compile("[0-9]")
_GROWTH = 256


def lemma_of(concept: str) -> str:
    """The part before the last hyphen of a concept with a sense, else nothing.

    >>> lemma_of("have-org-role-91"), lemma_of("hot-dog"), lemma_of("cat")
    ('have-org-role', '', '')
    """
    if "-" in concept and _DIGIT.search(concept):
        return concept.rpartition("-")[0]
    return ""


class ConceptSimilarity(ABC):
    """A similarity of concepts, computed for whole graphs at once.

    Args:
        cutoff: similarities of words up to this count as 0.
        diffsense: factor where senses are involved.
    """

    def __init__(self, cutoff: float = 0.5, diffsense: float = 0.5) -> None:
        for name, value in (("cutoff", cutoff), ("diffsense", diffsense)):
            if not 0 <= value <= 1:
                raise InputError(f"--{name} is {value}; it must be 0 to 1")
        self.cutoff = cutoff
        self.diffsense = diffsense
        self._number: dict[str, int] = {}
        self._strings: dict[str, int] = {}
        self._codes = np.zeros((0, 2), dtype=np.int64)

    @abstractmethod
    def signature(self) -> list[tuple[str, str]]:
        """Kind, cutoff, factor and resource."""

    @abstractmethod
    def _words(self, left: Sequence[int], right: Sequence[int]) -> Matrix:
        """The similarities of the words of numbered concepts."""

    @abstractmethod
    def _learn(self, concept: str, number: int) -> None:
        """Note what a new concept's words are."""

    def foresee(self, concepts: Iterable[str]) -> None:
        """See concepts beforehand, so that resources are read once for all."""
        del concepts

    def __call__(self, a: str, b: str) -> float:
        """The similarity of two concepts."""
        return float(self.matrix([a], [b])[0, 0])

    def matrix(self, left: Sequence[str], right: Sequence[str]) -> Matrix:
        """The similarities of the concepts, shape ``(len(left), len(right))``."""
        if not left or not right:
            return np.zeros((len(left), len(right)))
        self.foresee(left)
        self.foresee(right)
        rows = [self._numbered(concept.lower()) for concept in left]
        columns = [self._numbered(concept.lower()) for concept in right]
        found = self._words(rows, columns)
        found[found <= self.cutoff] = 0.0
        whole_l, lemma_l = self._codes[rows].T[:, :, None]
        whole_r, lemma_r = self._codes[columns].T[:, None, :]
        found[(lemma_l >= 0) | (lemma_r >= 0)] *= self.diffsense
        same_word = (lemma_l == lemma_r) & (lemma_l >= 0)
        same_word |= (lemma_l == whole_r) | (whole_l == lemma_r)
        found[same_word] = self.diffsense
        found[whole_l == whole_r] = 1.0
        return found

    def _numbered(self, concept: str) -> int:
        """The number of a concept, a new one at its first appearance."""
        number = self._number.get(concept)
        if number is None:
            number = self._number[concept] = len(self._number)
            if number == len(self._codes):
                room = np.full((number + _GROWTH, 2), -1, dtype=np.int64)
                self._codes = np.concatenate((self._codes, room))
            lemma = lemma_of(concept)
            self._codes[number] = self._coded(concept), -1
            if lemma:
                self._codes[number, 1] = self._coded(lemma)
            self._learn(concept, number)
        return number

    def _coded(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings))


class ExactSimilarity(ConceptSimilarity):
    """1 for equal concepts, 0 for all others: S²Match becomes Smatch."""

    def signature(self) -> list[tuple[str, str]]:
        """The kind alone."""
        return [("similarity", "exact")]

    def matrix(self, left: Sequence[str], right: Sequence[str]) -> Matrix:
        """1 where the concepts are equal as they stand."""
        return np.array([[float(a == b) for b in right] for a in left]).reshape(
            len(left), len(right)
        )

    def _words(self, left: Sequence[int], right: Sequence[int]) -> Matrix:
        raise NotImplementedError

    def _learn(self, concept: str, number: int) -> None:
        raise NotImplementedError


class LcsSimilarity(ConceptSimilarity):
    """The longest common substring of lemmas: needs no resource."""

    def __init__(self, cutoff: float = 0.5, diffsense: float = 0.5) -> None:
        super().__init__(cutoff, diffsense)
        self._texts: list[str] = []
        self._known: dict[tuple[int, int], float] = {}

    def signature(self) -> list[tuple[str, str]]:
        """Kind, cutoff and factor."""
        return _signature("lcs", self)

    def _learn(self, concept: str, number: int) -> None:
        self._texts.append(lemma_of(concept) or concept)

    def _words(self, left: Sequence[int], right: Sequence[int]) -> Matrix:
        known, texts = self._known, self._texts
        found = np.empty((len(left), len(right)))
        for row, a in enumerate(left):
            for column, b in enumerate(right):
                key = (a, b) if a < b else (b, a)
                value = known.get(key)
                if value is None:
                    value = known[key] = lcs_similarity(texts[key[0]], texts[key[1]])
                found[row, column] = value
        return found


class EmbeddingSimilarity(ConceptSimilarity):
    """Base of the similarities of vectors: one row per concept."""

    distance: Distance = "cosine"

    def __init__(self, cutoff: float = 0.5, diffsense: float = 0.5) -> None:
        super().__init__(cutoff, diffsense)
        self._matrix = np.zeros((0, 0))
        self._exists = np.zeros(0, dtype=np.bool_)

    @abstractmethod
    def _vector(self, concept: str) -> Vector | None:
        """The vector of a concept's words, if there is one."""

    def _learn(self, concept: str, number: int) -> None:
        vector = self._vector(concept)
        if self.distance == "cosine" and vector is not None:
            length = math.sqrt(math.fsum(vector * vector))
            vector = vector / length if length else None
        if number == len(self._exists):
            self._exists = np.concatenate((self._exists, np.zeros(_GROWTH, bool)))
            room = np.zeros((_GROWTH, self._matrix.shape[1]))
            self._matrix = np.concatenate((self._matrix, room))
        if vector is not None:
            if not self._matrix.shape[1]:
                self._matrix = np.zeros((len(self._exists), len(vector)))
            self._matrix[number] = vector
            self._exists[number] = True

    def _words(self, left: Sequence[int], right: Sequence[int]) -> Matrix:
        rows, columns = self._matrix[left], self._matrix[right]
        found = _SIMILARITIES[self.distance](rows, columns)
        found *= self._exists[left][:, None] & self._exists[right]
        return found


class VectorSimilarity(EmbeddingSimilarity):
    """Static word vectors.

    The vectors of foreseen concepts are loaded together.  If others come up
    later, theirs are loaded too, and the second time the whole file.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        distance: Distance = "cosine",
        cutoff: float = 0.5,
        diffsense: float = 0.5,
    ) -> None:
        super().__init__(cutoff, diffsense)
        self.path = os.fspath(path)
        self.distance = distance
        self.vectors: Vectors | None = None
        self._asked: set[str] = set()
        self._loads = 0

    def signature(self) -> list[tuple[str, str]]:
        """Kind, cutoff, factor, and the file by its name and content."""
        vectors = self._loaded(())
        name = os.path.basename(self.path)
        found = _signature(self.distance, self)
        return [*found, ("vectors", f"{name}@{vectors.digest[:12]}")]

    def foresee(self, concepts: Iterable[str]) -> None:
        """Load the vectors of all words of the concepts."""
        new = {concept.lower() for concept in concepts} - self._number.keys()
        words = {word for concept in new for word in words_of(concept)}
        if self.vectors is None or not words <= self._asked:
            self._loaded(words)

    def _loaded(self, words: Iterable[str]) -> Vectors:
        self._asked.update(words)
        if self.vectors is None or self._loads < _SEPARATE_LOADS and words:
            self.vectors = Vectors.load(self.path, self._asked)
            self._loads += bool(words)
        elif self._loads == _SEPARATE_LOADS and words:
            self.vectors = Vectors.load(self.path)
            self._loads += 1
        return self.vectors

    def _vector(self, concept: str) -> Vector | None:
        vectors = self._loaded(())
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


_SEPARATE_LOADS = 2
"""After so many loads of some words, the whole file is loaded."""


def words_of(concept: str) -> list[str]:
    """The words whose vectors a concept (in lower case) may need."""
    if lemma := lemma_of(concept):
        return [lemma, lemma + "s"]
    return [concept, *concept.split("-")] if "-" in concept else [concept]


def concept_similarity(
    kind: str | None = None,
    vectors: str | os.PathLike[str] | None = None,
    encoder: str | None = None,
    cutoff: float = 0.5,
    diffsense: float = 0.5,
) -> ConceptSimilarity:
    """The similarity that the options ask for.

    Args:
        kind: ``cosine``, ``euclidean`` or ``cityblock`` for vectors or an
            encoder, ``lcs`` or ``exact`` for neither; default: ``cosine`` where
            there are vectors or an encoder, else ``lcs``.
        vectors: a file of word vectors.
        encoder: a contextual encoder's name or folder.
        cutoff: similarities of words up to this count as 0.
        diffsense: factor where senses are involved.

    Raises:
        InputError: if the options contradict each other.
        MissingExtraError: if the encoder's package is not installed.
    """
    if vectors is not None and encoder is not None:
        raise InputError("--vectors and --encoder exclude each other; give one of them")
    resource = vectors is not None or encoder is not None
    if kind is None:
        kind = "cosine" if resource else "lcs"
    if kind not in get_args(Kind):
        known = ", ".join(get_args(Kind))
        raise InputError(f"unknown similarity {kind!r} (known: {known})")
    if (kind in get_args(Distance)) != resource:
        what = "takes neither --vectors nor --encoder; leave it out"
        if not resource:
            what = "compares vectors; give --vectors FILE or --encoder MODEL"
        raise InputError(f"--similarity {kind} {what}")
    if vectors is not None:
        return VectorSimilarity(vectors, _distance(kind), cutoff, diffsense)
    if encoder is not None:
        from exactmatch.similarity.encoder import EncoderSimilarity

        return EncoderSimilarity(encoder, _distance(kind), cutoff, diffsense)
    if kind == "exact":
        return ExactSimilarity(cutoff, diffsense)
    return LcsSimilarity(cutoff, diffsense)


def _distance(kind: str) -> Distance:
    distances: dict[str, Distance] = {name: name for name in get_args(Distance)}
    return distances[kind]


def _signature(kind: str, similarity: ConceptSimilarity) -> list[tuple[str, str]]:
    return [
        ("similarity", kind),
        ("cutoff", f"{similarity.cutoff:g}"),
        ("diffsense", f"{similarity.diffsense:g}"),
    ]


def _cosine(rows: Matrix, columns: Matrix) -> Matrix:
    """Cosines of unit rows, negative ones 0; each depends on its two rows alone."""
    found: Matrix = np.einsum("ik,jk->ij", rows, columns)
    return np.clip(found, 0.0, 1.0, out=found)


def _euclidean(rows: Matrix, columns: Matrix) -> Matrix:
    distances = [np.sqrt(((columns - row) ** 2).sum(axis=1)) for row in rows]
    return np.exp(-np.array(distances))


def _cityblock(rows: Matrix, columns: Matrix) -> Matrix:
    distances = [np.abs(columns - row).sum(axis=1) for row in rows]
    return np.exp(-np.array(distances))


_SIMILARITIES: dict[Distance, Callable[[Matrix, Matrix], Matrix]] = {
    "cosine": _cosine,
    "euclidean": _euclidean,
    "cityblock": _cityblock,
}

Numbers: TypeAlias = npt.NDArray[np.int64]
