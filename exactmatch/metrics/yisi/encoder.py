"""Contextual embeddings of word pieces, by a model of ``transformers``.

The model reads a whole sentence; the output of one of its hidden layers is the
embedding of each piece (:mod:`exactmatch.metrics.similarity.encoder`).  Pieces
stay units of their own; they are not put together again.  Lo (2019, §2.2) takes
layer 18 of BERT's 24, and layer 9 of the 12 of multilingual BERT: three quarters up,
which is the default here.

Needs the extra ``[encoder]``.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.base.errors import InputError
from exactmatch.metrics.similarity.encoder import HiddenLayer, WordPieces
from exactmatch.metrics.yisi.conll import tokens_of
from exactmatch.metrics.yisi.units import EmbeddedUnit, Units


class UnitEncoder(HiddenLayer):
    """A model that turns sentences into units with embeddings."""

    def encode(self, texts: Sequence[str]) -> list[Units]:
        """The units of sentences, with their embeddings.

        Args:
            texts: the sentences; words are what stands between their spaces.

        Raises:
            InputError: if a sentence has more pieces than the model can read.
        """
        sentences = [tokens_of(text) for text in texts]
        for number, words in enumerate(sentences, 1):
            if fault := self.fault(words):
                raise InputError(f"sentence {number} {fault}")
        return list(map(_units, self.pieces(sentences)))


def _units(pieces: WordPieces) -> Units:
    units = map(EmbeddedUnit.of, pieces.texts, pieces.matrix)
    return Units(tuple(units), pieces.words)
