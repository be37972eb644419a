"""Graphs under a profile: normalisation, totals, and what counts as written."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.graph_strategies import graphs

from exactmatch.base import compiled as kernels
from exactmatch.engine.problem import CountedTriple, counted_triples, encode
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import NORMALISERS, PROFILES

_kernel: Any = kernels.load("exactmatch.engine._coding")
SMATCH, CLEAN = PROFILES["smatch"], PROFILES["clean"]


@pytest.mark.parametrize(
    ("comparison", "label", "wanted"),
    [
        ("smatch", "Foo__", "foo"),
        ("smatch", "_", ""),
        ("smatch", "_Foo_x", "_foo_x"),
        ("smatch", '"Foo"', '"foo"'),
        ("clean", '"Foo"', "foo"),
        ("clean", '"Foo_"', "foo_"),
        ("clean", '"', '"'),
        ("clean", '""', ""),
        ("clean", '"Foo', '"foo'),
        ("lower", '"Foo_"', '"foo_"'),
        ("exact", "Foo_", "Foo_"),
    ],
)
def test_labels_are_compared_as_the_profile_says(
    comparison: Any, label: str, wanted: str
) -> None:
    assert NORMALISERS[comparison](label) == wanted


NEARLY_PLAIN = st.text("abzABZ019-_\"'é", max_size=5)


@given(st.sampled_from(sorted(NORMALISERS)), st.lists(NEARLY_PLAIN).map(tuple))
@example("words", ("open-drawer", "-"))
def test_labels_of_a_graph_are_compared_as_each_alone_would_be(
    comparison: Any, labels: tuple[str, ...]
) -> None:
    normalise = NORMALISERS[comparison]
    assert _kernel.plain_labels(labels, normalise) == [*map(normalise, labels)]


def rows(cells: array[int], width: int) -> list[list[int]]:
    return [list(cells[k : k + width]) for k in range(0, len(cells), width)]


def test_repeated_triples_of_many_are_counted_each_by_itself() -> None:
    """More than there are lists to look for them in, so lists hold several."""
    n = 300
    relations = [(v, 0, (v * 7) % n) for v in range(n)] + [(5, 0, 35), (5, 0, 35)]
    instances = [(v, 0) for v in range(n)] + [(9, 0)]
    cells, *_, repeated = _kernel.code(
        instances, [], relations, ["x"], [], ["x"], False
    )
    unary = rows(cells[5 : cells[0]], 2)
    assert unary == [[v, 1 + (v == 9)] for v in range(n)]
    stated = rows(cells[cells[0] + 2 : cells[1]], 3)
    assert stated == [[v, (v * 7) % n, 1 + 2 * (v == 5)] for v in range(n)]
    assert repeated == 0
    *_, repeated = _kernel.code(instances, [], relations, ["x"], [], ["x"], True)
    assert repeated == 3


TEXT = '(w / Want-01 :polarity - :op1 "Ann" :ARG0 (b / boy) :ARG0 b :ARG1 w)'


def test_triples_that_count() -> None:
    graph = as_graph(TEXT, SMATCH)
    assert list(counted_triples(graph, SMATCH)) == [
        CountedTriple("instance", "", 0, "want-01"),
        CountedTriple("instance", "", 1, "boy"),
        CountedTriple("attribute", "polarity", 0, "-"),
        CountedTriple("attribute", "op1", 0, "ann"),
        CountedTriple("attribute", "top", 0, "top"),
        CountedTriple("relation", "arg0", 0, 1),
        CountedTriple("relation", "arg0", 0, 1),
        CountedTriple("relation", "arg1", 0, 0),
    ]


def test_triples_as_written() -> None:
    graph = as_graph(TEXT, SMATCH)
    found = list(counted_triples(graph, SMATCH, raw=True))
    assert found[0].target == "Want-01"
    assert found[3].target == "Ann_"
    assert found[4] == CountedTriple("attribute", "TOP", 0, "top")
    assert found[5].role == "ARG0"


@pytest.mark.parametrize(
    ("options", "total"),
    [
        ({}, 8),
        ({"duplicates": "multiset"}, 8),
        ({"duplicates": "set"}, 7),
        ({"top": "none"}, 7),
        ({"top": "concept"}, 8),
        ({"just": "instance"}, 2),
        ({"just": "attribute"}, 3),
        ({"just": "attribute", "top": "none"}, 2),
        ({"just": "relation"}, 3),
        ({"just": "relation", "duplicates": "set"}, 2),
    ],
)
def test_totals(options: Any, total: int) -> None:
    graph = as_graph(TEXT, SMATCH)
    assert encode(graph, SMATCH.with_options(**options)).total == total


def test_top_by_concept() -> None:
    profile = SMATCH.with_options(top="concept", just="attribute")
    (top,) = counted_triples(as_graph("(a / Foo)", SMATCH), profile)
    assert top == CountedTriple("attribute", "top", 0, "foo")
    bare = Graph(("a",), (), (), (), (), 0)
    (top,) = counted_triples(bare, profile)
    assert top.target == "top"


def test_a_graph_without_top_has_no_mark_of_it() -> None:
    bare = Graph(("a",), (), (), (), ())
    assert encode(bare, SMATCH).total == 0
    assert list(counted_triples(bare, SMATCH)) == []
    assert encode(Graph((), (), (), (), ()), SMATCH).total == 0


@given(graphs(4))
@settings(deadline=None)
def test_as_many_triples_count_as_are_counted(graph: Graph) -> None:
    for profile in PROFILES.values():
        counted = list(counted_triples(graph, profile))
        once = profile.duplicates == "set"
        assert encode(graph, profile).total == len(set(counted) if once else counted)
