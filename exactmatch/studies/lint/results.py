"""The faults that were found in files of graphs."""

from __future__ import annotations

from dataclasses import dataclass

from exactmatch.studies.answer import Answer
from exactmatch.studies.lint.lint import Finding


@dataclass(frozen=True, repr=False)
class Findings(Answer):
    """Everything that is wrong with some files; true where anything is.

    Attributes:
        findings: the faults, file by file; those that are left, of mended files.
        changes: the lines of a diff of what was mended, or could be.
    """

    VIEW = "exactmatch.studies.lint.view:tables"
    EXIT_CODE = 1

    findings: tuple[Finding, ...]
    changes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.findings)
