"""YiSi's words and phrases: similarities of two, and weights of words.

A *lexical similarity* ``s(e, f)`` takes a word of the hypothesis and a word of
the other side and gives a number from 0 to 1; a *lexical weight* ``w(e)`` takes
one word.  The phrasal precision of a hypothesis phrase *e* against *f* is

    s_p(e, f) = Σ_a max_b Σ_{k<n} w(e_{a+k}) s(e_{a+k}, f_{b+k})
                / Σ_a Σ_{k<n} w(e_{a+k})

Each n-gram of *e* finds its best n-gram of *f*, independently of the others.  Phrasal
recall is the same with the sides exchanged, and the weights those of *f*.

Source: Lo (2019), "YiSi", §2.1 to §2.1.3; what the paper leaves open (bytes or
characters, case, unknown words) is as in NRC's own program.
"""

from __future__ import annotations

import math
import operator
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from string import ascii_lowercase, ascii_uppercase
from typing import Any, TypeAlias

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.metrics.similarity.concepts import closeness
from exactmatch.metrics.similarity.strings import are_equal, lcs_similarities
from exactmatch.metrics.similarity.vector_formats import is_number
from exactmatch.metrics.similarity.vectors import (
    Matrix,
    Vector,
    VectorFile,
    VectorRows,
    Vectors,
)

_kernel: Any = kernels.load("exactmatch.metrics.yisi._matching")

VectorTable: TypeAlias = Vectors | VectorFile

Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], Matrix]
"""``s(e, f)`` in [0, 1] of each word of the hypothesis with each of the other side."""

Weight: TypeAlias = Callable[[str], float]
"""``w(e)``: a positive number for a word."""

OFFICIAL_FLOOR = 1e-5  # of two different words under ``exact`` in NRC's program
UNKNOWN = "<unk>"  # its vector, if a file has it, is that of every word without one
_CAPITALS = str.maketrans(ascii_uppercase, ascii_lowercase)


def lower(word: str) -> str:
    """Lower-case only the letters A to Z, as a C program does."""
    return word.translate(_CAPITALS)


def byte_similarity(hyps: Sequence[str], others: Sequence[str]) -> Matrix:
    """Compute YiSi-0's similarity, ``2 · lcs(e, f) / (|e| + |f|)`` (Lo 2019, §2.1.1).

    It is measured in UTF-8 bytes, as NRC's program does; ``lcs_similarities`` is the
    same in characters.
    """
    left, right = (
        [w if w.isascii() else w.encode().decode("latin-1") for w in words]
        for words in (hyps, others)
    )
    return lcs_similarities(left, right)


def exact_similarity(floor: float = 0.0) -> Similarity:
    """Make a similarity of 1 for equal words and *floor* for different ones."""

    def compare(hyps: Sequence[str], others: Sequence[str]) -> Matrix:
        return np.where(are_equal(hyps, others), 1.0, floor)

    return compare


class CosineSimilarity:
    """Cosine of word vectors, negative ones 0 (Lo 2019, §2.1.2 and §2.1.3).

    A word is looked up as it stands, then in lower case, then as ``<unk>``; a word
    without vector is like no other.  Words equal but for their case are alike, 1,
    except across two languages (YiSi-2, *other_vectors*), where both words have
    vectors: there the vectors decide.  Vectors are read as 32-bit numbers, as NRC's
    program does.
    """

    def __init__(
        self, vectors: VectorTable, other_vectors: VectorTable | None = None
    ) -> None:
        spellings: dict[str, int] = {}
        self._own = self._others = _KnownWords(vectors, spellings)
        if other_vectors is not None:
            self._others = _KnownWords(other_vectors, spellings)

    def __call__(self, hyps: Sequence[str], others: Sequence[str]) -> Matrix:
        spelt, listed, left = self._own.find(hyps)
        others_spelt, others_listed, right = self._others.find(others)
        table: Matrix = np.zeros((len(hyps), len(others)))
        if left.size and right.size:
            table = closeness("cosine", left, right)
        is_equal = spelt[:, None] == others_spelt
        if self._others is not self._own:  # two languages
            is_equal &= ~(listed[:, None] & others_listed).astype(np.bool_)
        table[is_equal] = 1.0
        return table


class _KnownWords:
    """The words of one language that came up so far, each looked up once.

    *Spellings* numbers words in lower case, those of two languages together.
    """

    def __init__(self, vectors: VectorTable, spellings: dict[str, int]) -> None:
        self._vectors = vectors
        self._spellings = spellings
        self._rows = VectorRows()
        self._known: dict[str, tuple[int, int, bool]] = {}
        self._learning = threading.Lock()

    def find(self, words: Sequence[str]) -> tuple[Any, Any, Matrix]:
        """Look words up, new ones at their first appearance.

        Returns:
            For each word the number of its spelling, whether it has a vector as it
            stands, and its vector, of length 1 or of zeros.
        """
        numbers, spelt = self._known, self._spellings
        new = [word for word in words if word not in numbers]
        if new:
            with self._learning:
                fresh = [word for word in dict.fromkeys(new) if word not in numbers]
                self._rows.append([_unit_vector(word, self._vectors) for word in fresh])
                for row, word in enumerate(fresh, len(numbers)):
                    spelling = spelt.setdefault(lower(word), len(spelt))
                    # Last of all: other threads go by the words that are known.
                    numbers[word] = row, spelling, self._vectors.get(word) is not None
        entries = np.array([numbers[word] for word in words], np.int64).reshape(-1, 3)
        rows, spellings, listed = entries.T
        return spellings, listed, self._rows.matrix[rows]


