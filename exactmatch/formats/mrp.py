"""MRP 1.0 and 1.1: graphs of the CoNLL shared tasks, one JSON object a line.

A line is one graph of one framework (dm, psd, eds, ucca, amr, ptg, drg)::

    {"id": "1", "flavor": 1, "framework": "eds", "version": 1.1, "time": "2026-11-21",
     "input": "Mary ran away.", "tops": [1],
     "nodes": [{"id": 0, "label": "named", "properties": ["carg"], "values": ["Mary"],
                "anchors": [{"from": 0, "to": 4}]},
               {"id": 1, "label": "_run_v_away", "anchors": [{"from": 5, "to": 8}]}],
     "edges": [{"source": 1, "target": 0, "label": "ARG1"}]}

In the graph, node 0 is the variable ``n0``; its label is its concept, its properties
are its attributes, an edge is a relation; anchors, tops and what is said of edges
(``remote``) belong to the graph's document; everything else is metadata.  Values that
are not strings are kept as JSON writes them.

Source: the format as the shared tasks describe it (Oepen et al. 2019, 2020).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from exactmatch.base.json_texts import loads
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block
from exactmatch.formats.items import Items
from exactmatch.formats.network_texts import shown
from exactmatch.formats.remarks import UNTYPED, Reading, counted
from exactmatch.graphs.document import Document, EdgeFact, Span
from exactmatch.graphs.graph import INSTANCE, Graph, GraphCoder, Origin

NODE_KEYS = {"id", "label", "properties", "values", "anchors"}
EDGE_KEYS = {"id", "source", "target", "label", "normal", "attributes", "values"}
EDGE_KEYS |= {"properties"}  # what version 0.9 called attributes
_NOTHING = Document(unit="character")
PARTS = ("tops", "nodes", "edges")
_TEXTS = ("id", "input", "framework", "time")
_NODE = re.compile(r"n(0|[1-9]\d*)", re.ASCII)
NORMAL = "normal"
"""The key of an edge's ``normal`` label; keys of its attributes begin with ``@``."""


def mrp_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a file, one block a line that is not blank."""
    for number, line in enumerate(lines, 1):
        if text := line.strip():
            block_lines, metadata = (text,), _known(text)
            yield Block(
                block_lines,
                block_lines,
                number,
                path,
                None,
                "mrp",
                metadata,
                indented=(line,),
            )


def _known(text: str) -> dict[str, str]:
    """Return a line's metadata; none if it is not JSON, which the reader reports."""
    try:
        data = loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    named = (("id", "id"), ("snt", "input"), ("framework", "framework"))
    return {key: str(data[name]) for key, name in named if data.get(name) is not None}


def read_mrp(block: Block) -> Reading:
    """Read one graph."""
    return _Mrp(block.origin(), block.parsed_object()).reading()


