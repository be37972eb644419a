"""Findings about files of graphs."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal

from exactmatch.studies.answer import Answer
from exactmatch.views.tables import Column, Table, Tables

Severity = Literal["error", "warning"]

RULES = {
    "broken-file": "the file cannot be read, or not on from there",
    "unreadable": "the graph cannot be read",
    "refused": "the reader that scores graphs of the format refuses it",
    "lenient": "a careful reader would refuse it",
    "left-out": "the reader leaves something out",
    "repeated-id": "two graphs of a file have the same id",
    "no-concept": "a variable has no concept (PENMAN, UMR)",
    "undefined": "a constant looks like a variable (PENMAN, UMR)",
    "not-connected": "the graph is not of one piece (triples, node-link)",
    "repeated-triple": "a triple is stated twice",
    "character": "a label has characters that nobody sees, or is not in NFC",
    "umr-number": "sentences are not numbered one by one",
    "umr-variable": "a variable does not begin with its sentence, as s1x in snt1",
    "umr-alignment": "a variable has no alignment, or one with missing words",
    "umr-value": "an attribute has a value that the guidelines do not have",
    "umr-document": "a document triple has an unknown relation or variable",
}
"""Rules by name, each with the fault that it finds."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Fault of a file, or of a graph in it."""

    path: str
    line: int | None  # where the graph is, or its line at fault, from 1
    id: str | None
    severity: Severity  # ``error`` where nothing can be read, ``warning`` else
    rule: str  # one of :data:`RULES`
    message: str  # the fault, as a predicate of the graph

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        graph = "" if self.rule == "broken-file" else "the graph "
        if self.id is not None:
            graph = f"graph {self.id!r} "
        return f"{place}: {self.severity}: {graph}{self.message} [{self.rule}]"


@dataclass(frozen=True, repr=False)
class Findings(Answer):
    """Faults of files; true if there are any.

    Attributes:
        findings: the faults, file by file; those that are left, of mended files.
        changes: the lines of a diff with the repairs, made or possible.
    """

    EXIT_CODE = 1

    findings: tuple[Finding, ...]
    changes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.findings)

    def tables(self, **shown: Any) -> Tables:
        del shown
        rows = [asdict(finding) for finding in self.findings]
        counts = Counter(finding.rule for finding in self.findings)
        listed = ", ".join(f"{count} {rule}" for rule, count in counts.most_common())
        changed = {"changes": list(self.changes)} if self.changes else {}
        note = f"{len(rows)} found: {listed}" if rows else "nothing is wrong"
        columns = (
            Column("path", "file"),
            Column("line", "line"),
            Column("id", "graph", is_text=True),
            *(Column(k, k, is_text=True) for k in ("severity", "rule", "message")),
        )
        return Tables(
            "Lint",
            (Table("", columns, rows),),
            {"findings": rows, "counts": dict(counts), **changed},
            notes=(note,),
            prose=[*self.changes, *map(str, self.findings), note],
        )
