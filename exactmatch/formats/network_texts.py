"""Texts of graphs that no bracket tells, GML, triples, lists; PyTorch's graphs."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from exactmatch.base.deadline import in_time, is_limited
from exactmatch.base.errors import InputError, no_json, place_of, shortened
from exactmatch.base.json_texts import raw_decode
from exactmatch.base.numbers import several
from exactmatch.base.registry import imported
from exactmatch.formats.items import Items

BLANK = "_:"
"""How the name of a blank node begins."""

_SEEN = re.compile(r"\S")
_LISTED = re.compile(r"\(([^();]*);([^();]*);([^();]*)\)")
_LISTED_LINE = re.compile(rf"(?:{_LISTED.pattern}\s*)+")


class NamedGraph(NamedTuple):
    """A networkx graph of a file.

    Attributes:
        name: its own name, if it has one.
        graph: the graph.
        left_out: what its reader left out, and how often.
    """

    name: str | None
    graph: Any
    left_out: Mapping[str, int] = MappingProxyType({})


Reader: TypeAlias = Callable[[str, str, str | None], Iterator[NamedGraph]]
"""Yields the graphs of a text, given its path and the name of a single graph."""

REFUSALS = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What packages raise, beside their own errors, where a file is not as they want it."""


def not_read(path: str | None, noun: str, reader: str, error: object) -> InputError:
    """Return the error for a file that another package refuses."""
    reason = " ".join(str(error).split())
    where = place_of(path, None)
    return InputError(f"{where}is not {noun} as {reader} reads it: {reason}")


def json_values(text: str, path: str | None) -> Iterator[tuple[int, Any]]:
    """Yield the JSON values that follow one another in a text, with their lines."""
    seen = _SEEN.search(text)
    line, counted = 1, 0
    while seen:
        line += text.count("\n", counted, seen.start())
        counted = seen.start()
        try:
            value, end = raw_decode(text, seen.start())
        except (ValueError, RecursionError) as error:
            raise no_json(error, path, getattr(error, "lineno", line)) from None
        yield line, value
        seen = _SEEN.search(text, end)


def shown(data: Any) -> str:
    """JSON data as messages show them."""
    return shortened(json.dumps(data, ensure_ascii=False), 60)


_OBJECTS: ContextVar[dict[str, tuple[Any, set[str]]] | None] = ContextVar(
    "objects", default=None
)


@contextmanager
def objects_kept() -> Iterator[None]:
    """Parse the first object of a text once, for all that look at it meanwhile."""
    token = _OBJECTS.set({})
    try:
        yield
    finally:
        _OBJECTS.reset(token)


def first_object(text: str) -> tuple[Any, set[str]]:
    """Return the first JSON object and its keys, found by pattern if it is broken."""
    kept = _OBJECTS.get()
    if kept is None:
        return _first_object(text)
    if text not in kept:
        kept[text] = _first_object(text)
    return kept[text]


def _first_object(text: str) -> tuple[Any, set[str]]:
    beginning = text.lstrip().removeprefix("[").lstrip()
    try:
        data = raw_decode(beginning)[0]
        return data, {*data}
    except (ValueError, RecursionError, TypeError):
        return {}, set(re.findall(r'"(\w+)"\s*:', beginning))


# ------------------------------------------------------------------------ GML


def gml(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read GML; a label is an attribute, and nodes are told apart by their ids."""
    from networkx import NetworkXError, parse_gml

    Items(path).add(text.count("["))
    lines = in_time(text.splitlines()) if is_limited() else text  # which is faster
    try:
        graph = parse_gml(lines, label="id")
    except InputError:
        raise
    except (NetworkXError, *REFUSALS) as error:
        raise not_read(path, "GML", "networkx", error) from None
    yield NamedGraph(stem, graph)


# ------------------------------------------------------------- lines of columns


def rows_of(text: str, delimiter: str | None) -> Iterator[list[tuple[int, list[str]]]]:
    """Yield what stands between empty lines: lines in columns, with their numbers.

    A line that begins with ``#`` is a comment, unless it is a triple.
    """
    block: list[tuple[int, list[str]]] = []
    for number, line in enumerate(in_time([*text.splitlines(), ""]), 1):
        if not line.strip():
            if block:
                yield block
            block = []
        elif line[0] != "#" or line.count("\t") == 2:
            block.append((number, [part.strip() for part in line.split(delimiter)]))


def lists(
    text: str, path: str, stem: str | None, *, edges: bool, directed: bool
) -> Iterator[NamedGraph]:
    """Read edge lists, with an edge on each line, or adjacency lists."""
    delimiter = "\t" if "\t" in text else None
    blocks, items = list(rows_of(text, delimiter)), Items(path)
    for block in blocks:
        graph = empty(directed, multiple=edges)
        listed: set[str] = set()
        for number, columns in block:
            place = f"{path}:{number}"
            node, *neighbours = items.each(columns)
            if edges:
                attributes = _of_listed_edge(columns, place)
                add_edge(graph, columns[0], columns[1], attributes)
            elif len({*neighbours}) < len(neighbours) or node in listed:
                raise InputError(f"{place}: names a neighbour, or lists a node, twice")
            else:
                listed.add(node)
                graph.add_node(node)
                graph.add_edges_from((node, neighbour) for neighbour in neighbours)
        yield NamedGraph(stem if len(blocks) == 1 else None, graph)


def _of_listed_edge(columns: list[str], place: str) -> dict[str, Any]:
    """Return the attributes of a line's edge: a weight or a dictionary."""
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
            f"{place}: is not an edge: two nodes, and a weight or a dictionary perhaps"
        ) from None
    return attributes


