"""SemBleu's official reading: what it makes of odd texts, and where it stops."""

from __future__ import annotations

import pytest
from support.dialects import block_of, sembleu_graph
from support.graph_strategies import checked

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.dialects.sembleu import read_sembleu
from exactmatch.formats.remarks import CONSTANT_ALONE, SIGNS_IN_QUOTES


def labels(text: str) -> list[str]:
    graph = sembleu_graph(text)
    return [graph.labels[label] for _, label in graph.instances]


def edges(text: str) -> list[str]:
    graph = sembleu_graph(text)
    names = [f"{name}" for name in graph.variables]
    return [f"{names[s]} {graph.labels[r]} {names[t]}" for s, r, t in graph.relations]


def test_constants_are_nodes_behind_the_variables() -> None:
    graph = sembleu_graph('(n / name :op1 "New York" :op2 5 :r (x / y :op1 5))')
    assert graph.variables == ("n", "x", ":0", ":1", ":2")
    assert [graph.labels[k] for _, k in graph.instances] == [
        "name",
        "y",
        "New York",
        "5",
        "5",
    ]
    assert graph.attributes == ()
    assert graph.top == 0


def test_what_is_built_keeps_the_rules_of_graphs() -> None:
    """The reader skips the checks of the constructor; here they are made."""
    graph = sembleu_graph("(a / x :r-of (b / y :q 1) :s b :t 2)")
    assert checked(graph) == graph


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(a / x :r-of (b / y))", ["b r a"]),
        ("(a / x :prep-on-behalf-of (b / y))", ["b prep-on-behalf a"]),
        ("(a / x :a-of-b-of (b / y))", ["b a-b a"]),
        ("(a / x :r-of-of (b / y))", ["b r a"]),
        ("(a / x :r-of 5)", [":0 r a"]),
        ("(a / x :r-OF (b / y))", ["a r-OF b"]),
        ("(a / x :r a)", ["a r a"]),
        ("(a / x :r (b / y) :s b)", ["a r b", "a s b"]),
        ("(a / x :r b :s (b / y))", ["a r b", "a s b"]),
        ("(x1 / x :r y2z :s (y2z / y))", ["x1 r :0", "x1 s y2z"]),
        ("(a / x :r (b / y :s 1) :t 2)", ["a r b", "a t :0", "b s :1"]),
        ("(a / x : (b / y))", []),
        ("(a / x :-of (b / y))", ["b  a"]),
        ("(a / x :instance (b / y))", ["a instance b"]),
        ("(a / x :r (c / z :s-of (b :t y))", ["a r c", "c s a"]),
        ("(a / (a / x :r 1))", ["a r :0", "a r :1"]),
    ],
)
def test_edges(text: str, wanted: list[str]) -> None:
    assert edges(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('(a / x :r "f(x:y/z)")', ["x", "fxyz"]),
        ('(a / x :r "")', ["x", ""]),
        ('(a / x :r " New   York ")', ["x", " New York "]),
        ("(a / x y z)", ["xyz"]),
        ('(a / "x")', ['"x"']),
        ("(a / x :r 5 6)", ["x", "5 6"]),
        ('(b / x :r "b")', ["x", "x"]),
        ("(a / )", [""]),
        ("(a / x :r (b / y)", ["x", "y"]),
        ("(a / x :r 5", ["x"]),
        ("(a / x) rest", ["x"]),
        ('(a / x :r "open)', ["x"]),
        ("hello world", ["hello world"]),
        ('"hello"', ['"hello"']),
        ("(a / x\n:r\n5\n6)", ["x", "5 6"]),
        ("# (b / y)\n(a / x)", ["x"]),
    ],
)
def test_labels(text: str, wanted: list[str]) -> None:
    assert labels(text) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no graph"),
        ("# only a comment", "has no graph"),
        ("(a :r b)", r"has a '\)' without its '\('"),
        ("(a :r b :s c)", "has role 'ar' outside of any node"),
        ("(a / x :r-of (b :s y))", "has role 'r-of' without a concept"),
        ("(", "has no node"),
        ("a / b", "has a '/' that is not in"),
        ("(a / x :r b / y)", "has a '/' that is not in"),
        ("(a / x))", r"has a '\)' without its '\('"),
        ("(a / x :r)", "has role ':r' without a value"),
        ("(a / x :r :s 5)", "has role ':r' without a value"),
        ("(a / x :r (b))", "without"),
        ("(a / x :r (b :s (c / y)))", "has role 'r' without a value"),
        ("(a / x :r (a / y))", "defines variable 'a' twice"),
        ("(a / x :r (b / y", "has no concept for variable 'b'"),
        ("(a / x :r b)", "'b', which looks like a variable and is not defined"),
        ("(a / x :r z99)", "'z99', which looks like a variable"),
        ("(a / x :r the-of)", "'the-of', which SemBleu's reader takes for"),
        ("(x-of / x)", "'x-of', which SemBleu's reader takes for"),
        (":r (a / x)", "has role 'r' outside of any node"),
        (":r 5 :s (a / x)", "has role 'r' outside of any node"),
    ],
)
def test_where_it_stops(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        sembleu_graph(text)


def test_an_error_names_file_line_and_graph() -> None:
    text = "# ::id one\n# ::snt x\n(a / x\n   :r b\n   :s 5)"
    (block,) = blocks_of_text("\n\n" + text, "pred.amr")
    with pytest.raises(GraphError, match=r"^pred\.amr:7: graph 'one' has value 'b'"):
        read_sembleu(block)
    with pytest.raises(GraphError, match=r"^f:11:4: "):
        read_sembleu(block_of("(a / x\n:r)", "f", 10))


def test_a_block_keeps_its_metadata() -> None:
    (block,) = blocks_of_text("# ::id one ::snt A b.\n(a / x)")
    graph, lenient, dropped = read_sembleu(block)
    assert graph.metadata["snt"] == "A b."
    assert graph.id == "one"
    assert (lenient, dropped) == ((), ())


def test_signs_in_quotes_and_lone_constants_are_remarked() -> None:
    (block,) = blocks_of_text('(a / x :r "10:30" :q "(y)")')
    assert dict(read_sembleu(block).dropped) == {SIGNS_IN_QUOTES: 3}
    (block,) = blocks_of_text("hello")
    assert read_sembleu(block).lenient == (CONSTANT_ALONE,)
