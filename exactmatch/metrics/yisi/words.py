"""YiSi's words: how alike two of them are, and how much each one weighs.

A *lexical similarity* ``s(e, f)`` takes a word of the hypothesis and a word of
the other side and gives a number from 0 to 1; a *lexical weight* ``w(e)`` takes
one word.  Source: Lo (2019), "YiSi", §2.1.1 to §2.1.3; what the paper leaves open
(bytes or characters, case, unknown words) is as in NRC's own program.
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.metrics.similarity.strings import lcs_similarities

_kernel: Any = kernels.load("exactmatch.metrics.yisi._matching")


def phrasal_similarity(
    own: Sequence[str],
    other: Sequence[str],
    weight: Weight,
    similarity: Similarity,
    n: int = 1,
) -> float:
    """How much of the phrase *own* is found in *other*: ``s_p(own, other)``.

    Args:
        own: the words whose weights count.
        other: the words they are sought among.
        weight: weight of a word of *own*.
        similarity: of a word of *own* and a word of *other*, in this order.
        n: length of the n-grams; where a phrase has fewer words, its length.

    Returns:
        A number from 0 to 1; 0 if a phrase is empty or *n* is 0.
    """
    if n < 1 or not own or not other:
        return 0.0
    alike = similarity_table(similarity, own, other)
    return phrasal_share([weight(word) for word in own], alike, n)


def phrasal_share(weights: Sequence[float], alike: Matrix, n: int) -> float:
    """The :func:`phrasal_similarity` of words that have been weighed and compared.

    Args:
        weights: of the words of one's own.
        alike: for each of them its similarity with each word of the other phrase.
        n: length of the n-grams; where a phrase has fewer words, its length.
    """
    n = min(n, *alike.shape)
    if n < 1:
        return 0.0
    weighted = alike * np.array(weights)[:, None]
    starts = range(len(weights) - n + 1)
    mass = sum(sum(weights[a : a + n]) for a in starts)
    return min(1.0, sum(best_runs(weighted, n)) / mass) if mass > 0 else 0.0


def best_runs(weighted: Matrix, n: int) -> list[float]:
    """The value of each n-gram at its best place.

    Args:
        weighted: what each word found at every place, weighted; shape ``(words,
            places)``.
        n: how many words in a row find as many places in a row; at least 1, at most
            the smaller side.
    """
    rows, columns = (size - n + 1 for size in weighted.shape)
    total = weighted[:rows, :columns]
    for k in range(1, n):
        total = total + weighted[k : rows + k, k : columns + k]
    found: list[float] = total.max(axis=1, initial=0.0).tolist()
    return found


def bag_similarities(
    own: Sequence[Sequence[int]],
    others: Sequence[Sequence[int]],
    weights: Sequence[float],
    similarities: Matrix,
) -> Matrix:
    """Phrasal similarity with n = 1 of each phrase in *own* in each of *others*.

    Args:
        own: phrases as numbers of units, whose weights count.
        others: phrases as numbers of units, among which they are sought.
        weights: weight of each unit of *own*.
        similarities: of each unit of *own* with each of *others*.

    Returns:
        An array of shape ``(len(own), len(others))``.
    """
    found = np.zeros((len(own), len(others)))
    columns = [j for j, phrase in enumerate(others) if phrase]
    if not columns or not len(weights):
        return found
    sizes = [len(others[j]) for j in columns]
    every = np.fromiter(chain.from_iterable(others), dtype=np.intp)
    begins = np.cumsum([0, *sizes[:-1]])
    best = np.maximum.reduceat(similarities[:, every], begins, axis=1)
    weighted = best * np.array(weights)[:, None]
    found[:, columns] = _kernel.shares(own, weights, weighted)
    return found


class VectorTable(Protocol):
    """Anything that knows the vectors of words."""

    def get(self, word: str) -> Any:
        """The vector of a word, or ``None``."""


Matrix: TypeAlias = npt.NDArray[np.float64]

Similarity: TypeAlias = Callable[[str, str], float]
"""``s(e, f)``: a word of the hypothesis, a word of the other side, to [0, 1]."""

Weight: TypeAlias = Callable[[str], float]
"""``w(e)``: a positive number for a word."""

OFFICIAL_FLOOR = 1e-5
"""The similarity of two different words under ``exact`` in NRC's program."""

UNKNOWN = "<unk>"
"""The word whose vector stands for every word without one, if the file has it."""

_CAPITALS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def lower(word: str) -> str:
    """Lower-case the letters A to Z only, as a C program does."""
    return word.translate(_CAPITALS)


