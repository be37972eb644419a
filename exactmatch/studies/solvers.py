"""The solvers that can be used on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactmatch.base.options import Options
from exactmatch.base.version import missing_kernels
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.solvers import SOLVERS, solver_class
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.views.tables import Column, Table, Tables


@dataclass(frozen=True, eq=False, repr=False)
class KnownSolvers(Answer):
    """Every solver, what it needs and what it does."""

    solvers: tuple[dict[str, Any], ...]

    def tables(self, **shown: Any) -> Tables:
        del shown
        rows = []
        for one in self.solvers:
            installed = "yes" if one["installed"] else f"no: {one['install']}"
            rows.append({**one, "_installed": installed})
        columns = (
            Column("name", "solver"),
            Column("exact", "exact", lambda it: "yes" if it else "no", is_text=True),
            Column("_installed", "installed", is_text=True),
            Column("installed"),
            Column("version", "version", lambda version: version or "-", is_text=True),
            Column("install"),
            Column("summary", "what it does", is_text=True),
        )
        data = {"solvers": list(self.solvers)}
        return Tables("Solvers", (Table("", columns, rows),), data)


def study(asked: Options, reporter: Listener = SILENCE) -> KnownSolvers:
    """Look which solvers there are, and which of them are installed."""
    del asked
    if text := missing_kernels():
        reporter.note(text)
    found = []
    for name in SOLVERS:
        cls = solver_class(name)
        installed = cls.is_available()
        found.append(
            {
                "name": name,
                "exact": cls.exact,
                "installed": installed,
                "version": cls.version(),
                "install": None if installed else cls.install,
                "summary": cls.summary,
            }
        )
    return KnownSolvers(tuple(found))


COMMAND = Command(
    """List every solver: exact or not, installed or not, version, how to install.

Example:
  exactmatch solvers
  exactmatch solvers --format json""",
    Options,
    "exactmatch.studies.solvers:study",
    is_verbose=False,
)
