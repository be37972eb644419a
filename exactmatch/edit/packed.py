"""Graphs packed into arrays of integers, for edit distances of many pairs.

Each edit costs 1 here, so a graph is its labels and its matrix of edges.  Equal labels
have equal numbers in all graphs of a pack.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.paths import path_of, refuse_name
from exactmatch.base.registry import imported
from exactmatch.edit.costs import refuse_unknown
from exactmatch.formats.network_texts import is_foreign, network_of
from exactmatch.formats.sets import checked_size

if TYPE_CHECKING:
    from networkx import Graph

Ints: TypeAlias = npt.NDArray[np.intc]
Label: TypeAlias = "str | Sequence[str] | None"
"""The attributes that are a node's or an edge's label: one or several names, ``all``
(also ``None``) or ``none``."""

MOST_KINDS = 255
"""The most different labels of edges that a pack may have."""


class Packed(NamedTuple):
    """Graphs as arrays, which the kernel ``_uniform.Search`` takes in this order."""

    nodes: Ints
    cells: Ints
    sizes: Ints
    labels: Ints
    sorted_labels: Ints
    degrees: Ints
    matrix: npt.NDArray[np.uint8]
    counts: Ints
    totals: Ints
    kinds: int
    sides: int

    def tables(self, number: int) -> tuple[Ints, npt.NDArray[np.uint8]]:
        """Return a graph's labels, and its matrix of edges."""
        size, first = int(self.sizes[number]), int(self.nodes[number])
        at = int(self.cells[number])
        table = self.matrix[at : at + size * size].reshape(size, size)
        return self.labels[first : first + size], table

    def network(self, number: int) -> Graph[int]:
        """Return a graph as a networkx graph, with the attribute ``label``."""
        import networkx

        graph: Any = networkx.Graph() if self.sides == 1 else networkx.DiGraph()
        labels, table = self.tables(number)
        for node, label in enumerate(labels.tolist()):
            graph.add_node(node, label=label)
        for i, k in np.argwhere(table).tolist():
            graph.add_edge(i, k, label=int(table[i, k]))
        return graph


class Plain(NamedTuple):
    """Graph whose labels are not numbered yet.

    Attributes:
        labels: of the nodes.
        edges: of each the numbers of both ends, and its label.
        is_directed: whether the order of the ends counts.
    """

    labels: Sequence[Hashable]
    edges: Sequence[tuple[int, int, Hashable]]
    is_directed: bool


def listed(graphs: Any, format_in: str | None = None) -> list[Any]:
    """Return the graphs of a list or of a file; a ``Path`` in a list is a file.

    Files, and texts in the list, are in the format *format_in*.
    """
    if path_of(graphs) is not None:
        graphs = [graphs]
    if isinstance(graphs, str):
        refuse_name(graphs, is_unreadable=True)
    single_types = (str, bytes, Mapping)
    is_one = (
        isinstance(graphs, single_types) or hasattr(graphs, "adj") or is_foreign(graphs)
    )
    if not isinstance(graphs, Iterable) or is_one:
        kind = type(graphs).__name__
        raise InputError(f"one {kind} is not a list of graphs; give a list of graphs")
    networks: list[Any] = []
    for graph in graphs:
        path = path_of(graph)
        if path is not None:
            read = imported("exactmatch.formats.networks:read_graphs")(path, format_in)
        elif isinstance(graph, str) and format_in is not None:
            read = imported("exactmatch.formats.networks:graphs_in")(graph, format_in)
        else:
            networks.append(graph)
            continue
        networks += [named.graph for named in read]
    return networks


def pack(
    graphs: Iterable[Any], node_label: Label = None, edge_label: Label = None
) -> Packed:
    """Pack graphs that are compared with one another, as ``ged_matrix`` takes them.

    The labels of mappings count unless *node_label* or *edge_label* is ``none``.
    """
    graphs = list(graphs)
    plain_graphs = [_plain(g, n, node_label, edge_label) for n, g in enumerate(graphs)]
    _refuse_unknown(graphs, node_label, edge_label)
    directed = {parts.is_directed for parts in plain_graphs}
    if len(directed) > 1:
        odd = next(n for n, parts in enumerate(plain_graphs) if not parts.is_directed)
        raise InputError(
            f"graph {odd + 1} is undirected and others are directed; make all of them "
            "the same, for example with to_directed()"
        )
    return pack_plain(plain_graphs)


