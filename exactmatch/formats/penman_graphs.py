"""Read and write PENMAN for conversion, as it stands.

The readers of profiles keep only what their metrics count.  This one keeps every triple
and every label as it is written; only inverse roles are stored in their direct form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block, blocks_of_lines, no_graph
from exactmatch.formats.remarks import NAMELESS_ROLE, TAGGED, Reading
from exactmatch.graphs.graph import INVERSE, UPRIGHT, Graph, GraphCoder, Origin
from exactmatch.graphs.penman_text import text_of

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?:~[^\s()"]+)?|[()]|[^\s()"]+|"')
_NAME = re.compile(r"[^\s()/\"]+")

FOLLOWED = "is followed by a word, which is left out"
VALUELESS = "has a role without a value, which is left out"


class PenmanStatement(NamedTuple):
    """One role of a variable, as written.

    Attributes:
        source: the variable that the role is written under.
        role: the role without its colon, inverted where it is written so.
        target: a variable or a constant.
        line: the file's line on which the role stands.
    """

    source: str
    role: str
    target: str
    line: int


@dataclass(slots=True)
class Tree:
    """The tree of a PENMAN text.

    Attributes:
        concepts: each variable's concept, in order of definition; ``None`` without.
        lines: the line on which each variable is defined.
        statements: the roles, in order.
        lenient: what a careful reader would refuse.
    """

    concepts: dict[str, str | None] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    statements: list[PenmanStatement] = field(default_factory=list)
    lenient: dict[str, None] = field(default_factory=dict)

    def renamed(self, names: Mapping[str, str]) -> Tree:
        """Return the tree with other names for some variables."""

        def new(name: str) -> str:
            return names.get(name, name)

        return Tree(
            {new(name): concept for name, concept in self.concepts.items()},
            {new(name): line for name, line in self.lines.items()},
            [
                s._replace(source=new(s.source), target=new(s.target))
                for s in self.statements
            ],
            self.lenient,
        )

    @property
    def top(self) -> str | None:
        """The variable that was defined first."""
        return next(iter(self.concepts), None)


def parse_tree(lines: Iterable[tuple[int, str]], origin: Origin) -> Tree:
    """Parse one PENMAN graph.

    Args:
        lines: its lines with their numbers; no comments.
        origin: where it stands, for messages.

    Raises:
        GraphError: if brackets or quotes do not close, a variable is defined twice or
            has no name, or something stands where it cannot.
    """
    parser = _Parser(origin)
    for line in lines:
        parser.line, parser.text = line
        for place, token in enumerate(_TOKEN.findall(parser.text)):
            parser.place = place
            parser.take(token)
    parser.place = None
    return parser.finish()


class _Parser:
    """The state of parsing: the open variables, and what is expected next."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.line = origin.line or 1
        self.text = ""
        self.place: int | None = None  # which token of the line is taken
        self.tree = Tree()
        self._open: list[str] = []
        self._names = False  # whether a variable's name is expected
        self._slash = False  # whether a slash may follow, and a concept behind it
        self._concept = False  # whether a concept is expected
        self._role: str | None = None  # a role that waits for its value
        self._role_line = 0
        self._closed = False

    def take(self, token: str) -> None:
        """Take the next token."""
        if token == '"':
            raise self._error("ends a line inside a string; close the quote")
        if self._closed and token not in "()":
            self.tree.lenient[FOLLOWED] = None
        elif self._closed and token == "(":
            raise self._error("is followed by another bracket")
        elif token == "(":
            self._begin()
        elif token == ")":
            self._end()
        elif self._names:
            self._take_name(token)
        elif self._concept or (self._slash and token[0] == "/"):
            self._take_concept(token)
        elif not self._open:
            raise self._error(f"does not begin with '(' but with {token!r}")
        elif token[0] == ":":
            self._take_role(token)
        else:
            self._take_value(token)

    def _begin(self) -> None:
        if self._names or self._concept:
            raise self._error("has a bracket where a variable or concept belongs")
        if self._open and self._role is None:
            raise self._error("has a bracket without a role in front of it")
        self._slash = False
        self._names = True

    def _end(self) -> None:
        if self._names:
            raise self._error("has a bracket without a variable")
        if self._concept:
            raise self._error(f"has no concept for variable {self._open[-1]!r}")
        if not self._open:
            raise self._error("has a ')' without its '('")
        self._drop_role()
        self._slash = False
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
            self._state(name)
        self.tree.concepts[name] = None
        self.tree.lines[name] = self.line
        self._open.append(name)
        self._names = False
        self._slash = True
        rest = token[match.end() :]
        if rest:
            self._take_concept(rest)

    def _take_concept(self, token: str) -> None:
        if self._slash:
            token = token[1:]
            self._slash = False
            self._concept = True
        if token:
            self._remark_tag(token)
            self.tree.concepts[self._open[-1]] = token
            self._concept = False

    def _take_role(self, token: str) -> None:
        self._slash = False
        self._drop_role()
        self._remark_tag(token)
        self._role = token[1:]
        self._role_line = self.line
        if not self._role:
            self.tree.lenient[NAMELESS_ROLE] = None

    def _take_value(self, token: str) -> None:
        if self._role is None:
            raise self._error(f"has {token!r} without a role in front of it")
        self._remark_tag(token)
        self._state(token)

    def _state(self, target: str) -> None:
        assert self._role is not None
        self.tree.statements.append(
            PenmanStatement(self._open[-1], self._role, target, self._role_line)
        )
        self._role = None

    def _drop_role(self) -> None:
        if self._role is not None:
            self.tree.lenient[VALUELESS] = None
            self._role = None

    def _remark_tag(self, token: str) -> None:
        if "~" in token and token[-1] != '"':
            self.tree.lenient[TAGGED] = None

    def finish(self) -> Tree:
        """The tree, if it is whole."""
        if self._open or self._names:
            n = len(self._open) + self._names
            raise self._error(f"lacks {n} closing parenthes{'is' if n == 1 else 'es'}")
        if not self.tree.concepts:
            raise self._error("has no node; a graph is '(variable / concept ...)'")
        return self.tree

    def _error(self, reason: str) -> GraphError:
        text = self.text.rstrip()
        starts = [match.start() for match in _TOKEN.finditer(text)]
        column = len(text) if self.place is None else starts[self.place]
        return self.origin.error(reason, self.line, column + 1, text)


