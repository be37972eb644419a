"""Common subgraphs and embeddings, against enumeration and networkx."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from support.edit_oracle import edges_between, node_maps
from support.examples import examples
from support.network_strategies import equal_labels, pairs

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import InputError
from exactmatch.edit import (
    contains,
    maximum_common_edge_subgraph,
    maximum_common_induced_subgraph,
)
from exactmatch.edit.options import GedOptions
from exactmatch.edit.problem import read_sides
from exactmatch.edit.searches import classified, search_of

LABELLED: dict[str, Any] = {"node_match": equal_labels, "edge_match": equal_labels}


def most_equal(own: Any, others: Any) -> int:
    """Count the parallel edges that can be paired with equal ones."""
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
    """Return whether any two mapped nodes have equal edges, and equally many."""
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
    common = maximum_common_edge_subgraph(g, h, **LABELLED)
    assert common.size == max(shared_edges(g, h, m) for m in equal_maps(g, h))
    assert common.proven
    assert len(common.edges) == common.size
    mapping = dict(common.nodes)
    assert all(equal_labels(g.nodes[u], h.nodes[v]) for u, v in common.nodes)
    for e, f in common.edges:
        assert equal_labels(g.edges[e], h.edges[f])
        ends = [mapping[e[0]], mapping[e[1]]]
        assert ends == list(f[:2]) or (
            not g.is_directed() and ends == list(reversed(f[:2]))
        )
    assert 0 <= common.similarity <= 1


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_the_most_nodes_with_the_same_edges(graphs: Any) -> None:
    g, h = graphs
    common = maximum_common_induced_subgraph(g, h, **LABELLED)
    assert common.size == max(len(m) for m in equal_maps(g, h) if is_induced(g, h, m))
    assert common.proven
    mapping = dict(common.nodes)
    assert len(mapping) == common.size
    assert is_induced(g, h, mapping)
    assert len(common.edges) == g.subgraph(mapping).number_of_edges()


@settings(max_examples=examples(200), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_an_embedding_is_returned_if_there_is_one(graphs: Any) -> None:
    small, large = graphs
    whole = [m for m in equal_maps(small, large) if len(m) == len(small)]
    edges = small.number_of_edges()
    there_is = any(shared_edges(small, large, m) == edges for m in whole)
    embedding = contains(small, large, **LABELLED)
    assert bool(embedding) == there_is
    assert embedding.proven
    if embedding.mapping is not None:
        assert embedding.mapping in whole
        assert shared_edges(small, large, embedding.mapping) == edges


@settings(max_examples=examples(40), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_an_induced_embedding_is_returned_if_there_is_one(graphs: Any) -> None:
    small, large = graphs
    whole = [m for m in equal_maps(small, large) if len(m) == len(small)]
    embedding = contains(small, large, induced=True, **LABELLED)
    assert bool(embedding) == any(is_induced(small, large, m) for m in whole)
    assert embedding.proven
    if embedding.mapping is not None:
        assert is_induced(small, large, embedding.mapping)


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
    common = maximum_common_edge_subgraph(nx.cycle_graph(5), nx.path_graph(4))
    assert common.similarity == pytest.approx((4 + 3) ** 2 / (10 * 7))
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
    embedding = contains(small, large)
    assert (bool(embedding), embedding.proven) == (there_is, True)


def test_without_time_an_answer_may_stay_open() -> None:
    small, large = nx.cycle_graph(31), nx.grid_2d_graph(12, 12)
    embedding = contains(small, large, timeout=1e-9)
    assert (bool(embedding), embedding.proven) == (False, False)


def near(a: Any, b: Any) -> bool:
    """No equivalence: 0 is near 1 and 1 near 2, but 0 is not near 2."""
    return abs(a["at"] - b["at"]) < 2


def places(number: int) -> nx.Graph:
    graph = nx.empty_graph(number)
    nx.set_node_attributes(graph, {node: node % 3 for node in graph}, "at")
    return graph


def test_what_no_labels_explain_is_left_to_cp_sat() -> None:
    common = maximum_common_induced_subgraph(places(4), places(5), node_match=near)
    assert (common.size, common.solution.proof) == (4, "milp")
    g = places(72)
    with pytest.raises(InputError, match="there are 4,032 pairs of equal nodes"):
        maximum_common_induced_subgraph(g, g, node_match=near)
    with pytest.raises(InputError, match="equality is an equivalence"):
        maximum_common_induced_subgraph(g, g, node_match=near, connected=True)


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_the_most_nodes_that_hang_together(graphs: Any) -> None:
    g, h = graphs
    common = maximum_common_induced_subgraph(g, h, connected=True, **LABELLED)
    mapping = dict(common.nodes)

    def hangs_together(nodes: Any) -> bool:
        return len(nodes) < 2 or nx.is_connected(nx.Graph(g.subgraph(nodes)))

    assert hangs_together(mapping)
    assert is_induced(g, h, mapping)
    maps = (m for m in equal_maps(g, h) if hangs_together(m) and is_induced(g, h, m))
    assert len(mapping) == common.size == common.bound == max(map(len, maps))


def pieces(g: Any, edges: Any) -> list[Any]:
    """The connected parts of a graph with these edges alone, single nodes too."""
    part = nx.Graph()
    part.add_nodes_from(g)
    part.add_edges_from((u, v) for u, v, *_ in edges)
    return list(nx.connected_components(part))


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(graphs=pairs(max_nodes=4))
def test_the_most_edges_that_hang_together(graphs: Any) -> None:
    g, h = graphs
    largest = maximum_common_edge_subgraph(g, h, connected=True, **LABELLED)
    mapping = dict(largest.nodes)
    own = [edge for edge, _ in largest.edges]
    assert len(own) == shared_edges(g, h, mapping) == largest.size == largest.bound
    assert not own or max(map(len, pieces(g, own))) == len(mapping)
    whole = maximum_common_edge_subgraph(g, h, **LABELLED)
    assert largest.size <= whole.size

    def largest_piece(mapping: Any) -> int:
        common = {
            (u, v)
            for u, v, *_ in g.edges
            if shared_edges(g.edge_subgraph(_edges(g, u, v)), h, _of(mapping, u, v))
        }
        return max(
            shared_edges(g, h, {u: mapping[u] for u in piece if u in mapping})
            for piece in pieces(g, common)
        )

    if len(g):
        assert largest.size == max(map(largest_piece, equal_maps(g, h)))


def _edges(g: Any, u: Any, v: Any) -> list[Any]:
    return [edge for edge in g.edges if set(edge[:2]) == {u, v}]


def _of(mapping: Any, *nodes: Any) -> Any:
    return {node: mapping[node] for node in nodes if node in mapping}


def drawn(seed: int, sizes: tuple[int, int], density: float) -> list[Any]:
    """Two graphs with classes of nodes and edges, some of them multigraphs."""
    draw = np.random.default_rng(seed)
    kind = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)[seed % 4]
    kinds = draw.integers(1, 4, 2).tolist()
    graphs = []
    for size in sizes:
        graph = kind()
        for node in range(size):
            graph.add_node(node, label=int(draw.integers(kinds[0])))
        for u, v in itertools.product(range(size), repeat=2):
            for _ in range(2 if graph.is_multigraph() else 1):
                if draw.random() < (density if u != v else density / 4):
                    graph.add_edge(u, v, label=int(draw.integers(kinds[1])))
        graphs.append(graph)
    return graphs


def edge_search(g: Any, h: Any, *, compiled: bool = True) -> Any:
    """Make a kernel's search, which no start and no bound from outside helps."""
    costs: dict[str, Any] = {
        "node_costs": (math.inf, 0.0, 0.0),
        "edge_costs": (math.inf, 1.0, 0.0),
    }
    options = GedOptions(g, h, node_match="label", edge_match="label", **costs)
    loaded = kernels.load if compiled else kernels.load_interpreted
    kernel = loaded("exactmatch.edit._growing")
    return search_of(kernel, *classified(read_sides(options)))


