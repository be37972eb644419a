"""Look for faults in files of graphs: all that a reader refuses or warns of, and more.

Every graph is read by the careful reader of its format, and by the readers of the named
profiles, or else of the profile that scores the format.  A graph that can be read is
checked by a few rules; UMR documents have more of them
(:mod:`exactmatch.studies.lint.umr_rules`).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from pathlib import Path

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.options import function
from exactmatch.formats.blocks import Block, read_blocks
from exactmatch.formats.files import STANDARD_INPUT, expand, named
from exactmatch.formats.formats import PENMAN, get_format
from exactmatch.formats.machine.whole_documents import DOCUMENT
from exactmatch.formats.reading import Answers, HowRead
from exactmatch.formats.readings import read_block
from exactmatch.formats.recognised import seen_of
from exactmatch.formats.remarks import (
    COMMENT_WORDS,
    TAGGED,
    TAGS,
    Reading,
    left_out,
    without_tags,
)
from exactmatch.formats.scored_by import DOCUMENTS
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.penman_text import roots
from exactmatch.graphs.profile import PROFILES, Profile, get_profile
from exactmatch.metrics.json.json_metric import JsonMatch
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.lint.characters import odd_labels
from exactmatch.studies.lint.mending import mend
from exactmatch.studies.lint.options import _ALL, LintOptions
from exactmatch.studies.lint.results import Finding, Findings
from exactmatch.studies.lint.umr_rules import broken_rules

_VARIABLE = re.compile(r"[a-z]\d*|[a-z]{2}\d+|s\d+\.?[a-z]+\d*")


_WORD = re.compile(r'"[^"]*"|[^ \t()"]+')


_LINE_NUMBER = re.compile(r"(\d+): ")


_WITH_CONCEPTS = (PENMAN, "umr", "umr-file", "umr-sentences")


_OF_ONE_PIECE = ("triples", "node-link")


def findings_in(
    source: str,
    format_in: HowRead = None,
    framework: str | None = None,
    profiles: Sequence[Profile] = (),
) -> Iterator[Finding]:
    """Yield the faults of a file, of the files of a folder, or of ``-``.

    The readers of *profiles* read every graph, too.  A missing file is an error.
    """
    is_empty = True
    for path in expand(source):
        if path != STANDARD_INPUT and not os.access(path, os.R_OK):
            next(read_blocks(path, format_in), None)  # says why
        blocks = read_blocks(path, _how(path, format_in), framework)
        linted = _Linted(named(path), profiles)
        yield from linted.findings(blocks)
        is_empty &= linted.is_empty
    if is_empty:
        name = named(os.fspath(source))
        yield Finding(name, None, None, "error", "broken-file", "holds no graph")


def _how(path: str, how: HowRead) -> HowRead:
    """Return how a file is read: as scoring does, which may take JSON for documents."""
    if how is None and path != STANDARD_INPUT:
        kinds = seen_of([Path(path)])
        if kinds and all(kind.scored_by == DOCUMENTS for kind in kinds):
            return Answers(None, documents=True, is_gold=True)
    return how


class _Linted:
    """File while it is read and checked.

    Attributes:
        is_empty: whether there was neither a graph nor a finding yet.
    """

    def __init__(self, path: str, profiles: Sequence[Profile]) -> None:
        self.path = path
        self.profiles = profiles
        self.is_empty = True
        self.lines: dict[tuple[str, str | None], int] = {}  # of ids

    def findings(self, blocks: Iterable[Block]) -> Iterator[Finding]:
        """Yield the faults of the file, block by block."""
        try:
            for block in blocks:
                self.is_empty = False
                yield from dict.fromkeys(self._block(block))
        except GraphError as error:
            self.is_empty = False
            yield self._refused(error)
        except InputError as error:
            self.is_empty = False
            reason, line = str(error).removeprefix(f"{self.path}:").strip(), None
            if place := _LINE_NUMBER.match(reason):
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
                message = f"has the id of the graph on line {first}"
                yield self._warning(block, "repeated-id", message)
        if block.format == DOCUMENT:
            yield from self._document(block)
            return
        try:
            reading = get_format(block.format or PENMAN).read(block)
        except GraphError as error:
            yield self._refused(error)
            words = chain.from_iterable(map(_WORD.findall, block.content))
            for remark in odd_labels(words):  # they may be why
                yield self._warning(block, "character", remark)
            return
        graph = reading.graph
        broken = [
            *_undefined(block, graph),
            *_remarks(reading, beside={TAGGED, TAGS, COMMENT_WORDS}),
            *_rules(graph, block.format or PENMAN),
        ]
        for rule, message in broken:
            yield self._warning(block, rule, message)
        if self.profiles:
            yield from self._under_profiles(block)
        elif not any(rule in ("lenient", "no-concept") for rule, _ in broken):
            yield from self._when_scored(block)

    def _document(self, block: Block) -> Iterator[Finding]:
        """Yield the faults of a JSON document, which the metric ``json`` scores."""
        try:
            lenient = JsonMatch().read(block).lenient
        except GraphError as error:
            yield self._refused(error)
        else:
            for fault in lenient:
                yield self._warning(block, "lenient", fault.reason)
        for remark in odd_labels(chain.from_iterable(map(_WORD.findall, block.lines))):
            yield self._warning(block, "character", remark)

    def _when_scored(self, block: Block) -> Iterator[Finding]:
        """Yield what the reader that scores the block's format refuses or warns of.

        Tags are well-formed, though they count as part of labels.
        """
        name: str | None = Smatch.default_profile
        if block.format is not None:
            way = get_format(block.format).scoring("\n".join(block.lines))
            name = None if way is None else way.profile
        if name is not None:
            reader = f"(under {name}, which scores it)"
            try:
                lenient = read_block(block, get_profile(name)).lenient
            except GraphError as error:
                message = f"{error.reason} {reader}"
                refusal = replace(self._refused(error), rule="refused", message=message)
                yield refusal
            else:
                for remark in lenient:
                    if remark != TAGGED:
                        yield self._warning(block, "lenient", f"{remark} {reader}")

    def _under_profiles(self, block: Block) -> Iterator[Finding]:
        """Yield the findings of the profiles' readers, each once."""
        profiles_of: dict[Finding, list[str]] = {}
        for profile in self.profiles:
            try:
                remarks = _remarks(read_block(block, profile))
                findings = [self._warning(block, *remark) for remark in remarks]
            except GraphError as error:
                findings = [self._refused(error)]
            for finding in findings:
                profiles_of.setdefault(finding, []).append(profile.name)
        for finding, names in profiles_of.items():
            if len(self.profiles) > 1:
                message = f"{finding.message} (under {', '.join(names)})"
                finding = replace(finding, message=message)
            yield finding

    def _warning(self, block: Block, rule: str, message: str) -> Finding:
        line = block.content_line()
        return Finding(self.path, line, block.id, "warning", rule, message)


