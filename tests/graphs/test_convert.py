"""Graphs from and to networkx, penman, text and triples."""

from __future__ import annotations

from typing import Any

import networkx
import penman
import pytest
from hypothesis import given, settings
from penman.models import amr
from support.graph_strategies import graphs

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.convert import (
    from_networkx,
    from_penman,
    to_networkx,
    to_penman,
)
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.reading.anything import as_graph

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
        (with_nodes("a", top="b"), "top 'b', which is no node"),
        (networkx.Graph(id="9"), "graph '9' is undirected"),
    ],
)
def test_bad_networks_are_refused(network: Any, words: str) -> None:
    with pytest.raises(GraphError, match=words) as caught:
        from_networkx(network)
    assert "\n" not in str(caught.value)


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


@pytest.mark.parametrize("profile", ["smatch", "clean", "sembleu"])
@pytest.mark.parametrize("model", [None, amr.model], ids=["default", "amr"])
def test_a_penman_graph_counts_as_its_text(profile: str, model: Any) -> None:
    """Whichever model decoded it: ``:consist-of`` is no inverse in AMR."""
    decoded = penman.decode(WANT, model=model)
    assert as_graph(decoded, PROFILES[profile]) == as_graph(WANT, PROFILES[profile])
    assert as_graph(decoded, PROFILES[profile]).id == "7"


@pytest.mark.parametrize("model", [None, amr.model], ids=["default", "amr"])
def test_a_role_that_is_no_inverse_is_inverted_with_a_second_of(model: Any) -> None:
    text = "(p / person :consist-of-of (c / cell))"
    decoded = penman.decode(text, model=model)
    for profile in (SMATCH, CLEAN):
        assert as_graph(decoded, profile) == as_graph(text, profile)


def test_a_penman_graph_in_pieces_cannot_be_written() -> None:
    decoded = penman.Graph(
        [("a", ":instance", "x"), ("b", ":instance", "y")], metadata={"id": "3"}
    )
    with pytest.raises(GraphError, match="graph '3' cannot be written as text"):
        as_graph(decoded, SMATCH)
    assert len(from_penman(decoded).variables) == 2


def test_alignment_tags_are_stripped_where_the_profile_says_so() -> None:
    tagged = '# ::tok a~b\n(a / x~e.1 :ARG0~e.2 (b / y~e.3,4)\n :op1 "c~d"~e.5)'
    bare = '(a / x :ARG0 (b / y) :op1 "c~d")'
    stripping = SMATCH.with_options(strip_alignments=True)
    assert as_graph(tagged, stripping) == as_graph(bare, SMATCH)
    assert as_graph(tagged, stripping).metadata == {"tok": "a~b"}
    assert as_graph(tagged, SMATCH) != as_graph(bare, SMATCH)
    assert as_graph(tagged, CLEAN) == as_graph(bare, CLEAN)


def test_anything_that_stands_for_a_graph_is_taken() -> None:
    text = "(w / want-01 :polarity - :ARG0 (b / boy))"
    wanted = as_graph(text, SMATCH)
    triples = list(wanted.triples())
    for item in (wanted, want(), triples, iter(triples), map(list, triples)):
        assert as_graph(item, SMATCH) == wanted
    assert as_graph(wanted, SMATCH) is wanted


@pytest.mark.parametrize("item", [None, 5, b"(a / x)", {"a": "x"}])
def test_anything_else_is_refused(item: Any) -> None:
    with pytest.raises(InputError, match="is no graph; give PENMAN text"):
        as_graph(item, SMATCH)


def test_a_text_holds_one_graph() -> None:
    with pytest.raises(InputError, match="2 graphs where one is wanted"):
        as_graph("(a / x)\n\n(b / y)", SMATCH)
    for empty in ("", "  \n", "# ::id 1\n"):
        with pytest.raises(GraphError, match="is empty"):
            as_graph(empty, SMATCH)
