"""What a command found out, written as the person asked for it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TextIO

from exactmatch.cli.settings import note
from exactmatch.report.signatures import shortened
from exactmatch.writing.numbers import Share
from exactmatch.writing.tables import Table, Tables, write

_FOR_PROGRAMS = ("json", "jsonl", "csv")


def write_answer(args: argparse.Namespace, stream: TextIO, tables: Tables) -> None:
    """Write everything in the format that ``--format`` names.

    Args:
        args: the options of :func:`~exactmatch.cli.options.add_output`.
        stream: where to.
        tables: what was found out.
    """
    if args.percent:
        if args.format in _FOR_PROGRAMS:
            note(args, f"--percent has no effect on {args.format}, which has shares")
        elif not any(_has_scores(t) for t in (*tables.tables, *tables.details)):
            note(args, "--percent has no effect here: there are no scores")
        tables = replace(
            tables,
            tables=[table.in_percent() for table in tables.tables],
            details=[table.in_percent() for table in tables.details],
        )
    if args.short:
        if args.format in _FOR_PROGRAMS:
            note(args, f"--short has no effect on {args.format}")
        elif not tables.signatures:
            note(args, "--short has no effect here: there is no signature")
        short = [shortened(signature) for signature in tables.signatures]
        tables = replace(tables, signatures=short)
    write(stream, tables, args.format)


def _has_scores(table: Table) -> bool:
    return any(isinstance(column.shown, Share) for column in table.columns)
