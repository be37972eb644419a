"""``exactmatch score``, which is also plain ``exactmatch``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TextIO

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.inputs import provenance
from exactmatch.base.numbers import several
from exactmatch.cli import options, settings
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.terminal import (
    Terminal,
    finished,
    note_interruption,
    note_omissions,
)
from exactmatch.metrics.aligning import aligning
from exactmatch.metrics.base import Metric
from exactmatch.scoring.records import corpus_record, pair_record
from exactmatch.scoring.report import Report
from exactmatch.scoring.results import CorpusScore, PairResult
from exactmatch.scoring.run import Run, open_files
from exactmatch.scoring.sentences import with_sentences
from exactmatch.scoring.sources import Files
from exactmatch.scoring.tables import above_1, is_above_1, shown_ratios
from exactmatch.studies.score.score import Scores, smatch_lines
from exactmatch.views.tables import FORMATS
from exactmatch.views.text import write_lines


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser, as_smatch=True)
    options.add_measuring(parser, arguments, cache=True, several=True)
    options.add_confidence(parser)
    options.add_output(parser, FORMATS)
    parser.add_argument(
        "--certificates",
        metavar="FILE",
        help="write every pair's proof, to be checked by 'exactmatch verify'",
    )
    group = parser.add_argument_group("what is shown")
    add_score_only(group)
    group.add_argument("--per-pair", action="store_true", help="show every pair")
    group.add_argument(
        "--macro", action="store_true", help="average over pairs instead of summing"
    )
    group.add_argument(
        "--ms", action="store_true", help="as smatch: one F-score line for each pair"
    )
    group.add_argument(
        "--pr", action="store_true", help="as smatch: precision and recall lines too"
    )
    add_plot(group)


def add_score_only(group: argparse._ArgumentGroup) -> None:
    """Add that only numbers are printed."""
    group.add_argument(
        "-b",
        "--score-only",
        action="store_true",
        help="print the number alone",
    )


def add_plot(group: argparse._ArgumentGroup, of: str = "pairs") -> None:
    """Add a picture of the scores of pairs."""
    group.add_argument(
        "--plot",
        metavar="FILE",
        help=f"draw the scores of {of}: .png, .svg or .pdf",
    )


def check_plot(args: argparse.Namespace) -> None:
    """Refuse a picture that could not be drawn, before any work is done."""
    if args.plot is not None:
        from exactmatch.views.pictures import check

        check(args.plot)


def run(args: argparse.Namespace) -> int:
    """Score predicted graphs against references, to the proven optimum.

    Example:
      exactmatch parsed.amr gold.amr
      exactmatch parsed.amr gold.amr --solver cpsat --per-pair
      exactmatch parsed.amr gold.amr --metric smatch,s2match,sembleu --format json
      exactmatch parsed.amr gold.amr --per-pair --format html -o scores.html
      exactmatch -f parsed.amr gold.amr --pr
    """
    check_plot(args)
    paths, is_sample = settings.sources_from(args)
    metrics = settings.measuring_from(args).climbing(settings.Notes(args).note)
    terminal = Terminal(args)
    if args.metric == "all":
        chosen = settings.settings_from(args)
        metrics = with_sentences(
            metrics,
            Files(paths, chosen.format_in, chosen.framework),
            chosen,
            terminal,
        )
    if is_sample:
        settings.note(
            args,
            "no files named: scoring the bundled sample; to score your own: "
            "exactmatch PRED GOLD",
        )
    settings.note_profile(args, paths, metrics)
    with _certificates(args, metrics) as writers:
        chosen = settings.settings_from(
            args,
            intervals=settings.intervals_from(args),
            keep_pairs=False,
            keep_solutions=args.per_pair or args.ms or terminal.is_verbose,
            partial=True,
        )
        run = partial(open_files, paths, metrics, chosen, terminal)
        return shown(args, run, terminal, writers)


def shown(
    args: argparse.Namespace,
    opened: Callable[[], Run],
    terminal: Terminal,
    take: Sequence[Callable[[PairResult], None]] = (),
) -> int:
    """Score pairs, and write the scores as the options say.

    Args:
        args: the options of what is shown, and of the output.
        opened: opens the evaluation, once it is known that its answer can be written.
        terminal: hears how it goes.
        take: called with each pair's result.

    Returns:
        The exit code.
    """
    _say_what_has_no_effect(args)
    short = not (args.per_pair or args.ms)
    drawn = _PairScores()
    with atomic_output(args.output, short=short) as stream:
        show, finish = _shown_as(args, stream)
        takers = [show, drawn.take, *take] if args.plot else [show, *take]
        report = finished(opened(), terminal, take=takers)
        finish(report)
        if args.plot:
            drawn.draw(args, report)
    _notes(args, report)
    exit_code = terminal.finish(report.proofs)
    if report.partial:
        note_interruption(args)
        return 130
    return exit_code


class _PairScores:
    """Keeps every pair's score under each metric, to draw them."""

    def __init__(self) -> None:
        self._values: dict[str, list[float]] = {}

    def take(self, result: PairResult) -> None:
        """Keep a pair's score."""
        if result.score.is_defined:
            self._values.setdefault(result.metric, []).append(result.score.score)

    def draw(self, args: argparse.Namespace, report: Report) -> None:
        """Draw the scores of each metric, with that of the corpus."""
        from exactmatch.views.score_plots import ScoreHistogram, pair_histograms

        panels = []
        for score in report.scores:
            corpus = corpus_record(score, args.macro)["score"]
            values = self._values.get(score.metric, ())
            shown = shown_score(args)(corpus)
            panels.append(ScoreHistogram(score.metric, values, corpus, shown))
        pair_histograms(args.plot, panels)


