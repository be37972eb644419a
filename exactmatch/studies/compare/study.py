"""Compare systems: score them on the same references, rank and test them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.base import Metric
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.compare.options import CompareOptions
from exactmatch.studies.compare.ranking import (
    agreement,
    corrected_together,
    human_accuracies,
    rank_systems,
    usual_test,
)
from exactmatch.studies.compare.results import Comparison, Shape
from exactmatch.studies.correlate.assessments import assessments_of
from exactmatch.studies.pairs import opened, score_systems


def study(asked: CompareOptions, reporter: Listener = SILENCE) -> Comparison:
    """Rank systems on the same references, and test each against a baseline.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there are fewer than two systems, their numbers of graphs differ,
            none is called *baseline*, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> found = exactmatch.compare(
    ...     {"first": ["(b / bark-01)", "(r / rain-01)"], "second": golds}, golds
    ... )
    >>> [(one.rank, one.system, one.score.score) for one in found.standings]
    [(1, 'second', 1.0), (2, 'first', 0.8)]
    """
    baseline, names = asked.baseline, tuple(asked.systems)
    if baseline is not None and baseline not in names:
        if not (baseline.isdecimal() and 1 <= int(baseline) <= len(names)):
            raise InputError(
                f"no system is called {baseline!r} (known: {', '.join(names)})"
            )
        baseline = names[int(baseline) - 1]
    metrics = _metrics(asked, reporter)
    test = asked.test or usual_test(metrics[0])
    bootstrap = asked.bootstrap()
    scored = score_systems(asked.systems, asked.golds, asked, metrics, reporter)
    steps = len(metrics) * len(asked.systems)
    with reporter.progress("resampling", steps) as advance:
        how = bootstrap, test, baseline, asked.macro, asked.show, advance
        found = [rank_systems(m, scored.results[m.name], *how) for m in metrics]
    if asked.finegrained or asked.aspects:
        found = corrected_together(found)
    accuracies = []
    if asked.human is not None:
        people = assessments_of(asked.human, asked, names, scored.segments, reporter)
        for metric in metrics:
            both = scored.results[metric.name], people
            accuracies += human_accuracies(metric, *both, bootstrap, asked.macro)
    settings = f"|test:{test}|{':'.join(bootstrap.signature())}"
    settings += "|average:macro" * asked.macro
    return Comparison(
        tuple(found),
        tuple(agreement(found, asked.show)),
        tuple(accuracies),
        _shape_errors(asked, metrics, reporter) if asked.structure else {},
        scored.remarks,
        test,
        bootstrap,
        scored.lost,
        tuple(f"{signature}{settings}" for signature in scored.signatures),
    )


compare = function("compare", CompareOptions, study)


def _metrics(asked: CompareOptions, reporter: Listener) -> list[Metric]:
    """The metrics that are compared, or the scores of single aspects."""
    if not (asked.finegrained or asked.aspects):
        return asked.climbing(reporter.note)
    solver = asked.only_solver(reporter.note)
    if asked.metric != "smatch" or asked.profile is not None:
        reporter.note("--metric and --profile have no effect on single aspects")
    if asked.aspects is None:
        from exactmatch.metrics.finegrained.scores import finegrained

        return finegrained(asked.finegrained or "exact", solver, asked.max_terms)
    from exactmatch.metrics.finegrained.aspects import aspects

    if asked.finegrained not in (None, "exact"):
        raise InputError(
            f"--aspects is for --finegrained exact, not {asked.finegrained!r}"
        )
    return aspects(asked.aspects, solver, asked.max_terms)


def _shape_errors(
    asked: CompareOptions, metrics: Sequence[Metric], reporter: Listener
) -> dict[str, Shape]:
    """Mean absolute error in the shape of the graphs, by system."""
    if all(metric.reads != "graph" for metric in metrics):
        return {}
    reader = Smatch(get_profile("clean"))
    found = {}
    for name, preds in asked.systems.items():
        run = opened(preds, asked.golds, asked, [reader], on_error="skip")
        pairs, unread = [], 0
        with reporter.progress(f"measuring {name}", None) as advance:
            for pair in run.pairs():
                advance()
                sides = pair.pred, pair.golds[0]
                if None in sides:
                    continue
                try:
                    pairs.append([shape_of(reader.read(side).item) for side in sides])
                except GraphError:
                    unread += 1
        if unread:
            unmeasured = several(unread, "pair")
            reporter.note(f"{name}: the shape of {unmeasured} is not measured")
        if (error := shape_error(pairs)) is not None:
            found[name] = error
    return found


def shape_of(graph: Graph) -> Shape:
    """Measure the shape of a graph."""
    edges: set[tuple[object, object]] = set()
    nodes: set[object] = set(range(len(graph.variables)))
    edges.update((v, graph.labels[concept]) for v, concept in graph.instances)
    edges.update((v, graph.labels[value]) for v, _, value in graph.attributes)
    edges.update((source, target) for source, _, target in graph.relations)
    nodes.update(target for _, target in edges)
    n, m = len(nodes), len(edges)
    return Shape(2 * m / n if n else 0.0, m / (n * (n - 1)) if n > 1 else 0.0, n, m)


def shape_error(pairs: Iterable[Sequence[Shape]]) -> Shape | None:
    """The mean absolute difference in each measure; ``None`` where there is no pair."""
    differences = [np.abs(np.subtract(pred, gold)) for pred, gold in pairs]
    return Shape(*np.mean(differences, axis=0).tolist()) if differences else None
