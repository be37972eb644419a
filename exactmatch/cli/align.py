"""``exactmatch align``: which variables correspond, and which triples differ."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options, settings
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.terminal import Terminal, note_omissions
from exactmatch.engine.explain import explain
from exactmatch.engine.preferred import believed
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.run import open_files
from exactmatch.solvers.solution import Limits
from exactmatch.studies.align.align import Alignments
from exactmatch.studies.align.align_page import Explained
from exactmatch.studies.align.selection import Selection
from exactmatch.views.tables import FORMATS


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    group = parser.add_argument_group("what is shown")
    group.add_argument(
        "--id",
        action="append",
        default=[],
        metavar="ID",
        help="show the pair of this '# ::id' only; may be given several times",
    )
    group.add_argument(
        "--worst",
        type=values.positive_int,
        metavar="N",
        help="show the N pairs of the lowest scores, the worst first",
    )
    group.add_argument(
        "--below",
        type=values.share,
        metavar="SCORE",
        help="show pairs that score less, such as 0.6 or 60",
    )
    group.add_argument(
        "--differences",
        action="store_true",
        help="show what differs only: no matched triples, no variables of equal "
        "concepts, no pairs without a difference",
    )
    options.add_measuring(parser, arguments, ALIGNING)
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Show how variables are aligned and which triples match, miss, or are extra.

    Of several optimal alignments the most plausible is shown: the one with most
    pairs that share words (where graphs are aligned with words), then most pairs of
    equal concepts. Pairs that other optimal alignments may lack are "not certain".

    Example:
      exactmatch align parsed.amr gold.amr
      exactmatch align parsed.amr gold.amr --id lpp_1943.12
      exactmatch align parsed.amr gold.amr --worst 10 --differences
      exactmatch align parsed.amr gold.amr --format jsonl -o alignments.jsonl
      exactmatch align parsed.amr gold.amr --format html -o alignments.html
    """
    paths, _ = settings.sources_from(args)
    (metric, *others) = settings.measuring_from(args).aligning(
        settings.solver_from(args)
    )
    if others:
        raise InputError("alignments are of one metric; name one with --metric")
    settings.note_profile(args, paths, [metric])
    terminal = Terminal(args)
    chosen = settings.settings_from(args, keep_graphs=True, keep_problems=True)
    selection = Selection(tuple(args.id), args.below, args.worst)
    with (
        atomic_output(args.output) as stream,
        Alignments(
            stream,
            args.format,
            metric.title,
            graded=metric.name != "smatch",
            differences=args.differences,
            number=shown_score(args),
        ) as alignments,
    ):
        opened = open_files(paths, metric, chosen, terminal)
        with closing(opened.results("aligning")) as results:
            for result in selection.of(_told(results, terminal)):
                alignments.take(_explained(chosen.limits, metric, result))
        report = opened.report()
        write_answer(args, stream, alignments.tables(report))
    exit_code = terminal.finish(report.proofs)
    note_omissions(args, report)
    return exit_code


def _told(results: Iterable[PairResult], terminal: Terminal) -> Iterator[PairResult]:
    """Pass results on, and say how each was found."""
    for result in results:
        terminal.pair(result)
        yield result


def _explained(
    limits: Limits, metric: AligningMetric[Any], result: PairResult
) -> Explained:
    """The most plausible optimal alignment, and what it matches."""
    shown = believed(result.stated_problem, result.solved, metric.solver, limits)
    found = explain(
        result.pred, result.gold, metric.profile, shown.alignment, shown.certain
    )
    uncertain = frozenset(
        v
        for v, partner in enumerate(shown.alignment)
        if result.score.proven and partner != -1 and v not in shown.certain
    )
    return Explained(result, found, shown.alignment, uncertain)
