"""Files of graphs of any kind, as networkx graphs.

The format is recognised by the file's beginning, not by its name, where that is sure:

* ``{`` or ``[``: node-link JSON, one graph, a list of graphs, or a graph a line;
* ``<``: XML, either GraphML (read by networkx) or GXL, in which the classic
  benchmarks of graph matching are published;
* ``graph [``: GML, read by networkx; ``graph {``, ``digraph {``: DOT, by pydot;
* lines of three columns with tabs between: triples, ``head<TAB>relation<TAB>tail``,
  and an empty line ends a graph; or each line is a graph, whose last column is
  ``(head; relation; tail)(head; relation; tail)…`` as in ExplaGraphs.

Edge lists and adjacency lists look like one another, like triples and like any other
text, and do not say whether edges have a direction.  So they are read, by networkx,
where the caller names the format; and so are triples where a line of one column is a
node without edges.

Triples become a directed multigraph with a node for every name; its ``label`` is the
name.  Names that begin with ``_:`` are those of blank nodes, which have no label.

Sources: networkx's documentation for node-link JSON and lists; Winter, Kullbach and
Riediger (2002), "An overview of the GXL graph exchange language"; Riesen and Bunke
(2008), "IAM graph database repository", for GXL in use.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError, no_xml, shortened
from exactmatch.formats import sets
from exactmatch.formats.files import STANDARD_INPUT, expand, named, read_text
from exactmatch.formats.formats import (
    FORMATS,
    PENMAN,
    WEIGHTED,
    get_format,
    looks_like,
    recognises,
)
from exactmatch.formats.machine.json_graphs import network_in
from exactmatch.formats.network_texts import (
    REFUSALS,
    NamedGraph,
    Reader,
    add_edge,
    dot,
    empty,
    gml,
    is_listed,
    json_values,
    lists,
    not_read,
    rows_of,
    triple_graphs,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

OF_SETS = ("gspan", "ged-json", "gexf", "gxl")
"""The formats of data sets of edit distances, which are asked first."""

_PENMAN = re.compile(r"\s*\([^\s()/]+\s+/", re.MULTILINE)


def read_graphs(path: str, format_in: str | None = None) -> list[NamedGraph]:
    """Read all graphs of a file, a folder (in order of file names) or ``-``.

    They are in a format of :data:`READERS`; default: what each file surely is.

    Raises:
        InputError: if a file cannot be read, or is not surely in one of the formats;
            the message names it and the place in it.
    """
    if format_in is None and (name := sets.tu_name(path)) is not None:
        return sets.tu_graphs(path, name, read_text)
    files = sets.without_collections(expand(path))
    return [graph for file in files for graph in _read(file, format_in)]


def _read(path: str, format_in: str | None) -> list[NamedGraph]:
    text = read_text(path)
    name = named(path)
    stem = None if path == STANDARD_INPUT else Path(path).name.split(".")[0]
    form = format_in or _recognised(text, name)
    if form not in READERS:
        raise _to_be_converted(name, form)
    return list(READERS[form](text, name, stem))


def _of_machines(
    text: str, path: str, stem: str | None, *, kind: str
) -> Iterator[NamedGraph]:
    """Read a format whose graphs are cut into blocks of JSON."""
    blocks = [*get_format(kind).blocks(io.StringIO(text, newline=None), path)]
    for block in blocks:
        own = block.id or (stem if len(blocks) == 1 else None)
        yield NamedGraph(own, network_in(block, directed=False).as_networkx())


def _recognised(text: str, path: str) -> str:
    """The name of the reader for a text, if it is surely in that format."""
    if not text.strip():
        return "triples"
    for name in OF_SETS:
        if recognises(FORMATS[name], text):
            return name
    found = looks_like(text)
    beginning = text.lstrip()[0]
    if found in (*_MACHINES, "gml", "dot"):
        return found
    if beginning == "<":
        return "xml"
    if found in FORMATS and found not in (PENMAN, "triples", "node-link", "json"):
        raise _to_be_converted(path, found)
    if beginning in "{[":
        return "node-link"
    if found not in FORMATS and found != WEIGHTED:
        raise InputError(f"{path}: looks like {found}, which is not read; GML is")
    if at := _PENMAN.search(text):
        line = text.count("\n", 0, at.end()) + 1
        raise _to_be_converted(f"{path}:{line}", "PENMAN")
    if is_listed(text.splitlines()):
        return "triples"
    return _surely_triples(text, path)


def _to_be_converted(place: str, name: str) -> InputError:
    return InputError(
        f"{place}: is {name} and not a network; write it as one first: exactmatch "
        "convert FILE --to node-link"
    )


def _surely_triples(text: str, path: str) -> str:
    """The reader's name if lines are triples, and no list of edges or neighbours."""
    rows = {n: columns for block in rows_of(text, "\t") for n, columns in block}
    threes = [columns for columns in rows.values() if len(columns) == 3]
    alone = [n for n, columns in rows.items() if len(columns) == 1]
    ends = {end for head, _, tail in threes for end in (head, tail)}
    reason = ""
    if not threes:
        reason = (
            " is neither node-link JSON, GraphML, GXL, GML, DOT nor triples with tabs; "
            "if it lists edges, neighbours or nodes,"
        )
    elif alone:
        reason = f"{alone[0]}: has one column, as triples and adjacency lists may have;"
    elif len(threes) == len(rows) and looks_like(text) == WEIGHTED:
        reason = f" could be triples or {WEIGHTED};"
    elif len(threes) == len(rows) and ends.issuperset(row[1] for row in threes):
        reason = " could be triples or adjacency lists, for every relation is a node;"
    if reason:
        lists = ", ".join(name for name in READERS if name.endswith("-list"))
        raise InputError(
            f"{path}:{reason} name its format by --format-in ({lists} or triples)"
        )
    return "triples"


