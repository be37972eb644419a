"""Flowcharts of Mermaid: nodes with texts, links with texts, chains and groups.

``flowchart TD`` and ``graph LR`` are read, in one pass.  Subgraphs are dissolved, whose
nodes stay; both ways of a link are two edges.  What a chart looks like and its
invisible links are left out and counted.  Texts lose tags of HTML, and characters that
are written as entities (``&nbsp;``, ``#quot;``) become themselves.

A statement of style about nothing else makes a node, as Mermaid draws it; one about a
subgraph does not.

Source: Mermaid's documentation, "Flowcharts", https://mermaid.js.org/syntax/flowchart
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from html import unescape
from typing import NamedTuple

from exactmatch.base.deadline import check
from exactmatch.base.errors import InputError, place_of, shortened
from exactmatch.formats.block import Block
from exactmatch.formats.items import Items
from exactmatch.formats.machine.columns import are_numbers
from exactmatch.formats.machine.network import Network, block_of, of_graph
from exactmatch.formats.network_texts import Joined
from exactmatch.formats.remarks import GROUPS, INVISIBLE, STYLES
from exactmatch.graphs.graph import Graph

_BEGIN = re.compile(
    r"(?:flowchart(?:-elk)?|graph)(?:[ \t]+(?:TB|TD|BT|RL|LR|[<>^v]))?[ \t]*(?=;|\n|\Z)"
)
_BRACKET = re.compile(r"\s*[\[{]")
_SEPARATORS = re.compile(r"[\s;]*")
_STYLE = re.compile(r"(?:classDef|class|style|linkStyle|href|direction)(?=\s)")
_CLICK = re.compile(r'click\s(?:"[^"]*"|[^;\n])*')
_ACCESSIBLE = re.compile(r"acc(?:Title|Descr)\s*(:|\{)")
_STYLED = re.compile(r"style[ \t]+([^\s;]+)")
_SUBGRAPH = re.compile(r'subgraph\b[ \t]*"?([^"\[\n;]*)')
_MADE_ID = re.compile(r"subGraph\d+|L_.+_\d+")
"""The ids that Mermaid makes for subgraphs and links without one."""

_END = re.compile(r"end[ \t]*(?=;|\n|\Z)")
_REST = re.compile(r'(?:"[^"\n]*"|[^;\n])*')
"""The rest of a statement; a semicolon in quotes does not end it."""

_MORE = re.compile(r"[ \t]*&")
_NAME = re.compile(r"\s*((?:[\w!#$%'*+.`?\\/,]|-(?![->.])|=(?!=)|:(?!::))+)")
_PLAIN_NAME = re.compile(r"\w+(?:[-.]\w+)*")
_SHAPES = (
    *(("(((", ")))"), ("((", "))"), ("([", "])"), ("(-", "-)"), ("[[", "]]")),
    *(("[(", ")]"), ("{{", "}}"), ("[/", "/]"), ("[/", "\\]"), ("[\\", "\\]")),
    *(("[\\", "/]"), ("[|", "]"), ("[", "]"), ("(", ")"), ("{", "}"), (">", "]")),
)
"""How the text of a node begins and ends, the longer ones first."""

_QUOTED = re.compile(r'\s*"([^"]*)"\s*')
_TEXT = re.compile(r'[^\[\](){}|"]*')
_LABEL = re.compile(r'\blabel\s*:\s*(?:"([^"]*)"|\'([^\']*)\'|([^\s,}][^,}\n]*))')
_FACTS = re.compile(r'@\{(?:[^}"]|"[^"]*")*\}')
_KEY = re.compile(r"\s*\w+\s*:")
_OF_EDGE = re.compile(r"@\{\s*(?:animation|animate|curve)\s*:")
_CLASS = re.compile(r":::[\w-]+")
_EDGE_ID = re.compile(r'\s*([^\s"@&;|\[\](){}<>]{1,200})@(?=[-=.~<xo])')
_LINK = re.compile(r"\s*([<ox](?=[-=.]))?(?:-{2,}|-\.+-|={2,}|\.+-|~{3,})([>ox])?")
_BEGUN_LINK = re.compile(r"\s*([<ox](?=[-=]))?(--(?!-|[ox](?!\w))|-\.(?![-.])|==(?!=))")
_ENDED_LINK = {
    "--": re.compile(r"-{2,}([>ox])?"),
    "-.": re.compile(r"\.+-([>ox])?"),
    "==": re.compile(r"={2,}([>ox])?"),
}
_PIPED = re.compile(r'\s*\|\s*(?:"([^"|]*)"|([^|]*))\s*\|')
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>")
_BREAK = re.compile(r"<br\s*/?>|<hr\s*/?>", re.IGNORECASE)
_CODE = re.compile(r"#(\w{1,32});")
_HEX = re.compile(r"\\([0-9a-f]{2})")
_FACT = re.compile(r"%%\s*::(\S+)\s+(.*)")
_RESERVED = ("end", "subgraph", "class", "style", "click", "graph", "flowchart")


class _Source(NamedTuple):
    """A text without comments, and what they say of charts, by place."""

    text: str
    facts: list[tuple[int, str, str]]


def _without_comments(lines: Iterable[str]) -> _Source:
    """Empty the lines that are comments, directives or stand before a chart."""
    kept: list[str] = []
    facts: list[tuple[int, str, str]] = []
    place, front, within, is_begun = 0, 0, False, False
    for line in lines:
        text, line = line.strip(), f"{line.rstrip(chr(13) + chr(10))}\n"
        is_comment = within or text[:2] == "%%"
        if within or text[:3] == "%%{":
            within = "}%%" not in text
        elif is_comment:
            if match := _FACT.fullmatch(text):
                facts.append((place, match[1], match[2]))
        elif not is_begun and text == "---":
            front, is_comment = front + 1, True
        elif front == 1:
            key, colon, value = text.partition(":")
            if colon and key == "title":
                facts.append((place, "title", value.strip().strip('"')))
            is_comment = True
        is_begun |= bool(text) and not is_comment
        kept.append("\n" if is_comment else line)
        place += len(kept[-1])
    return _Source("".join(kept), facts)


def is_mermaid(text: str) -> bool:
    """Return whether a text begins as a flowchart does."""
    head = _without_comments(text[:4000].split("\n")).text.lstrip()
    match = _BEGIN.match(head)
    return bool(match) and not _BRACKET.match(head, match.end() if match else 0)


def mermaid_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the flowcharts of a file."""
    return _Reader(_without_comments(lines), path).blocks()


