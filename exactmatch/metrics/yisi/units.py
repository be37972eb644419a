"""Sentences in units smaller than words, each with the embedding of its occurrence.

A contextual encoder splits words into pieces and gives every piece of every sentence a
vector of its own.  YiSi then compares pieces: similarity is the cosine of two pieces'
vectors, negative ones 0, and idf counts pieces (Lo 2019, §2.2).

NRC's program reads, beside the file of sentences, two more:

* *units*: the units of each sentence on its line, with spaces between;
* *embeddings*: for each unit a line ``unit-number word-number v1 v2 …``, numbers from 0
  within the sentence, and an empty line behind each sentence.

Here embeddings may also stand in one file without the other, ``unit v1 v2 …`` a line
and an empty line behind each sentence.  Units then belong to words one by one, if there
are as many, or else to the words that they spell, without the ``##`` in front of a
piece that continues a word.

Source: what chikiulo/yisi fd07bfc reads as ``uemb``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.metrics.yisi.conll import Sentence, tokens_of
from exactmatch.metrics.yisi.files import read_lines
from exactmatch.metrics.yisi.frames import Filler

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]

CONTINUED = "##"
"""The beginning of a word piece that continues a word."""


class EmbeddedUnit(str):
    """A unit of a sentence, with the embedding of this occurrence.

    Attributes:
        vector: of length 1, or of length 0.
    """

    vector: Vector

    @classmethod
    def of(cls, text: str, vector: Any) -> EmbeddedUnit:
        """Make one; the vector is scaled to length 1."""
        unit = cls(text)
        unit.vector = unit_vector(vector)
        return unit


def unit_vector(vector: Any) -> Vector:
    """A vector scaled to length 1; one of zeros stays as it is."""
    import numpy as np

    found = np.asarray(vector, dtype=np.float64)
    length = math.sqrt(float(found @ found))
    return found / length if length else found


def occurrence_similarity(hyp: str, other: str) -> float:
    """Cosine of the embeddings of two occurrences, negative ones 0."""
    return min(1.0, max(0.0, float(_vector(hyp) @ _vector(other))))


def _vector(unit: str) -> Vector:
    if not isinstance(unit, EmbeddedUnit):
        raise InputError(
            f"{unit!r} has no embedding; every unit of both sides must have one"
        )
    return unit.vector


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a sentence.

    Attributes:
        units: in order.
        words: for each the number of the word that it is part of, from 0; ``None`` if
            that is not known.
    """

    units: tuple[str, ...]
    words: tuple[int, ...] | None

    def instead_of_words(self, sentence: Sentence) -> Sentence:
        """A sentence in these units; its frames cover the units of their words.

        Raises:
            InputError: if there are frames and the units' words are not known.
        """
        if self.words is None:
            if sentence.frames:
                raise InputError(
                    f"the units {' '.join(self.units[:4])!r} … do not spell their "
                    "sentence, so its frames have none; give embeddings with numbers "
                    "of words"
                )
            return Sentence(self.units)
        parts: dict[int, list[int]] = {}
        for place, word in enumerate(self.words):
            parts.setdefault(word, []).append(place)

        def in_units(filler: Filler) -> Filler:
            places = tuple(p for word in filler.places for p in parts.get(word, ()))
            units = tuple(self.units[place] for place in places)
            return replace(filler, units=units, places=places)

        frames = tuple(frame.change(in_units) for frame in sentence.frames)
        return Sentence(self.units, frames)


def read_units(path: str, texts: Sequence[str]) -> list[Units]:
    """Read the units of sentences, without embeddings.

    Args:
        path: a file with the units of each sentence on its line.
        texts: the sentences.

    Raises:
        InputError: if there are not as many lines.
    """
    lines = read_lines(path)
    if len(lines) != len(texts):
        raise InputError(
            f"{path}: holds the units of {several(len(lines), 'sentence')}, not of "
            f"{len(texts)}; "
            "give one line for each sentence"
        )
    units = map(tokens_of, lines)
    return [Units(u, words_of(u, t)) for u, t in zip(units, texts, strict=True)]


