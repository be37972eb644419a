"""Common subgraphs and embeddings, against enumeration and networkx."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from support.edit_oracle import edges_between, node_maps
from support.examples import examples
from support.network_strategies import equal_labels, pairs

from exactmatch.base.errors import InputError
from exactmatch.edit import (
    contains,
    maximum_common_edge_subgraph,
    maximum_common_induced_subgraph,
)

LABELLED: dict[str, Any] = {"node_match": equal_labels, "edge_match": equal_labels}


def most_equal(own: Any, others: Any) -> int:
    """How many parallel edges can be paired with equal ones."""
    if not own or not others:
        return 0
    first, *rest = own
    best = most_equal(rest, others)
    for n, other in enumerate(others):
        if equal_labels(first, other):
            left = others[:n] + others[n + 1 :]
            best = max(best, 1 + most_equal(rest, left))
    return best


def equal_maps(g: Any, h: Any) -> Iterator[Any]:
    """All maps between nodes with equal labels."""
    for mapping in node_maps(g, h):
        if all(equal_labels(g.nodes[u], h.nodes[v]) for u, v in mapping.items()):
            yield mapping


def shared_edges(g: Any, h: Any, mapping: Any) -> int:
    return sum(
        most_equal(edges_between(g, u, v), edges_between(h, mapping[u], mapping[v]))
        for u, v in {(u, v) for u, v, *_ in g.edges}
        if u in mapping and v in mapping
    )


def is_induced(g: Any, h: Any, mapping: Any) -> bool:
    """Whether any two mapped nodes have equal edges, and equally many."""
    for u in mapping:
        for v in mapping:
            own = edges_between(g, u, v)
            others = edges_between(h, mapping[u], mapping[v])
            if not len(own) == len(others) == most_equal(own, others):
                return False
    return True


@settings(max_examples=examples(150), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_the_most_common_edges(graphs: Any) -> None:
    g, h = graphs
    found = maximum_common_edge_subgraph(g, h, **LABELLED)
    assert found.size == max(shared_edges(g, h, m) for m in equal_maps(g, h))
    assert found.proven
    assert len(found.edges) == found.size
    mapping = dict(found.nodes)
    assert all(equal_labels(g.nodes[u], h.nodes[v]) for u, v in found.nodes)
    for e, f in found.edges:
        assert equal_labels(g.edges[e], h.edges[f])
        ends = [mapping[e[0]], mapping[e[1]]]
        assert ends == list(f[:2]) or (
            not g.is_directed() and ends == list(reversed(f[:2]))
        )
    assert 0 <= found.similarity <= 1


@settings(max_examples=examples(40), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_the_most_nodes_with_the_same_edges(graphs: Any) -> None:
    g, h = graphs
    found = maximum_common_induced_subgraph(g, h, **LABELLED)
    assert found.size == max(len(m) for m in equal_maps(g, h) if is_induced(g, h, m))
    assert found.proven
    mapping = dict(found.nodes)
    assert len(mapping) == found.size
    assert is_induced(g, h, mapping)
    assert len(found.edges) == g.subgraph(mapping).number_of_edges()


@settings(max_examples=examples(200), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_an_embedding_is_found_if_there_is_one(graphs: Any) -> None:
    small, large = graphs
    whole = [m for m in equal_maps(small, large) if len(m) == len(small)]
    edges = small.number_of_edges()
    there_is = any(shared_edges(small, large, m) == edges for m in whole)
    found = contains(small, large, **LABELLED)
    assert bool(found) == there_is
    assert found.proven
    if found.mapping is not None:
        assert found.mapping in whole
        assert shared_edges(small, large, found.mapping) == edges


@settings(max_examples=examples(40), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_an_induced_embedding_is_found_if_there_is_one(graphs: Any) -> None:
    small, large = graphs
    whole = [m for m in equal_maps(small, large) if len(m) == len(small)]
    found = contains(small, large, induced=True, **LABELLED)
    assert bool(found) == any(is_induced(small, large, m) for m in whole)
    assert found.proven
    if found.mapping is not None:
        assert is_induced(small, large, found.mapping)


@pytest.mark.parametrize("seed", range(6))
def test_induced_subgraphs_of_larger_graphs_are_networkx(seed: int) -> None:
    """Its ISMAGS finds all largest common induced subgraphs."""
    from networkx.algorithms.isomorphism import ISMAGS

    g = nx.gnm_random_graph(9, 14, seed=seed)
    h = nx.gnm_random_graph(8, 12, seed=seed + 100)
    theirs = max(map(len, ISMAGS(g, h).largest_common_subgraph(symmetry=True)))
    assert maximum_common_induced_subgraph(g, h).size == theirs


def test_similarity_is_that_of_raymond() -> None:
    """Three of five edges, on four of five and four nodes."""
    found = maximum_common_edge_subgraph(nx.cycle_graph(5), nx.path_graph(4))
    assert found.similarity == pytest.approx((4 + 3) ** 2 / (10 * 7))
    empty = maximum_common_edge_subgraph(nx.Graph(), nx.Graph())
    assert (empty.size, empty.similarity) == (0, 1)
    assert maximum_common_edge_subgraph(nx.Graph(), nx.path_graph(2)).similarity == 0


@pytest.mark.parametrize(
    ("small", "large", "there_is"),
    [
        (nx.cycle_graph(4), nx.grid_2d_graph(5, 5), True),
        (nx.cycle_graph(9), nx.grid_2d_graph(5, 5), False),
        (nx.grid_2d_graph(4, 4), nx.grid_2d_graph(6, 5), True),
        (nx.complete_graph(5), nx.petersen_graph(), False),
        (nx.Graph(), nx.Graph(), True),
        (nx.empty_graph(2), nx.empty_graph(1), False),
    ],
)
def test_known_embeddings(small: Any, large: Any, there_is: bool) -> None:
    found = contains(small, large)
    assert (bool(found), found.proven) == (there_is, True)


def test_without_time_an_answer_may_stay_open() -> None:
    small, large = nx.cycle_graph(31), nx.grid_2d_graph(12, 12)
    found = contains(small, large, timeout=1e-9)
    assert (bool(found), found.proven) == (False, False)


def test_too_many_pairs_are_refused() -> None:
    g = nx.empty_graph(64)
    with pytest.raises(InputError, match="there are 4,096 pairs of equal nodes"):
        maximum_common_induced_subgraph(g, g)


def test_a_time_limit_that_is_no_number_is_refused() -> None:
    g = nx.path_graph(2)
    functions: tuple[Callable[..., Any], ...] = (
        maximum_common_edge_subgraph,
        maximum_common_induced_subgraph,
        contains,
    )
    for function in functions:
        with pytest.raises(InputError, match="timeout: 'x' is no number above 0"):
            function(g, g, timeout="x")


def test_a_direction_on_one_side_only_is_refused() -> None:
    with pytest.raises(InputError, match="one graph is directed"):
        contains(nx.Graph(), nx.DiGraph())