def penman_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a file, one block each."""
    return blocks_of_lines(lines, path)


def read_penman(block: Block) -> Reading:
    """Read one graph.

    Raises:
        GraphError: if its brackets or quotes do not close, or something stands where
            it cannot.
    """
    if not block.content:
        raise no_graph(block)
    origin = block.origin()
    tree = parse_tree(block.numbered(), origin)
    coder = GraphCoder()
    for name in tree.concepts:
        coder.variable(name)
    state(coder, tree)
    graph = coder.graph(tree.top, block.metadata(), origin)
    return Reading(graph, tuple(tree.lenient))


def _read_as(block: Block, reader: str) -> Reading:
    reading = read_penman(block)
    return reading._replace(graph=replace(reading.graph, reader=reader))


read_umr_sentence = partial(_read_as, reader="umr")
read_mrp_sentence = partial(_read_as, reader="mrp")


def state(coder: GraphCoder, tree: Tree) -> list[tuple[int, str, int]]:
    """Add the triples of a tree to a coder that has numbered all its variables.

    Returns:
        The relations that the tree states inversely.
    """
    turned: list[tuple[int, str, int]] = []
    for name, concept in tree.concepts.items():
        if concept is not None:
            coder.instances.append((coder.numbers[name], coder.label(concept)))
    for source, role, target, _ in tree.statements:
        inverted = role.endswith(INVERSE) and role not in UPRIGHT
        if inverted and target in coder.numbers:
            source, target = target, source
            role = role.removesuffix(INVERSE)
            turned.append((coder.numbers[source], role, coder.numbers[target]))
        v, code = coder.numbers[source], coder.label(role)
        if target in coder.numbers:
            coder.relations.append((v, code, coder.numbers[target]))
        else:
            coder.attributes.append((v, code, coder.label(target)))
    return turned


def write_penman(graph: Graph) -> str:
    """Write a graph and its metadata.

    Raises:
        GraphError: if PENMAN cannot express the graph; the message says why.
    """
    lines = [f"# ::{key} {value}".rstrip() for key, value in graph.metadata.items()]
    return "\n".join([*lines, text_of(graph)]) + "\n"
