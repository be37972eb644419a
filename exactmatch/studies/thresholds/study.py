"""The score of labelled graphs for every cutoff of similarity, exactly.

Metrics that grade labels hang on a cutoff, and nobody says how much.
:mod:`exactmatch.studies.thresholds.cutoffs` finds what two graphs match at every one;
here the pairs of files are added up, and systems compared.
"""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.engine.problem import StatedProblem
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.metrics.base import Metric
from exactmatch.metrics.score import Score
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reading import read_item
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.solvers.solution import Limits
from exactmatch.studies.pairs import scored
from exactmatch.studies.thresholds.cutoffs import Moves, Steps, moving, steps
from exactmatch.studies.thresholds.options import FileThresholdOptions, ThresholdOptions
from exactmatch.studies.thresholds.results import (
    Shares,
    Stretch,
    SystemShares,
    SystemThresholds,
    Thresholds,
    merged,
)
from exactmatch.studies.thresholds.shares import Envelope, envelope, summed


def stretches(asked: ThresholdOptions) -> list[Stretch]:
    """Compute the F1 of two graphs as a step function of the cutoff.

    The cutoffs of nodes and of edges move together, unless *moves* says otherwise.

    Returns:
        The steps of the cutoff from 0 to 1 with their scores, which fall.

    Raises:
        InputError: if a graph cannot be read, the metric has no cutoff, or a score is
            not proven in time.

    >>> import exactmatch
    >>> one, other = [("cat", "eats", "mouse")], [("cats", "eat", "mice")]
    >>> found = exactmatch.thresholds(
    ...     one, other, node_similarity="lcs", edge_similarity="lcs"
    ... )
    >>> [(round(low, 3), round(high, 3), round(f1, 3)) for low, high, f1 in found]
    [(0.0, 0.222, 0.646), (0.222, 0.857, 0.571), (0.857, 1.0, 0.0)]
    """
    metric = aligning(_movable(asked.one_metric("thresholds")))
    left, right = (
        metric.prepare(read_item(metric, graph)) for graph in (asked.pred, asked.gold)
    )
    limits = Limits(asked.time_limit, seed=asked.seed)
    return _proven(metric, metric.state(left, right), limits, asked.moves)


thresholds = function("thresholds", ThresholdOptions, stretches)


def of_score(score: Score) -> list[Stretch]:
    """The F1 of two graphs as a step function of the cutoff, from their score.

    Raises:
        InputError: if it is not the score of two graphs, or its metric has no cutoff.
    """
    metric, stated = score.pair()
    return _proven(aligning(_movable(metric)), stated, Limits(), "both")


def _movable(metric: Metric) -> Metric:
    if metric.name not in ("graph", "s2match"):
        raise InputError(
            f"metric {metric.name!r} has no cutoff to be moved; name graph or s2match"
        )
    return metric


def _proven(
    metric: AligningMetric[object], stated: StatedProblem, limits: Limits, moves: Moves
) -> list[Stretch]:
    found = steps(moving(metric, stated, moves), limits)
    if not found.proven:
        raise InputError(
            "the score at a cutoff is not proven in time; give more time_limit, or none"
        )
    return list(merged([found]))


def study(
    asked: FileThresholdOptions, reporter: Listener = SILENCE
) -> Thresholds | Shares:
    """Score systems at every cutoff of similarity.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric has no cutoff, or an option is wrong.

    >>> from exactmatch.studies import thresholds_of_systems
    >>> found = thresholds_of_systems([[("cats", "eat", "mice")]],
    ...     [[("cat", "eats", "mouse")]], node_similarity="lcs", edge_similarity="lcs")
    >>> [round(stretch.f1, 4) for stretch in found.systems[0].stretches]
    [0.6455, 0.5714, 0.0]
    """
    metric = aligning(_movable(asked.one_metric("thresholds")))
    if asked.moves == "share" and asked.macro:
        raise InputError("a mean of pairs has no pieces; leave out --macro")
    settings = asked.settings()
    find: Any = partial(_of_pair, metric, settings.limits, asked.moves)
    shares: list[SystemShares] = []
    thresholds: list[SystemThresholds] = []
    signature = ""
    for name, preds in asked.systems().items():
        report = scored(
            preds, asked.golds, asked, [metric], reporter, keep_problems=True
        )
        signature = f"{report.scores[0].signature}|moves:{asked.moves}"
        results = report.by_metric()[metric.name].values()
        tasks = (result.stated_problem for result in results)
        answers = map_in_order(find, tasks, settings.jobs, settings.executor)
        what, found = f"moving the cutoff of {name}", []
        with reporter.progress(what, len(results)) as advance, closing(answers):
            for answer in answers:
                found.append(answer)
                advance()
        unproven = sum(not one.proven for one in found)
        own = name, len(found), unproven, sum(one.solved for one in found)
        if asked.moves == "share":
            shares.append(SystemShares(*own, summed(found)))
        else:
            thresholds.append(SystemThresholds(*own, merged(found, asked.macro)))
    if asked.moves == "share":
        return Shares(tuple(shares), signature)
    counts_equal = metric.name == "graph"
    return Thresholds(tuple(thresholds), counts_equal, asked.macro, signature)


thresholds_of_systems = function("thresholds_of_systems", FileThresholdOptions, study)


def _of_pair(
    metric: AligningMetric[object], limits: Limits, moves: Moves, stated: StatedProblem
) -> Steps | Envelope:
    if moves == "share":
        return envelope(metric, stated, limits)
    return steps(moving(metric, stated, moves), limits)
