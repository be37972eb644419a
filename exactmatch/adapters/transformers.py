"""``compute_metrics`` for the trainers of transformers: exact scores in every round.

A trainer calls it with what was predicted and the labels, both as arrays of token ids
in which -100 stands for no token, and logs the dictionary that it returns.

Source: transformers, "Trainer", ``compute_metrics`` and ``EvalPrediction``
(https://huggingface.co/docs/transformers/main_classes/trainer).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.studies.score.study import evaluate

ComputeMetrics: TypeAlias = Callable[[Any], dict[str, float]]
IGNORED = -100
"""The id of labels that are no token."""


class Tokenizer(Protocol):
    """The one method of a tokenizer that is used."""

    pad_token_id: int | None

    def batch_decode(self, sequences: Any, *, skip_special_tokens: bool) -> list[str]:
        """The texts of some sequences of token ids."""


def compute_metrics(
    tokenizer: Tokenizer,
    metric: str | Metric = "smatch",
    *,
    clean: Callable[[str], str] | None = None,
    time_limit: float | None = 1.0,
    **options: Any,
) -> ComputeMetrics:
    """Make a ``compute_metrics`` for a trainer with ``predict_with_generate=True``.

    A prediction that cannot be read counts as an empty graph, and is counted as broken.

    Args:
        tokenizer: turns token ids into text.
        metric: the metric, by name or made by :func:`exactmatch.make_metric`.
        clean: a function from a decoded text to the text of a graph, for models that
            write graphs in another form; applied to predictions and labels.
        time_limit: in seconds for each pair.
        **options: options of the metric.

    Returns:
        A function from the trainer's predictions to a dictionary of numbers: ``smatch``
        (or the metric's name), ``precision`` and ``recall`` where the metric has them,
        ``well_formed`` (the share of well-formed predictions) and ``fault_…``, how many
        predictions have a fault of that kind.
    """

    def compute(predicted: Any) -> dict[str, float]:
        predictions, labels = predicted[0], predicted[1]
        sides = [_texts(tokenizer, side, clean) for side in (predictions, labels)]
        report = evaluate(
            sides[0],
            sides[1],
            metric,
            on_error="empty",
            time_limit=time_limit,
            keep_pairs=False,
            **options,
        )
        return figures(report)

    return compute


def figures(report: Report) -> dict[str, float]:
    """The numbers of a report's first metric and of its predictions, for a log."""
    score = report.scores[0].score
    found: dict[str, float] = {score.metric: score.score}
    for name in ("precision", "recall"):
        value = getattr(score, name)
        if value is not None:
            found[name] = value
    predictions = report.predictions
    if predictions.well_formed is not None:
        found["well_formed"] = predictions.well_formed
    for kind, times in predictions.faults.items():
        found[f"fault_{kind.replace(' ', '_')}"] = times
    return found


def _texts(
    tokenizer: Tokenizer, side: Any, clean: Callable[[str], str] | None
) -> list[str]:
    """The texts of one side, given as token ids or already as texts.

    Raises:
        InputError: if they are logits.
    """
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
