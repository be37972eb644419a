"""Edit distances of small graphs by the thousand: matrices and searches."""

from __future__ import annotations

from benchmarks.speed.scripts import run_ours
from benchmarks.speed.spec import Measure, Outcome, Row, Setting

TARGETS = {"linux": 0.02, "aids": 0.08}
"""Milliseconds of CPU that a pair ought to take, amortised, graphs packed."""

QUERIES = {"within 1": 2.0, "within 3": 10.0}
"""Milliseconds of CPU that a query of 10,000 molecules ought to take."""


def run(setting: Setting) -> Outcome:
    """Time every pair of AIDS and LINUX, random ones of IMDB, and searches in AIDS."""
    number = 30 if setting.smoke else 700
    finished, lines = run_ours(setting, "edit_matrix.py", (str(setting.data), number))
    if finished.trouble:
        return Outcome((Row("exactmatch", note=finished.trouble),))
    rows, measures = [], []
    for line in lines:
        name = line.pop("name")
        rows.append(Row(name, line))
        for targets, unit in ((TARGETS, "ms a pair"), (QUERIES, "ms a query")):
            if name in targets:
                measures.append(
                    Measure(name, line[unit], "at most", targets[name], f" {unit}")
                )
    return Outcome(tuple(rows), tuple(measures), ("CPU time of one thread",))
