"""Formats in which the data sets of edit distances are published.

A format of texts is a function ``(text, path, stem)`` that yields named networkx
graphs, and one that recognises its texts:

* gSpan, as most programs of graph search read it: ``t # 0`` begins a graph, ``v 0 C``
  is a node and its label, ``e 0 1 2`` an undirected edge and its label; both labels may
  be missing.  ``t # -1`` ends a file;
* GEXF, as Gephi and networkx write it;
* JSON as programs that learn edit distances read it: one object, a list of them, or one
  a line.  An object is a graph, ``{"n": 2, "labels": ["C", "O"], "edges": [[0, 1]]}``
  (GEDGNN has ``graph`` in place of ``edges``), or a pair, ``{"graph_1": [[0, 1]],
  "labels_1": ["C", "O"], "graph_2": …, "labels_2": …, "ged": 3}`` as in SimGNN, which
  is two graphs in a row.  Graphs are undirected unless ``"directed"`` is true; an edge
  may have its label in third place.

A collection (``.cxl``) lists files of GXL beside it (:mod:`.listed`); TUDatasets are
read by :mod:`.tudataset`.

Sources: Yan and Han (2002), "gSpan: graph-based substructure pattern mining"; Bai and
others (2019), "SimGNN"; Piao and others (2023), "Computing graph edit distance via
neural graph matching".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.formats.items import Items, counting
from exactmatch.formats.network_texts import (
    NamedGraph,
    Reader,
    empty,
    first_object,
    json_values,
    not_read,
)
from exactmatch.formats.xml_text import xml_file

# ------------------------------------------------------------------------ gSpan

_BEGINNING = re.compile(
    r"(?:\s*#[^\n]*\n)*\s*t[ \t]+(?:#[ \t]*)?-?\d+(?:[ \t\r][^\n]*)?(?:\n|$)"
)
_NEXT = re.compile(r"\s*(?:v[ \t]|t[ \t]|$)")


def is_gspan(text: str) -> bool:
    """Return whether a text begins with a graph's line, then a node's or nothing."""
    opening = _BEGINNING.match(text)
    return opening is not None and _NEXT.match(text, opening.end()) is not None


def gspan(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read all graphs of a file."""
    del stem
    graph: Any = None
    name = ""
    items = Items(path)
    for number, line in enumerate(items.each(text.splitlines()), 1):
        kind, *rest = line.split() or [""]
        if kind[:1] in ("", "#"):
            continue

        def wrong(why: str, place: str = f"{path}:{number}") -> InputError:
            return InputError(f"{place}: {why}")

        if kind == "t":
            if graph is not None:
                yield NamedGraph(name, graph)
            graph = empty(directed=False, multiple=False)
            name = next((word.lstrip("#") for word in rest if word != "#"), "")
            if not name:
                raise wrong("begins a graph without a number; write 't # 0'")
        elif graph is None or name == "-1":
            raise wrong("stands in no graph; a graph begins with 't # 0'")
        elif kind == "v" and len(rest) in (1, 2):
            if rest[0] in graph:
                raise wrong(f"has the node {rest[0]} for the second time")
            graph.add_node(rest[0], **dict(zip(["label"], rest[1:], strict=False)))
        elif kind == "e" and len(rest) in (2, 3):
            for end in rest[:2]:
                if end not in graph:
                    raise wrong(f"has an edge of {end}, which is not a node before it")
            if graph.has_edge(*rest[:2]):
                raise wrong(f"has the edge of {rest[0]} and {rest[1]} a second time")
            graph.add_edge(*rest[:2], **dict(zip(["label"], rest[2:], strict=False)))
        else:
            raise wrong(
                f"is {line.strip()[:60]!r}; lines are 't # N', 'v N LABEL' and 'e N N "
                "LABEL'"
            )
    if graph is not None and name != "-1":
        yield NamedGraph(name, graph)


# -------------------------------------------------------------------------- XML


