"""A graph written as text is read as the same graph, or is refused."""

from __future__ import annotations

import penman
import pytest
from hypothesis import given
from penman.models import amr
from support.graph_strategies import Parts, parts

from exactmatch.base.errors import GraphError
from exactmatch.formats.convert import from_penman
from exactmatch.graphs.graph import Graph, inverse
from exactmatch.graphs.penman_text import quoted, text_of


def read(text: str) -> Graph:
    """Read by penman itself, as it stands."""
    return from_penman(penman.decode(text, model=amr.model))


@given(plain=parts(connected=True))
def test_what_is_written_is_read_again(plain: Parts) -> None:
    graph = plain.graph()
    assert read(text_of(graph)) == graph
    assert read(text_of(graph, indent=False)) == graph
    assert "\n" not in text_of(graph, indent=False)


@pytest.mark.parametrize(
    "text",
    [
        "(a / x :consist-of (b / y :consist-of-of (c / z)))",
        '(a / "x (y)" :op1 "a\\"b" :op2 "")',
        "(a :r (b))",
        "(a / x :ARG1 (b / y :ARG0 d) :ARG2 (c / z :ARG3 (d / w)))",
        "(a / x :ARG1 (b / y :ARG0-of d) :ARG2 (c / z :ARG3 (d / w)))",
        "(a / x :ARG0 (b / y :ARG1 (c / z :part-of a)))",
        "(a / x :ARG0 (b / y :ARG1-of a :ARG2 (c / z)))",
        "(a / x :ARG0 (b / y) :ARG1 b)",
    ],
)
def test_the_text_that_was_read_is_written_again(text: str) -> None:
    """Forward mentions and inverted ones included, where the order tells."""
    assert text_of(read(text), indent=False) == text


@pytest.mark.parametrize(
    ("triples", "words"),
    [
        ([("a b", "instance", "x")], "variable 'a b', which PENMAN cannot write"),
        ([("a", "instance", "x"), ("a", "instance", "y")], "several concepts"),
        ([("a", "instance", "x y")], "label 'x y', which PENMAN cannot write"),
        ([("a", "r", '"x')], "label '\"x', which PENMAN cannot write"),
        ([("a", "r", "x\ny")], "because of its line break"),
        ([("a", "r s", "x")], "role 'r s', which PENMAN cannot write"),
        ([("a", "r", "x"), ("b", "r", "y")], "no relation joins 'b' to the rest"),
    ],
)
def test_what_penman_cannot_say_is_refused(
    triples: list[tuple[str, str, str]], words: str
) -> None:
    with pytest.raises(GraphError, match=words):
        text_of(Graph.from_triples(triples))


def test_a_constant_called_like_a_variable_and_a_role_instance_are_refused() -> None:
    graph = Graph(("a",), ("x", "r", "a"), ((0, 0),), ((0, 1, 2),), ())
    with pytest.raises(GraphError, match="constant 'a', which is also a variable"):
        text_of(graph)
    graph = Graph(("a",), ("instance",), (), (), ((0, 0, 0),))
    with pytest.raises(GraphError, match="role 'instance'"):
        text_of(graph)


def test_quotes_are_escaped() -> None:
    graph = Graph.from_triples([("a", "instance", quoted('x "y" \\'))])
    assert text_of(graph) == '(a / "x \\"y\\" \\\\")'
    assert read(text_of(graph)) == graph


@pytest.mark.parametrize(
    ("role", "wanted"),
    [
        ("ARG0", "ARG0-of"),
        ("ARG0-of", "ARG0"),
        ("consist-of", "consist-of-of"),
        ("consist-of-of", "consist-of"),
        ("prep-out-of", "prep-out-of-of"),
    ],
)
def test_inverse_roles_are_those_of_amr(role: str, wanted: str) -> None:
    assert inverse(role) == wanted
    assert amr.model.invert_role(f":{role}") == f":{wanted}"
