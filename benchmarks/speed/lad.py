"""Graphs in the format LAD, which McSplit reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def written(graph: Any, path: Path) -> str:
    """Write a graph: how many nodes, and the neighbours of each."""
    rows = [[graph.degree(node), *graph[node]] for node in graph]
    text = "\n".join(" ".join(map(str, row)) for row in [[len(graph)], *rows])
    path.write_text(text + "\n", "utf-8")
    return str(path)