class TabledSimilarity(ABC):
    """A similarity that is found for all words of two phrases at once."""

    def __init__(self) -> None:
        self._of_two: Similarity = cache(
            lambda hyp, other: float(self.table([hyp], [other])[0, 0])
        )

    def __call__(self, hyp: str, other: str) -> float:
        return self._of_two(hyp, other)

    @abstractmethod
    def table(self, hyps: Sequence[str], others: Sequence[str]) -> Matrix:
        """The similarity of each word with each other one, found at once."""


class SubstringSimilarity(TabledSimilarity):
    """YiSi-0's similarity, ``2 · lcs(e, f) / (|e| + |f|)`` (Lo 2019, §2.1.1).

    Args:
        in_bytes: measure UTF-8 bytes, as NRC's program does, not characters.
    """

    def __init__(self, *, in_bytes: bool) -> None:
        super().__init__()
        self._in_bytes = in_bytes

    def table(self, hyps: Sequence[str], others: Sequence[str]) -> Matrix:
        return lcs_similarities(self._letters(hyps), self._letters(others))

    def _letters(self, words: Iterable[str]) -> list[str]:
        """The words in what they are measured in: a letter for each byte, if bytes."""
        if not self._in_bytes:
            return list(words)
        return [w if w.isascii() else w.encode().decode("latin-1") for w in words]


class CosineSimilarity(TabledSimilarity):
    """Cosine of word vectors, negative ones 0 (Lo 2019, §2.1.2 and §2.1.3).

    A word is looked up as it stands, then in lower case, then as ``<unk>``; a word
    without vector is like no other.  Words equal but for their case are alike, 1,
    except across two languages, where both words have vectors: there the vectors
    decide.  Vectors are read as 32-bit numbers, as NRC's program does.

    Args:
        vectors: the hypothesis's language; of both sides if *other_vectors* is not
            given.
        other_vectors: the input's language, for YiSi-2.
    """

    def __init__(
        self, vectors: VectorTable, other_vectors: VectorTable | None = None
    ) -> None:
        super().__init__()
        spellings: dict[str, int] = {}
        self._own = self._others = _KnownWords(vectors, spellings)
        self._is_bilingual = other_vectors is not None
        if other_vectors is not None:
            self._others = _KnownWords(other_vectors, spellings)

    def table(self, hyps: Sequence[str], others: Sequence[str]) -> Matrix:
        left, right = self._own.find(hyps), self._others.find(others)
        found: Matrix = np.zeros((len(hyps), len(others)))
        if left.units.size and right.units.size:
            # Each product is that of two single vectors, which depends on these alone.
            found = np.matmul(left.units[:, None, None, :], right.units[:, :, None])
            found = np.minimum(np.maximum(found[:, :, 0, 0], 0.0), 1.0)
        alike = left.spellings[:, None] == right.spellings
        if self._is_bilingual:
            alike &= ~(left.listed[:, None] & right.listed)
        found[alike] = 1.0
        return found


class _WordRows(NamedTuple):
    """Spellings and vectors of some words, a row for each.

    Attributes:
        spellings: equal numbers for words that are equal but for their case.
        listed: whether the word has a vector as it stands.
        units: its vector of length 1, or 0 without one; shape ``(words, dimensions)``.
    """

    spellings: npt.NDArray[np.int64]
    listed: npt.NDArray[np.bool_]
    units: Matrix

    @classmethod
    def room(cls, words: int, dimensions: int) -> _WordRows:
        return cls(
            np.zeros(words, dtype=np.int64),
            np.zeros(words, dtype=np.bool_),
            np.zeros((words, dimensions)),
        )

    def rows(self, numbers: list[int]) -> _WordRows:
        return _WordRows(
            self.spellings[numbers], self.listed[numbers], self.units[numbers]
        )