def gexf(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read the graph of a file.

    An edge's ``id`` is not an attribute of the edge, and a node's ``label`` none where
    it repeats the node's name, as it does in sets that were written by programs.
    """
    from xml.etree.ElementTree import ParseError

    from networkx import NetworkXError
    from networkx.readwrite.gexf import GEXFReader

    try:
        reader = counting(GEXFReader, path)(version="1.2draft")
        graph = reader(xml_file(text, path))
    except InputError:
        raise
    except (NetworkXError, ParseError, KeyError, ValueError, TypeError) as error:
        raise not_read(path, "GEXF", "networkx", error) from None
    for attributes in graph.nodes.values():
        if attributes.get("label") is None:  # as networkx says that there is none
            attributes.pop("label", None)
    if all(
        str(attributes.get("label")) == str(node)
        for node, attributes in graph.nodes.items()
    ):
        for attributes in graph.nodes.values():
            del attributes["label"]
    for *_, attributes in graph.edges(data=True):
        attributes.pop("id", None)
    yield NamedGraph(stem, graph)


# ------------------------------------------------------------------------- JSON

MAX_NODES = 1_000_000
"""The most nodes that a number alone can make: a slip must not take all memory."""

_GRAPH = {"n", "m", "labels", "edges", "graph", "directed", "id", "gid", "part"}
_PAIR = {"graph_1", "graph_2", "labels_1", "labels_2", "ged"}


def is_ged_json(text: str) -> bool:
    """Return whether the keys of the first object are those of a graph or a pair."""
    if not re.match(r"\s*(\[\s*)?\{", text):
        return False
    _, keys = first_object(text)
    if {"graph_1", "graph_2"} <= keys:
        return True
    return "n" in keys and bool(keys & {"edges", "graph"}) and "nodes" not in keys


def ged_json(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read all graphs of a file; each of a pair knows the distance that is stated."""
    objects = list(_objects(text, path))
    for place, data in objects:
        name = stem if len(objects) == 1 else None
        if not isinstance(data, dict):
            raise InputError(f"{place}: is not an object; write a graph as one")
        if "graph_1" not in data and "graph_2" not in data:
            graph_name = data.get("id", data.get("gid", name))
            yield NamedGraph(
                None if graph_name is None else str(graph_name), graph_of(data, place)
            )
            continue
        for side in "12":
            _refuse_unknown(data, _PAIR, place)
            labels, edges = data.get(f"labels_{side}"), data.get(f"graph_{side}")
            if not isinstance(labels, list):
                why = f"has no list 'labels_{side}', a label for each node"
                raise InputError(f"{place}: {why}")
            graph = _graph(len(labels), labels, edges, False, place)
            if "ged" in data:
                graph.graph["ged"] = data["ged"]
            yield NamedGraph(None if name is None else f"{name}:{side}", graph)


def graph_of(data: dict[str, Any], place: str) -> Any:
    """Return the networkx graph of ``{"n": …, "labels": …, "edges": …}``."""
    _refuse_unknown(data, _GRAPH, place)
    edges, labels = data.get("edges", data.get("graph")), data.get("labels")
    size = data.get("n", len(labels or ()))
    return _graph(size, labels, edges, bool(data.get("directed", False)), place)


def _objects(text: str, path: str) -> Iterator[tuple[str, Any]]:
    """Yield each object and its place."""
    for line, value in json_values(text, path):
        if isinstance(value, list):
            for number, item in enumerate(value, 1):
                yield f"{path}: graph {number}", item
        else:
            yield f"{path}:{line}", value


def _refuse_unknown(data: dict[str, Any], known_keys: set[str], place: str) -> None:
    if unknown := sorted(data.keys() - known_keys):
        raise InputError(
            f"{place}: has the key {unknown[0]!r}, which is not read; a graph has "
            f"{', '.join(sorted(known_keys))}"
        )


def checked_size(size: Any, place: str) -> int:
    """Return the number of a graph's nodes, if it is one."""
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise InputError(f"{place}: n is {size!r}; it is the number of nodes")
    if size > MAX_NODES:
        limit_in_words = f"a graph has at most {MAX_NODES:,} nodes"
        raise InputError(f"{place}: n is {size:,}; {limit_in_words}")
    return size


def _graph(size: Any, labels: Any, edges: Any, directed: bool, place: str) -> Any:
    """Make a graph of the number of its nodes, their labels and edges."""
    checked_size(size, place)
    if labels is not None and (not isinstance(labels, list) or len(labels) != size):
        has = len(labels) if isinstance(labels, list) else "no list of"
        raise InputError(f"{place}: has {has} labels for {size} nodes")
    if not isinstance(edges, list):
        raise InputError(f"{place}: has no list of edges")
    graph = empty(directed, multiple=False)
    graph.add_nodes_from(range(size))
    for node, label in enumerate(labels or ()):
        graph.nodes[node]["label"] = label
    for edge in Items(place).each(edges):
        if not isinstance(edge, list) or len(edge) not in (2, 3):
            raise InputError(f"{place}: has the edge {edge!r}; it is [from, to]")
        for end in edge[:2]:
            is_node = isinstance(end, int) and not isinstance(end, bool)
            if not is_node or not 0 <= end < size:
                why = f"whose nodes are not from 0 to {size - 1}"
                raise InputError(f"{place}: has the edge {edge!r}, {why}")
        if graph.has_edge(*edge[:2]):
            raise InputError(f"{place}: has the edge {edge!r} a second time")
        graph.add_edge(*edge[:2])
        if len(edge) == 3:
            graph.edges[edge[0], edge[1]]["label"] = edge[2]
    return graph


READERS: dict[str, Reader] = {"gspan": gspan, "ged-json": ged_json, "gexf": gexf}
"""The readers of texts, by the name of their format."""
