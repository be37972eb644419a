"""Texts of graphs in the formats that other packages read, and in XML.

Here a graph is stated as well as the format can; what is lost is found out by reading
it again (:mod:`exactmatch.formats.conversion`).
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote
from xml.etree import ElementTree

from exactmatch.formats.machine.lines import triples_of
from exactmatch.formats.machine.network import UNLABELLED, Attribute, of_graph
from exactmatch.formats.machine.packaged import NAMES, rdf_blocks
from exactmatch.formats.network_texts import dot
from exactmatch.graphs.graph import Graph


def write_gml(graph: Graph) -> str:
    """Write a graph as GML."""
    network = of_graph(graph)
    lines = ["graph [", f"  directed {int(network.is_directed)}"]
    if network.metadata:
        raise graph.origin.error("has metadata, such as an id, which GML does not hold")
    place = {name: number for number, name in enumerate(network.nodes)}
    if [*place] != [*map(str, place.values())]:
        raise graph.origin.error("has nodes that are not numbered from 0, as GML's are")
    for name, (label, facts) in network.nodes.items():
        stated = [f' label "{_entities(label)}"'] if label is not None else []
        if len({key for key, _ in facts}) < len(facts):
            raise graph.origin.error(f"has an attribute twice at the node {name!r}")
        for key, value in facts:
            if not re.fullmatch(r"[A-Za-z][0-9A-Za-z_]*", key) or key == "id":
                raise graph.origin.error(f"has the attribute {key!r}, no name in GML")
            stated.append(f' {key} "{_entities(value)}"')
        lines.append(f"  node [ id {name}{''.join(stated)} ]")
    ends = [(source, target) for source, _, target in network.edges]
    if len({*ends}) < len(ends) or not network.is_directed:
        lines.insert(1, "  multigraph 1")
    for source, label, target in network.edges:
        stated = [] if label is None else [f' label "{_entities(label)}"']
        lines.append(f"  edge [ source {source} target {target}{''.join(stated)} ]")
    return "\n".join([*lines, "]"]) + "\n"


def _entities(text: str) -> str:
    """A text as GML has it, in ASCII."""
    escaped = text.replace("&", "&amp;").replace('"', "&quot;")
    return escaped.encode("ascii", "xmlcharrefreplace").decode().replace("\n", "&#10;")


def write_dot(graph: Graph) -> str:
    """Write a graph as DOT, in which texts are quoted and keep their backslashes.

    Raises:
        InputError: if pydot is missing, which reads it.
    """
    network = of_graph(graph)
    next(dot("graph {}", "the result", None))
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
    stated = [("label", label)] if label is not None else []
    keys = (key if key.isidentifier() else _quoted(key) for key, _ in (*stated, *facts))
    values = (_quoted(value) for _, value in (*stated, *facts))
    parts = [f"{key}={value}" for key, value in zip(keys, values, strict=True)]
    return f" [{', '.join(parts)}]" if parts else ""


def write_graphml(graph: Graph) -> str:
    """Write a graph as GraphML, by networkx."""
    import networkx as nx

    network = of_graph(graph)
    found = network.as_networkx()
    single = (nx.DiGraph if network.is_directed else nx.Graph)(found)
    if len(single.edges) == len(found.edges):
        found = single
    if name := network.metadata.get("id"):
        found.graph["name"] = name
    try:
        return "\n".join(nx.generate_graphml(found)) + "\n"
    except nx.NetworkXError:
        raise graph.origin.error(
            "has an attribute twice at a node, which GraphML does not hold"
        ) from None


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
        stated = "" if label is None else f" 1 label {_quoted(label)}"
        lines.append(f"{place[source]} {place[target]}{stated}")
    return "\n".join(lines) + "\n"


def write_webnlg(graph: Graph) -> str:
    """Write the triples of a graph as an entry of WebNLG's XML."""
    triples = triples_of(graph)
    known = {"eid" if k == "id" else k: v for k, v in graph.metadata.items()}
    for key in known:
        if not re.fullmatch(r"[^\W\d][\w.-]*", key):
            raise graph.origin.error(f"has the metadata {key!r}, no name in XML")
    entry = ElementTree.Element("entry", known)
    stated = ElementTree.SubElement(entry, "modifiedtripleset")
    for triple in triples:
        ElementTree.SubElement(stated, "mtriple").text = " | ".join(triple)
    ElementTree.indent(entry)
    return ElementTree.tostring(entry, encoding="unicode") + "\n"


def write_rdf(graph: Graph) -> str:
    """Write the triples of a graph as N-Triples.

    Raises:
        InputError: if rdflib is missing, which reads them.
    """
    network = of_graph(graph)
    next(rdf_blocks([], "the result"))
    lines = []
    for source, label, target in network.edges:
        parts = _term(source), _name(label or UNLABELLED), _term(target)
        lines.append(f"{' '.join(parts)} .")
    return "".join(f"{line}\n" for line in lines)


_LITERAL = re.compile(r'"(.*)"(@[\w-]+|\^\^<[^<>\s]*>)?', re.DOTALL)


def _term(name: str) -> str:
    """A node as a term: what was one stays it, other names have IRIs of their own."""
    if re.fullmatch(r"<[^<>\s]*>|_:\w+", name):
        return name
    if found := _LITERAL.fullmatch(name):
        return f"{json.dumps(found[1], ensure_ascii=False)}{found[2] or ''}"
    return _name(name)


def _name(text: str) -> str:
    return f"<{NAMES}{quote(text, safe='')}>"


def refuse_to_write(graph: Graph) -> str:
    """Refuse a format that is read alone."""
    raise graph.origin.error("is not written in this format; json and graphml are")
