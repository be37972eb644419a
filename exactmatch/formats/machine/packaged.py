"""Formats that networkx reads: GML, GraphML, Pajek, lists; and DOT and WebNLG's XML.

A node is called by its ``label``; without one by its name, unless all are numbers.

A graph is written as well as the format can; what is lost is found out by reading it
again (:mod:`exactmatch.formats.conversion`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from exactmatch.base.errors import InputError, place_of
from exactmatch.formats.block import Block
from exactmatch.formats.machine.columns import NODE_LABELS, RELATIONS, are_numbers
from exactmatch.formats.machine.lines import triples_of
from exactmatch.formats.machine.network import (
    Attribute,
    Network,
    block_of,
    of_graph,
    plain_text,
)
from exactmatch.formats.network_texts import REFUSALS, NamedGraph, not_read
from exactmatch.formats.networks import READERS, graphml
from exactmatch.formats.remarks import EDGE_FACTS
from exactmatch.formats.xml_text import parsed_xml
from exactmatch.graphs.graph import Graph


def of_networkx(graph: Any, name: str | None) -> Network:
    """Return a networkx graph as a network.

    Nodes without a label are called by their names, unless all are numbers.
    """
    network = Network({"id": name} if name else {}, is_directed=graph.is_directed())
    names = {node: str(node) for node in graph}
    named = not are_numbers(names.values())
    for node, facts in graph.nodes(data=True):
        key = next((key for key in NODE_LABELS if facts.get(key) is not None), None)
        label = names[node] if named else None
        if key is not None:
            label = plain_text(facts[key])
        rest = {k: plain_text(v) for k, v in facts.items() if k != key}
        attributes = [(str(k), text) for k, text in rest.items() if text is not None]
        network.add(names[node], label, attributes)
    for source, target, facts in graph.edges(data=True):
        key = next((key for key in RELATIONS if facts.get(key) is not None), None)
        label = None if key is None else plain_text(facts[key])
        network.left_out[EDGE_FACTS] += len(facts) - (key is not None)
        network.join(names[source], label, names[target])
    return network


def _blocks_of(graphs: Iterable[NamedGraph], path: str | None) -> Iterator[Block]:
    for graph in graphs:
        network = of_networkx(graph.graph, graph.name)
        network.left_out.update(graph.left_out)
        yield block_of(network.as_data(), 1, path)


def network_blocks(
    lines: Iterable[str], path: str | None, reader: str
) -> Iterator[Block]:
    """Yield the graphs of a file that a reader of networks reads."""
    graphs = READERS[reader]("".join(lines), path or "the text", None)
    return _blocks_of(
        map(_without_numbers, graphs) if reader == "gml" else graphs, path
    )


def _without_numbers(named_graph: NamedGraph) -> NamedGraph:
    """Drop labels that are distinct numbers: networkx writes names so."""
    labels = [
        attributes.get("label") for attributes in named_graph.graph.nodes.values()
    ]
    if len({*map(str, labels)}) == len(labels) and are_numbers(labels):
        for attributes in named_graph.graph.nodes.values():
            del attributes["label"]
    return named_graph


# --------------------------------------------------------------------------- GML


def write_gml(graph: Graph) -> str:
    """Write a graph as GML, whose nodes are numbered from 0, without metadata."""
    network = of_graph(graph)
    lines = ["graph [", f"  directed {int(network.is_directed)}"]
    place = {name: number for number, name in enumerate(network.nodes)}
    for name, (label, facts) in network.nodes.items():
        if len({key for key, _ in facts}) < len(facts):
            raise graph.origin.error(f"has an attribute twice at the node {name!r}")
        for key, _ in facts:
            if not re.fullmatch(r"[A-Za-z][0-9A-Za-z_]*", key) or key == "id":
                raise graph.origin.error(f"has the attribute {key!r}, no name in GML")
        lines.append(f"  node [ id {place[name]}{_in_gml(label, facts)} ]")
    pairs = {(source, target) for source, _, target in network.edges}
    if len(pairs) < len(network.edges) or not network.is_directed:
        lines.insert(1, "  multigraph 1")
    for source, label, target in network.edges:
        ends = f"source {place[source]} target {place[target]}"
        lines.append(f"  edge [ {ends}{_in_gml(label, [])} ]")
    return "\n".join([*lines, "]"]) + "\n"


def _in_gml(label: str | None, facts: list[Attribute]) -> str:
    """Return a label and attributes as GML has them, in ASCII."""
    written = ""
    for key, value in (*_as_facts(label), *facts):
        escaped = value.replace("&", "&amp;").replace('"', "&quot;")
        ascii_text = escaped.encode("ascii", "xmlcharrefreplace").decode()
        written += f' {key} "{ascii_text}"'.replace("\n", "&#10;")
    return written


def _as_facts(label: str | None) -> list[Attribute]:
    return [] if label is None else [("label", label)]


# --------------------------------------------------------------------------- DOT


def write_dot(graph: Graph) -> str:
    """Write a graph as DOT, in which texts are quoted and keep their backslashes."""
    network = of_graph(graph)
    name = network.metadata.get("id")
    kind, link = ("digraph", "->") if network.is_directed else ("graph", "--")
    lines = [f"{kind} {'' if name is None else _quoted(name) + ' '}{{"]
    for node, (label, facts) in network.nodes.items():
        lines.append(f"  {_quoted(node)}{_listed(label, facts)};")
    for source, label, target in network.edges:
        ends = f"{_quoted(source)} {link} {_quoted(target)}"
        lines.append(f"  {ends}{_listed(label, [])};")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace('"', r"\"")
    return f'"{escaped}"'


def _listed(label: str | None, facts: list[Attribute]) -> str:
    parts = [
        f"{key if key.isidentifier() else _quoted(key)}={_quoted(value)}"
        for key, value in (*_as_facts(label), *facts)
    ]
    return f" [{', '.join(parts)}]" if parts else ""


# ------------------------------------------------------------------------ GraphML


def graphml_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a GraphML file."""
    return _blocks_of(graphml("".join(lines), path or "the text", None), path)