def _refuse_unknown(graphs: Sequence[Any], *labels: Label) -> None:
    """Raise an error for the name of an attribute that no node and no edge has."""
    names = [name for label in labels for name in _names(label)]
    networks = [g for g in graphs if hasattr(g, "edges") and hasattr(g, "nodes")]
    if not names or not any(map(len, networks)):
        return
    things = ((g.nodes(data=True), g.edges(data=True)) for g in networks)
    known_names = {
        str(k)
        for nodes_and_edges in things
        for *_, attributes in chain(*nodes_and_edges)
        for k in attributes
    }
    refuse_unknown(
        names, known_names | ({"label"} if len(networks) < len(graphs) else set())
    )


def _names(label: Label) -> list[str]:
    if label is None or label in ("none", "all"):
        return []
    return label.split(",") if isinstance(label, str) else list(map(str, label))


def _plain(graph: Any, number: int, node_label: Label, edge_label: Label) -> Plain:
    if isinstance(graph, Mapping):
        return _of_mapping(graph, number, node_label != "none", edge_label != "none")
    graph = plain_network(graph, number)
    if has_parallel_edges(graph):
        why = "has parallel edges; exactmatch.ged compares such graphs"
        raise InputError(f"graph {number + 1} {why}")
    place = {node: k for k, node in enumerate(graph)}
    nodes, edges = graph.nodes(data=True), graph.edges(data=True)
    of_node, of_edge = _reader(node_label), _reader(edge_label)
    return Plain(
        [of_node(attributes) for _, attributes in nodes],
        [(place[u], place[v], of_edge(attributes)) for u, v, attributes in edges],
        graph.is_directed(),
    )


def plain_network(graph: Any, number: int) -> Graph[Any]:
    """Return a networkx graph, converted from another library's if necessary."""
    import networkx

    if is_foreign(graph):
        graph = network_of(graph)
    if not isinstance(graph, networkx.Graph):
        raise InputError(
            f"graph {number + 1} is of {type(graph).__name__}; give networkx graphs, "
            'or mappings such as {"n": 2, "labels": ["C", "O"], "edges": [[0, 1]]}'
        )
    return graph


def has_parallel_edges(graph: Any) -> bool:
    """Return whether any nodes of a networkx graph are joined by several edges."""
    return graph.is_multigraph() and any(
        graph.number_of_edges(*ends) > 1 for ends in set(graph.edges())
    )


def _reader(label: Label) -> Any:
    if label == "none":
        return lambda _: None
    if label is None or label == "all":
        return _frozen
    if callable(label) or not isinstance(label, Iterable):
        raise InputError(
            f"a label is {label!r}; give the name of an attribute, or names"
        )
    names = label.split(",") if isinstance(label, str) else list(label)
    if len(names) == 1:
        return lambda known: _frozen(known.get(names[0]))
    return lambda known: tuple(_frozen(known.get(name)) for name in names)


