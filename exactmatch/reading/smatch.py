"""The reader of the ``smatch`` profile: smatch 1.0.4's own, at compiled speed.

What only smatch's leniency could read is reported as remarks, so that it can be
warned about, counted, or refused.
"""

from __future__ import annotations

from typing import Any

from exactmatch.errors import GraphError
from exactmatch.graph import Graph
from exactmatch.reading.blocks import Block, no_graph
from exactmatch.solvers import kernels

_kernel: Any = kernels.load("exactmatch.reading._smatch")

LENIENCIES = {
    _kernel.UNCLOSED: "lacks a closing parenthesis",
    _kernel.OPEN_QUOTE: "ends inside a quoted value",
    _kernel.SEVERAL_GRAPHS: "is followed by another graph in the same block",
    _kernel.NAMELESS_ROLE: "has a role without a name",
    _kernel.TAGGED: "has '~' alignment tags, which count as part of its labels",
}
"""What a careful reader would refuse, by flag."""

LOSSES = {
    _kernel.DROPPED: "has inverted or :mod constants, which smatch drops",
    _kernel.CUT: "has quoted values with a space, which smatch cuts there",
}
"""What smatch's reader leaves out of well-formed graphs, by flag."""

_LENIENT = sum(LENIENCIES)


def read_smatch(block: Block) -> tuple[Graph, int]:
    """Read a block as smatch 1.0.4 does.

    Returns:
        The graph, and a sum of the flags in ``LENIENCIES`` and ``LOSSES``.

    Raises:
        GraphError: where smatch 1.0.4 stops; file, line and id are named.
    """
    if not block.content:
        raise no_graph(block)
    text = "".join(block.content)
    try:
        *coded, remarks = _kernel.parse(text.strip())
    except _kernel.Malformed as error:
        raise _located(block, error) from None
    metadata = block.metadata()
    return Graph.trusted(*coded, 0, metadata, block.origin(metadata)), remarks


def lenient_reasons(remarks: int) -> list[str]:
    """What only smatch's leniency could read, in words."""
    if not remarks & _LENIENT:
        return []
    return [reason for flag, reason in LENIENCIES.items() if remarks & flag]


def _located(block: Block, error: Any) -> GraphError:
    return block.origin().error(error.reason, block.line_at(error.position))
