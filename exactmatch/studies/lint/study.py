"""Look for faults in files of graphs: all that a reader refuses or warns of, and more.

Every graph is read as it stands, whatever its format, and if a profile is named as
that profile's reader does.  Of what can be read a few rules are held against the
graph; UMR documents have more of them (:mod:`exactmatch.studies.lint.umr_rules`).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from exactmatch.base import values
from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.options import flag, function, optional
from exactmatch.formats.blocks import Block, read_blocks
from exactmatch.formats.files import STANDARD_INPUT, expand, named
from exactmatch.formats.formats import PENMAN, get_format
from exactmatch.formats.reading import HowRead
from exactmatch.formats.readings import read_block
from exactmatch.formats.remarks import TAGGED, Reading, left_out, without_tags
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.penman_text import roots
from exactmatch.graphs.profile import PROFILES, Profile, get_profile
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.studies.lint.mending import mend
from exactmatch.studies.lint.umr_rules import broken_rules
from exactmatch.studies.options import GraphFiles
from exactmatch.views.tables import Column, Table, Tables

Severity = Literal["error", "warning"]

RULES = {
    "broken-file": "the file cannot be read, or not on from there",
    "unreadable": "the graph cannot be read",
    "lenient": "a careful reader would refuse it",
    "left-out": "the reader leaves something out",
    "repeated-id": "two graphs of a file have the same id",
    "no-concept": "a variable has no concept (PENMAN, UMR)",
    "undefined": "a constant looks like a variable (PENMAN, UMR)",
    "not-connected": "the graph is not of one piece (triples, node-link)",
    "repeated-triple": "a triple is stated twice",
    "umr-number": "sentences are not numbered one by one",
    "umr-variable": "a variable does not begin with its sentence, as s1x in snt1",
    "umr-alignment": "a variable has no alignment, or one with missing words",
    "umr-value": "an attribute has a value that the guidelines do not have",
    "umr-document": "a document triple has an unknown relation or variable",
}
"""What is looked for, by the name that findings have."""

_VARIABLE = re.compile(r"[a-z]\d*|[a-z]{2}\d+|s\d+\.?[a-z]+\d*")
_LINE = re.compile(r"(\d+): ")
_WITH_CONCEPTS = (PENMAN, "umr", "umr-file", "umr-sentences")
_OF_ONE_PIECE = ("triples", "node-link")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a file, or with a graph in it."""

    path: str
    line: int | None  # where the graph is, or its line at fault, from 1
    id: str | None
    severity: Severity  # ``error`` where nothing can be read, ``warning`` else
    rule: str  # one of :data:`RULES`
    message: str  # what is wrong, as a predicate of the graph

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        graph = "" if self.rule == "broken-file" else "the graph "
        if self.id is not None:
            graph = f"graph {self.id!r} "
        return f"{place}: {self.severity}: {graph}{self.message} [{self.rule}]"


def findings_in(
    source: str,
    format_in: HowRead = None,
    framework: str | None = None,
    profiles: Sequence[Profile] = (),
) -> Iterator[Finding]:
    """Yield what is wrong with a file, the files of a folder, or ``-``.

    The readers of *profiles* are asked, too.  It is an error if a file is not there.
    """
    for path in expand(source):
        if path != STANDARD_INPUT and not os.access(path, os.R_OK):
            next(read_blocks(path, format_in), None)  # says why
        blocks = read_blocks(path, format_in, framework)
        yield from _Linted(named(path), profiles).findings(blocks)


