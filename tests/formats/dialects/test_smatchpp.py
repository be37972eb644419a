"""SMATCH++'s readings: what they make of odd texts, and where they stop.

What smatchpp 1.8.0 itself makes of these texts was seen by running it.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.graph_strategies import checked

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block, blocks_of_text
from exactmatch.formats.readings import get_reader

AMR, GENERIC, NONE = "smatchpp", "smatchpp-generic", "smatchpp-none"


def block_of(text: str, path: str | None = None) -> Block:
    (block,) = blocks_of_text(text, path)
    return block


def read(text: str, reader: str = AMR) -> Any:
    return get_reader(reader)(block_of(text))


def triples(text: str, reader: str) -> list[str]:
    """All but the instances."""
    graph = read(text, reader).graph
    return [" ".join((s, r, t)) for s, r, t in graph.triples() if r != "instance"]


@pytest.mark.parametrize(
    ("text", "none", "generic", "amr"),
    [
        ("(a / x :ARG0 (b / y))", "a ARG0 b", "a ARG0 b", "a ARG0 b"),
        ("(a / x :ARG0-of (b / y))", "a ARG0-of b", "b ARG0 a", "b ARG0 a"),
        ("(a / x :ARG0-OF (b / y))", "a ARG0-OF b", "b ARG0 a", "b ARG0 a"),
        ("(a / x :consist-of (b / y))", "a consist-of b", "b consist a", "b consist a"),
        ("(a / x :r-of-of (b / y))", "a r-of-of b", "a r b", "a r b"),
        ("(a / x :r-of-of-of (b / y))", "a r-of-of-of b", "b r a", "b r a"),
        ("(a / x :of (b / y))", "a of b", "a of b", "a of b"),
        ("(a / x :-of (b / y))", "a -of b", "b  a", "b  a"),
        ("(a / x :domain (b / y))", "a domain b", "a domain b", "b mod a"),
        ("(a / x :Domain (b / y))", "a Domain b", "a Domain b", "b mod a"),
        ("(a / x :domain-of (b / y))", "a domain-of b", "b domain a", "a mod b"),
        ("(a / x :mod-of (b / y))", "a mod-of b", "b mod a", "b mod a"),
        ("(a / x :domain-of-of b :s (b / y))", None, None, "a domain b"),
        ("(a / x :mod 5)", "a mod 5", "a mod 5", "a mod 5"),
        ("(a / x :domain 5)", "a domain 5", "a domain 5", "a mod-of 5"),
        ("(a / x :ARG0-of 5)", "a ARG0-of 5", "a ARG0-of 5", "a ARG0-of 5"),
        ("(a / x :ARG0-of-of 5)", "a ARG0-of-of 5", "a ARG0 5", "a ARG0 5"),
        ('(b / x :r "b")', 'b r "b"', "b r b", "b r b"),
        ("(b / x :r 'B')", "b r 'B'", "b r b", "b r b"),
        ("(o'b / x :r ob)", "o'b r ob", "o'b r o'b", "o'b r o'b"),
        ('(a / x :r "New  York\nCity")', 'a r "New York City"', None, None),
        ('(a / x :r "f(x :y / z)" :s 1)', 'a r "f(x :y / z)"', None, None),
        ('(a / x :r "a\\"(b")', 'a r "a\\"(b"', None, None),
        ("(a / x :r a:b :s a/b)", "a r a:b", None, None),
        ("(a/x :ARG0(b/y))", "a ARG0 b", "a ARG0 b", "a ARG0 b"),
        ("(a / x\n  :ARG0\n  (b\n / y))", "a ARG0 b", "a ARG0 b", "a ARG0 b"),
        ("(a / x :r b :s (b / y))", "a r b", "a r b", "a r b"),
        ("(a / b :r b)", "a r b", "a r b", "a r b"),
    ],
)
def test_triples(
    text: str, none: str | None, generic: str | None, amr: str | None
) -> None:
    """The first of those that are not instances; ``None`` where it is no matter."""
    for reader, wanted in ((NONE, none), (GENERIC, generic), (AMR, amr)):
        if wanted is not None:
            assert wanted in triples(text, reader)


def test_a_constant_is_a_variable_or_not() -> None:
    """Equal strings, but one graph has an attribute and the other a relation."""
    for reader, n_relations in ((NONE, 0), (GENERIC, 1), (AMR, 1)):
        graph = read('(b / x :r "B")', reader).graph
        assert len(graph.relations) == n_relations
        assert len(graph.attributes) == 1 - n_relations


def test_variables_that_differ_in_case_are_one() -> None:
    text = "(A / x :ARG0 (a / y :op1 1))"
    assert read(text, NONE)[0].variables == ("A", "a")
    graph, remarks, _ = read(text, GENERIC)
    assert graph.variables == ("A",)
    assert graph.relations == ((0, graph.labels.index("ARG0"), 0),)
    assert remarks == ("defines a variable twice and keeps both concepts",)


def test_the_roots_last_concept_marks_it() -> None:
    graph = read("(a / x :ARG0 (b / z) :ARG1 (a / y))").graph
    assert graph.concept(0) == "y"
    assert len(graph.instances) == 3


def test_an_instance_may_be_written_as_a_role() -> None:
    graph = read("(a / x :ARG0 (b / y :instance z))").graph
    assert ("b", "instance", "z") in list(graph.triples())


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("(a / x :ARG0 (b / y)", "lacks a closing parenthesis"),
        ("(a / x))", "has a ')' without its '('"),
        ("(a / x :ARG0)", "has a role without a value, which is left out"),
        ("(a / x :ARG0 :ARG1 b)", "has a role without a value, which is left out"),
        ("(a / x : (b / y))", "has a role without a name"),
        ("(a / x :ARG0 (b))", "has a variable in brackets without a concept"),
        ("(a / x~e.1)", "has '~' alignment tags, which count as part of its labels"),
    ],
)
def test_leniencies_are_remarked_upon(text: str, remark: str) -> None:
    for reader in (NONE, GENERIC, AMR):
        assert read(text, reader)[1] == (remark,)


def test_tags_in_quotes_are_none() -> None:
    assert read('(a / x :op1 "~e.1" :op2 "a\\"~")')[1] == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("garbage", r"does not begin with '\('"),
        (")", r"does not begin with '\('"),
        (":ARG0 (a / x)", r"does not begin with '\('"),
        ("()", "has a bracket without a variable"),
        ("(/ y)", "has a bracket without a variable"),
        ("(", "has a bracket without a variable"),
        ("(a)", "has no concept for variable 'a'"),
        ("(a /", "has no concept for variable 'a'"),
        ("(a / )", "has no concept for variable 'a'"),
        ("(a / :ARG0 (b / y))", "has no concept for variable 'a'"),
        ("(a / (b / y))", "has no concept for variable 'a'"),
        ("(a :ARG0 (b / y))", "has no concept for variable 'a'"),
        ("(a / x :ARG0 (b :op1 1))", "has roles of a variable without a concept"),
        ("(a / x y)", "has 'y' without a role in front of it"),
        ("(a / x :op1 b c)", "has 'c' without a role in front of it"),
        ("(a / x :r (b / y :s) z)", "has 'z' without a role in front of it"),
        ("(a / x (b / y))", "has 'b' without a role in front of it"),
        ("(a / x) (b / y)", "goes on behind its end"),
        ("(a / x) z", "goes on behind its end"),
        ("(a / x)) :ARG0 b", "goes on behind its end"),
        ('(a / x :op1 "b)', "ends inside a string; close the quote"),
    ],
)
def test_where_it_stops(text: str, message: str) -> None:
    for reader in (NONE, GENERIC, AMR):
        with pytest.raises(GraphError, match=message):
            read(text, reader)


def test_comments_are_no_triples() -> None:
    graph, remarks, _ = read("# ::id 1\n# (hello :ARG0\n(a / x\n# bye\n)")
    assert (graph.id, len(list(graph.triples())), remarks) == ("1", 1, ())
    with pytest.raises(GraphError, match="has comments but no graph"):
        read("# ::id 1")


def test_an_error_names_file_line_and_graph() -> None:
    block = block_of("# ::id one\n(a / x\n# note\n   :r (b / y\n   z))", "pred.amr")
    with pytest.raises(GraphError, match=r"^pred\.amr:5:4: graph 'one' has 'z'"):
        get_reader(AMR)(block)


@pytest.mark.parametrize(
    "text",
    [
        "# ::id 1\n(a / x :r-of (b / y :q 1)\n :s b :t 2 :domain 3 :u (c))",
        "(A / x :ARG0 (a / y :instance z) :op1 x)",
    ],
)
def test_what_is_built_keeps_the_rules_of_graphs(text: str) -> None:
    """The reader skips the checks of the constructor; here they are made."""
    for reader in (NONE, GENERIC, AMR):
        graph = read(text, reader).graph
        assert checked(graph) == graph


def test_deep_and_hostile_texts_end() -> None:
    deep = "(a0 / x " + "".join(f":r (a{k} / x " for k in range(1, 5000))
    assert len(read(deep)[0].variables) == 5000
    with pytest.raises(GraphError):
        read("(" * 100_000)
    with pytest.raises(GraphError):
        read('(a / x :r "' + "b " * 100_000)
