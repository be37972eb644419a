"""Table of solvers, with a row for each."""

from __future__ import annotations

from typing import Any

from exactmatch.studies.solvers.results import KnownSolvers
from exactmatch.views.tables import Column, Table, Tables


def tables(answer: KnownSolvers, **shown: Any) -> Tables:
    """Return the tables that the command shows."""
    del shown
    rows = []
    for solver in answer.solvers:
        installed = "yes" if solver["installed"] else f"no: {solver['install']}"
        rows.append({**solver, "_installed": installed})
    columns = (
        Column("name", "solver"),
        Column("exact", "exact", lambda it: "yes" if it else "no", is_text=True),
        Column("_installed", "installed", is_text=True),
        Column("installed"),
        Column("version", "version", lambda version: version or "-", is_text=True),
        Column("install"),
        Column("summary", "what it does", is_text=True),
    )
    data = {"solvers": list(answer.solvers)}
    return Tables("Solvers", (Table("", columns, rows),), data)
