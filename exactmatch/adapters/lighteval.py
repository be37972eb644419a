"""Metric for lighteval: the score of each answer, and their mean.

Source: lighteval, "Adding a New Metric"
(https://huggingface.co/docs/lighteval/adding-a-new-metric).
"""

from __future__ import annotations

import math
from typing import Any

from exactmatch.adapters import hinted
from exactmatch.adapters.answers import AnswerOptions, Answers
from exactmatch.base.options import function


def metric_of(options: AnswerOptions) -> Any:
    """Make a metric for lighteval; the best answer of a sample counts.

    Returns:
        A ``SampleLevelMetric`` of generated text, for the ``metrics`` of a task.

    Raises:
        ImportError: if ``lighteval`` is not installed.
    """
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetric
    from lighteval.tasks.requests import SamplingMethod

    answers = Answers(**vars(options))

    class GraphScore(SampleLevelComputation):  # type: ignore[misc]  # untyped base
        def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
            return max(
                answers.judge(text, gold, False).score
                for gold in doc.get_golds()
                for text in model_response.final_text
            )

    return SampleLevelMetric(
        metric_name=f"{answers.metric.name}_f1",
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=GraphScore(),
        corpus_level_fn=_mean,
    )


graph_metric = function("graph_metric", AnswerOptions, metric_of)


def _mean(values: Any) -> float:
    numbers = list(values)
    return math.fsum(numbers) / len(numbers) if numbers else 0.0


__getattr__ = hinted(__name__)