def triple_graphs(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read triples; a line of one column is a node."""
    lines, items = text.splitlines(), Items(path)
    if is_listed(lines):
        for line in filter(str.strip, lines):
            graph = empty(directed=True, multiple=True)
            for triple in items.each(_LISTED.findall(line.rpartition("\t")[2])):
                _add_triple(graph, *map(str.strip, triple))
            yield NamedGraph(None, graph)
        return
    blocks = list(rows_of(text, "\t"))
    for block in blocks:
        graph = empty(directed=True, multiple=True)
        for number, columns in items.each(block):
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
    """Return whether each line is a graph: its last column lists triples."""
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


MOST_JOINED = 100_000
"""The most edges that may be written as groups of nodes: few words make many edges."""


class Joined:
    """Counts the edges that groups of nodes make, before they are made."""

    def __init__(self) -> None:
        self._total = 0

    def add(self, sources: int, targets: int, path: str | None, line: int = 0) -> None:
        """Count the edges from each of some nodes to each of others.

        Raises:
            InputError: if they are more than :data:`MOST_JOINED`.
        """
        if sources * targets > 1:
            self._total += sources * targets
        if self._total > MOST_JOINED:
            raise InputError(
                f"{place_of(path, line or None)}joins groups of nodes by "
                f"{self._total:,} edges; at most {MOST_JOINED:,} are read; write each "
                "edge by itself, or the graph as JSON"
            )


def empty(directed: bool, multiple: bool) -> Any:
    """Make an empty networkx graph; networkx is imported here, for a fast start."""
    import networkx as nx

    if directed:
        return nx.MultiDiGraph() if multiple else nx.DiGraph()
    return nx.MultiGraph() if multiple else nx.Graph()


def add_edge(graph: Any, source: Any, target: Any, attributes: dict[str, Any]) -> None:
    """Add an edge whose attributes may be called anything."""
    key = graph.add_edge(source, target)  # of a multigraph; else None
    edge = (source, target) if key is None else (source, target, key)
    graph.edges[edge].update(attributes)


# ------------------------------------------------- PyTorch Geometric and RDKit


AS_READ = "hydrogens"
"""Set on graphs of molecules, in which RDKit has left out hydrogens already."""


def is_foreign(graph: Any) -> bool:
    """Return whether :func:`network_of` takes a graph; nothing is imported."""
    return is_pyg(graph) or is_molecule(graph)


def is_molecule(graph: Any) -> bool:
    """Return whether it is a molecule of RDKit."""
    return hasattr(graph, "GetAtoms") and hasattr(graph, "GetBonds")


def is_pyg(graph: Any) -> bool:
    """Return whether it has the attributes of a ``Data``; nothing is imported."""
    return hasattr(graph, "edge_index") and hasattr(graph, "num_nodes")


def network_of(data: Any) -> Any:
    """Return a ``Data``, or a molecule of RDKit, as a networkx graph.

    A ``Data`` is undirected if each edge is there both ways; ``x`` and ``edge_attr``
    are attributes of nodes and edges, each row a tuple.  For molecules see
    :mod:`exactmatch.formats.molecules`.
    """
    if is_molecule(data):
        return imported("exactmatch.formats.molecules:network_of_molecule")(data)
    size = data.num_nodes
    if size is None or data.edge_index is None:
        raise InputError("a Data has no number of nodes or no edge_index; set both")
    sources, targets = data.edge_index.tolist()
    rows = _rows(data, "x", size)
    kinds = _rows(data, "edge_attr", len(sources))
    edges: dict[tuple[int, int], dict[str, Any]] = {}
    for i, k, attributes in zip(sources, targets, kinds, strict=True):
        if (i, k) in edges:
            raise InputError(f"a Data has the edge from {i} to {k} twice; coalesce it")
        if not (0 <= i < size and 0 <= k < size):
            raise InputError(f"a Data of {size} nodes has an edge from {i} to {k}")
        edges[i, k] = attributes
    directed = any(
        edges.get((k, i)) != attributes for (i, k), attributes in edges.items()
    )
    graph = empty(directed, multiple=False)
    graph.add_nodes_from(zip(range(size), rows, strict=True))
    graph.add_edges_from((i, k, attributes) for (i, k), attributes in edges.items())
    return graph


def _rows(data: Any, name: str, size: int) -> list[dict[str, Any]]:
    tensor = getattr(data, name, None)
    if tensor is None:
        return [{} for _ in range(size)]
    values = [tuple(row) if isinstance(row, list) else row for row in tensor.tolist()]
    if len(values) != size:
        raise InputError(f"a Data has {len(values)} rows of {name} where {size} fit")
    return [{name: value} for value in values]