# -------------------------------------------------------------------- JSON


def _json_graphs(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Graphs in networkx's form, or, where that is not theirs, in another dialect."""
    found: list[NamedGraph] = []
    try:
        values = [*json_values(text, path)]
        for line, data in values:
            place = path if len(values) == 1 else f"{path}:{line}"
            is_list = isinstance(data, list)
            for number, item in enumerate(data if is_list else [data], 1):
                where = f"{place}: graph {number}" if is_list else place
                found.append(_node_link(item, where, None if is_list else stem))
    except InputError as error:
        if looks_like(text) != "json":
            raise
        try:
            found = [*_of_machines(text, path, stem, kind="json")]
        except InputError:
            raise error from None
    return iter(found)


def _node_link(data: Any, where: str, stem: str | None) -> NamedGraph:
    """A graph in networkx's node-link form, edges under ``edges`` or ``links``."""
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise InputError(f"{where}: has no list of 'nodes'; write node-link JSON")
    key = "edges" if "edges" in data else "links"
    if not isinstance(data.get(key), list):
        raise InputError(f"{where}: has no list of 'edges' or 'links'")
    graph = empty(bool(data.get("directed")), bool(data.get("multigraph", True)))
    for number, node in enumerate(data["nodes"], 1):
        if not isinstance(node, dict) or "id" not in node:
            raise InputError(f"{where}: node {number} has no 'id'")
        name = _hashable(node["id"])
        if name is None or name in graph:
            rule = "is not a name" if name is None else "is there twice"
            raise InputError(f"{where}: node id {shortened(repr(node['id']))} {rule}")
        graph.add_node(name)
        graph.nodes[name].update(_but(node, "id"))
    for number, edge in enumerate(data[key], 1):
        if not isinstance(edge, dict) or not {"source", "target"} <= edge.keys():
            raise InputError(f"{where}: edge {number} has no 'source' or no 'target'")
        ends = _hashable(edge["source"]), _hashable(edge["target"])
        for end in ends:
            if end is None or end not in graph:
                raise InputError(f"{where}: edge {number} has an end that is no node")
        add_edge(graph, *ends, _but(edge, "source", "target", "key"))
    found = data.get("graph")
    own = found.get("name") if isinstance(found, dict) else None
    own = own or data.get("id") or data.get("name") or stem
    return NamedGraph(None if own is None else str(own), graph)


_DEEPEST = 50
"""How deep lists nest in a node's name."""


def _hashable(name: Any, depth: int = 0) -> Any:
    """A node's name, with tuples for lists; ``None`` if it can be none."""
    if isinstance(name, list):
        parts = [_hashable(part, depth + 1) for part in name if depth < _DEEPEST]
        return None if len(parts) < len(name) or None in parts else tuple(parts)
    return None if isinstance(name, dict) else name


def _but(attributes: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {k: value for k, value in attributes.items() if k not in keys}


# --------------------------------------------------------------------- XML


def xml_graphs(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read the graphs of GraphML or GXL, or of the files that a collection lists."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise no_xml(error, path) from None
    kind = _local(root)
    if kind == "graphml":
        yield from graphml(text, path, stem)
    elif kind == "benchmark":
        yield from _of_machines(text, path, stem, kind="webnlg")
    elif kind == "gxl":
        graphs = [element for element in root if _local(element) == "graph"]
        for number, element in enumerate(graphs, 1):
            where = path if len(graphs) == 1 else f"{path}: graph {number}"
            yield _gxl(element, where, element.get("id") or stem)
    elif kind == "GraphCollection":
        for file in sets.listed_in(root, path):
            yield from _read(file, "xml")
    else:
        raise InputError(
            f"{path}: holds XML of kind {kind!r}; GraphML, GXL and GEXF can be read"
        )


def graphml(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read the graphs of GraphML; nodes are known by their ids."""
    from networkx import NetworkXError
    from networkx.readwrite.graphml import GraphMLReader

    try:
        graphs = list(GraphMLReader(node_type=str)(path=io.BytesIO(text.encode())))
    except (NetworkXError, SyntaxError, *REFUSALS) as error:
        raise not_read(path, "GraphML", "networkx", error) from None
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
    graph = empty(mode in ("directed", "defaultdirected"), multiple=True)
    for part in element:
        if _local(part) == "node":
            node = part.get("id")
            if node is None or node in graph:
                rule = "has no id" if node is None else f"{node!r} is there twice"
                raise InputError(f"{where}: a node {rule}")
            graph.add_node(node)
            graph.nodes[node].update(_attributes(part, where))
    for edge in element:
        if _local(edge) != "edge":
            continue
        ends = edge.get("from"), edge.get("to")
        for end in ends:
            if end not in graph:
                why = f"an edge has the end {end!r}, which is no node"
                raise InputError(f"{where}: {why}")
        add_edge(graph, *ends, _attributes(edge, where))
    return NamedGraph(name, graph)


_GXL_TYPES: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("int", "integer"), int),
    **dict.fromkeys(("float", "double"), float),
    "bool": lambda text: text.lower() == "true",
}
"""What is not a text, by the name of its type."""


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
                why = f"attribute {name!r} is {text!r}, which is no {kind}"
                raise InputError(f"{where}: {why}") from None
    return found


_MACHINES = ("table", "relations", "worfbench", "mermaid", "pajek", "rdf", "answers")
READERS: dict[str, Reader] = {
    **sets.READERS,
    "node-link": _json_graphs,
    "xml": xml_graphs,
    "gxl": xml_graphs,
    "gml": gml,
    "dot": dot,
    "edge-list": partial(lists, edges=True, directed=False),
    "directed-edge-list": partial(lists, edges=True, directed=True),
    "adjacency-list": partial(lists, edges=False, directed=False),
    "directed-adjacency-list": partial(lists, edges=False, directed=True),
    "triples": triple_graphs,
    "json": partial(_of_machines, kind="json"),
    **{name: partial(_of_machines, kind=name) for name in _MACHINES},
}
"""The readers, by the name of their format."""
