"""Large graphs that are equal but for a few edits; what a cheap path rules out."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import pytest
from support.examples import examples
from support.network_strategies import equal_labels

import exactmatch
from exactmatch.edit import (
    induced,
    maximum_common_edge_subgraph,
    maximum_common_induced_subgraph,
    narrowing,
)
from exactmatch.edit.options import GedOptions
from exactmatch.edit.problem import edit_problem
from exactmatch.solvers import get_solver, nearly_equal

KINDS = (nx.Graph, nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
COSTS: list[dict[str, Any]] = [
    {},
    {"labels": "all"},
    {"labels": "all", "node_costs": (0.5, 2, 1), "edge_costs": (0.25, 1, 0.5)},
    {"labels": "all", "node_costs": (3, 1, 1), "edge_costs": (2, 0.5, 1)},
    {"labels": "all", "node_costs": (float("inf"), 0, 0), "edge_costs": (2, 1, 0)},
    {"labels": "all", "edge_costs": (float("inf"), 1, 1)},
]


def shuffled(graph: Any, rng: random.Random) -> Any:
    """Rename the nodes, and put them in another order."""
    nodes, numbers = list(graph), list(range(len(graph)))
    rng.shuffle(nodes)
    rng.shuffle(numbers)
    names = dict(zip(nodes, numbers, strict=True))
    made = type(graph)()
    made.add_nodes_from((names[v], graph.nodes[v]) for v in nodes)
    edges = [(names[u], names[v], d) for u, v, d in graph.edges(data=True)]
    made.add_edges_from(edges)
    return made


def edited(graph: Any, edits: int, rng: random.Random) -> Any:
    """Add and remove so many edges, and now and then change or add a node."""
    made = graph.copy()
    for number in range(edits):
        choice, nodes = rng.random(), list(made)
        if choice < 0.4 and made.number_of_edges():
            made.remove_edge(*rng.choice(list(made.edges)))
        elif choice < 0.8 and len(nodes) > 1:
            made.add_edge(*rng.sample(nodes, 2), label=rng.randrange(2))
        elif choice < 0.9 and nodes:
            made.nodes[rng.choice(nodes)]["label"] = rng.randrange(3)
        else:
            made.add_node(("new", number), label=rng.randrange(3))
    return made


def two_graphs(rng: random.Random) -> tuple[Any, Any]:
    """A graph of any kind, and one that is nearly equal, or quite another."""
    kind, classes = rng.choice(KINDS), rng.choice([1, 2, 3])
    loops = rng.random() < 0.3

    def made() -> Any:
        graph, size = kind(), rng.randint(0, 7)
        graph.add_nodes_from(
            (v, {"label": rng.randrange(classes)}) for v in range(size)
        )
        for _ in range(rng.randint(0, 2 * size)):
            u, v = rng.randrange(size), rng.randrange(size)
            if u != v or loops:
                graph.add_edge(u, v, label=rng.randrange(classes))
        return graph

    one = made()
    other = edited(one, rng.randint(0, 3), rng) if rng.random() < 0.8 else made()
    return one, shuffled(other, rng)


def test_a_narrow_problem_has_the_same_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrowing, "SMALL", -1)
    solver, rng, sizes = get_solver("bnb"), random.Random(11), [0, 0]
    paired = nearly_equal.paired
    for number in range(examples(600)):
        options = GedOptions(*two_graphs(rng), **rng.choice(COSTS))
        whole = edit_problem(options)
        near = [*solver.solve(whole.problem).alignment]
        if near:  # a path that is a little dearer than the cheapest one
            near[rng.randrange(len(near))] = -1
        begin = (lambda *_, near=near: near) if number % 2 else paired
        monkeypatch.setattr(narrowing, "paired", begin)
        narrow = edit_problem(options, narrow=narrowing.narrowed)
        solution = narrow.improved(solver.solve(narrow.problem))
        assert solution.is_optimal
        assert solution.value == solver.solve(whole.problem).value
        assert narrow.problem.value(solution.alignment) == solution.value
        assert narrow.replacing_all == whole.replacing_all
        sizes[0] += whole.problem.n_candidates
        sizes[1] += narrow.problem.n_candidates
    assert sizes[1] < 0.9 * sizes[0]


SUBGRAPHS: list[tuple[Any, dict[str, Any]]] = [
    (maximum_common_induced_subgraph, {}),
    (maximum_common_induced_subgraph, {"connected": True}),
    (maximum_common_edge_subgraph, {}),
    (maximum_common_edge_subgraph, {"connected": True}),
]


def test_common_subgraphs_are_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    for number in range(examples(400)):
        graphs = two_graphs(rng)
        search, more = rng.choice(SUBGRAPHS)
        more = more | {"labels": rng.choice(["none", "all"])}
        monkeypatch.undo()
        plain = search(*graphs, **more)
        monkeypatch.setattr(narrowing, "SMALL", -1)
        monkeypatch.setattr(induced, "BRIEF", rng.choice([-1, 1]))
        monkeypatch.setattr(induced, "_STEPS", 0)
        begin = first_allowed if number % 2 else nearly_equal.paired
        monkeypatch.setattr(induced, "paired", begin)
        common = search(*graphs, **more)
        assert (common.size, common.bound) == (plain.size, plain.bound)
        assert len(common.nodes if "induced" in search.__name__ else common.edges) == (
            common.size
        )
        check_common(*graphs, common, search, more)


def first_allowed(_: Any, __: Any, ___: Any, allowed: Any) -> list[int]:
    """Pair each node with the first that is free: a bad start."""
    image: list[int] = []
    for row in allowed.tolist():
        free = [j for j, may in enumerate(row) if may and j not in image]
        image.append(free[0] if free else -1)
    return image


def check_common(g: Any, h: Any, common: Any, search: Any, more: Any) -> None:
    """Check that what is said to be common is, and hangs together."""
    mapping = dict(common.nodes)
    assert len(set(mapping.values())) == len(mapping)
    for e, f in common.edges:
        assert more["labels"] == "none" or equal_labels(g.edges[e], h.edges[f])
    if search is maximum_common_induced_subgraph:
        image = h.subgraph(mapping.values())
        assert g.subgraph(mapping).number_of_edges() == image.number_of_edges()
        assert len(common.edges) == image.number_of_edges()
    if more.get("connected") and common.size:
        kept = g.subgraph(mapping).to_undirected()
        assert nx.is_connected(kept)


@pytest.mark.parametrize("connected", [True, False])
def test_equal_graphs_are_their_common_subgraph(connected: bool) -> None:
    graph = nx.gnm_random_graph(600, 1800, seed=1)
    largest = max(nx.connected_components(graph), key=len)
    graph = nx.convert_node_labels_to_integers(graph.subgraph(largest))
    other = shuffled(graph, random.Random(1))
    for search, size in (
        (maximum_common_induced_subgraph, len(graph)),
        (maximum_common_edge_subgraph, graph.number_of_edges()),
    ):
        common = search(graph, other, connected=connected)
        assert (common.size, common.bound) == (size, size)


def test_a_few_edits_of_a_graph_leave_the_rest_common() -> None:
    rng, graph = random.Random(2), nx.gnm_random_graph(100, 250, seed=3)
    other = graph.copy()
    other.remove_edges_from(rng.sample(list(graph.edges), 2))
    other.add_edges_from(rng.sample(list(nx.non_edges(graph)), 2))
    other = shuffled(other, rng)
    common = maximum_common_induced_subgraph(graph, other)
    assert common.proven
    assert 96 <= common.size < 100
    edges = maximum_common_edge_subgraph(graph, other)
    assert (edges.size, edges.bound) == (248, 248)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_large_graph_has_distance_0_to_its_copy(kind: Any) -> None:
    graphs = [kind(nx.gnm_random_graph(200, 500, seed=1)), kind(nx.star_graph(90))]
    graphs.append(kind(nx.random_labeled_tree(150, seed=2)))
    for graph in graphs:
        result = exactmatch.ged(graph, shuffled(graph, random.Random(1)))
        assert (result.distance, result.proven) == (0, True)
        assert result.problem.n_candidates == len(graph)


def test_a_few_edits_of_a_large_graph_are_proven() -> None:
    rng, graph = random.Random(2), nx.gnm_random_graph(200, 600, seed=3)
    other = graph.copy()
    other.remove_edges_from(rng.sample(list(graph.edges), 2))
    other.add_edges_from(rng.sample(list(nx.non_edges(graph)), 2))
    result = exactmatch.ged(graph, shuffled(other, rng))
    assert (result.distance, result.proven) == (4, True)
    assert result.problem.n_candidates < 200 * 200 / 2


def test_a_path_is_there_though_no_time_is_left() -> None:
    graph = nx.gnm_random_graph(100, 250, seed=5)
    other = edited(graph, 10, random.Random(7))
    result = exactmatch.ged(graph, other, labels="none", timeout=1e-6)
    assert result.distance <= 2 * 10
    assert result.bound <= result.distance


def test_a_recorded_proof_is_of_all_candidates() -> None:
    graph = nx.path_graph(70)
    result = exactmatch.ged(graph, shuffled(graph, random.Random(3)), certify=True)
    assert (result.distance, result.proven) == (0, True)
    assert result.problem.n_candidates == 70 * 70
    assert result.certificate is not None
