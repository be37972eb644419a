"""Metric with the interface of Hugging Face's *evaluate*, which need not be installed.

:class:`GraphMetric` has the methods of ``evaluate.EvaluationModule``: ``add``,
``add_batch`` and ``compute``, with the same keywords.

Source: evaluate, "Main classes", ``EvaluationModule``
(https://huggingface.co/docs/evaluate/package_reference/main_classes).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactmatch.adapters import hinted
from exactmatch.adapters.transformers import figures
from exactmatch.base.errors import InputError
from exactmatch.base.options import documented, option, takes
from exactmatch.formats.pairs import OnError
from exactmatch.many.scorer import Scorer, ScorerOptions
from exactmatch.scoring.report import Report


class GraphMetricOptions(ScorerOptions, purpose="pairs"):
    """Options of a :class:`GraphMetric`."""

    on_error: OnError = option(default="empty")


class GraphMetric:
    """Metric that takes predictions and references, and is computed at the end.

    Example:
        >>> from exactmatch.adapters.evaluate import GraphMetric
        >>> smatch = GraphMetric("smatch")
        >>> scores = smatch.compute(predictions=["(a / b)"], references=["(a / c)"])
        >>> scores["smatch"], scores["well_formed"]
        (0.5, 1.0)
    """

    @takes(GraphMetricOptions)
    def __init__(self, options: GraphMetricOptions) -> None:
        self._scorer = Scorer(**vars(options))
        self.last: Report | None = None
        """Report of the last :meth:`compute`."""

    @property
    def name(self) -> str:
        """Name of the metric."""
        return self._scorer.metric.name

    def add(self, *, prediction: Any, reference: Any) -> None:
        """Add one prediction and its reference, or a list of references."""
        self._scorer.add(prediction, reference)

    def add_batch(
        self, *, predictions: Iterable[Any], references: Iterable[Any]
    ) -> None:
        """Add several predictions, each with its reference."""
        self._scorer.update(predictions, references)

    def compute(
        self,
        *,
        predictions: Iterable[Any] | None = None,
        references: Iterable[Any] | None = None,
    ) -> dict[str, float]:
        """Return the score of all pairs that were added, with these, and reset.

        Returns:
            The score under the metric's name, ``precision`` and ``recall`` where the
            metric has them, ``well_formed`` and the number of each fault.

        Raises:
            InputError: if one side is given without the other.
        """
        if (predictions is None) != (references is None):
            raise InputError("give predictions and references, or neither of them")
        if predictions is not None and references is not None:
            self._scorer.update(predictions, references)
        self.last = self._scorer.compute()
        self._scorer.reset()
        return figures(self.last)


GraphMetric.__doc__ = documented(GraphMetric.__doc__ or "", GraphMetricOptions)

__getattr__ = hinted(__name__)
