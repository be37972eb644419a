"""Edits as a table.

Nodes are whatever their owner made them, so they are shown as Python writes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from exactmatch.views.tables import Column, Table

Edit: TypeAlias = tuple[str, Any, Any, float]
"""What is done, from what, to what, and its cost."""


def number(value: float) -> str:
    """Write a number as it is, without a point where it is whole."""
    whole = math.isfinite(value) and value == round(value)
    return f"{value:.0f}" if whole else f"{value:.6g}"


def edits_table(
    edits: Iterable[Edit], title: str = "", short: Callable[[str], str] = str
) -> Table:
    """Return edits in a table.

    Args:
        edits: the edits.
        title: its title.
        short: makes the names of nodes and edges fit.
    """
    rows = [
        {"edit": edit, "from": short(_name(old)), "to": short(_name(new)), "cost": cost}
        for edit, old, new, cost in edits
    ]
    columns = (
        Column("edit", "edit"),
        Column("from", "from"),
        Column("to", "to"),
        Column("cost", "cost", number),
    )
    return Table(title, columns, rows)


def _name(thing: Any) -> str:
    if thing is None:
        return "-"
    if isinstance(thing, tuple):
        return "(" + ", ".join(map(str, thing)) + ")"
    return str(thing)
