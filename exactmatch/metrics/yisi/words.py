"""YiSi's words: how alike two of them are, and how much each one weighs.

A *lexical similarity* ``s(e, f)`` takes a word of the hypothesis and a word of
the other side and gives a number from 0 to 1; a *lexical weight* ``w(e)`` takes
one word.  Source: Lo (2019), "YiSi", §2.1.1 to §2.1.3; what the paper leaves open
(bytes or characters, case, unknown words) is as in NRC's own program.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeAlias

from exactmatch.errors import InputError
from exactmatch.writing.numbers import several


class VectorTable(Protocol):
    """Anything that knows the vectors of words."""

    def get(self, word: str) -> Any:
        """The vector of a word, or ``None``."""


Similarity: TypeAlias = Callable[[str, str], float]
"""``s(e, f)``: a word of the hypothesis, a word of the other side, to [0, 1]."""

Weight: TypeAlias = Callable[[str], float]
"""``w(e)``: a positive number for a word."""

OFFICIAL_FLOOR = 1e-5
"""What NRC's program gives two different words under ``exact``."""

UNKNOWN = "<unk>"
"""The word whose vector stands for every word without one, if the file has it."""

_CAPITALS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def lower(word: str) -> str:
    """Lower-case the letters A to Z only, as a C program does."""
    return word.translate(_CAPITALS)


class SubstringSimilarity:
    """YiSi-0's similarity, ``2 · lcs(e, f) / (|e| + |f|)`` (Lo 2019, §2.1.1).

    Args:
        in_bytes: measure UTF-8 bytes, as NRC's program does, not characters.
    """

    def __init__(self, *, in_bytes: bool) -> None:
        self._in_bytes = in_bytes
        self._of_two = remembered(lambda hyp, other: self.table([hyp], [other])[0][0])

    def __call__(self, hyp: str, other: str) -> float:
        """The similarity of two words, found once."""
        return self._of_two(hyp, other)

    def table(self, hyps: Iterable[str], others: Iterable[str]) -> list[list[float]]:
        """The similarity of each word with each other one, found at once."""
        from exactmatch.similarity.strings import lcs_similarities

        table: list[list[float]] = lcs_similarities(
            self._letters(hyps), self._letters(others)
        ).tolist()
        return table

    def _letters(self, words: Iterable[str]) -> list[str]:
        """The words in what they are measured in: a letter for each byte, if bytes."""
        if not self._in_bytes:
            return list(words)
        return [w if w.isascii() else w.encode().decode("latin-1") for w in words]


def substring_similarity(*, in_bytes: bool) -> SubstringSimilarity:
    """YiSi-0's similarity, in bytes or characters."""
    return SubstringSimilarity(in_bytes=in_bytes)


def similarity_table(
    similarity: Similarity, own: Sequence[str], others: Sequence[str]
) -> list[list[float]]:
    """The similarity of each word of one's own with each of the other side."""
    if isinstance(similarity, SubstringSimilarity):
        return similarity.table(own, others)
    return [[similarity(word, other) for other in others] for word in own]


def exact_similarity(floor: float = 0.0) -> Similarity:
    """1 for the same word, *floor* for two different ones."""
    return lambda hyp, other: 1.0 if hyp == other else floor


def vector_similarity(
    vectors: VectorTable, other_vectors: VectorTable | None = None
) -> Similarity:
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
    bilingual = other_vectors is not None
    others = vectors if other_vectors is None else other_vectors
    own_units: dict[str, Any] = {}
    other_units: dict[str, Any] = own_units if not bilingual else {}

    def unit(word: str, table: VectorTable, known: dict[str, Any]) -> Any:
        if word not in known:
            known[word] = _unit_vector(word, table)
        return known[word]

    def similarity(hyp: str, other: str) -> float:
        if lower(hyp) == lower(other) and not (
            bilingual and vectors.get(hyp) is not None and others.get(other) is not None
        ):
            return 1.0
        left = unit(hyp, vectors, own_units)
        right = unit(other, others, other_units)
        if left is None or right is None:
            return 0.0
        return min(1.0, max(0.0, float(left @ right)))

    return remembered(similarity)


def words_to_load(words: Iterable[str]) -> set[str]:
    """Every form under which a vector may be looked up for these words."""
    wanted = set(words)
    return wanted | {lower(word) for word in wanted} | {UNKNOWN}


def _unit_vector(word: str, table: VectorTable) -> Any:
    """The vector of length 1, or ``None`` for a word without one."""
    import numpy as np

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


def remembered(similarity: Similarity) -> Similarity:
    """The same similarity, computed once for each two words."""
    return cache(similarity)


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
        """The weight of a word."""
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
    if all(_is_number(pair[0]) for _, pair in stated[1:]):
        place, word = 0, 1
    else:
        place, word = 1, 0
    counts = {
        pair[word]: _count(pair[place], f"{path}:{number}")
        for number, pair in stated[1:]
    }
    return Idf(_count(fields[0], f"{path}:{first}"), counts)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _count(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"{place}: {text!r} is not a number of documents") from None
    if not (math.isfinite(value) and value >= 0):
        raise InputError(f"{place}: {text!r} is not a number of documents")
    return value
