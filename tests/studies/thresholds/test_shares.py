"""Scores at every weight of edges against the score at many weights."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Cli
from support.examples import examples

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.studies import edit_cost_pieces, thresholds_of_systems

GRADED: dict[str, Any] = {"node_similarity": "lcs", "edge_similarity": "lcs"}
WORDS = st.text("abc", min_size=1, max_size=3)


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    nodes = draw(st.lists(WORDS, min_size=1, max_size=5))
    ends = st.integers(0, len(nodes) - 1)
    edges = draw(st.lists(st.tuples(ends, WORDS, ends), max_size=6, unique=True))
    return {"nodes": nodes, "edges": [list(edge) for edge in edges]}


def moved(systems: Any, golds: Any, **more: Any) -> Any:
    return thresholds_of_systems(systems, golds, moves="share", **GRADED, **more)


@given(st.lists(st.tuples(graphs(), graphs(), graphs()), min_size=1, max_size=3))
@settings(max_examples=examples(50), deadline=None)
def test_each_weight_has_the_score_of_its_piece(rows: list[Any]) -> None:
    one, other, golds = (list(side) for side in zip(*rows, strict=True))
    found = moved({"one": one, "other": other}, golds)
    for step in range(11):
        share = step / 10
        wanted = []
        for system, preds in zip(found.systems, (one, other), strict=True):
            report = exactmatch.evaluate(
                preds, golds, "graph", edge_share=share, **GRADED
            )
            wanted.append(report["graph"].f1)
            if share > 0 or any(graph["nodes"] for graph in preds):
                total = system.pieces[0].total.at(share)
                if total:
                    assert system.f1(share) == pytest.approx(wanted[-1], abs=1e-6)
        leads = [x for x in found.leads() if x.low < share < x.high]
        if leads and abs(wanted[0] - wanted[1]) > 1e-6:
            assert leads[0].best == ("one" if wanted[0] > wanted[1] else "other")
    for system in found.systems:
        ends = [(piece.low, piece.high) for piece in system.pieces]
        assert [high for _, high in ends[:-1]] == [low for low, _ in ends[1:]]
        assert (ends[0][0], ends[-1][1]) == (0.0, 1.0)


def test_the_lead_changes_where_the_scores_cross() -> None:
    gold = {"nodes": ["a", "b", "c"], "edges": [[0, 1], [1, 2]]}
    nodes = {"nodes": ["a", "b", "c"], "edges": [[1, 0], [2, 1]]}
    edges = {"nodes": ["a", "x", "c"], "edges": [[0, 1], [1, 2]]}
    found = moved({"nodes": [nodes], "edges": [edges]}, [gold])
    first, last = found.leads()
    assert (first.best, last.best) == ("nodes", "edges")
    at = {"edge_share": first.high, **GRADED}
    scores = [
        exactmatch.score("graph", graph, gold, **at).f1 for graph in (nodes, edges)
    ]
    assert scores[0] == pytest.approx(scores[1])
    assert found.systems[0].solved <= 4


def test_weights_are_checked(cli: Cli) -> None:
    with pytest.raises(InputError, match="leave out --macro"):
        moved({"a": ["(a / b)"]}, ["(a / b)"], macro=True)
    with pytest.raises(InputError, match="no --count"):
        moved({"a": ["(a / b)"]}, ["(a / b)"], count="edges")
    with pytest.raises(InputError, match="has no steps where weights are moved"):
        exactmatch.thresholds("(a / b)", "(a / b)", moves="share")
    with pytest.raises(InputError, match="leave out count"):
        exactmatch.make_metric("graph", edge_share=0.3, count="nodes")
    with pytest.raises(InputError, match="edge_share is 2"):
        exactmatch.make_metric("graph", edge_share=2)
    made = exactmatch.make_metric("graph", edge_share=0.25)
    assert dict(made.signature())["edge-share"] == "0.25"
    assert "edge-share" not in dict(exactmatch.make_metric("graph").signature())
    out = cli.out("thresholds", "--moves", "share", "--at", "0.25,1")
    assert [line.split()[0] for line in out.splitlines()[2:4]] == ["0.2500", "1.0000"]
    text = cli.out("sample", "--metric", "graph", "--edge-share", "0.25", "-q")
    assert out.splitlines()[2].split()[1] == text.strip()
    data = cli.json("thresholds", "--moves", "share", "-q")
    assert {"low", "high", "f1_low", "nodes"} <= set(data["pieces"][0])


def test_feedback_and_parts_know_the_weights() -> None:
    gold = {"nodes": ["a", "b"], "edges": [[0, 1]]}
    pred = {"nodes": ["a", "b"], "edges": []}
    score = exactmatch.score("graph", pred, gold, edge_share=0.25)
    assert score.f1 == pytest.approx(2 * 3 / 6.5)
    (edit,) = exactmatch.feedback(score)
    assert edit.price == pytest.approx(1 - score.f1)
    assert score.subscores()["nodes"].f1 == 1
    assert score.subscores()["edges"].recall == 0


@st.composite
def networks(draw: st.DrawFn) -> Any:
    graph = nx.Graph()
    size = draw(st.integers(1, 4))
    for node in range(size):
        graph.add_node(node, label=draw(st.sampled_from("ab")))
    for u in range(size):
        for v in range(u):
            if draw(st.booleans()):
                graph.add_edge(u, v, label=draw(st.sampled_from("xy")))
    return graph


@given(networks(), networks())
@settings(max_examples=examples(50), deadline=None)
def test_edit_distances_have_pieces_too(one: Any, other: Any) -> None:
    costs: dict[str, Any] = {"labels": "all", "node_costs": (1, 2, 2)}
    found = edit_cost_pieces(one, other, **costs)
    assert (found[0].low, found[-1].high) == (0.01, 0.99)
    assert [p.high for p in found[:-1]] == [p.low for p in found[1:]]
    for step in range(1, 10):
        share = step / 10
        weighed = {
            "node_costs": tuple((1 - share) * cost for cost in (1, 2, 2)),
            "edge_costs": (share,) * 3,
        }
        wanted = exactmatch.ged(one, other, **(costs | weighed)).distance
        (piece,) = [p for p in found if p.low < share <= p.high]
        at = (1 - share) * piece.nodes + share * piece.edges
        assert at == pytest.approx(wanted, abs=1e-6)


def test_costs_that_cannot_be_weighed_are_refused() -> None:
    graph = nx.path_graph(2)
    with pytest.raises(InputError, match="costs cannot be weighed"):
        edit_cost_pieces(graph, graph, costs="chem1")
    with pytest.raises(InputError, match="not between 0 and 1"):
        edit_cost_pieces(graph, graph, low=0)
