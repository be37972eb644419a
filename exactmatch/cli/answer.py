"""Write the answer of a command in the format of its options."""

import argparse
import os
import sys
from typing import TextIO

from exactmatch.base.files import takes_colour
from exactmatch.base.inputs import provenance
from exactmatch.base.numbers import Real, Share
from exactmatch.base.visible import visible
from exactmatch.cli.message import note
from exactmatch.graphs.profile import PROFILES
from exactmatch.views.tables import Histogram, Intervals, Tables, write

_FOR_PROGRAMS = ("json", "jsonl", "csv", "parquet")


def write_answer(args: argparse.Namespace, stream: TextIO, tables: Tables) -> None:
    """Write an answer in the format that ``--format`` names."""
    if args.percent:
        if args.format in _FOR_PROGRAMS:
            note(args, f"--percent has no effect on {args.format}, which has shares")
        elif not _shows(tables, Share):
            note(args, "--percent has no effect here: there are no scores")
        tables = tables._replace(
            tables=[table.in_percent() for table in tables.tables],
            details=[table.in_percent() for table in tables.details],
            numbers=tables.numbers and tables.numbers.in_percent(),
        )
    if args.decimals is not None:
        tables = _with_digits(args, tables)
    if args.format not in _FOR_PROGRAMS:
        hidden = (line for table in tables.tables[:1] for line in table.hidden("text"))
        tables = tables._replace(notes=[*tables.notes, *hidden])
    if args.short:
        if args.format in _FOR_PROGRAMS:
            note(args, f"--short has no effect on {args.format}")
        elif not tables.signatures:
            note(args, "--short has no effect here: there is no signature")
        short = [shortened(signature) for signature in tables.signatures]
        tables = tables._replace(signatures=short)
    if args.comments and args.format != "csv":
        note(args, f"--comments has no effect on {args.format}; it is for csv")
    if not (args.short and args.format == "text"):
        origin = provenance()
        tables = tables._replace(provenance=origin)
        if args.comments and args.format == "csv":
            comment_lines = [f"signature: {line}" for line in tables.signatures]
            comment_lines.append(origin.line())
            stream.writelines(f"# {visible(line)}\n" for line in comment_lines)
        elif args.format in (
            "jsonl",
            "csv",
            "parquet",
        ):  # their lines hold only results
            note(args, origin.line())
    if args.format == "text" and args.output is None:
        tables = tables._replace(is_coloured=takes_colour(sys.stdout))
        if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal():
            from shutil import get_terminal_size

            tables = tables._replace(room=get_terminal_size().columns)
    number_alone = args.quiet or getattr(args, "score_only", False)
    if number_alone and args.format == "text" and tables.numbers is not None:
        (column,), rows = tables.numbers[1:3]
        stream.writelines(f"{column.cell(row)}\n" for row in rows)
        return
    write(stream, tables, args.format)


def shortened(signature: str) -> str:
    """Return the signature without the fields that the name of its profile implies.

    Fields that options have changed stay.

    >>> shortened(
    ...     "metric:smatch|profile:smatch|read:smatch|case:smatch|top:constant|"
    ...     "dup:product|solver:auto|proven:2/2|version:0.1.0"
    ... )
    'metric:smatch|profile:smatch|solver:auto|proven:2/2|version:0.1.0'
    """
    parts = signature.split("|")
    names = [part.partition(":")[2] for part in parts if part.startswith("profile:")]
    if len(names) != 1 or names[0] not in PROFILES:
        return signature
    implied = {f"{key}:{value}" for key, value in PROFILES[names[0]].signature()[1:]}
    return "|".join(part for part in parts if part not in implied)


def shown_score(args: argparse.Namespace) -> Share:
    """Return the writer of scores outside of tables."""
    share = Share(4 if args.decimals is None else args.decimals)
    return share.in_percent() if args.percent else share


def _with_digits(args: argparse.Namespace, tables: Tables) -> Tables:
    fault = "--significant has no effect"
    if args.format in _FOR_PROGRAMS:
        note(args, f"{fault} on {args.format}, which has full precision")
        return tables
    rounded = tables._replace(
        tables=[table.with_digits(args.decimals) for table in tables.tables],
        details=[table.with_digits(args.decimals) for table in tables.details],
        numbers=tables.numbers and tables.numbers.with_digits(args.decimals),
        charts=[_drawn(chart, args.decimals) for chart in tables.charts],
    )
    if not tables.tells_scores and not _shows(tables, Real):
        note(args, f"{fault} here: there are no scores")
    return rounded


def _drawn(chart: Histogram | Intervals, digits: int) -> Histogram | Intervals:
    """Return the chart with *digits* decimals; a histogram has them already."""
    if isinstance(chart, Intervals) and isinstance(chart.shown, Real):
        return chart._replace(shown=chart.shown.with_digits(digits))
    return chart


def _shows(tables: Tables, kind: type[Real]) -> bool:
    return any(
        isinstance(column.shown, kind)
        for table in (*tables.tables, *tables.details)
        for column in table.columns
    )