def most_connected(g: Any, h: Any) -> int:
    """Try every mapping of all nodes; those of unequal labels count as not mapped."""
    between = [
        {
            (u, v): Counter(
                x["label"] for x in edges_between(graph, u, v) if u <= v or is_directed
            )
            for u, v in itertools.product(graph, repeat=2)
        }
        for graph in (g, h)
        for is_directed in (graph.is_directed(),)
    ]
    joined = [ends for ends, labels in between[0].items() if labels]
    best = 0
    spare = [None] * max(0, len(g) - len(h))
    for image in itertools.permutations([*h, *spare], len(g)):
        common = nx.Graph()
        for u, v in joined:
            a, b = image[u], image[v]
            if a is None or b is None:
                continue
            if g.nodes[u] != h.nodes[a] or g.nodes[v] != h.nodes[b]:
                continue
            if not h.is_directed() and a > b:
                a, b = b, a
            if size := (between[0][u, v] & between[1][a, b]).total():
                has = common.get_edge_data(u, v, {"size": 0})["size"]
                common.add_edge(u, v, size=has + size)
        for piece in nx.connected_components(common):
            best = max(best, int(common.subgraph(piece).size("size")))
    return best


def cells(graph: Any) -> Counter[Any]:
    """Count the edges by their labels and those of their ends."""
    counts: Counter[Any] = Counter()
    for u, v, label in graph.edges(data="label"):
        ends = [graph.nodes[u]["label"], graph.nodes[v]["label"]]
        order = ends if graph.is_directed() else sorted(ends)
        key = label, u == v, *order
        counts[key] += 1
    return counts


