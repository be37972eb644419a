"""The score of one pair from Python, under any metric."""

from __future__ import annotations

from exactmatch.base.options import function
from exactmatch.metrics.score import Score
from exactmatch.scoring.reading import read_item
from exactmatch.solvers.solution import Limits
from exactmatch.studies.score.options import PairOptions
from exactmatch.studies.score.smatch import with_alignment


def pair_score(asked: PairOptions) -> Score:
    """Score one pair under any metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option is wrong.

    >>> import exactmatch
    >>> pair = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> exactmatch.score("sembleu", *pair).score
    0.5
    """
    metric = asked.one_metric("a score")
    left, right = read_item(metric, asked.pred), read_item(metric, asked.gold)
    limits = Limits(asked.time_limit, seed=asked.seed)
    pair = metric.measure(left, right, limits=limits)
    return with_alignment(metric.scores(pair.statistics), pair, metric)


score = function("score", PairOptions, pair_score)
