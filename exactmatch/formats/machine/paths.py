"""Triples with their relation on the way between: arrows, and paths of Cypher."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Triple = tuple[str, str, str]

ARROW = re.compile(r"[-=—–]{1,3}>|[→⟶⇒➔➜➝➡⟹↦]\ufe0f?|<[-—–]{1,3}(?!>)|[←⟵]")
"""Between two parts of a line; those to the left begin with < or are of one sign."""

_LEFT = "<←⟵"
_LINK = re.compile(
    r"(<)?[-—–]{1,3}[ \t]{0,4}\[([^\[\]\n]{0,300})\][ \t]{0,4}[-—–]{1,3}(>)?"
)
_NODE = re.compile(
    r"\s*(?P<variable>\w*)\s*(?P<labels>(?::\s?(?:`[^`\n]*`|[\w|&]+)\s*)*)"
    r"(?P<facts>\{.*\})?\s*",
    re.DOTALL,
)
_NAMED = ("name", "title", "label", "id", "text", "value")
_FACT = re.compile(
    r"[{,]\s*[\"'`]?(\w+)[\"'`]?\s*:\s*"
    r"(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|([^,}\"']*))"
)
_ENTRY = re.compile(
    r"(?i)\b(\w{1,60})\.(?:name|title|label|id)[ \t]{0,4}=[ \t]{0,4}"
    r"(?:\"([^\"\n]*)\"|'([^'\n]*)')"
)
_END = re.compile(r"(?<=;)\s*(?=(?:CREATE|MATCH|MERGE)\s*\()")
_LONGEST = 2000
_MOST = 50


class Node(NamedTuple):
    """A node of a path: its variable or text, its name, and how much else it has."""

    key: str
    name: str | None
    facts: int = 0


class Paths:
    """Reads lines of Cypher and of arrows; nodes keep their names.

    Attributes:
        names: the name that each variable of Cypher was given last.
        facts: how many labels and properties of nodes and relations were left out.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.facts = 0

    def learn(self, lines: Sequence[str]) -> None:
        """Note what variables are called whose name stands behind their first use."""
        for line in lines:
            for key, name in _names_in(line):
                self.names.setdefault(key, name)

    def rename(self, line: str) -> None:
        """Note what a line calls its variables: another statement may use them anew."""
        self.names.update(_names_in(line))

    def nodes_in(self, line: str) -> list[str]:
        """Return the names of the nodes that a line of Cypher creates."""
        nodes = [_node(text) for text in _groups(line)]
        self.facts += sum(node.facts for node in nodes)
        return [node.name for node in nodes if node.name is not None]

    def triples_in(self, line: str) -> list[Triple]:
        """Return the triples of a line of ``(A)-[:r]->(B)``, or ``A -[r]-> B``."""
        links = [*_LINK.finditer(line)]
        triples: list[Triple] = []
        for number, link in enumerate(links):
            begin = links[number - 1].end() if number else 0
            end = links[number + 1].start() if number + 1 < len(links) else len(line)
            left = self._end(_last(line[begin : link.start()]))
            right = self._end(_first(line[link.end() : end]))
            label, further_triples = _relation(link[2])
            self.facts += further_triples
            is_left = link[1] is not None and link[3] is None
            ends = (right, left) if is_left else (left, right)
            triples.append((ends[0], label, ends[1]))
        return triples

    def _end(self, text: str) -> str:
        is_group = text[:1] == "("
        if not is_group:
            return text.strip("[]<> \t\"'`,;.")
        node = _node(text[1:-1])
        self.facts += node.facts
        if node.name is not None:
            return node.name
        return self.names.get(node.key, node.key)


def _names_in(line: str) -> Iterator[tuple[str, str]]:
    """Yield variables with their names: ``(a:Song {name: …})``, ``a.name = …``."""
    for key, *values in _ENTRY.findall(line):
        yield key, "".join(values)
    if "{" in line and "(" in line:
        for text in _groups(line):
            node = _node(text)
            if node.name is not None:
                yield node.key, node.name


def statements_of(line: str) -> list[str]:
    """Return the statements of Cypher that stand on one line."""
    return _END.split(line)


def _groups(line: str) -> list[str]:
    """Return the contents of the outermost round brackets of a line."""
    groups, depth, start, quote = list[str](), 0, 0, ""
    for place, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote and line[place - 1] != "\\" else quote
        elif depth and sign == '"':
            quote = sign
        elif sign == "(":
            depth += 1
            start = place + 1 if depth == 1 else start
        elif sign == ")" and depth:
            depth -= 1
            if not depth:
                groups.append(line[start:place])
    return groups


