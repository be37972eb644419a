"""Attributes that are misspelt or forgotten are never a distance of 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

import exactmatch
import exactmatch.edit as edit
from exactmatch.base.errors import InputError

A, B = nx.Graph(), nx.Graph()
for _graph, _symbols in ((A, "CO"), (B, "NS")):
    _graph.add_nodes_from((k, {"symbol": one}) for k, one in enumerate(_symbols))
    _graph.add_edge(0, 1, order=1)

QUESTIONS: dict[str, Callable[..., Any]] = {
    "ged": lambda **o: exactmatch.ged(A, B, **o),
    "ged_matrix": lambda **o: exactmatch.ged_matrix([A, B], **o),
    "ged_search": lambda **o: exactmatch.ged_search([A, B], [A], k=1, **o),
    "edges": lambda **o: edit.maximum_common_edge_subgraph(A, B, **o),
    "nodes": lambda **o: edit.maximum_common_induced_subgraph(A, B, **o),
    "contains": lambda **o: edit.contains(A, B, **o),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_name_that_nothing_has_is_an_error(question: str) -> None:
    for names in ("symbl", ["order", "symbl"]):
        with pytest.raises(InputError, match="'symbl'; did you mean 'symbol'"):
            QUESTIONS[question](labels=names)
    QUESTIONS[question](labels="symbol")
    QUESTIONS[question](labels="order,symbol")


@pytest.mark.parametrize("option", ["node_match", "edge_match"])
@pytest.mark.parametrize("question", ["ged", "edges", "nodes", "contains"])
def test_so_it_is_for_nodes_and_edges_alone(question: str, option: str) -> None:
    with pytest.raises(InputError, match="'symbl'"):
        QUESTIONS[question](**{option: "symbl"})


def test_mappings_are_compared_by_their_labels() -> None:
    first = {"n": 2, "labels": ["C", "O"], "edges": [[0, 1]]}
    second = {"n": 2, "labels": ["N", "O"], "edges": [[0, 1]]}
    matrix = exactmatch.ged_matrix([first, second])
    assert exactmatch.ged(first, second).distance == matrix[0][1] == 1
    plain = {"n": 3, "edges": [[0, 1], [1, 2]]}
    assert exactmatch.ged(plain, {"n": 2, "edges": [[0, 1]]}).distance == 2
    with pytest.raises(InputError):
        exactmatch.ged({"n": 2}, second)
