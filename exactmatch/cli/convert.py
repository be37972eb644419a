"""``exactmatch convert``: graphs of one format in another."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options
from exactmatch.cli.terminal import Terminal
from exactmatch.formats.conversion import converted, format_of_name
from exactmatch.formats.formats import get_format


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_files(parser, "files, folders")
    parser.add_argument(
        "--to",
        type=values.name_in("exactmatch.formats.formats:FORMATS"),
        metavar="NAME",
        help="the format to write (default: what the name after -o ends in)",
    )
    options.add_format(parser)
    parser.add_argument(
        "--lossy",
        action="store_true",
        help="write graphs although something is lost, and say what",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="default: the terminal")
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.add_argument("-v", "--verbose", action="store_true", help="every warning")


def run(args: argparse.Namespace) -> int:
    """Write graphs in another format, where nothing is lost, or say what would be.

    Example:
      exactmatch convert gold.amr --to node-link -o gold.json
      exactmatch convert document.umr -o document.json
      exactmatch convert graphs.mrp --to triples
    """
    if args.to is None and args.output is None:
        raise InputError("name a format by --to, or a file to write by -o")
    target = get_format(args.to) if args.to else format_of_name(args.output)
    terminal = Terminal(args)
    with atomic_output(args.output) as stream:
        first = True
        for path in args.files:
            for text in converted(
                path,
                target,
                format_in=args.format_in,
                framework=args.framework,
                lossy=args.lossy,
                warn=terminal.warn,
            ):
                between = "" if first or target.one_a_line else "\n"
                stream.write(between + text.rstrip("\n") + "\n")
                first = False
    if first:
        terminal.note("no graph was found")
    terminal.sum_up()
    return 0
