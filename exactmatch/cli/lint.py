"""``exactmatch lint``: what is wrong with files of graphs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options
from exactmatch.cli.answer import write_answer
from exactmatch.graphs.profile import get_profile
from exactmatch.views.tables import FORMATS


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_files(parser, "files, folders")
    parser.add_argument(
        "--profile",
        type=values.name_in("exactmatch.graphs.profile:PROFILES"),
        metavar="NAME",
        help="say what this profile's reader loses or refuses, too",
    )
    options.add_format(parser)
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Say what is wrong with graphs; exit with 1 if anything is.

    Every graph is read as it stands. UMR documents are held against the guidelines.

    Example:
      exactmatch lint gold.amr document.umr graphs.mrp
      exactmatch lint --profile smatch parsed.amr
    """
    from exactmatch.studies.lint.lint import lint
    from exactmatch.studies.lint.view import tables

    if args.files.count("-") > 1:
        raise InputError("standard input can be only one of the files")
    profile = get_profile(args.profile) if args.profile else None
    with atomic_output(args.output) as stream:
        found = [
            finding
            for path in args.files
            for finding in lint(path, args.format_in, args.framework, profile)
        ]
        if found or not args.quiet or args.format != "text":
            write_answer(args, stream, tables(found))
    return 1 if found else 0
