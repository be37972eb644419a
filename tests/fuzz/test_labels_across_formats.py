"""Random labelled graphs, which score 1 with themselves in any two formats.

They are written by networkx, so that no code of ours says what a format means.
"""

from __future__ import annotations

import io
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from exactmatch import make_metric
from exactmatch.formats.blocks import read_blocks

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "200"))
LABELS = (
    *("a", "A", "Alice B", "é", "日本", "x-y", "a.b", "1a", "-", "C++", "a&b", "<b>"),
    *("graph", "node", "end", "null", "true", "None", "label", "a'b", "%", "#1", "/"),
)


def written(writer: Callable[..., None]) -> Callable[[Any], str]:
    def write(graph: Any) -> str:
        file: Any = io.BytesIO()
        writer(graph, file)
        return file.getvalue().decode()

    return write


FORMATS: dict[str, Callable[[Any], str]] = {
    "a.json": lambda graph: json.dumps(nx.node_link_data(graph, edges="links")),
    "b.json": lambda graph: json.dumps(nx.node_link_data(graph, edges="edges")),
    "a.graphml": written(nx.write_graphml),
    "a.gexf": written(nx.write_gexf),
    "a.gml": written(nx.write_gml),
}


def random_graph(rng: random.Random) -> Any:
    """Make a graph whose nodes are names or numbers, with labels or without."""
    graph = nx.DiGraph()
    size = rng.randrange(1, 7)
    numbered = rng.random() < 0.5
    names: list[Any] = rng.sample(range(20), size) if numbered else []
    names = names or rng.sample(LABELS, size)
    labelled = rng.random() < 0.5
    for name in names:
        graph.add_node(name)
        if labelled:
            graph.nodes[name]["label"] = rng.choice(LABELS)
    for _ in range(rng.randrange(2 * size)):
        graph.add_edge(*rng.choices(names, k=2), label=rng.choice(LABELS))
    return graph


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_graph_is_itself_in_every_format(tmp_path: Path) -> None:
    metric: Any = make_metric("graph")
    for seed in range(CASES):
        rng = random.Random(seed)
        graph = random_graph(rng)
        sides: list[tuple[str, Any]] = [("networkx", graph)]
        fitting = {**FORMATS}
        if any("label" in known for _, known in graph.nodes.items()):
            del fitting["a.gml"]  # networkx writes names as labels there
        for file, write in rng.sample([*fitting.items()], 2):
            path = tmp_path / file
            path.write_text(write(graph), encoding="utf-8")
            (block,) = read_blocks(path)
            sides.append((file, block))
        for _ in range(2):
            (left, one), (right, other) = rng.sample(sides, 2)
            read = [metric.prepare(metric.read(side).item) for side in (one, other)]
            found = metric.scores(metric.compare(*read).statistics).score
            assert found == 1.0, (seed, left, right, graph.nodes, graph.edges)
