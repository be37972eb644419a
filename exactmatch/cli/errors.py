"""``exactmatch errors``: which errors a parser makes, and what each costs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from exactmatch.base import values
from exactmatch.base.files import atomic_output
from exactmatch.cli import options, report
from exactmatch.cli.answer import write_answer
from exactmatch.views.tables import FORMATS


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    report.add_measured(parser, arguments, intervals=False)
    group = parser.add_argument_group("what is shown")
    group.add_argument(
        "--show",
        type=values.natural_int,
        default=5,
        metavar="N",
        help="types to show of each kind of error (default: 5)",
    )
    group.add_argument(
        "--per-pair", action="store_true", help="show each pair's edits, too"
    )
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Count role confusions, lost re-entrancies, and every other type of error.

    Each type has its count, the range of that count over all optimal alignments,
    and its share of the lost F1.

    Example:
      exactmatch errors parsed.amr gold.amr
      exactmatch errors parsed.amr gold.amr --per-pair
      exactmatch errors bart.amr gold.amr t5.amr --names BART,T5 --format latex
    """
    from exactmatch.scoring.losses import losses
    from exactmatch.studies.errors.view import tables

    report.checked_files(args)
    with atomic_output(args.output) as stream:
        about, exit_code = report.scored(args)
        found = {
            system.name: [answer.errors for answer in system.answers.values()]
            for system in about.systems
        }
        signatures = tuple(system.score.signature for system in about.systems)
        lost = {
            (system.name, *names): counts
            for system in about.systems
            for names, counts in losses(system.report.scores).items()
        }
        shown = tables(found, signatures, args.show, args.per_pair, lost)
        write_answer(args, stream, shown)
    return exit_code
