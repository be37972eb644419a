r"""DOT, the language of Graphviz, read in one pass.

A node is called by its ``label``, else by its name.  Subgraphs and clusters are
dissolved: their nodes stay, and an edge to one leads to each of its nodes, as Graphviz
draws it.  Of the attributes that all nodes or edges are given, the label is taken and
the rest, which is style, is not; neither are ports and attributes of graphs.  What is
left out is counted.

A name of HTML, ``<a>``, is another one than ``"<a>"``.  The file is UTF-8, or Latin-1
if its ``charset`` says so.  A backslash in quotes stays, as in ``\n`` and ``\l``,
unless a quote or the end of a line follows it; the label ``\N`` is the node's name.

Source: Graphviz' documentation, "DOT Language", https://graphviz.org/doc/info/lang.html
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, TypeAlias

from exactmatch.base.deadline import in_time
from exactmatch.base.errors import InputError, place_of, shortened
from exactmatch.formats.items import Items
from exactmatch.formats.network_texts import Joined, NamedGraph, add_edge, empty
from exactmatch.formats.remarks import DEFAULTS, GRAPH_FACTS, GROUPS, PORTS

_LETTER = r"A-Za-z_\x80-\U0010ffff"
_TOKEN = re.compile(
    rf"(?P<blank>[\s\ufeff]+|//[^\n]*)|(?P<name>[{_LETTER}][{_LETTER}0-9]*)"
    r"|(?P<number>-?(?:\.\d+|\d+(?:\.\d*)?))|(?P<sign>->|--|[{}\[\];,=:+])"
    r"|(?P<string>\")|(?P<html><)|(?P<comment>/\*)|(?P<line>\#)"
)
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_ANGLE = re.compile(r"[<>]")
_ESCAPED = re.compile(r'\\(\\|"|\r?\n)')
_NAME_AS_LABEL = r"\N"

_DEEPEST = 100
"""How deep subgraphs nest: a node is noted in each of those around it."""


class _Html(str):
    """A name in angle brackets, with them."""


class _Token:
    """A token: its kind, its text without quotes, and where it begins."""

    __slots__ = ("begin", "kind", "text")

    def __init__(self, kind: str, text: str, begin: int) -> None:
        self.kind, self.text, self.begin = kind, text, begin

    def is_sign(self, *signs: str) -> bool:
        """Return whether it is one of some signs, or a keyword without quotes."""
        if self.kind == "name":
            return self.text.lower() in signs
        return self.kind == "sign" and self.text in signs


def _unquoted(text: str) -> str:
    """Return the text between quotes, in which a backslash escapes a quote."""

    def char(match: re.Match[str]) -> str:
        return {'"': '"', "\\": "\\\\"}.get(match[1], "")

    return _ESCAPED.sub(char, text[1:-1]) if "\\" in text else text[1:-1]


_Nodes: TypeAlias = Collection[str]
"""One node, or those of a subgraph."""

_Name: TypeAlias = tuple[str, bool]
"""A name, and whether it is one of HTML."""


def _identified(name: str | None) -> _Name:
    return name or "", isinstance(name, _Html)


class _Group:
    """A graph or subgraph while it is read.

    Attributes:
        nodes: the names of its nodes, in order.
        defaults: the labels that nodes and edges have where they state none.
        ends: the nodes that the current statement has joined so far.
    """

    def __init__(self, defaults: dict[str, str]) -> None:
        self.nodes: dict[str, None] = {}
        self.defaults = dict(defaults)
        self.ends: list[_Nodes] = []


class _Reader:
    """Reads the graphs of a text."""

    def __init__(self, text: str, path: str) -> None:
        self._text, self._path = text, path
        self._tokens = iter(in_time(self._scan()))
        self._items = Items(path)
        self._ahead: list[_Token] = []
        self._last = 0  # where the token begins that was read last

    def _error(self, reason: str, begin: int | None = None) -> InputError:
        at = self._last if begin is None else begin
        line = self._text.count("\n", 0, at) + 1
        return InputError(f"{place_of(self._path, line)}is not DOT: {reason}")

    # ------------------------------------------------------------------- tokens

    def _scan(self) -> Iterator[_Token]:
        text, at = self._text, 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            kind = "" if token is None else str(token.lastgroup)
            begin, at = at, at + 1 if token is None else token.end()
            if kind == "comment":
                at = text.find("*/", at) + 2
                if at < 2:
                    raise self._error("a comment is not closed", begin)
            elif kind == "line" and text.rfind("\n", 0, begin) + 1 == begin:
                end = text.find("\n", at)  # of the preprocessor
                at = len(text) if end < 0 else end
            elif kind == "string":
                closed = _STRING.match(text, begin)
                if closed is None:
                    raise self._error("a quote is not closed", begin)
                at = closed.end()
                yield _Token(kind, _unquoted(closed[0]), begin)
            elif kind == "html":
                at = self._html_end(at)
                yield _Token("string", _Html(text[begin:at]), begin)
            elif kind in ("", "line"):
                raise self._error(f"{text[begin]!r} is not a sign of it", begin)
            elif kind != "blank":
                yield _Token(kind, text[begin:at], begin)

    def _html_end(self, begin: int) -> int:
        depth = 1
        for bracket in _ANGLE.finditer(self._text, begin):
            depth += 1 if bracket[0] == "<" else -1
            if not depth:
                return bracket.end()
        raise self._error("a '<' is not closed", begin - 1)

    def _next(self) -> _Token:
        token = self._peek()
        self._ahead.clear()
        self._last = token.begin
        return token

    def _peek(self) -> _Token:
        if not self._ahead:
            end = _Token("end", "the end", len(self._text.rstrip()))
            self._ahead.append(next(self._tokens, end))
        return self._ahead[-1]

    def _takes(self, *signs: str) -> str | None:
        """Pass over one of some signs if it comes next, and return it."""
        return self._next().text.lower() if self._peek().is_sign(*signs) else None

    def _wants(self, sign: str) -> None:
        token = self._next()
        if not token.is_sign(sign):
            shown = shortened(repr(token.text), 40)
            raise self._error(f"{shown} stands where {sign!r} is wanted", token.begin)

    def _name(self) -> str:
        """Read a name, whose quoted parts may be joined with ``+``."""
        token = self._next()
        if token.kind not in ("name", "number", "string"):
            shown = shortened(repr(token.text), 40)
            raise self._error(f"{shown} stands where a name is wanted", token.begin)
        parts = [token.text]
        while token.kind == "string" and self._takes("+"):
            token = self._next()
            if token.kind != "string":
                raise self._error("a '+' has no quoted text behind it", token.begin)
            parts.append(token.text)
        return "".join(parts) if len(parts) > 1 else token.text

    # ------------------------------------------------------------------- graphs

    def graphs(self, stem: str | None) -> Iterator[NamedGraph]:
        """Yield the graphs of the text."""
        while self._peek().kind != "end":
            if not self._takes(";"):
                yield self._graph(stem)

    def _graph(self, stem: str | None) -> NamedGraph:
        is_strict = self._takes("strict") is not None
        kind = self._takes("graph", "digraph")
        if kind is None:
            self._wants("graph")
        name = stem if self._peek().is_sign("{") else self._name()
        self._wants("{")
        self._graph_made = empty(kind == "digraph", multiple=not is_strict)
        self._link = "->" if kind == "digraph" else "--"
        self._left_out: Counter[str] = Counter()
        self._groups: dict[_Name, dict[str, None]] = {}
        self._keys: dict[_Name, str] = {}
        self._renamed: dict[str, str] = {}
        self._joined = Joined()
        self._open = [_Group({})]
        while self._open:
            self._statement(self._open[-1])
        return NamedGraph(name or stem, self._graph_made, self._left_out)

    def _statement(self, group: _Group) -> None:
        """Read on by a statement, or by the part of one up to a subgraph."""
        token = self._peek()
        if token.kind == "end":
            raise self._error("a '{' is not closed", token.begin)
        if self._takes("}"):
            self._close()
        elif self._takes(";"):
            pass
        elif self._takes("{"):
            self._begin(group, None)
        elif self._takes("subgraph"):
            name = None if self._peek().is_sign("{") else self._name()
            if self._takes("{"):
                self._begin(group, name)
            else:
                self._behind_end(group, self._groups.setdefault(_identified(name), {}))
        elif kind := self._takes("graph", "node", "edge"):
            self._defaults(group, kind)
        else:
            self._node_or_fact(group)

    def _node_or_fact(self, group: _Group) -> None:
        name = self._name()
        if self._takes("="):
            self._name()
            self._left_out[GRAPH_FACTS] += 1
            return
        if self._peek().is_sign(":"):
            self._left_out[PORTS] += 1
        while self._takes(":"):  # the port, and perhaps its side
            self._name()
        key = self._node(name, group)
        for one in self._open:
            one.nodes.setdefault(key)
        self._behind_end(group, [key], is_node=True)

    def _node(self, name: str, group: _Group) -> str:
        """Return the key of a node, which is added if it is new."""
        graph, identified = self._graph_made, _identified(name)
        if identified not in self._keys:
            self._items.add()
            key = str(name)
            while key in graph:
                key += "'"
            if key != name:
                self._renamed[key] = str(name)
            self._keys[identified] = key
            graph.add_node(key, label=group.defaults.get("node", _NAME_AS_LABEL))
            self._use_name(key)
        return self._keys[identified]

    def _use_name(self, key: str) -> None:
        """Call a node by its name if its label says so."""
        own = self._graph_made.nodes[key]
        if own.get("label") == _NAME_AS_LABEL:
            del own["label"]
            if key in self._renamed:
                own["label"] = self._renamed[key]

    def _behind_end(self, group: _Group, nodes: _Nodes, is_node: bool = False) -> None:
        """Note an end of an edge, and end the statement unless an edge follows."""
        group.ends.append(nodes)
        if link := self._takes("->", "--"):
            if link != self._link:
                kind = "graph" if self._link == "--" else "digraph"
                raise self._error(f"{link!r} is not an edge of a {kind}")
            return
        facts = self._facts()
        if len(group.ends) > 1:
            label = group.defaults.get("edge")
            facts = facts if label is None else {"label": label, **facts}
            for sources, targets in pairwise(group.ends):
                self._join(sources, targets, facts)
        elif is_node:
            (key,) = nodes
            self._graph_made.nodes[key].update(facts)
            self._use_name(key)
        else:
            self._left_out[GRAPH_FACTS] += len(facts)
        group.ends = []

    def _join(
        self, sources: _Nodes, targets: _Nodes, facts: dict[str, str | None]
    ) -> None:
        self._joined.add(len(sources), len(targets), self._path)
        for source in sources:
            for target in targets:
                self._items.add()
                add_edge(self._graph_made, source, target, facts)

    def _facts(self) -> dict[str, str | None]:
        """Read lists of attributes."""
        facts: dict[str, str | None] = {}
        while self._takes("["):
            while not self._takes("]"):
                key = self._name()
                facts[key] = self._name() if self._takes("=") else None
                self._takes(",", ";")
        return facts

    def _defaults(self, group: _Group, kind: str) -> None:
        facts: dict[str, Any] = self._facts()
        if kind == "graph":
            self._left_out[GRAPH_FACTS] += len(facts)
            return
        label = facts.pop("label", None)
        if label == _NAME_AS_LABEL:
            group.defaults.pop(kind, None)
        elif label is not None:
            group.defaults[kind] = label
        self._left_out[DEFAULTS] += len(facts)

    def _begin(self, group: _Group, name: str | None) -> None:
        self._left_out[GROUPS] += 1
        if len(self._open) > _DEEPEST:
            raise self._error(f"subgraphs nest more than {_DEEPEST} deep")
        inner = _Group(group.defaults)
        if name is not None:
            inner.nodes = self._groups.setdefault(_identified(name), inner.nodes)
        self._open.append(inner)

    def _close(self) -> None:
        inner = self._open.pop()
        if inner.ends:
            raise self._error("an edge has no second end")
        if self._open:
            self._behind_end(self._open[-1], inner.nodes)


def dot(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read the graphs of a text in DOT.

    Raises:
        InputError: if it is not DOT, or joins groups with too many edges.
    """
    yield from _Reader(text, path).graphs(stem)
