"""Sentences of a UMR file as the published AnCast reads them, which needs a fixed form.

A role ends at the next blank, so a role at the end of a line is another role, ``ARG1``
with a line break, and is not inverse.  A role without a blank behind it makes the
sentence unreadable, and so do a blank behind an opening bracket and a slash within a
concept.  The program leaves out unreadable sentences, on both sides.

Of the document level it needs ``:modal ((root :modal author)`` with both brackets side
by side and every further triple at the beginning of a line, and reads only the first
block of each level.  Other triples do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from exactmatch.metrics.ancast.document import LEVELS
from exactmatch.metrics.ancast.graph import Fact, SentenceGraph

_SENTENCE = re.compile(r"#\s*::\s*snt\s*\d", re.IGNORECASE)
_GRAPH = "# sentence level graph:"
_ALIGNMENT = "# alignment:"
_ANNOTATION = "# document level annotation:"
_ALIGNED = re.compile(r"\s*([^\s:]+)\s*:\s*([1-9]\d*)\s*-\s*(\d+)")

_HEAD = re.compile(r"(?<![a-z0-9_-])([a-z0-9_-]+)\s*/\s*([^)\s]+)")
_BETWEEN = re.compile(r"[^a-z0-9:)]*")  # what the program skips between roles
_CONSTANT = re.compile(r"[^ \t\n)]*")
_VARIABLE = re.compile(r"s[0-9]+[a-z]+[0-9]*")

_BEGIN = {level: re.compile(rf":{level}\s*\((?=\()") for level in LEVELS}
_TRIPLE = re.compile(r"\(([^\s():]+)\s+:([^\s()]+)\s+([^\s()]+)\)")
_END = re.compile(r"\)(?=\s*\))")
_BELOW = re.compile(r"\s*\)")


def published_sentences(
    graphs: Sequence[SentenceGraph], lines: Sequence[str]
) -> list[SentenceGraph]:
    """Return the sentences of a document as the program reads their text.

    Args:
        graphs: the same sentences; their texts and numbers are kept.
        lines: the lines of the document.

    Returns:
        A sentence for each; *graphs* themselves where the lines do not number as many.
    """
    texts = list(_sentence_texts(lines))
    if len(texts) != len(graphs):
        return [*graphs]
    return [_published(graph, text) for graph, text in zip(graphs, texts, strict=True)]


class _SentenceText(NamedTuple):
    """The text of a sentence's graph, alignment and document-level annotation."""

    graph: str
    alignment: str
    annotation: str


def _sentence_texts(lines: Sequence[str]) -> Iterator[_SentenceText]:
    """Yield the texts of each numbered sentence."""
    starts = [k for k, line in enumerate(lines) if _SENTENCE.match(line)]
    for begin, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        text = "\n".join(line for line in lines[begin:end] if line[:4] != "####")
        _, _, text = text.partition(_GRAPH)
        graph, _, text = text.partition(_ALIGNMENT)
        alignment, _, annotation = text.partition(_ANNOTATION)
        yield _SentenceText(graph.strip(), alignment, annotation)


def _published(graph: SentenceGraph, text: _SentenceText) -> SentenceGraph:
    sentence = SentenceGraph(graph.number, graph.text, graph.header)
    try:
        SentenceReader(text.graph, _spans(text.alignment), sentence).read()
    except UnreadableError:
        return SentenceGraph(graph.number, graph.text, graph.header, is_left_out=True)
    sentence.triples = {level: _read(text.annotation, level) for level in LEVELS}
    return sentence


def _spans(alignment: str) -> dict[str, tuple[int, int]]:
    """Return the first span of words of each aligned variable."""
    matches = filter(None, map(_ALIGNED.match, alignment.split("\n")))
    return {match[1]: (int(match[2]), int(match[3])) for match in matches}


class UnreadableError(Exception):
    """The program cannot read a sentence."""


class _Open(NamedTuple):
    """A node whose bracket is open: its parent and the role under which it stands."""

    variable: str
    parent: str
    role: str


