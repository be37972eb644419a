r"""A graph's text as its file has it, and which triple each part of it states.

A reader keeps triples, not text: quotes, inverted roles, ``:mod`` for ``:domain``, the
order of roles may be gone.  People want to see what they wrote.  :func:`text_lines`
takes the text apart again, a line for each role, and finds the triple that each line
states; where there is no text, or none that can be taken apart, the lines are those
that :func:`~exactmatch.graphs.penman_text.layout` makes of the graph.

Taking apart is lenient, because files are what they are::

    (b / boy~e.3 :mod(l / little :polarity - ) :quant 2

lacks a closing bracket, and still gives its lines.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from exactmatch.graphs.graph import INVERSE, Graph
from exactmatch.graphs.penman_text import TextLine, layout

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"(?:~[\w.,]+)?|[()]|[^\s()"]+|"')
_TAG = re.compile(r"~[\w.,]+$")


class Worded(NamedTuple):
    """A graph with the lines of its text."""

    graph: Graph
    lines: Sequence[TextLine]  # that text_lines finds
    text: str | None = None  # the text, where it is not PENMAN


def worded(graph: Graph, text: str | None = None) -> Worded:
    """Return a graph with the lines of its text, and the text if it is not PENMAN."""
    lines = map(str.strip, (text or "").splitlines())
    first = next((line for line in lines if line and line[0] != "#"), "(")
    own_text = None if first[0] == "(" else text
    return Worded(graph, text_lines(graph, text), own_text)


def text_lines(graph: Graph, text: str | None = None) -> list[TextLine]:
    """Split a graph's text into lines, and find the triple that each line states.

    The lines are those of a new layout if there is no text, or if a triple is on none
    of its lines, as where a profile made new ones.
    """
    if text is not None:
        lines = _taken_apart(text)
        named = {line.name for line in lines if line.defines}
        if named and named.issuperset(graph.variables):
            _find_triples(graph, lines)
            n_placed = sum(
                (line.triple is not None) + len(line.instances) for line in lines
            )
            kinds = (graph.instances, graph.attributes, graph.relations)
            if n_placed == sum(map(len, kinds)):
                return lines
    return layout(graph)


def _taken_apart(text: str) -> list[TextLine]:
    """Return the lines of a text, without the triples."""
    if "#" in text:
        kept = text.splitlines()
        text = "\n".join(line for line in kept if not line.lstrip().startswith("#"))
    lines: list[TextLine] = []
    depth = 0
    role = ""
    state = _VALUE
    for token in _TOKEN.findall(text):
        if token == "(":
            lines.append(TextLine(depth, role, defines=True))
            depth += 1
            role, state = "", _NAME
        elif token == ")":
            if role:
                lines.append(TextLine(depth, role))
                role = ""
            depth = max(depth - 1, 0)
            if lines:
                lines[-1].closed += 1
            state = _VALUE
        elif token[0] == ":" and len(token) > 1 and state != _NAME:
            if role:
                lines.append(TextLine(depth, role))
            role, state = token[1:], _VALUE
        elif state == _NAME:
            lines[-1].name, slash, lines[-1].concept = token.partition("/")
            state = _CONCEPT if slash else _SLASH
        elif state == _SLASH and token[0] == "/":
            lines[-1].concept = token[1:]
            state = _CONCEPT
        elif role:
            lines.append(TextLine(depth, role, constant=token))
            role = ""
        elif lines and lines[-1].defines:  # one more word of it
            lines[-1].concept = f"{lines[-1].concept} {token}".strip()
        elif lines:
            lines[-1].constant = f"{lines[-1].constant} {token}".strip()
    defined = {line.name for line in lines if line.defines}
    for line in lines:
        if untagged(line.constant) in defined:
            line.name, line.constant = line.constant, ""
    return lines


_NAME, _SLASH, _CONCEPT, _VALUE = range(4)
"""What a text may go on with: a variable, its slash, its concept, a role's value."""


def untagged(text: str) -> str:
    """Return a role, variable or label without its alignment tag ``~e.N``."""
    return _TAG.sub("", text) if "~" in text else text


def _plain(text: str) -> str:
    """Return a label without tag, quotes and case, up to its first blank."""
    text = untagged(text).replace('"', "").strip("_").lower()
    return text.split()[0] if text.split() else ""


