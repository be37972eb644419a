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

    answer: str | None = option(
        "the field of the program's output (default: graph, or the only one)",
        default=None,
    )
    gold: str | None = option(
        "the field of the example's reference (default: graph, or as the output's)",
        default=None,
    )

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
        answer_field, gold_field = _fields(pred, gold, options)
        answer = "" if answer_field is None else getattr(pred, answer_field)
        judged = answers.judge(answer, getattr(gold, gold_field), trace is None)
        return dspy.Prediction(score=judged.score, feedback=judged.feedback)

    return metric


def _fields(pred: Any, gold: Any, options: DspyOptions) -> tuple[str | None, str]:
    """Return the fields of answer and reference.

    A prediction without any field has failed and has no answer.

    Raises:
        InputError: if a field is missing, or several may be meant.
    """
    outputs, inputs = _names(pred), _names(gold)
    answer = options.answer
    if answer is None:
        answer = _GRAPH if _GRAPH in outputs else next(iter(outputs), None)
        if answer != _GRAPH and len(outputs) > 1:
            answer = _GRAPH
    reference = options.gold
    if reference is None:
        reference = _GRAPH if answer is None or _GRAPH in inputs else answer
    missing = [
        f"the {what} has no field {name!r} (fields: {', '.join(names) or 'none'})"
        for what, name, names in (
            ("prediction", answer, outputs),
            ("example", reference, inputs),
        )
        if name is not None and name not in names and (names or what == "example")
    ]
    if missing:
        raise InputError(
            f"{' and '.join(missing)}; name them: "
            "graph_metric(answer='FIELD', gold='FIELD')"
        )
    return (answer if outputs else None), reference


_GRAPH = "graph"
"""The default name of a field."""


def _names(thing: Any) -> list[str]:
    return [*map(str, thing.keys() if hasattr(thing, "keys") else vars(thing))]


graph_metric = function("graph_metric", DspyOptions, metric_of)

__getattr__ = hinted(__name__, "graph_metric()")
