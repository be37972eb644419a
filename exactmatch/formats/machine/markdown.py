"""Markdown that models write around and within a graph, undone."""

from __future__ import annotations

import re

_ESCAPED = re.compile(r"\\([!-~])")
_KEPT = frozenset("\"'\\/|abfnrtuxlNGETH0123456789")
"""What has a meaning of its own behind a backslash, in JSON, DOT or a table."""

_EMPHASIS = re.compile(r"(\*{1,3}|~~|``?)(?=[^\s*~`])([^*~`\n]*)(?<=\S)\1")
_QUOTED = re.compile(r"(?:\s*>)+\s?(?=[^\s>])")
_BULLET = re.compile(
    r"(?:[-*+•‣◦▪–—]|\[[ xX]?\]|[(\[]\d{1,4}[)\]]|[A-Za-z]\))\s+"
    r"|\d{1,4}[.)](?:\s+|(?=[^\W\d]|[(\[<\"“|]))"
    r"|#{1,6}\s+"
)
_MOST_BULLETS = 3


def unescaped(text: str) -> str:
    r"""Undo the escapes of markdown, but for those that have another meaning.

    >>> print(unescaped(r'lyrics\_by(A, B) \[1\] "a\"b"'))
    lyrics_by(A, B) [1] "a\"b"

    A quotation mark is escaped by markdown where all of them are, as no text in JSON or
    PENMAN has them.

    >>> print(unescaped(r'\[\"A\", \"r\", \"B\"\]'))
    ["A", "r", "B"]
    """
    if "\\" not in text:
        return text
    if 0 < text.count('"') == text.count('\\"'):
        text = text.replace('\\"', '"')
    return _ESCAPED.sub(
        lambda m: m[0] if m[1] in _KEPT or m[1].isalpha() else m[1], text
    )


def plain_line(line: str) -> str:
    """Return a line without bullet, number, quotation mark and emphasis.

    >>> plain_line("> 2. **creator**(Arion, `Jan Duursema`)")
    'creator(Arion, Jan Duursema)'
    """
    text = line.strip()
    if match := _QUOTED.match(text):
        text = text[match.end() :]
    for _ in range(_MOST_BULLETS):
        match = _BULLET.match(text)
        if match is None:
            break
        text = text[match.end() :]
    for _ in range(_MOST_BULLETS):
        if not any(sign in text for sign in "*~`"):
            break
        text = _EMPHASIS.sub(r"\2", text)
    return text.strip()