class SentenceReader:
    """Reads the text of one sentence graph."""

    def __init__(
        self, text: str, spans: dict[str, tuple[int, int]], sentence: SentenceGraph
    ) -> None:
        self.text = text
        self.spans = spans
        self.sentence = sentence
        self.relations: list[Fact] = []
        self.waiting: dict[str, list[tuple[str, str]]] = {}  # for their definition
        self.head: re.Match[str] | None = None

    def read(self) -> None:
        """Fill the sentence.

        Raises:
            UnreadableError: if the program cannot read it.
        """
        place = self.text.find("(") + 1
        if not place:
            raise UnreadableError
        place, variable = self._open(place)
        path = [_Open(variable, "", "")]
        while path:
            place = self._between(place)
            if self.text[place] == ")":
                variable, parent, role = path.pop()
                if path:
                    self.relations.append((parent, role, variable))
                place += 1
                continue
            role, place = self._role(place)
            source = path[-1].variable
            if self.text[place] == "(":
                place, variable = self._open(place + 1)
                path.append(_Open(variable, source, role))
            else:
                place = self._value(place, source, role)
        for source, role, target in self.relations:
            self.sentence.add_relation(source, role, target)

    def _between(self, place: int) -> int:
        """Return the place of the next role or closing bracket."""
        match = _BETWEEN.match(self.text, place)
        place = match.end() if match else place
        if place >= len(self.text) or self.text[place] not in ":)":
            raise UnreadableError
        return place

    def _open(self, place: int) -> tuple[int, str]:
        """Read variable and concept of a node; the program seeks them further on."""
        if self.head is None or self.head.start() < place:
            self.head = _HEAD.search(self.text, place)
        if self.head is None or "/" in self.head[2]:
            raise UnreadableError
        variable, concept = self.head[1], self.head[2]
        self.sentence.add_node(variable, concept, self.spans.get(variable, (0, 0)))
        for source, role in self.waiting.pop(variable, ()):
            self.relations.append((source, role, variable))
        return place + len(self.head[0]), variable

    def _role(self, place: int) -> tuple[str, int]:
        """Read a role, up to the next blank; return it and the place of its value."""
        text = self.text
        end = text.find(" ", place)
        if end < 0:
            end = text.find("\t", place)
        if end < 0:
            raise UnreadableError
        role = text[place + 1 : end]
        while end < len(text) and text[end] in " \t":
            end += 1
        if end == len(text):
            raise UnreadableError
        return role, end

    def _value(self, place: int, source: str, role: str) -> int:
        """Read a constant or the name of a node; return the place behind it."""
        text = self.text
        if text[place] == '"':
            end = text.find('"', place + 1)
            if end < 0:
                raise UnreadableError
            self.sentence.add_attribute(source, role, text[place + 1 : end])
            return end + 1
        match = _CONSTANT.match(text, place)
        value = match[0].strip() if match else ""
        if value in self.sentence.nodes:
            self.relations.append((source, role, value))
        elif _VARIABLE.fullmatch(value):
            self.waiting.setdefault(value, []).append((source, role))
        else:
            self.sentence.add_attribute(source, role, value)
        return match.end() if match else place


def count_left_out(sentences: Iterable[SentenceGraph]) -> int:
    """Return the number of sentences that the program cannot read."""
    return sum(sentence.is_left_out for sentence in sentences)


def _read(text: str, level: str) -> list[Fact]:
    """Return the triples of the first block of a level that is well formed.

    >>> _read("(s0 / sentence :modal ((root :modal author)))", "modal")
    [('root', 'modal', 'author')]
    >>> _read("(s0 / sentence :modal ( (root :modal author)))", "modal")
    []
    """
    for begin in _BEGIN[level].finditer(text):
        end = _end_of(text, begin.end())
        if end:
            return [
                (match[1], match[2], match[3])
                for match in _TRIPLE.finditer(text, begin.end(), end)
            ]
    return []


def _end_of(text: str, place: int) -> int:
    """Return the end of the last line of triples that a bracket closes; 0 for none."""
    end = 0
    while text[place : place + 1] == "(":
        stop = text.find("\n", place)
        stop = len(text) if stop < 0 else stop
        colon = text.find(":", place, stop)
        last = text.rfind(")", place, stop)
        if colon < 0 or last < colon:
            break
        # the bracket that closes the block may stand on a line below
        below = _BELOW.match(text, stop)
        limit = below.end() if below and not text[last + 1 : stop].strip() else stop
        for bracket in _END.finditer(text, colon, limit):
            end = bracket.start() + 1
        if text[last + 1 : stop].strip():
            break
        place = stop
        while place < len(text) and text[place].isspace():
            place += 1
    return end
