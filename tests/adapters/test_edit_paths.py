"""Edit paths one after another, against enumeration and networkx."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from support.edit_oracle import cost_of_map, edit_distance, node_maps
from support.examples import examples
from support.network_strategies import costs, pairs

from exactmatch.adapters.networkx_backend import optimal_alignments, optimize_edit_paths
from exactmatch.edit.options import GedOptions
from exactmatch.edit.problem import edit_problem


@settings(max_examples=examples(150), deadline=None)
@given(graphs=pairs(max_nodes=3), costs=costs())
def test_all_cheapest_maps_are_listed_once(graphs: Any, costs: Any) -> None:
    g, h = graphs
    least = edit_distance(g, h, costs)
    cheapest = [m for m in node_maps(g, h) if cost_of_map(g, h, m, costs) == least]
    options = GedOptions(g, h, labels="none", **costs.options)
    stated = edit_problem(options, keep_all_pairs=True)
    found = [stated.edit_path(a) for a in optimal_alignments(stated.problem)]
    assert all(path.cost == least for path in found)
    maps = [
        {u: v for u, v in nodes if u is not None and v is not None}
        for nodes, *_ in found
    ]
    assert len(maps) == len(cheapest)
    assert all(m in maps for m in cheapest)


@settings(max_examples=examples(100), deadline=None)
@given(graphs=pairs(max_nodes=4), costs=costs())
def test_paths_get_cheaper_until_the_cheapest(graphs: Any, costs: Any) -> None:
    g, h = graphs
    found = [cost for *_, cost in optimize_edit_paths(g, h, **costs.options)]
    assert all(later < earlier for earlier, later in itertools.pairwise(found))
    assert found[-1] == edit_distance(g, h, costs)


def test_without_time_there_is_one_path_at_least() -> None:
    g, h = nx.gnm_random_graph(40, 60, seed=1), nx.gnm_random_graph(40, 60, seed=2)
    assert len(list(optimize_edit_paths(g, h, timeout=1e-9))) >= 1


@pytest.mark.parametrize("seed", range(5))
def test_there_are_as_many_as_networkx_lists(seed: int) -> None:
    """No labels: symmetry makes many, and some of them map nodes for nothing."""
    g, h = nx.gnm_random_graph(4, 4, seed=seed), nx.gnm_random_graph(5, 6, seed=seed)
    theirs, cost = nx.optimal_edit_paths(g, h)
    stated = edit_problem(GedOptions(g, h), keep_all_pairs=True)
    ours = [stated.edit_path(a) for a in optimal_alignments(stated.problem)]
    assert {path.cost for path in ours} == {cost}
    key = {frozenset(nodes) for nodes, *_ in ours}
    assert {frozenset(nodes) for nodes, _ in theirs} == key
