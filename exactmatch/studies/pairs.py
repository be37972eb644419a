"""The pairs that a question is about, of one system or several, read and scored."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, takewhile
from typing import Any, NamedTuple

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.formats.files import STANDARD_INPUT, is_read_once
from exactmatch.formats.formats import Format, format_by_name, get_format
from exactmatch.formats.mistaken_files import remarks
from exactmatch.metrics.base import Metric
from exactmatch.scoring.options import Evaluating, Measuring, Reading
from exactmatch.scoring.reading import profile_remarks
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener, Reporter
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.run import Run
from exactmatch.scoring.sources import Files, Items, Sources, paths_of
from exactmatch.scoring.tables import Losses, losses_of_systems
from exactmatch.studies.options import Graphs

SAMPLE = tuple(
    os.path.join(os.path.dirname(exactmatch.__file__), "sample", f"{side}.amr")
    for side in ("pred", "gold")
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
    """Open the pairs of :func:`sources_of` with settings that a question decides."""
    kept = {"keep_solutions": reporter.needs_solutions}
    settings = options.settings(**kept | more)
    return Run(sources_of(preds, golds, options), metrics, settings, reporter)


def sources_of(preds: Any, golds: Any, options: Reading) -> Sources:
    """Return where the pairs of a question come from, in memory or in files."""
    pred_paths, gold_paths = paths_of(preds), paths_of(golds)
    if len(pred_paths) == 1 and gold_paths:
        paths = [*pred_paths, *gold_paths]
        return Files(paths, options.how_read, options.framework)
    if pred_paths or gold_paths:
        raise InputError("one side is a file and the other is not; give two files")
    return Items(preds, golds, options.by_id)


def scored(
    preds: Any,
    golds: Any,
    options: Measuring,
    metrics: Sequence[Metric],
    reporter: Listener = SILENCE,
    what: str = "scoring",
    **more: Any,
) -> Report:
    """Score the pairs of :func:`opened`; the progress bar says *what* is done."""
    note_profile(options, [*paths_of(preds), *paths_of(golds)], metrics, reporter)
    run = opened(preds, golds, options, metrics, reporter, **more)
    return finish(run, reporter, what)


def finish(
    run: Run, reporter: Listener, what: str, *take: Callable[[PairResult], None]
) -> Report:
    """Bring the run of a question to its end, and say what it came to.

    The *reporter* is shown each pair, and hears of the end; *take* is told all, too.
    """
    takers = [*take] if reporter.show is None else [reporter.show, *take]

    def hear(result: PairResult) -> None:
        for taker in takers:
            taker(result)

    report = run.finish(hear if takers else None, what)
    reporter.scored(report)
    return report


def ids_of(report: Report) -> dict[int, str | None]:
    """Return the id of every pair by its number, of those left out, too."""
    left_out = {omission.index: omission.id for omission in report.omitted}
    return left_out | {pair.index: pair.id for pair in report.pairs}


def note_profile(
    options: Measuring,
    paths: Iterable[str],
    metrics: Sequence[Metric],
    reporter: Reporter,
) -> None:
    """Remark on what has no effect, and on other graphs that count as AMR's do."""
    for remark in options.unheeded(metrics):
        reporter.note(remark)
    if options.profile is None:
        for remark in profile_remarks(formats_of(options.format_in, paths), metrics):
            reporter.note(remark)


def note_exchanged(
    golds: Sequence[str], systems: Mapping[str, str], reporter: Reporter
) -> tuple[str, ...]:
    """Warn of files that look exchanged, or named twice; return what was said."""
    found = tuple(remarks(golds, systems))
    for remark in found:
        reporter.note(f"warning: {remark}")
    return found


def refuse_pipes(paths: Iterable[str]) -> None:
    """Refuse standard input and pipes where files are read more than once."""
    for path in sorted(filter(is_read_once, paths)):
        why = f"{path}: can be read only once, and every file is read more than once"
        if path == STANDARD_INPUT:
            why = "every file is read more than once, which standard input cannot be"
        raise InputError(f"{why}; save it as a file and name that")


def formats_of(format_in: str | None, paths: Iterable[str]) -> list[Format]:
    """Return the format that files are said to have, or those that their names say."""
    if format_in is not None:
        return [get_format(format_in)]
    return [known for path in paths if (known := format_by_name(path, ours=True))]


