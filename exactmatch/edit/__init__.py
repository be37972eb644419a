"""Edit distances and common subgraphs of any two graphs, with proofs.

Graphs are networkx graphs of any kind; their meaning plays no role here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch.edit.distance import EditDistance as EditDistance
    from exactmatch.edit.matrix import Distances as Distances
    from exactmatch.edit.subgraphs import CommonSubgraph as CommonSubgraph
    from exactmatch.edit.subgraphs import SubgraphEmbedding as SubgraphEmbedding
    from exactmatch.edit.subgraphs import contains as contains
    from exactmatch.edit.subgraphs import (
        maximum_common_edge_subgraph as maximum_common_edge_subgraph,
    )
    from exactmatch.edit.subgraphs import (
        maximum_common_induced_subgraph as maximum_common_induced_subgraph,
    )

__getattr__, __dir__ = front(
    __name__,
    {
        "exactmatch.edit.subgraphs": (
            "CommonSubgraph SubgraphEmbedding contains maximum_common_edge_subgraph "
            "maximum_common_induced_subgraph"
        ),
        "exactmatch.edit.distance": "EditDistance",
        "exactmatch.edit.matrix": "Distances",
    },
)
