"""``compute_metrics`` for the trainers of transformers: exact scores in every round.

A trainer calls it with predictions and labels, arrays of token ids in which -100 is no
token, and logs the dictionary that it returns.

Source: transformers, "Trainer", ``compute_metrics`` and ``EvalPrediction``
(https://huggingface.co/docs/transformers/main_classes/trainer).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy as np

from exactmatch.adapters import hinted
from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, function, option, optional
from exactmatch.formats.pairs import OnError
from exactmatch.scoring.options import Measuring
from exactmatch.scoring.report import Report
from exactmatch.studies.score.options import ScoreOptions
from exactmatch.studies.score.study import study

ComputeMetrics: TypeAlias = Callable[[Any], dict[str, float]]
IGNORED = -100  # the id of labels that are not a token


class Tokenizer(Protocol):
    """Interface of a tokenizer: the one method that is used."""

    pad_token_id: int | None

    def batch_decode(self, sequences: Any, *, skip_special_tokens: bool) -> list[str]:
        """Return the texts of sequences of token ids."""


def _tokenizer(value: Any) -> Tokenizer:
    if not hasattr(value, "batch_decode"):
        raise InputError(
            f"compute_metrics takes a tokenizer, not {type(value).__name__}: give the "
            "trainer compute_metrics(tokenizer), not compute_metrics itself"
        )
    tokenizer: Tokenizer = value
    return tokenizer


class _Tokenized(Options, purpose="opens"):
    tokenizer: Tokenizer = option(
        "turns token ids into text", read=_tokenizer, kw_only=False
    )


class ComputeOptions(Measuring, _Tokenized, purpose="runs"):
    """Options of the scores of a trainer's predictions."""

    clean: Callable[[str], str] | None = optional(
        "a function from a decoded text to the text of a graph, for models that write "
        "graphs in another form; applied to predictions and labels",
        purpose="pairs",
    )
    time_limit: float | None = option(default=1.0)
    on_error: OnError = option(default="empty", purpose="pairs")


def metrics_function(options: ComputeOptions) -> ComputeMetrics:
    """Make a ``compute_metrics`` for a trainer with ``predict_with_generate=True``.

    An unreadable prediction is scored as an empty graph and counted as broken.

    Returns:
        A function from the trainer's predictions to a dictionary of numbers: ``smatch``
        (or the metric's name), ``precision`` and ``recall`` where the metric has them,
        ``well_formed`` (the share of well-formed predictions) and ``fault_…``, how many
        predictions have a fault of that kind.
    """

    def compute(predicted: Any) -> dict[str, float]:
        sides = (predicted[0], predicted[1])
        preds, golds = (
            _texts(options.tokenizer, side, options.clean) for side in sides
        )
        pairs = {"preds": preds, "golds": golds, "keep_pairs": False}
        return figures(study(options.as_options(ScoreOptions, **pairs)))

    return compute


compute_metrics = function("compute_metrics", ComputeOptions, metrics_function)


def figures(report: Report) -> dict[str, float]:
    """Return the numbers of a report's first metric and its predictions, for a log."""
    score, predictions = report.scores[0].score, report.predictions
    numbers: dict[str, float | None] = {
        score.metric: score.score,
        "precision": score.precision,
        "recall": score.recall,
        "well_formed": predictions.well_formed,
    }
    for kind, times in predictions.faults.items():
        numbers[f"fault_{kind.replace(' ', '_')}"] = times
    return {name: value for name, value in numbers.items() if value is not None}


def _texts(
    tokenizer: Tokenizer, side: Any, clean: Callable[[str], str] | None
) -> list[str]:
    """Return the texts of one side, from token ids or texts, not from logits."""
    if isinstance(side, tuple):  # a model with more outputs has its tokens first
        side = side[0]
    if len(side) and isinstance(side[0], str):
        texts = list(side)
    else:
        tokens = np.asarray(side)
        if tokens.ndim > 2 or not np.issubdtype(tokens.dtype, np.integer):
            raise InputError(
                f"predictions are an array of {tokens.ndim} dimensions of "
                f"{tokens.dtype}, not token ids; train with predict_with_generate=True"
            )
        pad = tokenizer.pad_token_id or 0
        tokens = np.where(tokens == IGNORED, pad, tokens)
        texts = tokenizer.batch_decode(tokens, skip_special_tokens=True)
    return texts if clean is None else [clean(text) for text in texts]


__getattr__ = hinted(__name__)
