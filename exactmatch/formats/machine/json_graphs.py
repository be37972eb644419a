"""Graphs in JSON, in the dialects that people, programs and models write.

* ``{"nodes": […], "edges": […]}``: a node is a text, or an object with ``id``,
  ``label``, ``name``, ``type`` and attributes; an edge is ``[i, j]``, ``[i, label,
  j]``, or an object with ``source`` and ``target`` (``from`` and ``to``, ``head`` and
  ``tail``, ``subject`` and ``object``); ends are ids, places in the list, or labels;
* Cytoscape's ``elements``, n8n's ``connections``, LangGraph's, LangChain's and React
  Flow's nodes with ``data`` or ``properties``, kg-gen's ``entities`` and ``relations``;
* triples, as lists or objects, in a list or under ``triples``.

A file is one graph, a list of graphs, or a graph a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from exactmatch.base.errors import GraphError, shortened
from exactmatch.base.json_texts import loads
from exactmatch.formats.block import Block
from exactmatch.formats.faults import NO_EDGES, NO_END, UNKNOWN_END
from exactmatch.formats.machine.columns import (
    NODE_LABELS,
    RELATIONS,
    SOURCES,
    TARGETS,
    are_numbers,
)
from exactmatch.formats.machine.network import (
    JSON,
    OWN,
    Attribute,
    Network,
    block_of,
    of_graph,
    plain_text,
)
from exactmatch.formats.network_texts import shown
from exactmatch.formats.remarks import EDGE_FACTS, NESTED, SETTINGS, Reading, counted
from exactmatch.graphs.graph import INSTANCE, Graph

NODES = ("nodes", "vertices", "entities")
EDGES = ("edges", "links", "relationships", "relations", "triples", "triplets")
TRIPLES = ("triples", "triplets", "relations", "relationships", "facts")
_NODE_FACTS = ("data", "properties", "attributes")
_UNDIRECTED = "is undirected, and its edges are taken in the direction they are written"


def is_graph(data: Any) -> bool:
    """Return whether data look like a graph in one of the dialects; ``[]`` does.

    >>> is_graph({"nodes": []}), is_graph([["cat", "eats", "mouse"]]), is_graph({})
    (True, True, False)
    """
    if isinstance(data, Mapping):
        graph_keys = (*NODES, *TRIPLES, "elements")
        return any(isinstance(data.get(key), list | dict) for key in graph_keys)
    return isinstance(data, list) and all(map(is_triple, data))


def is_triple(data: Any) -> bool:
    """Return whether data look like a triple: three texts, or both ends named."""
    if isinstance(data, Mapping):
        return bool(_first(data, SOURCES)[0] and _first(data, TARGETS)[0])
    texts = isinstance(data, list) and len(data) == 3
    return texts and all(plain_text(part) is not None for part in data)


def graphs_in(value: Any) -> list[Any]:
    """Cut a value into graphs: itself, or those in a list."""
    if isinstance(value, Mapping) and isinstance(value.get("graphs"), list):
        value = value["graphs"]
    return value if isinstance(value, list) and not is_graph(value) else [value]


# ------------------------------------------------------------------- one graph


def network_of(data: Any, mended: list[str] | None = None) -> Network:
    """Read a graph in any of the dialects.

    Args:
        data: the graph.
        mended: receives what was wrong with it and is mended; ``None`` if that is an
            error.

    Raises:
        GraphError: if it is in none of them, or its edges have ends that are not nodes.
    """
    if isinstance(data, list):
        return _of_triples(data, Network(mended=mended))
    if not isinstance(data, Mapping):
        raise GraphError(f"is {shown(data)}, which is not a graph")
    metadata = ((str(key), plain_text(value)) for key, value in data.items())
    network = Network({k: v for k, v in metadata if v is not None and k not in OWN})
    network.mended = mended
    network.is_directed = bool(data.get("directed", True))
    left_out = data.get("left_out")
    for left_out_kind, times in (
        left_out.items() if isinstance(left_out, Mapping) else ()
    ):
        if isinstance(times, int) and times > 0:
            network.left_out[str(left_out_kind)] += times
    if "elements" in data:
        return _cytoscape(data["elements"], network)
    key = next((key for key in NODES if isinstance(data.get(key), list | dict)), None)
    if key is not None and isinstance(data.get("connections"), Mapping):
        return _n8n(data[key], data["connections"], network)
    if key is None or (key == "entities" and "relations" in data):
        triples = _first(data, TRIPLES)[1]
        if isinstance(triples, list):
            for name in data.get("entities") or ():
                _add_entity(network, name)
            return _of_triples(triples, network)
    if key is None:
        inside = [value for value in data.values() if is_graph(value) and value]
        if len(inside) == 1:
            return network_of(inside[0], mended)
        keys = ", ".join(repr(str(name)) for name in list(data)[:4]) or "none"
        raise GraphError(
            f"has neither nodes and edges nor triples; its keys are {keys}"
        )
    edges = _first(data, EDGES)[1]
    if edges is None:
        network.refuse(NO_EDGES, "has no list of 'edges' or 'links'")
    options = data.get("options")  # of graphology
    if options and isinstance(options, Mapping) and "directed" not in data:
        network.is_directed = options.get("type", "mixed") in ("directed", "mixed")
    return _nodes_and_edges(data[key], edges or (), network)


def _first(data: Mapping[Any, Any], keys: Iterable[str]) -> tuple[str, Any]:
    """Return the first of some keys that has a value, and the value."""
    for key in keys:
        value = data.get(key)
        if value is not None:
            return key, value
    return "", None


def _add_entity(network: Network, entity: Any) -> None:
    names = ("name", "id", "label", "text")
    is_object = isinstance(entity, Mapping)
    text = plain_text(_first(entity, names)[1] if is_object else entity)
    if text is not None and not is_object:
        network.term(text)
    elif text is not None and text not in network.nodes:
        network.add(text, text, _facts(network, entity, {*names}))


def _of_triples(data: list[Any], network: Network) -> Network:
    for number, triple in enumerate(data):
        if not is_triple(triple):
            network.refuse(NO_END, f"has no triple at place {number}: {shown(triple)}")
            continue
        if isinstance(triple, Mapping):
            source, target = (_first(triple, k)[1] for k in (SOURCES, TARGETS))
            label = _first(triple, RELATIONS)[1]
        else:
            source, label, target = triple
        start, end = _called(source), _called(target)
        if start is None or end is None:
            network.refuse(NO_END, f"has a triple without a name at place {number}")
        else:
            network.triple(start, _called(label) or "", end)
    network.is_triples = bool(network.edges) or None
    return network


def _called(end: Any) -> str | None:
    """Return the name of a thing, which may be an object that has one."""
    if isinstance(end, Mapping):
        end = _first(end, ("id", "name", "label", "text"))[1]
    return plain_text(end)


def _facts(network: Network, node: Mapping[Any, Any], but: set[str]) -> list[Attribute]:
    """Return a node's attributes, those of ``data`` and ``properties`` included."""
    facts: list[Attribute] = []
    for key, value in node.items():
        if key in but or value is None:
            continue
        if key in _NODE_FACTS and isinstance(value, Mapping):
            facts += _facts(network, value, but)
        elif key == "attributes" and isinstance(value, list):
            pairs = [v for v in value if isinstance(v, list) and len(v) == 2]
            texts = [(plain_text(k), plain_text(v)) for k, v in pairs]
            named_pairs = [(k, v) for k, v in texts if k is not None and v is not None]
            facts += named_pairs
            network.left_out[NESTED] += len(value) - len(named_pairs)
        else:
            values = value if isinstance(value, list) else [value]
            named = [text for v in values if (text := plain_text(v)) is not None]
            facts += [(str(key), text) for text in named]
            network.left_out[NESTED] += len(named) < len(values)
    return facts


