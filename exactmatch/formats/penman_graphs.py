"""PENMAN as it stands, as annotators write it and for conversion.

The formats of documents hold PENMAN graphs, but not always in the form that the
penman library reads: ``:time 0:00`` has a colon in its value, ``:quant 1/2`` a slash,
concepts begin with ``#``, tabs stand where blanks do.  This reader takes them: a role
is a word that begins with a colon, and a word ends at a blank, a bracket or a quote.

The readers of profiles keep only what their metrics count.  This one keeps every triple
and every label as it is written; only inverse roles are stored in their direct form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from exactmatch.base.deadline import in_time
from exactmatch.base.errors import GraphError, shortened
from exactmatch.formats.blocks import Block, blocks_of_lines, no_graph
from exactmatch.formats.remarks import (
    NAMELESS_ROLE,
    NO_OPENING,
    TAGGED,
    TAGS,
    VALUELESS,
    Reading,
    counted,
)
from exactmatch.graphs.graph import (
    Graph,
    GraphCoder,
    Origin,
    Triple,
    upright,
    without_tag,
)
from exactmatch.graphs.penman_text import text_of

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?:~[^\s()"]+)?|[()]|[^\s()"]+|"')
_NAME = re.compile(r"[^\s()/\"]+")

penman_blocks = blocks_of_lines


def read_penman(block: Block, reader: str | None = None) -> Reading:
    """Read one graph; *reader* is the name of the profile's reader that this is."""
    if not block.content:
        raise no_graph(block)
    origin = block.origin()
    tree = parse_tree(block.numbered(), origin)
    tree.untag_mentions()
    coder = GraphCoder(tree.concepts)
    state(coder, tree)
    graph = coder.graph(tree.top, block.metadata(), origin, reader)
    return Reading(graph, tuple(tree.lenient), counted((TAGS, tree.mention_tags)))


def clearer(error: GraphError, block: Block) -> GraphError:
    """Return what this reader complains of first, where another reader has stopped.

    The readers of published programs go on behind a fault, as these programs do, and
    stop at what follows from it: a bracket that is not closed is a variable without
    a concept.
    """
    if not block.content:
        return error
    try:
        tree = parse_tree(block.numbered(), block.origin())
    except GraphError as first:
        return first
    for name, concept in tree.concepts.items():
        if concept is None and error.reason == NO_OPENING:
            line, sign = tree.lines[name], f"({name} / "
            reason = f"has no concept for variable {name!r}; write '{sign}concept)'"
            return block.origin().error(reason, line)
    return error


read_umr_sentence = partial(read_penman, reader="umr")
read_mrp_sentence = partial(read_penman, reader="mrp")


def write_penman(graph: Graph) -> str:
    """Write a graph and its metadata."""
    lines = [f"# ::{key} {value}".rstrip() for key, value in graph.metadata.items()]
    return "\n".join([*lines, text_of(graph)]) + "\n"


@dataclass(slots=True)
class Tree:
    """The tree of a PENMAN text, which keeps what triples lose.

    Attributes:
        concepts: each variable's concept, in order of definition; ``None`` without.
        lines: the line on which each variable is defined.
        statements: the roles of variables, in order: the variable that each is written
            under, the role, inverted where it is written so, a variable or constant.
        names: the names of variables in the graph, where they differ.
        lenient: what a careful reader would refuse.
        mention_tags: how many alignment tags stood behind variables that are mentioned
            again; they are left out.
    """

    concepts: dict[str, str | None] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    statements: list[Triple] = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=dict)
    lenient: dict[str, None] = field(default_factory=dict)
    mention_tags: int = 0

    def called(self, name: str) -> str:
        """Return the name of a variable in the graph."""
        return self.names.get(name, name)

    @property
    def top(self) -> str | None:
        """The variable that was defined first."""
        return next(iter(self.concepts), None)

    def untag_mentions(self) -> None:
        """Turn ``d~e.3`` into the variable ``d``, where the tree defines it."""
        for k, (source, role, value) in enumerate(self.statements):
            if "~" not in value:
                continue
            name = without_tag(value)
            if name != value and name in self.concepts:
                self.statements[k] = Triple(source, role, name)
                self.mention_tags += 1


def state(coder: GraphCoder, tree: Tree) -> list[tuple[int, str, int]]:
    """Add the triples of a tree to a coder that has numbered all its variables.

    Returns:
        The relations that the tree states inversely.
    """
    turned: list[tuple[int, str, int]] = []
    for name, concept in tree.concepts.items():
        if concept is not None:
            v = coder.numbers[tree.called(name)]
            coder.instances.append((v, coder.label(concept)))
    for source, role, target in tree.statements:
        source, target = tree.called(source), tree.called(target)
        direct = upright(role)
        if direct != role and target in coder.numbers:
            source, role, target = target, direct, source
            turned.append((coder.numbers[source], role, coder.numbers[target]))
        v, code = coder.numbers[source], coder.label(role)
        if target in coder.numbers:
            coder.relations.append((v, code, coder.numbers[target]))
        else:
            coder.attributes.append((v, code, coder.label(target)))
    return turned


