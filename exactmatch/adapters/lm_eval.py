"""Metric for the LM Evaluation Harness: the score of all answers together.

:func:`register` adds a metric and an aggregation to the harness's registries.  Without
it, a task file names them by ``process_results: !function graph_task.results`` and
``aggregation: !function graph_task.f1``, with two lines of Python beside it
(``examples/lm_eval``).

Source: lm-evaluation-harness, "New Task Guide"
(https://github.com/EleutherAI/lm-evaluation-harness/blob/main/docs/new_task_guide.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

from exactmatch.adapters import hinted
from exactmatch.adapters.answers import AnswerOptions, Answers
from exactmatch.base.options import function, option
from exactmatch.metrics.base import add


class Functions(NamedTuple):
    """Functions of a task of the harness.

    Attributes:
        results: ``process_results`` of a task; keeps the answer and its reference.
        pair: the same as a metric, for tasks whose target is text.
        f1: the aggregation; returns the score of all pairs together.
    """

    results: Callable[..., Any]
    pair: Callable[..., Any]
    f1: Callable[[Sequence[Any]], float]


class RegisterOptions(AnswerOptions, purpose="shows"):
    """Options of a metric of the harness."""

    name: str = option("the metric's name in task files", default="exact_graph")
    gold: str = option("the column of the references", default="graph")


def make_functions(options: RegisterOptions) -> Functions:
    """Make a metric and its aggregation for the harness.

    An answer without a graph counts as an empty one.

    Example:
        >>> from exactmatch.adapters.lm_eval import functions
        >>> parts = functions("smatch")
        >>> answers = [("(b / bark-01)", "(b / bark-01)"), ("(c / cat)", "no graph")]
        >>> parts.f1(answers)
        0.6666666666666666
    """
    answers = Answers(**vars(options.as_options(AnswerOptions)))

    def results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Any]:
        return {options.name: (doc[options.gold], results[0])}

    def pair(
        items: Sequence[Any] = (),
        references: Sequence[Any] = (),
        predictions: Sequence[Any] = (),
        **_: Any,
    ) -> Any:
        return (references[0], predictions[0]) if references else tuple(items)

    def f1(items: Sequence[Any]) -> float:
        rows = [answers.judge(answer, gold, False).statistics for gold, answer in items]
        return answers.score_of(reduce(add, rows)).score if rows else 0.0

    pair.__name__ = options.name
    return Functions(results, pair, f1)


functions = function("functions", RegisterOptions, make_functions)


def registered(options: RegisterOptions) -> Functions:
    """Add a metric and its aggregation to the harness, for task files to name.

    Raises:
        ImportError: if ``lm_eval`` is not installed.
    """
    from lm_eval.api.registry import register_aggregation, register_metric

    parts = make_functions(options)
    register_aggregation(options.name)(parts.f1)
    register_metric(
        metric=options.name,
        higher_is_better=True,
        output_type="generate_until",
        aggregation=options.name,
    )(parts.pair)
    return parts


register = function("register", RegisterOptions, registered)

__getattr__ = hinted(__name__)
