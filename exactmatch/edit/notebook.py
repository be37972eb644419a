"""Edit distances and common subgraphs in a line, or in HTML.

Nodes are whatever their owner made them, so they are shown as Python writes them,
shortened and escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

_SHOWN = 50
"""So many edits are listed; of long paths the count says the rest."""

_LONGEST = 60
"""Characters of a node's name that are shown."""


def number(value: float) -> str:
    """A number as it is, without a point where it is whole."""
    whole = math.isfinite(value) and value == round(value)
    return f"{value:.0f}" if whole else f"{value:.6g}"


def edits_html(line: str, edits: Sequence[tuple[str, Any, Any, float]]) -> str:
    """The line, and edits as a table: kind, from, to, cost."""
    parts = [f"<p>{escape(line)}</p>"]
    if edits:
        rows = "".join(_row(*edit) for edit in edits[:_SHOWN])
        heads = "".join(f"<th>{head}</th>" for head in ("edit", "from", "to", "cost"))
        parts.append(
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )
    if len(edits) > _SHOWN:
        parts.append(f"<p>and {len(edits) - _SHOWN:,} more</p>")
    return "".join(parts)


def changes(
    path: Sequence[tuple[Any, Any]], costs: Sequence[float]
) -> Iterator[tuple[str, Any, Any, float]]:
    """The edits of a path; what is kept as it is is left out."""
    for (old, new), cost in zip(path, costs, strict=True):
        if old is None or new is None:
            yield "insert" if old is None else "delete", old, new, cost
        elif cost:
            yield "substitute", old, new, cost


def _row(edit: str, old: Any, new: Any, cost: float) -> str:
    cells = (edit, _name(old), _name(new), number(cost))
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _name(thing: Any) -> str:
    if thing is None:
        return "-"
    text = repr(thing)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def counted(count: int, what: str) -> str:
    """Write a number with its noun: ``1 node``, ``3,000 nodes``."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
