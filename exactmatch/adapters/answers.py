"""Answers of models, scored one by one with feedback: what the adapters share.

Whatever a model writes, there is a score.  An answer is read as the metric reads it;
one in JSON may stand in a fence, and one that is no well-formed graph is repaired as
far as it goes and worth a part of its score.
"""

from __future__ import annotations

import json
import re
import threading
from typing import Any, NamedTuple

from exactmatch.adapters.trl import Extract, text_of
from exactmatch.base.errors import InputError
from exactmatch.base.options import documented, option, takes
from exactmatch.formats.faults import repaired
from exactmatch.formats.pairs import OnError
from exactmatch.many.scorer import PreparedGraph, Scorer, ScorerOptions
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.score import Score
from exactmatch.studies.feedback.study import feedback
from exactmatch.studies.score.alignment import with_alignment

_FENCE = re.compile(r"```[\w-]*\n(.*?)(?:```|\Z)", re.DOTALL)
_KEPT = 4096
"""So many references stay prepared."""


class AnswerOptions(ScorerOptions):
    """How answers of models are scored."""

    time_limit: float | None = option(default=1.0)
    broken: float = option(
        "what the F1 of an answer that was repaired is multiplied by, from 0 to 1",
        default=0.5,
    )
    worst: float = option("the score of an answer without a graph", default=0.0)
    extract: Extract | None = option(
        "takes the graph's text out of an answer's, such as what follows a tag",
        default=None,
    )
    most: int = option("how many edits the feedback names", default=10)
    on_error: OnError = option(default="empty")


class Judged(NamedTuple):
    """An answer that was scored.

    Attributes:
        score: a number for a trainer or a leaderboard.
        feedback: what to change, in words.
        well_formed: whether the answer was a graph as it stands.
        found: the score with its alignment; ``None`` where there was no graph.
        statistics: what is summed for a corpus.
    """

    score: float
    feedback: str
    well_formed: bool
    found: Score | None
    statistics: Statistics


class Answers:
    """Scores answers against their references.

    Raises:
        InputError: if an option is wrong.

    Example:
        >>> from exactmatch.adapters.answers import Answers
        >>> answers = Answers("graph", count="edges")
        >>> judged = answers.judge('[["Bean", "born in", "Texas"]]',
        ...     [["Bean", "born in", "Ohio"]])
        >>> judged.score, judged.well_formed
        (0.0, True)
    """

    @takes(AnswerOptions)
    def __init__(self, asked: AnswerOptions) -> None:
        if not 0 <= asked.broken <= 1:
            raise InputError(f"broken is {asked.broken!r}; it is a number from 0 to 1")
        self.asked = asked
        self.scorer = Scorer(**vars(asked.as_options(ScorerOptions)))
        self.metric = self.scorer.metric
        self._golds: dict[str, PreparedGraph] = {}
        self._lock = threading.Lock()

    def judge(self, answer: Any, gold: Any, words: bool = True) -> Judged:
        """Score an answer.

        Args:
            answer: a text, a conversation whose last message is the text, or a graph.
            gold: the reference, a text or whatever stands for a graph.
            words: whether feedback is wanted.

        Raises:
            GraphError: if the reference cannot be read.
        """
        reference = self._reference(gold)
        graph = self._graph(self._taken(answer))
        (side,) = self.scorer.prepare([graph])
        if side.error is None and not side.faults:
            return self._judged(side, reference, 1.0, words)
        is_text = isinstance(graph, str) and self.metric.reads == "graph"
        saved = repaired(graph) if is_text else None
        if saved is not None:
            (side,) = self.scorer.prepare([saved])
        if side.error is not None:
            return self._nothing(reference, str(side.error))
        return self._judged(side, reference, self.asked.broken, words)

    def _taken(self, answer: Any) -> Any:
        """The text of an answer, or the graph that it is."""
        if not (isinstance(answer, str) or _is_conversation(answer)):
            return answer
        text = text_of(answer)
        return text if self.asked.extract is None else self.asked.extract(text)

    def report(self, sums: Statistics) -> Score:
        """The score of summed statistics."""
        return self.metric.scores(sums)

    def _graph(self, given: Any) -> Any:
        """The graph of an answer: itself, or what JSON says, fenced or not."""
        if not isinstance(given, str) or self.metric.name != "graph":
            return given
        for text in (given, *_FENCE.findall(given)):
            try:
                found = json.loads(text)
            except ValueError:
                continue
            if isinstance(found, dict | list):
                return found
        return given

    def _reference(self, gold: Any) -> PreparedGraph:
        key = gold if isinstance(gold, str) else repr(gold)
        with self._lock:
            if key not in self._golds:
                while len(self._golds) >= _KEPT:
                    self._golds.pop(next(iter(self._golds)))
                (found,) = self.scorer.prepare([self._graph(gold)])
                if found.error is not None:
                    raise found.error
                self._golds[key] = found
            return self._golds[key]

    def _judged(
        self, side: PreparedGraph, gold: PreparedGraph, factor: float, words: bool
    ) -> Judged:
        metric, limits = self.metric, self.scorer.settings.limits
        pair = metric.compare(side.prepared, gold.prepared, limits=limits)
        found = with_alignment(metric.scores(pair.statistics), pair, metric)
        told = ""
        if words:
            told = repr(found)
            if isinstance(metric, AligningMetric):
                told = feedback(found).words(self.asked.most)
            if factor < 1:
                told = f"the answer is no well-formed graph and was repaired\n{told}"
        score = factor * found.score
        return Judged(score, told, factor == 1, found, pair.statistics)

    def _nothing(self, gold: PreparedGraph, error: str) -> Judged:
        metric = self.metric
        empty = metric.prepare(metric.empty)
        pair = metric.compare(empty, gold.prepared, limits=self.scorer.settings.limits)
        told = f"the answer holds no graph that can be read: {error}"
        return Judged(self.asked.worst, told, False, None, pair.statistics)


Answers.__doc__ = documented(Answers.__doc__ or "", AnswerOptions)


def _is_conversation(given: Any) -> bool:
    message = given[-1] if isinstance(given, list) and given else given
    return isinstance(message, dict) and "content" in message
