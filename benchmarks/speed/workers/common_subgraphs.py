"""Largest common induced subgraphs of random graphs, beside McSplit on the same files.

usage: common_subgraphs.py FOLDER NUMBER SIZES [PROGRAM]

NUMBER pairs of each of the SIZES (``15,20``) and densities are written to FOLDER in
the format LAD.  PROGRAM is McSplit, which must find as many nodes.  Writes a line for
each size and density.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

DENSITIES = (0.2, 0.5, 0.8)


def theirs(program: str, paths: list[str]) -> tuple[int, float]:
    """Return how many nodes the program finds, and its CPU time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "-l", "min_max", *paths]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    match = re.search(r"Solution size (\d+)", output)
    if match is None:
        raise SystemExit(f"{program} says no size: {output[:100]}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(match[1]), seconds


def main() -> None:
    """Draw, write, measure in turns."""
    import networkx as nx

    from benchmarks.speed.lad import written
    from exactmatch.edit import maximum_common_induced_subgraph

    folder, number, sizes, *program = sys.argv[1:]
    maximum_common_induced_subgraph(nx.path_graph(2), nx.path_graph(3))
    for size in map(int, sizes.split(",")):
        for density in DENSITIES:
            ours, peer = [], []
            for seed in range(int(number)):
                pair = [
                    nx.gnp_random_graph(size, density, seed=2 * seed + side)
                    for side in (0, 1)
                ]
                started = time.process_time()
                common = maximum_common_induced_subgraph(*pair)
                ours.append(time.process_time() - started)
                paths = [
                    written(graph, Path(folder) / f"{side}.lad")
                    for side, graph in enumerate(pair)
                ]
                if program:
                    most, seconds = theirs(program[0], paths)
                    peer.append(seconds)
                    if most != common.size or not common.proven:
                        raise SystemExit(f"{common!r}, and McSplit finds {most} nodes")
            line: dict[str, Any] = {
                "name": f"{size} nodes, density {density:g}",
                "pairs": len(ours),
                "ms a pair": 1e3 * sum(ours) / len(ours),
            }
            if peer:
                line["McSplit"] = 1e3 * sum(peer) / len(peer)
                line["ratio"] = sum(ours) / sum(peer)
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
