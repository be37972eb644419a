"""Scores from Python: graphs in, frozen results out.

A graph may be given as PENMAN text, as a list of triples, as a penman or a
networkx graph, or as a :class:`~exactmatch.graphs.graph.Graph`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from exactmatch.alignment.explain import Explanation, explain
from exactmatch.errors import InputError
from exactmatch.graphs.profile import Profile, get_profile
from exactmatch.metrics import metric_class
from exactmatch.metrics.base import Metric, Pair, Score
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.evaluation import Evaluation, evaluate_items
from exactmatch.scoring.results import PairResult, Report
from exactmatch.solvers.base import Solver
from exactmatch.solvers.solution import Limits


def smatch(
    pred: Any,
    gold: Any,
    *,
    profile: Profile | str = "smatch",
    solver: Solver | str = "auto",
    time_limit: float | None = None,
) -> Score:
    """The exact Smatch score of two graphs.

    Args:
        pred: the predicted graph.
        gold: the reference.
        profile: which triples count.
        solver: who aligns the variables; every exact one gives the same score.
        time_limit: in seconds; a score not proven in time carries its bound.

    Returns:
        Precision, recall, F1, the bound and the alignment.

    Raises:
        GraphError: if a graph cannot be read.
    """
    metric = _smatch(profile, solver)
    return _score(metric, _compared(metric, pred, gold, Limits(time_limit)))


def score(
    metric: str | Metric,
    pred: Any,
    gold: Any,
    *,
    time_limit: float | None = None,
    seed: int = 0,
    **options: Any,
) -> Score:
    """The score of one pair under any metric.

    Args:
        metric: the metric, by name or made by :func:`make_metric`.
        pred: the predicted graph or sentence.
        gold: the reference.
        time_limit: in seconds, for a metric that searches.
        seed: seed of every random draw.
        **options: as :func:`make_metric` takes them.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option is wrong.
    """
    made = _made(metric, options)
    if len(made) != 1:
        raise InputError(
            f"a score is of one metric, not {len(made)}; evaluate takes several"
        )
    pair = _compared(made[0], pred, gold, Limits(time_limit, seed=seed))
    return _score(made[0], pair)


@lru_cache(32)
def _smatch(profile: Profile | str, solver: Solver | str) -> Smatch:
    """Smatch, made once: a metric is only read."""
    return Smatch(get_profile(profile) if isinstance(profile, str) else profile, solver)


def _compared(metric: Metric, pred: Any, gold: Any, limits: Limits) -> Pair:
    """Read and measure one pair."""
    return metric.measure(metric.read(pred).item, metric.read(gold).item, limits=limits)


def _score(metric: Metric, pair: Pair) -> Score:
    """The score of a single pair, with its alignment where it has one."""
    found = metric.scores(pair.statistics)
    if pair.solution is None or pair.stated is None:
        return found
    left, right = pair.stated.left.graph, pair.stated.right.graph
    aligned = tuple(
        (left.variables[i], right.variables[j])
        for i, j in enumerate(pair.solution.alignment)
        if j != -1
    )
    return replace(found, alignment=aligned, solution=pair.solution)


def evaluate(
    preds: Iterable[Any],
    golds: Iterable[Any],
    metric: str | Metric | Iterable[str | Metric] = "smatch",
    *,
    profile: Profile | str | None = None,
    solver: Solver | str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    keep_pairs: bool = True,
    confidence: float | None = None,
    samples: int = 1000,
    **options: Any,
) -> Report:
    """Score predictions against references, pair by pair and as a corpus.

    Args:
        preds: predicted graphs, or sentences for a metric on text.
        golds: their references, in the same order.
        metric: a metric or several, by name or made by :func:`make_metric`.
        profile: which triples count; default: each metric's own.
        solver: who aligns the variables, for metrics that search.
        time_limit: in seconds for each pair.
        seed: of everything random.
        keep_pairs: whether the report holds each pair's result.
        confidence: level of bootstrap intervals, such as 0.95; default: none.
        samples: how many corpora are resampled for them.
        **options: options of the metric.

    Returns:
        The corpus scores, and each pair's result.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the numbers of graphs differ or an option is wrong.
    """
    metrics = _made(metric, options | {"profile": profile, "solver": solver})
    bootstrap = None
    if confidence is not None:
        from exactmatch.scoring.resampling import Bootstrap

        bootstrap = Bootstrap(samples, confidence, seed)
    limits = Limits(time_limit, seed=seed)
    evaluation = Evaluation(
        [m.copy() for m in metrics], limits, keep_graphs=True, bootstrap=bootstrap
    )
    pred_items, gold_items = list(preds), list(golds)
    kept: list[PairResult] = []
    for result in evaluate_items(evaluation, pred_items, gold_items):
        if keep_pairs:
            kept.append(result)
    return evaluation.report(kept)


def make_metric(
    name: str,
    *,
    profile: Profile | str | None = None,
    solver: Solver | str = "auto",
    **options: Any,
) -> Metric:
    """Make a metric by name, to be used again and again.

    Raises:
        InputError: if the metric, the profile or an option is unknown.
    """
    cls = metric_class(name)
    if isinstance(profile, str):
        profile = get_profile(profile)
    if cls.reads == "graph" and profile is not None:
        options["profile"] = profile
    if cls.searches:
        options["solver"] = solver
    return cls(**options)


def _made(
    metric: str | Metric | Iterable[str | Metric], options: dict[str, Any]
) -> list[Metric]:
    """The metrics that were asked for, those named made with the options."""
    asked = [metric] if isinstance(metric, str | Metric) else list(metric)
    return [m if isinstance(m, Metric) else make_metric(m, **options) for m in asked]


def align(
    pred: Any,
    gold: Any,
    *,
    profile: Profile | str = "smatch",
    solver: Solver | str = "auto",
) -> Explanation:
    """The alignment behind a Smatch score, and the triples that differ.

    Raises:
        GraphError: if a graph cannot be read.
    """
    metric = _smatch(profile, solver)
    pair = metric.compare(
        *(metric.prepare(metric.read(side).item) for side in (pred, gold))
    )
    stated = pair.stated
    return explain(
        stated.left.graph, stated.right.graph, stated.profile, pair.solution.alignment
    )
