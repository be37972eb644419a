"""A limit of time holds while a problem is built, and its interval is right."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import pytest

from exactmatch import ged

LABELS = "abc"


def drawn(rng: random.Random, directed: bool) -> Any:
    graph = nx.gnp_random_graph(
        rng.randrange(6), 0.5, rng.randrange(1000), directed=directed
    )
    for node in graph:
        graph.nodes[node]["label"] = rng.choice(LABELS)
    if graph and rng.random() < 0.3:
        graph.add_edge(0, 0)
    return graph


@pytest.mark.parametrize("seed", range(20))
def test_the_interval_without_time_holds_the_distance(seed: int) -> None:
    """The oracle is networkx' own search."""
    rng = random.Random(seed)
    directed = rng.random() < 0.5
    first, second = drawn(rng, directed), drawn(rng, directed)
    found = ged(first, second, time_limit=1e-9, labels="label")
    distance = nx.graph_edit_distance(first, second, node_match=dict.__eq__)
    assert found.bound <= distance <= found.distance
    assert found.proven == (found.bound == found.distance)
    sizes = [len(first) - len(second), len(first.edges) - len(second.edges)]
    loops = sum(map(nx.number_of_selfloops, (first, second)))
    assert found.bound >= sum(map(abs, sizes)) - 2 * loops


def test_roots_are_substituted_without_time_too() -> None:
    path = nx.path_graph(4)
    found = ged(path, path, roots=(0, 0), time_limit=1e-9)
    assert found.node_edit_path[0] == (0, 0)
    assert (found.bound, found.distance) == (0, 12)


def test_a_problem_that_takes_longer_than_the_limit_is_not_built() -> None:
    first, second = (nx.gnp_random_graph(300, 0.03, seed) for seed in (1, 2))
    found = ged(first, second, time_limit=0.2)
    assert found.problem.n_terms == 0
    assert found.bound == abs(len(first.edges) - len(second.edges))
    assert found.distance <= 600 + len(first.edges) + len(second.edges)
    assert not found.proven
