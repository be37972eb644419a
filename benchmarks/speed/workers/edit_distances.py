"""Edit distances of every family of graphs, one by one, by one solver.

usage: edit_distances.py SOLVER SECONDS PAIRS DATA

Imports and making the graphs are not counted; stating the problem is.  Writes a line
for each pair.  ``networkx`` proves nothing within a time limit unless it ends before,
and is tried on graphs of at most 10 nodes and on those of its own issues.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

LARGEST_FOR_NETWORKX = 10


def equal(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Return whether nodes or edges have the same label."""
    return a.get("label") == b.get("label")


def main() -> None:
    """Make the graphs and measure."""
    import networkx as nx

    from benchmarks.speed.graphs import families
    from exactmatch import ged
    from exactmatch.edit.options import SOLVER

    solver, seconds, pairs, *data = sys.argv[1:]
    limit = float(seconds)
    name = SOLVER if solver == "auto" else solver
    path = Path(data[0]) if data and data[0] else None
    match: dict[str, Any] = {"node_match": equal, "edge_match": equal}
    tiny = nx.cycle_graph(3), nx.path_graph(3)
    ged(*tiny, **match, solver="auto" if solver == "networkx" else name)
    nx.graph_edit_distance(*tiny, **match)
    for family, graphs in families(path, int(pairs)).items():
        for g, h in graphs:
            started = time.perf_counter()
            if solver == "networkx":
                small = max(len(g), len(h)) <= LARGEST_FOR_NETWORKX
                if not small and not family.startswith("networkx"):
                    continue
                distance = nx.graph_edit_distance(g, h, timeout=limit, **match)
                spent = time.perf_counter() - started
                proven = spent < limit
            else:
                result = ged(g, h, timeout=limit, solver=name, **match)
                spent = time.perf_counter() - started
                distance, proven = result.distance, result.proven
            record = {
                "family": family,
                "solver": solver,
                "seconds": spent,
                "distance": distance,
                "proven": proven,
            }
            print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
