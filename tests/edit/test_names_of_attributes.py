"""Attributes that are misspelt or forgotten are never a distance of 0."""

from __future__ import annotations

import inspect
import json
import tempfile
from collections.abc import Callable, Iterable
from typing import Any

import networkx as nx
import pytest
from support.command import Cli
from support.files import Files

import exactmatch
import exactmatch.edit as edit
from exactmatch import studies
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
    "cdist": lambda **o: exactmatch.cdist([A], [B], metric="ged", **o),
    "search": lambda **o: exactmatch.search([A], [B], k=1, metric="ged", **o),
    "studies.ged": lambda **o: studies.ged([A], [B], **o),
    "matrix": lambda **o: studies.matrix([A, B], metric="ged", **o),
    "nearest": lambda **o: studies.nearest([A], [B], metric="ged", **o),
    "cluster": lambda **o: studies.cluster([A, B], metric="ged", **o),
    "ground_truth": lambda **o: studies.ground_truth(
        [A, B], out=tempfile.mkdtemp(), **o
    ),
}
"""All that edit graphs and take names of labels."""


def test_all_that_take_labels_are_here() -> None:
    functions = {
        name
        for module in (exactmatch, exactmatch.studies, edit)
        for name in dir(module)
        if name[0] != "_" and "labels" in _parameters(getattr(module, name))
    }
    others = {"maximum_common_edge_subgraph", "maximum_common_induced_subgraph"}
    assert functions == {*QUESTIONS, *others} - {"edges", "nodes", "studies.ged"}


def _parameters(function: Any) -> Iterable[str]:
    if inspect.isfunction(function):
        return inspect.signature(function).parameters
    return ()


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


@pytest.mark.parametrize(
    "command",
    [
        ["ged", "a.json", "b.json"],
        ["ged", "a.json", "b.json", "--node-match", "symbl"],
        ["matrix", "both.jsonl", "--metric", "ged"],
        ["nearest", "a.json", "b.json", "--metric", "ged"],
        ["cluster", "both.jsonl", "--metric", "ged"],
        ["ground-truth", "both.jsonl", "-o", "truth"],
    ],
    ids=lambda command: " ".join((command[0], *command[3:])),
)
def test_commands_say_it_too(command: list[str], cli: Cli, files: Files) -> None:
    files.enter()
    texts = [json.dumps(nx.node_link_data(graph, edges="edges")) for graph in (A, B)]
    files({"a.json": texts[0], "b.json": texts[1], "both.jsonl": "\n".join(texts)})
    names = [] if "symbl" in command else ["--labels", "symbl"]
    said = cli.refusal(*command, *names)
    assert (
        "no node and no edge has the attribute 'symbl'; did you mean 'symbol'" in said
    )
