"""The reader of the smatch profile: what smatch 1.0.4 makes of each text.

Expected triples were written down from runs of smatch 1.0.4; each case says which
of its habits it shows.  Both kernels, compiled and interpreted, must give them.
"""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block, blocks_of_text
from exactmatch.formats.dialects.smatch import read_smatch
from exactmatch.formats.remarks import (
    BLANK,
    CUT,
    GLUED,
    INVERTED_OR_MOD_CONSTANTS,
    NAMELESS_ROLE,
    OPEN_QUOTE,
    ROLELESS,
    SEVERAL_GRAPHS,
    STRAY,
    TABBED,
    TAGGED,
    UNCLOSED,
    UNQUOTED,
    Reading,
)
from exactmatch.graphs.graph import Graph

FAST: Any = kernels.load("exactmatch.formats.dialects._smatch")
SLOW: Any = kernels.load_interpreted("exactmatch.formats.dialects._smatch")
both = pytest.mark.parametrize("kernel", [FAST, SLOW], ids=["loaded", "interpreted"])

CASES = {
    "concepts lose their spaces and keep their tabs": (
        "(a / x y\tz)",
        ["a instance xy\tz"],
    ),
    "a closing quote leaves an underscore": (
        '(a / "x" :op1 "Foo" :op2 "")',
        ["a instance x_", "a op1 Foo_", "a op2 _"],
    ),
    "signs inside quotes are text": (
        '(a / x :op1 "(b:c/d)")',
        ["a instance x", "a op1 (b:c/d)_"],
    ),
    "behind the first space of a quoted value all is lost": (
        '(a / x :op1 "New York")',
        ["a instance x", "a op1 New"],
    ),
    "a role that ends in -of is turned round": (
        "(a / x :ARG0-of (b / y))",
        ["a instance x", "b instance y", "b ARG0 a"],
    ),
    "save for three": (
        "(a / x :consist-of (b / y) :prep-out-of b :prep-on-behalf-of b)",
        [
            "a instance x",
            "b instance y",
            "a consist-of b",
            "a prep-out-of b",
            "a prep-on-behalf-of b",
        ],
    ),
    "one level only": (
        "(a / x :consist-of-of (b / y) :ARG0-of-of b)",
        ["a instance x", "b instance y", "b consist-of a", "b ARG0-of a"],
    ),
    "mod is an inverted domain": (
        "(a / x :mod (b / y))",
        ["a instance x", "b instance y", "b domain a"],
    ),
    "mod-of and domain-of are inverted and nothing else": (
        "(a / x :mod-of (b / y) :domain-of b)",
        ["a instance x", "b instance y", "b mod a", "b domain a"],
    ),
    "roles are told by their case": (
        "(a / x :MOD (b / y) :ARG0-OF b)",
        ["a instance x", "b instance y", "a MOD b", "a ARG0-OF b"],
    ),
    "a constant that would be a source is dropped": (
        '(a / x :mod 1 :ARG1-of 3 :mod "6a" :quant 2)',
        ["a instance x", "a quant 2"],
    ),
    "a value that names a variable is a relation, before or later": (
        "(a / x :ARG0 b :ARG1 (b / y :ARG2 a))",
        ["a instance x", "b instance y", "a ARG1 b", "a ARG0 b", "b ARG2 a"],
    ),
    "a quoted one is not": (
        '(b / x :op1 "b")',
        ["b instance x", "b op1 b_"],
    ),
    "an undefined variable is a constant": (
        "(a / x :ARG0 z)",
        ["a instance x", "a ARG0 z"],
    ),
    "resolved relations come before those to variables defined later": (
        "(a / x :r1 c :r2 (b / y) :r3 (c / z :r4 b :r5 a))",
        [
            "a instance x",
            "b instance y",
            "c instance z",
            "a r2 b",
            "a r3 c",
            "a r1 c",
            "c r4 b",
            "c r5 a",
        ],
    ),
    "loops and repetitions stay": (
        "(a / x :ARG0 a :ARG0 a :quant 1 :quant 1)",
        ["a instance x", "a quant 1", "a quant 1", "a ARG0 a", "a ARG0 a"],
    ),
    "a written TOP is one more": (
        "(a / x :TOP top)",
        ["a instance x", "a TOP top"],
    ),
    "a role without a name is not a relation": (
        "(a / x : (b / y))",
        ["a instance x", "b instance y"],
    ),
    "a variable without a name is one": (
        "(a / x :r ( / y :s (b / z)))",
        ["a instance x", " instance y", "b instance z", "a r ", " s b"],
    ),
    "alignment tags are kept": (
        "(a / x~e.1 :ARG0~e.2 (b / y~e.3))",
        ["a instance x~e.1", "b instance y~e.3", "a ARG0~e.2 b"],
    ),
    "a missing bracket is forgiven": (
        "(a / x :ARG0 (b / y)",
        ["a instance x", "b instance y", "a ARG0 b"],
    ),
    "and what stands behind the last colon is lost": (
        "(a / x :ARG0 (b / y) :quant 1",
        ["a instance x", "b instance y", "a ARG0 b"],
    ),
    "a second graph is more nodes of the first": (
        "(a / x)(b / y)",
        ["a instance x", "b instance y"],
    ),
    "text before the bracket belongs to the name": (
        "# (a / x :ARG0 #a)",
        ["#a instance x", "#a ARG0 #a"],
    ),
    "an empty concept is one": ("(a / )", ["a instance "]),
    "values lose nothing but spaces": (
        "(a / x :quant  -3.5e+2)",
        ["a instance x", "a quant -3.5e+2"],
    ),
}


