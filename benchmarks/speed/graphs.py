"""Pairs of graphs for edit distances: known ones, knowledge, molecules, few labels."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

SIZES = (10, 20, 30, 40, 50, 60)
"""Nodes of the graphs that are like molecules."""

ATOMS = "CCCCCCCNOO"
"""Seven of ten atoms are carbon."""

BONDS = (1, 1, 1, 2)

TREES = (
    ((5, 4), (5, 6), (5, 7), (21, 8), (2, 1), (2, 0), (5, 3)),
    (
        *((15, 13), (23, 16), (23, 24), (100, 7), (18, 19)),
        *((100, 23), (19, 20), (22, 21)),
    ),
)
"""Of https://github.com/networkx/networkx/issues/2997."""

MOLECULES = (
    ("CCOOCSSOOC", "1-2 1-4 1-5 2-3 2-10 5-6 6-7 7=8 7=9 7-10"),
    (
        "CCCCCCSCCCCCNOO",
        "1-2 2=3 3-4 4=5 1=6 4-7 7-8 8-9 9=10 10-11 11=12 8=13 7=14 7=15 5-6 12-13",
    ),
)
"""Of https://github.com/networkx/networkx/issues/4113: atoms, then their bonds."""


def families(data: Path | None, pairs: int) -> dict[str, list[tuple[Any, Any]]]:
    """Pairs of networkx graphs by what they are.

    Args:
        data: the folder that holds ``data/``; ``None`` leaves knowledge graphs out.
        pairs: how many of each kind are made at random.
    """
    import networkx as nx

    pairs_of = {
        "networkx#2997": [tuple(map(nx.Graph, TREES))],
        "networkx#4113": [tuple(bonded(*graph) for graph in MOLECULES)],
    }
    if data is not None:
        pairs_of["ExplaGraphs"] = knowledge(
            data / "data" / "kg" / "explagraphs.dev.tsv"
        )
    for size in SIZES:
        pairs_of[f"molecules {size}"] = [
            tuple(molecule(size, random.Random(f"{size} {n} {side}")) for side in "ab")
            for n in range(pairs)
        ]
    for size in (8, 15, 20):
        pairs_of[f"two labels {size}"] = [
            tuple(sparse(size, random.Random(f"{size} {n} {side}")) for side in "ab")
            for n in range(pairs)
        ]
    return pairs_of


def bonded(atoms: str, bonds: str) -> Any:
    """Return a molecule of its atoms, counted from 1, and its bonds, ``-`` or ``=``."""
    import networkx as nx

    graph = nx.Graph()
    for node, atom in enumerate(atoms, 1):
        graph.add_node(node, label=atom)
    for bond in bonds.split():
        kind = "=" if "=" in bond else "-"
        u, v = map(int, bond.split(kind))
        graph.add_edge(u, v, label="-=".index(kind) + 1)
    return graph


def molecule(size: int, rng: random.Random) -> Any:
    """Return a tree with at most three bonds at a node, and some rings of 5 or 6."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_node(0, label=rng.choice(ATOMS))
    for node in range(1, size):
        near = [u for u in range(max(0, node - 6), node) if graph.degree(u) < 3]
        graph.add_node(node, label=rng.choice(ATOMS))
        graph.add_edge(node, rng.choice(near), label=rng.choice(BONDS))
    rings = 0
    for _ in range(50 * size):
        u, v = rng.sample(range(size), 2)
        free = graph.degree(u) < 3 and graph.degree(v) < 3
        if free and nx.shortest_path_length(graph, u, v) in (4, 5):
            graph.add_edge(u, v, label=1)
            rings += 1
        if rings == size // 8:
            break
    return graph


def sparse(size: int, rng: random.Random) -> Any:
    """Random edges, 1.3 a node, and two labels: much is symmetric."""
    import networkx as nx

    graph = nx.gnm_random_graph(size, size * 13 // 10, seed=rng.randrange(2**32))
    for node in graph:
        graph.nodes[node]["label"] = rng.choice("ab")
    nx.set_edge_attributes(graph, 1, "label")
    return graph


def knowledge(path: Path) -> list[tuple[Any, Any]]:
    """200 pairs of explanation graphs: each with the one that follows."""
    from exactmatch.formats.networks import read_graphs

    graphs = [named.graph for named in read_graphs(str(path))]
    return list(itertools.pairwise(graphs[:201]))
