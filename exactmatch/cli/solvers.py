"""``exactmatch solvers``: what can be used on this machine."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from exactmatch.solvers import SOLVERS, solver_class
from exactmatch.writing.data import write_json


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """List every solver: exact or not, installed or not, version, how to install.

    Example:
      exactmatch solvers
      exactmatch solvers --format json
    """
    rows = []
    for name in SOLVERS:
        cls = solver_class(name)
        installed = cls.is_available()
        rows.append(
            {
                "name": name,
                "exact": cls.exact,
                "installed": installed,
                "version": cls.version(),
                "install": None if installed else cls.install,
                "summary": cls.summary,
            }
        )
    if args.format == "json":
        write_json(sys.stdout, rows, indent=2)
        return 0
    head = ("solver", "exact", "installed", "version", "what it does")
    table = [head] + [
        (
            str(row["name"]),
            "yes" if row["exact"] else "no",
            "yes" if row["installed"] else f"no: {row['install']}",
            str(row["version"] or "-"),
            str(row["summary"]),
        )
        for row in rows
    ]
    widths = [max(len(line[k]) for line in table) for k in range(len(head))]
    for line in table:
        cells = [c.ljust(w) for c, w in zip(line, widths, strict=True)]
        print("  ".join(cells).rstrip())
    return 0
