"""``exactmatch duplicates``: graphs of a file that say nearly the same."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import Share, several
from exactmatch.cli import graphs, options, settings
from exactmatch.cli.answer import write_answer
from exactmatch.scoring.losses import with_losses
from exactmatch.views.tables import FORMATS, Column, Table, Tables


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="graphs, those of all files together; or a bank",
    )
    parser.add_argument(
        "--at-least",
        type=values.share,
        default=0.95,
        metavar="SCORE",
        help="the lowest score that counts (default: 0.95)",
    )
    options.add_format(parser.add_argument_group("reading"))
    graphs.add_comparing(parser, arguments, "graphs")
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Find every two graphs whose score is high; none is missed.

    Example:
      exactmatch duplicates graphs.amr --at-least 0.9
    """
    if not args.at_least > 0:
        raise InputError(
            "--at-least is 0, which every pair reaches; give a score above 0"
        )
    with atomic_output(args.output) as stream:
        write_answer(args, stream, _tables(args))
    return 0


def _tables(args: argparse.Namespace) -> Tables:
    from exactmatch.many.search import duplicates

    metric, given, names = graphs.bank_or_blocks(args, args.files)
    blocks = given if isinstance(given, list) else []
    asked = metric if isinstance(given, list) else None
    executor, workers = settings.workers_from(args)
    found = duplicates(
        given, args.at_least, metric=asked, workers=workers, executor=executor
    )
    rows = [
        {
            "first": d.first + 1,
            "second": d.second + 1,
            "first_id": names[d.first],
            "second_id": names[d.second],
            "score": d.score,
        }
        for d in found
    ]
    columns = (
        Column("first", "first"),
        Column("second", "second"),
        Column("first_id", "first graph"),
        Column("second_id", "second graph"),
        Column("score", "score", Share(4)),
    )
    note = f"{several(len(found), 'pair')} among {several(len(names), 'graph')}"
    signature = graphs.signature_of(metric, ("at-least", f"{args.at_least:g}"))
    tables = (Table("", columns, rows),) if rows or args.format != "text" else ()
    answer = Tables(
        "Duplicates",
        tables,
        {"pairs": rows, "signatures": [signature]},
        notes=(note,),
        signatures=(signature,),
    )
    return with_losses(answer, graphs.lost_in(args, blocks, metric, [(blocks, None)]))