@contextmanager
def _certificates(
    args: argparse.Namespace, metrics: Sequence[Metric]
) -> Iterator[list[Callable[[PairResult], None]]]:
    """Prepare for writing certificates, if that is asked for."""
    if args.certificates is None:
        yield []
        return
    searching = [aligning(m) for m in metrics if m.aligns]
    if len(searching) != 1:
        raise InputError(
            "--certificates are of one metric; name one that searches, such as smatch, "
            "with --metric"
        )
    from exactmatch.scoring.proofs import PAIRING, CertificateWriter

    settings_now = settings.settings_from(args)
    pairing = {name: getattr(settings_now, name) for name in PAIRING}
    with atomic_output(args.certificates) as stream:
        paths, _ = settings.sources_from(args)
        yield [CertificateWriter(stream, searching[0], pairing, paths).pair]


def _shown_as(
    args: argparse.Namespace, stream: TextIO
) -> tuple[Callable[[PairResult], None], Callable[[Report], None]]:
    """What takes each pair's result, and what writes the report at the end."""
    if _is_smatch(args):
        digits = 2 if args.significant is None else args.significant

        def write_pair(result: PairResult) -> None:
            if args.ms:
                write_lines(stream, smatch_lines(pair_record(result), digits, args.pr))

        def write_corpus(report: Report) -> None:
            for score in () if args.ms else report.scores:
                write_lines(stream, smatch_lines(corpus_record(score), digits, args.pr))

        return write_pair, write_corpus
    digits = 4 if args.significant is None else args.significant
    if args.score_only:
        return _ignored, partial(_write_numbers, args, stream)
    scores = Scores(args.per_pair or args.ms, args.macro, digits)
    if args.format == "jsonl":
        from exactmatch.views.data import write_json

        scores.write_line = partial(write_json, stream)
    return scores.take, lambda report: write_answer(args, stream, scores.tables(report))


def _ignored(_: PairResult) -> None:
    """Take a pair of which nothing is shown."""


def _write_numbers(args: argparse.Namespace, stream: TextIO, report: Report) -> None:
    """Write each metric's score, where it is not proven with its bound."""
    written = shown_score(args)
    for score in report.scores:
        record = corpus_record(score, args.macro)
        ratios = shown_ratios(record)
        write_lines(stream, [written(ratios["_score"])])


def _say_what_has_no_effect(args: argparse.Namespace) -> None:
    if args.score_only:
        what = "-b, which prints the score"
        others = ["per_pair", "ms", "pr", "short", "confidence"]
        if args.format != "text":
            settings.note(args, f"--format {args.format} has no effect on {what}")
    elif _is_smatch(args):
        what, others = "smatch's own lines", ["percent", "short", "macro"]
    else:
        return
    for name in others:
        if getattr(args, name) not in (None, False):
            settings.note(args, f"--{name.replace('_', '-')} has no effect on {what}")


def _is_smatch(args: argparse.Namespace) -> bool:
    """Whether smatch's own lines are asked for."""
    as_smatch = args.ms or args.pr or args.smatch_files
    other = args.score_only or args.per_pair or args.format != "text"
    return bool(as_smatch and not other)


def _note_too_few(args: argparse.Namespace, found: CorpusScore) -> None:
    """Say so where there are too few pairs for an interval."""
    from exactmatch.stats.resampling import FEWEST

    if found.pairs < FEWEST:
        settings.note(
            args,
            f"{found.metric}: no confidence interval of "
            f"{several(found.pairs, 'pair')}; it "
            f"takes {FEWEST} or more",
        )


def _is_empty(found: CorpusScore) -> bool:
    """Whether a metric that counts has counted nothing on either side."""
    record = corpus_record(found)
    return record.get("pred_total") == 0 and record.get("gold_total") == 0


def _notes(args: argparse.Namespace, report: Report) -> None:
    """What must not be missed where standard output has no place for it."""
    for found in report.scores:
        if is_above_1(found):
            settings.note(args, f"warning: {above_1(found)}")
        if args.confidence is not None and not report.partial:
            _note_too_few(args, found)
        chosen = getattr(args, "roles", None) or getattr(args, "except_roles", None)
        if chosen and _is_empty(found):
            settings.note(
                args,
                f"warning: {found.metric}: nothing counts on either side: no graph "
                "has what --only and --except leave",
            )
    if args.format == "text" and not (_is_smatch(args) or args.score_only):
        return
    for score in report.scores:
        if score.proven is not None and score.proven < score.pairs:
            settings.note(
                args,
                f"{score.metric}: {score.pairs - score.proven} of {score.pairs} pairs "
                "are not proven optimal",
            )
        if args.format == "text":
            settings.note(args, f"signature: {score.signature}")
    if _is_smatch(args):
        settings.note(args, provenance().line())
    note_omissions(args, report)
