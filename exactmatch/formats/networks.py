"""Files of graphs of any kind, as networkx graphs.

The format is recognised by the file's beginning, not by its name, where that is sure:

* ``{`` or ``[``: node-link JSON, one graph, a list of graphs, or a graph a line;
* ``<``: XML, either GraphML (read by networkx) or GXL, in which the classic
  benchmarks of graph matching are published;
* ``graph [``: GML, read by networkx; ``graph {``, ``digraph {``: DOT;
* a file named ``.smi`` or ``.smiles`` holds SMILES, and what has the fourth line of a
  MOL block is SD or MOL (:mod:`.molecules`);
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
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactmatch.base.deadline import in_time, reading
from exactmatch.base.errors import InputError, shortened, unknown, warn_caller
from exactmatch.formats import sets
from exactmatch.formats.beginnings import WEIGHTED
from exactmatch.formats.dot import dot
from exactmatch.formats.files import STANDARD_INPUT, expand, named, read_text
from exactmatch.formats.formats import (
    FORMATS,
    OF_SETS,
    PENMAN,
    get_format,
    looks_like,
)
from exactmatch.formats.items import Items, counting
from exactmatch.formats.machine.json_graphs import network_in
from exactmatch.formats.molecules import in_column, is_sdf, sdf, smiles
from exactmatch.formats.network_texts import (
    REFUSALS,
    NamedGraph,
    Reader,
    add_edge,
    empty,
    gml,
    is_listed,
    json_values,
    lists,
    not_read,
    rows_of,
    triple_graphs,
)
from exactmatch.formats.remarks import NESTED_EDGES, NESTED_NODES, PORTS, left_out
from exactmatch.formats.tudataset import tu_graphs, tu_name
from exactmatch.formats.unknown import guess, is_bracketed, refusal
from exactmatch.formats.xml_text import local_name, parsed_xml

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_PENMAN = re.compile(r"\s*\([^\s()/]+\s+/", re.MULTILINE)


def read_graphs(
    path: str,
    format_in: str | None = None,
    note: Callable[[str], None] = warn_caller,
    field: str | None = None,
) -> list[NamedGraph]:
    """Read all graphs of a file, a folder (in order of file names) or ``-``.

    Args:
        path: the file or folder.
        format_in: a name in :data:`READERS`; default: what each file surely is.
        note: is called with a sentence on what the reader of a file left out.
        field: the column of a table, CSV, TSV or Parquet, that holds the graphs, each a
            text in the format, by default SMILES.

    Raises:
        InputError: if a file cannot be read, or is not surely in one of the formats;
            the message names it and the place in it.
    """
    if field is not None and not _is_of_molecules(path):
        reader = READERS[format_in or "smiles"]
        files = (in_column(file, field, reader) for file in expand(path))
        return list(chain.from_iterable(files))
    if format_in is None and (name := tu_name(path)) is not None:
        with reading(path):
            return tu_graphs(path, name, read_text)
    graphs: list[NamedGraph] = []
    for file in expand(path):
        file_graphs = _read(file, format_in)
        lost = Counter[str]()
        for graph in file_graphs:
            if graph.left_out:
                lost.update(graph.left_out)
        if lost:
            lost_in_words = ", ".join(
                left_out(kind, times) for kind, times in lost.items()
            )
            note(f"{named(file)}: left out: {lost_in_words}")
        graphs += file_graphs
    return graphs


def _is_of_molecules(path: str) -> bool:
    """Return whether a file's name says that it holds SMILES."""
    return path.removesuffix(".gz").endswith((".smi", ".smiles"))


def graphs_in(text: str, format_in: str) -> list[NamedGraph]:
    """Read all graphs of a text in a format.

    Raises:
        InputError: if there is no such format, or the text is not in it.
    """
    if format_in not in READERS:
        raise InputError(unknown("format of graphs", format_in, READERS))
    return list(READERS[format_in](text, "the text", None))


def _read(path: str, format_in: str | None) -> list[NamedGraph]:
    with reading(named(path)):
        return _graphs_of(path, format_in)


def _graphs_of(path: str, format_in: str | None) -> list[NamedGraph]:
    text = read_text(path)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
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
        graph_name = block.id or (stem if len(blocks) == 1 else None)
        network = network_in(block)
        yield NamedGraph(graph_name, network.as_networkx(), +network.left_out)


