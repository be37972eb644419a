"""One graph of nodes and edges, as every format of machines has it.

Whatever the format, a file is cut into blocks of JSON, one a graph, so that one reader
(:mod:`exactmatch.formats.machine.json_graphs`) reads them all.  A graph that no text
holds, such as one of GraphML, is collected in a :class:`Network` and stated in JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from exactmatch.base.errors import GraphError, shortened
from exactmatch.base.json_texts import dumps
from exactmatch.formats.block import Block
from exactmatch.formats.faults import DUPLICATE
from exactmatch.formats.items import Items
from exactmatch.formats.network_texts import BLANK
from exactmatch.formats.remarks import LINE_BREAKS
from exactmatch.graphs.graph import INSTANCE, Graph, GraphCoder, Origin

Attribute: TypeAlias = tuple[str, str]
"""The name and the value."""

JSON = "json"
IS_TRIPLES = "is_triples"
"""The key that says of nodes and edges that they were a list of triples."""
OWN = frozenset(("directed", "nodes", "edges", "left_out", IS_TRIPLES))
"""The keys of a graph that are not metadata."""

DIRECTED = "directed"
UNLABELLED = "edge"
"""The role of an edge without a label, where a role there must be."""
_FEW = 5
"""How many names that are one on a line are told apart by underscores alone."""


@dataclass(slots=True)
class Network:
    """A graph of nodes and edges while it is collected.

    Attributes:
        metadata: its id, and other facts about the whole graph.
        is_directed: whether edges have a direction.
        nodes: the label and the attributes of each node, by its name.
        edges: source, label and target of each edge, nodes by name.
        left_out: what was not taken, and how often.
        mended: what was wrong with it and is mended; ``None`` if nothing may be.
        is_triples: whether it is a list of triples; ``None`` of one that is empty.
        items: counts its nodes and edges.
    """

    metadata: dict[str, str] = field(default_factory=dict)
    is_directed: bool = True
    nodes: dict[str, tuple[str | None, list[Attribute]]] = field(default_factory=dict)
    edges: list[tuple[str, str | None, str]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    mended: list[str] | None = None
    is_triples: bool | None = None
    items: Items = field(default_factory=Items)
    _tried: Counter[str] = field(default_factory=Counter, repr=False, compare=False)

    def refuse(self, fault: str, reason: str) -> None:
        """Record a fault that may be mended; raise any other."""
        if self.mended is None:
            raise GraphError(reason)
        self.mended.append(fault)

    def add(
        self, name: str, label: str | None, attributes: Iterable[Attribute] = ()
    ) -> str:
        """Add a node and return its name, another one where that is taken."""
        if name in self.nodes:
            same = shortened(repr(name))
            self.refuse(DUPLICATE, f"has two nodes with the id {same}")
            name = self._another(name)
        self.items.add()
        self.is_triples = False
        self.nodes[name] = label, list(attributes)
        return name

    def _another(self, name: str) -> str:
        """Return a name that no node has; its number is beyond all that were tried."""
        number = max(self._tried[name], len(self.nodes))
        while (free_name := f"{name}_{number}") in self.nodes:
            number += 1
        self._tried[name] = number + 1
        return free_name

    def term(self, text: str) -> str:
        """Return the node that is called by its own label; blank nodes have none."""
        if text not in self.nodes:
            self.nodes[text] = None if text.startswith(BLANK) else text, []
        return text

    def triple(self, source: str, label: str, target: str) -> None:
        """State that two things are related; the same statement again is the same."""
        if self.is_triples is None:
            self.is_triples = True
        edge = self.term(source.strip()), label.strip(), self.term(target.strip())
        if edge not in self.edges[-1:]:
            self.items.add()
            self.edges.append(edge)

    def join(self, source: str, label: str | None, target: str) -> None:
        """Add an edge; nodes are known by name."""
        self.items.add()
        self.edges.append((source, label, target))

    def as_data(self) -> dict[str, Any]:
        """Return the graph as the JSON that any reader of it takes."""
        data: dict[str, Any] = {k: v for k, v in self.metadata.items() if k not in OWN}
        if not self.is_directed:
            data["directed"] = False
        if self.is_triples:
            data[IS_TRIPLES] = True
        data["nodes"] = [
            {"id": name, "label": label}
            | ({"attributes": [*map(list, facts)]} if facts else {})
            for name, (label, facts) in self.nodes.items()
        ]
        data["edges"] = [
            {"source": s, "target": t} | ({} if label is None else {"label": label})
            for s, label, t in self.edges
        ]
        lost = {kind: times for kind, times in self.left_out.items() if times}
        return data | ({"left_out": lost} if lost else {})

    def as_graph(self, origin: Origin) -> Graph:
        """Return the graph as one of variables, concepts and relations."""
        coder = GraphCoder()
        again: Counter[str] = Counter()  # names that are the same on one line
        for name in self.nodes:
            line = called = self._line(name)
            while called in coder.numbers:
                again[line] += 1
                times = again[line]
                called = line + ("_" * times if times < _FEW else f"_{times}")
            coder.variable(called)
        for number, (label, facts) in enumerate(self.nodes.values()):
            if label is not None:
                coder.instances.append((number, coder.label(self._line(label))))
            for role, value in facts:
                code = coder.label(self._line(role) or "-")
                coder.attributes.append((number, code, coder.label(self._line(value))))
        place = {name: number for number, name in enumerate(self.nodes)}
        for source, label, target in self.edges:
            code = coder.label(self._line(label or "") or UNLABELLED)
            coder.relations.append((place[source], code, place[target]))
        undirected = {} if self.is_directed or not self.edges else {DIRECTED: "false"}
        return coder.graph(None, self.metadata | undirected, origin)

    def _line(self, text: str) -> str:
        """Return a text on one line, for triples."""
        lines = text.splitlines()
        if len(lines) < 2:
            return lines[0] if lines else text
        self.left_out[LINE_BREAKS] += len(lines) - 1
        return " ".join(lines)

    def as_networkx(self) -> Any:
        """Return the graph for :mod:`networkx`, as edit distances take it."""
        import networkx as nx

        graph = nx.MultiDiGraph() if self.is_directed else nx.MultiGraph()
        for name, (label, facts) in self.nodes.items():
            values: dict[str, list[str]] = {}
            for key, value in facts:
                values.setdefault(key, []).append(value)
            node_values = {k: v[0] if len(v) == 1 else v for k, v in values.items()}
            graph.add_node(name)
            graph.nodes[name].update(node_values)
            if label is not None:
                graph.nodes[name]["label"] = label
        for source, label, target in self.edges:
            attributes = {} if label is None else {"label": label}
            graph.add_edge(source, target, **attributes)
        return graph


def of_graph(graph: Graph) -> Network:
    """Make a network of a graph of variables, to be written."""
    if graph.document is not None:
        raise graph.origin.error("says more than nodes and edges, as node-link can")
    metadata = dict(graph.metadata)
    network = Network(
        is_directed=metadata.pop(DIRECTED, "") != "false", metadata=metadata
    )
    labels = graph.labels
    concepts = graph.concepts()
    for name, concept in zip(graph.variables, concepts, strict=True):
        network.add(name, concept)
    for v, code in graph.instances:
        if labels[code] != concepts[v]:
            network.nodes[graph.variables[v]][1].append((INSTANCE, labels[code]))
    for v, role, value in graph.attributes:
        network.nodes[graph.variables[v]][1].append((labels[role], labels[value]))
    for s, role, t in graph.relations:
        label_of_edge = None if labels[role] == UNLABELLED else labels[role]
        network.edges.append((graph.variables[s], label_of_edge, graph.variables[t]))
    return network


def block_of(
    data: Any,
    number: int,
    path: str | None,
    name: str | None = None,
    faults: tuple[str, ...] = (),
    source: str | None = None,
) -> Block:
    """Return the block of a graph in JSON.

    Args:
        data: the graph as data, or its text, which may be broken.
        number: the line of the file where it begins.
        path: the file.
        name: its id; default: the one that it states.
        faults: what was wrong with the text it was taken from.
        source: the text that it was taken from, where that is not JSON.
    """
    text = data if isinstance(data, str) else dumps(data, ensure_ascii=False)
    known = {} if name is None else {"id": name}
    if isinstance(data, dict):
        metadata = ((str(key), plain_text(value)) for key, value in data.items())
        known = {k: v for k, v in metadata if v is not None and k not in OWN} | known
    lines = tuple(text.split("\n"))
    return Block(lines, lines, number, path, None, JSON, known, lines, faults, source)


def plain_text(value: Any) -> str | None:
    """Return the text of a string, number or truth value, ``None`` for all else."""
    if type(value) is str:  # as most are, told sooner
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else None
