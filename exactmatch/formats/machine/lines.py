"""Graphs in lines of text: relations, triples in tables, node lists of WorFBench."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from exactmatch.base.errors import GraphError, InputError, place_of
from exactmatch.formats.block import Block
from exactmatch.formats.blocks import blocks_of_lines
from exactmatch.formats.machine.mending import relation_in
from exactmatch.formats.machine.network import Network, block_of, of_graph
from exactmatch.graphs.graph import Graph

# ----------------------------------------------------- relation(subject, object)


def is_relations(text: str) -> bool:
    """Whether the first lines are relations."""
    lines = text[:4000].split("\n")[:-1] or [text[:4000]]
    stated = [line for line in lines if line.strip() and line[:1] != "#"][:5]
    return bool(stated) and all(map(relation_in, stated))


def relations_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a file, which stand between empty lines."""
    for block in blocks_of_lines(lines, path):
        network = Network(dict(block.metadata()))
        for number, line in block.numbered():
            triple = relation_in(line)
            if triple is None:
                place = place_of(path, number)
                raise InputError(f"{place}is no relation(subject, object)")
            network.triple(*triple)
        yield block_of(network.as_data(), block.line, path)


def write_relations(graph: Graph) -> str:
    """Write a graph whose nodes are known by their labels."""
    stated = [f"# ::{key} {value}" for key, value in graph.metadata.items()]
    for source, label, target in triples_of(graph):
        line = f"{label}({source}, {target})"
        if relation_in(line) != (source, label, target) or "\n" in line:
            raise graph.origin.error(f"has the triple {line!r}, which would be misread")
        stated.append(line)
    return "\n".join(stated) + "\n"


def triples_of(graph: Graph) -> list[tuple[str, str, str]]:
    """The triples of a graph whose nodes are their labels."""
    network = of_graph(graph)
    ends = {end for source, _, target in network.edges for end in (source, target)}
    for name, (label, facts) in network.nodes.items():
        if label != name or facts or name not in ends:
            raise graph.origin.error(
                f"has the node {name!r}, of which triples cannot say everything"
            )
    return [(s, label or "", t) for s, label, t in network.edges]


# ------------------------------------------------------- tables with a header

_COLUMNS = {
    "subject": {"subject", "head", "source", "from", "subj", "s"},
    "relation": {"predicate", "relation", "rel", "edge", "label", "property", "p", "r"},
    "object": {"object", "tail", "target", "to", "obj", "o"},
}


def _header(line: str) -> tuple[str, dict[str, int]]:
    """The sign between columns, and the place of each column that a header names."""
    sign = "\t" if "\t" in line else ";" if line.count(";") > 1 else ","
    names = [n.strip().strip('"').lower() for n in line.rstrip("\r\n").split(sign)]
    found = {"id": names.index("id")} if "id" in names else {}
    for column, known in _COLUMNS.items():
        if place := [k for k, name in enumerate(names) if name in known]:
            found[column] = place[0]
    return sign, found


def is_table(text: str) -> bool:
    """Whether the first line names the columns of triples."""
    _, place = _header(text[:1000].lstrip("\ufeff").split("\n")[0])
    return {*_COLUMNS} <= place.keys()