@both
@pytest.mark.parametrize(("text", "wanted"), CASES.values(), ids=CASES)
def test_triples(kernel: Any, text: str, wanted: list[str]) -> None:
    variables, labels, instances, attributes, relations, top, *_ = kernel.parse((text,))
    graph = Graph(variables, labels, instances, attributes, relations, top)
    assert [" ".join(triple) for triple in graph.triples()] == wanted
    assert variables[top] == wanted[0].split(" ")[0]


MALFORMED = {
    "(a / x :ARG0 (a / y))": ("defines variable 'a' twice", 16),
    '(a / x :op1"David")': ("':op1David_' without a value", 18),
    "(a / x :quant 1/2)": ("'/' that is not in '(variable / concept'", 15),
    "(a / x :ARG0)": ("':ARG0' without a value", 12),
    "(a / x :ARG0 :ARG1 b)": ("':ARG0' without", 13),
    "(a / x ::ARG0 (b / y))": ("':' without", 8),
    "(a)": ("')' without its '('", 2),
    "(a / x))": ("')' without its '('", 7),
    "(a / and/or)": ("'/' that is not", 8),
    "hello world": ("no node", 11),
    "": ("no node", 0),
    "()": ("')' without its '('", 1),
    "(a / x (b / y))": ("no concept for variable 'a'", 15),
    "(a / x :r (:r (b / y))": ("role 'r' has no value", 14),
    ":ARG0 b :ARG1 c": ("role 'ARG0' outside of any node", 8),
    ":ARG0 (b / y)": ("role 'ARG0' outside of any node", 9),
    "(a / x :r ( / y :s-of b :t (b / z)))": ("variable without a name", 36),
}


@both
@pytest.mark.parametrize(("text", "wanted"), MALFORMED.items(), ids=MALFORMED)
def test_what_smatch_cannot_read(kernel: Any, text: str, wanted: Any) -> None:
    with pytest.raises(kernel.MalformedError) as caught:
        kernel.parse((text,))
    words, position = wanted
    assert words in caught.value.reason
    assert caught.value.position == position


def test_what_smatch_cannot_read_is_told_between_processes() -> None:
    with pytest.raises(FAST.MalformedError) as caught:
        FAST.parse(("(a / b",))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.reason, again.position) == (caught.value.reason, 6)


def test_a_node_in_the_concept_of_its_namesake_counts_twice() -> None:
    """Smatch lists the name twice and gives all, TOP included, to the later one."""
    variables, labels, instances, attributes, relations, top, *_ = FAST.parse(
        ("(a /(a / x :quant 1 :ARG0 a)",)
    )
    assert instances == ((1, 0), (1, 0))
    assert [(v, labels[r]) for v, r, _ in attributes] == [(1, "quant")] * 2
    assert [(s, t) for s, _, t in relations] == [(1, 1)] * 2
    assert top == 1
    assert len(set(variables)) == 2


pieces = st.sampled_from(
    [
        *'()/: \t"_ab~',
        "(a / x",
        "(b / y",
        " :ARG0 ",
        " :mod ",
        " :ARG0-of ",
        ' :op1 "c d"',
        " :quant 5",
        "é",
        "consist-of",
    ]
)


