"""Formats that other packages read: GML, GraphML, Pajek, DOT, lists, RDF; and XML.

networkx reads the first, pydot DOT, and rdflib RDF.  A node is called by its ``label``;
without one by its name, unless all names are numbers.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from typing import Any

from exactmatch.base.errors import InputError, place_of
from exactmatch.formats.block import Block
from exactmatch.formats.machine.network import Network, block_of, plain_text
from exactmatch.formats.network_texts import REFUSALS, NamedGraph
from exactmatch.formats.networks import READERS, graphml
from exactmatch.formats.remarks import EDGE_FACTS

_LABELS = ("label", "concept", "name")
_EDGE_LABELS = ("label", "role", "relation", "predicate", "name", "type")
NAMES = "urn:exactmatch:"
"""What stands before a name that is no IRI, where RDF wants one."""

_NUMBER = re.compile(r"[A-Za-z]?\d+")


def of_networkx(graph: Any, name: str | None, named: bool = False) -> Network:
    """Return a networkx graph as a network.

    Args:
        graph: the graph.
        name: its id.
        named: whether nodes without label are called by their names in any case.
    """
    known = {"id": name} if name else {}
    found = Network(known, is_directed=graph.is_directed())
    names = {node: str(node) for node in graph}
    named = named or not all(map(_NUMBER.fullmatch, names.values()))
    for node, facts in graph.nodes(data=True):
        key = next((key for key in _LABELS if facts.get(key) is not None), None)
        label = names[node] if named else None
        if key is not None:
            label = plain_text(facts[key])
        rest = {k: plain_text(v) for k, v in facts.items() if k != key}
        stated = [(str(k), text) for k, text in rest.items() if text is not None]
        found.add(names[node], label, stated)
    for source, target, facts in graph.edges(data=True):
        key = next((key for key in _EDGE_LABELS if facts.get(key) is not None), None)
        label = None if key is None else plain_text(facts[key])
        found.left_out[EDGE_FACTS] += len(facts) - (key is not None)
        found.edges.append((names[source], label, names[target]))
    return found


def blocks_of(
    graphs: Iterable[NamedGraph], path: str | None, named: bool = False
) -> Iterator[Block]:
    """Yield networkx graphs as blocks of JSON."""
    for one in graphs:
        network = of_networkx(one.graph, one.name, named)
        yield block_of(network.as_data(), 1, path)


def network_blocks(
    lines: Iterable[str], path: str | None, reader: str
) -> Iterator[Block]:
    """Yield the graphs of a file that a reader of networks reads."""
    graphs = READERS[reader]("".join(lines), path or "the text", None)
    return blocks_of(graphs, path, named=reader == "dot")


def graphml_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a GraphML file."""
    return blocks_of(graphml("".join(lines), path or "the text", None), path)


def pajek_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graph of a Pajek file; vertices are called by their labels."""
    import networkx as nx

    try:
        graph = nx.parse_pajek("".join(lines))
    except (nx.NetworkXError, StopIteration, NameError, *REFUSALS) as error:
        reason = " ".join(str(error).split())
        where = place_of(path, None)
        raise InputError(
            f"{where}is not Pajek as networkx reads it: {reason}"
        ) from None
    for node in graph:
        graph.nodes[node].clear()  # an id and where it is drawn
    yield from blocks_of([NamedGraph(None, graph)], path, named=True)


# --------------------------------------------------------------------- WebNLG


def webnlg_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the triples of each entry, the modified ones where there are any."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring("".join(lines))
    except ElementTree.ParseError as error:
        raise InputError(f"{place_of(path, None)}is no XML: {error}") from None
    for entry in root.iter("entry"):
        kinds = ("mtriple", "gtriple", "otriple")
        found = (list(entry.iter(kind)) for kind in kinds)
        name = entry.get("eid") or entry.get("id")
        network = Network({"id": name} if name else {})
        category = entry.get("category")
        if category:
            network.metadata["category"] = category
        for triple in next(filter(None, found), ()):
            parts = [part.strip() for part in (triple.text or "").split("|")]
            if len(parts) != 3:
                place = place_of(path, None)
                raise InputError(f"{place}entry {name} has the triple {triple.text!r}")
            network.triple(parts[0], parts[1], parts[2])
        yield block_of(network.as_data(), 1, path)


# ------------------------------------------------------------------------- RDF


def rdf_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the one graph of a file in Turtle, N-Triples or JSON-LD.

    Raises:
        InputError: if rdflib is missing, or cannot read it.
    """
    where = place_of(path, None)
    try:
        import rdflib
    except ImportError:
        raise InputError(
            f"{where}is RDF, which needs rdflib: pip install 'exactmatch[rdf]'"
        ) from None
    logging.getLogger("rdflib.term").setLevel(logging.ERROR)
    text = "".join(lines)
    kind = "json-ld" if text.lstrip()[:1] in ("{", "[") else "turtle"
    if kind == "json-ld" and _names_a_context(text):
        raise InputError(f"{where}names a '@context' elsewhere; write it into the file")
    try:
        graph = rdflib.Graph().parse(data=text, format=kind)
    except Exception as error:  # rdflib raises errors of many kinds
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{where}is not {kind} as rdflib reads it: {reason}") from None
    network = Network()
    for triple in sorted(graph, key=lambda one: [*map(_term, one)]):
        ends = []
        for term in (triple[0], triple[2]):
            name = _term(term)
            if name not in network.nodes:
                is_blank = isinstance(term, rdflib.BNode)
                network.add(name, None if is_blank else _local(term))
            ends.append(name)
        network.edges.append((ends[0], _local(triple[1]), ends[1]))
    yield block_of(network.as_data(), 1, path)


def _term(term: Any) -> str:
    """A term as N-Triples has it, whatever signs are in it."""
    kind = type(term).__name__
    if kind == "URIRef" and term.startswith(NAMES):
        from urllib.parse import unquote

        return unquote(term.removeprefix(NAMES))
    if kind != "Literal":
        return f"<{term}>" if kind == "URIRef" else f"_:{term}"
    tag = f"@{term.language}" if term.language else ""
    return f'"{term}"{tag}' + (f"^^<{term.datatype}>" if term.datatype else "")


def _names_a_context(text: str) -> bool:
    """Whether a context would be fetched, which nothing here does."""
    import json

    try:
        stack = [json.loads(text)]
    except (ValueError, RecursionError):
        return False
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            contexts = one.get("@context")
            contexts = contexts if isinstance(contexts, list) else [contexts]
            if "@import" in one or any(isinstance(c, str) for c in contexts):
                return True
        if isinstance(one, dict | list):
            stack += one.values() if isinstance(one, dict) else one
    return False


def _local(term: Any) -> str:
    """The value of a literal, or the last part of an IRI."""
    from urllib.parse import unquote

    text = str(term)
    if type(term).__name__ == "URIRef":
        found = re.search(r"[^/#:]+(?=[/#:]*$)", text)
        return unquote(found[0]) if found else text
    return text
