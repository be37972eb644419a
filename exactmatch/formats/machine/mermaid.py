"""Flowcharts of Mermaid: nodes with texts, links with texts, chains and groups.

``flowchart TD`` and ``graph LR`` are read.  What a chart looks like is left out, and so
are its subgraphs, whose nodes stay; both ways of a link are two edges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from exactmatch.base.errors import GraphError, InputError, place_of, shortened
from exactmatch.formats.block import Block
from exactmatch.formats.machine.network import Network, block_of, of_graph
from exactmatch.formats.remarks import GROUPS
from exactmatch.graphs.graph import Graph

_BEGIN = re.compile(
    r"\s*(?:flowchart(?:-elk)?|graph)(?:[ \t]+(?:TB|TD|BT|RL|LR))?\s*;?"
)
_STYLE = re.compile(r"(?:classDef|class|style|linkStyle|click|direction|acc\w+)\b")
_SUBGRAPH = re.compile(r"subgraph\b")
_MORE = re.compile(r"\s*&")
_NAME = re.compile(r"\s*(\w+(?:[-.]\w+)*)")
_QUOTED = r'"([^"]*)"'
_SHAPES = tuple(
    re.compile(rf"{opening}\s*(?:{_QUOTED}|(.*?))\s*{closing}", re.DOTALL)
    for opening, closing in (
        *((r"\(\(\(", r"\)\)\)"), (r"\(\(", r"\)\)"), (r"\(\[", r"\]\)")),
        *((r"\[\[", r"\]\]"), (r"\[\(", r"\)\]"), (r"\{\{", r"\}\}")),
        *((r"\[[/\\]", r"[/\\]\]"), (r"\[", r"\]"), (r"\(", r"\)"), (r"\{", r"\}")),
        (r">", r"\]"),
    )
)
_FACTS = re.compile(rf"@\{{[^}}]*?(?:label\s*:\s*{_QUOTED}[^}}]*)?\}}")
_CLASS = re.compile(r":::[\w-]+")
_LINK = re.compile(
    r"\s*([<ox](?=[-=]))?(?:-{2,}|-\.+-|={2,}|~{3,})(>|[ox](?!\w))?"
    r"(?:\s*\|\s*(?:\"([^\"]*)\"|([^|]*?))\s*\|)?"
)
_TEXT_LINK = re.compile(
    r"\s*([<ox](?=[-=]))?(?:--|-\.|==)[ \t]*(?:\"([^\"]*)\"|([^\s>|=.-][^|>\n]*?))"
    r"[ \t]*(?:-{2,}|\.+-|={2,})([>ox])?(?=[\s\w]|$)"
)
_ENTITIES = {"#quot;": '"', "#amp;": "&", "#35;": "#", "#lt;": "<", "#gt;": ">"}
_RESERVED = ("end", "subgraph", "class", "style", "click", "graph", "flowchart")


def is_mermaid(text: str) -> bool:
    """Whether a text begins as a flowchart does."""
    lines = [line for line in text[:4000].split("\n") if line.strip()]
    if lines and lines[0].strip() == "---":  # what stands before a chart
        ends = [k for k, line in enumerate(lines) if line.strip() == "---"]
        lines = lines[ends[1] + 1 :] if len(ends) > 1 else []
    lines = [line for line in lines if line.lstrip()[:2] != "%%"]
    return bool(lines) and _BEGIN.fullmatch(_statements(lines[0])[0]) is not None


def _statements(line: str) -> list[str]:
    """Cut a line at semicolons that stand in no quotes."""
    parts, inside = [""], False
    for piece in re.split(r'(;|")', line):
        inside ^= piece == '"'
        if piece == ";" and not inside and not re.search(r"#\w+$", parts[-1]):
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def mermaid_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the flowcharts of a file."""
    chart: _Chart | None = None
    front = 0
    known: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text == "---" and chart is None:
            front += 1
        elif front == 1:
            key, colon, value = text.partition(":")
            if colon and key == "title":
                known["title"] = value.strip().strip('"')
        elif text[:2] == "%%":
            if found := re.fullmatch(r"%%\s*::(\S+)\s+(.*)", text):
                known[found[1]] = found[2]
        elif text:
            for statement in filter(None, map(str.strip, _statements(text))):
                if _BEGIN.fullmatch(statement):
                    if chart is not None:
                        yield chart.block()
                    chart, known = _Chart(number, path, known), {}
                elif chart is None:
                    why = "is no flowchart; it begins 'flowchart TD'"
                    raise InputError(f"{place_of(path, number)}{why}")
                else:
                    chart.take(statement, number)
    if chart is not None:
        yield chart.block(known)


