"""Small graphs compared by one program: ``rivals.py PROGRAM GRAPHS NUMBER``.

GRAPHS has a graph a line, ``{"n", "labels", "edges"}``; the first NUMBER are compared
each with each by ``ged`` or ``common`` (ours), ``networkx`` or ``rascal``.  For
``mces`` (ours) and ``myopic`` it has a pair of molecules a line, and for ``induced``
(ours) it is a folder of pairs in the format LAD.  Prints the CPU seconds, imports not
counted, the number of pairs and the sum of the results: distances, or sizes of common
subgraphs.
"""

from __future__ import annotations

import json
import resource
import sys
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
    from exactmatch import maximum_common_edge_subgraph as common

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


def isomers(path: str) -> list[tuple[Any, Any]]:
    """Return the pairs of isomers in a file, as networkx graphs of atoms and bonds."""
    import networkx as nx

    def graph(one: dict[str, Any]) -> Any:
        built = nx.Graph()
        built.add_nodes_from((i, {"atom": x}) for i, x in enumerate(one["atoms"]))
        built.add_weighted_edges_from(one["bonds"])
        return built

    rows = map(json.loads, Path(path).read_text("utf-8").splitlines())
    pairs = (row["graphs"] for row in rows if row.get("set") == "isomers")
    return [(graph(first), graph(second)) for first, second in pairs]


def by_mces(pairs: list[tuple[Any, Any]]) -> Callable[[], float]:
    """Our distances of molecules, one by one."""
    from exactmatch import ged

    ged(*pairs[0], costs="mces")
    return lambda: sum(ged(*pair, costs="mces").distance for pair in pairs)


def by_myopic(pairs: list[tuple[Any, Any]]) -> Callable[[], float]:
    """Return the distances of myopic-mces by the CBC that PuLP brings along."""
    from myopic_mces import MCES_ILP

    solver: Any = (15, "PULP_CBC_CMD", {"msg": 0})
    return lambda: sum(MCES_ILP(*pair, *solver)[0] for pair in pairs)


def by_induced(folder: str) -> Callable[[], float]:
    """Our common induced subgraphs of the pairs of LAD files in a folder."""
    import networkx as nx

    from exactmatch import maximum_common_induced_subgraph as common

    def graph(path: Path) -> Any:
        rows = path.read_text("utf-8").splitlines()[1:]
        built = nx.empty_graph(len(rows))
        for node, row in enumerate(rows):
            built.add_edges_from((node, int(other)) for other in row.split()[1:])
        return built

    graphs = [*map(graph, sorted(Path(folder).glob("drawn*.lad")))]
    pairs = [*zip(graphs[::2], graphs[1::2], strict=True)]
    common(nx.path_graph(2), nx.path_graph(3))
    return lambda: sum(len(common(*pair).nodes) for pair in pairs)


def cpu() -> float:
    """Return the CPU seconds of this process and of those that it has ended."""
    times = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in times)


def prepared(program: str, path: str, number: int) -> tuple[Callable[[], float], int]:
    """Return what is measured, and the number of its pairs."""
    if program == "induced":
        return by_induced(path), number
    if program in ("mces", "myopic"):
        pairs = isomers(path)[:number]
        return (by_mces if program == "mces" else by_myopic)(pairs), len(pairs)
    lines = Path(path).read_text("utf-8").splitlines()[:number]
    run = {
        "ged": by_ged,
        "common": by_common,
        "networkx": by_networkx,
        "rascal": by_rascal,
    }[program]([json.loads(line) for line in lines])
    return run, len(lines) * (len(lines) - 1) // 2


def main() -> None:
    """Prepare, measure, print."""
    program, path, number = itemgetter(1, 2, 3)(sys.argv)
    run, pairs = prepared(program, path, int(number))
    begun = cpu()
    total = run()
    seconds = cpu() - begun
    print(json.dumps({"seconds": seconds, "pairs": pairs, "total": total}))


if __name__ == "__main__":
    main()
