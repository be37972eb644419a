"""Scores from Python: graphs in, frozen results out.

A graph may be given as PENMAN text, as a list of triples, as a penman or a
networkx graph, or as a :class:`~exactmatch.graphs.graph.Graph`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from exactmatch.alignment.explain import Explanation, explain
from exactmatch.graphs.profile import Profile, get_profile
from exactmatch.metrics import metric_class
from exactmatch.metrics.base import Metric, Score
from exactmatch.metrics.smatch import AlignmentMetric, Smatch
from exactmatch.reading.anything import as_graph
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
    return score(
        "smatch", pred, gold, profile=profile, solver=solver, time_limit=time_limit
    )


_RUN = frozenset(("time_limit", "seed", "keep_pairs", "confidence", "samples"))
"""What :func:`evaluate` takes that is no business of a metric's."""


def score(metric: str | Metric, pred: Any, gold: Any, **options: Any) -> Score:
    """The score of one pair under any metric.

    Args:
        metric: the metric, by name or made by :func:`make_metric`.
        pred: the predicted graph or sentence.
        gold: the reference.
        **options: as :func:`evaluate` takes them.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option is wrong.
    """
    if isinstance(metric, str):
        own = {key: options.pop(key) for key in list(options) if key not in _RUN}
        metric = make_metric(metric, **own)
    result = evaluate([pred], [gold], metric, **options).pairs[0]
    if result.solution is None:
        return result.score
    left, right = result.pred, result.gold
    if isinstance(metric, AlignmentMetric):  # what its profile made of them is aligned
        left, right = metric.coded(left).graph, metric.coded(right).graph
    aligned = tuple(
        (left.variables[i], right.variables[j])
        for i, j in enumerate(result.solution.alignment)
        if j != -1
    )
    return replace(result.score, alignment=aligned, solution=result.solution)


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
    asked = [metric] if isinstance(metric, str | Metric) else list(metric)
    metrics = [
        m
        if isinstance(m, Metric)
        else make_metric(m, profile=profile, solver=solver, **options)
        for m in asked
    ]
    bootstrap = None
    if confidence is not None:
        from exactmatch.scoring.resampling import Bootstrap

        bootstrap = Bootstrap(samples, confidence, seed)
    limits = Limits(time_limit, seed=seed)
    evaluation = Evaluation(metrics, limits, keep_graphs=True, bootstrap=bootstrap)
    pred_items, gold_items = list(preds), list(golds)
    kept: list[PairResult] = []
    for result in evaluate_items(evaluation, pred_items, gold_items, as_graph):
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
    counting = get_profile(profile) if isinstance(profile, str) else profile
    metric = Smatch(counting, solver)
    return explain_result(metric, evaluate([pred], [gold], metric).pairs[0])


def explain_result(metric: AlignmentMetric, result: PairResult) -> Explanation:
    """Explain a result whose graphs were kept."""
    assert result.solution is not None
    pred, gold = (metric.coded(g).graph for g in (result.pred, result.gold))
    return explain(pred, gold, metric.counting, result.solution.alignment)
