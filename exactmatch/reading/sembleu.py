"""SemBleu's official reading of a graph, to the letter.

SemBleu compares graphs whose nodes are concepts *and* constants, so this reader
makes a node of every constant.  In the :class:`~exactmatch.graph.Graph` it
returns,

* ``variables`` are the nodes in the official order: the variables as they
  appear, then the constants in the order of their edges.  A constant's name is
  a colon and a number (``:0``, ``:1``, …), which no variable can have;
* ``instances`` give every node its label: a variable its concept, a constant
  its value;
* ``relations`` are the edges in the official order, inverse roles reverted
  (``:ARG0-of`` becomes ``ARG0`` in the other direction); there are no
  ``attributes``.

What the official reader does that a PENMAN reader would not:

* brackets, colons and slashes inside quotes are deleted; blanks outside a role
  and its value are deleted, so a concept loses them;
* an undefined value of the form ``[a-z][0-9]*`` is taken for a variable, and
  there must then be one; a longer variable name (``xv2``) that is used before
  its definition is a constant;
* a constant with the name of a variable takes that variable's concept;
* ``-of`` vanishes wherever it stands in an inverse role (``prep-on-behalf-of``,
  ``consist-of``, ``a-of-b-of``); a constant or variable whose name ends in
  ``-of`` is an error;
* what follows the last bracket that is needed is ignored, and the last brackets
  may be missing; a line without bracket and slash is a graph of one constant.

Source: Song and Gildea (2019), "SemBleu", and the reading facts of their
published implementation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from exactmatch.errors import GraphError
from exactmatch.graph import NOWHERE, Graph, Origin

if TYPE_CHECKING:
    from exactmatch.reading.blocks import Block

CONSTANT_MARK = ":"
"""What the names of constant nodes begin with."""

_TOKEN = re.compile(r'["():/]|[^"():/]+')
_VARIABLE = re.compile("[a-z][0-9]*")
_INVERSE = "-of"
_INVERSE_REMOVED = 10  # occurrences of "-of" that are removed from an inverse role

# What the last significant bracket, colon or slash has begun.
_START, _NAME, _ROLE, _CONCEPT, _DONE = range(5)


def read_sembleu(
    text: str,
    origin: Origin = NOWHERE,
    metadata: Mapping[str, str] | None = None,
) -> Graph:
    """Read one graph the way SemBleu's own code does.

    Args:
        text: the graph; lines that begin with ``#`` are ignored, the others
            are stripped and joined with a blank.
        origin: where the graph stands, for messages.
        metadata: the graph's ``id``, ``snt`` and so on.

    Raises:
        GraphError: where the official code stops.
    """
    lines = [line.strip() for line in text.split("\n") if not line.startswith("#")]
    first = origin.line or 1
    numbers = [first + k for k, line in enumerate(lines) if line]
    return _read(list(filter(None, lines)), numbers, origin, metadata or {})


def read_sembleu_block(block: Block) -> tuple[Graph, int]:
    """Read a block as :func:`read_sembleu` does.

    Returns:
        The graph, and 0: there is nothing to remark.

    Raises:
        GraphError: where the official code stops; file, line and id are named.
    """
    metadata = block.metadata()
    numbers = [
        number
        for number, line in enumerate(block.lines, block.line)
        if not line.strip().startswith("#")
    ]
    origin = block.origin(metadata)
    return _read(list(block.content), numbers, origin, metadata), 0


def _read(
    lines: list[str], numbers: list[int], origin: Origin, metadata: Mapping[str, str]
) -> Graph:
    if not lines:
        raise origin.error("has no graph; a graph is '(variable / concept ...)'")
    network = _Network(origin)
    if lines[0].startswith("(") or any("/" in line for line in lines):
        reading = _Reading(origin)
        for line, number in zip(lines, numbers, strict=True):
            reading.read(line, number)
        reading.draw(network)
    else:
        network.add_constant(" ".join(lines), quoted=False)
    return network.graph(metadata)


class _Reading:
    """The state of reading one line.

    Attributes:
        concepts: the concept of each variable that has been read.
        order: the variables as they are opened.
        links: what each variable has: ``(role, value, is a variable)``.
        open: the variables whose bracket is still open.
        pending: the characters since the last sign.
        role: the role whose bracket has been opened last.
        state: which sign came last.
        quoted: whether a quote is open.
        line: number of the line that is being read.
    """

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.concepts: dict[str, str] = {}
        self.order: list[str] = []
        self.links: defaultdict[str, list[tuple[str, str, bool]]] = defaultdict(list)
        self.open: list[str] = []
        self.pending: list[str] = []
        self.role = ""
        self.state = _START
        self.quoted = False
        self.line: int | None = None

    def read(self, line: str, number: int) -> None:
        """Read one more line."""
        signs = {"(": self.begin, ":": self.colon, "/": self.slash, ")": self.end}
        if self.line is not None:
            line = " " + line
        self.line = number
        for token in _TOKEN.findall(line):
            if token in signs:
                if not self.quoted:
                    signs[token]()
            elif token == '"':
                self.quoted = not self.quoted
                self.pending.append(token)
            elif self.state == _ROLE:
                self.pending.append(token)
            else:
                self.pending.append(token.replace(" ", ""))

    def begin(self) -> None:
        """Read an opening bracket: a variable's name follows."""
        if self.state == _ROLE:
            if self.role:
                raise self.error(f"has role {self.role!r} without a value")
            self.role = self.collected().strip()
        self.state = _NAME

    def slash(self) -> None:
        """Read a slash: the variable's name is complete, its concept follows."""
        if self.state != _NAME:
            raise self.error("has a '/' that is not in '(variable / concept'")
        name = self.collected()
        if name in self.concepts:
            raise self.error(f"defines variable {name!r} twice; rename one")
        if self.role:
            self.link(self.parent(self.role), self.role, name, True)
            self.role = ""
        self.open.append(name)
        self.order.append(name)
        self.state = _CONCEPT

    def colon(self) -> None:
        """Read a colon: a role follows."""
        self.complete()
        self.state = _ROLE

    def end(self) -> None:
        """Read a closing bracket."""
        if not self.open:
            raise self.error("has a ')' without its '('")
        if self.state == _ROLE and self.role.endswith(_INVERSE):
            self.unopened()
        else:
            self.complete()
        self.open.pop()
        self.role = ""
        self.state = _DONE

    def complete(self) -> None:
        """File the concept, or the role and its value, that was being read."""
        if self.state == _CONCEPT:
            self.concepts[self.open[-1]] = self.collected()
        elif self.state == _ROLE:
            self.value()

    def value(self) -> None:
        """File a role whose value is written without brackets."""
        written = self.collected()
        role, *words = written.split() or [""]
        if not words:
            raise self.error(f"has ':{written.strip()}' without a role or a value")
        value = " ".join(words)
        is_variable = value in self.concepts or bool(_VARIABLE.fullmatch(value))
        self.link(self.parent(role), role, value, is_variable)

    def unopened(self) -> None:
        """File an inverse role whose bracket holds no slash: ``:r-of (b :s y)``.

        The official code files it with the last variable as its value, and
        forgets what the bracket holds.
        """
        if len(self.collected().split()) < 2 or len(self.open) < 2:
            raise self.error(f"has role {self.role!r} without a concept")
        self.link(self.open[-2], self.role, self.order[-1], True)

    def link(self, source: str, role: str, value: str, is_variable: bool) -> None:
        """Remember an edge."""
        self.links[source].append((role, value, is_variable))

    def parent(self, role: str) -> str:
        """The innermost open variable, which a role belongs to."""
        if not self.open:
            raise self.error(f"has role {role!r} outside of any node")
        return self.open[-1]

    def error(self, reason: str) -> GraphError:
        """The error that names the line."""
        return self.origin.error(reason, self.line)

    def collected(self) -> str:
        """The characters since the last sign that used them up."""
        text = "".join(self.pending)
        self.pending.clear()
        return text

    def draw(self, network: _Network) -> None:
        """Make nodes and edges of what was read, in the official order."""
        if not self.order:
            raise self.error("has no node; a graph is '(variable / concept ...)'")
        for name in self.order:
            if name not in self.concepts:
                raise self.error(f"has no concept for variable {name!r}")
        for name in self.order:
            network.add_variable(name, self.concepts[name])
        for name in self.order:
            for role, value, is_variable in self.links[name]:
                if not is_variable:
                    value = network.add_constant(value)
                elif value not in self.concepts:
                    raise self.error(
                        f"has value {value!r}, which looks like a variable and is "
                        f"not defined; write '({value} / concept)' or quote it"
                    )
                network.add_edge(name, role, value)


