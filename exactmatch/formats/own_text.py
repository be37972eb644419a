"""Places of a graph's triples in its own text, in any format.

A text in PENMAN is taken apart by :mod:`exactmatch.graphs.drawing.source_text`.  Every
other one is cut into *units*, which state something together: objects and lists of
JSON, lines of everything else.  A triple is looked for in the smallest unit that has
the words of all its parts, or of its ends where its role is not written.  In clauses
and SBN variables have no names, and are counted.

What is not found is not marked; nothing else depends on it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from exactmatch.formats.clauses import ARGUMENTS, BOX_ROLE
from exactmatch.formats.sbn import BOX
from exactmatch.graphs.graph import Graph

MOST_WORDS = 256  # of a unit: what has more is not a statement, but a list of them
MOST_UNITS = 2000  # that are looked at for one triple
LARGEST = 200_000  # letters of a text that is marked

_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:]|[^\s\[\]{},:"]+', re.DOTALL)
_WORD = re.compile(
    r'"[^"\n]*"|(?<=\|)[^|"\n]+(?=\|)|(?<=[\[({])[^\[\](){}|"\n]+(?=[\])}])'
    r"|[^\s\[\](){}|\"&;<>=-](?:[^\s\[\](){}|\"&;<>=]*[^\s\[\](){}|\"&;<>=-])?"
)
_CELL = re.compile(r"[^\t\n]+")
_CLAUSE = re.compile(r'"[^"]*"|[^\s"]+')
_COMMENT = re.compile(r"(?:^|\s)%.*")
_CLAUSES = re.compile(r"clause_*(\d+)")
_SYNSET = re.compile(r"\S+\.[nvasrx]\.\d\d+")
_BLANKS = re.compile(r'[\s_"]+')
_TARGETS = frozenset(
    (
        *("target", "to", "object", "obj", "tail", "end", "dst", "o"),
        *("entity_2", "entity2", "node_2", "tail_entity"),
    )
)
"""Keys of the end of an edge."""

_NUMBERED = ("", "id", "source", "target")
"""Keys of numbers that name nodes in MRP."""


class Word(NamedTuple):
    """A word of a text, from *begin* to *end*."""

    begin: int
    end: int
    text: str
    key: str = ""  # the key that it is the value of


class Mark(NamedTuple):
    """A stretch of a text, and the triple or variable that it states."""

    begin: int
    end: int
    number: int


@dataclass(frozen=True, slots=True)
class OwnText:
    """A text, with where it states each triple and names each variable."""

    text: str
    triples: Sequence[Mark]
    names: Sequence[Mark]


@dataclass(slots=True)
class _Unit:
    words: list[Word] = field(default_factory=list)
    is_large: bool = False

    def take(self, words: Iterable[Word]) -> None:
        self.words.extend(words)
        if len(self.words) > MOST_WORDS:
            self.is_large = True
            self.words.clear()


def own_text(graph: Graph, text: str) -> OwnText | None:
    r"""Find where a text, which is not PENMAN, states the triples of its graph.

    >>> from exactmatch import Graph
    >>> graph = Graph.from_triples([("a", "instance", "x"), ("a", "r", "y")])
    >>> found = own_text(graph, "a\tinstance\tx\na\tr\ty\n")
    >>> [found.text[begin:end] for begin, end, _ in found.triples]
    ['x', 'r\ty']
    """
    first = text.lstrip()[:1]
    if first in ("", "(") or len(text) > LARGEST:
        return None
    is_json = first in ("[", "{")
    if not is_json and any(map(_CLAUSES.fullmatch, graph.variables)):
        marks = list(_of_clauses(graph, text))
        names = [w for line in _lines(text, _CLAUSE) for w in line.words]
        return OwnText(text, marks, list(_names(graph, text, names)))
    if not is_json and BOX in graph.labels and _SYNSET.search(text):
        return OwnText(text, list(_of_synsets(graph, text)), ())
    if is_json:
        units, words = _json_units(text)
    else:
        pattern = _CELL if "\t" in text else _WORD
        units = [unit for unit in _lines(text, pattern) if unit.words]
        words = [word for unit in units for word in unit.words]
    marks = list(_Search(graph, units).marks())
    return OwnText(text, marks, list(_names(graph, text, words)))


def _plain(text: str) -> str:
    """Return a word as it is compared: without blanks, quotes and case."""
    return _BLANKS.sub("", text).lower()


def _names(graph: Graph, text: str, words: Iterable[Word]) -> Iterator[Mark]:
    numbers = {name: v for v, name in enumerate(graph.variables)}
    for word in words:
        v = numbers.get(word.text)
        if v is None and text[word.begin] != '"' and word.key in _NUMBERED:
            v = numbers.get(f"n{word.text}")
        if v is not None:
            yield Mark(word.begin, word.end, v)


def _lines(text: str, pattern: re.Pattern[str]) -> Iterator[_Unit]:
    begin = 0
    for line in text.split("\n"):
        bare = _COMMENT.sub("", line)
        if pattern is not _CLAUSE:
            bare = "" if line.lstrip().startswith(("#", "%%")) else line
        yield _Unit(
            [
                Word(begin + match.start(), begin + match.end(), match[0])
                for match in pattern.finditer(bare)
            ]
        )
        begin += len(line) + 1


def _json_units(text: str) -> tuple[list[_Unit], list[Word]]:
    """Return the objects and lists of a text, inner ones first, and all its words.

    It need not be JSON to the letter.
    """
    units: list[_Unit] = []
    words: list[Word] = []
    path = [_Unit()]
    keys = [""]
    for match in _JSON.finditer(text):
        token = match[0]
        if token in "[{":
            path.append(_Unit())
            keys.append("")
        elif token in "]}":
            if len(path) > 1:
                unit = path.pop()
                keys.pop()
                if not unit.is_large:
                    units.append(unit)
                    path[-1].take(unit.words)
                else:
                    path[-1].is_large = True
        elif token == ":":
            if words:
                keys[-1] = words[-1].text
        else:
            value = _unquoted(token) if token[0] == '"' else token
            word = Word(*match.span(), value, keys[-1])
            words.append(word)
            if not path[-1].is_large:
                path[-1].take([word])
    return [*units, path[0]], words


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token[1:-1]


class _Search:
    """Looks for triples in units."""

    def __init__(self, graph: Graph, units: Sequence[_Unit]) -> None:
        self._graph = graph
        self._units = units
        self._with: dict[str, list[int]] = {}
        for number, unit in enumerate(units):
            for text in {_plain(word.text) for word in unit.words}:
                self._with.setdefault(text, []).append(number)
        self._taken: set[tuple[int, int]] = set()

    def marks(self) -> Iterator[Mark]:
        graph, labels = self._graph, self._graph.labels
        concepts = [concept or "" for concept in graph.concepts()]
        called = [
            {_plain(name), _plain(name.removeprefix("n")), _plain(concept)} - {""}
            for name, concept in zip(graph.variables, concepts, strict=True)
        ]
        number = 0
        for v, concept in graph.instances:
            yield from self._concept(number, v, _plain(labels[concept]))
            number += 1
        for v, role, value in graph.attributes:
            ends = called[v], {_plain(labels[value])}
            yield from self._matches(number, ends, _plain(labels[role]), whole=False)
            number += 1
        for source, role, target in graph.relations:
            ends = called[source], called[target]
            yield from self._matches(number, ends, _plain(labels[role]), whole=True)
            number += 1

    def _concept(self, number: int, v: int, concept: str) -> Iterator[Mark]:
        """Yield a concept beside its variable's name, or wherever it stands alone."""
        name = self._graph.variables[v]
        names = {_plain(name), _plain(name.removeprefix("n"))}
        for k in self._units_with({concept}):
            words = self._units[k].words
            same_words = [word for word in words if _plain(word.text) == concept]
            other_words = [
                w for w in words if _plain(w.text) in names and w not in same_words[:1]
            ]
            if other_words and concept not in names and same_words:
                unit = same_words[-1]
                yield Mark(unit.begin, unit.end, number)
                return
        seen = set()
        for k in self._units_with({concept}):
            for word in self._units[k].words:
                if _plain(word.text) == concept and word.begin not in seen:
                    seen.add(word.begin)
                    yield Mark(word.begin, word.end, number)

    def _matches(
        self, number: int, ends: tuple[set[str], set[str]], role: str, *, whole: bool
    ) -> Iterator[Mark]:
        for name in (role, ""):
            for k in self._units_with(*ends):
                span = self._span(self._units[k].words, ends, name, whole)
                if span is not None and span not in self._taken:
                    self._taken.add(span)
                    yield Mark(*span, number)
                    return

    def _units_with(self, *texts: set[str]) -> list[int]:
        """Return the units with one of the rarer texts, the smallest first."""
        lists = [
            {k for text in some for k in self._with.get(text, ())[:MOST_UNITS]}
            for some in texts
        ]
        rarest = min(lists, key=len)
        return sorted(rarest, key=lambda k: (len(self._units[k].words), k))

    def _span(
        self,
        words: Sequence[Word],
        ends: tuple[set[str], set[str]],
        role: str,
        whole: bool,
    ) -> tuple[int, int] | None:
        """Return the part of a unit that states a triple, source before target."""
        plain_words = [_plain(word.text) for word in words]
        sources = [
            k
            for k, text in enumerate(plain_words)
            if text in ends[0] and words[k].key not in _TARGETS
        ]
        targets = [k for k, text in enumerate(plain_words) if text in ends[1]]
        roles = (
            [k for k, text in enumerate(plain_words) if text == role] if role else [-1]
        )
        for onwards in (True, False):
            for source in sources:
                for target in targets:
                    if source == target or onwards != (source < target):
                        continue
                    for role_name in roles:
                        if role_name in (source, target):
                            continue
                        kept = {role_name, target} | ({source} if whole else set())
                        parts = [words[k] for k in kept - {-1}]
                        begin = min(word.begin for word in parts)
                        return begin, max(word.end for word in parts)
        return None


