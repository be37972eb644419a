"""PENMAN as annotators write it: what is taken, what is remarked, what is refused."""

from __future__ import annotations

import pytest

from exactmatch.base.errors import GraphError
from exactmatch.formats.penman_graphs import Tree, parse_tree
from exactmatch.graphs.graph import Origin


def parse(text: str) -> Tree:
    return parse_tree(enumerate(text.split("\n"), 10), Origin("f", 10))


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("(a / x :r b)", ["a r b"]),
        ("( a/x :r (b/ y) )", ["a r b"]),
        ("(a /x\t:r\n(b\n/\ny))", ["a r b"]),
        ("(a / x :time 0:00 :q 1/2)", ["a time 0:00", "a q 1/2"]),
        ('(a / x :op1 "a (b) :c")', ['a op1 "a (b) :c"']),
        ('(a / x :op1 "a \\" b")', ['a op1 "a \\" b"']),
        ("(a / x:y :r (b))", ["a r b"]),
        ("(a :r (b :q c))", ["a r b", "b q c"]),
        ("(é1 / #Forn :ARG0-of é2)", ["é1 ARG0-of é2"]),
    ],
)
def test_statements(text: str, statements: list[str]) -> None:
    tree = parse(text)
    assert [" ".join(statement) for statement in tree.statements] == statements
    assert not tree.lenient


def test_concepts_lines_and_top() -> None:
    tree = parse('(a / #x\n  :r (b / "y z"\n    :q (c)))')
    assert tree.concepts == {"a": "#x", "b": '"y z"', "c": None}
    assert tree.lines == {"a": 10, "b": 11, "c": 12}
    assert tree.top == "a"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(a / x :r)", "role without a value"),
        ("(a / x :r :q b)", "role without a value"),
        ("(a / x : b)", "role without a name"),
        ("(a / x~e.1)", "alignment tags"),
        ("(a / x) b", "followed by a word"),
    ],
)
def test_leniency_is_remarked(text: str, words: str) -> None:
    assert any(words in reason for reason in parse(text).lenient)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no node"),
        ("a / x", r"does not begin with '\(' but with 'a'"),
        ("(a / x", "lacks 1 closing parenthesis"),
        ("(a / x :r (", "lacks 2 closing parentheses"),
        ("(a / x))", r"has a '\)' without its '\('"),
        ("(a / x)(b / y)", "followed by another; put a blank line between them"),
        ("((a / x))", "bracket where a variable or concept belongs"),
        ("(a / (b / x))", "bracket where a variable or concept belongs"),
        ("(a / x (b / y))", "bracket without a role"),
        ("(a / x y)", "'y' without a role"),
        ("(a / )", "no concept for variable 'a'"),
        ("(a / x :r ())", "bracket without a variable"),
        ("(:a / x)", "':a' where a variable belongs"),
        ("(a / x :r (a / y))", "defines variable 'a' twice, first on line 10"),
        ('(a / x :r "y)', "inside a string"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, words: str) -> None:
    with pytest.raises(GraphError, match=words) as caught:
        parse(text)
    assert caught.value.path == "f"
    assert caught.value.line == 10


@pytest.mark.slow
def test_depth_needs_no_recursion() -> None:
    n = 50_000
    tree = parse("".join(f"(v{k} / x :r " for k in range(n)) + "1" + ")" * n)
    assert len(tree.concepts) == n
