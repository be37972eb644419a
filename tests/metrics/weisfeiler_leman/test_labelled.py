"""Graphs as labelled nodes and edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.graph_strategies import graphs

from exactmatch.base.errors import InputError
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.weisfeiler_leman.wlk import (
    LabelledGraph,
    Wlk,
    labelled_graph,
)

GENERIC = PROFILES["smatchpp-generic"]


def nodes(text: str, edge_to_node: bool = False) -> LabelledGraph:
    return labelled_graph(as_graph(text, GENERIC), GENERIC, edge_to_node)


def test_variables_and_constants_are_nodes() -> None:
    graph = nodes('(w / Want-01 :polarity - :ARG0 (b / boy :name "Al"))')
    assert graph.labels == ("want-01", "boy", "-", "al")
    assert set(graph.edges) == {
        (0, "arg0", 1),
        (0, "polarity", 2),
        (1, "name", 3),
    }


def test_repeated_triples_count_once() -> None:
    graph = nodes("(w / want-01 :ARG0 (b / boy) :ARG0 b :quant 2 :quant 2)")
    assert graph.labels == ("want-01", "boy", "2")
    assert len(graph.edges) == 2


def test_equal_constants_of_two_nodes_are_two_nodes() -> None:
    graph = nodes("(a / and :op1 (x / cat :quant 2) :op2 (y / dog :quant 2))")
    assert graph.labels == ("and", "cat", "dog", "2", "2")


def test_an_inverse_role_of_a_constant_leads_from_it() -> None:
    graph = nodes("(a / x :ARG1-of 3)")
    assert graph.labels == ("x", "3")
    assert graph.edges == ((1, "arg1", 0),)


def test_a_constant_spelt_like_a_concept_is_no_node() -> None:
    """As in the published program: the edge leads to the concept's node, if any."""
    assert nodes("(a / x :ARG0 (b / top) :ARG1 top)") == LabelledGraph(
        ("x", "top"), ((0, "arg0", 1), (0, "arg1", 1))
    )
    assert nodes("(t / top :x top)") == LabelledGraph(("top",), ())


def test_roles_become_nodes() -> None:
    graph = nodes("(a / x :ARG0 (b / y))", edge_to_node=True)
    assert graph.labels == ("x", "y", ":arg0")
    assert graph.edges == ((0, "edge", 2), (2, "edge", 1))


def test_a_role_whose_end_is_left_out_stays_a_node() -> None:
    graph = nodes("(t / top :x top)", edge_to_node=True)
    assert graph == LabelledGraph(("top", ":x"), ((0, "edge", 1),))


def test_a_variable_without_a_concept_has_the_empty_label() -> None:
    graph = Graph(("a", "b"), ("r",), (), (), ((0, 0, 1),))
    assert labelled_graph(graph, GENERIC).labels == ("", "")


@given(graph=graphs())
def test_an_edge_is_a_node_between_two_edges(graph: Graph) -> None:
    plain = labelled_graph(graph, GENERIC)
    made = labelled_graph(graph, GENERIC, edge_to_node=True)
    roles = len(made.labels) - len(plain.labels)
    assert len(plain.edges) <= roles
    assert 2 * len(plain.edges) <= len(made.edges) <= 2 * roles
    assert made.labels[: len(plain.labels)] == plain.labels


@pytest.mark.parametrize("iterations", [-1, 101])
def test_iterations_that_make_no_sense_are_refused(iterations: int) -> None:
    with pytest.raises(InputError, match="is not between 0 and 100"):
        Wlk(iterations=iterations)


def test_a_direction_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match="direction is 'up'; it is one of 'both'"):
        Wlk(direction="up")