def _find_triples(graph: Graph, lines: Sequence[TextLine]) -> None:
    """Note at the lines the triples that they state, each on one line at most."""
    numbers = {name: v for v, name in enumerate(graph.variables)}
    concepts = [numbers_of[::-1] for numbers_of in graph.instance_numbers()]
    path: list[int | None] = []
    roles: list[_Role] = []
    for k, line in enumerate(lines):
        v = line.variable = numbers.get(untagged(line.name))
        parent = path[line.depth - 1] if 0 < line.depth <= len(path) else None
        if line.role and parent is not None:
            role, value = untagged(line.role).lower(), _plain(line.constant)
            roles.append(_Role(k, parent, role, v, value))
        if line.defines:
            path[line.depth :] = [v]
            if v is not None and line.concept and concepts[v]:
                line.instances = (concepts[v].pop(),)
    for k, triple in _claims(graph, roles).items():
        lines[k].triple = triple


class _Role(NamedTuple):
    """A role, without tags, as it is compared, of a line or of a triple."""

    number: int
    source: int
    name: str
    target: int | None
    value: str


def _claims(graph: Graph, roles: Sequence[_Role]) -> dict[int, int]:
    """Match lines with triples: exact statements first, then the others.

    What is left are the readers' own ways, such as ``:mod`` for ``:domain``.
    """
    around: list[list[_Role]] = [[] for _ in graph.variables]
    for triple in _roles(graph):
        around[triple.source].append(triple)
        if triple.target is not None and triple.target != triple.source:
            around[triple.target].append(triple)
    claimed_places: dict[int, int] = {}
    used: set[int] = set()
    for fits in (_to_the_letter, _between_the_same):
        for line in roles:
            if line.number not in claimed_places:
                free_words = (k for k in around[line.source] if k.number not in used)
                triple_number = next(
                    (k.number for k in free_words if fits(line, k)), None
                )
                if triple_number is not None:
                    claimed_places[line.number] = triple_number
                    used.add(triple_number)
    return claimed_places


def _roles(graph: Graph) -> Iterator[_Role]:
    names = [label.lower() for label in graph.labels]
    numbers = count(len(graph.instances))
    for v, role, value in graph.attributes:
        yield _Role(next(numbers), v, names[role], None, _plain(names[value]))
    for source, role, target in graph.relations:
        yield _Role(next(numbers), source, names[role], target, "")


def _to_the_letter(line: _Role, triple: _Role) -> bool:
    _, source, name, target, value = triple
    return line[1:] in (triple[1:], (target, name + INVERSE, source, value))


def _between_the_same(line: _Role, triple: _Role) -> bool:
    if line.target is None or triple.target is None:
        return (line.source, line.target) == (triple.source, triple.target) and (
            line.name == triple.name or line.value == triple.value
        )
    return {line.source, line.target} == {triple.source, triple.target}


class TripleWords(NamedTuple):
    """Words by which a text states a triple."""

    role: str  # ARG0 where the text has ARG0-of; empty for a concept
    value: str = ""  # the concept or constant; empty for a relation
    turned: bool = False  # whether the role leads from the target to the source


def words_of_triples(graph: Graph, lines: Iterable[TextLine] = ()) -> list[TripleWords]:
    """Return the words of each triple in the text, or else in the graph."""
    labels = graph.labels
    words = [TripleWords("", labels[concept]) for _, concept in graph.instances]
    words += [
        TripleWords(labels[role], labels[value]) for _, role, value in graph.attributes
    ]
    first = len(words)
    words += [TripleWords(labels[role]) for _, role, _ in graph.relations]
    path: list[int | None] = []
    for line in lines:
        if line.triple is not None and line.triple < first:
            words[line.triple] = TripleWords(line.role, line.constant or line.name)
        elif line.triple is not None:
            source = graph.relations[line.triple - first][0]
            role, words_of_target = untagged(line.role), words[line.triple].role
            if source == path[line.depth - 1]:
                words[line.triple] = TripleWords(role)
            elif role.lower() != f"{words_of_target}{INVERSE}".lower():
                words[line.triple] = TripleWords(role, turned=True)
        if line.instances and line.concept:
            words[line.instances[0]] = TripleWords("", line.concept)
        if line.defines:
            path[line.depth :] = [line.variable]
    return words