def read_embeddings(
    path: str, texts: Sequence[str], units: Sequence[Units] | None = None
) -> list[Units]:
    """Read the units of sentences with their embeddings.

    Args:
        path: a file of embeddings, in either form.
        texts: the sentences.
        units: their units, from a file of their own; then lines begin with two numbers.

    Raises:
        InputError: if a line is malformed, a vector has another length than the first
            one, or the sentences do not fit.
    """
    blocks = list(_blocks(read_lines(path)))
    if len(blocks) == len(texts) + 1 and not blocks[-1]:
        blocks.pop()
    if len(blocks) != len(texts):
        raise InputError(
            f"{path}: holds the embeddings of {several(len(blocks), 'sentence')}, not "
            "of "
            f"{len(texts)}; an empty line ends each sentence"
        )
    numbered = units is not None or _is_numbered(blocks)
    if numbered and units is None:
        raise InputError(
            f"{path}: its lines begin with numbers of units and words; name the file "
            "of units, too"
        )
    size = _dimensions(blocks, 2 if numbered else 1)
    found = []
    for number, (block, text) in enumerate(zip(blocks, texts, strict=True)):
        if units is not None:
            place = f"{path}: sentence {number + 1}"
            found.append(_units_by_number(block, units[number], size, path, place))
        else:
            found.append(_units_by_name(block, text, size, path))
    return found


@dataclass(frozen=True, slots=True)
class _EmbeddingLine:
    number: int
    fields: list[str]


def _blocks(lines: Sequence[str]) -> Iterator[list[_EmbeddingLine]]:
    """The lines of each sentence; an empty line ends one."""
    block: list[_EmbeddingLine] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            block.append(_EmbeddingLine(number, line.split()))
        else:
            yield block
            block = []
    yield block


def _is_numbered(blocks: Sequence[Sequence[_EmbeddingLine]]) -> bool:
    """Whether every line begins with the number of its unit and of its word."""
    return any(blocks) and all(
        line.fields[0] == str(place) and line.fields[1:2] and line.fields[1].isdecimal()
        for block in blocks
        for place, line in enumerate(block)
    )


def _dimensions(blocks: Sequence[Sequence[_EmbeddingLine]], leading: int) -> int:
    for block in blocks:
        for line in block:
            return len(line.fields) - leading
    return 0


def _vector_of(line: _EmbeddingLine, leading: int, size: int, path: str) -> list[float]:
    place = f"{path}:{line.number}"
    try:
        vector = [float(field) for field in line.fields[leading:]]
    except ValueError as error:
        raise InputError(f"{place}: {error}; an embedding is numbers") from None
    if len(vector) != size or not size:
        raise InputError(
            f"{place}: has {several(len(vector), 'number')}, not {size or 'any'}; all "
            "embeddings "
            "have the same length"
        )
    if not all(map(math.isfinite, vector)):
        raise InputError(f"{place}: has a number that is not finite")
    return vector


def _units_by_number(
    block: Sequence[_EmbeddingLine], units: Units, size: int, path: str, place: str
) -> Units:
    """The units of a sentence from another file, with the embeddings of this block."""
    if len(block) != len(units.units):
        raise InputError(
            f"{place}: holds {several(len(block), 'embedding')} for "
            f"{several(len(units.units), 'unit')}"
        )
    found, words = [], []
    for number, (line, text) in enumerate(zip(block, units.units, strict=True)):
        first = line.fields[:2]
        if len(first) < 2 or first[0] != str(number) or not first[1].isdecimal():
            raise InputError(
                f"{path}:{line.number}: begins with {' '.join(first)!r}; the numbers "
                f"of unit {number} and of its word are due, both from 0"
            )
        found.append(EmbeddedUnit.of(text, _vector_of(line, 2, size, path)))
        words.append(int(first[1]))
    return Units(tuple(found), tuple(words))


def _units_by_name(
    block: Sequence[_EmbeddingLine], text: str, size: int, path: str
) -> Units:
    found = tuple(
        EmbeddedUnit.of(line.fields[0], _vector_of(line, 1, size, path))
        for line in block
    )
    return Units(found, words_of(found, text))


def words_of(units: Sequence[str], text: str) -> tuple[int, ...] | None:
    """The number of the word that each unit is part of.

    Args:
        units: the units of a sentence.
        text: the sentence.

    Returns:
        One word a unit, if they are as many; else the words that the units spell;
        ``None`` if they do not spell the sentence.
    """
    words = tokens_of(text)
    if len(units) == len(words):
        return tuple(range(len(words)))
    found: list[int] = []
    number, rest = -1, ""
    for unit in units:
        piece = unit.removeprefix(CONTINUED)
        if not rest:
            number += 1
            rest = words[number] if number < len(words) else ""
        if not piece or not rest.startswith(piece):
            return None
        rest = rest[len(piece) :]
        found.append(number)
    return tuple(found) if number + 1 == len(words) and not rest else None
