"""Which XML a text is, by its root."""

from __future__ import annotations

import re

_ROOT = re.compile(
    r"\s*(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<!DOCTYPE[^>]*>\s*)*<(?:\w+:)?(\w+)"
)


def root_of(text: str) -> str | None:
    """Return the name of the root of a text in XML; ``None`` if it is no XML."""
    found = _ROOT.match(text)
    return found and found[1]


def is_gxl(text: str) -> bool:
    """Whether a text is GXL, or a collection of files of it."""
    return root_of(text) in ("gxl", "GraphCollection")
