"""Draw an edit path in three steps: what goes, what stays, what comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from exactmatch.base.numbers import from_one
from exactmatch.edit.distance import number
from exactmatch.graphs.drawing.drawing import DrawnSide, Mark, draw
from exactmatch.graphs.graph import INSTANCE, Graph
from exactmatch.studies.ged.results import GraphPair
from exactmatch.studies.score.figures import Example, side_by_side

DRAWN, _LARGEST = 50, 60
"""So many pairs are drawn, of graphs with no more nodes than this."""

STEPS = ("1. First graph: − goes", "2. What stays: ≠ changes", "3. Second: + comes")


def link_of(pair: GraphPair) -> str | None:
    """The name of a pair's drawing on a page, if it is drawn."""
    is_small = all(len(graph) <= _LARGEST for graph in pair.graphs)
    has_path = bool(pair.graphs) and pair.result.distance < float("inf")
    is_drawn = has_path and is_small and pair.index < DRAWN
    return f"g{pair.index + 1}" if is_drawn else None


def drawings(pairs: Sequence[GraphPair]) -> Iterator[Example]:
    """Draw the edit paths of the first pairs of small graphs."""
    for pair in pairs:
        if (link := link_of(pair)) is None:
            continue
        (first, second), found = pair.graphs, pair.result
        nodes = [*zip(found.node_edit_path, found.node_edit_costs, strict=True)]
        edges = [*zip(found.edge_edit_path, found.edge_edit_costs, strict=True)]
        kept = [[e for e in each if None not in e[0]] for each in (nodes, edges)]
        steps = draw(
            _side(first, 0, nodes, edges, "missing"),
            _side(second, 1, kept[0], kept[1], "changed"),
            _side(second, 1, nodes, edges, "extra"),
        )
        title = " → ".join(filter(None, pair.names))
        place, cost = from_one(pair.index), number(found.distance)
        yield Example(link, place, title, cost, (), side_by_side(steps, STEPS))


_Edits = Sequence[tuple[tuple[Any, Any], float]]


def _side(graph: Any, end: int, nodes: _Edits, edges: _Edits, shown: Mark) -> DrawnSide:
    """One end of an edit path, with the edits of one kind marked.

    Args:
        graph: the graph that nodes and edges are of.
        end: whether it is the first (0) or the second (1).
        nodes, edges: the edits with their costs.
        shown: the mark that is shown.
    """
    before = [old for (old, _), _ in nodes if old is not None]
    first = {node: place for place, node in enumerate(before)}
    nodes = [edit for edit in nodes if edit[0][end] is not None]
    edges = [edit for edit in edges if edit[0][end] is not None]
    names = {ends[end]: f"v{k}" for k, (ends, _) in enumerate(nodes)}
    triples = [
        (name, INSTANCE, _said(graph.nodes[node]) or str(node))
        for node, name in names.items()
    ]
    for ends, _ in edges:
        source, target = ends[end][:2]
        role = _said(graph.edges[ends[end]])
        triples.append((names[source], role, names[target]))
    marks: dict[int, Mark] = {}
    for k, ((old, new), cost) in enumerate([*nodes, *edges]):
        mark: Mark = "missing" if new is None else "extra"
        if None not in (old, new):
            mark = "changed"
        if mark == shown and cost:
            marks[k] = mark
    partners = [first.get(old, -1) for (old, _), _ in nodes] if end else ()
    return DrawnSide(replace(Graph.from_triples(triples), top=None), partners, marks)


def _said(attributes: Mapping[str, Any]) -> str:
    """The attributes of a node or an edge in one line."""
    return " ".join(map(str, attributes.values()))
