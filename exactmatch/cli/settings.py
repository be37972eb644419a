"""The arguments of a command line as objects of the library.

Each ``…_from`` function reads the parsed arguments of the options that
:mod:`exactmatch.cli.options` adds.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.provenance import name_of
from exactmatch.base.visible import visible
from exactmatch.scoring.reporter import Reporter
from exactmatch.studies import pairs

if TYPE_CHECKING:
    from concurrent.futures import Executor


def sources_from(
    args: argparse.Namespace, systems: bool = False
) -> tuple[list[str], bool]:
    """The files to read, predictions first, and whether they are the sample.

    Args:
        args: the parsed arguments.
        systems: whether there may be several files of predictions, of which the caller
            says what looks wrong.

    Raises:
        InputError: if there is one file only, ``--gold`` has no partner, or more than
            may be, or ``-`` stands twice.
    """
    of_smatch = getattr(args, "smatch_files", None) or ()
    paths = [*of_smatch, *args.pred_files, *args.files]
    if args.gold_files and len(paths) != 1 and not (systems and paths):
        found = (
            f"{several(len(paths), 'file')} of predictions"
            if paths
            else "no predictions"
        )
        raise InputError(f"--gold is given with {found}; name one with --pred")
    paths += args.gold_files
    if not paths:
        return list(pairs.SAMPLE), True
    if len(paths) == 1:
        raise InputError(
            f"only one file is named, {paths[0]!r}; name predictions and references"
        )
    if paths.count("-") > 1:
        raise InputError("standard input can be only one of the files")
    if not systems:
        pairs.note_exchanged(paths[1:], {name_of(paths[0]): paths[0]}, Notes(args))
    return paths, False


class Notes(Reporter):
    """Passes on remarks alone.

    Args:
        args: the options; ``--quiet`` counts.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args

    def note(self, text: str) -> None:
        note(self._args, text)


def workers_from(args: argparse.Namespace) -> tuple[Executor | None, int]:
    """The workers and their number; :func:`~exactmatch.cli.main.main` ends them.

    Raises:
        InputError: if there is no such engine, or it cannot be reached.
        MissingExtraError: if its package is not installed.
    """
    if args.executor is None:
        return None, args.jobs
    if args.workers is None:
        from exactmatch.scoring.executors import connect_executor

        args.workers = args.at_end.enter_context(connect_executor(args.executor))
    found: tuple[Executor | None, int] = args.workers
    return found


def solving_from(args: argparse.Namespace) -> dict[str, Any]:
    """The workers, their number, and when they must end."""
    executor, jobs = workers_from(args)
    found: dict[str, Any] = {"executor": executor, "jobs": jobs}
    if getattr(args, "total_time", None) is not None:
        found["until"] = args.started + args.total_time
    return found


def note(args: argparse.Namespace, text: str) -> None:
    """Tell the person at the keyboard something, unless they asked for quiet."""
    if not args.quiet:
        print(f"exactmatch: {visible(text)}", file=sys.stderr)
