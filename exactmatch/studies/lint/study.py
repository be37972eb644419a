"""Look for faults in files of graphs, and mend those that can be mended."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from exactmatch.base import values
from exactmatch.base.options import function, option
from exactmatch.graphs.profile import PROFILES, Profile, get_profile
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.studies.lint.lint import Finding, findings_in
from exactmatch.studies.lint.mending import mend
from exactmatch.studies.options import GraphFiles
from exactmatch.views.tables import Column, Table, Tables

_ALL = "all"
"""The word for every profile."""


def _profile(value: Any) -> Any:
    return value if value == _ALL else _named(value)


_named = values.name_in("exactmatch.graphs.profile:PROFILES")


class LintOptions(GraphFiles):
    """Which files are looked at, and whose reader is asked, too."""

    TITLE = "what is said"

    profile: Profile | str | None = option(
        "also list what the reader of this profile loses or refuses; all: what any "
        "reader does, with its profiles",
        default=None,
        read=_profile,
        metavar="NAME",
    )
    fix: bool = option(
        "repair missing and surplus brackets at the end of graphs in place, if no "
        "reader loses anything; show the changes as a diff",
        default=False,
    )
    diff: bool = option("show the changes of --fix without making them", default=False)


COMMAND = Command(
    """Say what is wrong with graphs; exit with 1 if anything is.

Every graph is read as it stands. UMR documents are held against the guidelines.

Example:
  exactmatch lint gold.amr document.umr graphs.mrp
  exactmatch lint --profile smatch parsed.amr
  exactmatch lint --diff parsed.amr
  exactmatch lint --fix parsed.amr""",
    LintOptions,
    "exactmatch.studies.lint.study:study",
    is_verbose=False,
)


@dataclass(frozen=True, repr=False)
class Findings(Answer):
    """Everything that is wrong with some files; true where anything is.

    Attributes:
        findings: the faults, file by file; those that are left, of mended files.
        changes: the lines of a diff of what was mended, or could be.
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
        told = ", ".join(f"{count} {rule}" for rule, count in counts.most_common())
        changed = {"changes": list(self.changes)} if self.changes else {}
        note = f"{len(rows)} found: {told}" if rows else "nothing is wrong"
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


def study(asked: LintOptions, reporter: Listener = SILENCE) -> Findings:
    """Say what is wrong with files of graphs.

    Raises:
        InputError: if a file is not there.

    >>> from importlib.resources import files
    >>> from exactmatch.studies.lint.study import lint
    >>> found = lint(str(files("exactmatch") / "sample" / "gold.amr"))
    >>> bool(found), found
    (False, nothing is wrong)
    """
    del reporter
    named = asked.profile
    profiles: list[Profile] = []
    if named == _ALL:
        profiles = list(PROFILES.values())
    elif named is not None:
        profiles = [get_profile(named) if isinstance(named, str) else named]
    changes: list[str] = []
    if asked.fix or asked.diff:
        write = asked.fix and not asked.diff
        for path in asked.files:
            changes += mend(path, asked.format_in, write=write)
    findings = [
        finding
        for path in asked.files
        for finding in findings_in(path, asked.how_read, asked.framework, profiles)
    ]
    return Findings(tuple(findings), tuple(changes))


lint = function("lint", LintOptions, study)