class _Linted:
    """One file while it is read."""

    def __init__(self, path: str, profiles: Sequence[Profile]) -> None:
        self.path = path
        self.profiles = profiles
        self.lines: dict[tuple[str, str | None], int] = {}  # of ids

    def findings(self, blocks: Iterable[Block]) -> Iterator[Finding]:
        """The faults of the file, in what is read of it."""
        try:
            for block in blocks:
                yield from dict.fromkeys(self._block(block))
        except GraphError as error:
            yield self._refused(error)
        except InputError as error:
            reason, line = str(error).removeprefix(f"{self.path}:").strip(), None
            if place := _LINE.match(reason):
                reason, line = reason[place.end() :], int(place[1])
            yield Finding(self.path, line, None, "error", "broken-file", reason)

    def _refused(self, error: GraphError) -> Finding:
        return Finding(
            self.path, error.line, error.graph_id, "error", "unreadable", error.reason
        )

    def _block(self, block: Block) -> Iterator[Finding]:
        if block.id is not None:
            first = self.lines.setdefault((block.id, block.framework), block.line)
            if first != block.line:
                told = f"has the id of the graph on line {first}"
                yield self._warning(block, "repeated-id", told)
        try:
            reading = get_format(block.format or PENMAN).read(block)
        except GraphError as error:
            yield self._refused(error)
            return
        graph = reading.graph
        for broken in (
            *_undefined(block, graph),
            *_remarks(reading, beside={TAGGED}),
            *_rules(graph, block.format or PENMAN),
        ):
            yield self._warning(block, *broken)
        yield from self._under_profiles(block)

    def _under_profiles(self, block: Block) -> Iterator[Finding]:
        """The findings of the profiles' readers; each is said once."""
        found: dict[Finding, list[str]] = {}
        for profile in self.profiles:
            try:
                remarks = _remarks(read_block(block, profile))
                own = [self._warning(block, *remark) for remark in remarks]
            except GraphError as error:
                own = [self._refused(error)]
            for finding in own:
                found.setdefault(finding, []).append(profile.name)
        for finding, names in found.items():
            if len(self.profiles) > 1:
                told = f"{finding.message} (under {', '.join(names)})"
                finding = replace(finding, message=told)
            yield finding

    def _warning(self, block: Block, rule: str, message: str) -> Finding:
        line = block.content_line()
        return Finding(self.path, line, block.id, "warning", rule, message)


def _remarks(
    reading: Reading, beside: AbstractSet[str] = frozenset()
) -> Iterator[tuple[str, str]]:
    for reason in (r for r in reading.lenient if r not in beside):
        yield "lenient", reason
    for what, count in reading.dropped:
        yield "left-out", f"loses {left_out(what, count)}"


def _undefined(block: Block, graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield a phrase for each constant that looks like a variable, and who reads it."""
    if (block.format or PENMAN) not in _WITH_CONCEPTS:
        return
    names = {*graph.variables, *(graph.document.constants if graph.document else ())}
    labels = graph.labels
    ends = ((labels[role], labels[value]) for _, role, value in graph.attributes)
    dangling = {v: role for role, v in ends if _VARIABLE.fullmatch(without_tags(v))}
    if not dangling:
        return
    readers: dict[str, list[str]] = {"a constant": [], "an error": []}
    for profile in PROFILES.values():
        try:
            read_block(block, profile)
        except GraphError:
            readers["an error"].append(profile.name)
        else:
            readers["a constant"].append(profile.name)
    told = [f"{what} under {', '.join(of)}" for what, of in readers.items() if of]
    for value, role in dangling.items():
        what = "has a tag at" if without_tags(value) in names else "defines no"
        where = f"variable {value!r}, to which :{role} leads"
        yield "undefined", f"{what} {where}: {' and '.join(told)}"


def _rules(graph: Graph, form: str) -> Iterator[tuple[str, str]]:
    """The rules that a graph breaks, and how."""
    if form in _WITH_CONCEPTS:
        constants = graph.document.constants if graph.document else frozenset()
        for v, concept in enumerate(graph.concepts()):
            if concept is None and v not in constants:
                yield "no-concept", f"has no concept for {graph.variables[v]!r}"
    if form in _OF_ONE_PIECE and len(pieces := roots(graph)) > 1:
        loose = graph.variables[pieces[1]]
        told = f"{len(pieces)} pieces: {loose!r} is joined to the rest by no relation"
        yield "not-connected", f"is of {told}"
    for triple, count in Counter(graph.triples()).items():
        if count > 1:
            yield "repeated-triple", f"states {' '.join(triple)!r} {count} times"
    if graph.document is not None and graph.document.sentences:
        yield from broken_rules(graph, graph.document)


_ALL = "all"  # the word for every profile
_one_profile = values.name_in("exactmatch.graphs.profile:PROFILES")


def _profile(value: Any) -> Any:
    return value if value == _ALL else _one_profile(value)


class LintOptions(GraphFiles):
    """Which files are looked at, and whose reader is asked, too."""

    TITLE = "what is said"

    profile: Profile | str | None = optional(
        "also list what the reader of this profile loses or refuses; all: what any "
        "reader does, with its profiles",
        read=_profile,
        metavar="NAME",
    )
    fix: bool = flag(
        "repair missing and surplus brackets at the end of graphs in place, if no "
        "reader loses anything; show the changes as a diff"
    )
    diff: bool = flag("show the changes of --fix without making them")


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
    profile = asked.profile
    profiles: list[Profile] = []
    if profile == _ALL:
        profiles = list(PROFILES.values())
    elif profile is not None:
        profiles = [get_profile(profile)]
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
