"""Edit distances of many pairs: the compiled search, its hand-over and its filters."""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

import exactmatch
from exactmatch.base import compiled as kernels
from exactmatch.base.errors import InputError
from exactmatch.edit import matrix
from exactmatch.edit.packed import pack


@st.composite
def graphs(
    draw: st.DrawFn, directed: bool | None = None, most: int = 5
) -> dict[str, Any]:
    """A small graph with labels, loops and labelled edges."""
    is_directed = draw(st.booleans()) if directed is None else directed
    size = draw(st.integers(0, most))
    ends = [(i, k) for i in range(size) for k in range(size) if is_directed or i <= k]
    chosen = [pair for pair in ends if draw(st.booleans())]
    return {
        "n": size,
        "labels": [draw(st.sampled_from("ab")) for _ in range(size)],
        "edges": [[i, k, draw(st.sampled_from("xy"))] for i, k in chosen],
        "directed": is_directed,
    }


@st.composite
def pairs(draw: st.DrawFn, most: int = 5) -> list[dict[str, Any]]:
    """Two graphs, both directed or both not."""
    directed = draw(st.booleans())
    return [draw(graphs(directed, most)) for _ in range(2)]


def brute_force(one: dict[str, Any], other: dict[str, Any]) -> int:
    """The least cost over all ways to map nodes to nodes or to nothing."""
    n, m = one["n"], other["n"]

    def table(graph: dict[str, Any]) -> dict[tuple[int, int], str]:
        edges = {(i, k): label for i, k, label in graph["edges"]}
        if not graph["directed"]:
            edges |= {(k, i): label for (i, k), label in edges.items()}
        return edges

    left, right = table(one), table(other)
    best = 10**9
    for images in itertools.permutations([*range(m), *[-1] * n], n):
        cost = sum(
            1 if w < 0 else one["labels"][v] != other["labels"][w]
            for v, w in enumerate(images)
        )
        cost += m - sum(w >= 0 for w in images)
        halves = 0
        used = set()
        for (i, k), label in left.items():
            image = (images[i], images[k])
            weight = 2 if one["directed"] or i == k else 1
            used.add(image)
            halves += weight * (right.get(image) != label)
        for i, k in right:
            if (i, k) not in used:
                halves += 2 if one["directed"] or i == k else 1
        best = min(best, cost + halves // 2)
    return best


@settings(max_examples=examples(100), deadline=None)
@given(pairs(5))
def test_the_path_of_an_open_pair_costs_no_less(pair: list[dict[str, Any]]) -> None:
    """It costs nothing where labels tell which nodes belong together."""
    cost = matrix._path_cost(pack(pair), 0, 1)
    distance = exactmatch.ged_matrix(pair[:1], pair[1:])[0, 0]
    assert distance <= cost <= sum(one["n"] + len(one["edges"]) for one in pair)
    one = {**pair[0], "labels": [*range(pair[0]["n"])]}
    nodes = [*reversed(range(one["n"]))]
    ends = [[nodes[i], nodes[k], label] for i, k, label in one["edges"]]
    same = {**one, "labels": nodes, "edges": ends}
    assert matrix._path_cost(pack([one, same]), 0, 1) == 0
    for odd in ends[:1]:
        lacking = {**same, "edges": [edge for edge in ends if edge is not odd]}
        assert matrix._path_cost(pack([one, lacking]), 0, 1) == 1


@pytest.mark.slow
@given(pairs(4))
@settings(max_examples=examples(300), deadline=None)
def test_distances_are_those_of_all_maps(pair: list[dict[str, Any]]) -> None:
    distance = brute_force(*pair)
    distances = exactmatch.ged_matrix(pair[:1], pair[1:])
    assert distances.tolist() == [[distance]]
    assert distances.bounds.tolist() == [[distance]]
    interpreted = kernels.load_interpreted("exactmatch.edit._uniform")
    packed = pack(pair)
    search = interpreted.Search(*packed, 8)
    assert search.run(0, 1, -1, 10**6) == distance
    assert search.run(1, 0, -1, 10**6) == distance
    assert search.quick_bound(0, 1) <= distance


@pytest.mark.slow
@given(pairs(7))
@settings(max_examples=examples(200), deadline=None)
def test_the_solver_of_any_costs_agrees(pair: list[dict[str, Any]]) -> None:
    packed = pack(pair)
    networks = [packed.network(number) for number in (0, 1)]
    general = exactmatch.ged(
        networks[0], networks[1], node_match=operator.eq, edge_match=operator.eq
    )
    assert exactmatch.ged_matrix(pair)[0, 1] == general.distance


@given(st.lists(graphs(False), min_size=3, max_size=3))
@settings(max_examples=examples(100), deadline=None)
def test_distances_are_a_metric(three: list[dict[str, Any]]) -> None:
    distances = exactmatch.ged_matrix(three)
    assert (distances == distances.T).all()
    assert (np.diag(distances) == 0).all()
    assert distances[0, 2] <= distances[0, 1] + distances[1, 2]
    assert (exactmatch.ged_matrix(three, three) == distances).all()


@pytest.mark.slow
@given(
    st.lists(graphs(False), min_size=1, max_size=6), graphs(False), st.integers(0, 6)
)
@settings(max_examples=examples(100), deadline=None)
def test_a_search_finds_what_the_matrix_says(
    bank: list[dict[str, Any]], query: dict[str, Any], limit: int
) -> None:
    row = exactmatch.ged_matrix([query], bank)[0].tolist()
    expected = sorted((d, n) for n, d in enumerate(row) if d <= limit)
    (neighbours,) = exactmatch.ged_search([query], bank, limit)
    assert [(d, n) for n, d in neighbours] == expected
    (nearest,) = exactmatch.ged_search([query], bank, k=2)
    assert [(d, n) for n, d in nearest] == sorted((d, n) for n, d in enumerate(row))[:2]
    cut = exactmatch.ged_matrix([query], bank, at_most=limit)
    assert cut[0].tolist() == [d if d <= limit else math.inf for d in row]
    assert all(b > limit for b, d in zip(cut.bounds[0], row, strict=True) if d > limit)


def test_the_map_of_the_last_pair_costs_its_distance() -> None:
    path, star = nx.path_graph(4), nx.star_graph(4)
    search = matrix.PackedPairs(
        pack([path, star]), matrix.ManyOptions(), None
    )._search()
    assert search.run(0, 1, -1, 10**6) == 4
    images = search.mapping().tolist()
    assert len(set(images)) == 4
    kept = sum(star.has_edge(images[i], images[k]) for i, k in path.edges)
    assert 1 + (3 - kept) + (4 - kept) == 4


def test_twins_are_tried_once() -> None:
    dense = nx.complete_graph(40)
    other = nx.complement(nx.complete_bipartite_graph(13, 27))
    assert exactmatch.ged_matrix([dense], [other]).tolist() == [[13 * 27]]


def test_a_node_with_a_loop_is_no_twin_of_one_without() -> None:
    one = {"n": 5, "edges": [[1, 3], [1, 4], [2, 2]]}
    other = {"n": 5, "edges": [[0, 1], [0, 2], [1, 1], [1, 4], [2, 4]]}
    assert exactmatch.ged_matrix([one, other], [one, other]).tolist() == [
        [0, 2],
        [2, 0],
    ]


def test_hard_pairs_go_on_to_the_solver_and_time_ends_them() -> None:
    hard = [nx.random_regular_graph(3, 24, seed=seed) for seed in (1, 2)]
    distances = exactmatch.ged_matrix(hard, time_limit=0.01)
    assert np.isnan(distances[0, 1])
    assert distances.bounds is not None
    assert 0 <= distances.bounds[0, 1] <= 20
    with pytest.raises(InputError, match="query 1 and graph 1 is not proven in time"):
        exactmatch.ged_search(hard[1:], hard[:1], 30, time_limit=0.01)
    far = nx.path_graph(140), nx.path_graph(139)
    assert exactmatch.ged_matrix(far).tolist() == [[0, 2], [2, 0]]  # beyond the kernel


def test_equal_attributes_of_large_graphs_are_compared_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[None] = []

    def equal(first: Any, second: Any) -> bool:
        calls.append(None)
        return bool(first == second)

    monkeypatch.setattr(operator, "eq", equal)
    large = [nx.gnp_random_graph(140, 0.05, seed=seed) for seed in (1, 2)]
    assert exactmatch.ged_matrix(large, time_limit=0.01).bounds is not None
    assert 0 < len(calls) < 10


def test_threads_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "_CHUNK_PAIRS", 7)
    many = [nx.gnp_random_graph(6, 0.4, seed=seed) for seed in range(12)]
    alone = exactmatch.ged_matrix(many)
    assert (exactmatch.ged_matrix(many, jobs=3) == alone).all()


