"""Distances by the maximum common edge subgraph, against maps tried one by one."""

from __future__ import annotations

import itertools
import math
import random
import time
from typing import Any

import networkx as nx
import pytest

import exactmatch
from exactmatch import InputError

ORDERS = (1.0, 1.5, 2.0, 3.0)


def a_molecule(rng: random.Random, most: int = 5) -> Any:
    """Any graph with elements and orders, not only what chemists would believe."""
    graph = nx.gnp_random_graph(rng.randint(0, most), rng.random(), rng.getrandbits(30))
    for atom in graph:
        graph.nodes[atom]["atom"] = rng.choice("CCNO")
    for bond in graph.edges:
        graph.edges[bond]["weight"] = rng.choice(ORDERS)
    return graph


def least(g: Any, h: Any, weigh: Any = float) -> float:
    """The least cost over all maps of atoms to atoms of the same element."""
    own, others = list(g), [*h, *[None] * len(g)]
    best = math.inf
    for images in itertools.permutations(others, len(own)):
        image = dict(zip(own, images, strict=True))
        if any(
            j is not None and g.nodes[i]["atom"] != h.nodes[j]["atom"]
            for i, j in image.items()
        ):
            continue
        kept, cost = set(), 0.0
        for i, k, order in g.edges(data="weight"):
            ends = image[i], image[k]
            if None not in ends and h.has_edge(*ends):
                kept.add(frozenset(ends))
                cost += abs(weigh(order) - weigh(h.edges[ends]["weight"]))
            else:
                cost += weigh(order)
        cost += sum(
            weigh(order)
            for i, k, order in h.edges(data="weight")
            if frozenset((i, k)) not in kept
        )
        best = min(best, cost)
    return best


@pytest.mark.parametrize("seed", range(30))
def test_it_is_the_least_of_all_maps(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        pair = a_molecule(rng, 4), a_molecule(rng)
        result = exactmatch.ged(*pair, costs="mces", certify=True)
        assert result.proven
        assert result.distance == least(*pair)
        unit = exactmatch.ged(*pair, costs="mces-unit")
        assert unit.proven
        assert unit.distance == least(*pair, weigh=lambda _: 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30, 230))
def test_it_is_the_least_of_all_maps_in_2000_pairs(seed: int) -> None:
    test_it_is_the_least_of_all_maps(seed)


def with_hydrogens(graph: Any, rng: random.Random) -> Any:
    full = graph.copy()
    for atom in list(graph):
        for _ in range(rng.randint(0, 3)):
            full.add_node(len(full), atom="H")
            full.add_edge(atom, len(full) - 1, weight=1.0)
    return full


@pytest.mark.parametrize("names", [("element", "order"), ("symbol", "valence")])
def test_attributes_have_several_names_and_hydrogens_are_left_out(names: Any) -> None:
    rng = random.Random(7)
    for _ in range(20):
        g, h = a_molecule(rng, 4), a_molecule(rng)
        least = exactmatch.ged(g, h, costs="mces").distance
        renamed = []
        for graph in (with_hydrogens(g, rng), with_hydrogens(h, rng)):
            other = nx.Graph()
            for atom, known in graph.nodes(data="atom"):
                other.add_node(f"a{atom}", **{names[0]: known})
            for i, k, order in graph.edges(data="weight"):
                other.add_edge(f"a{i}", f"a{k}", **{names[1]: order})
            renamed.append(other)
        assert exactmatch.ged(*renamed, costs="mces").distance == least


def test_a_hydrogen_that_is_more_than_that_is_an_atom() -> None:
    hydrogen = nx.Graph()
    hydrogen.add_node(0, atom="H")
    hydrogen.add_node(1, atom="H")
    hydrogen.add_edge(0, 1, weight=1)
    assert exactmatch.ged(hydrogen, nx.Graph(), costs="mces").distance == 1
    heavy = nx.Graph()
    heavy.add_node(0, atom="C")
    heavy.add_node(1, atom="H", isotope=2)
    heavy.add_edge(0, 1, weight=1)
    assert exactmatch.ged(heavy, nx.Graph(), costs="mces").distance == 1
    del heavy.nodes[1]["isotope"]
    assert exactmatch.ged(heavy, nx.Graph(), costs="mces").distance == 0


def test_orders_have_names_too() -> None:
    def ethene(order: Any) -> Any:
        graph = nx.path_graph(2)
        nx.set_node_attributes(graph, "C", "element")
        nx.set_edge_attributes(graph, order, "order")
        return graph

    for name, order in (("single", 1), ("AROMATIC", 1.5), ("Triple", 3)):
        result = exactmatch.ged(ethene(name), ethene(2), costs="mces")
        assert result.distance == abs(order - 2)
    with pytest.raises(InputError, match=r"numbers of the attribute 'order'.*'weak'"):
        exactmatch.ged(ethene("weak"), ethene(2), costs="mces")
    with pytest.raises(InputError, match="a cost is a number"):
        exactmatch.ged(ethene(-1), ethene(2), costs="mces")


def test_messages_name_what_atoms_and_bonds_lack() -> None:
    with pytest.raises(InputError, match=r"attribute 'atom', 'element', .* has none"):
        exactmatch.ged(nx.path_graph(2), nx.path_graph(2), costs="mces")
    bare = nx.path_graph(2)
    nx.set_node_attributes(bare, "C", "atom")
    with pytest.raises(InputError, match="attribute 'weight', 'order'"):
        exactmatch.ged(bare, bare, costs="mces")
    assert exactmatch.ged(bare, nx.Graph(), costs="mces-unit").distance == 1


def test_molecules_of_rdkit_are_graphs() -> None:
    chem = pytest.importorskip("rdkit.Chem")
    texts = "CC(=O)OC1=CC=CC=C1C(=O)O", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"
    molecules = [chem.MolFromSmiles(text) for text in texts]
    assert exactmatch.ged(*molecules, costs="mces").distance == 27
    full = [chem.AddHs(one) for one in molecules]
    assert exactmatch.ged(*full, costs="mces").distance == 27
    by_text = exactmatch.ged(*texts, costs="mces", format_in="smiles")
    assert by_text.distance == 27
    with pytest.raises(InputError, match="holds 2 graphs, and one is needed"):
        exactmatch.ged("C\nC", "C", costs="mces", format_in="smiles")
    with pytest.raises(InputError, match="did you mean 'smiles'"):
        exactmatch.ged("C", "C", costs="mces", format_in="smile")
    with pytest.raises(InputError, match="name the format of a text by format_in"):
        exactmatch.ged("C", "C", costs="mces")


@pytest.mark.slow
def test_many_equal_rings_end_in_an_interval_within_the_limit() -> None:
    chem = pytest.importorskip("rdkit.Chem")
    one, other = (chem.MolFromSmiles(s * 6) for s in ("C1CCCCC1", "C1CCCC1CC"))
    begun = time.monotonic()
    result = exactmatch.ged(one, other, costs="mces", time_limit=2)
    assert time.monotonic() - begun < 30
    assert not result.proven
    assert 0 < result.bound < result.distance < math.inf
    assert "limit:2s" in result.signature
    assert "limit" not in exactmatch.ged(nx.path_graph(2), nx.path_graph(2)).signature