@given(st.lists(pieces, max_size=16).map("".join))
@settings(deadline=None, max_examples=examples(500))
def test_kernels_agree_on_any_text_and_make_valid_graphs(text: str) -> None:
    results = []
    for kernel in (FAST, SLOW):
        try:
            results.append(kernel.parse(tuple(text.splitlines())))
        except kernel.MalformedError as error:
            results.append((error.reason, error.position))
    assert results[0] == results[1]
    if len(results[0]) > 2:
        Graph(*results[0][:6])  # the checked constructor


def read(text: str) -> Reading:
    (block,) = blocks_of_text(text)
    return read_smatch(block)


def test_lines_are_joined_without_a_space() -> None:
    graph, lenient, _ = read("# ::id 1\n(a / x :quant 5\n  6)\n")
    assert lenient == (GLUED,)
    assert list(graph.triples())[1] == ("a", "quant", "56")
    assert graph.id == "1"
    assert graph.origin.line == 2


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("(a / x :op1 (b / y)", UNCLOSED),
        ('(a / x :op1 "y)', OPEN_QUOTE),
        ("(a / x)(b / y)", SEVERAL_GRAPHS),
        ("(a / x : (b / y))", NAMELESS_ROLE),
        ("(a / x~e.1)", TAGGED),
        ("((a / x)", STRAY),
        ("c (a / x)", STRAY),
        ("(a / x) c", STRAY),
        ("(a / x) :r c", STRAY),
        ("(a / x) (", STRAY),
        ("(a / x :r (b / y) c)", STRAY),
        ("(a / x :r (b / y) c :q d)", STRAY),
        ("(a / x :r (b :q c", STRAY),
        ("(a / x :r (b / y) (c / z))", ROLELESS),
        ("(a b / x)", BLANK),
        ("(a / x y )", BLANK),
        ("(a / x :r q (b / y))", BLANK),
        ('(a / "x y" :r (b / y))', BLANK),
        ("(a / x\n y)", GLUED),
        ("(a / x :r y\n z)", GLUED),
        ('(a / x :r "y\n(z)")', GLUED),
        ("(a / x :r y z)", UNQUOTED),
        ("(a / x\t:r y)", TABBED),
    ],
)
def test_leniency_is_remarked(text: str, remark: str) -> None:
    assert remark in read(text).lenient


@pytest.mark.parametrize(
    "text",
    [
        '(a / x :op1 "y~z" :mod 1 :op2 "New York" :ARG0 (b / y))',
        "( a / x :r ( b / y ) :q c )",
        "(\na\n/ x\n:r\n(b /\ny\n)\n)",
        '( a / "x" :r "y" :q "z w" )',
        '(a / x :r "p\tq")',
    ],
)
def test_what_is_read_without_leniency_is_not_remarked(text: str) -> None:
    assert read(text).lenient == ()


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("(a / x :mod 1 :mod b)", {INVERTED_OR_MOD_CONSTANTS: 2}),
        ("(a / x :ARG0-of 1)", {INVERTED_OR_MOD_CONSTANTS: 1}),
        ('(a / x :op1 "New York" :op2 "Los Angeles" )', {CUT: 2}),
        ('(a / x :op1 "New York" :mod "c d")', {CUT: 2, INVERTED_OR_MOD_CONSTANTS: 1}),
        ("(a / x :op1 y :mod (b / y))", {}),
    ],
)
def test_losses_are_counted(text: str, dropped: dict[str, int]) -> None:
    assert dict(read(text).dropped) == dropped


def test_an_error_names_line_and_id() -> None:
    with pytest.raises(GraphError) as caught:
        read("# ::id seven\n(a / x\n   :ARG0 (b / y)\n   :ARG1 (a / z))\n")
    assert caught.value.line == 4
    assert caught.value.graph_id == "seven"
    assert str(caught.value) == ("line 4:13: graph 'seven' defines variable 'a' twice")


def test_comments_without_a_graph_are_an_error() -> None:
    with pytest.raises(GraphError, match="comments but no graph"):
        read_smatch(Block(("# ::id 1",), (), 1, None))


def test_ten_thousand_open_brackets_are_one_error() -> None:
    with pytest.raises(GraphError, match="no node"):
        read("(" * 10_000)
    deep = "(a / x :r " + "".join(f"(b{i} / x :r " for i in range(20_000)) + "1"
    assert len(read(deep).graph.variables) == 20_001
