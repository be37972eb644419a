"""Graphs from and to networkx, penman, text and triples."""

from __future__ import annotations

import json
from typing import Any

import networkx
import numpy
import penman
import pytest
from hypothesis import given, settings
from support.graph_strategies import graphs

from exactmatch.base.errors import GraphError, InputError
from exactmatch.formats.convert import (
    from_networkx,
    from_penman,
    to_networkx,
    to_penman,
)
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES

SMATCH, CLEAN = PROFILES["smatch"], PROFILES["clean"]

WANT = """\
# ::id 7 ::date today
# ::snt The boy does not want Ann to consist of 2 cells.
(w / want-01
   :polarity -
   :ARG0 (b / boy :mod (y / young))
   :ARG1 (c / cell :quant 2 :consist-of (p / person
      :name (n / name :op1 "Ann" :op1 "Ann")
      :ARG0-of w)))
"""


def want() -> networkx.MultiDiGraph:
    """A graph as a user builds it."""
    network = networkx.MultiDiGraph(top="w", id="1", snt="The boy does not want.")
    network.add_node("w", concept="want-01", attributes=[("polarity", "-")])
    network.add_node("b", concept="boy")
    network.add_edge("w", "b", role="ARG0")
    return network


def test_networkx_keys_are_as_documented() -> None:
    graph = as_graph(WANT, SMATCH)
    network = to_networkx(graph)
    assert isinstance(network, networkx.MultiDiGraph)
    assert network.graph["top"] == "w"
    assert network.graph["id"] == "7"
    assert network.graph["date"] == "today"
    assert network.graph["snt"].startswith("The boy")
    assert network.nodes["w"] == {
        "concept": "want-01",
        "attributes": [("polarity", "-")],
    }
    assert network.nodes["n"]["attributes"] == [("op1", "Ann_"), ("op1", "Ann_")]
    assert network.edges["w", "b", 0] == {"role": "ARG0"}


def test_a_graph_built_by_hand_reads_as_its_text() -> None:
    text = "(w / want-01 :polarity - :ARG0 (b / boy))"
    assert from_networkx(want()) == as_graph(text, SMATCH)
    assert from_networkx(want()).metadata == {
        "id": "1",
        "snt": "The boy does not want.",
    }


def assert_same_in_order(found: Graph, wanted: Graph) -> None:
    assert found == wanted
    assert found.variables == wanted.variables
    assert list(found.triples()) == list(wanted.triples())
    assert found.top == wanted.top
    assert found.metadata == wanted.metadata


@given(graphs(5))
@settings(deadline=None)
def test_networkx_and_back_loses_nothing(graph: Graph) -> None:
    """Neither loops nor repetitions nor the order of triples."""
    assert_same_in_order(from_networkx(to_networkx(graph)), graph)


@given(graphs(5))
@settings(deadline=None)
def test_penman_and_back_loses_nothing(graph: Graph) -> None:
    assert_same_in_order(from_penman(to_penman(graph)), graph)


@pytest.mark.parametrize("profile", [SMATCH, CLEAN], ids=["smatch", "clean"])
def test_texts_survive_both_ways(profile: Any) -> None:
    graph = as_graph(WANT, profile)
    assert_same_in_order(from_networkx(to_networkx(graph)), graph)
    assert_same_in_order(from_penman(to_penman(graph)), graph)


def test_unusual_graphs_survive() -> None:
    """No top, a variable with several concepts and one with none, odd metadata."""
    graph = Graph(
        ("a", "b", "c"),
        ("x", "y", "r", "c"),
        ((0, 0), (2, 1), (0, 1)),
        ((1, 2, 3), (0, 2, 0), (1, 2, 1)),
        ((1, 2, 0), (0, 2, 1), (1, 2, 2), (1, 0, 0)),
        None,
        {"top": "mine", "order": "1", "::x": "2", "::top": "3"},
    )
    network = to_networkx(graph)
    assert network.nodes["a"]["concept"] == ["x", "y"]
    assert network.nodes["b"]["concept"] is None
    assert_same_in_order(from_networkx(network), graph)


def test_an_edited_network_is_read_as_it_stands() -> None:
    """The order it carries says nothing about what was added or removed."""
    triples = [("a", "r", "b"), ("b", "p", "1"), ("a", "p", "2"), ("b", "r", "a")]
    network = to_networkx(Graph.from_triples(triples))
    assert "order" in network.graph
    network.remove_node("b")
    network.add_edge("a", "c", role="new")
    assert list(from_networkx(network).triples()) == [
        ("a", "p", "2"),
        ("a", "new", "c"),
    ]


def test_numbers_stand_for_their_text() -> None:
    network = networkx.MultiDiGraph(top=1, id=5)
    network.add_node(1, concept="date-entity", attributes=[(":day", 22)], year=2026)
    network.add_node(2, concept="x", attributes={"quant": 1.5})
    network.add_edge(1, 2, role=":mod")
    graph = from_networkx(network)
    assert graph.id == "5"
    assert list(graph.triples()) == [
        ("1", "instance", "date-entity"),
        ("2", "instance", "x"),
        ("1", "day", "22"),
        ("1", "year", "2026"),
        ("2", "quant", "1.5"),
        ("1", "mod", "2"),
    ]


def test_top_is_the_first_node_unless_stated() -> None:
    network = want()
    del network.graph["top"]
    assert from_networkx(network).top == 0
    network.graph["top"] = "b"
    assert from_networkx(network).top == 1
    network.graph["top"] = None
    assert from_networkx(network).top is None