def table_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a table: one for each ``id``, or one if there is none."""
    text = "".join(lines)
    sign, place = _header(text.split("\n")[0])
    if not {*_COLUMNS} <= place.keys():
        raise InputError(f"{place_of(path, 1)}names no columns of triples")
    found: dict[tuple[int, str], tuple[int, Network]] = {}
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign)
    tables, width = 0, max(place.values()) + 1
    try:
        header = next(reader)
        for row in reader:
            if not any(map(str.strip, row)):
                continue
            if row == header:
                tables += 1
                continue
            if len(row) < width:
                raise InputError(
                    f"{place_of(path, reader.line_num)}has {len(row)} columns where "
                    f"the header has {width} or more"
                )
            name = row[place["id"]].strip() if "id" in place else ""
            empty = reader.line_num, Network({"id": name} if name else {})
            _, network = found.setdefault((tables, name), empty)
            network.triple(*(row[place[column]].strip() for column in _COLUMNS))
    except csv.Error as error:
        where = place_of(path, reader.line_num)
        raise InputError(f"{where}is no table: {error}") from None
    for number, network in found.values() or [(1, Network())]:
        yield block_of(network.as_data(), number, path)


def write_table(graph: Graph) -> str:
    """Write a graph as a table, with a header for each graph."""
    file = io.StringIO()
    named = [] if graph.id is None else [graph.id]
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow([*(["id"] if named else []), *_COLUMNS])
    rows.writerows([[*named, *triple] for triple in triples_of(graph)])
    return file.getvalue()


# -------------------------------------------------------------------- WorFBench

_NODES = re.compile(r"\s*Nodes?\s*:\s*(.*)", re.IGNORECASE)
_EDGES = re.compile(r"\s*Edges?\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_NODE = re.compile(r"\s*(\d{1,6})\s*[.:)]\s*(.*\S)\s*")
_EDGE = re.compile(r"\(\s*(START|END|\d{1,6})\s*,\s*(START|END|\d{1,6})\s*\)", re.I)


def is_worfbench(text: str) -> bool:
    """Whether a text is a list of numbered nodes, as WorFBench has it."""
    lines = [line for line in text[:4000].split("\n") if line.strip()]
    if len(lines) < 2 or not (found := _NODES.fullmatch(lines[0])):
        return False
    return bool(_NODE.fullmatch(found[1] or lines[1]))


def worfbench_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the workflows of a file; each begins with ``Node:``."""
    begun, first = list[str](), 1
    for number, line in enumerate(lines, 1):
        if _NODES.match(line) and any(map(str.strip, begun)):
            yield _node_list(begun, first, path)
            begun, first = [], number
        begun.append(line)
    if any(map(str.strip, begun)):
        yield _node_list(begun, first, path)


def _node_list(lines: list[str], first: int, path: str | None) -> Block:
    network = Network()
    network.add("START", "START")
    state = ""
    for number, line in enumerate(lines, first):
        if found := _NODES.fullmatch(line.rstrip("\n")):
            state, line = "nodes", found[1]
        elif found := _EDGES.fullmatch(line.rstrip("\n")):
            state, line = "edges", found[1]
        if state == "nodes" and (node := _NODE.fullmatch(line.rstrip("\n"))):
            if node[1] in network.nodes:
                raise InputError(f"{place_of(path, number)}numbers a second {node[1]}")
            network.add(node[1], node[2])
        elif state == "edges" and not _EDGE.sub("", line).strip(" ,;.\t\r\n"):
            for source, target in _EDGE.findall(line):
                network.edges.append((source.upper(), None, target.upper()))
        elif line.strip():
            what = "is no numbered node" if state == "nodes" else "is no list of edges"
            raise InputError(f"{place_of(path, number)}{what}, as in (START,1) (1,2)")
    network.add("END", "END")
    for source, _, target in network.edges:
        for end in (source, target):
            if end not in network.nodes:
                place = place_of(path, first)
                raise InputError(f"{place}has an edge of {end}, which is no node")
    return block_of(network.as_data(), first, path)


def write_worfbench(graph: Graph) -> str:
    """Write a workflow, whose nodes are numbered from 1 between START and END."""
    network = of_graph(graph)
    between = [n for n in network.nodes if n not in ("START", "END")]
    wanted = {"START", "END", *map(str, range(1, len(between) + 1))}
    if wanted != {*network.nodes} or graph.metadata:
        raise graph.origin.error("is no workflow of nodes from 1 between START and END")
    lines = ["Node:"]
    for name in between:
        label, facts = network.nodes[name]
        if facts or not label or "\n" in label:
            raise GraphError(f"has the node {name!r}, which has more than a line")
        lines.append(f"{name}. {label}")
    if any(label is not None for _, label, _ in network.edges):
        raise graph.origin.error("has an edge with a label, which such lists do not")
    edges = " ".join(f"({source},{target})" for source, _, target in network.edges)
    return "\n".join([*lines, f"Edges: {edges}"]) + "\n"
