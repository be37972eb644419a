"""The reader of the clean profile: PENMAN, AMR's own model, no leniency."""

from __future__ import annotations

import pytest

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block, blocks_of_text
from exactmatch.formats.dialects.clean import read_clean
from exactmatch.formats.remarks import TAGS
from exactmatch.graphs.graph import Graph


def read(text: str) -> Graph:
    (block,) = blocks_of_text(text)
    graph, lenient, _ = read_clean(block)
    assert lenient == ()
    return graph


def triples(text: str) -> list[str]:
    return [" ".join(triple) for triple in read(text).triples()]


CASES = {
    "lines are separated": ("(a / x :quant 5\n:op1 6)", ["a quant 5", "a op1 6"]),
    "quotes and spaces stay": (
        '(a / x :op1 "New York" :op2 "" :op3 "a\\"b")',
        ['a op1 "New York"', 'a op2 ""', 'a op3 "a\\"b"'],
    ),
    "inverse roles are turned round": (
        "(a / x :ARG0-of (b / y))",
        ["b instance y", "b ARG0 a"],
    ),
    "as AMR knows them": (
        "(a / x :consist-of (b / y) :prep-out-of b :consist-of-of b)",
        ["b instance y", "a consist-of b", "a prep-out-of b", "b consist-of a"],
    ),
    "mod keeps its direction": (
        "(a / x :mod (b / y))",
        ["b instance y", "a mod b"],
    ),
    "domain is its inverse": (
        "(a / x :domain (b / y))",
        ["b instance y", "b mod a"],
    ),
    "constants of mod are kept": ("(a / x :mod 1)", ["a mod 1"]),
    "and so are those of domain": ("(a / x :domain 1)", ["a domain 1"]),
    "repetitions are kept": (
        "(a / x :ARG0 (b / y) :ARG0 b :quant 1 :quant 1)",
        ["b instance y", "a quant 1", "a quant 1", "a ARG0 b", "a ARG0 b"],
    ),
    "alignment tags are not part of a label": (
        "(a / x~e.1 :ARG0~e.2 (b / y~e.3) :op1 c~e.4)",
        ["b instance y", "a op1 c", "a ARG0 b"],
    ),
    "brackets in quotes are text": ('(a / x :op1 ")(")', ['a op1 ")("']),
}


@pytest.mark.parametrize(("text", "wanted"), CASES.values(), ids=CASES)
def test_triples(text: str, wanted: list[str]) -> None:
    assert triples(text) == ["a instance x", *wanted]


def test_both_notations_of_a_modifier_are_one_graph() -> None:
    one = read("(a / x :ARG0 (b / y :mod (c / z)))")
    other = read("(a / x :ARG0 (b / y :domain-of (c / z)))")
    assert one == other


def test_a_variable_without_a_concept_is_one() -> None:
    graph = read("(a / x :r (b))")
    assert graph.concepts() == ["x", None]
    assert graph.relations != ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(a / #Forn)", "a instance #Forn"),
        ("(a / x :op1 #5)", "a op1 #5"),
        ("(a / x#y :op1 #)", "a op1 #"),
        ('(a / x :op1 "# 1")', 'a op1 "# 1"'),
    ],
)
def test_a_hash_within_a_line_begins_no_comment(text: str, wanted: str) -> None:
    assert wanted in triples(text)


def test_the_line_of_an_error_is_found_behind_comments() -> None:
    with pytest.raises(GraphError, match=r"^line 5:1: "):
        read("# ::id 1\n(a / #x\n# aside\n:r 5\n/ y)")


def test_alignment_tags_are_left_out_and_counted() -> None:
    (block,) = blocks_of_text('(a / x~e.1 :r~e.2,3 "c~e.4"~5)')
    assert dict(read_clean(block).dropped) == {TAGS: 3}


def test_metadata_and_top() -> None:
    graph = read("# ::id 7\n# ::snt Hi.\n(b / x :ARG0-of (a / y))")
    assert graph.metadata == {"id": "7", "snt": "Hi."}
    assert graph.variables[graph.top or 0] == "b"


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("(a / x\n :r (b / y)", "lacks 1 closing parenthesis", 2),
        ("(a / x\n :r (b / y", "lacks 2 closing parentheses", 2),
        ("(a / x\n))", r"has a '\)' without its '\('", 2),
        ("(a / x)\n(b / y)", "followed by another", 2),
        ("(a / x)\n tail", "followed by 'tail'", 2),
        ("a / x)", r"does not begin with '\('", 1),
        ('(a / x :op1 "y)', "ends inside a string", 1),
        ("(a / x\n :r (a / y))", "defines variable 'a' twice", None),
        ("(a / x :r)", "role ':r' without a value", None),
        ("()", "has a bracket without a variable", None),
        ("(a / x :r ())", "has a bracket without a variable", None),
        ("(a / x :r :s b)", "role ':r' without a value", None),
        ("(a / x\n / y)", "cannot be read", 2),
    ],
)
def test_what_no_careful_reader_takes(text: str, words: str, line: int | None) -> None:
    with pytest.raises(GraphError, match=words) as caught:
        read("# ::id 7\n" + text)
    assert caught.value.graph_id == "7"
    assert caught.value.line is not None
    assert line is None or caught.value.line == line + 1


def test_comments_without_a_graph_are_an_error() -> None:
    with pytest.raises(GraphError, match="comments but no graph"):
        read_clean(Block(("# ::id 1",), (), 1, None))


def test_deep_brackets_are_one_error() -> None:
    """Of all depths: what penman's recursion bears and what it does not."""
    with pytest.raises(GraphError, match="lacks 100000 closing"):
        read("(" * 100_000)
    depth = 50_000
    deep = "".join(f"(b{i} / x :r " for i in range(depth)) + "1" + ")" * depth
    with pytest.raises(GraphError, match="nests too deeply"):
        read(deep)
