"""Discourse representation structures: larger graphs, where hill-climbing errs more.

The structures are those of the Parallel Meaning Bank 5, as PENMAN with a node for each
box, gold and as parsers gave them (repository xiulinyang/compositional_drs_parsing).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import DRS_PARSERS, long_drs, multibox_drs
from exactmatch_papers.tables.search import SEARCH_HEADER, against, audit, search_cells
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table, range_of

RESTARTS = (4,)


def drs_table(setting: Setting) -> Finding:
    """Search error on long structures; parsers ranked on those with several boxes."""
    commands = Commands(setting)
    files = long_drs(setting.data)
    pairs = ("--on-error", "skip")
    audited = audit(
        commands, files, RESTARTS, 1, "--no-symmetry", *pairs, *against(setting)
    )
    searched = Table(
        f"test_long: {audited['pairs']} pairs that smatch can read, optimum F1 "
        f"{100 * audited['optimum']:.2f} (proven)",
        SEARCH_HEADER,
        tuple(
            (f"{error['program']}, r = {error['restarts']}", search_cells(error))
            for error in audited["errors"]
        ),
    )
    tables = searched, _proven(commands, files), _ranked(commands, setting)
    return Finding(tables, tuple(commands.shown))


def _proven(commands: Commands, files: Sequence[Path]) -> Table:
    """Return the exact score of all pairs; unreadable graphs count as empty."""
    rows = []
    for profile in ("smatch", "drs", "drs-lenient"):
        report = commands.metric(*files, "--profile", profile, "--on-error", "empty")
        cells = (
            Cell(report["pairs"], form="d"),
            Cell(report["proven"], form="d"),
            *(Cell(100 * report[name], form=".2f") for name in _FIGURES),
        )
        rows.append((profile, cells))
    header = ("profile", "pairs", "proven optimal", "precision", "recall", "F1")
    return Table("test_long: every pair, exact", header, tuple(rows))


_FIGURES = ("precision", "recall", "f1")


def _ranked(commands: Commands, setting: Setting) -> Table:
    """Return the parsers' scores on structures of several boxes, with intervals."""
    gold, systems = multibox_drs(setting.data)
    answer: dict[str, Any] = commands.json(
        *("compare", gold, *systems, "--names", ",".join(DRS_PARSERS)),
        *("--profile", "drs", "--no-structure", "--seed", setting.seed),
    )
    rows = tuple(
        (
            system["system"],
            (
                Cell(system["rank"], form="d"),
                *(Cell(100 * system[name], form=".2f") for name in _RANKED),
                range_of(system["score_low"], system["score_high"]),
                Cell(system["p_holm"], form=".3f"),
            ),
        )
        for system in answer["systems"]
    )
    title = f"several boxes: {answer['pairs']['smatch']} sentences, profile drs, exact"
    return Table(title, _RANKED_HEADER, rows)


_RANKED = ("precision", "recall", "score")
_RANKED_HEADER = (
    "parser",
    "rank",
    "precision",
    "recall",
    "F1",
    "95 % interval",
    "p against the first (Holm)",
)
