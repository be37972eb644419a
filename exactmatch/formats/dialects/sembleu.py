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

from typing import Any

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block
from exactmatch.formats.dialects.s2match import Scanner
from exactmatch.formats.remarks import CONSTANT_ALONE, SIGNS_IN_QUOTES, Reading, counted
from exactmatch.graphs.graph import INVERSE, Graph, Parts

_kernel: Any = kernels.load("exactmatch.formats.dialects._plain")

CONSTANT_MARK = ":"
"""What the names of constant nodes begin with."""


def read_sembleu(block: Block) -> Reading:
    """Read a block the way SemBleu's own code does.

    Raises:
        GraphError: where the official code stops; file, line and id are named.
    """
    origin = block.origin()
    statements = _kernel.scan(block.content)
    lenient: tuple[str, ...] = ()
    deleted = 0
    if statements is None:
        if not block.content:
            raise origin.error("has no graph; a graph is '(variable / concept ...)'")
        if not block.content[0].startswith("(") and "/" not in "".join(block.content):
            return _constant(block)
        official = _SembleuReader(origin, ('"', '"'))
        statements = official.scan(block.numbered(), joint=" ")
        lenient, deleted = tuple(official.lenient), official.signs_in_quotes
    coded, dropped = _kernel.code_nodes(statements)
    if coded is None:
        raise _stopped(dropped, block)
    parts: Parts = coded
    graph = Graph.trusted(parts, 0, block.metadata(), origin, "sembleu")
    return Reading(graph, lenient, counted((SIGNS_IN_QUOTES, deleted + dropped)))


def _constant(block: Block) -> Reading:
    """Read a text without bracket and slash."""
    text = " ".join(block.content)
    if text.endswith(INVERSE):
        raise _stopped(text, block)
    parts = (f"{CONSTANT_MARK}0",), (text,), ((0, 0),), (), ()
    graph = Graph.trusted(parts, 0, block.metadata(), block.origin(), "sembleu")
    return Reading(graph, (CONSTANT_ALONE,))


def _stopped(label: str, block: Block) -> GraphError:
    if label.endswith(INVERSE):
        return block.origin().error(
            f"has the value or variable {label!r}, which SemBleu's reader takes "
            "for an inverse role; use profile clean"
        )
    last, _ = block.numbered()[-1]
    return block.origin().error(
        f"has value {label!r}, which looks like a variable and is not defined; write "
        f"'({label} / concept)' or quote it",
        last,
    )


class _SembleuReader(Scanner):
    signs_in_quotes = 0
    """How many signs were deleted because they stand in quotes."""

    def sign_in_quotes(self, sign: str) -> None:
        del sign
        self.signs_in_quotes += 1

    def value(self, role: str, words: list[str], *, last: bool) -> None:
        if last and self.role.endswith(INVERSE):
            # ":r-of (b :s y)": the official code files the role of the bracket
            # with the last variable, and forgets what the bracket holds.
            if len(self.open) < 2:
                raise self.error(f"has role {self.role!r} without a concept")
            self.relations.append(
                (self.open[-2], self.role, self.order[-1], False, last)
            )
        else:
            self.relations.append((self.open[-1], role, " ".join(words), False, last))