class _Network:
    """Nodes and edges as the official code numbers them."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.labels: dict[str, str] = {}
        self.edges: list[tuple[str, str, str]] = []
        self.n_constants = 0

    def add_variable(self, name: str, concept: str) -> None:
        """Add a variable, or give a known one another concept."""
        self._check(name)
        self.labels[name] = concept

    def add_constant(self, value: str, quoted: bool = True) -> str:
        """Add a node for a constant, which may be quoted; return its name."""
        if quoted and value[0] == value[-1] == '"':
            value = value[1:-1]
        self._check(value)
        name = f"{CONSTANT_MARK}{self.n_constants}"
        self.n_constants += 1
        self.labels[name] = self.labels.get(value, value)
        return name

    def add_edge(self, source: str, role: str, target: str) -> None:
        """Add an edge; an inverse one in its original direction."""
        if role.endswith(_INVERSE):
            role = role.replace(_INVERSE, "", _INVERSE_REMOVED)
            source, target = target, source
        self.edges.append((source, role, target))

    def _check(self, label: str) -> None:
        """Refuse what the official code mistakes for an inverse edge."""
        if label.endswith(_INVERSE):
            raise self.origin.error(
                f"has the value or variable {label!r}, which SemBleu's reader takes "
                "for an inverse role; use profile clean"
            )

    def graph(self, metadata: Mapping[str, str]) -> Graph:
        """Freeze nodes and edges; the first node is the root."""
        numbers = {name: k for k, name in enumerate(self.labels)}
        codes: dict[str, int] = {}
        instances = tuple(
            (node, codes.setdefault(label, len(codes)))
            for node, label in enumerate(self.labels.values())
        )
        relations = tuple(
            (numbers[source], codes.setdefault(role, len(codes)), numbers[target])
            for source, role, target in self.edges
        )
        return Graph.trusted(
            tuple(numbers),
            tuple(codes),
            instances,
            (),
            relations,
            0,
            metadata,
            self.origin,
        )