class _Reader:
    """Reads the charts of a text from its beginning to its end.

    Where the end of something is not in a line or text, that is kept, so that it is not
    looked for again and again.
    """

    def __init__(self, source: _Source, path: str | None) -> None:
        self._text, self._facts = source
        self._path = path
        self._absent: dict[str, int] = {}
        self._end_of_line = -1
        self._n_facts_taken = 0
        self._network = Network()
        self._edge_ids: set[str] = set()
        self._subgraphs: set[str] = set()
        self._styled: dict[str, None] = {}
        self._line, self._counted = 1, 0

    def _number(self, at: int) -> int:
        """Return the line of a place behind those that were asked before."""
        self._line += self._text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def _error(self, reason: str, at: int) -> InputError:
        place = place_of(self._path, self._text.count("\n", 0, at) + 1)
        return InputError(f"{place}{reason}")

    def blocks(self) -> Iterator[Block]:
        """Yield each chart's block."""
        text, at, first, begin = self._text, 0, 0, 0
        while (at := self._separated(at)) < len(text):
            check()
            if opening := _BEGIN.match(text, at):
                if first:
                    yield self._block(first, text[begin:at])
                first, begin = self._number(at), at
                self._begin(at)
                at = opening.end()
            elif not first:
                raise self._error("is not a flowchart; it begins 'flowchart TD'", at)
            else:
                at = self._statement(at)
        if first:
            self._network.metadata |= self._known(at)
            yield self._block(first, text[begin:at])

    def _known(self, at: int) -> dict[str, str]:
        """Take what comments before a place say."""
        first, self._n_facts_taken = self._n_facts_taken, bisect(self._facts, (at,))
        return {
            key: value for _, key, value in self._facts[first : self._n_facts_taken]
        }

    def _begin(self, at: int) -> None:
        self._network = Network(self._known(at), items=Items(self._path))
        self._open_links = 0
        self._joined = Joined()
        self._edge_ids, self._subgraphs, self._styled = set(), set(), {}

    def _block(self, first: int, source: str) -> Block:
        network = self._network
        for name in self._styled:
            if not self._is_other(name):
                self._add(name)
        network.is_directed = not network.edges or self._open_links < len(network.edges)
        if are_numbers(network.nodes):
            for name, (label, facts) in network.nodes.items():
                network.nodes[name] = None if label == name else label, facts
        source = source.rstrip()
        return block_of(network.as_data(), first, self._path, source=source)

    def _separated(self, at: int) -> int:
        match = _SEPARATORS.match(self._text, at)
        return match.end() if match else at

    def _rest(self, at: int) -> int:
        match = _REST.match(self._text, at)
        return match.end() if match else at

    def _statement(self, at: int) -> int:
        """Read a statement, and return where it ends."""
        text = self._text
        if match := _ACCESSIBLE.match(text, at):
            self._network.left_out[STYLES] += 1
            end = text.find("}", at) if match[1] == "{" else text.find("\n", at)
            return len(text) if end < 0 else end + 1
        if match := _STYLE.match(text, at):
            self._network.left_out[STYLES] += match[0] != "direction"
            if styled := _STYLED.match(text, at):
                self._styled.setdefault(styled[1])
            return self._rest(at)
        if match := _CLICK.match(text, at):
            self._network.left_out[STYLES] += 1
            return match.end()
        if match := _SUBGRAPH.match(text, at):
            self._network.left_out[GROUPS] += 1
            self._subgraphs.add(match[1].strip())
            return self._rest(at)
        if match := _END.match(text, at):
            return match.end()
        return self._chain(at)

    def _chain(self, at: int) -> int:
        """Read nodes with links between them."""
        text = self._text
        sources, at = self._group(at)
        while True:
            begin = at
            edge_id = _EDGE_ID.match(text, at)
            link = self._link(edge_id.end() if edge_id else at)
            if link is None:
                end = self._rest(at)
                rest = text[at:end].strip()
                if rest and rest[:2] != "%%":
                    shown = shortened(repr(rest), 40)
                    raise self._error(f"has {shown}, no link", at)
                return end
            if edge_id:
                self._edge_ids.add(edge_id[1])
            both_ways, label, has_head, is_seen, at = link
            targets, at = self._group(at)
            line = self._number(begin)
            self._joined.add(len(sources), len(targets), self._path, line)
            if not is_seen:
                self._network.left_out[INVISIBLE] += len(sources) * len(targets)
            for source in sources if is_seen else ():
                for target in targets:
                    self._network.join(source, label, target)
                    self._open_links += not has_head
                    if both_ways:
                        self._network.join(target, label, source)
            sources = targets

    def _link(self, at: int) -> tuple[bool, str | None, bool, bool, int] | None:
        """Read a link: whether it goes both ways, its text, head, and its end."""
        text = self._text
        if (match := _BEGUN_LINK.match(text, at)) and text[match.end()] not in ">|":
            quoted = _QUOTED.match(text, match.end())
            ended = _ENDED_LINK[match[2]].match(text, quoted.end()) if quoted else None
            words = quoted[1] if quoted else ""
            if ended is None and (ended := self._ended(match[2], match.end())):
                words = text[match.end() : ended.start()]
            if ended and words.strip():
                label = _plain(words) or None
                return bool(match[1]), label, ended[1] is not None, True, ended.end()
        match = _LINK.match(text, at)
        if match is None:
            return None
        label, end = None, match.end()
        if piped := _PIPED.match(text, end):
            label, end = _plain(piped[1] or piped[2] or "") or None, piped.end()
        is_seen = "~~~" not in match[0]
        return bool(match[1]), label, match[2] is not None, is_seen, end

    def _blank(self, at: int) -> int:
        while self._text[at : at + 1].isspace():
            at += 1
        return at

    def _line_end(self, at: int) -> int:
        """Return where the line of a place ends."""
        if at > self._end_of_line:
            self._end_of_line = self._text.find("\n", at)
        return self._end_of_line

    def _find(self, sign: str, at: int) -> int:
        """Return where a sign is next in the line; -1 where it is not."""
        line = self._line_end(at)
        place = -1
        if self._absent.get(sign) != line:
            place = self._text.find(sign, at, line)
        if place < 0:
            self._absent[sign] = line
        return place

    def _ended(self, opening: str, at: int) -> re.Match[str] | None:
        """Find the end of a link whose text has begun, in the line."""
        line, match = self._line_end(at), None
        if self._absent.get(opening) != line:
            match = _ENDED_LINK[opening].search(self._text, at, line)
        if match is None:
            self._absent[opening] = line
        return match

    def _group(self, at: int) -> tuple[list[str], int]:
        """Read nodes with ``&`` between them, and return where they end."""
        names = []
        while True:
            name, at = self._node(at)
            if name:
                names.append(name)
            separator = _MORE.match(self._text, at)
            if separator is None:
                return names, at
            at = separator.end()

    def _node(self, at: int) -> tuple[str, int]:
        """Read a node; that of an edge's attributes has no name."""
        text = self._text
        begin = _NAME.match(text, at)
        if begin is None:
            rest = text[at : self._rest(self._blank(at))].strip() or "the end"
            shown = shortened(repr(rest), 40)
            raise self._error(f"has {shown} where a node is wanted", at)
        name, at = begin[1], begin.end()
        label, at = self._shape(at)
        while True:
            if match := _CLASS.match(text, at):
                at = match.end()
            elif text.startswith("@{", at) and (match := _FACTS.match(text, at)):
                at = match.end()
                if name in self._edge_ids or _OF_EDGE.match(match[0]):
                    self._network.left_out[STYLES] += 1
                    return "", at
                label = _label_in(match[0], label)
            else:
                break
        if label is not None:
            self._network.items.add()
            self._network.nodes[name] = _plain(label), []
        else:
            self._add(name)
        return name, at

    def _add(self, name: str) -> None:
        """Add a node that has no text of its own, unless it is there."""
        if name not in self._network.nodes:
            self._network.items.add()
            own = _HEX.sub(lambda code: chr(int(code[1], 16)), name)
            self._network.nodes[name] = own, []

    def _is_other(self, name: str) -> bool:
        """Return whether a styled name is that of a subgraph or of a link."""
        is_declared = name in self._subgraphs or name in self._edge_ids
        return is_declared or _MADE_ID.fullmatch(name) is not None

    def _shape(self, at: int) -> tuple[str | None, int]:
        """Read the text of a node in its brackets, if it has one."""
        text = self._text
        if text[at : at + 1] not in ("(", "[", "{", ">"):
            return None, at
        openings = [shape for shape in _SHAPES if text.startswith(shape[0], at)]
        for opening, closing in openings:
            begin = at + len(opening)
            quoted = _QUOTED.match(text, begin)
            if quoted and text.startswith(closing, quoted.end()):
                return quoted[1], quoted.end() + len(closing)
            quoted_text = _TEXT.match(text, begin)
            end = quoted_text.end() if quoted_text else begin
            end -= len(closing) - len(closing.lstrip("-/\\"))
            if end >= begin and text.startswith(closing, end):
                return text[begin:end], end + len(closing)
        for (
            opening,
            closing,
        ) in openings:  # brackets within a text, as models write them
            begin = at + len(opening)
            end = self._find(closing, begin)
            if end >= 0:
                return text[begin:end], end + len(closing)
        return None, at


def _plain(text: str) -> str:
    """Return a text on one line, without tags, Markdown's backquotes and entities."""
    if "\n" in text:
        text = " ".join(filter(None, map(str.strip, text.split("\n"))))
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub(" ", text))
    if "#" in text:
        text = _CODE.sub(_coded, text)
    if "&" in text:
        text = unescape(text).replace("\xa0", " ")
    return text.strip().strip("`").strip()


def _label_in(facts: str, label: str | None) -> str | None:
    """Return the label among a node's attributes, else the one that it has."""
    match = _LABEL.search(facts)
    if match is None:
        return label
    if match[3] not in ("|", ">"):
        return match[1] or match[2] or match[3]
    lines = facts[match.end() :].rstrip("}").split("\n")[1:]
    count = next(
        (k for k, label_line in enumerate(lines) if _KEY.match(label_line)), len(lines)
    )
    return "\n".join(lines[:count])


def _coded(match: re.Match[str]) -> str:
    """Return the character of one of Mermaid's codes, such as ``#9829;``."""
    entity = f"&#{match[1]};" if match[1].isdecimal() else f"&{match[1]};"
    char = unescape(entity)
    return match[0] if char == entity else char


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
