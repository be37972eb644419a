"""Compare systems: score them on the same references, rank and test them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.base import Metric
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph, labelled
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.resampling import drawing, signed_as
from exactmatch.scoring.selection import Counting, Selection
from exactmatch.studies.compare.agreement import agreement
from exactmatch.studies.compare.options import CompareOptions
from exactmatch.studies.compare.ranking import (
    best_system,
    corrected_together,
    human_accuracies,
    rank_systems,
    winners,
)
from exactmatch.studies.compare.results import (
    ComparedPair,
    Comparison,
    Shape,
    columns_of_pair,
)
from exactmatch.studies.correlate.assessments import assessments_of, signed_people
from exactmatch.studies.options import Scale, note_idle, selection_of
from exactmatch.studies.pairs import Results, opened, score_systems


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
        files = {
            getattr(one, "path", None): name for name, one in asked.systems.items()
        }
        baseline = files.get(baseline, baseline)
    if baseline is not None and baseline not in names:
        if not (baseline.isdecimal() and 1 <= int(baseline) <= len(names)):
            raise InputError(
                f"no system is called {baseline!r} (known: {', '.join(names)})"
            )
        baseline = names[int(baseline) - 1]
    metrics = _metrics(asked, reporter)
    test = asked.test
    sampling = asked.sampling()
    selection = selection_of(vars(asked)).of_scored

    def choose(results: Results) -> Counting:
        return _counted(selection, results, metrics, baseline, asked.macro)

    how_chosen = choose if selection else None
    scored = score_systems(
        asked.systems, asked.golds, asked, metrics, reporter, how_chosen
    )
    n = len(asked.systems)
    steps = len(metrics) * (n * (n - 1) // 2 if baseline is None else n - 1)
    limit = drawing(asked.until, reporter.note)
    with limit, reporter.progress("testing", steps) as advance:
        documents = scored.documents
        how = sampling, test, baseline, asked.macro, asked.show, advance, documents
        found = [rank_systems(m, scored.results[m.name], *how) for m in metrics]
    if asked.finegrained or asked.aspects:
        found = corrected_together(found)
    accuracies, settings = [], "|average:macro" * asked.macro
    scale = Scale(human_range=asked.human_range, standardise=asked.standardise)
    if asked.human is None:
        note_idle(scale, Scale.OWN, "without --human", reporter)
    else:
        settings += signed_people(scale)
        people = assessments_of(asked.human, scale, names, scored.segments, reporter)
        for metric in metrics:
            results = scored.results[metric.name]
            with drawing(asked.until, reporter.note):
                accuracies += human_accuracies(
                    metric, results, people, sampling, asked.macro, documents
                )
    drawn = signed_as(sampling.test_signature(test, found[0].units))
    best = []
    if len(found) > 1:
        best = winners(found, metrics, sampling, asked.macro, documents)
    indices = [r.index for r in next(iter(found[0].results.values()))]
    if told := documents.remark(found[0].pairs, sampling.unit, indices):
        reporter.note(told)
    chosen = frozenset(indices) if selection else None
    return Comparison(
        tuple(found),
        tuple(agreement(found, asked.show)),
        tuple(accuracies),
        _shape_errors(asked, metrics, reporter, chosen) if asked.structure else {},
        scored.remarks,
        test,
        sampling,
        scored.lost,
        tuple(f"{signature}{settings}|{drawn}" for signature in scored.signatures),
        tuple(best),
    )


compare = function("compare", CompareOptions, study)


def _metrics(asked: CompareOptions, reporter: Listener) -> list[Metric]:
    """The metrics that are compared, or the scores of single aspects."""
    if not (asked.finegrained or asked.aspects):
        return asked.metrics_per_restarts(reporter.note)
    solver = asked.only_solver(reporter.note)
    if asked.metric is not None or asked.profile is not None:
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


def _counted(
    selection: Selection,
    results: Results,
    metrics: Sequence[Metric],
    baseline: str | None,
    macro: bool,
) -> Counting:
    """Count the pairs that are chosen; differences are from the best of all pairs."""
    together: dict[int, list[ComparedPair]] = {}
    for metric in metrics:
        systems = results[metric.name]
        best = baseline or best_system(metric, systems, macro)
        for own in zip(*systems.values(), strict=True):
            by_name = dict(zip(systems, own, strict=True))
            about = own[0].index, own[0].id, metric.name, best
            together.setdefault(own[0].index, []).append(ComparedPair(*about, by_name))
    counting = Counting(selection)
    for _, pairs in sorted(together.items()):
        counting.chooses([columns_of_pair([pair]) for pair in pairs])
    counting.check()
    return counting


def _shape_errors(
    asked: CompareOptions,
    metrics: Sequence[Metric],
    reporter: Listener,
    chosen: Collection[int] | None,
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
                if None in sides or (chosen is not None and pair.index not in chosen):
                    continue
                try:
                    pairs.append([shape_of(_graph(reader, side)) for side in sides])
                except InputError:
                    unread += 1
        if unread:
            unmeasured = several(unread, "pair")
            reporter.note(f"{name}: the shape of {unmeasured} is not measured")
        if (error := shape_error(pairs)) is not None:
            found[name] = error
    return found


def _graph(reader: Metric, given: Any) -> Graph:
    """Read a graph: PENMAN, or a mapping of nodes and edges."""
    is_labelled = isinstance(given, Mapping | LabelledGraph)
    found = labelled(given) if is_labelled else None
    graph: Graph = reader.read(given).item if found is None else found.as_graph()
    return graph


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