@pytest.mark.parametrize("seed", range(40))
def test_growing_begins_with_the_edges_of_equal_labels_as_its_bound(seed: int) -> None:
    g, h = drawn(seed, (5, 6), 0.4)
    search = edge_search(g, h)
    search.run(1)
    most = (cells(g) & cells(h)).total()
    assert search.bound() == most
    search.upper = 2
    assert search.bound() == max(search.best, min(most, 2))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(120))
def test_growing_alone_finds_the_most_edges(seed: int) -> None:
    """Nothing helps the search: what it leaves out wrongly is missed."""
    draw = np.random.default_rng(seed)
    sizes = int(draw.integers(2, 6)), int(draw.integers(4, 7))
    g, h = drawn(seed, sizes, float(draw.choice([0.15, 0.3, 0.6])))
    expected = most_connected(g, h)
    for one, other in ((g, h), (h, g)):
        search = edge_search(one, other)
        while not search.run(7):
            assert search.best <= expected <= search.bound()
        assert (search.best, search.bound()) == (expected, expected)
        for solver in ("bnb:nodes=100", "hungarian", "hillclimb:restarts=0"):
            common = maximum_common_edge_subgraph(
                one,
                other,
                node_match="label",
                edge_match="label",
                solver=solver,
                connected=True,
            )
            assert (common.size, common.bound) == (expected, expected)
            assert len(common.edges) == expected


def test_the_proof_is_that_of_the_lower_bound() -> None:
    triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    both = nx.complete_graph(6), triangles
    assert maximum_common_edge_subgraph(*both).size == 6
    common = maximum_common_edge_subgraph(*both, connected=True)
    assert (common.size, common.bound, common.solution.proof) == (3, 3, "partition")
    both = nx.cycle_graph(5), nx.path_graph(4)
    any_one = maximum_common_edge_subgraph(*both, solver="bnb:nodes=100")
    common = maximum_common_edge_subgraph(*both, connected=True)
    assert common.solution.proof == any_one.solution.proof == "assignment"
    assert common.solution.solver == "partition"
    common = maximum_common_edge_subgraph(*both, connected=True, solver="cpsat")
    assert common.solution.proof == "milp"


def test_pairs_tell_edges_apart() -> None:
    """Ten searches need 253 steps; without the pairs in the cells, 360."""
    searches = [edge_search(*drawn(seed, (7, 8), 0.25)) for seed in range(0, 40, 4)]
    assert all(search.run(10**6) for search in searches)
    assert sum(search.tried for search in searches) < 300


@pytest.mark.parametrize("seed", range(60))
def test_the_interpreted_growing_takes_the_same_steps(seed: int) -> None:
    sizes = np.random.default_rng(seed).integers(0, 9, 2).tolist()
    graphs = drawn(seed, (sizes[0], sizes[1]), 0.3)
    compiled, interpreted = (
        edge_search(*graphs, compiled=way) for way in (True, False)
    )
    for budget in (0, 1, 7, 10**9):
        assert compiled.run(budget) == interpreted.run(budget)
        assert compiled.tried == interpreted.tried
        assert compiled.bound() == interpreted.bound()
        assert compiled.mapping().tolist() == interpreted.mapping().tolist()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_the_order_changes_no_number_of_connected_edges(seed: int) -> None:
    g, h = drawn(seed, (8, 9), 0.25)
    nodes = sorted(h, key=lambda node: (7 * node + seed) % 9)
    shuffled = nx.relabel_nodes(h, dict(zip(h, nodes, strict=True)))
    options: dict[str, Any] = {
        "node_match": "label",
        "edge_match": "label",
        "connected": True,
    }
    results = [
        maximum_common_edge_subgraph(one, other, **options)
        for one, other in ((g, h), (h, g), (g, shuffled), (shuffled, g))
    ]
    assert len({each.size for each in results}) == 1
    assert all(each.proven for each in results)
    whole = maximum_common_edge_subgraph(h, shuffled, **options)
    piece = max(
        nx.connected_components(nx.Graph(h)), key=lambda p: h.subgraph(p).size()
    )
    assert whole.size == h.subgraph(piece).size()


@pytest.mark.slow
def test_growing_without_time_gives_an_interval_and_a_connected_subgraph() -> None:
    g, h = hard(1), hard(2)
    for limit in (1e-9, 0.5):
        common = maximum_common_edge_subgraph(g, h, time_limit=limit, connected=True)
        assert common.size <= common.bound
        assert len(common.edges) == common.size
        own = [edge for edge, _ in common.edges]
        assert sum(len(piece) > 1 for piece in pieces(g, own)) <= 1


