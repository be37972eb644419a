"""What edit distances and common subgraphs say of themselves: a line, or HTML.

Nodes are whatever their owner made them, so they are shown as Python writes them,
shortened and escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactmatch.edit.distance import EditDistance
    from exactmatch.edit.subgraphs import CommonSubgraph, Embedding

_SHOWN = 50
"""So many edits are listed; of long paths the count says the rest."""

_LONGEST = 60
"""Characters of a node's name that are shown."""


def number(value: float) -> str:
    """A number as it is, without a point where it is whole."""
    whole = math.isfinite(value) and value == round(value)
    return f"{value:.0f}" if whole else f"{value:.6g}"


def distance_line(found: EditDistance) -> str:
    """The distance, what is proved of it, and how much is edited."""
    if math.isinf(found.distance):
        if found.upper_bound is None:
            return f"no edit path found; every one costs at least {number(found.bound)}"
        limit = number(found.upper_bound)
        if found.proven:
            return f"no edit path costs {limit} or less, proven"
        return f"no edit path of cost {limit} or less found; not proven"
    proof = "proven" if found.proven else f"at least {number(found.bound)}"
    nodes = sum(1 for _ in _changes(found.node_edit_path, found.node_edit_costs))
    edges = sum(1 for _ in _changes(found.edge_edit_path, found.edge_edit_costs))
    return (
        f"edit distance {number(found.distance)}, {proof}; {_several(nodes, 'edit')} "
        f"of nodes, {edges:,} of edges; similarity {found.similarity:.4f}"
        + (f"; {found.compared}" if "ignored" in found.compared else "")
    )


def distance_html(found: EditDistance) -> str:
    """The line, and the edits of the path as a table."""
    edits = [
        (f"{kind} {what}", old, new, cost)
        for what, path, costs in (
            ("node", found.node_edit_path, found.node_edit_costs),
            ("edge", found.edge_edit_path, found.edge_edit_costs),
        )
        for kind, old, new, cost in _changes(path, costs)
    ]
    parts = [f"<p>{escape(distance_line(found))}</p>"]
    if edits:
        rows = "".join(_row(*edit) for edit in edits[:_SHOWN])
        heads = "".join(f"<th>{head}</th>" for head in ("edit", "from", "to", "cost"))
        parts.append(
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )
    if len(edits) > _SHOWN:
        parts.append(f"<p>and {len(edits) - _SHOWN:,} more</p>")
    return "".join(parts)


def common_line(found: CommonSubgraph) -> str:
    """How much is in common, and what is proved of it."""
    proof = "proven" if found.proven else f"not proven, size at most {found.bound:,}"
    nodes = _several(len(found.nodes), "node")
    edges = _several(len(found.edges), "edge")
    return f"{nodes} and {edges} in common, {proof}; similarity {found.similarity:.4f}"


def embedding_line(found: Embedding) -> str:
    """Whether one graph holds the other."""
    if found.mapping is not None:
        return f"contained; {_several(len(found.mapping), 'node')} mapped"
    return "not contained, proven" if found.proven else "no embedding found; not proven"


def _changes(
    path: Sequence[tuple[Any, Any]], costs: Sequence[float]
) -> Iterator[tuple[str, Any, Any, float]]:
    """The edits of a path; what is kept as it is is left out."""
    for (old, new), cost in zip(path, costs, strict=True):
        if old is None or new is None:
            yield "insert" if old is None else "delete", old, new, cost
        elif cost:
            yield "substitute", old, new, cost


def _row(edit: str, old: Any, new: Any, cost: float) -> str:
    cells = (edit, _named(old), _named(new), number(cost))
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _named(thing: Any) -> str:
    if thing is None:
        return "-"
    text = repr(thing)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _several(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
