"""Reward for verl: the score of each solution's graph.

Name this file and the function in the configuration of a training::

    custom_reward_function.path=pkg://exactmatch.adapters.verl
    custom_reward_function.name=compute_score
    +custom_reward_function.reward_kwargs.metric=graph

Source: verl, "Implement Reward Function for Dataset"
(https://verl.readthedocs.io/en/latest/preparation/reward_function.html).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from exactmatch.adapters import hinted
from exactmatch.adapters.answers import Answers


def compute_score(
    data_source: str = "",
    solution_str: Any = "",
    ground_truth: Any = "",
    extra_info: Any = None,
    **options: Any,
) -> dict[str, float]:
    """Score one solution; every text has a score.

    Args:
        data_source: ignored.
        solution_str: the model's answer.
        ground_truth: the reference.
        extra_info: ignored.
        **options: those of :class:`exactmatch.adapters.answers.Answers`.

    Returns:
        The reward as ``score``; ``f1`` and ``well_formed`` for the log.

    Raises:
        GraphError: if the reference cannot be read.

    Example:
        >>> from exactmatch.adapters.verl import compute_score
        >>> compute_score("amr", "(b / bark-01", "(b / bark-01)")
        {'score': 0.5, 'f1': 1.0, 'well_formed': 0.0}
    """
    del data_source, extra_info
    judged = _answers(tuple(sorted(options.items()))).judge(
        solution_str, ground_truth, False
    )
    f1 = 0.0 if judged.metric_score is None else judged.metric_score.score
    well_formed = float(judged.well_formed)
    return {"score": judged.score, "f1": f1, "well_formed": well_formed}


@lru_cache(32)
def _answers(options: tuple[tuple[str, Any], ...]) -> Answers:
    return Answers(**dict(options))


__getattr__ = hinted(__name__)
