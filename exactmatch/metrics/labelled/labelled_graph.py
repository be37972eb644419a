"""Graphs with labels, from networkx graphs, mappings, triples and our own graphs.

Nodes and edges have a label or none; other data of a node are its attributes.  Two
edges with equal ends and equal labels are one edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from exactmatch.base.deadline import in_time
from exactmatch.base.errors import InputError
from exactmatch.formats.machine.columns import NODE_LABELS, RELATIONS, are_numbers
from exactmatch.graphs.graph import NOWHERE, Graph, GraphCoder
from exactmatch.graphs.profile import in_words

if TYPE_CHECKING:
    from exactmatch.formats.machine.network import Network

Label: TypeAlias = "str | None"
Attribute: TypeAlias = tuple[str, str]  # the name and the value


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """A graph of nodes and edges with labels."""

    names: tuple[Hashable, ...]  # the caller's name of each node
    labels: tuple[Label, ...]
    edges: tuple[tuple[int, int, Label], ...]  # distinct; source, target, by number
    attributes: tuple[tuple[Attribute, ...], ...]  # those of each node
    is_directed: bool | None = True  # None where there are no edges
    repeated: int = 0  # edges that were left out because they are there twice
    metadata: Mapping[str, str] = field(default_factory=dict, compare=False)

    def as_graph(self) -> Graph:
        """Return the graph as triples, for drawings and lists of differences.

        A node is called by its name, or by its number where names are not distinct
        texts; an edge without label has the role ``edge``.
        """
        texts = [str(name) for name in self.names]
        if len(set(texts)) < len(texts):
            texts = [str(number) for number in range(len(texts))]
        coder = GraphCoder(texts)
        for node, label in enumerate(in_time(self.labels)):
            if label is not None:
                coder.instances.append((node, coder.label(label)))
            for name, value in self.attributes[node]:
                triple = node, coder.label(name), coder.label(value)
                coder.attributes.append(triple)
        for i, k, label in in_time(self.edges):
            coder.relations.append((i, coder.label(label or "edge"), k))
        return coder.graph(None, self.metadata, NOWHERE)

    @property
    def n_attributes(self) -> int:
        """Number of attributes of all nodes."""
        return sum(map(len, self.attributes))


def labelled(value: Any) -> LabelledGraph | None:
    """Make a labelled graph of a graph in memory; ``None`` for other values.

    A graph is a networkx graph of any kind, a mapping ``{"nodes": […], "edges": […]}``,
    or a list of triples, source, label and target, in which equal texts are one node.
    """
    if isinstance(value, LabelledGraph):
        return value
    if isinstance(value, Mapping):
        return _of_mapping(value)
    if hasattr(value, "is_multigraph"):
        return _of_network(value)
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Graph)):
        kind = type(value).__module__.partition(".")[0]
        return None if kind == "penman" else _of_triples(list(value))
    return None


def of_graph(graph: Graph) -> LabelledGraph:
    """Make a labelled graph of variables and relations; constants are attributes."""
    words, attributes = graph.labels, [list[Attribute]() for _ in graph.variables]
    concepts = graph.concepts()
    for node, code in graph.instances:
        if words[code] != concepts[node]:
            attributes[node].append(("instance", words[code]))
    for node, role, value in graph.attributes:
        attributes[node].append((words[role], words[value]))
    edges = [(i, k, words[role]) for i, role, k in graph.relations]
    return _made(graph.variables, concepts, edges, attributes, is_directed=True)


def of_network(network: Network) -> LabelledGraph:
    """Make a labelled graph of a network in a machine format."""
    place = {name: number for number, name in enumerate(network.nodes)}
    labels = [label for label, _ in network.nodes.values()]
    attributes = [node_attributes for _, node_attributes in network.nodes.values()]
    edges = [(place[s], place[t], label) for s, label, t in network.edges]
    made = _made(place, labels, edges, attributes, network.is_directed)
    return replace(made, metadata=network.metadata)


def completed(
    alignment: tuple[int, ...], left: LabelledGraph, right: LabelledGraph
) -> tuple[int, ...]:
    """Align nodes that have no partner with others of equal labels, for showing them.

    Where only edges count, that is worth nothing.

    >>> left, right = (of_graph(Graph.from_triples(triples)) for triples in (
    ...     [("a", "instance", "Ada")], [("b", "instance", "ada")]))
    >>> completed((-1,), left, right)
    (0,)
    """
    free: dict[str, list[int]] = {}
    taken = {*alignment}
    for k in range(len(right.labels) - 1, -1, -1):
        if k not in taken and (label := right.labels[k]) is not None:
            free.setdefault(in_words(label), []).append(k)
    pairs = []
    for label, partner in zip(left.labels, alignment, strict=True):
        others = free.get(in_words(label), []) if label is not None else []
        pairs.append(others.pop() if partner == -1 and others else partner)
    return tuple(pairs)


def _made(
    names: Iterable[Hashable],
    labels: Iterable[Label],
    edges: Sequence[tuple[int, int, Label]],
    attributes: Iterable[Iterable[Attribute]],
    is_directed: bool,
) -> LabelledGraph:
    if not is_directed:
        edges = [(min(i, k), max(i, k), label) for i, k, label in edges]
    distinct = tuple(dict.fromkeys(edges))
    return LabelledGraph(
        tuple(names),
        tuple(labels),
        distinct,
        tuple(map(tuple, attributes)),
        is_directed if distinct else None,
        len(edges) - len(distinct),
    )


def _text(value: Any) -> Label:
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


def _others(attribute_values: Mapping[Any, Any], *left_out: str) -> list[Attribute]:
    attributes: list[Attribute] = []
    for name, value in attribute_values.items():
        if name not in left_out and value is not None:
            values = value if isinstance(value, list | tuple | set) else [value]
            attributes += [(str(name), _text(item) or "") for item in values]
    return attributes


def _of_network(graph: Any) -> LabelledGraph:
    def key(attribute_values: Mapping[Any, Any], names: Sequence[str]) -> str:
        return next(
            (name for name in names if attribute_values.get(name) is not None), ""
        )

    place = {node: number for number, node in enumerate(graph)}
    named = not are_numbers(graph)
    labels, attributes = [], []
    for node, attribute_values in graph.nodes(data=True):
        name = key(attribute_values, NODE_LABELS)
        labels.append(
            _text(attribute_values[name] if name else node if named else None)
        )
        attributes.append(_others(attribute_values, name))
    edges = [
        (
            place[u],
            place[v],
            _text(attribute_values.get(key(attribute_values, RELATIONS))),
        )
        for u, v, attribute_values in graph.edges(data=True)
    ]
    return _made(place, labels, edges, attributes, graph.is_directed())


def _of_triples(triples: list[Any]) -> LabelledGraph:
    places: dict[str, int] = {}
    edges = []
    for number, triple in enumerate(triples):
        is_list = isinstance(triple, Iterable) and not isinstance(triple, (str, bytes))
        parts = list(triple) if is_list else [triple]
        if len(parts) != 3:
            raise InputError(
                f"triple {number} has {len(parts)} parts; it has a source, a label and "
                "a target"
            )
        source, label, target = (str(part).strip() for part in parts)
        first = places.setdefault(source, len(places))
        edges.append((first, places.setdefault(target, len(places)), label))
    return _made(places, places, edges, [()] * len(places), is_directed=True)


def _of_mapping(graph: Mapping[Any, Any]) -> LabelledGraph:
    if "nodes" not in graph:
        keys = ", ".join(map(repr, list(graph)[:4])) or "no keys"
        raise InputError(
            f"a graph has nodes and edges, this one {keys}; give "
            '{"nodes": ["start", "end"], "edges": [[0, "before", 1]]}'
        )
    edge_items = graph.get("edges", graph.get("links", ()))
    for part, items in (("nodes", graph["nodes"]), ("edges", edge_items)):
        if isinstance(items, str | bytes) or not isinstance(items, Iterable):
            raise InputError(f"the {part} of a graph are a list, not {items!r}")
    names: list[Hashable] = []
    labels: list[Label] = []
    attributes: list[list[Attribute]] = []
    named_by_id: list[int] = []  # numbers of nodes
    for number, node in enumerate(graph["nodes"]):
        attribute_values = node if isinstance(node, Mapping) else {"label": node}
        names.append(attribute_values.get("id", attribute_values.get("name", number)))
        key = next((n for n in NODE_LABELS if n in attribute_values), "id")
        labels.append(_text(attribute_values.get(key)))
        if key == "id" and "id" in attribute_values:
            named_by_id.append(number)
        attributes.append(_others(attribute_values, "id", key))
    if are_numbers(names):
        for number in named_by_id:
            labels[number] = None
    place: dict[Hashable, int] = {}
    for number, name in enumerate(names):
        if name in place:
            raise InputError(f"two nodes have the id {name!r}; ids are distinct")
        place[name] = number
    if all(isinstance(name, int) for name in names):
        counts = Counter(labels)
        for number, label in enumerate(labels):  # edges may also name labels
            if counts[label] == 1:
                place.setdefault(label, number)
    edges = [_edge(edge, number, place) for number, edge in enumerate(edge_items)]
    return _made(names, labels, edges, attributes, bool(graph.get("directed", True)))


def _edge(
    edge: Any, number: int, place: Mapping[Hashable, int]
) -> tuple[int, int, Label]:
    label: Any = None
    if isinstance(edge, Mapping):
        keys = ("source", "from"), ("target", "to")
        ends = [next((edge[k] for k in names if k in edge), None) for names in keys]
        label = next((edge[k] for k in RELATIONS if k in edge), None)
    elif isinstance(edge, str | bytes) or not 2 <= getattr(edge, "__len__", int)() <= 3:
        raise InputError(f"edge {number} is {edge!r}; it is [i, j] or [i, label, j]")
    else:
        ends = [edge[0], edge[-1]]
        label = edge[1] if len(edge) == 3 else None
    for end in ends:
        if not isinstance(end, Hashable) or end not in place:
            raise InputError(f"edge {number} is {edge!r}, but there is no node {end!r}")
    return place[ends[0]], place[ends[1]], _text(label)
