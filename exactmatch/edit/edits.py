"""Edits, and the names of what they change.

Nodes are whatever their owner made them, so they are shown as Python writes them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

Edit: TypeAlias = tuple[str, Any, Any, float]
"""What is done, from what, to what, and its cost."""


def number(value: float) -> str:
    """Write a number as it is, without a point where it is whole."""
    whole = math.isfinite(value) and value == round(value)
    return f"{value:.0f}" if whole else f"{value:.6g}"


def named(edits: Iterable[Edit]) -> Iterator[tuple[str, str, str, float]]:
    """Return edits with the names of nodes and edges; ``-`` stands for none."""
    for edit, old, new, cost in edits:
        yield edit, _name(old), _name(new), cost


def _name(thing: Any) -> str:
    if thing is None:
        return "-"
    if isinstance(thing, tuple):
        return "(" + ", ".join(map(str, thing)) + ")"
    return str(thing)