def _frozen(value: Any) -> Any:
    """Return a hashable value, equal for equal values of attributes."""
    if isinstance(value, Mapping):
        with suppress(TypeError):  # not hashable: an error follows
            return frozenset((name, _frozen(item)) for name, item in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _of_mapping(
    graph: Mapping[str, Any], number: int, has_labels: bool, has_edge_labels: bool
) -> Plain:
    def wrong(why: str) -> InputError:
        return InputError(f"graph {number + 1}: {why}")

    unknown = graph.keys() - {"n", "labels", "edges", "directed", "id", "part"}
    if unknown or "edges" not in graph:
        odd = min(unknown, key=str, default=None)
        name = f"has the key {odd!r}" if unknown else "has no edges"
        raise wrong(f'{name}; a graph is {{"n": 2, "labels": …, "edges": [[0, 1]]}}')
    labels, edge_list = graph.get("labels"), graph["edges"]
    if labels is not None and not isinstance(labels, Collection):
        raise wrong("has no list of labels")
    if not isinstance(edge_list, Iterable):
        raise wrong("has no list of edges")
    n_labels = 0 if labels is None else len(labels)
    size = checked_size(graph.get("n", n_labels), f"graph {number + 1}")
    if labels is not None and n_labels != size:
        raise wrong(f"has {n_labels} labels for {size} nodes")
    edges: dict[tuple[int, int], Hashable] = {}
    is_directed = bool(graph.get("directed", False))
    for edge in edge_list:
        try:
            i, k, *label = edge
        except (TypeError, ValueError):
            raise wrong(f"has the edge {edge!r}; it is [from, to]") from None
        if not all(isinstance(end, int) and 0 <= end < size for end in (i, k)):
            why = f"whose nodes are not from 0 to {size - 1}"
            raise wrong(f"has the edge {edge!r}, {why}")
        ends = (i, k) if is_directed or i <= k else (k, i)
        if ends in edges:
            raise wrong(f"has the edge {edge!r} twice; parallel edges are not compared")
        edges[ends] = label[0] if label and has_edge_labels else None
    return Plain(
        list(labels) if labels is not None and has_labels else [None] * size,
        [(i, k, label) for (i, k), label in edges.items()],
        is_directed,
    )


def pack_plain(plain: Sequence[Plain]) -> Packed:
    """Pack graphs that are all directed or all undirected."""
    sides = 2 if any(parts.is_directed for parts in plain) else 1
    sizes = np.array([len(parts.labels) for parts in plain], dtype=np.int64)
    nodes, cells = np.cumsum(sizes) - sizes, np.cumsum(sizes**2) - sizes**2
    if (total := int((sizes**2).sum())) >= 2**31:
        raise InputError(
            f"the graphs have {total:,} pairs of nodes, more than fit; give fewer"
        )
    numbers: dict[Hashable, int] = {}
    kinds: dict[Hashable, int] = {}
    labels = np.fromiter(
        _numbered(chain.from_iterable(parts.labels for parts in plain), numbers),
        np.intc,
    )
    ends = np.array(
        [
            (number, i, k)
            for number, parts in enumerate(plain)
            for i, k, _ in parts.edges
        ],
        dtype=np.int64,
    ).reshape(-1, 3)
    names = (label for parts in plain for *_, label in parts.edges)
    codes = np.fromiter(_numbered(names, kinds), np.int64) + 1
    if len(kinds) > MOST_KINDS:
        raise InputError(
            f"the edges have {len(kinds)} different labels, more than {MOST_KINDS}; "
            "exactmatch.ged compares such graphs"
        )
    graph, i, k = ends.T
    matrix = np.zeros(total, dtype=np.uint8)
    matrix[cells[graph] + i * sizes[graph] + k] = codes
    width = max(len(kinds), 1)
    counts = np.zeros((len(labels), sides, width), dtype=np.intc)
    proper = i != k  # loops belong to their nodes
    tails = nodes[graph[proper]]
    np.add.at(counts, (tails + i[proper], 0, codes[proper] - 1), 1)
    np.add.at(counts, (tails + k[proper], sides - 1, codes[proper] - 1), 1)
    if sides == 1:
        matrix[cells[graph] + k * sizes[graph] + i] = codes
    totals = np.zeros((len(plain), width), dtype=np.intc)
    np.add.at(totals, (graph, codes - 1), 1)
    owner = np.repeat(np.arange(len(plain)), sizes)
    degrees = counts.sum(axis=(1, 2), dtype=np.intc)
    places = nodes.astype(np.intc), cells.astype(np.intc), sizes.astype(np.intc)
    by_label, by_degree = (np.lexsort((key, owner)) for key in (labels, -degrees))
    ordered = labels[by_label], degrees[by_degree]
    sums = counts.ravel(), totals.ravel()
    return Packed(*places, labels, *ordered, matrix, *sums, width, sides)


def _numbered(
    labels: Iterable[Hashable], numbers: dict[Hashable, int]
) -> Iterator[int]:
    """Yield the number of each label, new ones as they appear."""
    for label in labels:
        try:
            yield numbers.setdefault(label, len(numbers))
        except TypeError:
            raise InputError(
                f"a label is {label!r}, which cannot be compared by value; give texts "
                "or numbers"
            ) from None