def broken(**changes: Any) -> networkx.MultiDiGraph:
    network = want()
    network.nodes["b"].update(changes)
    return network


def with_edge(**keys: Any) -> networkx.MultiDiGraph:
    network = want()
    network.add_edge("b", "w", **keys)
    return network


def with_nodes(*nodes: Any, **keys: Any) -> networkx.MultiDiGraph:
    network = networkx.MultiDiGraph(**keys)
    network.add_nodes_from(nodes)
    return network


@pytest.mark.parametrize(
    ("network", "words"),
    [
        (with_edge(), "no role on the edge from 'b' to 'w'"),
        (with_edge(role=5), "the role 5 on the edge"),
        (broken(concept=5), "concept 5 at node 'b'; a concept is a string"),
        (broken(concept=["x", 5]), "concept 5 at node 'b'"),
        (broken(attributes=["-"]), "attribute '-' at node 'b'"),
        (broken(attributes=[("a", "b", "c")]), "pair of role and constant"),
        (broken(attributes=[(1, "b")]), "pair of role and constant"),
        (broken(attributes=[("quant", None)]), "constant None for 'quant'"),
        (broken(pos=(0.1, 0.2)), r"constant \(0.1, 0.2\) for 'pos' at node 'b'"),
        (broken(seen=True), "constant True"),
        (with_nodes(1, "1"), "two nodes that are both '1' as text"),
        (with_nodes("a", top="b"), "top 'b', which is not a node"),
        (networkx.Graph(id="9"), "graph '9' is undirected"),
        (networkx.MultiGraph(id="9"), "graph '9' is undirected"),
        (with_nodes("a", top={"a"}), "top {'a'}, which is not a node"),
        (with_nodes("a", top=["a"]), r"top \['a'\], which is not a node"),
        (broken(attributes=5), "attributes 5 at node 'b'; they are a list"),
        (broken(attributes=None), "attributes None at node 'b'"),
        (broken(attributes=[5]), "attribute 5 at node 'b'"),
        (broken(attributes=numpy.ones(2)), r"attributes array\(\[1., 1.\]\) at node"),
        (broken(quant=numpy.ones((30, 2))), r"constant array\(\[\[1., .*… for 'quant'"),
        (broken(concept=numpy.ones(2)), "concept array"),
        (broken(concept={"x"}), "concept {'x'} at node 'b'"),
        (with_edge(role={"r"}), "the role {'r'} on the edge"),
    ],
)
def test_bad_networks_are_refused(network: Any, words: str) -> None:
    with pytest.raises(GraphError, match=words) as caught:
        from_networkx(network)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "order",
    [5, [1], {"relations": 5}, {"relations": [{1}, [[1]]]}, {"instances": ["z", None]}],
)
def test_an_order_that_is_none_is_not_looked_at(order: Any) -> None:
    network = want()
    network.graph["order"] = order
    assert from_networkx(network) == from_networkx(want())


def test_an_order_survives_json() -> None:
    """Pairs are lists behind it."""
    graph = Graph.from_triples(
        [("b", "r", "a"), ("a", "s", "b"), ("a", "r", "b"), ("b", "q", "a")]
    )
    network = to_networkx(graph)
    order = network.graph["order"]
    network.graph["order"] = json.loads(json.dumps(order))
    assert list(from_networkx(network).triples()) == list(graph.triples())


def test_a_digraph_will_do() -> None:
    network = networkx.DiGraph()
    network.add_edge("a", "b", role="r")
    assert list(from_networkx(network).triples()) == [("a", "r", "b")]


def test_penman_graphs_are_taken_triple_by_triple() -> None:
    decoded = penman.Graph(
        [("a", ":instance", "x"), ("a", ":quant", 5), ("b", ":instance", None)],
        metadata={"id": "1"},
    )
    graph = from_penman(decoded)
    assert list(graph.triples()) == [("a", "instance", "x"), ("a", "quant", "5")]
    assert graph.variables == ("a", "b")
    assert graph.id == "1"
    empty = penman.Graph([("a", ":instance", "x"), ("a", ":r", None)])
    with pytest.raises(GraphError, match="':r' without a value"):
        from_penman(empty)


@pytest.mark.parametrize(
    "triple",
    [
        ("a", ":r", numpy.ones(2)),
        ("a", ":r", ["b"]),
        (("a",), ":r", "b"),
        ("a", ":r", True),
    ],
)
def test_penman_triples_of_anything_else_are_refused(triple: Any) -> None:
    decoded = penman.Graph([("a", ":instance", "x"), triple], top="a")
    with pytest.raises(GraphError, match="a triple is strings and numbers"):
        from_penman(decoded)


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (Graph(("a", "b"), ("r", "b"), (), ((0, 0, 1),), ()), "constant 'b'"),
        (Graph(("a", "b"), ("instance",), (), (), ((0, 0, 1),)), "'instance'"),
        (Graph(("a",), ("instance", "x"), (), ((0, 0, 1),), ()), "'instance'"),
    ],
)
def test_what_penman_cannot_say_is_refused(graph: Graph, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        to_penman(graph)
    assert from_networkx(to_networkx(graph)) == graph


def test_what_is_no_graph_is_not_given_to_networkx() -> None:
    text: Any = "(b / bark-01)"
    with pytest.raises(InputError, match="str is not a Graph; make one by"):
        to_networkx(text)