def test_attributes_are_compared_by_name() -> None:
    one, other = nx.path_graph(3), nx.path_graph(3)
    nx.set_node_attributes(one, "C", "element")
    nx.set_node_attributes(other, {0: "C", 1: "N", 2: "C"}, "element")
    nx.set_edge_attributes(other, "double", "bond")
    assert exactmatch.ged_matrix([one], [other], labels="none")[0, 0] == 0
    assert exactmatch.ged_matrix([one], [other])[0, 0] == 3
    both = exactmatch.ged_matrix(
        [one], [other], node_label="element", edge_label=["bond"]
    )
    assert both[0, 0] == 3


@pytest.mark.parametrize(
    ("graphs", "message"),
    [
        (["(a / b)"], "graph 1 is of str; give networkx graphs"),
        (nx.path_graph(2), "one Graph is not a list of graphs"),
        ([{"n": 2}], "graph 1: has no edges"),
        ([{"edges": [], "nodes": 3}], "graph 1: has the key 'nodes'"),
        ([{"n": -1, "edges": []}], "n is -1; it is the number of nodes"),
        ([{"n": 10**12, "edges": []}], "has at most 1,000,000 nodes"),
        ([{"n": 2, "labels": ["a"], "edges": []}], "has 1 labels for 2 nodes"),
        ([{"edges": [], 5: 3, "x": 2}], "graph 1: has the key 5"),
        ([{"n": 2, "labels": 5, "edges": []}], "graph 1: has no list of labels"),
        ([{"n": 2, "edges": None}], "graph 1: has no list of edges"),
        ([{"n": 2, "edges": [[0]]}], r"has the edge \[0\]; it is \[from, to\]"),
        ([{"n": 2, "edges": [5]}], r"has the edge 5; it is \[from, to\]"),
        ([{"n": 2, "edges": [[0, 2]]}], r"has the edge \[0, 2\], whose nodes"),
        ([{"n": 2, "edges": [[0, 1], [1, 0]]}], "twice; parallel edges"),
        ([{"n": 1, "labels": [[1]], "edges": []}], "cannot be compared by value"),
        ([nx.path_graph(2), nx.DiGraph()], "graph 1 is undirected and others are"),
        ([nx.MultiGraph([(0, 1), (0, 1)])], "graph 1 has parallel edges"),
    ],
)
def test_what_is_no_graph_is_refused(graphs: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.ged_matrix(graphs)


def test_nothing_is_an_answer_and_options_are_checked() -> None:
    assert exactmatch.ged_matrix([]).shape == (0, 0)
    assert exactmatch.ged_matrix([nx.Graph()], []).shape == (1, 0)
    assert exactmatch.ged_matrix([nx.Graph()]).tolist() == [[0.0]]
    assert exactmatch.ged_search([nx.Graph()], [], 3) == [[]]
    assert exactmatch.ged_search([], [nx.Graph()], 3) == []
    with pytest.raises(InputError, match="give at_most, or k"):
        exactmatch.ged_search([], [])
    with pytest.raises(InputError, match="at_most"):
        exactmatch.ged_matrix([], at_most=-1)
    labels: list[Any] = [3, len]
    for label in labels:
        with pytest.raises(InputError, match="give the name of an attribute"):
            exactmatch.ged_matrix([nx.Graph()], node_label=label)
    odd: nx.Graph[int] = nx.Graph()
    odd.add_node(0, colours={"warm": {"red"}})
    for name in ("all", "colours"):
        with pytest.raises(InputError, match="cannot be compared by value"):
            exactmatch.ged_matrix([odd], labels=name)
    edges = [[0, k, k] for k in range(1, 300)]
    with pytest.raises(InputError, match="different labels"):
        exactmatch.ged_matrix([{"n": 300, "edges": edges}])


def test_a_limit_above_all_distances_leaves_them_as_they_are() -> None:
    graphs = [nx.path_graph(3), nx.cycle_graph(4)]
    for limit in (2**31, 10**30):
        assert exactmatch.ged_matrix(graphs, at_most=limit).tolist() == [[0, 3], [3, 0]]
        assert exactmatch.ged_search(graphs[:1], graphs, limit) == [[(0, 0), (1, 3)]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "most"), [((12, 12), 8000), ((11, 12), 4000), ((9, 12), 500)]
)
def test_the_node_with_fewest_images_is_mapped_next(
    sizes: tuple[int, int], most: int
) -> None:
    """Graphs with twins in both; in a fixed order it took twice as many steps."""
    kernel = kernels.load("exactmatch.edit._uniform")
    tried = 0
    for seed in range(6):
        pair = [
            nx.gnp_random_graph(n, 0.5, seed=seed + 50 * side)
            for side, n in enumerate(sizes)
        ]
        for graph in pair:
            nx.add_star(graph, [0, *range(len(graph), len(graph) + 2)])
        search = kernel.Search(*pack(pair), max(sizes) + 2)
        distance = exactmatch.ged(*pair, solver="bnb").distance
        assert search.run(0, 1, -1, 10**6) == distance
        tried += search.tried
        assert search.run(1, 0, int(distance) - 1, 10**6) == distance
    assert tried < most
