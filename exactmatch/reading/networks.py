"""Files of graphs of any kind, as networkx graphs.

The format is recognised by the file's first character, not by its name:

* ``{`` or ``[``: node-link JSON, one graph, a list of graphs, or a graph a line;
* ``<``: XML, either GraphML (read by networkx) or GXL, in which the classic
  benchmarks of graph matching are published;
* anything else: triples.  A line is ``head<TAB>relation<TAB>tail`` (one column: a node
  without edges) and an empty line ends a graph; or each line is a graph, whose last
  column is ``(head; relation; tail)(head; relation; tail)…`` as in ExplaGraphs.

Triples become a directed multigraph with a node for every name; its ``label`` is the
name.  Names that begin with ``_:`` are those of blank nodes, which have no label.

Sources: networkx's documentation for node-link JSON; Winter, Kullbach and Riediger
(2002), "An overview of the GXL graph exchange language"; Riesen and Bunke (2008), "IAM
graph database repository", for GXL in use.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactmatch.errors import InputError, json_fault
from exactmatch.reading.files import STANDARD_INPUT, expand, named, whole
from exactmatch.writing.numbers import several

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

BLANK = "_:"
"""How the name of a blank node begins."""

_LISTED = re.compile(r"\(([^();]*);([^();]*);([^();]*)\)")
_LISTED_LINE = re.compile(rf"(?:{_LISTED.pattern}\s*)+")
_PENMAN = re.compile(r"\s*\([^\s()/]+\s+/")


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """A graph of a file.

    Attributes:
        name: its own name, or ``None``.
        graph: the networkx graph.
    """

    name: str | None
    graph: Any


def read_graphs(path: str) -> list[NamedGraph]:
    """Read all graphs of a file, a folder (in order of file names) or ``-``.

    Raises:
        InputError: if a file cannot be read, naming it and the place in it.
    """
    return [graph for file in expand(path) for graph in _read(file)]


def _read(path: str) -> list[NamedGraph]:
    text = read_text(path)
    name = named(path)
    stem = None if path == STANDARD_INPUT else Path(path).name.split(".")[0]
    beginning = text.lstrip()[:1]
    reader: Callable[[str, str, str | None], Iterator[NamedGraph]]
    if beginning in ("{", "["):
        reader = _json_graphs
    elif beginning == "<":
        reader = _xml_graphs
    else:
        reader = _triple_graphs
    return list(reader(text, name, stem))


def read_text(path: str) -> str:
    """The whole of a file, unpacked and decoded.

    Raises:
        InputError: if it cannot be, naming it.
    """
    name = named(path)
    try:
        content = whole(path)
        return content.decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: is not UTF-8; convert it") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from None


# -------------------------------------------------------------------- JSON


def _json_graphs(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    for place, data in _json_values(text, path):
        graphs = data if isinstance(data, list) else [data]
        for number, item in enumerate(graphs, 1):
            where = f"{place}: graph {number}" if isinstance(data, list) else place
            yield _node_link(item, where, stem if graphs == [data] else None)


def _json_values(text: str, path: str) -> Iterator[tuple[str, Any]]:
    """The file's one value, or that of each line."""
    try:
        yield path, json.loads(text)
        return
    except RecursionError:
        raise InputError(f"{path}: brackets are nested too deep for JSON") from None
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise _no_json(path, error.lineno, error) from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield f"{path}:{number}", json.loads(line)
            except json.JSONDecodeError as error:
                raise _no_json(path, number, error) from None


def _no_json(path: str, line: int, error: json.JSONDecodeError) -> InputError:
    return InputError(f"{path}:{line}: is not JSON: {json_fault(error)}")


def _node_link(data: Any, where: str, stem: str | None) -> NamedGraph:
    """A graph in networkx's node-link form, edges under ``edges`` or ``links``."""
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise InputError(f"{where}: has no list of 'nodes'; write node-link JSON")
    key = "edges" if "edges" in data else "links"
    if not isinstance(data.get(key), list):
        raise InputError(f"{where}: has no list of 'edges' or 'links'")
    graph = _empty(bool(data.get("directed")), bool(data.get("multigraph", True)))
    for number, node in enumerate(data["nodes"], 1):
        if not isinstance(node, dict) or "id" not in node:
            raise InputError(f"{where}: node {number} has no 'id'")
        name = _hashable(node["id"])
        if name is None or name in graph:
            rule = "is not a name" if name is None else "is there twice"
            raise InputError(f"{where}: node id {node['id']!r} {rule}")
        graph.add_node(name)
        graph.nodes[name].update(_but(node, "id"))
    for number, edge in enumerate(data[key], 1):
        if not isinstance(edge, dict) or not {"source", "target"} <= edge.keys():
            raise InputError(f"{where}: edge {number} has no 'source' or no 'target'")
        ends = _hashable(edge["source"]), _hashable(edge["target"])
        for end in ends:
            if end is None or end not in graph:
                raise InputError(f"{where}: edge {number} has an end that is no node")
        _add_edge(graph, *ends, _but(edge, "source", "target", "key"))
    found = data.get("graph")
    own = found.get("name") if isinstance(found, dict) else None
    own = own or data.get("id") or data.get("name") or stem
    return NamedGraph(None if own is None else str(own), graph)


def _hashable(name: Any) -> Any:
    """A node's name, with tuples for lists; ``None`` if it can be none."""
    if isinstance(name, list):
        return tuple(map(_hashable, name))
    return None if isinstance(name, dict) else name


