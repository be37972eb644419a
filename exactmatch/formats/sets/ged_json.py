"""JSON as programs that learn edit distances read it.

A file is one object, a list of them, or one a line.  An object is a graph,
``{"n": 2, "labels": ["C", "O"], "edges": [[0, 1]]}`` (GEDGNN has ``graph`` in place of
``edges``), or a pair, ``{"graph_1": [[0, 1]], "labels_1": ["C", "O"], "graph_2": …,
"labels_2": …, "ged": 3}`` as in SimGNN, which is two graphs in a row.  Graphs are
undirected unless ``"directed"`` is true; an edge may have its label in third place.

Sources: Bai and others (2019), "SimGNN"; Piao and others (2023), "Computing graph edit
distance via neural graph matching".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from exactmatch.base.errors import InputError, no_json
from exactmatch.formats.network_texts import NamedGraph, empty

MAX_NODES = 1_000_000
"""A number alone can state so many nodes at most, else a slip takes all memory."""

_GRAPH = {"n", "m", "labels", "edges", "graph", "directed", "id", "gid", "part"}
_PAIR = {"graph_1", "graph_2", "labels_1", "labels_2", "ged"}
_KEY = re.compile(r'"((?:\\.|[^"\\])*)"\s*:')


def is_ged_json(text: str) -> bool:
    """Whether the keys of the first object are those of a graph or a pair."""
    begun = text.lstrip().removeprefix("[").lstrip()
    if not begun.startswith("{"):
        return False
    try:
        found = json.JSONDecoder().raw_decode(begun)[0]
        keys = set(found)
    except (ValueError, RecursionError, TypeError):
        keys = set(_KEY.findall(begun[:4096]))
    if {"graph_1", "graph_2"} <= keys:
        return True
    return "n" in keys and bool(keys & {"edges", "graph"}) and "nodes" not in keys


def ged_json(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read all graphs of a file.

    Raises:
        InputError: if it is not JSON, or an object is neither graph nor pair.
    """
    objects = list(_objects(text, path))
    for place, data in objects:
        name = stem if len(objects) == 1 else None
        if not isinstance(data, dict):
            raise InputError(f"{place}: is no object; write a graph as one")
        if "graph_1" in data or "graph_2" in data:
            for side in "12":
                graph = _pair_side(data, side, place)
                yield NamedGraph(None if name is None else f"{name}:{side}", graph)
            continue
        own = data.get("id", data.get("gid", name))
        yield NamedGraph(None if own is None else str(own), graph_of(data, place))


def graph_of(data: dict[str, Any], place: str) -> Any:
    """Return the networkx graph of ``{"n": …, "labels": …, "edges": …}``.

    Args:
        data: the object.
        place: what it is called in messages.

    Raises:
        InputError: if it is no such object.
    """
    _refuse_unknown(data, _GRAPH, place)
    edges = data.get("edges", data.get("graph"))
    labels = data.get("labels")
    size = data.get("n", len(labels or ()))
    return _graph(size, labels, edges, bool(data.get("directed", False)), place)


def _objects(text: str, path: str) -> Iterator[tuple[str, Any]]:
    """Yield each object and its place."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        line = text.count("\n", 0, at) + 1
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise no_json(error, path, getattr(error, "lineno", line)) from None
        if isinstance(found, list):
            for number, one in enumerate(found, 1):
                yield f"{path}: graph {number}", one
        else:
            yield f"{path}:{line}", found


def _refuse_unknown(data: dict[str, Any], known: set[str], place: str) -> None:
    if unknown := sorted(data.keys() - known):
        raise InputError(
            f"{place}: has the key {unknown[0]!r}, which is not read; a graph has "
            f"{', '.join(sorted(known))}"
        )


def _pair_side(data: dict[str, Any], side: str, place: str) -> Any:
    """Return one graph of a pair; each knows the distance that the file states."""
    _refuse_unknown(data, _PAIR, place)
    labels = data.get(f"labels_{side}")
    if not isinstance(labels, list):
        raise InputError(f"{place}: has no list 'labels_{side}', a label for each node")
    edges = data.get(f"graph_{side}")
    graph = _graph(len(labels), labels, edges, False, place)
    if "ged" in data:
        graph.graph["ged"] = data["ged"]
    return graph


def _graph(size: Any, labels: Any, edges: Any, directed: bool, place: str) -> Any:
    """Make a graph of the number of its nodes, their labels and edges."""
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise InputError(f"{place}: n is {size!r}; it is the number of nodes")
    if size > MAX_NODES:
        raise InputError(
            f"{place}: n is {size:,}; a graph has at most {MAX_NODES:,} nodes"
        )
    if labels is not None and (not isinstance(labels, list) or len(labels) != size):
        has = len(labels) if isinstance(labels, list) else "no list of"
        raise InputError(f"{place}: has {has} labels for {size} nodes")
    if not isinstance(edges, list):
        raise InputError(f"{place}: has no list of edges")
    graph = empty(directed, multiple=False)
    graph.add_nodes_from(range(size))
    for node, label in enumerate(labels or ()):
        graph.nodes[node]["label"] = label
    for edge in edges:
        if not isinstance(edge, list) or len(edge) not in (2, 3):
            raise InputError(f"{place}: has the edge {edge!r}; it is [from, to]")
        for end in edge[:2]:
            is_node = isinstance(end, int) and not isinstance(end, bool)
            if not is_node or not 0 <= end < size:
                raise InputError(
                    f"{place}: has the edge {edge!r}, whose nodes are not from 0 to "
                    f"{size - 1}"
                )
        if graph.has_edge(*edge[:2]):
            raise InputError(f"{place}: has the edge {edge!r} a second time")
        graph.add_edge(*edge[:2])
        if len(edge) == 3:
            graph.edges[edge[0], edge[1]]["label"] = edge[2]
    return graph
