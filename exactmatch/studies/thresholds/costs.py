"""The edit distance of two graphs at every weight of edges beside nodes."""

from __future__ import annotations

from itertools import pairwise
from math import fsum
from typing import NamedTuple

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import function, option
from exactmatch.edit.distance import study as distance
from exactmatch.edit.options import GedOptions
from exactmatch.studies.thresholds.shares import Line, best_pieces


class CostPiece(NamedTuple):
    """Weights between which the edits of a cheapest path cost the same.

    Attributes:
        low, high: the weights of edges; nodes have the rest.
        nodes, edges: what the edits of nodes, and of edges, cost unweighted; at weight
            *w* the distance is ``(1 - w) * nodes + w * edges``.
    """

    low: float
    high: float
    nodes: float
    edges: float


class CostPieceOptions(GedOptions):
    """Two graphs, what edits cost, and the weights that are tried."""

    low: float = option("the first weight, above 0", default=0.01, read=values.share)
    high: float = option("the last weight, below 1", default=0.99, read=values.share)


_OWN_COSTS = (
    *("costs", "node_subst_cost", "node_del_cost", "node_ins_cost", "edge_subst_cost"),
    *("edge_del_cost", "edge_ins_cost", "upper_bound", "proof"),
)


def pieces(asked: CostPieceOptions) -> list[CostPiece]:
    """Find the edit distance of two graphs at every weight of edges beside nodes.

    Node edits cost ``1 - w`` times and edge edits ``w`` times what *node_costs* and
    *edge_costs* say.  All weights at which the cheapest path changes are found.

    Raises:
        InputError: if costs are functions, or a distance is not proven in time.

    >>> import networkx
    >>> from exactmatch.studies import edit_cost_pieces
    >>> path, star = networkx.path_graph(4), networkx.star_graph(3)
    >>> [(p.nodes, p.edges) for p in edit_cost_pieces(path, star)]
    [(0.0, 2.0)]
    """
    if not 0 < asked.low < asked.high < 1:
        raise InputError(
            f"weights from {asked.low:g} to {asked.high:g} are not between 0 and 1"
        )
    for name in _OWN_COSTS:
        if getattr(asked, name) is not None:
            raise InputError(f"{name} cannot be weighed; leave it out")
    plain = asked.as_options(GedOptions)

    def solve(share: float) -> Line:
        node, edge = 1 - share, share
        found = distance(
            plain.but(
                node_costs=tuple(node * float(cost) for cost in asked.node_costs),
                edge_costs=tuple(edge * float(cost) for cost in asked.edge_costs),
            )
        )
        if not found.proven:
            raise InputError("a distance is not proven in time; give more time_limit")
        return Line(
            -fsum(found.node_edit_costs) / node, -fsum(found.edge_edit_costs) / edge
        )

    found = best_pieces(solve, asked.low, asked.high)
    ends = [*(begin for begin, _ in found), asked.high]
    return [
        CostPiece(low, high, round(-line.nodes, 9) + 0.0, round(-line.edges, 9) + 0.0)
        for (low, high), (_, line) in zip(pairwise(ends), found, strict=True)
    ]


edit_cost_pieces = function("edit_cost_pieces", CostPieceOptions, pieces)
