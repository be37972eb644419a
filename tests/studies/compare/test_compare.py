"""Ranks and shapes, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.scoring.resampling import Sampling
from exactmatch.scoring.results import PairResult
from exactmatch.studies.compare.study import shape_of


def test_a_shape_is_counted_by_hand() -> None:
    """Variables w, b, g and their concepts; 3 instance edges and 3 relations."""
    graph = exactmatch.Graph.from_triples(
        [
            ("w", "instance", "want-01"),
            ("b", "instance", "boy"),
            ("g", "instance", "go-02"),
            ("w", "ARG0", "b"),
            ("w", "ARG1", "g"),
            ("g", "ARG0", "b"),
        ]
    )
    shape = shape_of(graph)
    assert (shape.nodes, shape.edges) == (6, 6)
    assert shape.degree == 2 * 6 / 6
    assert shape.density == 6 / 30


def test_scores_that_are_printed_alike_share_a_rank() -> None:
    from exactmatch.metrics.smatch import Smatch
    from exactmatch.studies.compare.ranking import rank_systems

    metric = Smatch()

    def results(matched: int) -> list[PairResult]:
        counts = (float(matched), 0.0, 1e5, 1e5, 1.0, 1.0)
        return [PairResult(0, None, metric.scores(counts), counts)]

    systems = {str(m): results(m) for m in (50_001, 50_004, 50_006)}
    found = rank_systems(metric, systems, Sampling())
    assert [(s.system, s.rank) for s in found.standings] == [
        ("50006", 1),
        ("50004", 2),
        ("50001", 2),
    ]
    with pytest.raises(InputError, match="no pair"):
        rank_systems(metric, {"a": [], "b": []}, Sampling())


def test_a_comparison_has_what_its_first_metric_has() -> None:
    golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    systems = {"one": golds, "other": golds[::-1]}
    found = exactmatch.compare(systems, golds, "sembleu,smatch")
    assert found.metric == "sembleu"
    assert found.standings is found["sembleu"].standings


def test_the_shapes_of_mappings_of_nodes_and_edges_are_compared() -> None:
    whole: dict[str, Any] = {"nodes": ["a", "b"], "edges": [[0, 1]]}
    bare: dict[str, Any] = {"nodes": ["a", "b"], "edges": []}
    systems = {"one": [whole, bare], "other": [bare, bare]}
    found = exactmatch.compare(systems, [whole, whole], "graph")
    assert [found.errors[name].edges for name in systems] == [0.5, 1.0]
    assert [found.errors[name].nodes for name in systems] == [0.0, 0.0]
