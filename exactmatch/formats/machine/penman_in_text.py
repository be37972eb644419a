"""Graphs in PENMAN among words, which have slashes in brackets, too."""

from __future__ import annotations

import re

NODE = re.compile(r"\(\s*[^\s()\"/:]+\s*/\s*(?:\"[^\"\n]{0,200}\"|[^\s()\"]+)")
"""Where a node of PENMAN begins, or words in brackets with a slash."""

_INNER = re.compile(r"\s*(?::[A-Za-z]|\(\s*[^\s()\"/:]+\s*/)")
_SHORT = re.compile(
    r"\(\s*[A-Za-z](?:\w{0,6}\d\w{0,3})?\s+/\s+(?:\"[^\"\n]{0,200}\"|[^\s()\"]+)\s*[):(]"
)
_BLANKS = re.compile(r"\s/\s")
_END = re.compile(r"\s*\)[ \t.*`]{0,9}(?:\n|\Z)|\s*\Z")


def beginning_of_penman(text: str) -> tuple[int | None, bool]:
    """Return where a graph in PENMAN begins, and whether that is sure.

    It is where a node has a role or another node in it, or has blanks and is alone in
    its line or behind a colon.  Else it may be a node that is alone there, or one with
    blanks and a short variable; others are words, such as ``(km/s)`` and ``(and/or)``.

    >>> beginning_of_penman("At 3 (km/s): (g/go :ARG0 (b/boy))")
    (13, True)
    >>> beginning_of_penman("The TI (TI-99/4A), and/or (he / she).")
    (None, False)
    """
    perhaps = None
    for node in NODE.finditer(text):
        is_alone = _is_alone(node)
        if _INNER.match(text, node.end()) or (is_alone and _BLANKS.search(node[0])):
            return node.start(), True
        if perhaps is None and (is_alone or _SHORT.match(text, node.start())):
            perhaps = node.start()
    return perhaps, False


def _is_alone(node: re.Match[str]) -> bool:
    """Return whether a node in brackets is all of a line, or of what a colon names."""
    text = node.string
    before = text[max(0, node.start() - 40) : node.start()].rstrip(" \t*`")
    return before[-1:] in ("", "\n", ":") and bool(_END.match(text, node.end()))
