"""The score of one pair from Python, under any metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from exactmatch.base.errors import warn_caller
from exactmatch.base.options import function
from exactmatch.base.records import replace
from exactmatch.metrics.score import Score
from exactmatch.scoring.reading import missed_names, read_checked, read_item
from exactmatch.solvers.solution import Limits
from exactmatch.studies.score.options import PairOptions
from exactmatch.studies.score.smatch import with_alignment

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric


class _ScoreOfPair(Protocol):
    """The function, for type checkers, which cannot know the options of metrics."""

    def __call__(
        self, pred: Any, gold: Any, metric: str | Metric, **options: Any
    ) -> Score: ...


def pair_score(asked: PairOptions) -> Score:
    """Score one pair under any metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option is wrong.

    >>> import exactmatch
    >>> pair = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> exactmatch.score(*pair, metric="sembleu").score
    0.5
    """
    metric = asked.one_metric("a score")
    limits = Limits(asked.time_limit, seed=asked.seed)
    if metric.reads == "document":
        return _of_documents(metric, asked, limits)
    left, right = read_item(metric, asked.pred), read_item(metric, asked.gold)
    for remark in missed_names(metric, (left, right)):
        warn_caller(remark)
    pair = metric.measure(left, right, limits=limits)
    return with_alignment(metric.scores(pair.statistics), pair, metric)


def _of_documents(metric: Metric, asked: PairOptions, limits: Limits) -> Score:
    """Score two JSON documents, with remarks: a document may lack any field."""
    sides = ("null" if one is None else one for one in (asked.pred, asked.gold))
    read = [read_checked(metric, one) for one in sides]
    items = [one.item for one in read]
    if metric.learns and not metric.fitted:
        metric = metric.copy().fit([metric.prepare(items[1])])
    pair = metric.measure(*items, limits=limits)
    score = with_alignment(metric.scores(pair.statistics), pair, metric)
    remarks = [remark for one in read for remark in one.remarks()]
    remarks += missed_names(metric, items)
    return replace(score, remarks=tuple(remarks)) if remarks else score


score = cast("_ScoreOfPair", function("score", PairOptions, pair_score))
