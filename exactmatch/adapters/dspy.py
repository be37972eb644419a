"""Metric for DSPy and its optimisers: a score with feedback in words.

GEPA rewrites prompts by the feedback of a metric.  The feedback on a graph is the edits
that turn it into the reference, each with its gain.

Source: DSPy, ``dspy.GEPA`` (https://dspy.ai/api/optimizers/GEPA/overview).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactmatch.adapters import hinted
from exactmatch.adapters.answers import AnswerOptions, Answers
from exactmatch.base.errors import InputError
from exactmatch.base.options import function, option
from exactmatch.base.registry import installed


class DspyOptions(AnswerOptions, purpose="shows"):
    """Options of a metric for DSPy."""

    answer: str = option("the field of the program's output", default="graph")
    gold: str = option("the field of the example's reference", default="graph")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:  # an example and a prediction
            raise InputError(
                "graph_metric makes the metric; give DSPy what it returns: "
                "metric=graph_metric()"
            )
        super().__init__(*args, **kwargs)


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
        dspy = installed("dspy", "graph_metric needs")
        answer = _field(pred, "answer", options.answer, "prediction")
        reference = _field(gold, "gold", options.gold, "example")
        judged = answers.judge(answer, reference, trace is None)
        return dspy.Prediction(score=judged.score, feedback=judged.feedback)

    return metric


def _field(thing: Any, option: str, name: str, what: str) -> Any:
    """Return a field of an example or of a prediction.

    A prediction without any field has failed and is an empty answer.
    """
    keys = thing.keys() if hasattr(thing, "keys") else vars(thing)
    fields = [*map(str, keys)]
    if hasattr(thing, name):
        return getattr(thing, name)
    if what == "prediction" and not fields:
        return ""
    raise InputError(
        f"the {what} has no field {name!r} (fields: {', '.join(fields) or 'none'}); "
        f"name it with {option}="
    )


graph_metric = function("graph_metric", DspyOptions, metric_of)

__getattr__ = hinted(__name__, "graph_metric()")