class _Ends:
    """The names by which edges may name nodes: ids, places, or labels of one node."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._places: list[str] = []
        self._labels: dict[str, str | None] = {}
        self.named: list[str] = []
        """The nodes without a label, which are called by their names."""

    def put(self, name: str, key: Any, label: str | None) -> None:
        """Note a node."""
        self._places.append(name)
        if key is not None:
            self._names[str(key)] = name
        if label is not None:
            self._labels[label] = None if label in self._labels else name

    def find(self, end: Any) -> str | None:
        """Return the node's name, if there is one."""
        if isinstance(end, Mapping):
            end = _first(end, ("id", "node", "name", "label"))[1]
        text = plain_text(end)
        if text is None:
            return None
        if text in self._names:
            return self._names[text]
        by_place = not self._names and text.isdecimal() and len(text) < 9
        if by_place and int(text) < len(self._places):
            return self._places[int(text)]
        return self._labels.get(text)


def _add_node(network: Network, ends: _Ends, node: Any, name: Any = None) -> str:
    """Add one node in any dialect, which may stand under a name."""
    if not isinstance(node, Mapping):
        label = plain_text(node)
        if label is None and node is not None:
            raise GraphError(f"has the node {shown(node)}")
        node_name = str(len(network.nodes)) if name is None else str(name)
        ends.put(node_name, name, label)
        return network.add(node_name, label)
    data = node.get("data")
    inner: Mapping[Any, Any] = {}
    if data is not None and isinstance(data, Mapping):
        inner = data
    attributes = node.get("attributes")
    if attributes is not None and isinstance(attributes, Mapping) and not inner:
        inner = {k: v for k, v in attributes.items() if k == "label"}
    key = name if name is not None else _first(node, ("id", "key"))[1]
    key = inner.get("id") if key is None else key
    if key is not None and plain_text(key) is None:
        raise GraphError(f"has the node id {shown(key)}, which is not a name")
    label_key, label = _first(node, NODE_LABELS)
    if not label_key and "label" not in node:
        label_key, label = _first(inner, NODE_LABELS)
    if isinstance(label, list | dict):
        label_key, label = "", None
    is_named = False
    if not label_key and "label" not in node:
        is_number = key is None or isinstance(key, int)
        label_key = "type" if is_number and plain_text(node.get("type")) else ""
        label = node["type"] if label_key else plain_text(key)
        is_named = not label_key and key is not None
    if key is None:
        called = plain_text(node.get("name"))
        key = called if called is not None and called not in network.nodes else None
    node_name = str(len(network.nodes)) if key is None else str(key)
    ends.put(node_name, key, plain_text(label))
    facts = _facts(network, node, {"id", "key", "label", label_key})
    node_name = network.add(node_name, plain_text(label), facts)
    if is_named:
        ends.named.append(node_name)
    return node_name