class _Mrp:
    def __init__(self, origin: Origin, data: Mapping[str, Any]) -> None:
        self.origin = origin
        self.data = data
        self.coder = GraphCoder()
        self.anchors: list[tuple[Span, ...]] = []
        self.edge_facts: list[EdgeFact] = []
        self.unknown: dict[str, None] = {}
        self.untyped = 0

    def reading(self) -> Reading:
        items = Items(self.origin.path)
        for node in items.each(self._list(self.data, "nodes")):
            self._node(node)
        for edge in items.each(self._list(self.data, "edges")):
            self._edge(edge)
        top_nodes = self._list(self.data, "tops", objects=False)
        tops = tuple(self._number(top, "top") for top in top_nodes)
        document = Document(
            anchors=tuple(self.anchors) if any(self.anchors) else (),
            unit="character",
            tops=tops if len(tops) > 1 else (),
            edge_facts=tuple(self.edge_facts),
        )
        metadata = {
            str(key): value if isinstance(value, str) else json.dumps(value)
            for key, value in self.data.items()
            if key not in PARTS
        }
        top = list(self.coder.numbers)[tops[0]] if tops else None
        kept = None if document == _NOTHING else document
        graph = self.coder.graph(top, metadata, self.origin, document=kept)
        return Reading(graph, tuple(self.unknown), counted((UNTYPED, self.untyped)))

    def _node(self, node: Mapping[str, Any]) -> None:
        self._remark_unknown(node, NODE_KEYS, "node")
        if not isinstance(node.get("id"), (int, str)) or node["id"] is True:
            raise self.origin.error(f"has a node without an id: {shown(node)}")
        name = f"n{node['id']}"
        if name in self.coder.numbers:
            self.unknown[f"has two nodes with id {node['id']!r}, and keeps both"] = None
            name += f" (node {len(self.anchors)})"
        v = self.coder.variable(name)
        if node.get("label") is not None:
            self.coder.add(name, INSTANCE, self._text(node["label"]))
        for role, value in self._pairs(node, "properties"):
            pair = self.coder.label(role), self.coder.label(value)
            self.coder.attributes.append((v, *pair))
        self.anchors.append(tuple(map(self._span, self._list(node, "anchors"))))

    def _span(self, anchor: Mapping[str, Any]) -> Span:
        ends = anchor.get("from"), anchor.get("to")
        if set(anchor) != {"from", "to"} or not all(isinstance(e, int) for e in ends):
            raise self.origin.error(
                f"has the anchor {shown(anchor)}; an anchor has 'from' and 'to', "
                "two whole numbers"
            )
        return (int(anchor["from"]), int(anchor["to"]))

    def _edge(self, edge: Mapping[str, Any]) -> None:
        self._remark_unknown(edge, EDGE_KEYS, "edge")
        source = self._number(edge.get("source"), "edge's source")
        target = self._number(edge.get("target"), "edge's target")
        role = "" if edge.get("label") is None else self._text(edge["label"])
        self.coder.relations.append((source, self.coder.label(role), target))
        facts = []
        if edge.get("normal") is not None:
            facts.append((NORMAL, self._text(edge["normal"])))
        name = "attributes" if "attributes" in edge else "properties"
        facts += [(f"@{key}", value) for key, value in self._pairs(edge, name)]
        self.edge_facts += [EdgeFact(source, role, target, *fact) for fact in facts]

    def _pairs(self, item: Mapping[str, Any], name: str) -> list[tuple[str, str]]:
        """Names and values, which stand in two lists of one length."""
        names = self._list(item, name, objects=False)
        values = self._list(item, "values", objects=False)
        if len(names) != len(values):
            raise self.origin.error(
                f"has {len(names)} {name} but {several(len(values), 'value')}: "
                f"{shown(item)}"
            )
        pairs = zip(names, values, strict=True)
        return [(self._text(key), self._text(value)) for key, value in pairs]

    def _list(
        self, item: Mapping[str, Any], name: str, *, objects: bool = True
    ) -> list[Any]:
        items = [] if item.get(name) is None else item[name]
        if not isinstance(items, list):
            raise self.origin.error(f"has {name} that are not a list: {shown(items)}")
        if objects and not all(isinstance(entry, dict) for entry in items):
            raise self.origin.error(f"has {name} that are not objects: {shown(items)}")
        return items

    def _number(self, node: object, noun: str) -> int:
        v = self.coder.numbers.get(f"n{node}")
        if v is None or isinstance(node, bool):
            raise self.origin.error(
                f"has the {noun} {shown(node)}, which is not a node"
            )
        return v

    def _text(self, value: object) -> str:
        if isinstance(value, str):
            return value
        self.untyped += 1
        return json.dumps(value, ensure_ascii=False)

    def _remark_unknown(
        self, item: Mapping[str, Any], known_keys: set[str], noun: str
    ) -> None:
        for key in item.keys() - known_keys:
            self.unknown[f"has {key!r} at some {noun}, which is left out"] = None


def write_mrp(graph: Graph) -> str:
    """Write a graph as a line of MRP."""
    labels, document = graph.labels, graph.document or Document()
    ids = [*range(len(graph.variables))]
    if all(map(_NODE.fullmatch, graph.variables)):
        ids = [int(name[1:]) for name in graph.variables]
    nodes: list[dict[str, Any]] = [{"id": node} for node in ids]
    for v, concept in graph.instances:
        if "label" in nodes[v]:
            raise graph.origin.error(f"has several concepts at {graph.variables[v]!r}")
        nodes[v]["label"] = labels[concept]
    for v, role, value in graph.attributes:
        nodes[v].setdefault("properties", []).append(labels[role])
        nodes[v].setdefault("values", []).append(labels[value])
    for v, node in enumerate(nodes):
        if spans := document.spans(v):
            node["anchors"] = [{"from": a, "to": b} for a, b in spans]
    facts: dict[tuple[int, str, int], list[EdgeFact]] = {}
    for fact in document.edge_facts:
        facts.setdefault(fact[:3], []).append(fact)
    edges = []
    for source, role, target in graph.relations:
        edge: dict[str, Any] = {"source": ids[source], "target": ids[target]}
        if labels[role]:
            edge["label"] = labels[role]
        for fact in facts.pop((source, labels[role], target), ()):
            if fact.key == NORMAL:
                edge["normal"] = fact.value
            else:
                edge.setdefault("attributes", []).append(fact.key.removeprefix("@"))
                edge.setdefault("values", []).append(fact.value)
        edges.append(edge)
    tops = document.tops or (() if graph.top is None else (graph.top,))
    data: dict[str, Any] = {
        key: text if key in _TEXTS else _value(text)
        for key, text in graph.metadata.items()
    }
    data |= {"tops": [ids[v] for v in tops]} if tops else {}
    data |= {"nodes": nodes} | ({"edges": edges} if edges else {})
    return json.dumps(data, ensure_ascii=False)


def _value(text: str) -> Any:
    """Return the JSON value that a string of the metadata was made from."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, str) or json.dumps(value) != text else value
