"""Score every pair, find its errors, and put it on a page."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.inputs import names_apart, provenance
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.reading import of_file
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.scoring.documents import Documents
from exactmatch.scoring.options import Formats
from exactmatch.scoring.reading import faults_of
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.selection import numbered
from exactmatch.scoring.settings import settings_of
from exactmatch.scoring.sources import File, paths_of
from exactmatch.studies.compare.ranking import rank_systems
from exactmatch.studies.compare.results import Comparison, verdicts
from exactmatch.studies.errors.study import KEPT, Examined, chosen, examined, metric_of
from exactmatch.studies.options import name_of_side, selection_of
from exactmatch.studies.pairs import opened
from exactmatch.studies.report.browser_data import Collector
from exactmatch.studies.report.documents import DocumentsPage, documents_page
from exactmatch.studies.report.options import ReportOptions
from exactmatch.studies.report.serving import serve
from exactmatch.studies.report.view import ReportPage, Source


def study(
    options: ReportOptions, reporter: Listener = SILENCE
) -> ReportPage | DocumentsPage:
    """Make a page on which every pair can be browsed, and write it to *output*.

    Returns:
        The page; ``str(page)`` is its HTML.  One that is served is not returned.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, the page cannot be written or served,
            or an option is wrong.
        KeyboardInterrupt: at Ctrl-C, which ends a page that is served.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG1 (d / dog))", "(b / bark-01 :ARG0 (d / dog))"
    >>> page = exactmatch.studies.report([pred], [gold])
    >>> page
    a page of 1 pair: predictions
    """
    output = options.output
    is_json = options.are_documents
    if options.serve:
        if is_json or output is not None:
            why = "a page of documents" if is_json else f"what is written to {output}"
            raise InputError(
                f"serve shows pairs of graphs while they change, not {why}"
            )
        serve(report_page, options, reporter)
    with nullcontext() if output is None else atomic_output(str(output)) as stream:
        page: ReportPage | DocumentsPage
        if is_json:
            page = documents_page(options, reporter)
        else:
            page = report_page(options, reporter)
        if stream is not None:
            page.write(stream)
    return page


report = function("report", ReportOptions, study)


def report_page(options: ReportOptions, reporter: Listener) -> ReportPage:
    """Score the systems one after the other, without keeping the last one's pairs."""
    metric = metric_of(options, reporter)
    sources: list[tuple[str, Source]] = []

    def count(name: str, side: object, place: int = 0) -> None:
        for path in paths_of(side):
            sources.append((name, _source(path, metric, options, place)))

    references = names_apart(paths_of(options.golds))
    gold_name = name_of_side(options.golds, "references")
    if len(references) > 1:
        gold_name = f"the best of {', '.join(references.values())}"
    for path, name in references.items():
        count(name if len(references) > 1 else gold_name, File(path), 1)
    systems = options.systems()
    limits = settings_of(options).limits
    collector = Collector(list(systems), options.proofs, references, limits)
    settings: dict[str, Any] = {**KEPT, "intervals": options.sampling()}
    if options.proofs:
        settings["proofs"] = "check" if options.certify else "record"
    earlier: list[dict[int, Examined]] = []
    reports: dict[str, Report] = {}
    documents: Documents | None = None
    kept: dict[str, dict[int, PairResult]] = {name: {} for name in systems}
    selection = selection_of(vars(options))
    counted, is_choice = selection.of_scored, bool(selection)
    for name, preds in systems.items():
        count(name, preds)
        is_last = len(earlier) == len(systems) - 1
        run = opened(preds, options.golds, options, [metric], reporter, **settings)
        run.choose(counted)
        if len(systems) > 1 and run.evaluation.references > 1:
            raise InputError(
                "the best of several references may be another one for each system; "
                "make a page of one system, or name one reference"
            )
        with closing(examined(run, name)) as answers:
            noted = _noted(answers, kept[name]) if len(systems) > 1 else answers
            if is_last and not is_choice:
                collect(collector, earlier, noted)
            else:
                earlier.append(dict(noted))
        if not reports and run.evaluation.chosen is not None:
            counted = numbered(run.evaluation.chosen.indices)  # the first system says
        reports[name] = run.evaluation.report()
        reporter.scored(reports[name])
        documents = run.evaluation.documents
        if is_last and (remark := run.evaluation.about_documents()):
            reporter.note(remark)
    if is_choice:
        shown = chosen(options, earlier)
        if len(shown) < (number := len(set().union(*earlier))):
            reporter.note(f"{len(shown)} of {several(number, 'pair')} shown")
        for index in shown:
            collector.add([answers.get(index) for answers in earlier])
    return ReportPage(
        gold_name,
        reports,
        tuple(sources),
        collector,
        provenance(),
        options.macro,
        options.decimals,
        _answers(metric, kept, options, documents) if len(systems) > 1 else (),
        _commands(systems, references.values(), options),
    )


