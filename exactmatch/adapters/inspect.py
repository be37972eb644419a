"""Scorer for Inspect: the score of each answer, with feedback as the explanation.

Source: Inspect, "Scorers" (https://inspect.aisi.org.uk/scorers.html).
"""

from __future__ import annotations

from typing import Any

from exactmatch.adapters import hinted
from exactmatch.adapters.answers import AnswerOptions, Answers
from exactmatch.base.options import function


def scorer_of(options: AnswerOptions) -> Any:
    """Make a scorer for Inspect.

    Returns:
        A scorer with mean and standard error; of several targets the best counts.

    Raises:
        ImportError: if ``inspect_ai`` is not installed.
    """
    from inspect_ai.scorer import Score, mean, scorer, stderr

    answers = Answers(**vars(options))

    def graph_f1() -> Any:
        async def score(state: Any, target: Any) -> Any:
            text = state.output.completion
            judgements = (answers.judge(text, gold) for gold in target)
            best = max(judgements, key=lambda judged: judged.score)
            return Score(value=best.score, answer=text, explanation=best.feedback)

        return score

    decorated = scorer(metrics=[mean(), stderr()], name=f"{answers.metric.name}_f1")
    return decorated(graph_f1)()


graph_scorer = function("graph_scorer", AnswerOptions, scorer_of)

__getattr__ = hinted(__name__)
