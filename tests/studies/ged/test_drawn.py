"""An edit path in three steps: every edit is marked once, in the step that it is of."""

from __future__ import annotations

import re
from typing import Any

import networkx as nx
import pytest

from exactmatch.studies import ged


def graph_of(seed: int) -> Any:
    graph = nx.gnm_random_graph(6, 7, seed=seed, directed=seed % 2 == 0)
    for node in graph:
        graph.nodes[node]["label"] = "abc"[(node * seed) % 3]
    for k, edge in enumerate(graph.edges):
        graph.edges[edge]["label"] = "rs"[(k + seed) % 2]
    graph.remove_nodes_from(range(6 - seed % 3, 6))
    return graph


@pytest.mark.parametrize("seed", range(1, 7))
def test_edits_are_drawn_in_their_steps(seed: int) -> None:
    first, second = graph_of(seed), graph_of(seed + 2)
    found = ged([first], [second], node_match="label", edge_match="label")
    (pair,) = found.pairs
    page = "".join(map(str, found.tables().parts))
    steps = re.findall("<svg .*?</svg>", page, re.DOTALL)
    assert len(steps) == 3
    edits = [(edit, old, new) for edit, old, new, _ in pair.result.edits()]
    for step, sign, kind in zip(
        steps, "−≠+", ("delete", "substitute", "insert"), strict=True
    ):
        expected = sum(edit.startswith(kind) for edit, _, _ in edits)
        texts = re.findall(r">([−≠+]) ", step)
        assert texts == [sign] * expected
    stays = [new for old, new in pair.result.node_edit_path if None not in (old, new)]
    drawn = [len(re.findall(r'<g class="node', step)) for step in steps]
    assert drawn == [len(first), len(stays), len(second)]
    assert found.tables().tables[0].rows[0]["_link"] in page
    assert "_link" not in found.to_dict()["pairs"][0]


def test_large_graphs_are_not_drawn() -> None:
    graph = nx.path_graph(61)
    found = ged([graph], [graph])
    assert "".join(map(str, found.tables().parts)) == ""
    assert "_link" not in found.tables().tables[0].rows[0]
