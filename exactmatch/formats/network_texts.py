"""Texts of graphs that no bracket tells, GML, DOT, triples, lists; PyTorch's graphs."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from exactmatch.base.errors import InputError, no_json, place_of, shortened
from exactmatch.base.numbers import several

BLANK = "_:"
"""How the name of a blank node begins."""

_SEEN = re.compile(r"\S")
_LISTED = re.compile(r"\(([^();]*);([^();]*);([^();]*)\)")
_LISTED_LINE = re.compile(rf"(?:{_LISTED.pattern}\s*)+")


class NamedGraph(NamedTuple):
    """A networkx graph of a file, and its own name if it has one."""

    name: str | None
    graph: Any


Reader: TypeAlias = Callable[[str, str, str | None], Iterator[NamedGraph]]
"""Yields the graphs of a text, given its path and what names a graph that is alone."""

REFUSALS = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What packages raise, beside their own errors, where a file is not as they want it."""


def not_read(path: str | None, what: str, reader: str, error: object) -> InputError:
    """The error of a file that another package refuses."""
    reason = " ".join(str(error).split())
    where = place_of(path, None)
    return InputError(f"{where}is not {what} as {reader} reads it: {reason}")


def json_values(text: str, path: str | None) -> Iterator[tuple[int, Any]]:
    """Yield the JSON values that follow one another in a text, with their lines."""
    decoder = json.JSONDecoder()
    seen = _SEEN.search(text)
    while seen:
        line = text.count("\n", 0, seen.start()) + 1
        try:
            value, end = decoder.raw_decode(text, seen.start())
        except (ValueError, RecursionError) as error:
            raise no_json(error, path, getattr(error, "lineno", line)) from None
        yield line, value
        seen = _SEEN.search(text, end)


def shown(data: Any) -> str:
    """JSON data as messages show them."""
    return shortened(json.dumps(data, ensure_ascii=False), 60)


def first_object(text: str) -> tuple[Any, set[str]]:
    """The first object of JSON and its keys, which of a broken one are looked for."""
    begun = text.lstrip().removeprefix("[").lstrip()
    try:
        data = json.JSONDecoder().raw_decode(begun)[0]
        return data, {*data}
    except (ValueError, RecursionError, TypeError):
        return {}, set(re.findall(r'"(\w+)"\s*:', begun))


# ---------------------------------------------------------------- GML and DOT

_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')
_COMMENT = re.compile(r"//[^\n]*|^#[^\n]*|/\*.*?\*/", re.DOTALL | re.MULTILINE)
_END = "end_of_the_file"
"""A graph behind the last, for pydot passes over what it cannot read at the end."""


def gml(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read GML; a label is an attribute, and nodes are told apart by their ids."""
    from networkx import NetworkXError, parse_gml

    try:
        graph = parse_gml(text, label="id")
    except (NetworkXError, *REFUSALS) as error:
        raise not_read(path, "GML", "networkx", error) from None
    yield NamedGraph(stem, graph)


def dot(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read DOT without what would be read in part: subgraphs, ports, defaults."""
    try:
        import pydot
    except ImportError:
        raise InputError(
            f"{path}: is DOT, which needs pydot: pip install 'exactmatch[dot]'"
        ) from None
    unquoted = _QUOTED.sub("", text)
    nested = InputError(f"{path}: has a subgraph, which is not read; dissolve it")
    depth = 0
    for sign in re.findall("[{}]", _COMMENT.sub("", unquoted)):
        depth += 1 if sign == "{" else -1
        if depth > 1:  # pydot's time would double each time
            raise nested
    printed = io.StringIO()  # where pydot says what is wrong
    try:
        with contextlib.redirect_stdout(printed):
            found = pydot.graph_from_dot_data(f"{text}\ngraph {_END} {{}}")
    except REFUSALS:
        found = None
    if not found or found[-1].get_name() != _END:
        reason = (printed.getvalue().splitlines() or ["it reads a part alone"])[-1]
        raise not_read(path, "DOT", "pydot", reason)
    for sign, kind in (("->", "digraph"), ("--", "graph")):
        if sign in unquoted and kind not in {one.get_type() for one in found[:-1]}:
            raise InputError(f"{path}: has {sign!r} without a {kind}")
    for one in found[:-1]:
        graph = empty(one.get_type() == "digraph", multiple=not one.get_strict())
        if one.get_subgraphs():
            raise nested
        for node in one.get_nodes():
            name, attributes = node.get_name(), _unquoted(node.get_attributes())
            if name in ("node", "edge"):
                raise InputError(
                    f"{path}: has attributes for every {name}, which are not read; "
                    f"give them to each {name}"
                )
            if name != "graph":
                graph.add_node(_plain(path, name))
                graph.nodes[_plain(path, name)].update(attributes)
        for edge in one.get_edges():
            source, target = edge.get_source(), edge.get_destination()
            ends = _plain(path, source), _plain(path, target)
            add_edge(graph, *ends, _unquoted(edge.get_attributes()))
        yield NamedGraph(_plain(path, one.get_name() or "") or stem, graph)


def _plain(path: str, name: Any) -> str:
    """A node's name without its quotes; no group of nodes, and none with a port."""
    if isinstance(name, str) and name[:1] == name[-1:] == '"':
        return _inside(name)
    if not isinstance(name, str) or ":" in name:
        raise InputError(
            f"{path}: has an edge whose end is a group or has a port, which is not "
            "read; write an edge for each two nodes"
        )
    return name


def _unquoted(attributes: dict[str, Any]) -> dict[str, Any]:
    return {
        _inside(key): _inside(value) if value else value
        for key, value in attributes.items()
    }


def _inside(text: str) -> str:
    """A text without its quotes, if it has any; a quote in it has a backslash."""
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1].replace(r"\"", '"') if is_quoted else text


