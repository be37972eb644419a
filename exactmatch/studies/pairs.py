"""Reading and scoring of the pairs of a study, of one system or several."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, takewhile
from typing import Any, TypeAlias

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.paths import path_of, refuse_name
from exactmatch.base.records import NamedTuple
from exactmatch.formats.files import STANDARD_INPUT, is_read_once
from exactmatch.formats.formats import Format, get_format
from exactmatch.formats.mistaken_files import remarks
from exactmatch.formats.recognised import (
    formats_seen,
    look_like_boxes,
    look_like_documents,
)
from exactmatch.metrics.base import Metric
from exactmatch.scoring.documents import Documents
from exactmatch.scoring.options import Evaluating, Measuring, Reading
from exactmatch.scoring.reading import counts_as_amr, profile_remarks
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener, Reporter
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.run import Run
from exactmatch.scoring.selection import Counting
from exactmatch.scoring.settings import settings_of
from exactmatch.scoring.sources import File, Files, Items, Sources, paths_of
from exactmatch.scoring.tables import Losses, losses_of_systems
from exactmatch.studies.options import Graphs

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAMPLE = tuple(
    os.path.join(_PACKAGE, "sample", f"{side}.amr") for side in ("pred", "gold")
)
"""The bundled files: predictions and their references."""


def opened(
    preds: Any,
    golds: Any,
    options: Evaluating,
    metrics: Iterable[Metric],
    reporter: Listener = SILENCE,
    **more: Any,
) -> Run:
    """Return a run over the pairs of :func:`sources_of`; *more* are its settings."""
    kept = {"keep_solutions": reporter.needs_solutions}
    settings = settings_of(options, **kept | more)
    return Run(sources_of(preds, golds, options), metrics, settings, reporter)


def sources_of(preds: Any, golds: Any, options: Reading) -> Sources:
    """Return the source of the pairs of a study, in memory or in files."""
    pred_path, gold_paths = path_of(preds), paths_of(golds)
    how_read, framework = options.how_read, options.framework
    if pred_path is not None and gold_paths:
        return Files([pred_path, *gold_paths], how_read, framework)
    for side, other_side in ((preds, golds), (golds, preds)):
        path = path_of(side)
        if path is not None and isinstance(other_side, str):
            refuse_name(other_side, is_unreadable=True)
        if path is not None:
            raise InputError(
                f"{path} is a file and the other side is not; give two files, or a "
                f"list of graphs, exactmatch.load(Path({path!r}))"
            )
    return Items(preds, golds, options.by_id, how_read, framework)


def scored(
    preds: Any,
    golds: Any,
    options: Measuring,
    metrics: Sequence[Metric],
    reporter: Listener = SILENCE,
    label: str = "scoring",
    **more: Any,
) -> Report:
    """Score the pairs of :func:`opened`; *label* labels the progress bar."""
    report, _ = scored_of_documents(
        preds, golds, options, metrics, reporter, label, **more
    )
    return report


def scored_of_documents(
    preds: Any,
    golds: Any,
    options: Measuring,
    metrics: Sequence[Metric],
    reporter: Listener = SILENCE,
    label: str = "scoring",
    **more: Any,
) -> tuple[Report, Documents]:
    """Score pairs as :func:`scored` does; also return their documents.

    The documents are noted if *more* has ``notes_documents``.
    """
    note_profile(options, [*paths_of(preds), *paths_of(golds)], metrics, reporter)
    run = opened(preds, golds, options, metrics, reporter, **more)
    report = finish(run, reporter, label)
    return report, run.evaluation.documents or Documents()


def finish(
    run: Run, reporter: Listener, label: str, *take: Callable[[PairResult], None]
) -> Report:
    """Finish a run and return its report.

    The *reporter* and the functions *take* receive each pair.
    """
    takers = [*take] if reporter.show is None else [reporter.show, *take]

    def hear(result: PairResult) -> None:
        for taker in takers:
            taker(result)

    report = run.finish(hear if takers else None, label)
    reporter.scored(report)
    if remark := run.evaluation.about_documents():
        reporter.note(remark)
    return report


def ids_of(report: Report) -> dict[int, str | None]:
    """Return the ids of all pairs by their numbers, also of those left out."""
    left_out = {omission.index: omission.id for omission in report.omitted}
    return left_out | {pair.index: pair.id for pair in report.pairs}


def note_profile(
    options: Measuring,
    paths: Iterable[str],
    metrics: Sequence[Metric],
    reporter: Reporter,
) -> None:
    """Remark on options without effect, and on other graphs that count as AMRs.

    Of a metric that is named, remark on a default that its paper does not have.
    """
    chosen, default = options.metric, options.DECLARED["metric"].default
    named = chosen.split(",") if isinstance(chosen, str) and chosen != default else ()
    for metric in metrics:
        if metric.advice and metric.name in named:
            reporter.note(f"{metric.name}: {metric.advice}")
    for remark in options.options_without_effect(metrics):
        reporter.note(remark)
    if options.profile is None:
        paths = [*paths]
        for remark in profile_remarks(formats_of(options.format_in, paths), metrics):
            reporter.note(remark)
        names = [metric.name for metric in metrics if counts_as_amr(metric, "drs")]
        if names and any(map(look_like_boxes, map(_as_path, paths))):
            reporter.note(
                f"{', '.join(names)}: graphs whose top is a box with members look like "
                "DRSs, and are counted as AMR's are; --profile drs counts them by "
                "their own rules"
            )
        names = [metric.name for metric in metrics if counts_as_amr(metric, "doc-amr")]
        if names and any(map(look_like_documents, map(_as_path, paths))):
            reporter.note(
                f"{', '.join(names)}: graphs of several sentences (multi-sentence) are "
                "aligned as if of one; --profile doc-amr aligns each sentence with its "
                "own; see 'exactmatch help documents'"
            )


def note_exchanged(
    golds: Sequence[str], systems: Mapping[str, str], reporter: Reporter
) -> tuple[str, ...]:
    """Warn of files that look exchanged or are named twice; return the warnings."""
    messages = tuple(remarks(golds, systems))
    for remark in messages:
        reporter.note(f"warning: {remark}")
    return messages


def refuse_pipes(paths: Iterable[str]) -> None:
    """Refuse standard input and pipes where files are read more than once."""
    for path in sorted(filter(is_read_once, paths)):
        why = f"{path}: can be read only once, and every file is read more than once"
        if path == STANDARD_INPUT:
            why = "every file is read more than once, which standard input cannot be"
        raise InputError(f"{why}; save it as a file and name that")


def formats_of(format_in: str | None, paths: Iterable[Any]) -> list[Format]:
    """Return the named format, or else those that the files' beginnings show."""
    if format_in is not None:
        return [get_format(format_in)]
    return formats_seen(map(_as_path, paths))


