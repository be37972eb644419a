"""Score the pairs of each system, and find the errors of each pair."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import PairResult, pair_record
from exactmatch.scoring.run import Run
from exactmatch.scoring.selection import numbered, signed_choice
from exactmatch.scoring.sources import paths_of
from exactmatch.scoring.tables import losses
from exactmatch.studies.errors.documents import DocumentErrors, document_errors
from exactmatch.studies.errors.errors import PairErrors, pair_errors
from exactmatch.studies.errors.options import ErrorsOptions
from exactmatch.studies.errors.view import Errors
from exactmatch.studies.options import selection_of
from exactmatch.studies.pairs import note_profile, opened, refuse_pipes


class Examined(NamedTuple):
    """Score and errors of one pair of a system.

    The score is kept without graphs and, unless proofs are recorded, without problem.
    """

    result: PairResult
    errors: PairErrors


def study(
    options: ErrorsOptions, reporter: Listener = SILENCE
) -> Errors | DocumentErrors:
    """Count the errors of one system or of several, by type.

    Returns:
        Each type's count, its range over all optimal alignments, its share of the lost
        F1; and each pair's edits.  Of JSON documents (metric ``json``) the table by
        field, and the leaves of each field that are not equal.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, or an option is wrong.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG1 (d / dog))", "(b / bark-01 :ARG0 (d / dog))"
    >>> result = exactmatch.studies.errors([pred], [gold])
    >>> [(str(e.type), e.count, e.share) for e in result.counts["predictions"]]
    [('role confusion', 1, 1.0), ('role confusion ARG0→ARG1', 1, 1.0)]
    """
    if options.are_documents:
        return document_errors(options, reporter)
    metric = metric_of(options, reporter)
    by_system: dict[str, dict[int, Examined]] = {}
    lost: dict[tuple[str, ...], Mapping[str, int]] = {}
    signatures = []
    selection = selection_of(vars(options))
    counted, number = selection.of_scored, None
    for name, preds in options.systems().items():
        run = opened(preds, options.golds, options, [metric], reporter, **KEPT)
        run.choose(counted)
        by_system[name] = dict(examined(run, name))
        if number is None and run.evaluation.chosen is not None:
            number = run.evaluation.chosen.seen
            counted = numbered(run.evaluation.chosen.indices)  # the first system says
        report = run.evaluation.report()
        reporter.scored(report)
        signatures.append(report.scores[0].signature)
        lost_here = losses(report.scores)
        lost |= {(name, *names): counts for names, counts in lost_here.items()}
    shown = chosen(options, [*by_system.values()])
    pairs = {
        name: tuple(
            pairs_of_system[index].errors for index in shown if index in pairs_of_system
        )
        for name, pairs_of_system in by_system.items()
    }
    if selection.of_shown:
        number = number or len(set[int]().union(*by_system.values()))
        choice = f"|chosen:{signed_choice(shown, number)}"
        signatures = [
            signature.partition("|chosen:")[0] + choice for signature in signatures
        ]
    return Errors(pairs, tuple(signatures), lost, number)


errors = function("errors", ErrorsOptions, study)


def chosen(
    options: ErrorsOptions, systems: Sequence[Mapping[int, Examined]]
) -> list[int]:
    """Return the numbers of the chosen pairs, in the first system's order.

    The *systems* hold the pairs that count; if none are chosen, all are returned.
    """
    selection, all_graphs = selection_of(vars(options)).of_shown, set().union(*systems)
    if not selection:
        return sorted(all_graphs)
    first = systems[0].items()
    rows = selection.chosen(first, lambda pair: pair_record(pair[1].result))
    return [index for index, _ in rows]


def metric_of(options: ErrorsOptions, reporter: Listener) -> AligningMetric[Any]:
    """Make the metric that aligns the pairs, and check their files.

    Several metrics are an error, and so is a file that can be read only once.
    """
    metric, *more_metrics = options.aligning(options.only_solver(reporter.note))
    if more_metrics:
        raise InputError("pairs are shown under one metric; name one with --metric")
    sides = [*options.systems().values(), options.golds]
    paths = [path for side in sides for path in paths_of(side)]
    refuse_pipes(paths)
    note_profile(options, paths, [metric], reporter)
    return metric


KEPT = dict.fromkeys(("keep_graphs", "keep_problems", "keep_solutions"), True)
"""Settings of a run whose pairs are examined."""


def examined(run: Run, name: str) -> Generator[tuple[int, Examined], None, None]:
    """Score a system; yield each pair's number and errors, in order."""
    with closing(run.results(f"scoring {name}")) as results:
        for result in results:
            errors = pair_errors(
                result.required_problem,
                result.solved.alignment,
                result.index,
                result.id,
                result.texts,
                run.settings.until,
            )
            small = replace(result, graphs=(None, None), sources=(None, None))
            if run.settings.proofs == "leave":
                small = replace(small, graph_problem=None)
            yield result.index, Examined(small, errors)
