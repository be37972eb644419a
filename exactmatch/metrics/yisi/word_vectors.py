"""The similarity of words by their vectors, looked up once for each word."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactmatch.metrics.yisi.words import (
    UNKNOWN,
    Matrix,
    TabledSimilarity,
    VectorTable,
    lower,
)


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
        """Room for so many words."""
        return cls(
            np.zeros(words, dtype=np.int64),
            np.zeros(words, dtype=np.bool_),
            np.zeros((words, dimensions)),
        )

    def rows(self, numbers: list[int]) -> _WordRows:
        """The rows of these numbers."""
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
