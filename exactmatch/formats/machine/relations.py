"""Single lines that state a triple."""

from __future__ import annotations

import re

_RELATION = re.compile(r"([^\W\d][\w.:/-]{0,99}(?: [\w.:/-]{1,99}){0,4})\((.*)\)")
_BULLET = re.compile(r"(?:[-*•]|\d{1,4}[.)])\s+")
_AROUND = " \t\"'`,;."


def relation_in(line: str) -> tuple[str, str, str] | None:
    """The triple of a line ``relation(subject, object)``, if it is one.

    The subject ends at the first comma that stands in no brackets and no quotes.

    >>> relation_in("- creator(Arion (comics), Jan Duursema)")
    ('Arion (comics)', 'creator', 'Jan Duursema')
    """
    found = _RELATION.fullmatch(_bare(line))
    if found is None:
        return None
    parts = _parts(found[2], ",", most=2)
    return None if len(parts) != 2 else (parts[0], found[1], parts[1])


def triple_in(line: str) -> tuple[str, str, str] | None:
    """The triple of a line in any form that models use, if it is one.

    >>> triple_in("2. (Arion; creator; Jan Duursema)")
    ('Arion', 'creator', 'Jan Duursema')
    """
    if relation := relation_in(line):
        return relation
    text = _bare(line)
    if text[:1] + text[-1:] in ("()", "<>", "[]"):
        text = text[1:-1]
        signs = (";", "|", ",")
    else:
        signs = ("\t", "|")
    for sign in signs:
        parts = _parts(text, sign, most=4)
        if len(parts) == 3 and all(parts):
            return parts[0], parts[1], parts[2]
    return None


def _bare(line: str) -> str:
    """A line without bullet, quotes and full stop around it."""
    return _BULLET.sub("", line.strip(), count=1).strip(_AROUND)


def _parts(text: str, sign: str, most: int) -> list[str]:
    """What stands between a sign that is in no brackets and no quotes."""
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