def _last(text: str) -> str:
    """Return the end of a path that a text ends with."""
    text = text.rstrip()
    if text[-1:] != ")":
        return text.rpartition(",")[2].strip() if "(" in text else text.strip()
    depth = 0
    for place in range(len(text) - 1, max(-1, len(text) - _LONGEST), -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if not depth:
            return text[place:]
    return text.strip("()")


def _first(text: str) -> str:
    """Return the end of a path that a text begins with."""
    text = text.lstrip()
    if text[:1] != "(":
        return text
    depth = 0
    for place, sign in enumerate(text[:_LONGEST]):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return text[: place + 1]
    return text.strip("()")


def _node(text: str) -> Node:
    """Return the node in brackets: ``a``, ``a:Song {name: 'x'}``, or any name."""
    stripped = text.strip()
    match = _NODE.fullmatch(stripped[:_LONGEST])
    is_cypher = match and (match["facts"] or _has_labels(stripped))
    if not match or not is_cypher:
        unquoted = stripped.strip("\"'`")
        return Node(unquoted, None)
    labels = len(re.findall(r":", match["labels"]))
    if not match["facts"]:
        label = match["labels"].strip(": `")
        return Node(match["variable"] or label, None, labels)
    facts = {
        key.lower(): next(filter(None, values), "").strip()
        for key, *values in _FACT.findall(match["facts"])
    }
    key = next((key for key in _NAMED if facts.get(key)), None)
    if key is None:
        name = match["variable"] or next(filter(None, facts.values()), stripped)
        return Node(name, None, labels + len(facts))
    name = re.sub(r"\\(.)", r"\1", facts[key])
    return Node(match["variable"] or name, name, labels + len(facts) - 1)


def _has_labels(text: str) -> bool:
    """Return whether a text is ``variable:Label``, not a name with a colon."""
    return re.fullmatch(r"\w*(?::(?:`[^`]*`|\w+))+", text) is not None


def _relation(text: str) -> tuple[str, int]:
    """Return the type of a relation in brackets, and the number of other parts."""
    label, brace, rest = text.partition("{")
    _, colon, kind = label.partition(":")
    label = (kind if colon else label).strip(" \t\"'`*")
    return label, rest.count(":") if brace else 0


# ------------------------------------------------------------------------ arrows


def arrows_in(line: str) -> Triple | None:
    """Return the triple of ``A -> r -> B``, ``A --r--> B`` or ``A - r -> B``.

    >>> arrows_in("Azzurro -> composer -> Paolo Conte")
    ('Azzurro', 'composer', 'Paolo Conte')
    >>> arrows_in("Azzurro --composer--> Paolo Conte")
    ('Azzurro', 'composer', 'Paolo Conte')
    """
    parts = _arrows(line)
    return None if parts is None else (parts[0], parts[1], parts[2])


def _arrows(line: str) -> list[str] | None:
    """Return the source, the label and the target of a line of arrows."""
    signs = _outside_quotes(line)
    if len(signs) == 2:
        first, second = signs
        between = line[first.end() : second.start()]
        parts = [line[: first.start()], between, line[second.end() :]]
        is_left = [sign[0][0] in _LEFT for sign in signs]
        if is_left[1] and not is_left[0]:
            return None
        return [part.strip() for part in (parts[::-1] if is_left[1] else parts)]
    if len(signs) != 1:
        return None
    (sign,) = signs
    before, after = line[: sign.start()], line[sign.end() :]
    if sign[0][0] in _LEFT:  # A <-- r -- B
        label, link, target = _parted(after, last=False)
        parts = [target, label, before]
    else:
        source, link, label = _parted(before, last=True)
        parts = [source, label, after]
    return [part.strip() for part in parts] if link else None


_DASHES = re.compile(r"(?<=\s)[-—–]{1,3}|(?<=[^\s-])(?:--|—)-?")


def _parted(text: str, *, last: bool) -> tuple[str, str, str]:
    """Part a text at its first or last dash that can be the tail of an arrow."""
    dashes = [*_DASHES.finditer(text)]
    if not last:
        dashes = [*re.finditer(r"(?:--|[—–]{1,2})-?|[-—–]{1,3}(?=\s)", text)]
    if not dashes:
        return text, "", ""
    dash = dashes[-1 if last else 0]
    return text[: dash.start()], dash[0], text[dash.end() :]


def _outside_quotes(line: str) -> Sequence[re.Match[str]]:
    """Return the arrows of a line that are outside quotes."""
    arrows = [*ARROW.finditer(line)]
    if not 0 < len(arrows) < _MOST or line.count('"') % 2:
        return arrows
    return [sign for sign in arrows if line.count('"', 0, sign.start()) % 2 == 0]
