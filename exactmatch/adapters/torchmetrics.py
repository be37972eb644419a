"""Metric for torchmetrics: the score of all graphs, summed over processes.

The state of the metric is the summed counts of the pairs, which torchmetrics adds up
over batches and devices.

Source: torchmetrics, "Implementing a Metric"
(https://lightning.ai/docs/torchmetrics/stable/pages/implement.html).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from exactmatch.adapters import hinted
from exactmatch.adapters.answers import AnswerOptions, Answers
from exactmatch.base.errors import InputError
from exactmatch.base.options import function


def metric_of(options: AnswerOptions) -> Any:
    """Make a metric for torchmetrics.

    Returns:
        A ``torchmetrics.Metric``: ``update(preds, target)`` takes lists of texts or
        graphs, ``compute()`` gives the score of all of them as a tensor.

    Raises:
        InputError: if a metric's numbers cannot be summed.
        ImportError: if ``torchmetrics`` is not installed.
    """
    return _metric_class()(vars(options))


graph_metric = function("graph_metric", AnswerOptions, metric_of)


@lru_cache(1)
def _metric_class() -> Any:
    import torch
    from torchmetrics import Metric

    class GraphScore(Metric):  # type: ignore[misc]  # untyped base
        """Score of graphs."""

        is_differentiable = False
        higher_is_better = True
        full_state_update = False

        def __init__(self, options: dict[str, Any]) -> None:
            super().__init__()
            self.options = options
            self.answers = Answers(**options)
            size = len(self.answers.metric.identity())
            if not size:
                raise InputError(
                    f"counts of metric {self.answers.metric.name!r} cannot be summed"
                )
            zeros = torch.zeros(size, dtype=torch.float64)
            self.add_state("sums", default=zeros, dist_reduce_fx="sum")

        def update(self, preds: Sequence[Any], target: Sequence[Any]) -> None:
            """Add predictions and their references."""
            if len(preds) != len(target):
                raise InputError(
                    f"{len(preds)} predictions but {len(target)} references"
                )
            for pred, gold in zip(preds, target, strict=True):
                row = self.answers.judge(pred, gold, False).statistics
                self.sums += torch.tensor(row, dtype=torch.float64, device=self.device)

        def compute(self) -> Any:
            """Return the score of all pairs so far."""
            sums = tuple(self.sums.tolist())
            return torch.tensor(self.answers.score_of(sums).score)

        def __reduce__(self) -> Any:
            state: dict[str, Any] = super().__getstate__()
            return _restored, (state | {"answers": None},)

    return GraphScore


def _restored(state: dict[str, Any]) -> Any:
    metric = object.__new__(_metric_class())
    metric.__setstate__(state | {"answers": Answers(**state["options"])})
    return metric


__getattr__ = hinted(__name__)