@pytest.mark.filterwarnings("ignore:nodes compared by nothing")
def test_growing_needs_classes_and_takes_a_solver_for_its_bound() -> None:
    g, h = places(4), places(5)
    nx.add_path(g, g)
    nx.add_path(h, h)
    with pytest.raises(InputError, match="equality is an equivalence"):
        maximum_common_edge_subgraph(g, h, node_match=near, connected=True)
    for solver in ("auto", "hungarian", "cpsat"):
        common = maximum_common_edge_subgraph(g, h, connected=True, solver=solver)
        assert (common.size, common.bound) == (3, 3)
    for one, other in ((nx.Graph(), h), (g, nx.Graph()), (nx.Graph(), nx.Graph())):
        common = maximum_common_edge_subgraph(one, other, connected=True)
        assert (common.size, common.bound, common.nodes) == (0, 0, [])


def coded(seed: int) -> tuple[Any, ...]:
    """Draw arguments of the kernel: labels, kinds of edges, both directions, or one."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(0, 8, 2).tolist()
    kinds, is_directed = int(draw.integers(1, 4)), bool(draw.integers(2))
    tables = []
    for size in sizes:
        table = draw.integers(0, kinds + 1, (size, size)) * draw.integers(
            0, 2, (size, size)
        )
        if is_directed:  # a kind says both directions, so that its reverse has another
            table = np.triu(table, 1) + np.triu((table > 0) * kinds + table, 1).T
        else:
            table = np.triu(table, 1) + np.triu(table, 1).T
        tables.append(table.ravel())
    labels = draw.integers(0, draw.integers(1, 4), sum(sizes)).astype(np.intc)
    flat = np.concatenate(tables).astype(np.intc)
    return *sizes, labels, flat, 2 * kinds, bool(draw.integers(2))


@pytest.mark.parametrize("seed", range(60))
def test_the_interpreted_kernel_takes_the_same_steps(seed: int) -> None:
    name = "exactmatch.edit._partition"
    compiled = kernels.load(name).Search(*coded(seed))
    interpreted = kernels.load_interpreted(name).Search(*coded(seed))
    for budget in (0, 1, 7, 10**9):
        assert compiled.run(budget) == interpreted.run(budget)
        assert compiled.tried == interpreted.tried
        assert compiled.bound() == interpreted.bound()
        assert compiled.mapping().tolist() == interpreted.mapping().tolist()


def hard(seed: int) -> nx.Graph:
    return nx.gnp_random_graph(70, 0.5, seed=seed)


@pytest.mark.parametrize("connected", [False, True])
def test_without_time_the_size_lies_in_an_interval(connected: bool) -> None:
    """Graphs of more than 64 nodes; the kernel's sets have more than one word."""
    g, h = hard(1), hard(2)
    common = maximum_common_induced_subgraph(g, h, time_limit=1e-9, connected=connected)
    assert 5 < common.size < common.bound <= 70
    assert not common.proven
    mapping = dict(common.nodes)
    assert len(mapping) == common.size
    for u, v in itertools.combinations(mapping, 2):
        assert g.has_edge(u, v) == h.has_edge(mapping[u], mapping[v])
    assert not connected or nx.is_connected(g.subgraph(mapping))


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_graphs_and_nodes_changes_no_size(seed: int) -> None:
    g = nx.gnp_random_graph(11, 0.4, seed=seed, directed=seed % 2 == 0)
    h = nx.gnp_random_graph(13, 0.4, seed=seed + 100, directed=seed % 2 == 0)
    nodes = sorted(h, key=lambda node: (7 * node + seed) % 13)
    shuffled = nx.relabel_nodes(h, dict(zip(h, nodes, strict=True)))
    for connected in (False, True):
        sizes = {
            maximum_common_induced_subgraph(one, other, connected=connected).size
            for one, other in ((g, h), (h, g), (g, shuffled), (shuffled, g))
        }
        assert len(sizes) == 1
        whole = maximum_common_induced_subgraph(h, shuffled, connected=connected)
        components = map(len, nx.connected_components(nx.Graph(h)))
        assert whole.size == (max(components) if connected else 13)


def test_a_time_limit_that_is_no_number_is_refused() -> None:
    g = nx.path_graph(2)
    functions: tuple[Callable[..., Any], ...] = (
        maximum_common_edge_subgraph,
        maximum_common_induced_subgraph,
        contains,
    )
    for function in functions:
        with pytest.raises(InputError, match="timeout: 'x' is not a number above 0"):
            function(g, g, timeout="x")


def test_a_direction_on_one_side_only_is_refused() -> None:
    with pytest.raises(InputError, match="one graph is directed"):
        contains(nx.Graph(), nx.DiGraph())