def _of_clauses(graph: Graph, text: str) -> Iterator[Mark]:
    """Yield the parts of each clause, whose number its variable has."""
    lines = [unit.words for unit in _lines(text, _CLAUSE) if unit.words]
    places = {BOX_ROLE: 0, ARGUMENTS[0]: 2, ARGUMENTS[1]: 3}
    clauses = {
        v: lines[int(match[1]) - 1]
        for v, name in enumerate(graph.variables)
        if (match := _CLAUSES.fullmatch(name)) and int(match[1]) <= len(lines)
    }
    triples = [(v, "") for v, _ in graph.instances]
    triples += [(v, graph.labels[role]) for v, role, _ in graph.attributes]
    triples += [(v, graph.labels[role]) for v, role, _ in graph.relations]
    for number, (v, role) in enumerate(triples):
        place = 1 if role == "" else places.get(role)
        words = clauses.get(v, ())
        if place is not None and place < len(words):
            yield Mark(words[place].begin, words[place].end, number)


def _of_synsets(graph: Graph, text: str) -> Iterator[Mark]:
    """Yield the numbered synsets of SBN, each with the roles behind it."""
    words = [word for unit in _lines(text, _CLAUSE) for word in unit.words]
    synsets: list[list[Word]] = []
    boxes: list[tuple[Word, Word]] = []
    k = 0
    while k < len(words):
        if _SYNSET.fullmatch(words[k].text):
            synsets.append([words[k]])
            k += 1
        elif words[k].text.isupper() and words[k + 1 : k + 2] and _opens(words, k):
            boxes.append((words[k], words[k + 1]))
            k += 2
        else:
            if synsets:
                synsets[-1] += words[k : k + 2]
            k += 2
    of = graph.variables
    taken_places: set[int] = set()

    def role_of(v: int, role: str) -> Iterator[tuple[int, int]]:
        name = of[v]
        synset_spans = (
            synsets[int(name[1:])] if _is_numbered(name, "s", len(synsets)) else []
        )
        for word, value in zip(synset_spans[1::2], synset_spans[2::2], strict=False):
            if word.text in (role, f"{role}Of") and word.begin not in taken_places:
                taken_places.add(word.begin)
                yield word.begin, value.end
                return

    number = 0
    for v, _ in graph.instances:
        if _is_numbered(of[v], "s", len(synsets)):
            word = synsets[int(of[v][1:])][0]
            yield Mark(word.begin, word.end, number)
        number += 1
    for v, code, _ in graph.attributes:
        for span in role_of(v, graph.labels[code]):
            yield Mark(*span, number)
        number += 1
    for source, code, target in graph.relations:
        role, name = graph.labels[code], of[target]
        spans = [*role_of(source, role)] or [*role_of(target, role)]
        if _is_numbered(name, "b", len(boxes) + 1) and name != "b0":
            first, last = boxes[int(name[1:]) - 1]
            spans = [(first.begin, last.end)] if first.text == role else spans
        for span in spans:
            yield Mark(*span, number)
        number += 1


def _opens(words: Sequence[Word], k: int) -> bool:
    """Return whether a word opens a box: an operator with its box of origin."""
    return re.fullmatch(r"[<>]\d+|-\d+", words[k + 1].text) is not None and (
        len(words[k].text) > 3 or words[k + 1].text[0] in "<>"
    )


def _is_numbered(name: str, letter: str, count: int) -> bool:
    return name[:1] == letter and name[1:].isdecimal() and int(name[1:]) < count
