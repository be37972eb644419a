"""``exactmatch solvers``: what can be used on this machine."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from exactmatch.base.files import atomic_output
from exactmatch.cli import options
from exactmatch.cli.answer import write_answer
from exactmatch.cli.message import say_where_interpreted
from exactmatch.solvers import SOLVERS, solver_class
from exactmatch.studies.score.solvers import tables
from exactmatch.views.tables import FORMATS


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """List every solver: exact or not, installed or not, version, how to install.

    Example:
      exactmatch solvers
      exactmatch solvers --format json
    """
    with atomic_output(args.output, short=True) as stream:
        write_answer(args, stream, tables([_row(name) for name in SOLVERS]))
    say_where_interpreted()
    return 0


def _row(name: str) -> dict[str, Any]:
    cls = solver_class(name)
    installed = cls.is_available()
    return {
        "name": name,
        "exact": cls.exact,
        "installed": installed,
        "version": cls.version(),
        "install": None if installed else cls.install,
        "summary": cls.summary,
    }
