"""``exactmatch data``: public test sets by name."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options, settings
from exactmatch.cli.answer import write_answer
from exactmatch.formats.public_sets import (
    SETS,
    PublicSet,
    fetch,
    folder_of,
    is_here,
    public_set,
)
from exactmatch.studies.score.public_sets import described, tables
from exactmatch.views.tables import FORMATS

ACTIONS = ("list", "get")


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    parser.add_argument(
        "action", metavar="list|get", choices=ACTIONS, help="what to do"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="test sets")
    parser.add_argument(
        "-y",
        "--yes",
        action="store_true",
        help="fetch without being asked; address and licence are shown all the same",
    )
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """List public test sets, or fetch them; then @NAME is a file for every command.

    Address, version, checksum and licence are shown before anything is fetched.
    What is fetched is kept in the cache folder. A set whose licence forbids that is
    only pointed to.

    Example:
      exactmatch data list
      exactmatch data get lp-1.6 lp-3.0
      exactmatch @lp-1.6 @lp-3.0 --by-id
    """
    if args.action == "list":
        chosen = [public_set(name) for name in args.names] or list(SETS.values())
        with atomic_output(args.output, short=True) as stream:
            rows = [(found, is_here(found), folder_of(found)) for found in chosen]
            write_answer(args, stream, tables(rows))
        return 0
    if not args.names:
        raise InputError("name the test sets to get; 'exactmatch data list' lists them")
    for found in [public_set(name) for name in args.names]:
        _get(args, found)
    return 0


def _get(args: argparse.Namespace, found: PublicSet) -> None:
    """Show what a set is, ask, and fetch it."""
    for line in described(found):
        print(line, file=sys.stderr)
    if not found.sources:
        raise InputError(
            f"{found.name} cannot be fetched from here; get it at {found.home}"
        )
    if is_here(found):
        settings.note(args, f"{found.name} is here already: {folder_of(found)}")
        return
    if not (args.yes or _agreed()):
        raise InputError(f"{found.name} was not fetched; --yes fetches without asking")
    place = fetch(found, lambda sentence: settings.note(args, sentence))
    settings.note(args, f"kept in {place}; now @{found.name} is a file")


def _agreed() -> bool:
    """Whether the person at the keyboard says yes; where nobody is, nobody does."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print("fetch it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
