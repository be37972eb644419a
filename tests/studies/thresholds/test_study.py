"""The score for every cutoff against the score at many cutoffs."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

import exactmatch
from exactmatch.base.errors import InputError

GRADED: dict[str, Any] = {"node_similarity": "lcs", "edge_similarity": "lcs"}
WORDS = st.text("abcd", min_size=1, max_size=4)


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    nodes = draw(st.lists(WORDS, max_size=4))
    ends = st.integers(0, max(len(nodes) - 1, 0))
    edges = st.tuples(ends, WORDS, ends)
    drawn = draw(st.lists(edges, max_size=4, unique=True)) if nodes else []
    return {"nodes": nodes, "edges": [list(edge) for edge in drawn]}


@given(graphs(), graphs(), st.sampled_from(["nodes-and-edges", "edges"]))
@settings(max_examples=examples(150), deadline=None)
def test_each_cutoff_has_the_score_of_its_stretch(
    one: dict[str, Any], other: dict[str, Any], count: str
) -> None:
    found = exactmatch.thresholds(one, other, count=count, **GRADED)
    assert found[0].low == 0
    assert found[-1].high == 1
    assert [a.high for a in found[:-1]] == [b.low for b in found[1:]]
    assert all(a.f1 > b.f1 for a, b in itertools.pairwise(found))
    for low, high, f1 in found:
        for cutoff in (low + 1e-9, (low + high) / 2, high):
            at = exactmatch.score(
                "graph",
                one,
                other,
                count=count,
                node_cutoff=cutoff,
                edge_cutoff=cutoff,
                **GRADED,
            )
            assert at.f1 == pytest.approx(f1, abs=1e-9)


def test_a_metric_without_cutoff_has_no_thresholds() -> None:
    with pytest.raises(InputError, match="has no cutoff to be moved"):
        exactmatch.thresholds("(a / b)", "(a / b)", metric="smatch")


def test_graphs_without_anything_alike_have_one_stretch() -> None:
    one, other = {"nodes": ["a"], "edges": []}, {"nodes": ["b"], "edges": []}
    assert exactmatch.thresholds(one, other) == [(0.0, 1.0, 0.0)]
    assert exactmatch.thresholds(one, one) == [(0.0, 1.0, 1.0)]