def names_of(
    paths: Sequence[str], names: str | None, what: str = "system", least: int = 2
) -> list[str]:
    """Return what systems are called: distinct, and as many as there are files.

    Their *names* are parted by commas; by default they are the files'.
    """
    if len(paths) < least:
        raise InputError(f"only one {what} is named; name two or more to compare")
    if names is None:
        own = [os.path.basename(path) for path in paths]
        if len(set(own)) < len(own):
            own = _told_apart(paths)
        repeated = {name for name in own if own.count(name) > 1}
        return [
            f"{name} ({1 + own[:k].count(name)})" if name in repeated else name
            for k, name in enumerate(own)
        ]
    given = names.split(",")
    if len(given) != len(paths) or len(set(given)) < len(given):
        raise InputError(
            f"--names gives {several(len(given), 'name')} to "
            f"{several(len(paths), what)}; give each its own"
        )
    return given


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return names of files as tables show them, without what all begin and end with.

    Names that have no ending of files in common are what somebody calls the systems,
    and stay.

    >>> short_names(["dev.bart.amr.gz", "dev.t5-large.amr.gz"])
    {'dev.bart.amr.gz': 'bart', 'dev.t5-large.amr.gz': 't5-large'}
    """
    both = names, [name[::-1] for name in names]
    alike = (each[0][: _alike(each)] for each in both)
    first, last = (len(re.sub(r"[^._-]+\Z", "", text)) for text in alike)
    for begun in (first, 0):
        short = {name: name[begun : len(name) - last] for name in names}
        is_name = all(re.match(r"[^\W\d_]\S*\Z", name) for name in short.values())
        if len(names) > 1 and is_name and "." in names[0][len(names[0]) - last :]:
            return short
    return {name: name for name in names}


def _alike(sides: Iterable[Sequence[str]]) -> int:
    """How many items all sides begin with."""
    places = zip(*sides, strict=False)
    return sum(1 for _ in takewhile(lambda own: len({*own}) == 1, places))


def _told_apart(paths: Sequence[str]) -> list[str]:
    """Paths without the folders and the file names that all have in common.

    >>> _told_apart(["runs/bart/dev.amr", "runs/t5/dev.amr"])
    ['bart', 't5']
    """
    from pathlib import Path  # loaded for this alone

    parts = [Path(path).parts for path in paths]
    most = min(map(len, parts)) - 1
    first = min(_alike(parts), most)
    last = min(_alike([own[::-1] for own in parts]), most - first)
    return ["/".join(own[first : len(own) - last]) for own in parts]


class ScoredSystems(NamedTuple):
    """Several systems' scores, by metric and system, of the pairs that all have."""

    results: dict[str, dict[str, list[PairResult]]]
    segments: tuple[str | None, ...]  # the id of every pair by its number
    signatures: tuple[str, ...]  # the metrics'
    remarks: tuple[str, ...]  # what looks wrong about the files
    lost: Losses


def score_systems(
    systems: Mapping[str, Graphs],
    golds: Graphs,
    options: Measuring,
    metrics: Sequence[Metric],
    reporter: Listener = SILENCE,
) -> ScoredSystems:
    """Score several systems, given by name, against the same references."""
    files = {name: path for name, side in systems.items() for path in paths_of(side)}
    references = paths_of(golds)
    paths = [*references, *files.values()]
    refuse_pipes(paths)
    said = note_exchanged(references, files, reporter)
    note_profile(options, paths, metrics, reporter)
    reports = {}
    for name, preds in systems.items():
        run = opened(preds, golds, options, metrics, reporter)
        reports[name] = finish(run, reporter, f"scoring {name}")
    scored = {name: report.by_metric() for name, report in reports.items()}
    results = {}
    for metric in metrics:
        found = {name: found[metric.name] for name, found in scored.items()}
        shared = sorted(set.intersection(*map(set, found.values())))
        if not shared:
            raise InputError(
                "the systems have no pair in common; there is nothing to test"
            )
        if len(shared) < len(set().union(*found.values())):
            reporter.note(
                f"{metric.name}: compared on the {several(len(shared), 'pair')} that "
                "all systems have"
            )
        results[metric.name] = {
            name: [pairs[index] for index in shared] for name, pairs in found.items()
        }
    ids = dict(chain.from_iterable(ids_of(one).items() for one in reports.values()))
    return ScoredSystems(
        results,
        tuple(ids.get(index) for index in range(max(ids) + 1)),
        tuple(score.signature for score in next(iter(reports.values())).scores),
        said,
        losses_of_systems(results),
    )
