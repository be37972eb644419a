"""S²match's official reading: what it makes of odd texts, and where it stops."""

from __future__ import annotations

import pytest
from support.dialects import s2match_graph
from support.graph_strategies import checked

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.dialects.s2match import read_s2match
from exactmatch.formats.readings import get_reader
from exactmatch.formats.remarks import (
    CUT,
    INVERTED_CONSTANTS,
    REPLACED,
    SECOND_TOPS,
)


def triples(text: str, *, mark_quotes: bool = True) -> list[str]:
    graph = s2match_graph(text, mark_quotes=mark_quotes)
    return [" ".join((s, r, t)) for s, r, t in graph.triples() if r != "instance"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(a / x :r (b / y) :s b)", ["a s b"]),
        ("(a / x :r (b / y) :s-of b)", ["a r b", "b s a"]),
        ("(a / x :r (b / y) :s-of b :t 1)", ["a t 1", "a s-of b"]),
        ("(a / x :quant 1 :quant 2)", ["a quant 2"]),
        ("(a / x :quant 1 :QUANT 2)", ["a quant 1", "a QUANT 2"]),
        ("(a / x :consist-of (b / y))", ["b consist a"]),
        ("(a / x :r-of 5)", []),
        ("(a / x :r-of 5 :s 6)", ["a r-of 5", "a s 6"]),
        ("(a / x :mod 5)", ["a mod 5"]),
        ("(a / x :mod (b / y))", ["a mod b"]),
        ("(a / x :r b :s (b / y))", ["a r b"]),
        ("(a / x :TOP y)", []),
        ("(a / x :top y)", ["a top y"]),
        ("(a / x :r (b / y :TOP z))", ["b TOP z", "a r b"]),
        ('(a / x :r "New York")', ["a r New"]),
        ('(a / x :r "David")', ["a r David_"]),
        ('(a / x :r "")', ["a r _"]),
        ('(a / x :r "f(x:y/z)")', ["a r f(x:y/z)_"]),
        ("(a / x :r 5\n6)", ["a r 56"]),
        ("(a / x : (b / y))", []),
        ("(a / x :r b2)", ["a r b2"]),
    ],
)
def test_triples(text: str, wanted: list[str]) -> None:
    assert sorted(triples(text)) == sorted(wanted)


def test_unmarked_quotes() -> None:
    assert triples('(a / x :r "David")', mark_quotes=False) == ["a r David"]
    (block,) = blocks_of_text('(a / x :r "David")')
    graph = get_reader("s2match-unmarked")(block).graph
    assert "David" in graph.labels


@pytest.mark.parametrize(
    ("text", "mark_quotes", "message"),
    [
        ("", True, "has no node"),
        ("(", True, "has no node"),
        ("(a / x))", True, r"has a '\)' without its '\('"),
        ("(a / x :r)", True, "has role ':r' without a value"),
        ('(a / x :r "")', False, "has role ':r' without a value"),
        ("(a / x :r (b))", True, "without"),
        ("(a / x :r (a / y))", True, "defines variable 'a' twice"),
        ("(a / (a / x))", True, "defines a variable in its own concept"),
        ("(a / x :r (b / y", True, "has no concept for variable 'b'"),
        ("a / x", True, "has a '/' that is not in"),
        (":r (a / x)", True, "has role 'r' outside of any node"),
    ],
)
def test_where_it_stops(text: str, mark_quotes: bool, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        s2match_graph(text, mark_quotes=mark_quotes)


def test_what_is_built_keeps_the_rules_of_graphs() -> None:
    """The reader skips the checks of the constructor; here they are made."""
    (block,) = blocks_of_text("# ::id one\n(a / x :r-of (b / y :q 1)\n :s b :t 2)")
    graph, lenient, dropped = read_s2match(block)
    assert (checked(graph), graph.id) == (graph, "one")
    assert (lenient, dropped) == ((), ())


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ('(a / x :r "New York" :q "Los Angeles")', {CUT: 2}),
        ("(a / x :r-of 5)", {INVERTED_CONSTANTS: 1}),
        ("(a / x :quant 1 :quant 2 :quant 3)", {REPLACED: 2}),
        ("(a / x :r (b / y) :s b)", {REPLACED: 1}),
        ("(a / x :TOP y)", {SECOND_TOPS: 1}),
        ("(a / x :mod 5 :r-of (b / y))", {}),
    ],
)
def test_losses_are_counted(text: str, dropped: dict[str, int]) -> None:
    (block,) = blocks_of_text(text)
    assert dict(read_s2match(block).dropped) == dropped


def test_an_error_names_file_line_and_graph() -> None:
    (block,) = blocks_of_text("# ::id one\n(a / x\n   :r (a / y))", "pred.amr")
    with pytest.raises(GraphError, match=r"^pred\.amr:3:7: graph 'one' defines"):
        read_s2match(block)