def _nodes_and_edges(nodes: Any, edges: Any, network: Network) -> Network:
    ends = _Ends()
    if isinstance(nodes, Mapping):
        for name, node in nodes.items():
            _add_node(network, ends, {} if node is None else node, name)
    else:
        for node in nodes:
            _add_node(network, ends, node)
    if are_numbers(network.nodes):
        for name in ends.named:
            network.nodes[name] = None, network.nodes[name][1]
    if not isinstance(edges, list | tuple):
        raise GraphError("has edges that are not a list")
    for number, edge in enumerate(edges):
        _add_edge(network, edge, number, ends)
    return network


def _add_edge(network: Network, edge: Any, number: int, ends: _Ends) -> None:
    label: Any = None
    if isinstance(edge, list) and len(edge) in (2, 3):
        ends_of_edge = [edge[0], edge[-1]]
        label = edge[1] if len(edge) == 3 else None
        third = len(edge) == 3 and ends.find(edge[2]) is None
        if third and ends.find(edge[1]) is not None:
            ends_of_edge, label = [edge[0], edge[1]], edge[2]
    elif isinstance(edge, Mapping):
        inner = edge.get("data", edge.get("attributes"))
        has_inner = inner is not None and isinstance(inner, Mapping)
        values = {**inner, **edge} if has_inner else edge
        keys = _first(values, SOURCES), _first(values, TARGETS)
        ends_of_edge = [value for _, value in keys]
        label_key, label = _first(values, RELATIONS)
        if not label_key and isinstance(inner, str):
            label_key, label = "data", inner
        but = {*(key for key, _ in keys), label_key, "id", "data", "key"}
        if has_inner:
            but.add("attributes")
        further_labels = (
            v for k, v in values.items() if k not in but and v is not None
        )
        network.left_out[EDGE_FACTS] += sum(
            1 for value in further_labels if value is not False
        )
    else:
        rule = "an edge is [i, j], [i, label, j], or an object with source and target"
        network.refuse(NO_END, f"has the edge {shown(edge)}; {rule}")
        return
    names = []
    for end in ends_of_edge:
        name = ends.find(end)
        if name is None:
            text = plain_text(end)
            where = f"has the edge {shown(edge)} at place {number}, and "
            fault = NO_END if text is None else UNKNOWN_END
            network.refuse(fault, f"{where}{shown(end)} is not a node")
            if text is None:
                return
            ends.put(name := network.add(text, text), text, text)
        names.append(name)
    network.join(names[0], plain_text(label), names[1])


