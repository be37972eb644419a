"""Lists of results: lists as they are, and tables in notebooks."""

import json
import pickle
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest

import exactmatch
from exactmatch.base.result_list import SHOWN, ResultList

GRAPHS = ["(b / bark-01)", "(d / dog)", "(x / bark-01)"]


def cells(results: Any) -> list[list[str]]:
    root = ElementTree.fromstring(f"<div>{results._repr_html_()}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


def test_neighbours_and_duplicates_are_tables() -> None:
    found = exactmatch.search(["(b / bark-01)"], GRAPHS, k=2)
    assert found == [[(0, 1.0), (2, 1.0)]]
    assert cells(found) == [["", "1", "2"], ["0", "0: 1.0000", "2: 1.0000"]]
    pairs = exactmatch.many.duplicates(GRAPHS)
    assert cells(pairs) == [["", "first", "second", "score"], ["0", "0", "2", "1.0000"]]


def test_choices_steps_and_distances_are_tables() -> None:
    chosen = exactmatch.ensemble([GRAPHS])
    assert cells(chosen)[0] == ["", "index", "expected"]
    assert cells(chosen)[1][:2] == ["0", str(chosen[0].index)]
    labels: dict[str, Any] = {"node_similarity": "lcs", "edge_similarity": "lcs"}
    triples = [("cat", "eats", "mouse")], [("cats", "eat", "mice")]
    steps = exactmatch.thresholds(*triples, metric="graph", **labels)
    assert cells(steps)[0] == ["", "low", "high", "f1"]
    assert cells(steps)[1] == ["0", "0.0000", "0.2222", "0.6455"]
    near = exactmatch.ged_search([nx.path_graph(3)], [nx.path_graph(3)], k=1)
    assert cells(near) == [["", "1"], ["0", "0: 0"]]


@pytest.mark.parametrize("count", [0, 1, SHOWN + 3])
def test_it_is_a_list(count: int) -> None:
    results = ResultList([(0, 0.5)] for _ in range(count))
    assert results == [[(0, 0.5)]] * count
    assert json.loads(json.dumps(results)) == [[[0, 0.5]]] * count
    assert pickle.loads(pickle.dumps(results)) == results
    page = results._repr_html_()
    assert page.count("0: 0.5000") == min(count, SHOWN)
    assert ("… and 3 more" in page) == (count > SHOWN)
    assert ("no results" in page) == (count == 0)


def test_hostile_values_stay_text() -> None:
    assert "<script" not in ResultList([("<script>",)])._repr_html_()
