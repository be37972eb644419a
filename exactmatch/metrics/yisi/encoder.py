"""Contextual embeddings of word pieces, by a model of ``transformers``.

The model reads a whole sentence; the output of one of its hidden layers is the
embedding of each piece.  Pieces stay units of their own; they are not put together
again.  Lo (2019, §2.2) takes layer 18 of BERT's 24, and layer 9 of the 12 of
multilingual BERT: three quarters up, which is the default here.

Needs the extra ``[encoder]``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from exactmatch.errors import InputError, MissingExtraError
from exactmatch.metrics.yisi.conll import tokens_of
from exactmatch.metrics.yisi.units import Unit, Units

BATCH = 32
"""So many sentences are read by the model at once."""


class UnitEncoder:
    """A model that turns sentences into units with embeddings.

    Attributes:
        model: its name or folder.
        layer: which hidden layer gives the embeddings, 0 being what enters the first.

    Raises:
        MissingExtraError: if ``torch`` or ``transformers`` is not installed.
        InputError: if the model cannot be loaded or has no such layer.
    """

    def __init__(self, model: str, layer: int | None = None) -> None:
        self.model = model
        self._tokenizer, self._network = _load(model)
        depth = int(self._network.config.num_hidden_layers)
        self.layer = round(0.75 * depth) if layer is None else layer
        if not 0 <= self.layer <= depth:
            raise InputError(
                f"--layer is {layer}; encoder {model!r} has the layers 0 to {depth}"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process loads the model itself."""
        return type(self), (self.model, self.layer)

    def signature(self) -> list[tuple[str, str]]:
        """Model and layer."""
        return [("encoder", self.model), ("layer", str(self.layer))]

    def encode(self, texts: Sequence[str]) -> list[Units]:
        """The units of sentences, with their embeddings.

        Args:
            texts: the sentences; words are what stands between their spaces.

        Raises:
            InputError: if a sentence has more pieces than the model can read.
        """
        found: list[Units] = []
        for first in range(0, len(texts), BATCH):
            found += self._encode(texts[first : first + BATCH], first)
        return found

    def _encode(self, texts: Sequence[str], first: int) -> Iterator[Units]:
        """The units of a few sentences; *first* is the number of the first of them."""
        torch: Any = importlib.import_module("torch")
        words = [tokens_of(text) for text in texts]
        filled = [k for k, found in enumerate(words) if found]
        states: dict[int, Any] = {}
        if filled:
            batch = self._tokenizer(
                [list(words[k]) for k in filled],
                is_split_into_words=True,
                padding=True,
                return_tensors="pt",
            )
            self._check_length(batch, filled, first)
            with torch.no_grad():
                output = self._network(**batch, output_hidden_states=True)
            layer = output.hidden_states[self.layer].double().numpy()
            states = {k: (batch, row, layer[row]) for row, k in enumerate(filled)}
        for k in range(len(texts)):
            yield self._units(*states[k]) if k in states else Units((), ())

    def _check_length(self, batch: Any, places: Sequence[int], first: int) -> None:
        most = min(
            getattr(self._network.config, "max_position_embeddings", sys.maxsize),
            self._tokenizer.model_max_length,
        )
        lengths = batch["attention_mask"].sum(dim=1).tolist()
        for place, length in zip(places, lengths, strict=True):
            if length > most:
                raise InputError(
                    f"sentence {first + place + 1} has {length} pieces, more than "
                    f"the {most} that encoder {self.model!r} can read; split it"
                )

    def _units(self, batch: Any, row: int, layer: Any) -> Units:
        """The pieces of one sentence; what the model adds is left out."""
        words = batch.word_ids(row)
        places = [place for place, word in enumerate(words) if word is not None]
        ids = batch["input_ids"][row].tolist()
        pieces = self._tokenizer.convert_ids_to_tokens([ids[place] for place in places])
        units = (
            Unit.of(piece, layer[place])
            for piece, place in zip(pieces, places, strict=True)
        )
        return Units(tuple(units), tuple(words[place] for place in places))


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
