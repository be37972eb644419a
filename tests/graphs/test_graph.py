"""The graph as coded triples: checks, order, equality."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.graph_strategies import Parts, parts, shuffled

import exactmatch
from exactmatch.base.errors import GraphError, InputError
from exactmatch.graphs.graph import Graph, Origin, Triple

BARK = [
    ("b", "instance", "bark-01"),
    ("d", ":instance", "dog"),
    ("b", ":polarity", "-"),
    ("b", "ARG0", "d"),
    ("b", "ARG0", "d"),
]


def test_triples_are_sorted_into_instances_attributes_and_relations() -> None:
    graph = Graph.from_triples(BARK)
    assert graph.variables == ("b", "d")
    assert list(graph.triples()) == [
        Triple("b", "instance", "bark-01"),
        Triple("d", "instance", "dog"),
        Triple("b", "polarity", "-"),
        Triple("b", "ARG0", "d"),
        Triple("b", "ARG0", "d"),
    ]
    assert graph.top == 0


def test_labels_stand_once() -> None:
    graph = Graph.from_triples(BARK)
    assert len(set(graph.labels)) == len(graph.labels)
    assert graph.relations[0] == graph.relations[1]


def test_a_target_defined_later_is_a_relation() -> None:
    graph = Graph.from_triples([("a", "r", "b"), ("b", "instance", "x")])
    assert graph.attributes == ()
    assert graph.relations == ((0, 0, 1),)


def test_a_concept_that_is_also_a_variable_stays_a_concept() -> None:
    graph = Graph.from_triples([("a", "instance", "b"), ("b", "instance", "x")])
    assert graph.concepts() == ["b", "x"]


def test_top_and_id() -> None:
    graph = Graph.from_triples(BARK, top="d", metadata={"id": "1"})
    assert graph.variables[graph.top or 0] == "d"
    assert graph.id == "1"


def test_the_first_of_several_concepts_is_the_concept() -> None:
    graph = Graph((("a"), "b"), ("x", "y"), ((0, 1), (0, 0)), (), ())
    assert graph.concept(0) == "y"
    assert graph.concept(1) is None
    assert graph.concepts() == ["y", None]


def test_no_triples_make_an_empty_graph() -> None:
    graph = Graph.from_triples([])
    assert graph == Graph((), (), (), (), ())
    assert graph.top is None


@pytest.mark.parametrize(
    ("triples", "top", "words"),
    [
        ([("a", "r")], None, "three strings"),
        ([("a", "quant", 5)], None, "three strings"),
        (["abc"], None, "'abc'; a triple is three strings"),
        ([5], None, "triple 5"),
        ([("a", "r", "b")], "b", "top 'b', which is not a variable"),
    ],
)
def test_bad_triples_are_refused(triples: Any, top: str | None, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        Graph.from_triples(triples, top=top)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ((("a", "a"), (), (), (), ()), "variable twice"),
        ((("a",), ("x", "x"), (), (), ()), "label twice"),
        ((("a",), ("x",), ((1, 0),), (), ()), "does not define"),
        ((("a",), ("x",), ((0, 1),), (), ()), "does not list"),
        ((("a",), ("x",), ((-1, 0),), (), ()), "does not define"),
        ((("a",), ("x",), (), ((0, 0, 1),), ()), "does not list"),
        ((("a",), ("x",), (), ((0, -1, 0),), ()), "does not list"),
        ((("a",), ("x",), (), ((1, 0, 0),), ()), "does not define"),
        ((("a",), ("x",), (), (), ((0, 0, 1),)), "does not define"),
        ((("a",), ("x",), (), (), ((0, 1, 0),)), "does not list"),
        ((("a",), (), (), (), (), 1), "does not define"),
    ],
)
def test_bad_codes_are_refused(fields: Any, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        Graph(*fields)


def test_a_graph_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Graph.from_triples(BARK).top = 1  # type: ignore[misc]  # refused


@given(parts(), st.integers(0, 2**32))
@settings(deadline=None)
def test_equality_is_that_of_the_triples(plain: Parts, seed: int) -> None:
    """Numbers and order do not count; another triple or top does."""
    graph = plain.graph()
    same = shuffled(graph, seed)
    assert graph == same
    assert hash(graph) == hash(same)
    more = Parts(plain.concepts, [*plain.attributes, ("v0", "r", "new")], [])
    assert graph != more.graph()
    assert graph != "a graph"


def test_equality_counts_repetitions_and_tells_constants_from_variables() -> None:
    assert Graph.from_triples(BARK) != Graph.from_triples(BARK[:-1])
    constant = Graph(("a", "b"), ("r", "b"), (), ((0, 0, 1),), ())
    relation = Graph(("a", "b"), ("r", "b"), (), (), ((0, 0, 1),))
    assert constant != relation
    top = Graph.from_triples(BARK, top="d")
    assert top != Graph.from_triples(BARK)


def test_relabelling_merges_labels_that_become_equal() -> None:
    graph = Graph.from_triples([("a", "instance", "X"), ("a", "r", "x")])
    lower = graph.relabelled(tuple(label.lower() for label in graph.labels))
    assert list(lower.triples()) == [("a", "instance", "x"), ("a", "r", "x")]
    assert lower.labels == ("x", "r")


def test_an_origin_names_file_line_and_id() -> None:
    error = Origin("gold.amr", 118, "bolt.7").error("is odd")
    assert str(error) == "gold.amr:118: graph 'bolt.7' is odd"
    assert (error.path, error.line, error.graph_id) == ("gold.amr", 118, "bolt.7")
    assert isinstance(error, InputError)
    assert str(Origin(line=3).error("is odd", 5)) == "line 5: the graph is odd"
    assert str(Origin("f").error("is odd")) == "f: the graph is odd"


def test_sentences_and_words_are_those_of_the_format() -> None:
    """MRP's terminals have no label; the sentence says what they stand for."""
    text = (
        '{"id": "1", "framework": "ucca", "input": "Dogs bark", "tops": [2], "nodes": ['
        '{"id": 0, "anchors": [{"from": 0, "to": 4}]}, '
        '{"id": 1, "anchors": [{"from": 5, "to": 9}]}, {"id": 2}], '
        '"edges": [{"source": 2, "target": 0, "label": "A"}, '
        '{"source": 2, "target": 1, "label": "P"}]}'
    )
    (graph,) = exactmatch.load(text)
    assert graph.sentence == "Dogs bark"
    drawn = exactmatch.draw(text)
    assert ">Dogs</text>" in drawn
    assert ">bark</text>" in drawn
