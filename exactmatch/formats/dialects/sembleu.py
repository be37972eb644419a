"""SemBleu's official reading of a graph, to the letter.

SemBleu compares graphs whose nodes are concepts *and* constants, so this reader
makes a node of every constant.  In the :class:`~exactmatch.graphs.graph.Graph` it
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
from typing import Any

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block
from exactmatch.formats.dialects.scanner import Scanner
from exactmatch.formats.remarks import (
    CONSTANT_ALONE,
    SIGNS_IN_QUOTES,
    Reading,
    counted,
)
from exactmatch.graphs.graph import INVERSE, Graph, Origin, Parts

_kernel: Any = kernels.load("exactmatch.formats.dialects._plain")

CONSTANT_MARK = ":"
"""What the names of constant nodes begin with."""

_VARIABLE = re.compile("[a-z][0-9]*")
_INVERSE_REMOVED = 10  # occurrences of "-of" that are removed from an inverse role


def read_sembleu(block: Block) -> Reading:
    """Read a block the way SemBleu's own code does.

    Raises:
        GraphError: where the official code stops; file, line and id are named.
    """
    origin, metadata = block.origin(), block.metadata()
    said = _kernel.scan(block.content)
    coded = None if said is None else _kernel.code_nodes(said)
    if coded is not None:
        parts: Parts
        parts, deleted = coded
        graph = Graph.trusted(*parts, 0, metadata, origin, "sembleu")
        return Reading(graph, (), counted((SIGNS_IN_QUOTES, deleted)))
    if not block.content:
        raise origin.error("has no graph; a graph is '(variable / concept ...)'")
    network = _Network(origin)
    if block.content[0].startswith("(") or "/" in "".join(block.content):
        official = _SembleuReader(origin)
        official.scan(block.numbered(), joint=" ")
        official.draw(network)
        dropped = counted((SIGNS_IN_QUOTES, official.signs_in_quotes))
        return Reading(network.graph(metadata), tuple(official.lenient), dropped)
    network.add_constant(" ".join(block.content), quoted=False)
    return Reading(network.graph(metadata), (CONSTANT_ALONE,))


class _SembleuReader(Scanner):
    """The state of reading one graph.

    Attributes:
        links: what each variable has: ``(role, value, is a variable)``.
        signs_in_quotes: how many signs were deleted because they stand in quotes.
    """

    def __init__(self, origin: Origin) -> None:
        super().__init__(origin)
        self.links: defaultdict[str, list[tuple[str, str, bool]]] = defaultdict(list)
        self.signs_in_quotes = 0

    def quote(self) -> None:
        self.pending.append('"')

    def sign_in_quotes(self, sign: str) -> None:
        del sign
        self.signs_in_quotes += 1

    def child(self, parent: str, role: str, name: str) -> None:
        self.links[parent].append((role, name, True))

    def value(self, role: str, words: list[str], *, last: bool) -> None:
        if last and self.role.endswith(INVERSE):
            # ":r-of (b :s y)": the official code files the role of the bracket
            # with the last variable, and forgets what the bracket holds.
            if len(self.open) < 2:
                raise self.error(f"has role {self.role!r} without a concept")
            self.links[self.open[-2]].append((self.role, self.order[-1], True))
            return
        value = " ".join(words)
        is_variable = value in self.concepts or bool(_VARIABLE.fullmatch(value))
        self.links[self.open[-1]].append((role, value, is_variable))

    def draw(self, network: _Network) -> None:
        """Make nodes and edges of what was read, in the official order."""
        for name in self.order:
            network.add_variable(name, self.concepts[name])
        for name in self.order:
            for role, value, is_variable in self.links.get(name, ()):
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
        if name.endswith(INVERSE):
            raise self._mistaken(name)
        self.labels[name] = concept

    def add_constant(self, value: str, quoted: bool = True) -> str:
        """Add a node for a constant, which may be quoted; return its name."""
        if quoted and value[0] == value[-1] == '"':
            value = value[1:-1]
        if value.endswith(INVERSE):
            raise self._mistaken(value)
        name = f"{CONSTANT_MARK}{self.n_constants}"
        self.n_constants += 1
        self.labels[name] = self.labels.get(value, value)
        return name

    def add_edge(self, source: str, role: str, target: str) -> None:
        """Add an edge; an inverse one in its original direction."""
        if role.endswith(INVERSE):
            role = role.replace(INVERSE, "", _INVERSE_REMOVED)
            source, target = target, source
        self.edges.append((source, role, target))

    def _mistaken(self, label: str) -> GraphError:
        """The error of what the official code mistakes for an inverse edge."""
        return self.origin.error(
            f"has the value or variable {label!r}, which SemBleu's reader takes "
            "for an inverse role; use profile clean"
        )

    def graph(self, metadata: Mapping[str, str]) -> Graph:
        """Freeze nodes and edges; the first node is the root."""
        numbers = {name: k for k, name in enumerate(self.labels)}
        codes: dict[str, int] = {}
        instances = [
            (node, codes.setdefault(label, len(codes)))
            for node, label in enumerate(self.labels.values())
        ]
        relations = [
            (numbers[source], codes.setdefault(role, len(codes)), numbers[target])
            for source, role, target in self.edges
        ]
        return Graph.trusted(
            tuple(numbers),
            tuple(codes),
            tuple(instances),
            (),
            tuple(relations),
            0,
            metadata,
            self.origin,
            "sembleu",
        )
