"""Scores of models' answers, one by one with feedback, for all adapters.

Every answer has a score.  The graph is extracted from thoughts, prose and fences; of
several the last one counts.  Text around a well-formed graph costs nothing.  The score
of a graph that had to be repaired is multiplied by *broken*, and an answer without a
graph has the score *worst*.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import exactmatch.formats.faults as faults
from exactmatch.base.errors import InputError, warn_caller
from exactmatch.base.options import documented, option, optional, takes
from exactmatch.formats.pairs import OnError
from exactmatch.formats.reading import REPAIRED
from exactmatch.many.scorer import Scorer, ScorerOptions
from exactmatch.metrics.base import Pair, Statistics
from exactmatch.metrics.score import Score
from exactmatch.scoring.report import Report
from exactmatch.scoring.sides import PreparedGraph
from exactmatch.scoring.sources import is_missing
from exactmatch.studies.feedback.study import feedback
from exactmatch.studies.score.smatch import with_alignment

Extract: TypeAlias = Callable[[str], str]

AROUND = faults.AROUND | {REPAIRED}
"""Faults around a graph that is itself well-formed."""

NO_GRAPH = frozenset((faults.EMPTY, faults.NO_GRAPH))
"""Faults of an answer without a graph."""

_CACHED = 4096  # references that stay prepared


class GradedOptions(ScorerOptions, purpose="measures"):
    """Options of the grades of well-formed and other answers."""

    time_limit: float | None = option(default=1.0, purpose="runs")
    broken: float = option(
        "what the F1 of a graph that had to be repaired is multiplied by, from 0 to 1",
        default=0.5,
    )
    worst: float = option("the score of an answer without a graph", default=0.0)
    extract: Extract | None = optional(
        "takes the graph's text out of an answer's, such as what stands between two "
        "tags; default: thoughts, fences and prose are left out",
        purpose="pairs",
    )
    on_error: OnError = option(default="empty", purpose="pairs")

    def check_worth(self) -> None:
        """Refuse values that would reward a worse answer more than a better one."""
        if not 0 <= self.broken <= 1:
            raise InputError(f"broken is {self.broken!r}; it is a number from 0 to 1")
        if not self.worst <= self.broken:
            raise InputError(
                f"worst is {self.worst!r}; it is at most broken, {self.broken!r}"
            )


class AnswerOptions(GradedOptions, purpose="shows"):
    """Options of the scores of models' answers."""

    most: int = option("how many edits the feedback names", default=10)


class Judged(NamedTuple):
    """Score of one answer.

    Attributes:
        score: a number for a trainer or a leaderboard.
        feedback: what to change, in words.
        well_formed: whether the graph of the answer needed no repair.
        metric_score: the metric's score, with its alignment; ``None`` without a graph.
        statistics: the counts that are summed for a corpus.
    """

    score: float
    feedback: str
    well_formed: bool
    metric_score: Score | None
    statistics: Statistics

    def _repr_html_(self) -> str:
        from exactmatch.base.markup import element, joined
        from exactmatch.base.numbers import fixed

        repaired = "" if self.well_formed else ", repaired"
        parts: list[str] = [
            element("p", element("b", f"reward {fixed(self.score, 4)}"), repaired)
        ]
        if self.metric_score is not None:
            parts.append(self.metric_score._repr_html_())
        lines = self.feedback.splitlines()
        parts.append(element("ul", *(element("li", line) for line in lines)))
        return joined(parts)