def _commands(
    systems: Mapping[str, Any], references: Iterable[str], options: ReportOptions
) -> tuple[str, ...]:
    """Return the command that aligns each system's pairs; none for graphs in memory."""
    named = [paths_of(side) for side in systems.values()]
    if not (all(named) and references):
        return ()
    names = names_apart([path for paths in named for path in paths])
    arguments = [
        f"--{name.replace('_', '-')} {value}"
        for name in ("metric", "profile", "solver")
        if isinstance(value := vars(options).get(name), str)
        and value != options.DECLARED[name].default
    ]
    files = [[*map(names.__getitem__, paths), *references] for paths in named]
    return tuple(
        " ".join(["exactmatch align", *map(shlex.quote, system_files), *arguments])
        for system_files in files
    )


def _noted(
    answers: Iterable[tuple[int, Examined]], kept: dict[int, PairResult]
) -> Iterator[tuple[int, Examined]]:
    """Yield the pairs, and keep the statistics of each."""
    for index, answer in answers:
        kept[index] = replace(answer.result, solution=None, graph_problem=None)
        yield index, answer


def _answers(
    metric: AligningMetric[Any],
    kept: Mapping[str, Mapping[int, PairResult]],
    options: ReportOptions,
    documents: Documents | None,
) -> tuple[str, ...]:
    """Say which system is better, as ``compare`` does; nothing without pairs."""
    common = sorted(set[int].intersection(*map(set, kept.values())))
    if not common:
        return ()
    systems = {name: [results[k] for k in common] for name, results in kept.items()}
    sampling = options.sampling()
    ranked = rank_systems(
        metric, systems, sampling, macro=options.macro, documents=documents
    )
    comparison = Comparison((ranked,), (), (), {}, (), "exchange", sampling, {}, ())
    return verdicts(comparison)


def collect(
    collector: Collector,
    earlier: Sequence[dict[int, Examined]],
    last: Iterable[tuple[int, Examined]],
) -> None:
    """Add every pair to the page in order, and keep none.

    The *last* system's answers come in order, with their numbers; those of the
    *earlier* ones are removed.
    """
    earlier_pairs = ((index, None) for index in sorted(set().union(*earlier)))
    by_index = itemgetter(0)
    for index, answers_of_pair in groupby(
        merge(earlier_pairs, last, key=by_index), key=by_index
    ):
        *_, (_, answer) = answers_of_pair
        collector.add([*(answers.pop(index, None) for answers in earlier), answer])


def _source(
    path: str, metric: AligningMetric[Any], reading_options: Formats, place: int
) -> Source:
    """Read a file of predictions (0) or references (1), and count its graphs."""
    graphs = well_formed = 0
    for block in read_blocks(
        path, of_file(reading_options.how_read, place), reading_options.framework
    ):
        graphs += 1
        try:
            well_formed += not faults_of(metric, block, metric.read(block))
        except GraphError:
            continue
    return Source(path, graphs, well_formed)
