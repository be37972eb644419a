"""Metrics, solvers, formats, profiles and commands of plug-ins."""

from dataclasses import dataclass
from typing import Any

from exactmatch.base.options import Options
from exactmatch.base.registry import KINDS, Registry, registry_of
from exactmatch.cli.commands import PATHS
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.views.tables import Column, Table, Tables

REGISTRIES: tuple[Registry[Any], ...] = (*map(registry_of, KINDS), PATHS)


@dataclass(frozen=True, eq=False, repr=False)
class Plugins(Answer):
    """Entries of plug-ins, with the reason why one is not used."""

    rows: tuple[dict[str, Any], ...]

    def tables(self, **shown: Any) -> Tables:
        del shown
        columns = tuple(
            Column(name, name, lambda text: text or "-", is_text=True)
            for name in ("kind", "name", "package", "place", "problem")
        )
        table = Table("", columns, self.rows)
        no = "no installed package adds anything to exactmatch"
        notes = () if self.rows else (no,)
        return Tables("Plug-ins", (table,), {"plugins": list(self.rows)}, notes=notes)


def study(options: Options, reporter: Listener = SILENCE) -> Plugins:
    """List the entries of plug-ins."""
    del options, reporter
    return Plugins(
        tuple(
            {
                "kind": registry.kind,
                "name": row.name,
                "package": row.package,
                "place": row.place,
                "problem": registry.problem(row),
            }
            for registry in REGISTRIES
            for row in registry.declared()
        )
    )


COMMAND = Command(
    """List the metrics, solvers, formats, profiles and commands of plug-ins.

A package declares what it adds as entry points, of the groups
exactmatch.metrics, .solvers, .formats, .profiles, .commands and .paths (files
that are named @…).

Example:
  exactmatch plugins
  exactmatch plugins --format json""",
    Options,
    "exactmatch.cli.plugins:study",
    is_verbose=False,
)
