"""``exactmatch finegrained``: how well single aspects of the graphs are matched."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import several
from exactmatch.base.solver_errors import unknown
from exactmatch.cli import options, settings
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.arguments import add_options
from exactmatch.cli.lists import Listing
from exactmatch.cli.score import check_plot
from exactmatch.cli.terminal import (
    Terminal,
    evaluated,
    note_interruption,
    note_omissions,
)
from exactmatch.metrics.base import Metric
from exactmatch.scoring.records import corpus_record
from exactmatch.scoring.report import Report
from exactmatch.solvers.base import Solver
from exactmatch.studies.options import Counting
from exactmatch.studies.score.finegrained import FineGrainedScores
from exactmatch.views.data import write_json
from exactmatch.views.tables import FORMATS

DOCUMENT_STYLES = ("umr", "umatch")
"""The styles that are tables of documents."""

DOCUMENTS = "documents (--style umr)"

WAITING = (DOCUMENTS,)


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_input(parser)
    group = parser.add_argument_group("scores")
    group.add_argument(
        "--style",
        choices=("exact", "amrlib", "damonte", *DOCUMENT_STYLES),
        default="exact",
        help="exact (default), or as amrlib or Damonte's tool would score with the "
        "best alignments; umr and umatch: the shared task's table of UMR documents",
    )
    group.add_argument(
        "--aspects",
        nargs="?",
        choices=("realign", "main"),
        const="realign",
        help="score agents, places, times and so on instead: each aligned anew "
        "(realign), or read off the alignment of the whole graphs (main), with the "
        "range over all its optima",
    )
    group.add_argument(
        "--only",
        action=Listing,
        metavar="NAME[,NAME…]",
        help="these scores alone; names as in --format json, or of documents any :role",
    )
    group = parser.add_argument_group(DOCUMENTS)
    add_options(group, Counting, ("align", "ignore_unannotated"))
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
    metrics = _metrics(args, settings.solver_from(args))
    if len(paths) != 2:
        raise InputError(
            f"{len(paths)} files are named; finegrained compares one file of "
            "predictions with one of references"
        )
    _note_style(args, paths)
    titles = {metric.name: metric.title for metric in metrics}
    scores = FineGrainedScores(args.per_pair, args.macro, titles=titles)
    terminal = Terminal(args)
    with atomic_output(args.output) as stream:
        if args.format == "jsonl":
            scores.write_line = partial(write_json, stream)
        report = evaluated(
            args,
            metrics,
            paths,
            terminal,
            take=[scores.take],
            intervals=settings.intervals_from(args),
            keep_pairs=False,
            partial=True,
        )
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
    for name in () if args.style in DOCUMENT_STYLES else sorted(names):
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


def _metrics(args: argparse.Namespace, solver: Solver) -> list[Metric]:
    """The scores that the arguments ask for."""
    _check_style(args)
    names = [] if args.only is None else args.only.split(",")
    if args.style in DOCUMENT_STYLES:
        roles = [name[1:].lower() for name in names if name.startswith(":")]
        every = _of_documents(args, solver, roles)
        names = [name for name in names if not name.startswith(":")] + roles
    elif args.aspects:
        from exactmatch.metrics.finegrained.aspects import aspects

        every = aspects(args.aspects, solver, args.max_terms)
    else:
        from exactmatch.metrics.finegrained.scores import finegrained

        every = finegrained(args.style, solver, args.max_terms)
    if not names:
        return every
    known = {metric.name: metric for metric in every}
    for name in names:
        if name not in known:
            raise InputError(f"--only: {unknown('score', name, known)}")
    return [known[name] for name in known if name in names]


def _check_style(args: argparse.Namespace) -> None:
    """Refuse options that the style has no use for.

    Raises:
        InputError: if one is given.
    """
    if args.aspects and args.style != "exact":
        raise InputError(f"--aspects is for --style exact, not {args.style!r}")
    for flag, value in (
        ("--align", args.align),
        ("--ignore-unannotated", args.ignore_unannotated),
    ):
        if value and args.style != "umr":
            raise InputError(f"{flag} is for --style umr, not {args.style!r}")


def _of_documents(
    args: argparse.Namespace, solver: Solver, roles: Sequence[str]
) -> list[Metric]:
    """The rows of the table of documents, and those of roles that are named."""
    from exactmatch.metrics.umr.scores import umatch_scores, umr_scores

    if args.style == "umatch":
        return umatch_scores(roles)
    return umr_scores(
        solver, args.max_terms, args.align, args.ignore_unannotated, roles
    )
