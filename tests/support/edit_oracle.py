"""Edit distances by trying everything, and edit paths applied, without our code."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Attributes = dict[str, Any]


@dataclass(frozen=True)
class Costs:
    """Costs of all edits; unit costs if none is given."""

    node_subst: Callable[[Attributes, Attributes], float] = lambda _a, _b: 0
    node_del: Callable[[Attributes], float] = lambda _: 1
    node_ins: Callable[[Attributes], float] = lambda _: 1
    edge_subst: Callable[[Attributes, Attributes], float] = lambda _a, _b: 0
    edge_del: Callable[[Attributes], float] = lambda _: 1
    edge_ins: Callable[[Attributes], float] = lambda _: 1
    options: dict[str, Any] = field(default_factory=dict)
    """Options of networkx with the same meaning."""


def node_maps(g: Any, h: Any) -> Iterator[dict[Any, Any]]:
    """Yield every one-to-one map from some nodes of *g* to nodes of *h*."""
    nodes = list(g)
    for images in itertools.product([None, *h], repeat=len(nodes)):
        used = [v for v in images if v is not None]
        if len(set(used)) == len(used):
            yield {u: v for u, v in zip(nodes, images, strict=True) if v is not None}


def edges_between(g: Any, u: Any, v: Any) -> list[Attributes]:
    """Return the attributes of all edges from *u* to *v*."""
    if not g.has_edge(u, v):
        return []
    return list(g[u][v].values()) if g.is_multigraph() else [g[u][v]]


def cheapest(own: list[Attributes], others: list[Attributes], costs: Costs) -> float:
    """Return the least that turning some parallel edges into others costs."""
    if not own:
        return sum(costs.edge_ins(b) for b in others)
    first, *rest = own
    best = costs.edge_del(first) + cheapest(rest, others, costs)
    for n, other in enumerate(others):
        left = others[:n] + others[n + 1 :]
        best = min(best, costs.edge_subst(first, other) + cheapest(rest, left, costs))
    return best


def cost_of_map(g: Any, h: Any, mapping: dict[Any, Any], costs: Costs) -> float:
    """Return the cost of the cheapest edit path with these substitutions."""
    back = {v: u for u, v in mapping.items()}
    total = 0.0
    for u in g:
        if u in mapping:
            total += costs.node_subst(g.nodes[u], h.nodes[mapping[u]])
        else:
            total += costs.node_del(g.nodes[u])
    total += sum(costs.node_ins(h.nodes[v]) for v in h if v not in back)
    for u, v in {(u, v) for u, v, *_ in g.edges}:
        others = []
        if u in mapping and v in mapping:
            others = edges_between(h, mapping[u], mapping[v])
        total += cheapest(edges_between(g, u, v), others, costs)
    for x, y in {(x, y) for x, y, *_ in h.edges}:
        mapped = x in back and y in back
        if not mapped or not g.has_edge(back[x], back[y]):
            total += sum(costs.edge_ins(b) for b in edges_between(h, x, y))
    return total


def edit_distance(
    g: Any, h: Any, costs: Costs, roots: tuple[Any, Any] | None = None
) -> float:
    """Return the least of all maps."""
    return min(
        (
            cost_of_map(g, h, mapping, costs)
            for mapping in node_maps(g, h)
            if roots is None or mapping.get(roots[0]) == roots[1]
        ),
        default=math.inf,
    )


def applied(g: Any, h: Any, nodes: list[Any], edges: list[Any]) -> Any:
    """Do the edits of a path to *g*, with names and attributes from *h*.

    Raises:
        AssertionError: if an edit is not about what is there, or an edge's ends do not
            become the ends of what it becomes.
    """
    becomes = {u: v for u, v in nodes if u is not None}
    assert sorted(becomes, key=repr) == sorted(g, key=repr)
    assert len(nodes) == len(becomes) + sum(u is None for u, _ in nodes)
    assert Counter(e for e, _ in edges if e is not None) == Counter(list(g.edges))
    result = h.__class__()
    for _, v in nodes:
        if v is not None:
            assert v not in result
            result.add_node(v, **h.nodes[v])
    for e, f in edges:
        if f is None:
            continue
        if e is not None:
            ends = [becomes[e[0]], becomes[e[1]]]
            if not g.is_directed():
                ends.sort(key=repr)
                assert ends == sorted(f[:2], key=repr)
            assert ends == list(f[:2]) or not g.is_directed()
        assert f not in result.edges
        result.add_edge(*f, **h.edges[f])
    return result


def cost_of_path(
    g: Any, h: Any, nodes: list[Any], edges: list[Any], costs: Costs
) -> float:
    """Return the edits' costs, added up."""
    total = 0.0
    for u, v in nodes:
        if v is None:
            total += costs.node_del(g.nodes[u])
        elif u is None:
            total += costs.node_ins(h.nodes[v])
        else:
            total += costs.node_subst(g.nodes[u], h.nodes[v])
    for e, f in edges:
        if f is None:
            total += costs.edge_del(g.edges[e])
        elif e is None:
            total += costs.edge_ins(h.edges[f])
        else:
            total += costs.edge_subst(g.edges[e], h.edges[f])
    return total
