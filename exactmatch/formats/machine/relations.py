"""Single lines that state triples, in any form that models use."""

from __future__ import annotations

import re

_NAME = r"[^\W\d][\w./-]{0,99}(?::[\w./-]{1,99})*(?: [\w./-]{1,99}){0,4}"
_BEGIN = re.compile(rf"({_NAME})\(")
_BETWEEN = re.compile(r"[\s,;.\"'`]*")
_INTRODUCED = re.compile(rf"[^()]{{0,80}}:\s+(?={_NAME}\()")
_BULLET = re.compile(r"(?:[-*•]|\d{1,4}[.)])\s+")
_AROUND = " \t\"'`,;."


def relation_in(line: str) -> tuple[str, str, str] | None:
    """The triple of a line ``relation(subject, object)``, if it is one.

    The subject ends at the first comma that stands in no brackets and no quotes.

    >>> relation_in("- creator(Arion (comics), Jan Duursema)")
    ('Arion (comics)', 'creator', 'Jan Duursema')
    """
    found = relations_in(line)
    return found[0] if len(found) == 1 else None


def relations_in(line: str) -> list[tuple[str, str, str]]:
    """The triples of a line of such relations alone; none of any other line.

    >>> len(relations_in("Output: type(Auburn, City), state(Auburn, Alabama)."))
    2
    """
    text = _bare(line).strip("[]{}")
    if found := _INTRODUCED.match(text):
        text = text[found.end() :].lstrip("[{")
    triples, at = [], 0
    while at < len(text):
        begin = _BEGIN.match(text, at)
        end = begin and _closing(text, begin.end())
        if not begin or not end:
            return []
        parts = _parts(text[begin.end() : end], ",", most=2)
        if len(parts) != 2:
            return []
        triples.append((parts[0], begin[1], parts[1]))
        between = _BETWEEN.match(text, end + 1)
        at = between.end() if between else end + 1
    return triples


def triples_in(line: str) -> list[tuple[str, str, str]]:
    """The triples of a line in any form that models use.

    >>> triples_in("2. (Arion; creator; Jan Duursema)")
    [('Arion', 'creator', 'Jan Duursema')]
    """
    if relations := relations_in(line):
        return relations
    text, signs = _bare(line), "\t|"
    if text[:1] + text[-1:] in ("()", "<>", "[]"):
        text, signs = text[1:-1], ";|,"
    for sign in signs:
        parts = _parts(text, sign, most=4)
        if len(parts) == 3 and all(parts):
            return [(parts[0], parts[1], parts[2])]
    return []


def _bare(line: str) -> str:
    """A line without bullet, quotes and full stop around it."""
    return _BULLET.sub("", line.strip(), count=1).strip(_AROUND)


def _closing(text: str, at: int) -> int | None:
    """The place of the bracket that closes one that is open."""
    depth, quote = 1, False
    for place in range(at, len(text)):
        one = text[place]
        if one == '"':
            quote = not quote
        elif one in "()" and not quote:
            depth += 1 if one == "(" else -1
            if not depth:
                return place
    # a quote or a bracket is never closed
    return len(text) - 1 if text[-1:] == ")" else None


def _parts(text: str, sign: str, most: int) -> list[str]:
    """The parts of a text between a sign that is in no brackets and no quotes."""
    parts, begun, depth, quote = list[str](), 0, 0, False
    for at, one in enumerate(text):
        if one == '"':
            quote = not quote
        elif quote:
            continue
        elif one in "([":
            depth += 1
        elif one in ")]":
            depth -= 1
        elif one == sign and depth <= 0 and len(parts) < most - 1:
            parts.append(text[begun:at])
            begun = at + 1
    return [part.strip().strip('"').strip() for part in (*parts, text[begun:])]