class Answers:
    """Scorer of answers against their references.

    Raises:
        InputError: if an option is wrong.

    Example:
        >>> from exactmatch.adapters.answers import Answers
        >>> answers = Answers("graph", count="edges")
        >>> answers
        <answers scored by graph, broken ones times 0.5, those without a graph 0.0>
        >>> judged = answers.judge('[["Bean", "born in", "Texas"]]',
        ...     [["Bean", "born in", "Ohio"]])
        >>> judged.score, judged.well_formed
        (0.0, True)
    """

    @takes(AnswerOptions)
    def __init__(self, options: AnswerOptions) -> None:
        options.check_worth()
        self.options = options
        self.scorer = Scorer(
            **vars(options.as_options(ScorerOptions)), extract="repair"
        )
        self.metric = self.scorer.metric
        self._references: dict[str, PreparedGraph] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        broken, worst = self.options.broken, self.options.worst
        return (
            f"<answers scored by {self.metric.name}, broken ones times {broken}, "
            f"those without a graph {worst}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {k: v for k, v in vars(self).items() if k != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def judge(self, answer: Any, gold: Any, words: bool = True) -> Judged:
        """Score an answer.

        Args:
            answer: a text, a conversation whose last message is the text, or a graph.
            gold: the reference, a text or another representation of a graph.
            words: whether to make feedback.

        Raises:
            GraphError: if the reference cannot be read.
        """
        reference = self._reference(gold)
        try:
            side = self._prepared(answer)
            without = _without_graph(side)
            pair = self._compare(None if without else side.prepared, reference)
        except Exception as error:  # no answer may stop a training
            without = self._problem(error)
            pair = self._compare(None, reference)
        if without:
            text = f"the answer holds no {self._noun} that can be read: {without}"
            return Judged(self.options.worst, text, False, None, pair.statistics)
        score = with_alignment(self.metric.scores(pair.statistics), pair, self.metric)
        is_whole = _is_whole(side)
        text = self.words_of(score, is_whole) if words else ""
        value = self._worth(score.score, is_whole)
        return Judged(value, text, is_whole, score, pair.statistics)

    def add(self, answer: Any, gold: Any) -> float:
        """Score an answer as :meth:`judge` does, and add it to the report.

        Raises:
            GraphError: if the reference cannot be read.
        """
        reference = self._reference(gold)
        try:
            side = self._prepared(answer)
            result = self.scorer.add(side, reference)
        except Exception as error:  # as above
            self._problem(error)
            return self.options.worst
        if result is None or _without_graph(side):
            return self.options.worst
        return self._worth(result.score.score, _is_whole(side))

    def report(self) -> Report:
        """Return the corpus score of the added answers, and their faults."""
        return self.scorer.compute()

    def reset(self) -> None:
        """Discard the added answers."""
        self.scorer.reset()

    def score_of(self, sums: Statistics) -> Score:
        """Return the score of summed statistics."""
        return self.metric.scores(sums)

    @property
    def _noun(self) -> str:
        return "document" if self.metric.reads == "document" else "graph"

    def _worth(self, score: float, is_whole: bool) -> float:
        return score if is_whole else self.options.broken * score

    def words_of(self, score: Score, is_whole: bool) -> str:
        """Return the feedback on an answer that was scored."""
        if score.compared is not None:
            text = feedback(score).words(self.options.most)
        else:
            text = repr(score)
        if not is_whole:
            text = (
                f"the answer is not a well-formed {self._noun} and was repaired\n{text}"
            )
        return text

    def _compare(self, prepared: Any, reference: PreparedGraph) -> Pair:
        """Compare a prediction, or an empty graph, with its reference."""
        if prepared is None:
            prepared = self.metric.prepare(self.metric.empty)
        limits = self.scorer.settings.limits
        return self.metric.compare(prepared, reference.prepared, limits=limits)

    def _prepared(self, answer: Any) -> PreparedGraph:
        """Read an answer and prepare its graph."""
        last = answer[-1] if isinstance(answer, list) and answer else answer
        is_message = isinstance(last, Mapping) and "content" in last
        if self.metric.reads == "document":  # whose lists may hold anything
            is_message = is_message and "role" in last
        if is_message:
            answer = text_of(answer)
        if isinstance(answer, str) and self.options.extract is not None:
            answer = self.options.extract(answer)
        (side,) = self.scorer.prepare([answer])
        return side

    def _problem(self, error: Exception) -> str:
        """Warn of an answer that could not be scored, or raise its error."""
        if self.scorer.settings.on_error == "raise":
            raise error
        warn_caller(f"an answer has the lowest score: {error}")
        return str(error) or type(error).__name__

    def _reference(self, gold: Any) -> PreparedGraph:
        """Prepare a reference; the last 4,096 different ones stay prepared."""
        key = gold if isinstance(gold, str) else repr(gold)
        with self._lock:
            if key not in self._references:
                reference = self._prepared_reference(gold)
                while len(self._references) >= _CACHED:
                    self._references.pop(next(iter(self._references)))
                self._references[key] = reference
            return self._references[key]

    def _prepared_reference(self, gold: Any) -> PreparedGraph:
        reference_value: Any = None if is_missing(gold) else gold
        (reference,) = self.scorer.prepare([reference_value])
        if reference.error is not None:
            raise reference.error
        if reference.faults:
            faults = ", ".join(reference.faults)
            raise InputError(
                f"the reference is not a well-formed {self._noun}: {faults}"
            )
        return reference


Answers.__doc__ = documented(Answers.__doc__ or "", AnswerOptions)


def text_of(completion: Any) -> str:
    """Return the text of a completion: itself, or the content of its last message."""
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


def _without_graph(side: PreparedGraph) -> str:
    """Return the reason why an answer has no graph; empty if it has one."""
    if side.error is not None:
        return str(side.error)
    return side.faults[-1] if NO_GRAPH & set(side.faults) else ""


def _is_whole(side: PreparedGraph) -> bool:
    """Return whether the graph of an answer is well-formed; other text is ignored."""
    return AROUND.issuperset(side.faults)
