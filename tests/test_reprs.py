"""What objects say of themselves: one short line, however large they are."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

import exactmatch
from exactmatch.metrics import METRICS
from exactmatch.metrics.making import make_metric

LONGEST = 300

PATH = [nx.path_graph(n) for n in range(4)]


def is_short(text: str) -> bool:
    return 0 < len(text) <= LONGEST and "\n" not in text and " at 0x" not in text


def graphs(count: int) -> list[str]:
    return [f"# ::id g{k}\n(b / thing-{k:05} :ARG0 (d / dog))" for k in range(count)]


MADE: dict[str, Callable[[int], Any]] = {
    "distance": lambda n: exactmatch.ged(nx.path_graph(n), nx.cycle_graph(n)),
    "common": lambda n: exactmatch.maximum_common_edge_subgraph(
        nx.path_graph(n), nx.path_graph(n)
    ),
    "embedding": lambda n: exactmatch.edit.contains(nx.path_graph(n), nx.path_graph(n)),
    "clusters": lambda n: exactmatch.many.cluster(graphs(n), k=min(n, 200) or None),
    "bank": lambda n: exactmatch.many.Bank.build(graphs(n)),
    "prepared": lambda n: exactmatch.Scorer().prepare(graphs(n)),
    "report": lambda n: scored(n).compute(),
}


def scored(size: int) -> exactmatch.Scorer:
    """Return a scorer that has scored so many graphs against themselves."""
    scorer = exactmatch.Scorer(keep_pairs=True)
    scorer.update(graphs(size), graphs(size))
    return scorer


@pytest.mark.parametrize("size", [0, 1, 2, 300])
@pytest.mark.parametrize("name", MADE)
def test_one_line_at_any_size(name: str, size: int) -> None:
    found: Any = MADE[name](size)
    assert is_short(repr(found)), repr(found)
    page = getattr(found, "_repr_html_", lambda: "")()
    assert len(page) < 50_000
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert repr(other) == repr(found)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_tells_what_determines_its_numbers(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        metric = make_metric(name)
    assert is_short(repr(metric)), repr(metric)
    assert repr(metric).startswith(f"<metric {name}|")
    assert repr(pickle.loads(pickle.dumps(metric))) == repr(metric)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({}, "edit distance 2, proven; 1 edit of nodes, 1 of edges; similarity 0.7500"),
        ({"upper_bound": 1}, "no edit path costs 1 or less, proven"),
    ],
)
def test_a_distance_tells_what_is_proved(arguments: dict[str, Any], line: str) -> None:
    found = exactmatch.ged(PATH[2], PATH[3], **arguments)
    assert repr(found) == line
    assert line in found._repr_html_()


def test_a_distance_that_is_not_proven_says_so() -> None:
    first, second = (nx.gnp_random_graph(30, 0.3, seed=k) for k in (1, 2))
    found = exactmatch.ged(first, second, solver="hillclimb")
    assert not found.proven
    assert repr(found).startswith(
        f"edit distance {found.distance:.0f}, at least {found.bound:.0f}; "
    )


def test_edits_of_a_notebook_are_harmless_and_few() -> None:
    hostile = nx.Graph()
    hostile.add_node("<script>alert(1)</script>\x1b[2J" + "x" * 1000)
    page = exactmatch.ged(hostile, nx.empty_graph(80))._repr_html_()
    assert "<script>" not in page
    assert "\x1b" not in page
    assert "x" * 100 not in page
    assert page.count("<tr>") == 51
    assert "and 29 more" in page


def test_what_contains_what() -> None:
    assert (
        repr(exactmatch.edit.contains(PATH[2], PATH[3])) == "contained; 2 nodes mapped"
    )
    assert repr(exactmatch.edit.contains(PATH[3], PATH[2])) == "not contained, proven"


def test_clusters_as_a_table() -> None:
    found = exactmatch.many.cluster(graphs(200), at_least=0.99)
    page = found._repr_html_()
    assert page.count("<tr>") == 101
    assert "and 100 clusters more" in page


def test_audits_are_equal_to_themselves_alone() -> None:
    """Arrays, of which audits hold many, cannot be asked whether they are equal."""
    found = [exactmatch.audit(graphs(2), graphs(2), restarts=[1]) for _ in range(2)]
    assert found[0] == found[0]
    assert found[0] != found[1]
