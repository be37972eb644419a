"""The reader of the ``smatch`` profile: smatch 1.0.4's own, at compiled speed.

What only smatch's leniency could read is reported as remarks, so that it can be
warned about, counted, or refused.
"""

from __future__ import annotations

from typing import Any

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import Graph
from exactmatch.reading.blocks import Block, no_graph
from exactmatch.solvers.kernel import compiled as kernels

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


def read_smatch(block: Block) -> tuple[Graph, tuple[str, ...]]:
    """Read a block as smatch 1.0.4 does.

    Returns:
        The graph, and what only smatch's leniency could read, in words.

    Raises:
        GraphError: where smatch 1.0.4 stops; file, line and id are named.
    """
    if not block.content:
        raise no_graph(block)
    text = "".join(block.content)
    try:
        variables, labels, *triples, top, remarks = _kernel.parse(text.strip())
    except _kernel.MalformedError as error:
        raise _located(block, error) from None
    instances, attributes, relations = triples
    graph = Graph.trusted(
        variables,
        labels,
        instances,
        attributes,
        relations,
        top,
        block.metadata(),
        block.origin(),
    )
    return graph, _reasons(LENIENCIES, remarks)


def losses(block: Block) -> tuple[str, ...]:
    """What smatch's reader leaves out of a block that it can read, in words."""
    remarks: int = _kernel.parse("".join(block.content).strip())[-1]
    return _reasons(LOSSES, remarks)


def _reasons(table: dict[int, str], remarks: int) -> tuple[str, ...]:
    if not remarks:
        return ()
    return tuple(reason for flag, reason in table.items() if remarks & flag)


def _located(block: Block, error: Any) -> GraphError:
    return block.origin().error(error.reason, block.line_at(error.position))
