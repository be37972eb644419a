"""Scores of two graphs at every cutoff of the similarity of labels."""

from __future__ import annotations

from typing import Any

from exactmatch.base.deadline import within
from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.base.result_list import ResultList
from exactmatch.engine.problem import GraphProblem
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.score import Score
from exactmatch.scoring.reading import read_item, refuse_whole_files
from exactmatch.solvers.solution import Limits
from exactmatch.studies.thresholds import cutoffs
from exactmatch.studies.thresholds.cutoffs import Moves
from exactmatch.studies.thresholds.options import (
    MOVABLE,
    ThresholdOptions,
)
from exactmatch.studies.thresholds.study import Stretch, merged


def stretches(options: ThresholdOptions) -> list[Stretch]:
    """Compute the F1 of two graphs as a step function of the cutoff.

    The cutoffs of nodes and of edges move together, unless *moves* says otherwise.

    Returns:
        The steps of the cutoff from 0 to 1 with their scores, which fall.

    Raises:
        InputError: if a graph cannot be read, the metric has no cutoff, or a score is
            not proven in time.

    >>> import exactmatch
    >>> one, other = [("cat", "eats", "mouse")], [("cats", "eat", "mice")]
    >>> steps = exactmatch.thresholds(
    ...     one, other, metric="graph", node_similarity="lcs", edge_similarity="lcs"
    ... )
    >>> [(round(low, 3), round(high, 3), round(f1, 3)) for low, high, f1 in steps]
    [(0.0, 0.222, 0.646), (0.222, 0.857, 0.571), (0.857, 1.0, 0.0)]
    """
    files = options.pred, options.gold
    refuse_whole_files("exactmatch.studies.thresholds", *files, options.metric)
    metric = cutoffs.movable(options.one_metric("thresholds", MOVABLE))
    sides = (read_item(metric, graph) for graph in (options.pred, options.gold))
    problem = metric.build_problem(*map(metric.prepare, sides))
    limits = Limits(options.time_limit, seed=options.seed)
    return _proven(metric, problem, limits, options.moves)


thresholds = function("thresholds", ThresholdOptions, stretches)


def of_score(score: Score) -> list[Stretch]:
    """Return F1 as a step function of the cutoff, from the score of two graphs."""
    metric, problem = score.pair()
    return _proven(cutoffs.movable(metric), problem, Limits(), "both")


def _proven(
    metric: AligningMetric[Any], problem: GraphProblem, limits: Limits, moves: Moves
) -> list[Stretch]:
    with within(limits.seconds):
        steps = cutoffs.steps(cutoffs.moving(metric, problem, moves), limits)
    if not steps.proven:
        raise InputError(
            "the score at a cutoff is not proven in time; raise or drop time_limit"
        )
    return ResultList(merged([steps]))
