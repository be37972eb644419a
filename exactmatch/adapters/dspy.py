"""Metric for DSPy and its optimisers: a score with feedback in words.

GEPA rewrites prompts by the feedback of a metric.  The feedback on a graph is the edits
that turn it into the reference, each with its gain.

Source: DSPy, ``dspy.GEPA`` (https://dspy.ai/api/optimizers/GEPA/overview).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactmatch.adapters.answers import AnswerOptions, Answers
from exactmatch.base.options import function, option


class DspyOptions(AnswerOptions, purpose="shows"):
    """Options of a metric for DSPy."""

    answer: str = option("the field of the program's output", default="graph")
    gold: str = option("the field of the example's reference", default="graph")


def metric_of(options: DspyOptions) -> Callable[..., Any]:
    """Make a metric for DSPy.

    Returns:
        A function of example, prediction and traces.  It returns ``dspy.Prediction(
        score, feedback)``; while a program is bootstrapped, the score alone.

    Example::

        metric = graph_metric("graph", count="edges", answer="triples", gold="triples")
        dspy.GEPA(metric=metric, auto="light", reflection_lm=lm).compile(program, ...)
    """
    answers = Answers(**vars(options.as_options(AnswerOptions)))

    def metric(
        gold: Any,
        pred: Any,
        trace: Any = None,
        pred_name: str | None = None,
        pred_trace: Any = None,
    ) -> Any:
        del pred_name, pred_trace
        import dspy

        answer = getattr(pred, options.answer, "")
        judged = answers.judge(answer, getattr(gold, options.gold), trace is None)
        return dspy.Prediction(score=judged.score, feedback=judged.feedback)

    return metric


graph_metric = function("graph_metric", DspyOptions, metric_of)
