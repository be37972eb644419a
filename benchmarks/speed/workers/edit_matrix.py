"""Edit distances of many pairs of the small graphs of the neural literature.

usage: edit_matrix.py DATA NUMBER

DATA holds ``data/ged/neural``; where it does not, random graphs of the same size stand
in.  NUMBER graphs of each set are taken.  Writes a line for each set and each search.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

BANK = 10_000
SECONDS = 10.0
"""The time limit of a pair."""


def graphs_of(path: Path) -> list[dict[str, Any]]:
    """Read the graphs of a file, or draw some."""
    if path.exists():
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    import networkx as nx

    drawn = [nx.gnp_random_graph(8, 0.25, seed=seed) for seed in range(60)]
    return [{"n": 8, "edges": [list(edge) for edge in one.edges]} for one in drawn]


def main() -> None:
    """Read, measure, write."""
    import numpy as np

    from exactmatch import ged_matrix, ged_search

    data, number = Path(sys.argv[1]), int(sys.argv[2])
    results: dict[str, list[dict[str, Any]]] = {}
    for name in ("linux", "aids", "imdb"):
        results[name] = graphs_of(data / "data" / "ged" / "neural" / f"{name}.jsonl")
        graphs = results[name][: number if name != "imdb" else max(number // 10, 2)]
        ged_matrix(graphs[:2])
        started = time.process_time()
        matrix = ged_matrix(graphs, time_limit=SECONDS)
        seconds = time.process_time() - started
        pairs = len(graphs) * (len(graphs) - 1) // 2
        proven = int((~np.isnan(matrix)).sum() - len(graphs)) // 2
        figures = {"pairs": pairs, "proven": proven, "ms a pair": 1e3 * seconds / pairs}
        print(json.dumps({"name": name, **figures}))
    bank = (results["aids"] * (BANK // len(results["aids"]) + 1))[:BANK]
    queries = results["aids"][: max(number // 35, 2)]
    for limit in (1, 3):
        times = []
        for some in (queries, queries[:1]):
            turns = []
            for _ in range(3):
                started = time.process_time()
                ged_search(some, bank, limit)
                turns.append(time.process_time() - started)
            times.append(min(turns))
        seconds = times[0] - times[1]  # packing drops out
        each = 1e3 * seconds / (len(queries) - 1)
        figures = {"queries": len(queries), "ms a query": each}
        print(json.dumps({"name": f"within {limit}", **figures}))


if __name__ == "__main__":
    main()
