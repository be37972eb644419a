"""Hypothesis strategies for networkx graphs of every kind, and for edit costs."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import networkx as nx
from hypothesis import strategies as st
from support.edit_oracle import Costs

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


@st.composite
def networks(
    draw: st.DrawFn,
    kind: type | None = None,
    max_nodes: int = 4,
    max_edges: int = 6,
    loops: bool = True,
) -> Any:
    """Return a small graph whose nodes and edges have a ``label`` and a ``weight``."""
    return _network(draw, kind or draw(KIND), max_nodes, max_edges, loops)


def _network(
    draw: st.DrawFn,
    kind: type,
    max_nodes: int = 4,
    max_edges: int = 6,
    loops: bool = True,
) -> Any:
    graph = kind()
    for node, attributes in enumerate(draw(_nodes(max_nodes))):
        graph.add_node(f"n{node}", **attributes)
    for (u, v), attributes in draw(_edges(len(graph), max_edges, loops)):
        graph.add_edge(u, v, **attributes)
    return graph


# To make a strategy takes longer than to draw from it, and to draw a label and a weight
# takes twice as long as to draw one of both.

KIND = st.sampled_from(KINDS)
ATTRIBUTES = [{"label": label, "weight": w} for w in range(4) for label in "ab"]


@functools.cache
def _nodes(most: int) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(st.sampled_from(ATTRIBUTES), max_size=most)


@functools.cache
def _edges(n: int, most: int, loops: bool) -> st.SearchStrategy[list[Any]]:
    """Edges between n0, n1, …, with their attributes."""
    nodes = [f"n{i}" for i in range(n)]
    ends = [(u, v) for u in nodes for v in nodes if loops or u != v]
    if not ends:
        return st.just([])
    every = list(itertools.product(ends, ATTRIBUTES))
    return st.lists(st.sampled_from(every), max_size=most)


@st.composite
def pairs(draw: st.DrawFn, /, **options: Any) -> tuple[Any, Any]:
    """Two graphs of one kind."""
    kind = draw(KIND)
    return _network(draw, kind, **options), _network(draw, kind, **options)


def equal_labels(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return a["label"] == b["label"]


NUMBERS = st.sampled_from((0, 1, 2, 3, 0.25, 0.5, 1.5))
WAYS = st.sampled_from(("free", "match", "cost"))


@st.composite
def costs(draw: st.DrawFn, dear: bool = True, numbers: Any = None) -> Costs:
    """Unit costs, matches, or costs by label and weight.

    With *dear*, substituting may cost more than deleting and inserting.
    """
    numbers = NUMBERS if numbers is None else numbers
    networkx_options: dict[str, Any] = {}
    chosen: dict[str, Any] = {}
    for kind in ("node", "edge"):
        way = draw(WAYS)
        if way == "match":
            networkx_options[f"{kind}_match"] = equal_labels
            chosen[f"{kind}_subst"] = _mismatch(1)
        elif way == "cost":
            delete, insert = draw(numbers), draw(numbers)
            substitute = draw(numbers)
            if not dear:
                substitute = min(substitute, (delete + insert) * 0.75)
            for what, cost in (("del", _flat(delete)), ("ins", _flat(insert))):
                networkx_options[f"{kind}_{what}_cost"] = chosen[f"{kind}_{what}"] = (
                    cost
                )
            function = _mismatch(substitute)
            networkx_options[f"{kind}_subst_cost"] = chosen[f"{kind}_subst"] = function
    return Costs(**chosen, options=networkx_options)


def _flat(cost: float) -> Any:
    return lambda _: cost


def _mismatch(cost: float) -> Any:
    return lambda a, b: 0 if a["label"] == b["label"] else cost