def write_graphml(graph: Graph) -> str:
    """Write a graph as GraphML, by networkx."""
    import networkx as nx

    network = of_graph(graph)
    written = network.as_networkx()
    single = (nx.DiGraph if network.is_directed else nx.Graph)(written)
    if len(single.edges) == len(written.edges):
        written = single
    if name := network.metadata.get("id"):
        written.graph["name"] = name
    try:
        return "\n".join(nx.generate_graphml(written)) + "\n"
    except nx.NetworkXError:
        raise graph.origin.error(
            "has an attribute twice at a node, which GraphML does not hold"
        ) from None


# -------------------------------------------------------------------------- Pajek


def pajek_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graph of a Pajek file; vertices are called by their labels."""
    import networkx as nx

    try:
        graph = nx.parse_pajek("".join(lines))
    except (nx.NetworkXError, StopIteration, NameError, *REFUSALS) as error:
        raise not_read(path, "Pajek", "networkx", error) from None
    for node in graph:
        graph.nodes[node].clear()  # an id and where it is drawn
    for *_, facts in graph.edges(data=True):
        if "l" in facts:  # Pajek's own name; networkx writes "label"
            facts.setdefault("label", facts.pop("l"))
    yield from _blocks_of([NamedGraph(None, graph)], path)


def write_pajek(graph: Graph) -> str:
    """Write a graph as Pajek, whose vertices are known by their labels."""
    network = of_graph(graph)
    place = {name: number for number, name in enumerate(network.nodes, 1)}
    lines = [f"*vertices {len(place)}"]
    for name, (label, facts) in network.nodes.items():
        if label != name or facts:
            raise graph.origin.error(
                f"has the node {name!r}, of which Pajek cannot say everything"
            )
        lines.append(f"{place[name]} {_quoted(name)}")
    lines.append("*arcs" if network.is_directed else "*edges")
    for source, label, target in network.edges:
        label_of_arc = "" if label is None else f" 1 label {_quoted(label)}"
        lines.append(f"{place[source]} {place[target]}{label_of_arc}")
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------- WebNLG


def webnlg_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the triples of each entry, the modified ones where there are any."""
    where = place_of(path, None)
    for entry in parsed_xml("".join(lines), path).iter("entry"):
        kinds = ("mtriple", "gtriple", "otriple")
        sets_of_triples = (list(entry.iter(kind)) for kind in kinds)
        name = entry.get("eid") or entry.get("id")
        metadata = {"id": name, "category": entry.get("category")}
        network = Network({key: value for key, value in metadata.items() if value})
        for triple in next(filter(None, sets_of_triples), ()):
            parts = [part.strip() for part in (triple.text or "").split("|")]
            if len(parts) != 3:
                raise InputError(f"{where}entry {name} has the triple {triple.text!r}")
            network.triple(parts[0], parts[1], parts[2])
        yield block_of(network.as_data(), 1, path)


def write_webnlg(graph: Graph) -> str:
    """Write the triples of a graph as an entry of WebNLG's XML."""
    from xml.etree import ElementTree

    triples = triples_of(graph)
    attributes = {"eid" if k == "id" else k: v for k, v in graph.metadata.items()}
    for key in attributes:
        if not re.fullmatch(r"[^\W\d][\w.-]*", key):
            raise graph.origin.error(f"has the metadata {key!r}, no name in XML")
    entry = ElementTree.Element("entry", attributes)
    triple_set = ElementTree.SubElement(entry, "modifiedtripleset")
    for triple in triples:
        ElementTree.SubElement(triple_set, "mtriple").text = " | ".join(triple)
    ElementTree.indent(entry)
    return ElementTree.tostring(entry, encoding="unicode") + "\n"


def refuse_to_write(graph: Graph) -> str:
    """Refuse a format that is read alone."""
    raise graph.origin.error("is not written in this format; json and graphml are")
