"""Sentences in units smaller than words, each with the embedding of its occurrence.

A contextual encoder splits words into pieces and gives every piece of every sentence a
vector of its own: the output of one of its hidden layers.  YiSi then compares pieces:
similarity is the cosine of two pieces' vectors, negative ones 0, and idf counts pieces.
Pieces stay units of their own; they are not put together again.  Lo (2019, §2.2) takes
layer 18 of BERT's 24, and layer 9 of the 12 of multilingual BERT: three quarters up,
which is the default here.  Models need the extra ``[encoder]``.

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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.metrics.similarity.vectors import Matrix, Vector
from exactmatch.metrics.yisi.files import read_lines
from exactmatch.metrics.yisi.frames import Filler, Sentence, tokens_of

if TYPE_CHECKING:
    from exactmatch.metrics.similarity.encoder import HiddenLayer

CONTINUED = "##"
"""The beginning of a word piece that continues a word."""


_Line: TypeAlias = tuple[str, list[str]]
"""The place of a line of embeddings, and its fields."""


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
        found = np.asarray(vector, dtype=np.float64)
        length = math.sqrt(float(found @ found))
        unit.vector = found / length if length else found
        return unit


def occurrence_similarity(hyps: Sequence[str], others: Sequence[str]) -> Matrix:
    """Cosines of the embeddings of occurrences, negative ones 0."""
    left, right = ([_vector_of(unit) for unit in units] for units in (hyps, others))
    cosines = [[min(1.0, max(0.0, float(a @ b))) for b in right] for a in left]
    return np.reshape(np.array(cosines), (len(left), len(right)))


def _vector_of(unit: str) -> Vector:
    if not isinstance(unit, EmbeddedUnit):
        raise InputError(
            f"{unit!r} has no embedding; every unit of both sides must have one"
        )
    return unit.vector


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a sentence, and the words that they are part of, if known."""

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


def encoded(encoder: HiddenLayer, texts: Sequence[str]) -> list[Units]:
    """The units of sentences, with their embeddings by a model.

    Raises:
        InputError: if a sentence has more pieces than the model can read.
    """
    sentences = [tokens_of(text) for text in texts]
    for number, words in enumerate(sentences, 1):
        if fault := encoder.fault(words):
            raise InputError(f"sentence {number} {fault}")
    found = []
    for pieces in encoder.pieces(sentences):
        units = map(EmbeddedUnit.of, pieces.texts, pieces.matrix)
        found.append(Units(tuple(units), pieces.words))
    return found


def read_units(path: str, texts: Sequence[str]) -> list[Units]:
    """Read the units of sentences, without embeddings: those of each on its line.

    Raises:
        InputError: if there are not as many lines.
    """
    lines = read_lines(path)
    if len(lines) != len(texts):
        raise InputError(
            f"{path}: holds the units of {several(len(lines), 'sentence')}, not of "
            f"{len(texts)}; give one line for each sentence"
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
    blocks: list[list[_Line]] = [[]]
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            blocks[-1].append((f"{path}:{number}", line.split()))
        else:
            blocks.append([])
    if len(blocks) == len(texts) + 1 and not blocks[-1]:
        blocks.pop()
    if len(blocks) != len(texts):
        raise InputError(
            f"{path}: holds the embeddings of {several(len(blocks), 'sentence')}, not "
            f"of {len(texts)}; an empty line ends each sentence"
        )
    every = [fields for block in blocks for _, fields in block]
    if units is None and every and all(map(_is_numbered, blocks)):
        raise InputError(
            f"{path}: its lines begin with numbers of units and words; name the file "
            "of units, too"
        )
    size = len(every[0]) - (1 if units is None else 2) if every else 0
    if units is None:
        pairs = zip(blocks, texts, strict=True)
        return [_units_by_name(block, text, size) for block, text in pairs]
    found = []
    for number, (block, given) in enumerate(zip(blocks, units, strict=True), 1):
        if len(block) != len(given.units):
            raise InputError(
                f"{path}: sentence {number}: holds {several(len(block), 'embedding')} "
                f"for {several(len(given.units), 'unit')}"
            )
        found.append(_units_by_number(block, given, size))
    return found


def _is_numbered(block: Sequence[_Line]) -> bool:
    """Whether every line begins with the number of its unit and of its word."""
    return all(
        fields[0] == str(place) and fields[1:2] and fields[1].isdecimal()
        for place, (_, fields) in enumerate(block)
    )


def _embedding(place: str, fields: Sequence[str], size: int) -> list[float]:
    try:
        vector = [float(field) for field in fields]
    except ValueError as error:
        raise InputError(f"{place}: {error}; an embedding is numbers") from None
    if len(vector) != size or not size:
        raise InputError(
            f"{place}: has {several(len(vector), 'number')}, not {size or 'any'}; all "
            "embeddings have the same length"
        )
    if not all(map(math.isfinite, vector)):
        raise InputError(f"{place}: has a number that is not finite")
    return vector


def _units_by_number(block: Sequence[_Line], given: Units, size: int) -> Units:
    """The units of a sentence from another file, with the embeddings of this block."""
    found, words = [], []
    for number, (text, (place, fields)) in enumerate(
        zip(given.units, block, strict=True)
    ):
        first = fields[:2]
        if len(first) < 2 or first[0] != str(number) or not first[1].isdecimal():
            raise InputError(
                f"{place}: begins with {' '.join(first)!r}; the numbers of unit "
                f"{number} and of its word are due, both from 0"
            )
        found.append(EmbeddedUnit.of(text, _embedding(place, fields[2:], size)))
        words.append(int(first[1]))
    return Units(tuple(found), tuple(words))


def _units_by_name(block: Sequence[_Line], text: str, size: int) -> Units:
    found = tuple(
        EmbeddedUnit.of(name, _embedding(place, numbers, size))
        for place, (name, *numbers) in block
    )
    return Units(found, words_of(found, text))


def words_of(units: Sequence[str], text: str) -> tuple[int, ...] | None:
    """The number of the word of a sentence that each of its units is part of.

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
