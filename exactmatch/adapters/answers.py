"""Answers of models, scored one by one with feedback: what the adapters share.

Whatever a model writes, there is a score.  The graph is taken out of an answer: out of
thoughts, prose and fences, the last one of several.  One that is not well-formed is
repaired as far as it goes and worth a part of its score.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import exactmatch.formats.faults as faults
from exactmatch.adapters.trl import GradedOptions, kept, text_of
from exactmatch.base.errors import InputError
from exactmatch.base.options import documented, option, takes
from exactmatch.formats.reading import REPAIRED
from exactmatch.many.scorer import Scorer, ScorerOptions
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.score import Score
from exactmatch.scoring.pair import PreparedGraph
from exactmatch.studies.feedback.study import feedback
from exactmatch.studies.score.smatch import with_alignment

WHOLE = frozenset(
    (faults.FENCE, faults.TEXT_AROUND, faults.THOUGHTS, faults.SEVERAL, REPAIRED)
)
"""What may be around a graph that is itself well-formed."""

NONE = frozenset((faults.EMPTY, faults.NO_GRAPH))
"""What is wrong with an answer in which there is no graph."""


class AnswerOptions(GradedOptions):
    """How answers of models are scored."""

    most: int = option("how many edits the feedback names", default=10)


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
        asked.check_broken()
        self.asked = asked
        options = vars(asked.as_options(ScorerOptions))
        self.scorer = Scorer(**options, extract="repair")
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
        reference = self._reference(gold).prepared
        last = answer[-1] if isinstance(answer, list) and answer else answer
        if isinstance(answer, str) or (isinstance(last, dict) and "content" in last):
            answer = text_of(answer)
            if self.asked.extract is not None:
                answer = self.asked.extract(answer)
        (side,) = self.scorer.prepare([answer])
        metric, limits = self.metric, self.scorer.settings.limits
        if side.error is not None or NONE & set(side.faults):
            empty = metric.prepare(metric.empty)
            pair = metric.compare(empty, reference, limits=limits)
            why = side.error or side.faults[-1]
            told = f"the answer holds no graph that can be read: {why}"
            return Judged(self.asked.worst, told, False, None, pair.statistics)
        pair = metric.compare(side.prepared, reference, limits=limits)
        found = with_alignment(metric.scores(pair.statistics), pair, metric)
        factor = 1.0 if WHOLE.issuperset(side.faults) else self.asked.broken
        told = ""
        if words:
            is_aligned = isinstance(metric, AligningMetric)
            told = feedback(found).words(self.asked.most) if is_aligned else repr(found)
            if factor < 1:
                told = f"the answer is no well-formed graph and was repaired\n{told}"
        return Judged(factor * found.score, told, factor == 1, found, pair.statistics)

    def report(self, sums: Statistics) -> Score:
        """The score of summed statistics."""
        return self.metric.scores(sums)

    def _reference(self, gold: Any) -> PreparedGraph:
        def prepared() -> PreparedGraph:
            (found,) = self.scorer.prepare([gold])
            if found.error is not None:
                raise found.error
            if found.faults:
                what = ", ".join(found.faults)
                raise InputError(f"the reference is no well-formed graph: {what}")
            return found

        with self._lock:
            key = gold if isinstance(gold, str) else repr(gold)
            return kept(self._golds, key, prepared)


Answers.__doc__ = documented(Answers.__doc__ or "", AnswerOptions)
