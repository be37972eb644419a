"""Edit distances in place of scores: what matrices and searches say, and refuse."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.command import Cli

import exactmatch
from exactmatch import InputError


def some_graphs(number: int, seed: int = 0) -> list[Any]:
    """Small random graphs with labels on nodes and edges."""
    rng = random.Random(seed)
    found = []
    for _ in range(number):
        graph = nx.gnp_random_graph(rng.randint(1, 5), 0.5, seed=rng.randrange(10**6))
        for _, known in graph.nodes(data=True):
            known["label"] = rng.choice("ab")
        for *_, known in graph.edges(data=True):
            known["kind"] = rng.choice("xy")
        found.append(graph)
    return found


def by_networkx(queries: list[Any], bank: list[Any]) -> Any:
    """The oracle: networkx's own search, all attributes compared."""
    equal = {"node_match": lambda a, b: a == b, "edge_match": lambda a, b: a == b}
    return np.array(
        [
            [nx.graph_edit_distance(q, g, backend="networkx", **equal) for g in bank]
            for q in queries
        ]
    )


BANK, QUERIES = some_graphs(7), some_graphs(4, seed=1)


@pytest.fixture(scope="module")
def wanted() -> Any:
    return by_networkx(QUERIES, BANK)


def test_a_matrix_has_the_distances_of_networkx(wanted: Any) -> None:
    assert np.array_equal(exactmatch.cdist(QUERIES, BANK, metric="ged"), wanted)
    limited = exactmatch.cdist(QUERIES, BANK, metric="ged", at_most=3)
    assert np.array_equal(limited, np.where(wanted > 3, np.inf, wanted))


@pytest.mark.parametrize(("k", "at_most"), [(3, None), (None, 4), (2, 3), (9, 0)])
def test_a_search_has_the_beginning_of_the_sorted_row(
    wanted: Any, k: int | None, at_most: int | None
) -> None:
    found = exactmatch.search(QUERIES, QUERIES, 1, metric="ged")
    assert [row[0] for row in found] == [(n, 0) for n in range(len(QUERIES))]
    found = exactmatch.search(QUERIES, BANK, k, metric="ged", at_most=at_most)
    for row, expected in zip(found, wanted, strict=True):
        order = sorted((d, n) for n, d in enumerate(expected))
        within = [(n, d) for d, n in order if at_most is None or d <= at_most]
        assert row == within[:k]


def test_labels_say_which_attributes_count() -> None:
    one, other = nx.path_graph(2), nx.path_graph(2)
    nx.set_node_attributes(one, {0: "a", 1: "b"}, "label")
    nx.set_node_attributes(other, {0: "a", 1: "c"}, "label")
    nx.set_edge_attributes(other, 2, "kind")
    assert [
        exactmatch.cdist([one], [other], metric="ged", labels=labels)[0, 0]
        for labels in (None, "all", "none", "label", "kind", "label,kind", ["kind"])
    ] == [2, 2, 0, 1, 1, 2, 1]


@pytest.mark.parametrize(
    "values", [([1, 2], [1, 3]), ({"a": 1}, {"a": 2}), ([[1], 2], [[1], 3])]
)
def test_attributes_that_are_lists_or_mappings_are_compared(values: Any) -> None:
    graphs = []
    for value in values:
        graph = nx.empty_graph(1)
        graph.nodes[0]["label"] = value
        graphs.append(graph)
    found = exactmatch.cdist(graphs, graphs, metric="ged")
    assert found.tolist() == [[0, 1], [1, 0]]


def test_an_array_or_a_file_is_filled(wanted: Any, tmp_path: Path) -> None:
    out = np.zeros(wanted.shape, dtype="f4")
    assert exactmatch.cdist(QUERIES, BANK, metric="ged", out=out) is out
    path = tmp_path / "distances.npy"
    exactmatch.cdist(QUERIES, BANK, metric="ged", out=path)
    assert np.array_equal(out, wanted)
    assert np.array_equal(np.load(path), wanted)
    with pytest.raises(InputError, match="shape"):
        exactmatch.cdist(QUERIES, QUERIES, metric="ged", out=out)


def test_what_has_no_effect_is_refused() -> None:
    with pytest.raises(InputError, match="at-least has no effect"):
        exactmatch.search(QUERIES, BANK, metric="ged", at_least=0.5)
    with pytest.raises(InputError, match="--at-most is of --metric ged"):
        exactmatch.search(["(a / b)"], ["(a / b)"], at_most=3)
    with pytest.raises(InputError, match="a distance and no score"):
        exactmatch.score("(a / b)", "(a / b)", metric="ged")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of files with the graphs of the bank."""
    for number, graph in enumerate(BANK):
        data = nx.node_link_data(graph, edges="links")
        (tmp_path / f"{number}.json").write_text(json.dumps(data), "utf-8")
    return tmp_path


def test_commands_have_the_same_distances(cli: Cli, folder: Path) -> None:
    distances = exactmatch.cdist(BANK, BANK, metric="ged")
    made = cli.json("matrix", str(folder), "--metric", "ged")
    assert made["distances"] == distances.tolist()
    asked = ("nearest", str(folder / "2.json"), str(folder), "--metric", "ged")
    near = cli.json(*asked, "--at-most", "4")["neighbours"]
    found = exactmatch.search([BANK[2]], BANK, None, metric="ged", at_most=4)[0]
    assert [(row["index"], row["distance"]) for row in near] == found
    assert [row["id"] for row in near] == [str(n) for n, _ in found]
    unlimited = cli.json(*asked)
    assert len(unlimited["neighbours"]) == len(BANK)  # at most ten by default
    assert "|k:10|" in unlimited["signatures"][0]
    limited = cli.json("matrix", str(folder), "--metric", "ged", "--at-most", "2")
    assert {d for row in limited["distances"] for d in row} == {
        None if d > 2 else d for d in distances.ravel().tolist()
    }


def test_commands_refuse_in_a_sentence(cli: Cli, folder: Path) -> None:
    one = str(folder / "0.json")
    for words, why in (
        (("nearest", one, one, "--metric", "ged", "--profile", "clean"), "no effect"),
        (
            ("nearest", one, "--metric", "ged", "--at-most", "3"),
            "name queries and a bank",
        ),
        (("matrix", one, "--labels", "chem"), "of --metric ged"),
        (("matrix", str(folder / "none"), "--metric", "ged"), "no such file"),
        (("duplicates", one, "--metric", "ged"), "no score"),
        (("matrix", one, "--metric", "ged", "--format-in", "umr"), "is umr and not"),
    ):
        assert why in cli.refusal(*words)
