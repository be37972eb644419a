"""Hypothesis strategies for networkx graphs of every kind, and for edit costs."""

from __future__ import annotations

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
    """A small graph whose nodes and edges have a ``label`` and a ``weight``."""
    graph = (kind or draw(st.sampled_from(KINDS)))()
    nodes = [f"n{i}" for i in range(draw(st.integers(0, max_nodes)))]
    for node in nodes:
        graph.add_node(node, **draw(ATTRIBUTES))
    ends = [(u, v) for u in nodes for v in nodes if loops or u != v]
    if ends:
        for u, v in draw(st.lists(st.sampled_from(ends), max_size=max_edges)):
            graph.add_edge(u, v, **draw(ATTRIBUTES))
    return graph


ATTRIBUTES = st.fixed_dictionaries(
    {"label": st.sampled_from("ab"), "weight": st.integers(0, 3)}
)


@st.composite
def pairs(draw: st.DrawFn, /, **options: Any) -> tuple[Any, Any]:
    """Two graphs of one kind."""
    kind = draw(st.sampled_from(KINDS))
    return draw(networks(kind=kind, **options)), draw(networks(kind=kind, **options))


def equal_labels(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return a["label"] == b["label"]


@st.composite
def costs(draw: st.DrawFn, dear: bool = True, numbers: Any = None) -> Costs:
    """Unit costs, matches, or costs by label and weight.

    With *dear*, substituting may cost more than deleting and inserting.
    """
    if numbers is None:
        numbers = st.sampled_from((0, 1, 2, 3, 0.25, 0.5, 1.5))
    given: dict[str, Any] = {}
    chosen: dict[str, Any] = {}
    for kind in ("node", "edge"):
        way = draw(st.sampled_from(("free", "match", "cost")))
        if way == "match":
            given[f"{kind}_match"] = equal_labels
            chosen[f"{kind}_subst"] = _mismatch(1)
        elif way == "cost":
            delete, insert = draw(numbers), draw(numbers)
            substitute = draw(numbers)
            if not dear:
                substitute = min(substitute, (delete + insert) * 0.75)
            for what, cost in (("del", _flat(delete)), ("ins", _flat(insert))):
                given[f"{kind}_{what}_cost"] = chosen[f"{kind}_{what}"] = cost
            function = _mismatch(substitute)
            given[f"{kind}_subst_cost"] = chosen[f"{kind}_subst"] = function
    return Costs(**chosen, given=given)


def _flat(cost: float) -> Any:
    return lambda _: cost


def _mismatch(cost: float) -> Any:
    return lambda a, b: 0 if a["label"] == b["label"] else cost
