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
from exactmatch.studies.compare.checking import check_files
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


def study(options: CompareOptions, reporter: Listener = SILENCE) -> Comparison:
    """Rank systems on the same references, and test their differences.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there are fewer than two systems, their numbers of graphs differ,
            none is called *baseline*, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> result = exactmatch.compare(
    ...     {"first": ["(b / bark-01)", "(r / rain-01)"], "second": golds}, golds
    ... )
    >>> [(s.rank, s.system, s.score.score) for s in result.standings]
    [(1, 'second', 1.0), (2, 'first', 0.8)]
    """
    baseline, names = options.baseline, tuple(options.systems)
    if baseline is not None and baseline not in names:
        files = {
            getattr(graphs, "path", None): name
            for name, graphs in options.systems.items()
        }
        baseline = files.get(baseline, baseline)
    if baseline is not None and baseline not in names:
        if not (baseline.isdecimal() and 1 <= int(baseline) <= len(names)):
            raise InputError(
                f"no system is called {baseline!r} (known: {', '.join(names)})"
            )
        baseline = names[int(baseline) - 1]
    metrics = _metrics(options, reporter)
    checked = check_files(options, metrics, reporter)
    test = options.test
    sampling = options.sampling()
    selection = selection_of(vars(options)).of_scored

    def choose(results: Results) -> Counting:
        return _choose_pairs(selection, results, metrics, baseline, options.macro)

    chooser = choose if selection else None
    scored = score_systems(
        options.systems, options.golds, options, metrics, reporter, chooser
    )
    n = len(options.systems)
    steps = len(metrics) * (n * (n - 1) // 2 if baseline is None else n - 1)
    limit = drawing(options.until, reporter.note)
    with limit, reporter.progress("testing", steps) as advance:
        documents = scored.documents
        comparison_settings = (
            sampling,
            test,
            baseline,
            options.macro,
            options.show,
            advance,
            documents,
        )
        comparisons = [
            rank_systems(m, scored.results[m.name], *comparison_settings)
            for m in metrics
        ]
    if options.finegrained or options.aspects:
        comparisons = corrected_together(comparisons)
    accuracies, settings = [], "|average:macro" * options.macro
    scale = Scale(human_range=options.human_range, standardise=options.standardise)
    if options.human is None:
        note_idle(scale, Scale.OWN, "without --human", reporter)
    else:
        settings += signed_people(scale)
        people = assessments_of(options.human, scale, names, scored.segments, reporter)
        for metric in metrics:
            results = scored.results[metric.name]
            with drawing(options.until, reporter.note):
                accuracies += human_accuracies(
                    metric, results, people, sampling, options.macro, documents
                )
    sampling_signature = signed_as(sampling.test_signature(test, comparisons[0].units))
    best = []
    if len(comparisons) > 1:
        best = winners(comparisons, metrics, sampling, options.macro, documents)
    indices = [r.index for r in next(iter(comparisons[0].results.values()))]
    if remark := documents.remark(comparisons[0].pairs, sampling.unit, indices):
        reporter.note(remark)
    chosen = frozenset(indices) if selection else None
    return Comparison(
        tuple(comparisons),
        tuple(agreement(comparisons, options.show)),
        tuple(accuracies),
        _shape_errors(options, metrics, reporter, chosen) if options.structure else {},
        scored.remarks,
        test,
        sampling,
        scored.lost,
        tuple(
            f"{signature}{settings}|{sampling_signature}"
            for signature in scored.signatures
        ),
        tuple(best),
        checked,
    )


compare = function("compare", CompareOptions, study)


def _metrics(options: CompareOptions, reporter: Listener) -> list[Metric]:
    """Return the metrics, or the single aspects that replace them."""
    if not (options.finegrained or options.aspects):
        return options.metrics_per_restarts(reporter.note)
    solver = options.only_solver(reporter.note)
    if options.metric is not None or options.profile is not None:
        reporter.note("--metric and --profile have no effect on single aspects")
    if options.aspects is None:
        from exactmatch.metrics.finegrained.scores import finegrained

        return finegrained(options.finegrained or "exact", solver, options.max_terms)
    from exactmatch.metrics.finegrained.aspects import aspects

    if options.finegrained not in (None, "exact"):
        raise InputError(
            f"--aspects is for --finegrained exact, not {options.finegrained!r}"
        )
    return aspects(options.aspects, solver, options.max_terms)


def _choose_pairs(
    selection: Selection,
    results: Results,
    metrics: Sequence[Metric],
    baseline: str | None,
    macro: bool,
) -> Counting:
    """Count the chosen pairs; differences are from the baseline or the best system."""
    pairs_by_index: dict[int, list[ComparedPair]] = {}
    for metric in metrics:
        systems = results[metric.name]
        best = baseline or best_system(metric, systems, macro)
        for pair in zip(*systems.values(), strict=True):
            by_name = dict(zip(systems, pair, strict=True))
            pair_fields = pair[0].index, pair[0].id, metric.name, best
            pairs_by_index.setdefault(pair[0].index, []).append(
                ComparedPair(*pair_fields, by_name)
            )
    counting = Counting(selection)
    for _, pairs in sorted(pairs_by_index.items()):
        counting.chooses([columns_of_pair([pair]) for pair in pairs])
    counting.check()
    return counting


def _shape_errors(
    options: CompareOptions,
    metrics: Sequence[Metric],
    reporter: Listener,
    chosen: Collection[int] | None,
) -> dict[str, Shape]:
    """Return each system's mean absolute error in the shape of its graphs."""
    if all(metric.reads != "graph" for metric in metrics):
        return {}
    reader = Smatch(get_profile("clean"))
    errors = {}
    for name, preds in options.systems.items():
        run = opened(preds, options.golds, options, [reader], on_error="skip")
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
            errors[name] = error
    return errors


def _graph(reader: Metric, source: Any) -> Graph:
    """Read a graph from PENMAN or from a mapping of nodes and edges."""
    is_labelled = isinstance(source, Mapping | LabelledGraph)
    labelled_graph = labelled(source) if is_labelled else None
    graph: Graph = (
        reader.read(source).item
        if labelled_graph is None
        else labelled_graph.as_graph()
    )
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
    """Return the mean absolute difference in each measure, if there are pairs."""
    differences = [np.abs(np.subtract(pred, gold)) for pred, gold in pairs]
    return Shape(*np.mean(differences, axis=0).tolist()) if differences else None