def _cytoscape(elements: Any, network: Network) -> Network:
    nodes: list[Any] = []
    edges: list[Any] = []
    if isinstance(elements, Mapping):
        nodes, edges = elements.get("nodes") or [], elements.get("edges") or []
    elif isinstance(elements, list):
        for element in elements:
            inside = element.get("data") if isinstance(element, Mapping) else None
            is_edge = isinstance(inside, Mapping) and "source" in inside
            (edges if is_edge else nodes).append(element)
    else:
        raise GraphError("has 'elements' that are neither a list nor an object")
    return _nodes_and_edges([*map(_inside, nodes)], [*map(_inside, edges)], network)


def _inside(element: Any) -> Any:
    """Return the data of a node or edge without its drawing."""
    inner = element.get("data") if isinstance(element, Mapping) else None
    return inner if isinstance(inner, Mapping) else element


def _n8n(nodes: Any, connections: Mapping[str, Any], network: Network) -> Network:
    """Read a workflow of n8n: nodes are known by name, and outputs are numbered."""
    for node in nodes:
        name = plain_text(node.get("name")) if isinstance(node, Mapping) else None
        if name is None:
            raise GraphError("has a node without a name, by which n8n connects nodes")
        kind = plain_text(node.get("type"))
        network.add(name, name, [] if kind is None else [("type", kind)])
        network.left_out[SETTINGS] += len({*node} - {"id", "name", "type"})
    for source, outputs in connections.items():
        for kind, ways in outputs.items() if isinstance(outputs, Mapping) else ():
            for number, way in enumerate(ways if isinstance(ways, list) else ()):
                label = None if kind == "main" else kind
                if len(ways) > 1:
                    label = f"{label or 'output'} {number}"
                for link in way or ():
                    target = link.get("node") if isinstance(link, Mapping) else link
                    for end in (source, target):
                        if end not in network.nodes:
                            shown = shortened(repr(end), 60)
                            raise GraphError(f"connects {shown}, which is not a node")
                    network.join(source, label, str(target))
    return network


# ------------------------------------------------------------------- the format


class Broken(str):
    """Text in the place of JSON that is none."""


def json_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield a block for each graph of a file, and for text that is not JSON."""
    rows = [*json_values("".join(lines))]
    values = [value for _, value in rows]
    if len(values) > 1 and is_graph(values):  # a triple a line
        rows = [(1, values)]
    for number, value in rows:
        for graph in [value] if isinstance(value, Broken) else graphs_in(value):
            yield block_of(graph, number, path)


def json_values(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the value of a text, or that of each line, with its place."""
    document = _value(text)
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    is_lines = len(lines) > 1 and all(line[0] in "{[" for _, line in lines)
    if isinstance(document, Broken) and is_lines:
        yield from ((number, _value(line)) for number, line in lines)
    elif lines:
        yield 1 if isinstance(document, Broken) else lines[0][0], document


def _value(text: str) -> Any:
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return Broken(text.rstrip())


def network_in(block: Block) -> Network:
    """Read the graph of a block of JSON, as :func:`network_of` does."""
    data = block.parsed_json()
    if isinstance(data, Mapping) and "unreadable" in data:
        raise block.origin().error(str(data["unreadable"]))
    try:
        network = network_of(data)
    except GraphError as error:
        raise block.origin().error(error.reason) from None
    except RecursionError:
        raise block.origin().error("nests too deeply to be read") from None
    network.metadata = dict(block.metadata()) | network.metadata
    return network


def read_json(block: Block) -> Reading:
    """Read one graph as variables, concepts and relations."""
    network = network_in(block)
    lenient = () if network.is_directed or not network.edges else (_UNDIRECTED,)
    graph = network.as_graph(block.origin())
    return Reading(graph, lenient, counted(*network.left_out.items()))


def write_json(graph: Graph) -> str:
    """Write a graph as one line."""
    return json.dumps(of_graph(graph).as_data(), ensure_ascii=False) + "\n"


def labelled_network(block: Block) -> Network | None:
    """Read a block whose nodes and edges have labels; ``None`` if it is of meanings.

    Triples in lines are of nodes known by their names, unless one of them says what a
    variable is an instance of; node-link graphs likewise, unless a node has a concept.
    """
    if block.format == JSON:
        return network_in(block)
    if block.format == "node-link":
        text = "\n".join(block.content)
        return None if '"concept"' in text else network_in(block)
    if block.format == "triples":
        rows = [line.split("\t") for line in block.lines if line[:1] != "#"]
        if any(len(row) != 3 or row[1].lstrip(":") == INSTANCE for row in rows):
            return None
        network = Network(dict(block.metadata()))
        for source, label, target in rows:
            network.triple(source, label, target)
        return network
    return None
