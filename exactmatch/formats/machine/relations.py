"""Triples as ``relation(subject, object)``, in lines and between words."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DIGITS = r"(?:\d{1,9}(?=[^\W\d]))"
"""What a name may begin with, before its first letter, as in ``1stRunway``."""

_NAME = (
    rf"{_DIGITS}?[^\W\d][\w./-]{{0,99}}(?::[\w./-]{{1,99}})*"
    r"(?: (?![./-]{1,99} )[\w./-]{1,99}){0,4}"
)
_BEGIN = re.compile(rf"({_NAME})\(")
_BETWEEN = re.compile(r"[\s,;.\"'`|$&\[\]{}，；、。]*(?:and\s+)?", re.IGNORECASE)
_INTRODUCED = re.compile(rf"[^()]{{0,80}}:\s+\$*(?={_NAME}\()")
_BULLET = re.compile(r"(?:[-*•]|\d{1,4}[.)])\s+")
_AROUND = " \t\"'`,;.$|，；、。"
_CALL = re.compile(
    rf"(?<![\w$\\])(?<![^\d\s]\.)((?:{_DIGITS}|[^\W\d])[\w/-]{{1,99}})\("
)
"""A name of one word, neither of TeX nor of a method, that begins a relation."""

_LONGEST = 200
"""How long the two ends of a relation between words are together."""


def relation_in(line: str) -> tuple[str, str, str] | None:
    """Return the triple of a line ``relation(subject, object)``, if it is one.

    The subject ends at the first comma that stands in no brackets and no quotes.  A
    relation with an empty end is none.

    >>> relation_in("- creator(Arion (comics), Jan Duursema)")
    ('Arion (comics)', 'creator', 'Jan Duursema')
    """
    triples = relations_in(line)
    return triples[0] if len(triples) == 1 and has_ends(triples[0]) else None


def has_ends(triple: tuple[str, str, str]) -> bool:
    """Return whether neither end of a triple is empty.

    >>> has_ends(("a", "r", "b")), has_ends(("a", "r", ""))
    (True, False)
    """
    return bool(triple[0] and triple[2])


def relations_in(line: str) -> list[tuple[str, str, str]]:
    """Return the triples of a line of relations alone; none for any other line.

    An end may be empty.

    >>> len(relations_in("Output: type(Auburn, City), state(Auburn, Alabama)."))
    2
    """
    text = _bare(line).strip("[]{}")
    if match := _INTRODUCED.match(text):
        text = text[match.end() :].lstrip("[{")
    triples, at = [], 0
    while at < len(text):
        begin = _BEGIN.match(text, at)
        end = begin and closing(text, begin.end())
        if not begin or not end:
            return []
        parts = parts_of(text[begin.end() : end], ",", limit=2)
        if len(parts) != 2:
            return []
        triples.append((parts[0], begin[1], parts[1]))
        between = _BETWEEN.match(text, end + 1)
        at = between.end() if between else end + 1
    return triples


def relations_between(text: str) -> list[tuple[str, str, str]]:
    """Return the relations that stand between words, each behind a name of one word.

    An end may be empty.

    >>> relations_between('It lacks "starring(Bolt, Hulk)", as f(x) does.')
    [('Bolt', 'starring', 'Hulk')]
    """
    triples, at = [], 0
    while begin := _CALL.search(text, at):
        at = begin.end()
        part = text[at : at + _LONGEST]
        end = closing(part, 0)
        if end is None or part[end] != ")":
            continue
        parts = parts_of(part[:end], ",", limit=2)
        if len(parts) == 2:
            triples.append((parts[0], begin[1], parts[1]))
            at += end
    return triples


def _bare(line: str) -> str:
    """Return a line without bullet, quotes and full stop around it.

    >>> _bare("1. season(1. FC Magdeburg, 2014 3. Liga).")
    'season(1. FC Magdeburg, 2014 3. Liga)'
    """
    text = line.strip()
    bullet = _BULLET.match(text)
    return text[bullet.end() if bullet else 0 :].strip(_AROUND)


def closing(text: str, at: int, pair: str = "()") -> int | None:
    """Return the place of the bracket that closes one that is open before a place.

    Where none does, it is the last sign of the text, if that is such a bracket.
    """
    depth = 1
    for place, sign in _outside_quotes(text, at):
        depth += (sign == pair[0]) - (sign == pair[1])
        if not depth:
            return place
    # a quote or a bracket is never closed
    return len(text) - 1 if text[-1:] == pair[1] else None


def parts_of(text: str, sign: str, limit: int) -> list[str]:
    """Return the parts of a text between a sign outside of brackets and quotes."""
    parts, start, depth = list[str](), 0, 0
    for at, character in _outside_quotes(text, 0):
        depth += (character in "([") - (character in ")]")
        if character == sign and depth <= 0 and len(parts) < limit - 1:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip().strip('"').strip() for part in (*parts, text[start:])]


def _outside_quotes(text: str, begin: int) -> Iterator[tuple[int, str]]:
    """Yield the signs outside quotes, each behind its place.

    A quote without a partner is a sign like any other.
    """
    quote = False
    for place in range(begin, len(text)):
        if text[place] != '"':
            if not quote:
                yield place, text[place]
        elif quote or text.find('"', place + 1) >= 0:
            quote = not quote
        else:
            yield place, text[place]
