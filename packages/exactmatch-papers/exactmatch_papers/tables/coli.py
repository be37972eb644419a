"""A parser's AMR against gold, as many pairs as the papers' development sets have."""

from __future__ import annotations

from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import coli
from exactmatch_papers.tables.search import (
    SEARCH_HEADER,
    audit,
    search_cells,
    violations,
)
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table


def coli_table(setting: Setting) -> Finding:
    """Search error and symmetry violation, where the user has the files."""
    files = coli(setting.data)
    missing = [path for path in files if not path.exists()]
    if missing:
        names = " and ".join(str(path.relative_to(setting.data)) for path in missing)
        return Finding((), (), (f"Not measured: $DATA lacks {names}.",))
    commands = Commands(setting)
    audited = audit(
        commands, files, (1, 2, 4), 10, "--no-symmetry", "--on-error", "skip"
    )
    errors = Table(
        f"{audited['pairs']} pairs, {audited['runs']} runs, "
        f"optimum F1 {100 * audited['optimum']:.2f} (proven)",
        SEARCH_HEADER,
        tuple(
            (f"{error['program']}, r = {error['restarts']}", search_cells(error))
            for error in audited["errors"]
        ),
    )
    symmetry = Table(
        "symmetry violation",
        ("metric", "ratio, %", "mean, points"),
        tuple(
            (metric, tuple(Cell(100 * number, form=".2f") for number in numbers))
            for metric, numbers in violations(commands, files).items()
        ),
    )
    return Finding((errors, symmetry), tuple(commands.shown))
