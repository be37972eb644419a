"""The sentences of a document, with their frames and units, read from files.

A side's sentences stand in one file; their frames, their units and the units'
embeddings may stand in others, in the same order.  *Units* are what YiSi compares
instead of words: mostly the pieces that a contextual encoder splits words into, each
with a vector of its own (Lo 2019, §2.2).

``docs/metrics/yisi-text.md`` describes both forms of files of embeddings: that of
NRC's program (chikiulo/yisi fd07bfc, ``uemb``), and ``unit v1 v2 …`` a line.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.inputs import digest_of
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import STANDARD_INPUT, Block, read_lines
from exactmatch.formats.pairs import Pairer, UnreadPair
from exactmatch.metrics.base import Metric, sentence_of
from exactmatch.metrics.similarity.vectors import Matrix, Vector, of_length_one
from exactmatch.metrics.yisi.files import at_blank_lines, read_parses, text_lines
from exactmatch.metrics.yisi.frames import Filler, Sentence, tokens_of

if TYPE_CHECKING:
    from exactmatch.metrics.similarity.encoder import HiddenLayer


class EmbeddedUnit(str):
    """A unit of a sentence, with the embedding of this occurrence."""

    vector: Vector

    @classmethod
    def of(cls, text: str, vector: Any) -> EmbeddedUnit:
        """Make one; the vector is scaled to length 1, unless it is 0."""
        unit = cls(text)
        unit.vector = of_length_one(np.asarray(vector, dtype=np.float64))
        return unit


def occurrence_similarity(hyps: Sequence[str], others: Sequence[str]) -> Matrix:
    """Return cosines of the embeddings of occurrences; negative ones are 0."""
    left, right = ([_vector_of(unit) for unit in units] for units in (hyps, others))
    cosines = [[min(1.0, max(0.0, float(a @ b))) for b in right] for a in left]
    return np.reshape(cosines, (len(left), len(right)))


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
        """Return a sentence in these units, with frames over units of their words."""
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
            return replace(filler, places=places)

        frames = tuple(frame.change(in_units) for frame in sentence.frames)
        return Sentence(self.units, frames).with_tokens(self.units)


def encoded(encoder: HiddenLayer, texts: Sequence[str]) -> list[Units]:
    """Return the units of sentences with embeddings by a model, which can read them."""
    sentences = [tokens_of(text) for text in texts]
    for number, words in enumerate(sentences, 1):
        if fault := encoder.fault(words):
            raise InputError(f"sentence {number} {fault}")
    return [
        Units(tuple(map(EmbeddedUnit.of, pieces.texts, pieces.matrix)), pieces.words)
        for pieces in encoder.pieces(sentences)
    ]


def read_units(path: str, texts: Sequence[str]) -> list[Units]:
    """Read the units of sentences, without embeddings: those of each on its line."""
    lines = text_lines(path)
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

    Where the *units* come from a file of their own, lines begin with two numbers.
    """
    blocks = at_blank_lines(text_lines(path), path)
    if len(blocks) == len(texts) + 1 and not blocks[-1]:
        blocks.pop()
    if len(blocks) != len(texts):
        raise InputError(
            f"{path}: holds the embeddings of {several(len(blocks), 'sentence')}, not "
            f"of {len(texts)}; an empty line ends each sentence"
        )
    tables = [[(place, line.split()) for place, line in block] for block in blocks]
    lines = [(k, row) for rows in tables for k, (_, row) in enumerate(rows)]
    if units is None and lines and all(_is_numbered(row, k) for k, row in lines):
        raise InputError(
            f"{path}: its lines begin with numbers of units and words; name the file "
            "of units, too"
        )
    before = 1 if units is None else 2
    size = len(lines[0][1]) - before if lines else 0
    sentences = []
    for number, rows in enumerate(tables):
        names = [row[0] for _, row in rows] if units is None else units[number].units
        if len(rows) != len(names):
            raise InputError(
                f"{path}: sentence {number + 1}: holds "
                f"{several(len(rows), 'embedding')} for {several(len(names), 'unit')}"
            )
        sentence_vectors = []
        for k, (place, row) in enumerate(rows):
            if units is not None and not _is_numbered(row, k):
                raise InputError(
                    f"{place}: begins with {' '.join(row[:2])!r}; the numbers of unit "
                    f"{k} and of its word are due, both from 0"
                )
            vector = _embedding(place, row[before:], size)
            sentence_vectors.append(EmbeddedUnit.of(names[k], vector))
        words = words_of(sentence_vectors, texts[number])
        if units is not None:
            words = tuple(int(row[1]) for _, row in rows)
        sentences.append(Units(tuple(sentence_vectors), words))
    return sentences


def _is_numbered(row: Sequence[str], number: int) -> bool:
    """Return whether a line begins with the number of its unit and of a word."""
    return len(row) > 1 and row[0] == str(number) and row[1].isdecimal()


def _embedding(place: str, numbers: Sequence[str], size: int) -> list[float]:
    try:
        vector = [float(number) for number in numbers]
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


