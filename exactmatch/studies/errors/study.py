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
from exactmatch.studies.errors.errors import PairErrors, pair_errors
from exactmatch.studies.errors.options import ErrorsOptions
from exactmatch.studies.errors.view import Errors
from exactmatch.studies.options import selection_of
from exactmatch.studies.pairs import note_profile, opened, refuse_pipes


class Examined(NamedTuple):
    """A system's answer to one pair: its score, and how it differs from the reference.

    The score has no graphs, and where no proofs are recorded no problem.
    """

    result: PairResult
    errors: PairErrors


def study(asked: ErrorsOptions, reporter: Listener = SILENCE) -> Errors:
    """Count the errors of one system or of several, by type.

    Returns:
        Each type's count, its range over all optimal alignments, its share of the lost
        F1; and each pair's edits.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, or an option is wrong.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG1 (d / dog))", "(b / bark-01 :ARG0 (d / dog))"
    >>> found = exactmatch.studies.errors([pred], [gold])
    >>> [(str(one.type), one.count, one.share) for one in found.counts["predictions"]]
    [('role confusion', 1, 1.0), ('role confusion ARG0→ARG1', 1, 1.0)]
    """
    metric = metric_of(asked, reporter)
    found_of: dict[str, dict[int, Examined]] = {}
    lost: dict[tuple[str, ...], Mapping[str, int]] = {}
    signatures = []
    selection = selection_of(vars(asked))
    counted, number = selection.of_scored, None
    for name, preds in asked.systems().items():
        run = opened(preds, asked.golds, asked, [metric], reporter, **KEPT)
        run.choose(counted)
        found_of[name] = dict(examined(run, name))
        if number is None and run.evaluation.chosen is not None:
            number = run.evaluation.chosen.seen
            counted = numbered(run.evaluation.chosen.indices)  # the first system says
        report = run.evaluation.report()
        reporter.scored(report)
        signatures.append(report.scores[0].signature)
        found = losses(report.scores)
        lost |= {(name, *names): counts for names, counts in found.items()}
    shown = chosen(asked, [*found_of.values()])
    pairs = {
        name: tuple(own[index].errors for index in shown if index in own)
        for name, own in found_of.items()
    }
    if selection.of_shown:
        number = number or len(set[int]().union(*found_of.values()))
        choice = f"|chosen:{signed_choice(shown, number)}"
        signatures = [one.partition("|chosen:")[0] + choice for one in signatures]
    return Errors(pairs, tuple(signatures), lost, number)


errors = function("errors", ErrorsOptions, study)


def chosen(
    asked: ErrorsOptions, systems: Sequence[Mapping[int, Examined]]
) -> list[int]:
    """Return the numbers of the chosen pairs in order, as the first system ranks them.

    The *systems* hold the pairs that count; without a choice among these, all of them.
    """
    selection, every = selection_of(vars(asked)).of_shown, set().union(*systems)
    if not selection:
        return sorted(every)
    first = systems[0].items()
    rows = selection.chosen(first, lambda pair: pair_record(pair[1].result))
    return [index for index, _ in rows]


def metric_of(asked: ErrorsOptions, reporter: Listener) -> AligningMetric[Any]:
    """Make the metric that aligns the pairs, and look at their files.

    It is an error if there are several, or a file can be read only once.
    """
    metric, *others = asked.aligning(asked.only_solver(reporter.note))
    if others:
        raise InputError("pairs are shown under one metric; name one with --metric")
    sides = [*asked.systems().values(), asked.golds]
    paths = [path for side in sides for path in paths_of(side)]
    refuse_pipes(paths)
    note_profile(asked, paths, [metric], reporter)
    return metric


KEPT = dict.fromkeys(("keep_graphs", "keep_problems", "keep_solutions"), True)
"""Settings of a run whose pairs are examined."""


def examined(run: Run, name: str) -> Generator[tuple[int, Examined], None, None]:
    """Score a system, and find the errors of each pair, in order, with its number."""
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
            small = replace(result, pred=None, gold=None, texts=(None, None))
            if run.settings.proofs == "leave":
                small = replace(small, graph_problem=None)
            yield result.index, Examined(small, errors)
