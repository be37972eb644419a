"""The score of two labelled graphs for every cutoff of similarity, exactly.

Metrics that grade labels hang on a cutoff, and nobody says how much.  What two graphs
match can only fall as the cutoff rises, and it changes at most at the similarities that
occur.  So if it is the same at two of them, it is the same between them, and the few
steps there are found by halving, not by a grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.options import function, option
from exactmatch.metrics.base import Metric
from exactmatch.metrics.labelled.graded_problem import node_similarities
from exactmatch.metrics.labelled.graph_metric import LabelledMatch
from exactmatch.metrics.labelled.label_similarity import similarities
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.scoring.reading import read_item
from exactmatch.solvers.solution import Limits
from exactmatch.studies.align.options import OneAlignment

_DIGITS = 12
"""Scores that are equal so far are one: sums of grades are rounded at the 16th."""


class Stretch(NamedTuple):
    """Cutoffs that give one score.

    Attributes:
        low, high: the score is that of every cutoff above *low* and up to *high*; the
            first stretch holds 0, too.
        f1: the score, proven.
    """

    low: float
    high: float
    f1: float


class ThresholdOptions(OneAlignment):
    """Two graphs, and the metric whose cutoff is moved."""

    metric: str | Metric = option(
        "the graph metric, by name or made by :func:`make_metric`; its own cutoffs "
        "have no effect",
        default="graph",
    )


def stretches(asked: ThresholdOptions) -> list[Stretch]:
    """The F1 of two labelled graphs as a step function of the cutoff.

    The cutoff is that of nodes and that of edges.

    Returns:
        The stretches of cutoffs from 0 to 1 with their scores, which fall.

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
    metric = asked.one_metric("thresholds")
    if not isinstance(metric, LabelledMatch):
        raise InputError(
            f"metric {metric.name!r} has no cutoff to be moved; name the metric 'graph'"
        )
    left, right = (
        metric.prepare(read_item(metric, graph)) for graph in (asked.pred, asked.gold)
    )
    limits = Limits(asked.time_limit, seed=asked.seed)
    values = [0.0, *sorted(_values(metric, left.labelled, right.labelled) | {1.0})]

    def score(number: int) -> float:
        rules = replace(
            metric.rules, node_cutoff=values[number], edge_cutoff=values[number]
        )
        pair = metric.with_rules(rules).compare(left, right, limits=limits)
        found = metric.f_scores(pair.statistics)
        if not found.proven:
            raise InputError(
                f"the score at the cutoff {values[number]:g} is not proven in time; "
                "give more time_limit, or none"
            )
        return round(found.f1, _DIGITS)

    found: list[Stretch] = []
    for number, f1 in _steps(score, 1, len(values) - 1):
        if found and found[-1].f1 == f1:
            found[-1] = found[-1]._replace(high=values[number])
        else:
            found.append(Stretch(found[-1].high if found else 0.0, values[number], f1))
    return found


thresholds = function("thresholds", ThresholdOptions, stretches)


def _steps(
    score: Callable[[int], float], first: int, last: int
) -> Iterator[tuple[int, float]]:
    """Yield the last number of each run of equal scores, and the score.

    Args:
        score: the score of each number, which falls or stays the same.
        first, last: the numbers.
    """
    known = {number: score(number) for number in {first, last}}
    while first <= last:
        low, high = first, last  # the score of low is that of first
        while low < high:
            middle = (low + high + 1) // 2
            if middle not in known:
                known[middle] = score(middle)
            if known[middle] == known[first]:
                low = middle
            else:
                high = middle - 1
        yield low, known[first]
        first = low + 1
        if first <= last and first not in known:
            known[first] = score(first)


def _values(
    metric: LabelledMatch, left: LabelledGraph, right: LabelledGraph
) -> set[float]:
    """Return all similarities above 0 that occur."""
    open_rules = replace(metric.rules, node_cutoff=0.0, edge_cutoff=0.0)
    tables = [node_similarities(left, right, open_rules)]
    labels = [[label for *_, label in graph.edges] for graph in (left, right)]
    tables.append(similarities(labels[0], labels[1], open_rules.edges, 0.0))
    values = [[v for known in g.attributes for _, v in known] for g in (left, right)]
    tables.append(similarities(values[0], values[1], open_rules.nodes, 0.0))
    found = np.concatenate([table.ravel() for table in tables])
    return set(found[found > 0].tolist())
