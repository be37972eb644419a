"""Small molecules compared by one program: ``rivals.py PROGRAM GRAPHS NUMBER``.

GRAPHS has a graph a line, ``{"n", "labels", "edges"}``; the first NUMBER are compared
each with each.  PROGRAM is ``ged`` or ``common`` (ours), ``networkx`` or ``rascal``.
Prints the CPU seconds, imports not counted, the number of pairs and the sum of what was
found: distances, or edges in common.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from itertools import combinations
from operator import itemgetter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two atoms are of one kind."""
    return bool(one["label"] == other["label"])


def networkx_graph(one: dict[str, Any]) -> Any:
    """Return the graph as networkx has it."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from((i, {"label": x}) for i, x in enumerate(one["labels"]))
    graph.add_edges_from(one["edges"])
    return graph


def molecule(one: dict[str, Any]) -> Any:
    """Return the graph as RDKit has it, every bond single."""
    from rdkit import Chem

    built = Chem.RWMol()
    for label in one["labels"]:
        atom = Chem.Atom(label)
        atom.SetNoImplicit(True)
        built.AddAtom(atom)
    for u, v in one["edges"]:
        built.AddBond(u, v, Chem.BondType.SINGLE)
    built.UpdatePropertyCache(False)
    Chem.FastFindRings(built)
    return built.GetMol()


def by_ged(graphs: list[dict[str, Any]]) -> Callable[[], float]:
    """Our edit distances, as one matrix."""
    from exactmatch import ged_matrix

    ged_matrix(graphs[:2])
    return lambda: float(ged_matrix(graphs).sum() / 2)


def by_common(graphs: list[dict[str, Any]]) -> Callable[[], float]:
    """Our common edge subgraphs, one by one."""
    from exactmatch.edit import maximum_common_edge_subgraph as common

    pairs = list(combinations(map(networkx_graph, graphs), 2))
    common(*pairs[0], node_match=same)
    return lambda: sum(common(*pair, node_match=same).size for pair in pairs)


def by_networkx(graphs: list[dict[str, Any]]) -> Callable[[], float]:
    """Return the edit distances of networkx, one by one."""
    import networkx as nx

    pairs = list(combinations(map(networkx_graph, graphs), 2))
    distance = nx.graph_edit_distance
    return lambda: sum(distance(*pair, node_match=same) for pair in pairs)


def by_rascal(graphs: list[dict[str, Any]]) -> Callable[[], float]:
    """RDKit's common edge subgraphs, without a threshold of similarity."""
    from rdkit.Chem import rdRascalMCES

    options: Any = rdRascalMCES.RascalOptions()  # RDKit's stubs have wrong types
    options.similarityThreshold = 0.0
    options.timeout = -1
    options.completeAromaticRings = options.ringMatchesRingOnly = False
    pairs = list(combinations(map(molecule, graphs), 2))

    def run() -> float:
        results = (rdRascalMCES.FindMCES(*pair, options) for pair in pairs)
        return sum(len(best[0].bondMatches()) if best else 0 for best in results)

    return run


def main() -> None:
    """Prepare, measure, print."""
    program, path, number = itemgetter(1, 2, 3)(sys.argv)
    lines = Path(path).read_text("utf-8").splitlines()[: int(number)]
    run = {
        "ged": by_ged,
        "common": by_common,
        "networkx": by_networkx,
        "rascal": by_rascal,
    }[program]([json.loads(line) for line in lines])
    begun = time.process_time()
    total = run()
    seconds = time.process_time() - begun
    pairs = len(lines) * (len(lines) - 1) // 2
    print(json.dumps({"seconds": seconds, "pairs": pairs, "total": total}))


if __name__ == "__main__":
    main()
