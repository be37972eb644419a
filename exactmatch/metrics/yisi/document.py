"""The sentences of a document, with their frames and units, read from files.

A side's sentences stand in one file; their frames, their units and the units'
embeddings may stand in others, in the same order.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.inputs import digest_of
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import STANDARD_INPUT, Block, read_lines
from exactmatch.formats.pairs import GivenPair, Pairer
from exactmatch.metrics.base import Metric, sentence_of
from exactmatch.metrics.yisi.files import read_parses
from exactmatch.metrics.yisi.frames import Sentence
from exactmatch.metrics.yisi.units import Units, encoded, read_embeddings, read_units

if TYPE_CHECKING:
    from exactmatch.metrics.similarity.encoder import HiddenLayer


@dataclass(slots=True)
class SentenceBlock(Block):
    """A sentence with its place in a file.

    Attributes:
        sentence: its words or units, and its frames.
        words: the words or units that weights are learned from.
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
        """The sentences; a graph without ``# ::snt`` stays a block of a graph."""
        given = [b for b in read_lines(self.path) if b.content or "snt" in b.metadata()]
        texts = [_text(block) for block in given]
        lines = [text or "" for text in texts]
        sentences = list(map(Sentence.of, lines))
        words = [sentence.tokens for sentence in sentences]
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
        found: list[Block] = []
        for block, text, own, counted in zip(
            given, texts, sentences, words, strict=True
        ):
            if text is None:
                found.append(block)
            else:
                place = (getattr(block, field.name) for field in fields(Block))
                found.append(SentenceBlock(*place, sentence=own, words=counted))
        return found


class Document:
    """The hypotheses and what they are compared with; a source of pairs.

    Args:
        *files: the hypotheses, then their references, or for YiSi-2 the input.
        encoder: what makes units with embeddings, if files do not hold them.

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
        every = (b for side in range(len(files)) for b in self.sentences(side))
        self.has_frames = any(block.sentence.frames for block in every)

    def sentences(self, side: int) -> list[SentenceBlock]:
        """The sentences of one side, 0 for the hypotheses."""
        return [b for b in self._sides[side] if isinstance(b, SentenceBlock)]

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int:
        """The number of references.

        Raises:
            InputError: if there are none, or another number of hypotheses.
        """
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

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[GivenPair]:
        """Pairs of sentences."""
        preds, *golds = self.sides(as_sentences)
        return pairer.pairs(preds, tuple(golds))

    def sides(self, as_sentences: bool) -> Sequence[Sequence[Block]]:
        """All sentences of each side."""
        del as_sentences
        return self._sides

    def signature(self) -> list[tuple[str, str]]:
        """The files or the encoder whose units are compared instead of words."""
        if self._encoder is not None:
            return self._encoder.signature()
        found = []
        for kind in ("embeddings", "units"):
            paths = [path for side in self._files if (path := getattr(side, kind))]
            names = [f"{os.path.basename(p)}@{digest_of(p)[:12]}" for p in paths]
            if names:
                found.append((kind, ",".join(names)))
        return found


def _text(block: Block) -> str | None:
    """The sentence of a block; ``None`` for a graph that does not state one."""
    try:
        return sentence_of(block)
    except GraphError:
        return None