def _but(attributes: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {k: value for k, value in attributes.items() if k not in keys}


# --------------------------------------------------------------------- XML


def _xml_graphs(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise InputError(f"{path}: is not XML: {error}") from None
    kind = _local(root)
    if kind == "graphml":
        yield from _graphml(text, path, stem)
    elif kind == "gxl":
        graphs = [element for element in root if _local(element) == "graph"]
        for number, element in enumerate(graphs, 1):
            where = path if len(graphs) == 1 else f"{path}: graph {number}"
            yield _gxl(element, where, element.get("id") or stem)
    else:
        raise InputError(
            f"{path}: holds XML of kind {kind!r}; GraphML and GXL can be read"
        )


def _graphml(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    from networkx import NetworkXError
    from networkx.readwrite.graphml import GraphMLReader

    try:
        graphs = list(GraphMLReader(node_type=str)(path=io.BytesIO(text.encode())))
    except (NetworkXError, KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path}: is not GraphML as networkx reads it: {error}") from (
            None
        )
    if not graphs:
        raise InputError(f"{path}: holds no graph in the namespace of GraphML")
    for graph in graphs:
        name = graph.graph.get("name") or (stem if len(graphs) == 1 else None)
        yield NamedGraph(name, graph)


def _local(element: Element) -> str:
    """An element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def _gxl(element: Element, where: str, name: str | None) -> NamedGraph:
    """A graph of a GXL file; its attributes have types."""
    mode = element.get("edgemode", "directed")
    graph = _empty(mode in ("directed", "defaultdirected"), multiple=True)
    edges = []
    for part in element:
        if _local(part) == "node":
            node = part.get("id")
            if node is None or node in graph:
                rule = "has no id" if node is None else f"{node!r} is there twice"
                raise InputError(f"{where}: a node {rule}")
            graph.add_node(node)
            graph.nodes[node].update(_attributes(part, where))
        elif _local(part) == "edge":
            edges.append(part)
    for edge in edges:
        ends = edge.get("from"), edge.get("to")
        for end in ends:
            if end not in graph:
                raise InputError(
                    f"{where}: an edge has the end {end!r}, which is no node"
                )
        _add_edge(graph, *ends, _attributes(edge, where))
    return NamedGraph(name, graph)


_GXL_TYPES: dict[str, Callable[[str], Any]] = {
    "int": int,
    "integer": int,
    "float": float,
    "double": float,
    "bool": lambda text: text.lower() == "true",
    "string": str,
    "enum": str,
}


def _attributes(element: Element, where: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for attribute in element:
        if _local(attribute) != "attr":
            continue
        name = attribute.get("name", "")
        for value in attribute:
            kind, text = _local(value).lower(), (value.text or "").strip()
            try:
                found[name] = _GXL_TYPES.get(kind, str)(text)
            except ValueError:
                raise InputError(
                    f"{where}: attribute {name!r} is {text!r}, which is no {kind}"
                ) from None
    return found


# ------------------------------------------------------------------ triples


def _triple_graphs(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    lines = text.splitlines()
    if any(line.strip() for line in lines) and all(
        _LISTED_LINE.fullmatch(line.rpartition("\t")[2].strip())
        for line in lines
        if line.strip()
    ):
        for line in filter(str.strip, lines):
            graph = _empty(directed=True, multiple=True)
            for triple in _LISTED.findall(line.rpartition("\t")[2]):
                _add_triple(graph, *map(str.strip, triple))
            yield NamedGraph(None, graph)
        return
    graphs = []
    open_graph: Any = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            open_graph = None
            continue
        if open_graph is None:
            open_graph = _empty(directed=True, multiple=True)
            graphs.append(open_graph)
        columns = [column.strip() for column in line.split("\t")]
        if _PENMAN.match(line):
            raise InputError(
                f"{path}:{number}: is PENMAN and not triples; write it as a network "
                "first: exactmatch convert FILE --to node-link"
            )
        if len(columns) == 1:
            _add_named(open_graph, columns[0])
        elif len(columns) == 3:
            _add_triple(open_graph, *columns)
        else:
            raise InputError(
                f"{path}:{number}: has {several(len(columns), 'column')}; a triple is "
                "head, "
                "relation and tail, separated by tabs"
            )
    for graph in graphs:
        yield NamedGraph(stem if len(graphs) == 1 else None, graph)


def _add_triple(graph: Any, head: str, relation: str, tail: str) -> None:
    """Add a triple, unless the graph has it already."""
    _add_named(graph, head)
    _add_named(graph, tail)
    graph.add_edge(head, tail, key=relation, label=relation)


def _add_named(graph: Any, name: str) -> None:
    attributes = {} if name.startswith(BLANK) else {"label": name}
    graph.add_node(name, **attributes)


# -------------------------------------------------------------------- graphs


def _empty(directed: bool, multiple: bool) -> Any:
    """An empty networkx graph; networkx is imported here, for a fast start-up."""
    import networkx as nx

    if directed:
        return nx.MultiDiGraph() if multiple else nx.DiGraph()
    return nx.MultiGraph() if multiple else nx.Graph()


def _add_edge(graph: Any, source: Any, target: Any, attributes: dict[str, Any]) -> None:
    """Add an edge whose attributes may be called anything."""
    if graph.is_multigraph():
        graph.edges[source, target, graph.add_edge(source, target)].update(attributes)
    else:
        graph.add_edge(source, target)
        graph.edges[source, target].update(attributes)
