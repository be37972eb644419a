"""Score every pair, find its errors, and put it on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from exactmatch.base.errors import GraphError
from exactmatch.base.files import atomic_output
from exactmatch.base.inputs import provenance
from exactmatch.base.options import function
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.reading import of_file
from exactmatch.formats.readings import read_block
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.scoring.options import Formats
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.compare.ranking import rank_systems, usual_test
from exactmatch.studies.compare.results import Comparison, verdicts
from exactmatch.studies.errors.study import KEPT, Examined, chosen, examined, metric_of
from exactmatch.studies.options import selection_of
from exactmatch.studies.pairs import opened
from exactmatch.studies.report.browser_data import Collector
from exactmatch.studies.report.options import ReportOptions
from exactmatch.studies.report.view import ReportPage, Source


def study(asked: ReportOptions, reporter: Listener = SILENCE) -> ReportPage:
    """Make a page on which every pair can be browsed, and write it where *output* says.

    Returns:
        The page; ``str(page)`` is its HTML.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, the page cannot be written, or an
            option is wrong.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG1 (d / dog))", "(b / bark-01 :ARG0 (d / dog))"
    >>> page = exactmatch.studies.write_report([pred], [gold])
    >>> page
    a page of 1 pair: predictions
    """
    output = asked.output
    with nullcontext() if output is None else atomic_output(str(output)) as stream:
        page = report_page(asked, reporter)
        if stream is not None:
            page.write(stream)
    return page


write_report = function("write_report", ReportOptions, study)


def report_page(asked: ReportOptions, reporter: Listener) -> ReportPage:
    """Score the systems one after the other; the last one's pairs are not kept."""
    metric = metric_of(asked, reporter)
    sources: list[tuple[str, Source]] = []

    def count(name: str, side: object, place: int = 0) -> None:
        for path in paths_of(side):
            sources.append((name, _source(path, metric.profile, asked, place)))

    gold_name = Path(getattr(asked.golds, "path", "references")).name
    count(gold_name, asked.golds, 1)
    systems = asked.systems()
    collector = Collector(list(systems), asked.proofs)
    settings: dict[str, Any] = {**KEPT, "intervals": asked.bootstrap()}
    if asked.proofs:
        settings["proofs"] = "check" if asked.certify else "record"
    earlier: list[dict[int, Examined]] = []
    reports = {}
    kept: dict[str, dict[int, PairResult]] = {name: {} for name in systems}
    is_choice = bool(selection_of(vars(asked)))
    for name, preds in systems.items():
        count(name, preds)
        is_last = len(earlier) == len(systems) - 1
        run = opened(preds, asked.golds, asked, [metric], reporter, **settings)
        with closing(examined(run, name)) as answers:
            noted = _noted(answers, kept[name]) if len(systems) > 1 else answers
            if is_last and not is_choice:
                collect(collector, earlier, noted)
            else:
                earlier.append(dict(noted))
        reports[name] = run.evaluation.report()
        reporter.scored(reports[name])
    if is_choice:
        for index in chosen(asked, earlier, reporter):
            collector.add([answers.get(index) for answers in earlier])
    return ReportPage(
        gold_name,
        reports,
        tuple(sources),
        collector,
        provenance(),
        asked.macro,
        asked.decimals,
        _answers(metric, kept, asked) if len(systems) > 1 else (),
    )


def _noted(
    answers: Iterable[tuple[int, Examined]], kept: dict[int, PairResult]
) -> Iterator[tuple[int, Examined]]:
    """Pass pairs on, and keep the statistics of each."""
    for index, answer in answers:
        kept[index] = replace(answer.result, solution=None, stated=None)
        yield index, answer


def _answers(
    metric: AligningMetric[Any],
    kept: Mapping[str, Mapping[int, PairResult]],
    asked: ReportOptions,
) -> tuple[str, ...]:
    """Which system is better, in the sentences of ``compare``; none without pairs."""
    common = sorted(set[int].intersection(*map(set, kept.values())))
    if not common:
        return ()
    systems = {name: [own[k] for k in common] for name, own in kept.items()}
    bootstrap = asked.bootstrap()
    ranked = rank_systems(metric, systems, bootstrap, macro=asked.macro)
    found = Comparison((ranked,), (), (), {}, (), usual_test(metric), bootstrap, {}, ())
    return verdicts(found)


def collect(
    collector: Collector,
    earlier: Sequence[dict[int, Examined]],
    last: Iterable[tuple[int, Examined]],
) -> None:
    """Let the page have every pair in order, and keep none.

    The *last* system's answers come in order, with their numbers; those of the
    *earlier* ones are taken out.
    """
    known = ((index, None) for index in sorted(set().union(*earlier)))
    by_index = itemgetter(0)
    for index, found in groupby(merge(known, last, key=by_index), key=by_index):
        *_, (_, answer) = found
        collector.add([*(answers.pop(index, None) for answers in earlier), answer])


def _source(path: str, profile: Profile, options: Formats, place: int) -> Source:
    """Read a file of predictions (0) or references (1) once, to count its graphs."""
    graphs = well_formed = 0
    for block in read_blocks(path, of_file(options.how_read, place), options.framework):
        graphs += 1
        try:
            well_formed += not (block.faults or read_block(block, profile).lenient)
        except GraphError:
            continue
    return Source(path, graphs, well_formed)
