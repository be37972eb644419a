"""Edits as a table.

Nodes are whatever their owner made them, so they are shown as Python writes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from exactmatch.views.tables import Column, Table

Edit: TypeAlias = tuple[str, Any, Any, float]
"""What is done, from what, to what, and its cost."""


def number(value: float) -> str:
    """Write a number as it is, without a point where it is whole."""
    whole = math.isfinite(value) and value == round(value)
    return f"{value:.0f}" if whole else f"{value:.6g}"


def changes(
    path: Sequence[tuple[Any, Any]], costs: Sequence[float]
) -> Iterator[tuple[str, Any, Any, float]]:
    """Yield the edits of a path; what is kept as it is is left out."""
    for (old, new), cost in zip(path, costs, strict=True):
        if old is None or new is None:
            yield "insert" if old is None else "delete", old, new, cost
        elif cost:
            yield "substitute", old, new, cost


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
