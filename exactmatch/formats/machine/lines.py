"""Graphs in lines of text: relations, triples in tables, node lists of WorFBench."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from exactmatch.base.errors import GraphError, InputError, place_of
from exactmatch.formats.beginnings import HEAD
from exactmatch.formats.block import Block
from exactmatch.formats.blocks import blocks_of_lines
from exactmatch.formats.items import Items
from exactmatch.formats.machine.network import Network, block_of, of_graph
from exactmatch.formats.machine.relations import relation_in, relations_in
from exactmatch.formats.remarks import PROSE
from exactmatch.graphs.graph import Graph
from exactmatch.views.data import csv_line

# ----------------------------------------------------- relation(subject, object)


def is_relations(text: str) -> bool:
    """Return whether the first lines are relations."""
    lines = text[:4000].split("\n")[:-1] or [text[:4000]]
    first_lines = [line for line in lines if line.strip() and line[:1] != "#"][:5]
    counts = {len(relations_in(line)) for line in first_lines}
    return counts == {1}  # of which an end may be empty, as the reader says


def relations_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a file, which stand between empty lines."""
    for block in blocks_of_lines(lines, path):
        network = Network(dict(block.metadata()), items=Items(path))
        for number, line in block.numbered():
            triple = relation_in(line)
            if triple is None:
                reason = "is not a relation(subject, object)"
                if relations_in(line):
                    reason = f"{reason} with two ends, alone in its line"
                raise InputError(
                    f"{place_of(path, number)}{reason}; --extract repair counts such "
                    "lines and passes over them"
                )
            network.triple(*triple)
        source = "\n".join(block.content)
        yield block_of(network.as_data(), block.line, path, source=source)


def write_relations(graph: Graph) -> str:
    """Write a graph whose nodes are known by their labels."""
    comments = [f"# ::{key} {value}" for key, value in graph.metadata.items()]
    for source, label, target in triples_of(graph):
        line = f"{label}({source}, {target})"
        if relation_in(line) != (source, label, target) or "\n" in line:
            raise graph.origin.error(f"has the triple {line!r}, which would be misread")
        comments.append(line)
    return "\n".join(comments) + "\n"


def triples_of(graph: Graph) -> list[tuple[str, str, str]]:
    """Return the triples of a graph whose nodes are known by their labels.

    Raises:
        GraphError: if there are nodes that triples of labels cannot say.
    """
    network = of_graph(graph)
    ends = {end for source, _, target in network.edges for end in (source, target)}
    name_of_node: dict[str | None, str] = {}
    for name, (label, facts) in network.nodes.items():
        reason = None
        if facts:
            reason = f"which has the attribute {facts[0][0]!r}"
        elif not label:
            reason = "which has no label"
        elif name not in ends:
            reason = "which is in no triple"
        elif name_of_node.setdefault(label, name) != name:
            reason = f"which has the label of {name_of_node[label]!r}, {label!r}"
        if reason is not None:
            raise graph.origin.error(
                f"has the node {name!r}, of which triples of labels cannot say "
                f"everything: {reason}; --to triples keeps nodes and labels apart"
            )
    labels = {name: label or "" for name, (label, _) in network.nodes.items()}
    return [(labels[s], label or "", labels[t]) for s, label, t in network.edges]


# ------------------------------------------------------- tables with a header

_COLUMNS = {
    "subject": {
        *("subject", "head", "source", "from", "subj", "s", "entity1", "e1", "node1"),
        *("start", "arg1", "h", "sourceentity", "headentity", "subjectentity", "src"),
    },
    "relation": {
        *(
            "predicate",
            "relation",
            "rel",
            "edge",
            "label",
            "property",
            "p",
            "r",
            "pred",
        ),
        *("relationship", "verb", "type", "relationtype", "edgelabel", "link", "role"),
    },
    "object": {
        *(
            "object",
            "tail",
            "target",
            "to",
            "obj",
            "o",
            "entity2",
            "e2",
            "node2",
            "end",
        ),
        *("arg2", "t", "targetentity", "tailentity", "objectentity", "dst", "value"),
    },
}
"""Names of the columns, without blanks, hyphens and underscores."""