def words_of(units: Sequence[str], text: str) -> tuple[int, ...] | None:
    """Return the word number of each unit, if these spell the words."""
    words = tokens_of(text)
    if len(units) == len(words):
        return tuple(range(len(words)))
    numbers: list[int] = []
    number, unspelled = -1, ""
    for unit in units:
        piece = unit.removeprefix("##")
        if not unspelled:
            number += 1
            unspelled = words[number] if number < len(words) else ""
        if not piece or not unspelled.startswith(piece):
            return None
        unspelled = unspelled[len(piece) :]
        numbers.append(number)
    return tuple(numbers) if number + 1 == len(words) and not unspelled else None


@dataclass(slots=True)
class SentenceBlock(Block):
    """A sentence with its place in a file.

    Its *words*, or units, are what weights are learned from.
    """

    sentence: Sentence = field(kw_only=True)
    words: tuple[str, ...] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Side:
    """The files of one side.

    Attributes:
        path: its sentences, one a line, or graphs with ``# ::snt``; ``-`` for standard
            input.
        frames: their frames, if any.
        embeddings: the embeddings of their units, if any.
        units: their units, if they are not its words.
    """

    path: str
    frames: str | None = None
    embeddings: str | None = None
    units: str | None = None

    def blocks(self, encoder: HiddenLayer | None) -> list[Block]:
        """Return the sentences; a graph without ``# ::snt`` stays a block."""
        read_blocks = [
            b for b in read_lines(self.path) if b.content or "snt" in b.metadata()
        ]
        texts = [_text(block) for block in read_blocks]
        lines = [text or "" for text in texts]
        words = list(map(tokens_of, lines))
        sentences = list(map(Sentence, words))
        if self.frames is not None:
            sentences = read_parses(self.frames, lines)
        spelt = [" ".join(sentence.tokens) for sentence in sentences]
        units: list[Units] | None = None
        if encoder is not None:
            units = encoded(encoder, spelt)
        elif self.units is not None:
            units = read_units(self.units, spelt)
        if self.embeddings is not None:
            units = read_embeddings(self.embeddings, spelt, units)
        if units is not None:
            sentences = list(map(Units.instead_of_words, units, sentences))
            words = [sentence.tokens for sentence in sentences]
        results = list(read_blocks)
        for k, (block, text) in enumerate(zip(read_blocks, texts, strict=True)):
            if text is not None:
                block_fields = [
                    getattr(block, attribute.name) for attribute in fields(Block)
                ]
                sentence_words, counted_words = sentences[k], words[k]
                results[k] = SentenceBlock(
                    *block_fields, sentence=sentence_words, words=counted_words
                )
        return results


class Document:
    """The hypotheses and what they are compared with; a source of pairs.

    Args:
        *files: the hypotheses, then their references, or for YiSi-2 the input.
        encoder: makes units with embeddings, if files do not have them.

    Attributes:
        is_contextual: whether units have embeddings of their own.
        names_frames: whether files of frames were named.
        has_frames: whether any sentence has a frame.

    Raises:
        InputError: if a file is missing or malformed, or holds frames or units of
            another number of sentences.
    """

    read_once = False

    def __init__(self, *files: Side, encoder: HiddenLayer | None = None) -> None:
        paths = [side.path for side in files]
        if paths.count(STANDARD_INPUT) > 1:
            raise InputError("standard input can be only one of the files")
        self.references = len(files) - 1
        self.is_contextual = encoder is not None or files[0].embeddings is not None
        self.names_frames = files[0].frames is not None
        self._files = files
        self._encoder = encoder
        self._sides = [side.blocks(encoder) for side in files]
        all_sentences = chain.from_iterable(map(self.sentences, range(len(files))))
        self.has_frames = any(block.sentence.frames for block in all_sentences)

    def sentences(self, side: int) -> list[SentenceBlock]:
        """Return the sentences of one side, 0 for the hypotheses."""
        return [b for b in self._sides[side] if isinstance(b, SentenceBlock)]

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int:
        """Return the number of references, one for each hypothesis."""
        del metrics
        paths = [side.path for side in self._files]
        counts = [len(side) for side in self._sides]
        for path, number in zip(paths, counts, strict=True):
            if number != counts[0] and not by_id:
                raise InputError(
                    f"{paths[0]}: holds {several(counts[0], 'sentence')} but {path} "
                    f"{number}; give one line for each sentence in both"
                )
        if not all(counts):
            raise InputError(f"{paths[counts.index(0)]}: holds no sentence")
        return counts[1]

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[UnreadPair]:
        """Return the pairs of sentences."""
        del as_sentences
        preds, *golds = self._sides
        return pairer.pairs(preds, tuple(golds))

    def sides(self, as_sentences: bool) -> Sequence[Sequence[Block]]:
        """Return all sentences of each side."""
        del as_sentences
        return self._sides

    def of_documents(self) -> Document:
        """Return this source: its files hold sentences for every metric."""
        return self

    def signature(self) -> list[tuple[str, str]]:
        """Return the files or the encoder of the units that replace words."""
        if self._encoder is not None:
            return self._encoder.signature()
        items = []
        for kind in ("embeddings", "units"):
            paths = [path for side in self._files if (path := getattr(side, kind))]
            names = [f"{os.path.basename(p)}@{digest_of(p)[:12]}" for p in paths]
            if names:
                items.append((kind, ",".join(names)))
        return items


def _text(block: Block) -> str | None:
    """Return the sentence of a block; ``None`` for a graph that does not state one."""
    try:
        return sentence_of(block)
    except GraphError:
        return None
