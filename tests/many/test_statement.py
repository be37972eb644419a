"""The bound that is known before a pair is solved: valid, and as near as it claims."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from support.graph_strategies import parts

import exactmatch
from exactmatch.base import compiled as kernels
from exactmatch.many.packed import Keys, pack

kernel: Any = kernels.load_interpreted("exactmatch.engine._pairs")
"""The compiled one says how the work ends, and no bounds."""


def bound_and_matches(
    left: Any, right: Any, profile: str = "smatch"
) -> tuple[int, int]:
    """The most that the statement lets a pair match, and what really matches."""
    metric: Any = exactmatch.make_metric("smatch", profile=profile)
    items = [metric.read(graph).item for graph in (left, right)]
    keys = Keys()
    graphs = pack(metric, items, keys, learn=True)
    product = metric.profile.duplicates == "product"
    matcher = kernel.Matcher(
        *(graphs.cells, graphs.begins) * 2, product, 1.0, 1_000_000
    )
    counts = np.zeros((1, 3), dtype=np.int64)
    matcher.counts(np.array([0]), np.array([1]), 0, counts)
    matched = int(counts[0, 0])
    matcher.overlap.meet(0, 1)
    matcher.pair.statement.begin()
    return matcher.pair.credits.bound(), matched


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["smatch", "clean"])
def test_no_alignment_matches_more(profile: str) -> None:
    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(left=parts(repeat=True), right=parts(repeat=True))
    def check(left: Any, right: Any) -> None:
        bound, matched = bound_and_matches(left.graph(), right.graph(), profile)
        assert bound >= matched

    check()


def test_relations_of_one_role_count_as_often_as_nodes_can_be_aligned() -> None:
    """Each of two parts could be either of two others: four pairs, two at a time."""
    left = "(a / and :op (x / x1) :op (y / y1))"
    right = "(o / or :op (z / z1) :op (w / w1))"
    assert bound_and_matches(left, right) == (3, 3)  # the mark of the root is one


def test_of_nodes_with_one_wish_one_gets_it() -> None:
    """Three dogs meet one, and one cat meets three."""
    left = "(a / a1 :p (d / dog) :q (e / dog) :r (f / dog) :s (c / cat))"
    right = "(b / b1 :v (g / dog) :w (h / cat) :x (i / cat) :y (j / cat))"
    assert bound_and_matches(left, right) == (3, 3)