class _Chart:
    """A flowchart while it is read."""

    def __init__(self, first: int, path: str | None, known: dict[str, str]) -> None:
        self._first, self._path = first, path
        self._network = Network(known)
        self._open_links = 0

    def block(self, known: dict[str, str] | None = None) -> Block:
        """Return the chart's block."""
        network = self._network
        network.metadata |= known or {}
        network.is_directed = not network.edges or self._open_links < len(network.edges)
        return block_of(network.as_data(), self._first, self._path)

    def take(self, statement: str, number: int) -> None:
        """Take a statement."""
        if _STYLE.match(statement) or statement == "end":
            return
        if _SUBGRAPH.match(statement):
            self._network.left_out[GROUPS] += 1
            return
        try:
            self._chain(statement)
        except GraphError as error:
            raise InputError(f"{place_of(self._path, number)}{error.reason}") from None

    def _chain(self, text: str) -> None:
        """Nodes with links between them."""
        sources, at = self._group(text, 0)
        while text[at:].strip():
            link = _TEXT_LINK.match(text, at) or _LINK.match(text, at)
            if link is None:
                rest = shortened(repr(text[at:].strip()), 40)
                raise GraphError(f"has {rest}, no link")
            is_text = link.re is _TEXT_LINK
            words = link.groups()[1:3] if is_text else link.groups()[2:4]
            head = link[4] if is_text else link[2]
            label = _plain(next(filter(None, words), "")) or None
            targets, at = self._group(text, link.end())
            for source in () if "~~~" in link[0] else sources:
                for target in targets:
                    self._network.edges.append((source, label, target))
                    self._open_links += head is None
                    if link[1]:
                        self._network.edges.append((target, label, source))
            sources = targets

    def _group(self, text: str, at: int) -> tuple[list[str], int]:
        """Nodes with ``&`` between them, and where they end."""
        found = []
        while True:
            name, at = self._node(text, at)
            found.append(name)
            more = _MORE.match(text, at)
            if more is None:
                return found, at
            at = more.end()

    def _node(self, text: str, at: int) -> tuple[str, int]:
        begin = _NAME.match(text, at)
        if begin is None:
            what = text[at:].strip() or text
            raise GraphError(f"has {shortened(repr(what), 40)} where a node is wanted")
        name, at = begin[1], begin.end()
        label = None
        for shape in (*_SHAPES, _FACTS):
            if found := shape.match(text, at):
                label, at = next(filter(None, found.groups()), None), found.end()
                break
        if found := _CLASS.match(text, at):
            at = found.end()
        if label is not None:
            self._network.nodes[name] = _plain(label), []
        self._network.nodes.setdefault(name, (name, []))
        return name, at


def _plain(text: str) -> str:
    """A text without line breaks, Markdown's backquotes and entities."""
    text = re.sub(r"<br\s*/?>", " ", text).strip().strip("`")
    return re.sub(r"#\w+;", lambda found: _ENTITIES.get(found[0], found[0]), text)


def write_mermaid(graph: Graph) -> str:
    """Write a graph as a flowchart."""
    network = of_graph(graph)
    lines = [f"%% ::{key} {value}" for key, value in network.metadata.items()]
    lines.append("flowchart TD")
    for name, (label, facts) in network.nodes.items():
        named = _NAME.fullmatch(name) and name not in _RESERVED
        if not named or label is None or facts:
            raise graph.origin.error(
                f"has the node {name!r}, which a flowchart cannot say as it is"
            )
        lines.append(f"    {name}[{_quoted(label)}]")
    for source, label, target in network.edges:
        link = "-->" if network.is_directed else "---"
        link += "" if label is None else f"|{_quoted(label)}|"
        lines.append(f"    {source} {link} {target}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace('"', "#quot;")
    return f'"{escaped}"'