def _recognised(text: str, path: str) -> str:
    """Return the reader's name for a text that is surely in its format."""
    if _is_of_molecules(path):
        return "smiles"
    if not text.strip():
        return "triples"
    if is_sdf(text):
        return "sdf"
    format_name = looks_like(text)
    beginning = text.lstrip()[0]
    graph = _PENMAN.search(text) if format_name == PENMAN else None
    if format_name == PENMAN and is_bracketed(text):
        raise refusal(text, format_name, path, _EXTRACT)
    if format_name == PENMAN and graph is None and is_listed(text.splitlines()):
        return "triples"
    if format_name == PENMAN and graph is None and guess(text, format_name):
        raise refusal(text, format_name, path, _EXTRACT)
    if format_name in (*_MACHINES, *OF_SETS, "gml", "dot"):
        return format_name
    if beginning == "<":
        return "graphml"
    if format_name in FORMATS and format_name not in (
        PENMAN,
        "triples",
        "node-link",
        "json",
    ):
        raise _to_be_converted(path, format_name)
    is_json = beginning in "{[" and format_name != PENMAN
    if format_name not in FORMATS and format_name != WEIGHTED and not is_json:
        raise refusal(text, format_name, path, _EXTRACT)
    if beginning in "{[":
        return "node-link"
    if format_name != PENMAN:
        graph = _PENMAN.search(text)
    if graph is not None:
        line = text.count("\n", 0, graph.end()) + 1
        raise _to_be_converted(f"{path}:{line}", "PENMAN")
    if format_name != PENMAN and is_listed(text.splitlines()):
        return "triples"
    return _surely_triples(text, path)


_EXTRACT = "exactmatch convert FILE --extract repair --to node-link"


def _to_be_converted(place: str, name: str) -> InputError:
    return InputError(
        f"{place}: is {name} and not a network; write it as one first: exactmatch "
        "convert FILE --to node-link"
    )


def _surely_triples(text: str, path: str) -> str:
    """Return the reader's name if lines are triples, not edges or neighbours."""
    rows = {n: columns for block in rows_of(text, "\t") for n, columns in block}
    threes = [columns for columns in rows.values() if len(columns) == 3]
    single_columns = [n for n, columns in rows.items() if len(columns) == 1]
    ends = {end for head, _, tail in threes for end in (head, tail)}
    reason = ""
    if not threes:
        reason = (
            " is neither node-link JSON, GraphML, GXL, GML, DOT nor triples with tabs; "
            "if it lists edges, neighbours or nodes,"
        )
    elif single_columns:
        reason = (
            f"{single_columns[0]}: has one column, as triples and adjacency lists may "
            "have;"
        )
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
    graphs: list[NamedGraph] = []
    try:
        values = [*json_values(text, path)]
        for line, data in values:
            place = path if len(values) == 1 else f"{path}:{line}"
            is_list = isinstance(data, list)
            for number, item in enumerate(data if is_list else [data], 1):
                where = f"{place}: graph {number}" if is_list else place
                graphs.append(_node_link(item, where, None if is_list else stem))
    except InputError as error:
        if not isinstance(error, _OtherEndsError) and looks_like(text) != "json":
            raise
        try:
            graphs = [*_of_machines(text, path, stem, kind="json")]
        except InputError:
            raise error from None
    return iter(graphs)


class _OtherEndsError(InputError):
    """Edges do not have the ends of networkx's form; another dialect may have them."""


def _node_link(data: Any, where: str, stem: str | None) -> NamedGraph:
    """Read node-link JSON, with edges under ``edges`` or ``links``."""
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise InputError(f"{where}: has no list of 'nodes'; write node-link JSON")
    key = "edges" if "edges" in data else "links"
    if not isinstance(data.get(key), list):
        raise InputError(f"{where}: has no list of 'edges' or 'links'")
    graph = empty(bool(data.get("directed", True)), bool(data.get("multigraph", True)))
    items = Items(where)
    for number, node in enumerate(items.each(data["nodes"]), 1):
        if not isinstance(node, dict) or "id" not in node:
            raise InputError(f"{where}: node {number} has no 'id'")
        name = _hashable(node["id"])
        if name is None or name in graph:
            rule = "is not a name" if name is None else "is there twice"
            raise InputError(f"{where}: node id {shortened(repr(node['id']))} {rule}")
        graph.add_node(name)
        graph.nodes[name].update(_but(node, "id"))
    for number, edge in enumerate(items.each(data[key]), 1):
        if not isinstance(edge, dict) or not {"source", "target"} <= edge.keys():
            raise _OtherEndsError(
                f"{where}: edge {number} has no 'source' or no 'target'"
            )
        ends = _hashable(edge["source"]), _hashable(edge["target"])
        for end in ends:
            if end is None or end not in graph:
                raise InputError(
                    f"{where}: edge {number} has an end that is not a node"
                )
        add_edge(graph, *ends, _but(edge, "source", "target", "key"))
    attributes = data.get("graph")
    graph_name = attributes.get("name") if isinstance(attributes, dict) else None
    graph_name = graph_name or data.get("id") or data.get("name") or stem
    return NamedGraph(None if graph_name is None else str(graph_name), graph)


_DEEPEST = 50
"""How deep lists nest in a node's name."""


def _hashable(name: Any, depth: int = 0) -> Any:
    """Return a node's name, with tuples for lists; ``None`` if it has none."""
    if isinstance(name, list):
        parts = [_hashable(part, depth + 1) for part in name if depth < _DEEPEST]
        return None if len(parts) < len(name) or None in parts else tuple(parts)
    return None if isinstance(name, dict) else name