def _header(line: str) -> tuple[str, dict[str, int]]:
    """Return the separator of a header, and the place of each column it names."""
    sign = "\t" if "\t" in line else ";" if line.count(";") > 1 else ","
    cells = line.rstrip("\r\n").split(sign)
    names = [re.sub(r"[ _-]", "", n.strip().strip('"').lower()) for n in cells]
    places = {"id": names.index("id")} if "id" in names else {}
    for column, column_names in _COLUMNS.items():
        if place := [k for k, name in enumerate(names) if name in column_names]:
            places[column] = place[0]
    return sign, places


def _lines_before(lines: Iterable[str]) -> int:
    """Count the blank lines and comments before the first line of a table."""
    count = 0
    for line in lines:
        if line.strip("\ufeff \t\r\n") and line[:1] != "#":
            break
        count += 1
    return count


def is_table(text: str) -> bool:
    """Return whether the first line but comments names the columns of triples."""
    lines = text[:HEAD].lstrip("\ufeff").split("\n")
    _, place = _header("".join(lines[_lines_before(lines) :][:1]))
    return {*_COLUMNS} <= place.keys()


def table_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a table: one for each ``id``, or one if there is none."""
    rows = [*lines]
    before = _lines_before(rows)
    text = "".join(rows[before:])
    sign, place = _header(text.split("\n")[0])
    if not {*_COLUMNS} <= place.keys():
        raise InputError(f"{place_of(path, before + 1)}names no columns of triples")
    if "\0" in text:
        line = before + text.partition("\0")[0].count("\n") + 1
        raise InputError(f"{place_of(path, line)}has a NUL character; remove it")
    graphs: dict[tuple[int, str], tuple[int, Network]] = {}
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign)
    tables, width, items = 0, max(place.values()) + 1, Items(path)
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
                    f"{place_of(path, before + reader.line_num)}has {len(row)} columns "
                    f"where the header has {width} or more"
                )
            name = row[place["id"]].strip() if "id" in place else ""
            metadata = {"id": name} if name else {}
            empty = before + reader.line_num, Network(metadata, items=items)
            _, network = graphs.setdefault((tables, name), empty)
            network.triple(*(row[place[column]].strip() for column in _COLUMNS))
    except csv.Error as error:
        where = place_of(path, before + reader.line_num)
        raise InputError(f"{where}is not a table: {error}") from None
    for number, network in graphs.values() or [(1, Network())]:
        yield block_of(network.as_data(), number, path)


def write_table(graph: Graph) -> str:
    """Write a graph as a table, with a header for each graph."""
    named = [] if graph.id is None else [graph.id]
    rows = [[*named, *triple] for triple in triples_of(graph)]
    text = "".join(map(csv_line, [[*(["id"] if named else []), *_COLUMNS], *rows]))
    if "\0" in text:
        raise graph.origin.error("has a NUL character, which a table cannot hold")
    return text


# -------------------------------------------------------------------- WorFBench

_HEAD = (
    r"(?:\s*(?:#{{1,6}}\s+)?(?:[-*]\s+)?\**{0}\**\s*:\**|\s*#{{1,6}}\s+\**{0}\**"
    r"|\s*\*\*{0}\*\*(?=\s*$))\s*(.*)"
)
"""A heading, in bold or not: with a colon, of Markdown, or alone in its line."""
_NODES = re.compile(_HEAD.format("Nodes?"), re.IGNORECASE)
_EDGES = re.compile(_HEAD.format(r"Edges?(?:\s+relations)?"), re.I | re.DOTALL)
_UNREAD = re.compile(r"\s*\d+\s*\S?$|[^(]*\(\s*(?:START|END|\d{1,6})\s*\W*$", re.I)
"""A node without text, or an edge without an end, which are not prose."""

_GRAPH = re.compile(r"\s*(?:Workflow\s+)?Graph\s*:\s*", re.IGNORECASE)
_NODE = re.compile(r"\s*(?:[-*]\s+)?\**(\d{1,6})\**\s*[.:)]\**\s*(.*\S)\s*")
_IN_BOLD = re.compile(r"(\*{1,3}|__|`)([^*`]+)\1")
_EDGE = re.compile(r"\(\s*(START|END|\d{1,6})\s*,\s*(START|END|\d{1,6})\s*\)", re.I)
_BESIDE_EDGES = re.compile(r"^\s*\d{1,6}[.)]\s|[\s,;.>*`-]")
"""Number, commas, arrows and emphasis of a line that lists edges and nothing else."""


def is_worfbench(text: str) -> bool:
    """Return whether a text is WorFBench's list of numbered nodes."""
    lines = [line for line in text[:4000].split("\n") if line.strip()]
    if len(lines) < 2 or not (match := _NODES.fullmatch(lines[0])):
        return False
    return bool(_NODE.fullmatch(match[1] or lines[1]))