def parse_tree(lines: Iterable[tuple[int, str]], origin: Origin) -> Tree:
    """Parse one PENMAN graph.

    Args:
        lines: its lines with their numbers; no comments.
    """
    parser = _Parser(origin)
    for line in in_time(lines):
        parser.line, parser.text = line
        for place, token in enumerate(_tokens(parser.text)):
            parser.place = place
            parser.take(token)
    parser.place = None
    parser.finish()
    return parser.tree


_LONG_LINE = 10_000
"""From how many characters on a line is not cut into tokens all at once."""


def _tokens(line: str) -> Iterable[str]:
    if len(line) < _LONG_LINE:
        return _TOKEN.findall(line)
    return in_time(match[0] for match in _TOKEN.finditer(line))


_VARIABLE, _SLASH, _CONCEPT, _ROLE = range(4)
"""What comes next: a variable; its slash and concept, or else its roles."""


class _Parser:
    """The state of parsing: the open variables, and what is expected next."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.line = origin.line or 1
        self.text = ""
        self.place: int | None = None  # which token of the line is taken
        self.tree = Tree()
        self._open: list[str] = []
        self._next = _ROLE
        self._role: str | None = None  # a role that waits for its value
        self._closed = False

    def take(self, token: str) -> None:
        if token == '"':
            raise self._error("ends a line inside a string; close the quote")
        if self._closed and token not in "()":
            self.tree.lenient["is followed by a word, which is left out"] = None
        elif self._closed and token == "(":
            raise self._error("is followed by another; put a blank line between them")
        elif token == "(":
            self._begin()
        elif token == ")":
            self._end()
        elif self._next == _VARIABLE:
            self._take_name(token)
        elif self._next == _CONCEPT:
            self._take_concept(token)
        elif self._next == _SLASH and token[0] == "/":
            self._take_concept(token[1:])
        elif not self._open:
            begun = shortened(repr(token), 30)
            way_out = "a graph is '(variable / concept ...)'"
            raise self._error(f"does not begin with '(' but with {begun}; {way_out}")
        elif token[0] == ":":
            self._next = _ROLE
            self._drop_role()
            self._remark_tag(token)
            self._role = token[1:]
            if not self._role:
                self.tree.lenient[NAMELESS_ROLE] = None
        else:
            self._take_value(token)
            self._remark_tag(token)

    def _begin(self) -> None:
        if self._next in (_VARIABLE, _CONCEPT):
            raise self._error("has a bracket where a variable or concept belongs")
        if self._open and self._role is None:
            raise self._error("has a bracket without a role in front of it")
        self._next = _VARIABLE

    def _end(self) -> None:
        if self._next == _VARIABLE:
            raise self._error("has a bracket without a variable")
        if self._next == _CONCEPT:
            raise self._error(f"has no concept for variable {self._open[-1]!r}")
        if not self._open:
            raise self._error(NO_OPENING)
        self._drop_role()
        self._next = _ROLE
        self._open.pop()
        self._closed = not self._open

    def _take_name(self, token: str) -> None:
        match = _NAME.match(token)
        if match is None or token[0] == ":":
            raise self._error(f"has {token!r} where a variable belongs")
        name = match[0]
        if name in self.tree.concepts:
            first = self.tree.lines[name]
            raise self._error(f"defines variable {name!r} twice, first on line {first}")
        if self._open:
            self._take_value(name)
        self.tree.concepts[name] = None
        self.tree.lines[name] = self.line
        self._open.append(name)
        self._next = _SLASH
        if match.end() < len(token):
            self._take_concept(token[match.end() + 1 :])

    def _take_concept(self, token: str) -> None:
        """Take the text behind a slash; if there is none, the concept follows."""
        self._next = _ROLE if token else _CONCEPT
        if token:
            self._remark_tag(token)
            self.tree.concepts[self._open[-1]] = token

    def _take_value(self, value: str) -> None:
        if self._role is None and self._next == _SLASH:
            name = self._open[-1]
            written = f"({name} / {value}"
            raise self._error(f"has {value!r} where '/' belongs, as in {written!r}")
        if self._role is None:
            raise self._error(
                f"has {value!r} without a role in front of it; a role begins with ':'"
            )
        self.tree.statements.append(Triple(self._open[-1], self._role, value))
        self._role = None

    def _drop_role(self) -> None:
        if self._role is not None:
            self.tree.lenient[VALUELESS] = None
            self._role = None

    def _remark_tag(self, token: str) -> None:
        if "~" in token and token[-1] != '"':
            self.tree.lenient[TAGGED] = None

    def finish(self) -> None:
        """Refuse a tree that is not whole."""
        n_missing = len(self._open) + (self._next == _VARIABLE)
        if n_missing:
            ending = "is" if n_missing == 1 else "es"
            bracket = "the last '('"
            if self._next != _VARIABLE:
                name = self._open[-1]
                bracket = f"'({name}' on line {self.tree.lines[name]}"
            reason = f"lacks {n_missing} closing parenthes{ending}"
            raise self._error(f"{reason}; {bracket} is not closed")
        if not self.tree.concepts:
            raise self._error("has no node; a graph is '(variable / concept ...)'")

    def _error(self, reason: str) -> GraphError:
        text = self.text.rstrip()
        column = len(text)
        if self.place is not None:  # what follows is not looked at
            column = next(islice(_TOKEN.finditer(text), self.place, None)).start()
        return self.origin.error(reason, self.line, column + 1, text)
