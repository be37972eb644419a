"""Graphs as node-link JSON, as networkx and D3 write them.

A file is one object, a list of them, or one a line.  An object has the nodes and links
of one graph, whose keys are those of the networkx graphs that exactmatch takes::

    {"directed": true, "multigraph": true, "graph": {"top": "w", "id": "1"},
     "nodes": [{"id": "w", "concept": "want-01", "attributes": [["polarity", "-"]]},
               {"id": "b", "concept": "boy"}],
     "links": [{"source": "w", "target": "b", "role": "ARG0"}]}

``edges`` is accepted as another name of ``links``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from exactmatch.base.json_texts import dumps
from exactmatch.formats.block import Block
from exactmatch.formats.convert import from_networkx, to_networkx
from exactmatch.formats.items import Items
from exactmatch.formats.network_texts import json_values
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.graph import Graph, Origin

KEYS = {"directed", "multigraph", "graph", "nodes", "links", "edges"}


def node_link_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a file, one block each."""
    for number, data in json_values("".join(lines), path):
        for graph in data if isinstance(data, list) else [data]:
            yield _block(graph, number, path)


def _block(data: Any, number: int, path: str | None) -> Block:
    line = dumps(data, ensure_ascii=False)
    attributes = data.get("graph") if isinstance(data, dict) else None
    facts = attributes if isinstance(attributes, dict) else {}
    metadata = {k: str(facts[k]) for k in ("id", "snt") if facts.get(k) is not None}
    return Block((line,), (line,), number, path, format="node-link", known=metadata)


def read_node_link(block: Block) -> Reading:
    """Read one graph."""
    from networkx import MultiDiGraph

    data = block.parsed_object()
    origin = block.origin()
    if data.get("directed") is False:
        raise origin.error(
            "is undirected, as its 'directed' is false; give its links a direction"
        )
    attributes = data.get("graph") or {}
    links: Any = data.get("links", data.get("edges"))
    nodes: Any = data.get("nodes")
    if not (isinstance(attributes, dict) and _objects(nodes) and _objects(links)):
        raise origin.error(
            "is not a node-link graph: 'nodes' and 'links' are lists of objects"
        )
    network = MultiDiGraph()
    network.graph.update(attributes)
    items = Items(block.path)
    for node in items.each(nodes):
        name, *keys = _taken(node, ("id",), origin)
        network.add_node(name, **dict(keys))
    for link in items.each(links):
        source, target, *keys = _taken(link, ("source", "target"), origin)
        if not (network.has_node(source) and network.has_node(target)):
            missing = target if network.has_node(source) else source
            raise origin.error(
                f"has a link from {source!r} to {target!r}, and {missing!r} is not a "
                "node"
            )
        network.add_edge(source, target, **{k: v for k, v in keys if k != "key"})
    graph = from_networkx(network, origin)
    unknown = sorted(data.keys() - KEYS)
    return Reading(graph, tuple(f"has {k!r}, which is left out" for k in unknown))


def _objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _taken(item: dict[str, Any], names: tuple[str, ...], origin: Origin) -> list[Any]:
    """Return the values of some keys, which name nodes, and the other items."""
    values: list[Any] = []
    for name in names:
        value = item.get(name)
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise origin.error(
                f"has a node or link whose {name!r} is {value!r}; it must be a string "
                "or a number"
            )
        values.append(value)
    return values + [pair for pair in item.items() if pair[0] not in names]


def write_node_link(graph: Graph) -> str:
    """Write a graph as one line of node-link JSON, without loss."""
    network = to_networkx(graph)
    data = {
        "directed": True,
        "multigraph": True,
        "graph": network.graph,
        "nodes": [{"id": name} | keys for name, keys in network.nodes(data=True)],
        "links": [
            {"source": source, "target": target} | keys
            for source, target, keys in network.edges(data=True)
        ],
    }
    return json.dumps(data, ensure_ascii=False)