def _unit_vector(word: str, table: VectorTable) -> Vector | None:
    listed = map(table.get, (word, lower(word), UNKNOWN))
    vector = next((vector for vector in listed if vector is not None), None)
    if vector is None:
        return None
    single = np.asarray(vector, dtype=np.float32)
    length = math.sqrt((single * single).astype(np.float64).sum())
    return single.astype(np.float64) / length if length > 0 else None


def words_to_load(words: Iterable[str]) -> set[str]:
    """Return every form under which a vector may be looked up for these words."""
    forms = set(words)
    return forms | {lower(word) for word in forms} | {UNKNOWN}


def uniform_weight(word: str) -> float:
    """Return the weight 1 of every word."""
    del word
    return 1.0


@dataclass(frozen=True, slots=True)
class Idf:
    """Inverse document frequency, ``log2(1 + (N + 1) / (n_w + 1))``.

    N is the number of documents, which are sentences, and n_w of those that hold a
    word: as it stands, or else in lower case, or else none.  Source: Lo (2019), §2.1.1.
    """

    documents: float
    counts: Mapping[str, float]

    def __call__(self, word: str) -> float:
        count = self.counts.get(word)
        if count is None:
            count = self.counts.get(lower(word), 0.0)
        return math.log2(1.0 + (self.documents + 1.0) / (count + 1.0))

    @classmethod
    def of(cls, documents: Iterable[Iterable[str]]) -> Idf:
        """Count the words of documents."""
        sets = [set(document) for document in documents]
        return cls(len(sets), Counter(chain.from_iterable(sets)))


def read_counts(lines: Sequence[str], path: str) -> Idf:
    """Read a file of counts: N on the first line, then ``count word`` a line.

    It is the form in which NRC's program writes and reads its weights; ``word
    count`` is understood too, if some line's first field is not a number.
    """
    fields_of = [
        (f"{path}:{n}", line.split()) for n, line in enumerate(lines, 1) if line.strip()
    ]
    if not fields_of:
        raise InputError(f"{path}: is empty; the first line is the number of documents")
    (first, fields), *rest = fields_of
    if len(fields) != 1:
        raise InputError(
            f"{first}: holds {len(fields)} fields; "
            "the first line is the number of documents alone"
        )
    for place, pair in rest:
        if len(pair) != 2:
            n_fields = several(len(pair), "field")
            raise InputError(f"{place}: holds {n_fields}; write 'count word'")
    step = 1 if all(is_number(pair[0]) for _, pair in rest) else -1
    pairs = [(place, *pair[::step]) for place, pair in rest]
    counts = {word: _count(number, place) for place, number, word in pairs}
    return Idf(_count(fields[0], first), counts)


def _count(text: str, place: str) -> float:
    value = float(text) if is_number(text) else math.nan
    if not 0 <= value < math.inf:
        raise InputError(f"{place}: {text!r} is not a number of documents")
    return value


def phrasal_share(weights: Sequence[float], similarities: Matrix, n: int) -> float:
    """Return the share of one phrase in another: ``s_p``, from 0 to 1.

    The *weights* are those of one's own words; *similarities* has the similarity of
    each with each word of the other phrase.  A phrase of fewer than *n* words is its
    own n-gram.
    """
    n = min(n, *similarities.shape)
    if n < 1:
        return 0.0
    weighted = similarities * np.array(weights)[:, None]
    rows, columns = (size - n + 1 for size in similarities.shape)
    total = weighted[:rows, :columns]
    for k in range(1, n):
        total = total + weighted[k : rows + k, k : columns + k]
    best: list[float] = total.max(axis=1, initial=0.0).tolist()
    mass = in_turn(in_turn(weights[a : a + n]) for a in range(rows))
    return min(1.0, in_turn(best) / mass) if mass > 0 else 0.0


def in_turn(numbers: Iterable[float]) -> float:
    """Add numbers one after another, as YiSi's own program does.

    From Python 3.12 on, ``sum`` compensates what rounding loses, and its last digit
    differs from that of older versions.
    """
    return reduce(operator.add, numbers, 0.0)


def bag_similarities(
    own: Sequence[Sequence[int]],
    others: Sequence[Sequence[int]],
    weights: Sequence[float],
    similarities: Matrix,
) -> Matrix:
    """Compute phrasal similarity with n = 1 of each phrase in *own* in each other.

    Phrases are numbers of units; *weights* are those of the units of *own*, and
    *similarities* those of each such unit with each of the others.
    """
    table = np.zeros((len(own), len(others)))
    columns = [j for j, phrase in enumerate(others) if phrase]
    if not columns or not len(weights):
        return table
    sizes = [len(others[j]) for j in columns]
    all_words = np.fromiter(chain.from_iterable(others), dtype=np.intp)
    starts = np.cumsum([0, *sizes[:-1]])
    best = np.maximum.reduceat(similarities[:, all_words], starts, axis=1)
    weighted = best * np.array(weights)[:, None]
    table[:, columns] = _kernel.shares(own, weights, weighted)
    return table
