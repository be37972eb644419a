"""Score of one pair from Python, under any metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from exactmatch.base.errors import warn_caller
from exactmatch.base.options import function
from exactmatch.base.records import replace
from exactmatch.metrics.score import Score
from exactmatch.scoring.reading import (
    missed_names,
    read_checked,
    read_item,
    refuse_whole_files,
)
from exactmatch.solvers.solution import Limits
from exactmatch.studies.score.options import PairOptions
from exactmatch.studies.score.smatch import with_alignment

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric


class _ScoreOfPair(Protocol):
    """Type of the function: type checkers cannot know the options of metrics."""

    def __call__(
        self, pred: Any, gold: Any, metric: str | Metric | None = None, **options: Any
    ) -> Score: ...


def pair_score(options: PairOptions) -> Score:
    """Score one pair under any metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option is wrong.

    >>> import exactmatch
    >>> pair = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> exactmatch.score(*pair, metric="sembleu").score
    0.5
    """
    sides = options.pred, options.gold
    named = options.metric
    refuse_whole_files("exactmatch.evaluate", *sides, named, ".to_frame()")
    metric = options.one_metric("a score")
    limits = Limits(options.time_limit, seed=options.seed)
    if metric.reads == "document":
        return _of_documents(metric, options, limits)
    left, right = read_item(metric, options.pred), read_item(metric, options.gold)
    for remark in missed_names(metric, (left, right)):
        warn_caller(remark)
    pair = metric.measure(left, right, limits=limits)
    return with_alignment(metric.scores(pair.statistics), pair, metric)


def _of_documents(metric: Metric, options: PairOptions, limits: Limits) -> Score:
    """Score two JSON documents, with remarks: a document may lack any field."""
    sides = ("null" if side is None else side for side in (options.pred, options.gold))
    read = [read_checked(metric, side) for side in sides]
    items = [document.item for document in read]
    if metric.learns and not metric.fitted:
        metric = metric.copy().fit([metric.prepare(items[1])])
    pair = metric.measure(*items, limits=limits)
    score = with_alignment(metric.scores(pair.statistics), pair, metric)
    remarks = [remark for document in read for remark in document.remarks()]
    remarks += missed_names(metric, items)
    return replace(score, remarks=tuple(remarks)) if remarks else score


score = cast("_ScoreOfPair", function("score", PairOptions, pair_score))
smatch_with_options = cast("Any", function("smatch", PairOptions, pair_score))
"""Function ``score`` in the name of ``smatch``, which hands its options on."""