# ------------------------------------------------------------- lines of columns


def rows_of(text: str, delimiter: str | None) -> Iterator[list[tuple[int, list[str]]]]:
    """Yield what stands between empty lines: lines in columns, with their numbers.

    A line that begins with ``#`` is a comment, unless it is a triple.
    """
    block: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if not line.strip():
            if block:
                yield block
            block = []
        elif line[0] != "#" or line.count("\t") == 2:
            block.append((number, [part.strip() for part in line.split(delimiter)]))


def lists(
    text: str, path: str, stem: str | None, *, edges: bool, directed: bool
) -> Iterator[NamedGraph]:
    """Read edge lists, of which each line is an edge, or adjacency lists."""
    delimiter = "\t" if "\t" in text else None
    blocks = list(rows_of(text, delimiter))
    for block in blocks:
        graph = empty(directed, multiple=edges)
        listed: set[str] = set()
        for number, columns in block:
            place = f"{path}:{number}"
            node, *others = columns
            if edges:
                attributes = _of_listed_edge(columns, place)
                add_edge(graph, columns[0], columns[1], attributes)
            elif len({*others}) < len(others) or node in listed:
                raise InputError(f"{place}: names a neighbour, or lists a node, twice")
            else:
                listed.add(node)
                graph.add_node(node)
                graph.add_edges_from((node, other) for other in others)
        yield NamedGraph(stem if len(blocks) == 1 else None, graph)


def _of_listed_edge(columns: list[str], place: str) -> dict[str, Any]:
    """The attributes of a line's edge: a weight or a dictionary perhaps."""
    data = " ".join(columns[2:])
    try:
        if data[:1] == "{":
            attributes = dict(ast.literal_eval(data))
        else:
            attributes = {"weight": float(data)} if data else {}
        if len(columns) < 2 or not math.isfinite(attributes.get("weight", 0)):
            raise ValueError
    except (SyntaxError, MemoryError, *REFUSALS):
        raise InputError(
            f"{place}: is no edge: two nodes, and a weight or a dictionary perhaps"
        ) from None
    return attributes


def triple_graphs(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read triples; a line of one column is a node."""
    lines = text.splitlines()
    if is_listed(lines):
        for line in filter(str.strip, lines):
            graph = empty(directed=True, multiple=True)
            for triple in _LISTED.findall(line.rpartition("\t")[2]):
                _add_triple(graph, *map(str.strip, triple))
            yield NamedGraph(None, graph)
        return
    blocks = list(rows_of(text, "\t"))
    for block in blocks:
        graph = empty(directed=True, multiple=True)
        for number, columns in block:
            if len(columns) == 1:
                _add_named(graph, columns[0])
            elif len(columns) == 3:
                _add_triple(graph, *columns)
            else:
                raise InputError(
                    f"{path}:{number}: has {several(len(columns), 'column')}; a triple "
                    "is head, relation and tail, separated by tabs"
                )
        yield NamedGraph(stem if len(blocks) == 1 else None, graph)


def is_listed(lines: list[str]) -> bool:
    """Whether each line is a graph, whose last column is a list of triples."""
    written = [line.rpartition("\t")[2].strip() for line in lines if line.strip()]
    return bool(written) and all(map(_LISTED_LINE.fullmatch, written))


def _add_triple(graph: Any, head: str, relation: str, tail: str) -> None:
    """Add a triple, unless the graph has it already."""
    _add_named(graph, head)
    _add_named(graph, tail)
    graph.add_edge(head, tail, key=relation, label=relation)


def _add_named(graph: Any, name: str) -> None:
    attributes = {} if name.startswith(BLANK) else {"label": name}
    graph.add_node(name, **attributes)


# -------------------------------------------------------------------- graphs


def empty(directed: bool, multiple: bool) -> Any:
    """An empty networkx graph; networkx is imported here, for a fast start-up."""
    import networkx as nx

    if directed:
        return nx.MultiDiGraph() if multiple else nx.DiGraph()
    return nx.MultiGraph() if multiple else nx.Graph()


def add_edge(graph: Any, source: Any, target: Any, attributes: dict[str, Any]) -> None:
    """Add an edge whose attributes may be called anything."""
    key = graph.add_edge(source, target)  # of a multigraph; else None
    edge = (source, target) if key is None else (source, target, key)
    graph.edges[edge].update(attributes)


# --------------------------------------------------------- PyTorch Geometric


def is_pyg(graph: Any) -> bool:
    """Whether it is a ``Data``, or has its attributes; no package is imported."""
    return hasattr(graph, "edge_index") and hasattr(graph, "num_nodes")


def network_of(data: Any) -> Any:
    """A ``Data`` as a networkx graph, undirected if each edge is there both ways.

    ``x`` and ``edge_attr`` are attributes of nodes and edges, each row a tuple.
    """
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
    tensor = getattr(data, name, None)
    if tensor is None:
        return [{} for _ in range(size)]
    values = [tuple(one) if isinstance(one, list) else one for one in tensor.tolist()]
    if len(values) != size:
        raise InputError(f"a Data has {len(values)} rows of {name} where {size} fit")
    return [{name: value} for value in values]
