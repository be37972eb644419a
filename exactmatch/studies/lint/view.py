"""``exactmatch lint`` as a table: a line, or a row, for every fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

from exactmatch.studies.lint.results import Findings
from exactmatch.views.tables import Column, Table, Tables

_COLUMNS = (
    Column("path", "file"),
    Column("line", "line"),
    Column("id", "graph", is_text=True),
    Column("severity", "severity", is_text=True),
    Column("rule", "rule", is_text=True),
    Column("message", "message", is_text=True),
)


def tables(found: Findings, digits: int | None = None) -> Tables:
    """Everything that was found, and how often each rule is broken."""
    del digits
    findings = found.findings
    rows = [asdict(finding) for finding in findings]
    counts = Counter(finding.rule for finding in findings)
    told = ", ".join(f"{count} {rule}" for rule, count in counts.most_common())
    changed = {"changes": list(found.changes)} if found.changes else {}
    note = f"{len(findings)} found: {told}" if findings else "nothing is wrong"
    return Tables(
        "Lint",
        (Table("", _COLUMNS, rows),),
        {"findings": rows, "counts": dict(counts), **changed},
        notes=(note,),
        prose=[*found.changes, *map(str, findings), note],
    )