def _as_path(source: Any) -> Any:
    """Return a name of a file as a file."""
    return File(source) if isinstance(source, str) else source


def names_of(
    paths: Sequence[str], names: str | None, noun: str = "system", least: int = 2
) -> list[str]:
    """Return the systems' names, which are distinct, one for each file.

    *names* are separated by commas; the default is the files' names without common
    beginnings and endings.
    """
    if len(paths) < least:
        raise InputError(f"only one {noun} is named; name two or more to compare")
    if names is None:
        base_names = [os.path.basename(path) for path in paths]
        if len(set(base_names)) < len(base_names):
            base_names = _differing_parts(paths)
        repeated = {name for name in base_names if base_names.count(name) > 1}
        short = short_names([*dict.fromkeys(base_names)])
        return [
            short[name] + f" ({1 + base_names[:k].count(name)})" * (name in repeated)
            for k, name in enumerate(base_names)
        ]
    chosen = names.split(",")
    if len(chosen) != len(paths) or len(set(chosen)) < len(chosen):
        raise InputError(
            f"--names gives {several(len(chosen), 'name')} to "
            f"{several(len(paths), noun)}; give each its own"
        )
    return chosen


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return names of files without their common beginning and ending.

    Names without a common file ending are names that somebody chose, and stay.

    >>> short_names(["dev.bart.amr.gz", "dev.t5-large.amr.gz"])
    {'dev.bart.amr.gz': 'bart', 'dev.t5-large.amr.gz': 't5-large'}
    """
    forward_and_reversed = names, [name[::-1] for name in names]
    n_common = (each[0][: _alike(each)] for each in forward_and_reversed)
    first, last = (len(re.sub(r"[^._-]+\Z", "", text)) for text in n_common)
    for first_part in (first, 0):
        short = {name: name[first_part : len(name) - last] for name in names}
        is_name = all(re.match(r"[^\W\d_]\S*\Z", name) for name in short.values())
        if len(names) > 1 and is_name and "." in names[0][len(names[0]) - last :]:
            return short
    return {name: name for name in names}


def _alike(sides: Iterable[Sequence[str]]) -> int:
    """Return the number of items that all sides begin with."""
    places = zip(*sides, strict=False)
    return sum(1 for _ in takewhile(lambda items: len({*items}) == 1, places))


def _differing_parts(paths: Sequence[str]) -> list[str]:
    """Return paths without the folders and file names that all have in common.

    >>> _differing_parts(["runs/bart/dev.amr", "runs/t5/dev.amr"])
    ['bart', 't5']
    """
    from pathlib import Path  # loaded for this alone

    parts = [Path(path).parts for path in paths]
    n_common = min(map(len, parts)) - 1
    first = min(_alike(parts), n_common)
    last = min(_alike([part_list[::-1] for part_list in parts]), n_common - first)
    return ["/".join(part_list[first : len(part_list) - last]) for part_list in parts]


Results: TypeAlias = "dict[str, dict[str, list[PairResult]]]"
"""Scores by metric and system, of the pairs that all systems have."""


class ScoredSystems(NamedTuple):
    """Scores of several systems, with ids, signatures and remarks."""

    results: Results  # of the pairs that count
    segments: tuple[str | None, ...]  # the id of every pair by its number
    signatures: tuple[str, ...]  # the metrics'
    remarks: tuple[str, ...]  # warnings about the files
    lost: Losses
    documents: Documents  # of the pairs


def score_systems(
    systems: Mapping[str, Graphs],
    golds: Graphs,
    options: Measuring,
    metrics: Sequence[Metric],
    reporter: Listener = SILENCE,
    choose: Callable[[Results], Counting] | None = None,
) -> ScoredSystems:
    """Score several systems, by name, against the same references.

    *choose* selects the pairs that count from all results.
    """
    files = {name: path for name, side in systems.items() for path in paths_of(side)}
    references = paths_of(golds)
    paths = [*references, *files.values()]
    refuse_pipes(paths)
    remarks_on_files = note_exchanged(references, files, reporter)
    note_profile(options, paths, metrics, reporter)
    reports = {}
    evaluations = []
    documents = Documents()
    for name, preds in systems.items():
        run = opened(preds, golds, options, metrics, reporter, notes_documents=True)
        reports[name] = finish(run, reporter, f"scoring {name}")
        evaluations.append(run.evaluation)
        documents = run.evaluation.documents or documents
    scored = {name: report.by_metric() for name, report in reports.items()}
    results: Results = {}
    for metric in metrics:
        by_system = {name: by_system[metric.name] for name, by_system in scored.items()}
        shared = sorted(set.intersection(*map(set, by_system.values())))
        if not shared:
            raise InputError(
                "the systems have no pair in common; there is nothing to test"
            )
        if len(shared) < len(set().union(*by_system.values())):
            reporter.note(
                f"{metric.name}: compared on the {several(len(shared), 'pair')} that "
                "all systems have"
            )
        results[metric.name] = {
            name: [pairs[index] for index in shared]
            for name, pairs in by_system.items()
        }
    signed = next(iter(reports.values()))
    if choose is not None:
        counting = choose(results)
        results = _only(results, counting.indices)
        counted = [pair for pair in signed.pairs if pair.index in counting.indices]
        evaluations[0].recount(counted, counting)
        signed = evaluations[0].report()
    ids = dict(chain.from_iterable(ids_of(pair).items() for pair in reports.values()))
    return ScoredSystems(
        results,
        tuple(ids.get(index) for index in range(max(ids) + 1)),
        tuple(score.signature for score in signed.scores),
        remarks_on_files,
        losses_of_systems(results),
        documents,
    )


def _only(results: Results, indices: Collection[int]) -> Results:
    """Return the results of the pairs with these numbers."""
    return {
        metric: {
            name: [pair for pair in pairs if pair.index in indices]
            for name, pairs in systems.items()
        }
        for metric, systems in results.items()
    }