def worfbench_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the workflows of a file; each begins with ``Node:``."""
    lines_of_graph, first = list[str](), 1
    for number, line in enumerate(lines, 1):
        if _NODES.match(line) and any(map(str.strip, lines_of_graph)):
            yield _node_list(lines_of_graph, first, path)
            lines_of_graph, first = [], number
        lines_of_graph.append(line)
    if any(map(str.strip, lines_of_graph)):
        yield _node_list(lines_of_graph, first, path)


def _node_list(lines: list[str], first: int, path: str | None) -> Block:
    network = Network(items=Items(path))
    network.add("START", "START")
    state, is_prose = "", False
    listed: set[tuple[str, None, str]] = set()
    for number, line in enumerate(lines, first):
        line = line.rstrip("\n")
        if _GRAPH.fullmatch(line):
            continue
        if match := _NODES.fullmatch(line):
            state, line = "nodes", match[1]
        elif match := _EDGES.fullmatch(line):
            state, line = "edges", match[1]
        edges = _EDGE.findall(line) if state else []
        are_alone = edges and not _BESIDE_EDGES.sub("", _EDGE.sub("", line))
        is_edge = are_alone or (edges and is_prose)
        node = _NODE.fullmatch(line) if state == "nodes" and not is_edge else None
        edges = edges if are_alone or state == "edges" or is_prose else []
        links = [(s.upper(), None, t.upper()) for s, t in edges]
        if node and node[1] not in network.nodes:
            label = _IN_BOLD.fullmatch(node[2])
            network.add(node[1], label[2] if label else node[2])
        elif node and not is_prose:
            raise InputError(f"{place_of(path, number)}numbers a second {node[1]}")
        elif are_alone:
            for edge in links:
                network.join(*edge)
            listed.update(links)
        elif edges:  # an explanation of edges that may have been listed before
            for edge in links:
                if edge not in listed:
                    network.join(*edge)
            listed.update(links)
            network.left_out[PROSE] += 1
        elif line.strip() and state and not _UNREAD.match(line):
            network.left_out[PROSE] += 1
            is_prose = True
        elif line.strip():
            what = (
                "is not a list of edges"
                if state == "edges"
                else "is not a numbered node"
            )
            raise InputError(f"{place_of(path, number)}{what}, as in (START,1) (1,2)")
    network.add("END", "END")
    for source, _, target in network.edges:
        for end in (source, target):
            if end not in network.nodes:
                place = place_of(path, first)
                raise InputError(f"{place}has an edge of {end}, which is not a node")
    return block_of(network.as_data(), first, path)


def write_worfbench(graph: Graph) -> str:
    """Write a workflow, whose nodes are numbered from 1 between START and END."""
    network = of_graph(graph)
    between = [n for n in network.nodes if n not in ("START", "END")]
    names = {"START", "END", *map(str, range(1, len(between) + 1))}
    if names != {*network.nodes} or graph.metadata:
        raise graph.origin.error(
            "is not a workflow of nodes from 1 between START and END"
        )
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