class _KnownWords:
    """The words of one language that came up so far, each looked up once.

    Args:
        vectors: of the language.
        spellings: the number of each word in lower case, shared by two languages.
    """

    def __init__(self, vectors: VectorTable, spellings: dict[str, int]) -> None:
        self._vectors = vectors
        self._spellings = spellings
        self._rows: dict[str, int] = {}
        self._all = _WordRows.room(0, 0)
        self._learning = threading.Lock()

    def find(self, words: Sequence[str]) -> _WordRows:
        """Look words up, new ones at their first appearance."""
        rows = self._rows
        new = [word for word in words if word not in rows]
        if new:
            with self._learning:
                self._learn([w for w in dict.fromkeys(new) if w not in rows])
        numbers = [rows[word] for word in words]
        return self._all.rows(numbers)

    def _learn(self, words: Sequence[str]) -> None:
        """Add new words; their numbers last, as other threads go by these."""
        units = [_unit_vector(word, self._vectors) for word in words]
        first = len(self._rows)
        size = max((len(u) for u in units if u is not None), default=0)
        self._make_room(first + len(words), size)
        known = self._all
        for row, (word, unit) in enumerate(zip(words, units, strict=True), first):
            spelling = self._spellings.setdefault(lower(word), len(self._spellings))
            known.spellings[row] = spelling
            known.listed[row] = self._vectors.get(word) is not None
            if unit is not None:
                known.units[row] = unit
        self._rows.update((word, row) for row, word in enumerate(words, first))

    def _make_room(self, needed: int, size: int) -> None:
        """Grow in leaps to the needed number of words and of dimensions."""
        known = self._all
        rows, columns = known.units.shape
        if needed <= rows and size <= columns:
            return
        grown = _WordRows.room(max(2 * needed, rows), max(size, columns))
        grown.spellings[:rows] = known.spellings
        grown.listed[:rows] = known.listed
        grown.units[:rows, :columns] = known.units
        self._all = grown


def _unit_vector(word: str, table: VectorTable) -> Any:
    found: Any = table.get(word)
    if found is None:
        found = table.get(lower(word))
    if found is None:
        found = table.get(UNKNOWN)
    if found is None:
        return None
    single = np.asarray(found, dtype=np.float32)
    length = math.sqrt((single * single).astype(np.float64).sum())
    return single.astype(np.float64) / length if length > 0 else None


def similarity_table(
    similarity: Similarity, own: Sequence[str], others: Sequence[str]
) -> Matrix:
    """The similarity of each word of one's own with each of the other side.

    Returns:
        An array of shape ``(own, others)``.
    """
    if isinstance(similarity, TabledSimilarity):
        return similarity.table(own, others)
    rows = [[similarity(word, other) for other in others] for word in own]
    return np.array(rows, dtype=np.float64).reshape(len(own), len(others))


def exact_similarity(floor: float = 0.0) -> Similarity:
    """1 for the same word, *floor* for two different ones."""
    return lambda hyp, other: 1.0 if hyp == other else floor


def words_to_load(words: Iterable[str]) -> set[str]:
    """Every form under which a vector may be looked up for these words."""
    wanted = set(words)
    return wanted | {lower(word) for word in wanted} | {UNKNOWN}


def uniform_weight(word: str) -> float:
    """Every word weighs 1."""
    del word
    return 1.0


@dataclass(frozen=True, slots=True)
class Idf:
    """Inverse document frequency, ``log2(1 + (N + 1) / (n_w + 1))``.

    A word is counted as it stands, or else in lower case, or else not at all; the
    base of the logarithm cancels.  Source: Lo (2019), §2.1.1.

    Attributes:
        documents: N, the number of documents; for YiSi a document is a sentence.
        counts: for each word, n_w, the number of documents that hold it.
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
        counts: Counter[str] = Counter()
        number = 0
        for document in documents:
            counts.update(set(document))
            number += 1
        return cls(number, counts)


def read_counts(lines: Sequence[str], path: str) -> Idf:
    """Read a file of counts: N on the first line, then ``count word`` a line.

    It is the form in which NRC's program writes and reads its weights; ``word
    count`` is understood too, if some line's first field is no number.

    Raises:
        InputError: if a line is anything else; the message names it.
    """
    from exactmatch.metrics.similarity.vector_formats import is_number

    stated = [(number, line.split()) for number, line in enumerate(lines, 1)]
    stated = [(number, fields) for number, fields in stated if fields]
    if not stated:
        raise InputError(f"{path}: is empty; the first line is the number of documents")
    first, fields = stated[0]
    if len(fields) != 1:
        raise InputError(
            f"{path}:{first}: holds {len(fields)} fields; "
            "the first line is the number of documents alone"
        )
    for number, pair in stated[1:]:
        if len(pair) != 2:
            raise InputError(
                f"{path}:{number}: holds {several(len(pair), 'field')}; "
                "write 'count word'"
            )
    is_first = all(is_number(pair[0]) for _, pair in stated[1:])
    place, word = (0, 1) if is_first else (1, 0)
    counts = {
        pair[word]: _count(pair[place], f"{path}:{number}")
        for number, pair in stated[1:]
    }
    return Idf(_count(fields[0], f"{path}:{first}"), counts)


def _count(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"{place}: {text!r} is not a number of documents") from None
    if not (math.isfinite(value) and value >= 0):
        raise InputError(f"{place}: {text!r} is not a number of documents")
    return value
