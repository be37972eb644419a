"""The pairs that a question is about, read and scored."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.files import STANDARD_INPUT, is_read_once
from exactmatch.formats.formats import Format, format_by_name, get_format
from exactmatch.formats.mistaken_files import remarks
from exactmatch.metrics.base import Metric
from exactmatch.scoring.reading import profile_remarks
from exactmatch.scoring.reporter import SILENCE, Listener, Reporter
from exactmatch.scoring.run import Run
from exactmatch.scoring.sources import Files, Items, Sources, paths_of

if TYPE_CHECKING:
    from exactmatch.scoring.options import Evaluating, Measuring, Reading
    from exactmatch.scoring.report import Report
    from exactmatch.scoring.results import PairResult

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
    """Open the pairs of a question for an evaluation.

    Args:
        preds, golds: both sides, in memory or as files.
        **more: settings that the question decides.

    Raises:
        InputError: if one side is a file and the other is not, or graphs cannot be
            paired.
    """
    kept = {"keep_solutions": reporter.needs_solutions}
    settings = options.settings(**kept | more)
    return Run(sources_of(preds, golds, options), metrics, settings, reporter)


def sources_of(preds: Any, golds: Any, options: Reading) -> Sources:
    """Return where the pairs of a question come from.

    Args:
        preds, golds: both sides, in memory or as files.

    Raises:
        InputError: if one side is a file and the other is not, or graphs cannot be
            paired.
    """
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
    """Score the pairs of a question; the arguments are those of :func:`opened`.

    Args:
        what: what the progress bar says.
    """
    note_profile(options, [*paths_of(preds), *paths_of(golds)], metrics, reporter)
    run = opened(preds, golds, options, metrics, reporter, **more)
    return finish(run, reporter, what)


def finish(
    run: Run, reporter: Listener, what: str, *take: Callable[[PairResult], None]
) -> Report:
    """Bring the run of a question to its end, and say what it came to.

    Args:
        reporter: hears of each pair, and of the end.
        what: what the progress bar says.
        *take: called with each pair's result, too.
    """
    takers = [*take] if reporter.show is None else [reporter.show, *take]
    if reporter.is_verbose:
        takers.insert(0, reporter.pair)

    def hear(result: PairResult) -> None:
        for taker in takers:
            taker(result)

    report = run.finish(hear if len(takers) > 1 else next(iter(takers), None), what)
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
    """Warn of files that look exchanged, or named twice; return what was said.

    Args:
        golds: the files of references.
        systems: each system's file, by its name.
    """
    found = tuple(remarks(golds, systems))
    for remark in found:
        reporter.note(f"warning: {remark}")
    return found


def refuse_pipes(paths: Iterable[str]) -> None:
    """Refuse standard input and pipes where files are read more than once.

    Raises:
        InputError: if one is among the paths.
    """
    for path in sorted(filter(is_read_once, paths)):
        if path == STANDARD_INPUT:
            raise InputError(
                "every file is read more than once, which standard input cannot be; "
                "save it as a file and name that"
            )
        raise InputError(
            f"{path}: can be read only once, and every file is read more than once; "
            "save it as a file and name that"
        )


def formats_of(format_in: str | None, paths: Iterable[str]) -> list[Format]:
    """Return the format that files are said to have, or those that their names say."""
    if format_in is not None:
        return [get_format(format_in)]
    return [known for path in paths if (known := format_by_name(path, ours=True))]