def _remarks(
    reading: Reading, beside: AbstractSet[str] = frozenset()
) -> Iterator[tuple[str, str]]:
    for reason in (r for r in reading.lenient if r not in beside):
        yield "lenient", reason
    for kind, count in (d for d in reading.dropped if d[0] not in beside):
        yield "left-out", f"loses {left_out(kind, count)}"


def _undefined(block: Block, graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield a phrase for each constant that looks like a variable, with its readers."""
    if (block.format or PENMAN) not in _WITH_CONCEPTS:
        return
    dangling = _like_variables(graph)
    if not dangling and not any("~" in line for line in block.content):
        return
    constants: dict[str, dict[str, str]] = {}  # by profile: the value and its role
    refusing: list[str] = []
    for profile in PROFILES.values():
        try:
            read = read_block(block, profile).graph
        except GraphError:
            refusing.append(profile.name)
        else:
            constants[profile.name] = _like_variables(read)
            dangling |= {
                value: role
                for value, role in _like_variables(read).items()
                if without_tags(value) in graph.variables
            }
    for value, role in dangling.items():
        is_tagged = without_tags(value) in graph.variables
        fault = "has a tag at" if is_tagged else "defines no"
        readers = {
            "a constant": [name for name, of in constants.items() if value in of],
            "the variable": [
                *(name for name, of in constants.items() if is_tagged > (value in of))
            ],
            "an error": refusing,
        }
        readings = [
            f"{fault} under {', '.join(of)}" for fault, of in readers.items() if of
        ]
        where = f"variable {value!r}, to which :{without_tags(role)} leads"
        yield "undefined", f"{fault} {where}: {' and '.join(readings)}"


def _like_variables(graph: Graph) -> dict[str, str]:
    """Return the constants that look like variables, tagged or not, and their roles."""
    labels = graph.labels
    ends = ((labels[role], labels[value]) for _, role, value in graph.attributes)
    return {v: role for role, v in ends if _VARIABLE.fullmatch(without_tags(v))}


def _rules(graph: Graph, form: str) -> Iterator[tuple[str, str]]:
    """Yield the rules that a graph breaks, each with a message."""
    if form in _WITH_CONCEPTS:
        constants = graph.document.constants if graph.document else frozenset()
        for v, concept in enumerate(graph.concepts()):
            if concept is None and v not in constants:
                yield "no-concept", f"has no concept for {graph.variables[v]!r}"
    if form in _OF_ONE_PIECE and len(pieces := roots(graph)) > 1:
        loose = graph.variables[pieces[1]]
        fault = f"{len(pieces)} pieces: {loose!r} is joined to the rest by no relation"
        yield "not-connected", f"is of {fault}"
    for remark in odd_labels((*graph.variables, *graph.labels)):
        yield "character", remark
    for triple, count in Counter(graph.triples()).items():
        if count > 1:
            yield "repeated-triple", f"states {' '.join(triple)!r} {count} times"
    if graph.document is not None and graph.document.sentences:
        yield from broken_rules(graph, graph.document)


def study(options: LintOptions, reporter: Listener = SILENCE) -> Findings:
    """Find the faults of files of graphs.

    Raises:
        InputError: if a file is not there.

    >>> from importlib.resources import files
    >>> from exactmatch.studies.lint.study import lint
    >>> findings = lint(files("exactmatch") / "sample" / "gold.amr")
    >>> bool(findings), findings
    (False, nothing is wrong)
    """
    del reporter
    profile = options.profile
    profiles: list[Profile] = []
    if profile == _ALL:
        profiles = list(PROFILES.values())
    elif profile is not None:
        profiles = [get_profile(profile)]
    changes: list[str] = []
    if options.fix or options.diff:
        write = options.fix and not options.diff
        for path in options.paths:
            changes += mend(path, options.format_in, write=write)
    findings = [
        finding
        for path in options.paths
        for finding in findings_in(path, options.how_read, options.framework, profiles)
    ]
    return Findings(tuple(findings), tuple(changes))


lint = function("lint", LintOptions, study)