def _but(attributes: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {k: value for k, value in attributes.items() if k not in keys}


# --------------------------------------------------------------------- XML


def xml_graphs(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read the graphs of GraphML or GXL."""
    root = parsed_xml(text, path)
    kind = local_name(root)
    if kind == "graphml":
        yield from _graphml(root, path, stem)
    elif kind == "benchmark":
        yield from _of_machines(text, path, stem, kind="webnlg")
    elif kind == "gxl":
        graphs = [element for element in root if local_name(element) == "graph"]
        for number, element in enumerate(graphs, 1):
            where = path if len(graphs) == 1 else f"{path}: graph {number}"
            yield _gxl(element, where, element.get("id") or stem)
    elif kind == "GraphCollection":
        raise InputError(
            f"{path}: lists files, which only a file can do that you name yourself; a "
            "text opens no file, nor does what a collection lists"
        )
    else:
        raise InputError(
            f"{path}: holds XML of kind {kind!r}; GraphML, GXL and GEXF can be read"
        )


def graphml(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read the graphs of GraphML; nodes are known by their ids.

    Graphs within nodes and ports are not read, and counted.
    """
    return _graphml(parsed_xml(text, path), path, stem)


def _graphml(root: Element, path: str, stem: str | None) -> Iterator[NamedGraph]:
    from networkx import NetworkXError
    from networkx.readwrite.graphml import GraphMLReader

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of ports, which are counted
            reader = counting(GraphMLReader, path)(node_type=str)
            keys, defaults = reader.find_graphml_keys(root)  # the text is parsed once
            elements = root.findall(f"{{{reader.NS_GRAPHML}}}graph")
            graphs = [
                reader.make_graph(graph_element, keys, defaults)
                for graph_element in elements
            ]
    except InputError:
        raise
    except (NetworkXError, SyntaxError, *REFUSALS) as error:
        raise not_read(path, "GraphML", "networkx", error) from None
    if not graphs:
        raise InputError(f"{path}: holds no graph in the namespace of GraphML")
    for graph, element in zip(graphs, elements, strict=True):
        name = graph.graph.get("name") or (stem if len(graphs) == 1 else None)
        yield NamedGraph(name, graph, _nested(element, f"{{{reader.NS_GRAPHML}}}"))


def _nested(graph: Element, namespace: str) -> dict[str, int]:
    """Count what stands in graphs within a graph's nodes, and their ports."""
    kinds = {"node": NESTED_NODES, "edge": NESTED_EDGES, "port": PORTS}
    counts = {
        kind: sum(1 for _ in graph.iter(namespace + tag))
        - len(graph.findall(namespace + tag))
        for tag, kind in kinds.items()
    }
    return {kind: count for kind, count in counts.items() if count}


def _gxl(element: Element, where: str, name: str | None) -> NamedGraph:
    """Read a graph of a GXL file; its attributes have types."""
    mode = element.get("edgemode", "directed")
    graph = empty(mode in ("directed", "defaultdirected"), multiple=True)
    items = Items(where)
    for part in items.each([*element]):
        if local_name(part) == "node":
            node = part.get("id")
            if node is None or node in graph:
                rule = "has no id" if node is None else f"{node!r} is there twice"
                raise InputError(f"{where}: a node {rule}")
            graph.add_node(node)
            graph.nodes[node].update(_attributes(part, where))
    for edge in in_time(element):
        if local_name(edge) != "edge":
            continue
        ends = edge.get("from"), edge.get("to")
        for end in ends:
            if end not in graph:
                why = f"an edge has the end {end!r}, which is not a node"
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
    values: dict[str, Any] = {}
    for attribute in element:
        if local_name(attribute) != "attr":
            continue
        name = attribute.get("name", "")
        for value in attribute:
            kind, text = local_name(value).lower(), (value.text or "").strip()
            read = _GXL_TYPES.get(kind)
            try:
                values[name] = text if read is None else read(text)
            except ValueError:
                noun = f"{'an' if kind.startswith('i') else 'a'} {kind}"
                why = f"attribute {name!r} is {text!r}, which is not {noun}"
                raise InputError(f"{where}: {why}") from None
    return values


_MACHINES = ("table", "relations", "worfbench", "mermaid", "pajek", "rdf", "answers")
READERS: dict[str, Reader] = {
    **sets.READERS,
    "node-link": _json_graphs,
    "graphml": xml_graphs,
    "gxl": xml_graphs,
    "gml": gml,
    "dot": dot,
    "smiles": smiles,
    "sdf": sdf,
    "mol": sdf,
    "edge-list": partial(lists, edges=True, directed=False),
    "directed-edge-list": partial(lists, edges=True, directed=True),
    "adjacency-list": partial(lists, edges=False, directed=False),
    "directed-adjacency-list": partial(lists, edges=False, directed=True),
    "triples": triple_graphs,
    "json": partial(_of_machines, kind="json"),
    **{name: partial(_of_machines, kind=name) for name in _MACHINES},
}
"""The readers, by the name of their format."""
