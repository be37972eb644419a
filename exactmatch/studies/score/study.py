"""Scores from Python: of a corpus, and of one pair."""

from __future__ import annotations

from exactmatch.base.options import function
from exactmatch.metrics.score import Score
from exactmatch.scoring.reading import read_item
from exactmatch.scoring.report import Report
from exactmatch.solvers.solution import Limits
from exactmatch.studies.pairs import opened
from exactmatch.studies.score.one_pair import with_alignment
from exactmatch.studies.score.options import PairOptions, ScoreOptions


def report(asked: ScoreOptions) -> Report:
    """Score predictions against references, pair by pair and as a corpus.

    Returns:
        The corpus scores, and each pair's result.

    Raises:
        GraphError: if a graph cannot be read; the message names the pair's number.
        InputError: if the numbers of graphs differ, one is missing (``None``, NaN) or
            an option is wrong.

    >>> import exactmatch
    >>> preds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> golds = ["(b / bark-01)", "(r / rain-01)"]
    >>> report = exactmatch.evaluate(preds, golds)
    >>> report["smatch"].score.f1
    0.8
    >>> [pair.score.f1 for pair in report.pairs]
    [0.6666666666666666, 1.0]
    """
    run = opened(
        asked.preds,
        asked.golds,
        asked,
        asked.metrics(),
        intervals=None if asked.confidence is None else asked.bootstrap(),
        keep_pairs=asked.keep_pairs,
        keep_graphs=asked.keep_pairs,
        cache=asked.cache,
    )
    return run.finish()


evaluate = function("evaluate", ScoreOptions, report)


def pair_score(asked: PairOptions) -> Score:
    """The score of one pair under any metric.

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
    return with_alignment(metric.scores(pair.statistics), pair)


score = function("score", PairOptions, pair_score)
