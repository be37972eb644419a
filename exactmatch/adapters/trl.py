"""Reward for trainers of TRL: the exact F1 of the graphs that a model writes.

TRL calls a reward function with keyword arguments: ``prompts``, ``completions`` and
every other column of the data set, a list each.  It returns a number for each
completion.  Completions are texts, or conversations of messages with ``content``.

Source: TRL, "GRPO Trainer", section "Using a custom reward function"
(https://huggingface.co/docs/trl/grpo_trainer).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from exactmatch.adapters import hinted
from exactmatch.adapters.answers import AnswerOptions, Answers, GradedOptions, text_of
from exactmatch.base.errors import ExactmatchError, InputError, warn_caller
from exactmatch.base.options import function, option
from exactmatch.scoring.report import Report


class RewardOptions(GradedOptions, purpose="shows"):
    """Options of a reward."""

    gold: str = option(
        "the column of the data set that holds the references", default="gold"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Refuse arguments that are those of the reward function itself."""
        if "completions" in kwargs or (args and isinstance(args[0], list | tuple)):
            raise InputError(
                "smatch_reward makes the reward function; give the trainer what it "
                "returns: reward_funcs=smatch_reward(gold='COLUMN')"
            )
        super().__init__(*args, **kwargs)


class SmatchReward:
    """Reward function; made by :func:`smatch_reward`.

    Attributes:
        gold: the column of the references.
        answers: the scorer of completions.
    """

    def __init__(self, options: RewardOptions) -> None:
        self.gold = options.gold
        self.answers = Answers(**vars(options.as_options(AnswerOptions)))
        self.__name__ = f"{self.answers.metric.name}_reward"

    def __repr__(self) -> str:
        return f"<{self.__name__} by column {self.gold!r}: {self.answers!r}>"

    def __call__(self, completions: Sequence[Any], **columns: Any) -> list[float]:
        """Return a reward for each completion.

        Args:
            completions: texts, or conversations whose last message is the text.
            **columns: the other columns of the batch, with the references.

        Returns:
            The F1 of each completion's graph, in [0, 1]; NaN if the reference cannot be
            read, which TRL leaves out of the sum of rewards.

        Raises:
            InputError: if there is no column of references.
        """
        golds = columns.get(self.gold)
        if golds is None:
            column_names = ", ".join(sorted(columns)) or "none"
            raise InputError(
                f"the batch has no column {self.gold!r} with references (columns: "
                f"{column_names}); name it with gold="
            )
        return [self._reward(*pair) for pair in zip(completions, golds, strict=True)]

    def report(self) -> Report:
        """Return the corpus score of all completions so far, and their faults.

        A completion without a graph counts as an empty graph, a broken one as its
        repaired graph.
        """
        return self.answers.report()

    def reset(self) -> None:
        """Discard all completions; the next report covers only later ones."""
        self.answers.reset()

    def _reward(self, completion: Any, gold: Any) -> float:
        try:
            text: Any = text_of(completion)
        except (LookupError, TypeError):  # then it is scored as an object
            text = completion
        try:
            return self.answers.add(text, gold)
        except ExactmatchError as error:
            warn_caller(f"a reference cannot be read and gives no reward: {error}")
            return math.nan


def reward_of(options: RewardOptions) -> SmatchReward:
    """Make a reward function for TRL: the exact F1 of each completion's graph.

    The function returns a number for every text.  Thoughts, prose and fences around a
    well-formed graph cost nothing.  A graph that is not well-formed is repaired where
    possible (such as brackets closed), and its reward is the F1 of the repaired graph
    times *broken*.  So a graph that lacks a bracket is worth more than no graph, and
    less than the complete one.  If a pair is not proven in time, the F1 of the best
    known alignment counts.

    Raises:
        InputError: if an option is wrong.

    Example:
        >>> from exactmatch.adapters.trl import smatch_reward
        >>> reward = smatch_reward(gold="amr")
        >>> amr = "(b / bark-01 :ARG0 (d / dog))"
        >>> completions = [amr, f"Here it is: {amr}", "(b / bark-01 :ARG0 (d / dog"]
        >>> reward(completions=completions, amr=[amr] * 3)
        [1.0, 1.0, 0.5]
        >>> reward.report().predictions.faults["unclosed bracket"]
        1
    """
    return SmatchReward(options)


smatch_reward = function("smatch_reward", RewardOptions, reward_of)

__getattr__ = hinted(__name__, "smatch_reward(gold='COLUMN')")
