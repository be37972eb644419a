"""``exactmatch finegrained``: how well single aspects of the graphs are matched."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from typing import get_args

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import several
from exactmatch.cli import options, settings
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.arguments import add_options, options_of
from exactmatch.cli.score import check_plot
from exactmatch.cli.terminal import (
    Terminal,
    finished,
    note_interruption,
    note_omissions,
)
from exactmatch.scoring.records import corpus_record
from exactmatch.scoring.report import Report
from exactmatch.scoring.sources import File
from exactmatch.studies.finegrained.options import (
    Documents,
    DocumentStyle,
    FinegrainedOptions,
)
from exactmatch.studies.finegrained.study import run_of, scores_of
from exactmatch.studies.finegrained.view import FineGrainedScores
from exactmatch.views.data import write_json
from exactmatch.views.tables import FORMATS

WAITING = (Documents.TITLE,)


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_input(parser)
    for cls in (FinegrainedOptions, Documents):
        add_options(parser.add_argument_group(cls.TITLE), Documents, _own(cls))
    options.add_solving(parser, cache=True)
    options.add_confidence(parser)
    options.add_output(parser, FORMATS)
    group = parser.add_argument_group("what is shown")
    group.add_argument("--per-pair", action="store_true", help="show every pair")
    group.add_argument(
        "--macro", action="store_true", help="average over pairs instead of summing"
    )
    group.add_argument(
        "--plot",
        metavar="FILE",
        help="draw the scores as bars: .png, .svg or .pdf",
    )


def _own(cls: type[FinegrainedOptions]) -> list[str]:
    """The options that no other command has."""
    shared = ("confidence", "cache")
    return [name for name in cls.OWN if name not in shared]


def run(args: argparse.Namespace) -> int:
    """Score single aspects: frames, names, negation, re-entrancies, agents, places.

    Where a score needs an alignment, it is the best one, proven.

    Example:
      exactmatch finegrained parsed.amr gold.amr
      exactmatch finegrained parsed.amr gold.amr --style amrlib --format csv
      exactmatch finegrained parsed.amr gold.amr --aspects main
      exactmatch finegrained parsed.umr gold.umr --style umr
    """
    check_plot(args)
    paths, _ = settings.sources_from(args)
    if len(paths) != 2:
        raise InputError(
            f"{len(paths)} files are named; finegrained compares one file of "
            "predictions with one of references"
        )
    terminal = Terminal(args)
    sides = {"preds": File(paths[0]), "golds": File(paths[1])}
    asked = options_of(Documents, args, **settings.solving_from(args), **sides)
    metrics = scores_of(asked, terminal)
    _note_style(args, paths)
    titles = {metric.name: metric.title for metric in metrics}
    scores = FineGrainedScores(args.per_pair, args.macro, titles=titles)
    with atomic_output(args.output) as stream:
        if args.format == "jsonl":
            scores.write_line = partial(write_json, stream)
        run = run_of(asked, metrics, terminal, keep_pairs=False)
        report = finished(run, terminal, take=[scores.take])
        write_answer(args, stream, scores.tables(report))
        if args.plot:
            _draw(args, report, titles)
    if not report.partial:
        _note_few(args, report)
    exit_code = terminal.finish(report.proofs)
    if args.format != "text":
        note_omissions(args, report)
    if report.partial:
        note_interruption(args)
        return 130
    return exit_code


def _note_style(args: argparse.Namespace, paths: list[str]) -> None:
    """Say so where documents are scored as AMR's graphs are."""
    formats = settings.formats_of(args, paths)
    names = {found.name for found in formats if found.profile == "umr"}
    for name in () if args.style in get_args(DocumentStyle) else sorted(names):
        text = f"graphs in format {name} are counted as AMR's are; --style umr counts "
        settings.note(args, f"{text}them by their own rules")


def _draw(args: argparse.Namespace, report: Report, titles: Mapping[str, str]) -> None:
    """Draw the F1 of every score."""
    from exactmatch.views.score_plots import ScoreBar, score_bars

    bars = []
    about = "F1, mean over pairs" if args.macro else "F1"
    for record in (corpus_record(score, args.macro) for score in report.scores):
        interval = None
        if record.get("score_low") is not None:
            interval = record["score_low"], record["score_high"]
        title = titles[record["metric"]]
        bars.append(ScoreBar(title, record["f1"], record["f1_upper"], interval))
    if any(bar.interval for bar in bars):
        about += f", {100 * args.confidence:g} % intervals"
    score_bars(args.plot, bars, shown_score(args), about)


def _note_few(args: argparse.Namespace, report: Report) -> None:
    """Say that there are no intervals, where there are too few pairs for any."""
    from exactmatch.stats.resampling import FEWEST

    pairs = max((score.defined for score in report.scores), default=0)
    few = sum(score.defined < FEWEST for score in report.scores)
    if args.confidence is None or not few:
        return
    what = f"no confidence intervals of {several(pairs, 'pair')}"
    if pairs >= FEWEST:
        what = f"no confidence intervals of {several(few, 'score')} that few pairs have"
    settings.note(args, f"{what}; they take {FEWEST} or more")
