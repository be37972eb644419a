"""A graph that the other one holds is mapped whole, and worth what it was before."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import pytest
from support.examples import examples

import exactmatch
from exactmatch.metrics.labelled import whole_graphs
from exactmatch.solvers.solution import check_solution

OPTIONS: list[dict[str, Any]] = [
    {},
    {"count": "edges"},
    {"count": "edges", "triple": "min"},
    {"node_similarity": "lcs", "edge_similarity": "lcs"},
    {"edge_share": 0.3},
]


def two_graphs(rng: random.Random) -> tuple[Any, Any]:
    """A graph, and some of its nodes and edges by other names, or a little more."""
    one = nx.MultiDiGraph()
    size = rng.randint(0, 6)
    for v in range(size):
        one.add_node(v, label=f"node {rng.randrange(3)}")
        if rng.random() < 0.3:
            one.nodes[v]["kind"] = f"{rng.randrange(2)}"
    for key in range(rng.randint(0, 2 * size)):
        ends = rng.randrange(size), rng.randrange(size)
        one.add_edge(*ends, key=key, label=f"edge {rng.randrange(2)}")
    kept = rng.sample(range(size), rng.randint(0, size)) if size else []
    other = one.subgraph(kept if rng.random() < 0.5 else range(size)).copy()
    edges = list(other.edges(keys=True))
    other.remove_edges_from(rng.sample(edges, rng.randint(0, len(edges) // 2)))
    if rng.random() < 0.3 and len(other):
        other.nodes[rng.choice([*other])]["label"] = "node 9"
    order = list(other)
    rng.shuffle(order)
    other = nx.relabel_nodes(other, dict(zip(order, range(len(order)), strict=True)))
    return (one, other) if rng.random() < 0.5 else (other, one)


@pytest.mark.filterwarnings("ignore::exactmatch.base.errors.ExactmatchWarning")
def test_scores_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, whole, weighed = random.Random(3), 0, whole_graphs._weighed

    def counted(*arguments: Any) -> Any:
        nonlocal whole
        found = weighed(*arguments)
        whole += found is not None
        return found

    monkeypatch.setattr(whole_graphs, "_weighed", counted)
    for _ in range(examples(400)):
        graphs, options = two_graphs(rng), rng.choice(OPTIONS)
        monkeypatch.setattr(whole_graphs, "SMALL", 10**9)
        wanted = exactmatch.score(*graphs, metric="graph", **options)
        monkeypatch.setattr(whole_graphs, "SMALL", -1)
        found = exactmatch.score(*graphs, metric="graph", **options)
        assert found.matched == pytest.approx(wanted.matched, abs=1e-9)
        assert found.bound == pytest.approx(wanted.bound, abs=1e-9)
        assert found.score == pytest.approx(wanted.score, abs=1e-12)
        assert found.proven == wanted.proven
    assert whole > examples(400) / 4


@pytest.mark.parametrize("share", [1.0, 0.8])
def test_a_large_graph_has_no_pairs_but_those_of_the_mapping(share: float) -> None:
    rng, graph = random.Random(1), nx.MultiDiGraph()
    graph.add_nodes_from((v, {"label": f"node {v % 7}"}) for v in range(300))
    for _ in range(2_000):
        ends = rng.sample(range(300), 2)
        graph.add_edge(*ends, key=len(graph.edges), label=f"edge {rng.randrange(9)}")
    graph = nx.DiGraph(graph)
    other = nx.DiGraph()
    nodes, edges = list(graph.nodes(data=True)), list(graph.edges(data=True))
    rng.shuffle(nodes)
    rng.shuffle(edges)
    other.add_nodes_from(nodes)
    other.add_edges_from(edges[: round(share * len(edges))])
    pair, score = compared(other, graph)
    assert (score.precision, score.proven) == (1.0, True)
    assert pair.problem.problem.n_candidates == 300


def compared(one: Any, other: Any) -> tuple[Any, Any]:
    """Compare two graphs, with the evidence."""
    metric = exactmatch.make_metric("graph")
    sides = [metric.prepare(metric.read(graph).item) for graph in (one, other)]
    pair = metric.compare(*sides, limits=exactmatch.Limits(record_proof=True))
    return pair, metric.scores(pair.statistics)


def test_certificates_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_graphs, "SMALL", -1)
    graph = {
        "nodes": [{"id": n, "label": f"node {n % 3}"} for n in range(9)],
        "edges": [{"source": n, "target": n // 2, "label": "in"} for n in range(1, 9)],
    }
    pair, score = compared(graph, graph)
    assert score.score == 1.0
    check_solution(pair.problem.problem, pair.solution)
