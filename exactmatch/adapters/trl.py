"""A reward for trainers of TRL: the exact F1 of the graphs that a model writes.

A reward function of TRL is called with keyword arguments: ``prompts``, ``completions``
and every other column of the data set, a list each, and returns a number for each
completion.  Completions are texts, or conversations of messages with ``content``.

Source: TRL, "GRPO Trainer", section "Using a custom reward function"
(https://huggingface.co/docs/trl/grpo_trainer).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from exactmatch.base.errors import ExactmatchError, ExactmatchWarning, InputError
from exactmatch.base.options import function, option, optional
from exactmatch.formats.faults import faults_of, repaired
from exactmatch.formats.pairs import OnError
from exactmatch.many.scorer import Scorer, ScorerOptions
from exactmatch.scoring.pair import PreparedGraph
from exactmatch.scoring.report import Report
from exactmatch.scoring.sources import is_missing

T = TypeVar("T")
Extract: TypeAlias = Callable[[str], str]
_KEPT = 4096  # so many references stay prepared


class SmatchReward:
    """A reward function; made by :func:`smatch_reward`.

    Attributes:
        gold: the column of the references.
        broken: what the F1 of a broken completion is multiplied by.
        worst: the reward of a completion in which there is no graph.
    """

    def __init__(self, asked: RewardOptions) -> None:
        self.gold, self.broken, self.worst = asked.gold, asked.broken, asked.worst
        self._extract = asked.extract
        self._scorer = Scorer(**vars(asked.as_options(ScorerOptions)))
        self.__name__ = f"{self._scorer.metric.name}_reward"
        self._golds: dict[str, PreparedGraph | None] = {}

    def __call__(self, completions: Sequence[Any], **columns: Any) -> list[float]:
        """A reward for each completion.

        Args:
            completions: texts, or conversations whose last message is the text.
            **columns: the other columns of the batch, with the references.

        Returns:
            The F1 of each completion's graph, in [0, 1]; NaN where the reference cannot
            be read, which TRL leaves out of the sum of rewards.

        Raises:
            InputError: if the column of the references is not there.
        """
        golds = columns.get(self.gold)
        if golds is None:
            known = ", ".join(sorted(columns)) or "none"
            raise InputError(
                f"the batch has no column {self.gold!r} with references (columns: "
                f"{known}); name it with gold="
            )
        return [self._reward(*pair) for pair in zip(completions, golds, strict=True)]

    def report(self) -> Report:
        """The corpus score of all completions so far, and what was wrong with them.

        A completion that cannot be read counts as an empty graph.
        """
        return self._scorer.compute()

    def reset(self) -> None:
        """Forget all completions; the next report covers only what follows."""
        self._scorer.reset()

    def _reward(self, completion: Any, gold: Any) -> float:
        reference = self._reference(gold)
        if reference is None:
            return math.nan
        try:
            text = text_of(completion)
            if self._extract is not None:
                text = self._extract(text)
            result = self._scorer.add(text, reference)
            broken = result is None or result.problem or faults_of(text)
            if result is not None and not broken:
                return result.score.score
            saved = repaired(text)
            if saved is None:
                return self.worst
            return self.broken * self._scorer.score(saved, reference).score
        except Exception as error:  # whatever a model writes, its training goes on
            self._tell(f"a completion has the lowest reward: {error}")
            return self.worst

    def _reference(self, gold: Any) -> PreparedGraph | None:
        """A reference, prepared once; ``None`` if it cannot be read."""
        given: Any = None if is_missing(gold) else gold

        def prepared() -> PreparedGraph | None:
            try:
                (found,) = self._scorer.prepare([given])
                if found.error is not None:
                    raise found.error
            except ExactmatchError as error:
                self._tell(f"a reference cannot be read and gives no reward: {error}")
                return None
            return found

        return kept(self._golds, str(gold), prepared)

    def _tell(self, text: str) -> None:
        warnings.warn(text, ExactmatchWarning, stacklevel=4)


def kept(golds: dict[str, T], text: str, prepare: Callable[[], T]) -> T:
    """A reference, prepared once as long as it is among the last that were new."""
    if text not in golds:
        while len(golds) >= _KEPT:
            golds.pop(next(iter(golds)))
        golds[text] = prepare()
    return golds[text]


class GradedOptions(ScorerOptions):
    """How answers of models are graded, well-formed or not."""

    time_limit: float | None = option(default=1.0)
    broken: float = option(
        "what the F1 of a broken answer is multiplied by, from 0 to 1", default=0.5
    )
    worst: float = option("the score of an answer without a graph", default=0.0)
    extract: Extract | None = optional(
        "takes the graph's text out of an answer's, such as what stands between two "
        "tags; default: the whole text"
    )
    on_error: OnError = option(default="empty")

    def check_broken(self) -> None:
        """Refuse what would make a broken answer worth more, or less than nothing."""
        if not 0 <= self.broken <= 1:
            raise InputError(f"broken is {self.broken!r}; it is a number from 0 to 1")


class RewardOptions(GradedOptions):
    """How completions are rewarded."""

    gold: str = option(
        "the column of the data set that holds the references", default="gold"
    )


def reward(asked: RewardOptions) -> SmatchReward:
    """Make a reward function for TRL: the exact F1 of each completion's graph.

    Whatever a model writes, the function returns a number.  A completion that is not
    one well-formed graph is repaired as far as it goes (brackets closed, the text
    around it dropped); its reward is the F1 of that, times *broken*.  So a graph that
    lacks a bracket is worth more than no graph, and less than the same one with it.
    Of a pair that is not proven in time, the F1 of the best alignment found counts.

    Raises:
        InputError: if an option is wrong.

    Example:
        >>> from exactmatch.adapters.trl import smatch_reward
        >>> reward = smatch_reward(gold="amr")
        >>> amr = "(b / bark-01 :ARG0 (d / dog))"
        >>> reward(completions=[amr, "(b / bark-01 :ARG0 (d / dog"], amr=[amr, amr])
        [1.0, 0.5]
        >>> reward.report().predictions.faults
        {'unclosed bracket': 1}
    """
    asked.check_broken()
    broken, worst = asked.broken, asked.worst
    if not worst <= broken:
        raise InputError(f"worst is {worst!r}; it is at most broken, {broken!r}")
    return SmatchReward(asked)


smatch_reward = function("smatch_reward", RewardOptions, reward)


def text_of(completion: Any) -> str:
    """The text of a completion: itself, or the content of its last message."""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Mapping):
        completion = [completion]
    if not completion:
        return ""
    content = completion[-1]["content"]
    if isinstance(content, str):
        return content
    parts = [part for part in content or () if isinstance(part, Mapping)]
    return "".join(part.get("text", "") for part in parts)
