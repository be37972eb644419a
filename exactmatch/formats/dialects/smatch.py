"""The reader of the ``smatch`` profile: smatch 1.0.4's own, at compiled speed.

What only smatch's leniency could read, and what it left out, is reported, so that it
can be warned about, counted, or refused.
"""

from __future__ import annotations

from typing import Any

import exactmatch.formats.remarks as remarks
from exactmatch.base import compiled as kernels
from exactmatch.formats.blocks import Block, no_graph
from exactmatch.formats.remarks import CUT, INVERTED_OR_MOD_CONSTANTS, Reading, counted
from exactmatch.graphs.graph import Graph, Parts

_kernel: Any = kernels.load("exactmatch.formats.dialects._smatch")

LENIENCIES = {
    getattr(_kernel, name): getattr(remarks, name)
    for name in (
        *("UNCLOSED", "OPEN_QUOTE", "SEVERAL_GRAPHS", "NAMELESS_ROLE", "TAGGED"),
        *("STRAY", "ROLELESS", "BLANK", "GLUED", "UNQUOTED", "TABBED"),
        "CONCEPTLESS",
    )
}
"""What a careful reader would refuse, by flag."""


def read_smatch(block: Block, reader: str = "smatch") -> Reading:
    """Read a block as smatch 1.0.4 does.

    Raises:
        GraphError: where smatch 1.0.4 stops; file, line and id are named.
    """
    if not block.content:
        raise no_graph(block)
    try:
        parsed = _kernel.parse(block.content)
    except _kernel.MalformedError as error:
        raise block.error_at(error.reason, error.position) from None
    parts: Parts = parsed[:5]
    top, flags, inverted, cut = parsed[5:]
    graph = Graph.trusted(parts, top, block.metadata(), block.origin(), reader)
    if not (flags or inverted or cut):
        return Reading(graph)
    return Reading(
        graph,
        tuple(reason for flag, reason in LENIENCIES.items() if flags & flag),
        counted((CUT, cut), (INVERTED_OR_MOD_CONSTANTS, inverted)),
    )
