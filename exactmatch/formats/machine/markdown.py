"""Markdown that models write around and within a graph, undone."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

_ESCAPED = re.compile(r"\\([!-~])")
_KEPT = frozenset("\"'\\/|abfnrtuxlNGETH0123456789")
"""What has a meaning of its own behind a backslash, in JSON, DOT or a table."""

_EMPHASIS = re.compile(r"(\*{1,3}|~~|``?)(?=[^\s*~`])([^*~`\n]*)(?<=\S)\1")
_QUOTED = re.compile(r"(?:\s*>)+\s?(?=[^\s>])")
_BULLET = re.compile(
    r"(?:[-*+•‣◦▪–—]|\[[ xX]?\]|[(\[]\d{1,4}[)\]]|[A-Za-z]\))\s+"
    r"|\d{1,4}[.)](?:\s+|(?=[^\W\d]|[(\[<\"“|（【]))|（\d{1,4}）|\d{1,4}、"
    r"|#{1,6}\s+"
)
_NUMBER = re.compile(r"(?:\d{1,4}[.):]|\(\d{1,4}\))\s+")
_MOST_BULLETS = 3


_HEADING = re.compile(r"(#{1,6})[ \t]")
_RULE = re.compile(r"[ \t]*(?:-[ \t]*){3,}$")
_OF_RULE = 7  # the level of a rule, below all headings


def sections(text: str) -> list[tuple[int, str]]:
    r"""Return the sections of a page, each with the number of its first line.

    Their headings are of the level that most headings have; without two headings of a
    level, or rules between them, there is no section.

    >>> sections("# A\n## 1\nfirst\n## 2\nsecond")
    [(2, '## 1\nfirst'), (4, '## 2\nsecond')]
    """
    lines = text.split("\n")
    headings: list[tuple[int, int]] = []  # a level, and the place of its line
    is_fenced = False
    for place, line in enumerate(lines):
        if is_fence(line):
            is_fenced = not is_fenced
        elif not is_fenced and (heading := _HEADING.match(line)):
            headings.append((len(heading[1]), place))
        elif not is_fenced and _RULE.match(line) and not lines[place - 1].strip():
            headings.append((_OF_RULE, place))
    levels = Counter(level for level, _ in headings)
    often = max(levels.values(), default=0)
    level = min((one for one, n in levels.items() if n == often), default=0)
    if level == _OF_RULE:
        headings.insert(0, (_OF_RULE, 0))
    elif often < 2:
        return []
    heads = [(own, place) for own, place in headings if own <= level]
    parts = [
        (place + 1, "\n".join(lines[place:end]))
        for (own, place), (_, end) in pairwise([*heads, (0, len(lines))])
        if own == level
    ]
    if level == _OF_RULE:  # one may also stand before the first, or behind the last
        ends_of_page = (parts[:1], parts[-1:])
        bare = [part for part, *_ in ends_of_page if not part[1].strip(" \t\n-")]
        parts = [part for part in parts if part not in bare]
    return parts


def is_fence(line: str) -> bool:
    """Return whether a line begins or ends a block of code.

    A backquote behind the three says that it is code within a line.
    """
    last = line.rfind("`")
    return line.startswith("```", last - 2) if last > 1 else "~~~" in line


def unescaped(text: str) -> str:
    r"""Undo the escapes of markdown, except those that have another meaning.

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
    >>> plain_line("**2.** (Arion, creator, Jan Duursema)")
    '(Arion, creator, Jan Duursema)'
    """
    text = line.strip()
    if match := _QUOTED.match(text):
        text = text[match.end() :]
    for _ in range(_MOST_BULLETS):
        match = _BULLET.match(text)
        if match is None:
            break
        text = text[match.end() :]
    is_emphasised = text[:1] == "*"
    for _ in range(_MOST_BULLETS):
        if not any(sign in text for sign in "*~`"):
            break
        text = _EMPHASIS.sub(r"\2", text)
    if is_emphasised and (match := _NUMBER.match(text)):
        text = text[match.end() :]
    return text.strip()
