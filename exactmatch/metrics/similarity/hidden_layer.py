"""The output of one hidden layer of a model of ``transformers``, piece by piece.

The model reads a whole sentence, whose words its tokenizer cuts into pieces; the output
of one of its hidden layers is the contextual embedding of each piece.

Needs the extra ``[encoder]``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.metrics.similarity.vectors import Matrix

BATCH = 32
"""Number of sentences that the model reads at once."""


@dataclass(frozen=True, slots=True, eq=False)
class WordPieces:
    """The word pieces of a sentence, without the special tokens that the model adds.

    Attributes:
        texts: the pieces, as the tokenizer writes them.
        words: for each the number of the word that it is part of, from 0.
        matrix: for each its embedding, shape ``(pieces, size of the layer)``.
    """

    texts: tuple[str, ...]
    words: tuple[int, ...]
    matrix: Matrix


class HiddenLayer:
    """A model and one of its hidden layers.

    Attributes:
        model: the model's name or folder.
        layer: number of the hidden layer; 0 is the input of the first.  Default: that
            at three quarters of the depth, as in Lo (2019, §2.2).
        size: how long an embedding is.

    Raises:
        MissingExtraError: if ``torch`` or ``transformers`` is not installed.
        InputError: if the model cannot be loaded or has no such layer.
    """

    def __init__(self, model: str, layer: int | None = None) -> None:
        self.model = model
        self._tokenizer, self._network = _load(model)
        depth = int(self._network.config.num_hidden_layers)
        self.size = int(self._network.config.hidden_size)
        self.layer = round(0.75 * depth) if layer is None else layer
        if not 0 <= self.layer <= depth:
            raise InputError(
                f"--layer is {layer}; encoder {model!r} has the layers 0 to {depth}"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self.layer)

    def signature(self) -> list[tuple[str, str]]:
        """Model and layer."""
        return [("encoder", self.model), ("layer", str(self.layer))]

    def fault(self, words: Sequence[str]) -> str | None:
        """Why the model cannot read a sentence of these words; ``None`` if it can."""
        if not words:
            return None
        length = len(self._tokenizer(list(words), is_split_into_words=True).input_ids)
        most = min(
            getattr(self._network.config, "max_position_embeddings", sys.maxsize),
            self._tokenizer.model_max_length,
        )
        if length <= most:
            return None
        return (
            f"has {length} pieces, more than the {most} that encoder {self.model!r} "
            "can read; split it"
        )

    def pieces(self, sentences: Sequence[Sequence[str]]) -> list[WordPieces]:
        """The pieces of sentences, a few of which are read by the model at once.

        Args:
            sentences: the words of each; none the model cannot read (:meth:`fault`).
        """
        found: list[WordPieces] = []
        for first in range(0, len(sentences), BATCH):
            found += self._pieces(sentences[first : first + BATCH])
        return found

    def _pieces(self, sentences: Sequence[Sequence[str]]) -> list[WordPieces]:
        torch: Any = importlib.import_module("torch")
        filled = [k for k, words in enumerate(sentences) if words]
        found = [WordPieces((), (), np.zeros((0, self.size)))] * len(sentences)
        if not filled:
            return found
        batch = self._tokenizer(
            [list(sentences[k]) for k in filled],
            is_split_into_words=True,
            padding=True,
            return_tensors="pt",
        )
        with torch.no_grad():
            output = self._network(**batch, output_hidden_states=True)
        states = output.hidden_states[self.layer].double().numpy()
        for row, k in enumerate(filled):
            words = batch.word_ids(row)
            places = [place for place, word in enumerate(words) if word is not None]
            ids = batch["input_ids"][row].tolist()
            texts = self._tokenizer.convert_ids_to_tokens([ids[p] for p in places])
            numbers = tuple(words[place] for place in places)
            found[k] = WordPieces(tuple(texts), numbers, states[row][places])
        return found


def _load(model: str) -> tuple[Any, Any]:
    for package in ("torch", "transformers"):
        if importlib.util.find_spec(package) is None:
            raise MissingExtraError(
                f"--encoder needs {package}: pip install 'exactmatch[encoder]'"
            )
    transformers: Any = importlib.import_module("transformers")
    transformers.utils.logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            model, add_prefix_space=True, use_fast=True
        )
        network = transformers.AutoModel.from_pretrained(model)
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"cannot load encoder {model!r}: {reason}") from None
    if not tokenizer.is_fast:
        raise InputError(
            f"encoder {model!r} has no fast tokenizer, which says what word a piece "
            "is part of"
        )
    network.eval()
    return tokenizer, network
