"""``exactmatch plugins``: what other packages add, and whether it can be imported."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from exactmatch.base.files import atomic_output
from exactmatch.base.registry import Registry
from exactmatch.cli import options
from exactmatch.cli.answer import write_answer
from exactmatch.cli.commands import COMMANDS
from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics import METRICS
from exactmatch.solvers import SOLVERS
from exactmatch.views import tables
from exactmatch.views.tables import Column, Table, Tables

REGISTRIES: tuple[Registry[Any], ...] = (
    METRICS,
    SOLVERS,
    FORMATS,
    PROFILES,
    COMMANDS,
)


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_output(parser, tables.FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """List the metrics, solvers, formats, profiles and commands of other packages.

    A package declares what it adds as entry points, of the groups
    exactmatch.metrics, .solvers, .formats, .profiles and .commands.

    Example:
      exactmatch plugins
      exactmatch plugins --format json
    """
    rows = [row for registry in REGISTRIES for row in _rows(registry)]
    columns = (
        Column("kind", "kind", is_text=True),
        Column("name", "name", is_text=True),
        Column("package", "package", is_text=True),
        Column("place", "place", is_text=True),
        Column("problem", "problem", lambda text: text or "-", is_text=True),
    )
    notes = () if rows else ("no installed package adds anything to exactmatch",)
    found = Tables(
        "Plug-ins",
        (Table("", columns, rows),),
        {"plugins": rows},
        notes=notes,
    )
    with atomic_output(args.output, short=True) as stream:
        write_answer(args, stream, found)
    return 0


def _rows(registry: Registry[Any]) -> Iterator[dict[str, Any]]:
    """Yield what other packages declare, with what keeps a row from being used."""
    for row in registry.declared():
        yield {
            "kind": registry.kind,
            "name": row.name,
            "package": row.package,
            "place": row.place,
            "problem": registry.problem(row),
        }
