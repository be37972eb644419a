"""Graphs of PyTorch Geometric, told by their ``edge_index``; no package is imported.

``x`` and ``edge_attr`` are attributes of nodes and edges, each row a tuple.  A graph
whose every edge is there in both directions, with equal attributes, is undirected.
"""

from __future__ import annotations

from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.formats.network_texts import empty


def is_pyg(graph: Any) -> bool:
    """Whether it is a ``Data`` of PyTorch Geometric, or has its attributes."""
    return hasattr(graph, "edge_index") and hasattr(graph, "num_nodes")


def network_of(data: Any) -> Any:
    """Return a ``Data`` as a networkx graph."""
    size = data.num_nodes
    if size is None or data.edge_index is None:
        raise InputError("a Data has no number of nodes or no edge_index; set both")
    sources, targets = data.edge_index.tolist()
    rows = _rows(data, "x", size)
    kinds = _rows(data, "edge_attr", len(sources))
    edges: dict[tuple[int, int], dict[str, Any]] = {}
    for i, k, known in zip(sources, targets, kinds, strict=True):
        if (i, k) in edges:
            raise InputError(f"a Data has the edge from {i} to {k} twice; coalesce it")
        if not (0 <= i < size and 0 <= k < size):
            raise InputError(f"a Data of {size} nodes has an edge from {i} to {k}")
        edges[i, k] = known
    directed = any(edges.get((k, i)) != known for (i, k), known in edges.items())
    graph = empty(directed, multiple=False)
    graph.add_nodes_from(zip(range(size), rows, strict=True))
    graph.add_edges_from((i, k, known) for (i, k), known in edges.items())
    return graph


def _rows(data: Any, name: str, size: int) -> list[dict[str, Any]]:
    """Return the attribute of each node or edge, none where there is no tensor."""
    tensor = getattr(data, name, None)
    if tensor is None:
        return [{} for _ in range(size)]
    values = [tuple(one) if isinstance(one, list) else one for one in tensor.tolist()]
    if len(values) != size:
        raise InputError(f"a Data has {len(values)} rows of {name} where {size} fit")
    return [{name: value} for value in values]
