"""What ``exactmatch solvers`` shows: what can be used on this machine."""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.views.tables import Column, Row, Table, Tables


def tables(solvers: Sequence[Row]) -> Tables:
    """Every solver, what it needs and what it does."""
    rows = [
        {
            **solver,
            "_exact": "yes" if solver["exact"] else "no",
            "_installed": "yes" if solver["installed"] else f"no: {solver['install']}",
        }
        for solver in solvers
    ]
    columns = (
        Column("name", "solver"),
        Column("_exact", "exact", is_text=True),
        Column("exact"),
        Column("_installed", "installed", is_text=True),
        Column("installed"),
        Column("version", "version", lambda version: version or "-", is_text=True),
        Column("install"),
        Column("summary", "what it does", is_text=True),
    )
    return Tables("Solvers", (Table("", columns, rows),), {"solvers": list(solvers)})
