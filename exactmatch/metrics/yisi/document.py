"""A document: its hypotheses and what they are compared with, read from files.

A side's sentences stand in one file; their frames, their units and the units'
embeddings may stand in others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactmatch.errors import InputError
from exactmatch.metrics.yisi.conll import Sentence, tokens_of
from exactmatch.metrics.yisi.files import read_parses, read_sentences
from exactmatch.metrics.yisi.units import read_embeddings, read_units

if TYPE_CHECKING:
    from exactmatch.metrics.yisi.encoder import UnitEncoder
    from exactmatch.metrics.yisi.units import Units


@dataclass(frozen=True, slots=True)
class Side:
    """The files of one side.

    Attributes:
        path: its sentences; ``-`` for standard input.
        frames: their frames, if any.
        embeddings: the embeddings of their units, if any.
        units: their units, if they are not its words.
    """

    path: str
    frames: str | None = None
    embeddings: str | None = None
    units: str | None = None

    def in_units(
        self, sentences: Sequence[Sentence], encoder: UnitEncoder | None
    ) -> list[Sentence] | None:
        """Sentences in units instead of words; ``None`` if words are its units."""
        texts = [" ".join(sentence.tokens) for sentence in sentences]
        found: list[Units] | None = None
        if encoder is not None:
            found = encoder.encode(texts)
        elif self.units is not None:
            found = read_units(self.units, texts)
        if self.embeddings is not None:
            found = read_embeddings(self.embeddings, texts, found)
        if found is None:
            return None
        return [u.instead_of_words(s) for u, s in zip(found, sentences, strict=True)]


@dataclass(frozen=True, slots=True)
class Document:
    """The sentences of a run.

    Attributes:
        hypotheses: a sentence each.
        others: for each of them its references, or its input.
        hypothesis_words, other_words: the words or units that weights are learned
            from.
    """

    hypotheses: list[Sentence]
    others: list[tuple[Sentence, ...]]
    hypothesis_words: list[tuple[str, ...]]
    other_words: list[tuple[str, ...]]

    @property
    def has_frames(self) -> bool:
        """Whether any sentence has a frame."""
        either = [*self.hypotheses, *(o for others in self.others for o in others)]
        return any(sentence.frames for sentence in either)


def read_document(*sides: Side, encoder: UnitEncoder | None = None) -> Document:
    """Read the files of a run.

    Args:
        *sides: the hypotheses, then what they are compared with.
        encoder: who makes units with embeddings, if files do not hold them.

    Raises:
        InputError: if a file is missing, malformed, or of another length.
    """
    paths = [side.path for side in sides]
    if paths.count("-") > 1:
        raise InputError("standard input can be only one of the files")
    texts = [read_sentences(path) for path in paths]
    for path, lines in zip(paths[1:], texts[1:], strict=True):
        if len(lines) != len(texts[0]):
            raise InputError(
                f"{paths[0]}: holds {len(texts[0])} sentences but {path} "
                f"{len(lines)}; give one line for each sentence in both"
            )
    if not texts[0]:
        raise InputError(f"{paths[0]}: holds no sentence")
    parsed, words = [], []
    for side, lines in zip(sides, texts, strict=True):
        sentences = (
            [Sentence.of(line) for line in lines]
            if side.frames is None
            else read_parses(side.frames, lines)
        )
        units = side.in_units(sentences, encoder)
        parsed.append(sentences if units is None else units)
        words.append(
            [tokens_of(line) for line in lines]
            if units is None
            else [sentence.tokens for sentence in units]
        )
    others = [tokens for side in words[1:] for tokens in side]
    return Document(parsed[0], list(zip(*parsed[1:], strict=True)), words[0], others)
