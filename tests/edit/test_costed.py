"""Many pairs under a named cost model: as one by one, with limits, bounds, threads."""

from __future__ import annotations

import math
import random
from typing import Any

import networkx as nx
import numpy as np
import pytest
from edit.test_cost_models import CHEM, FOLDS, HOUSES, LINES, PLACES, PRINTS
from edit.test_mces import a_molecule, with_hydrogens
from support.command import Cli

import exactmatch
from exactmatch import InputError
from exactmatch.edit.costed import CostedGraphs
from exactmatch.edit.stars import Stars

MODELS = {
    "chem1": CHEM,
    "chem2": CHEM,
    "letter": PLACES,
    "grec": LINES,
    "protein": FOLDS,
    "cmu": HOUSES,
    "fingerprint": PRINTS,
}


def molecules(seed: int, count: int, most: int = 7) -> list[Any]:
    rng = random.Random(seed)
    return [a_molecule(rng, most) for _ in range(count)]


def one_by_one(rows: list[Any], columns: list[Any], costs: str) -> Any:
    return np.array(
        [[exactmatch.ged(g, h, costs=costs).distance for h in columns] for g in rows]
    ).reshape(len(rows), len(columns))


@pytest.mark.parametrize("costs", MODELS)
def test_every_model_has_the_same_road(costs: str) -> None:
    rng, pair = random.Random(3), MODELS[costs]
    nodes = [known for graph in pair for _, known in graph.nodes(data=True)]
    edges = [known for graph in pair for *_, known in graph.edges(data=True)]
    graphs = []
    for seed in range(6):
        graph = nx.gnp_random_graph(rng.randint(0, 6), 0.5, seed=seed)
        for node in graph:
            graph.nodes[node].update(rng.choice(nodes))
        for ends in graph.edges:
            graph.edges[ends].update(rng.choice(edges))
        graphs.append(graph)
    made = exactmatch.ged_matrix(graphs, graphs, costs=costs)
    assert made.tolist() == one_by_one(graphs, graphs, costs).tolist()
    directed = [graph.to_directed() for graph in graphs[:3]]
    made = exactmatch.ged_matrix(directed, costs=costs)
    assert (made == one_by_one(directed, directed, costs))[np.triu_indices(3, 1)].all()


@pytest.mark.parametrize("costs", ["mces", "mces-unit"])
def test_a_matrix_is_as_one_by_one(costs: str) -> None:
    graphs = molecules(1, 12)
    distances = one_by_one(graphs, graphs, costs)
    made = exactmatch.ged_matrix(graphs, costs=costs)
    assert made.tolist() == distances.tolist()
    assert made.bounds.tolist() == distances.tolist()
    for limit in (0, 2.5, 4, 1e9):
        cut = exactmatch.ged_matrix(graphs, costs=costs, at_most=limit, jobs=2)
        assert cut.tolist() == np.where(distances > limit, math.inf, distances).tolist()
        assert (cut.bounds <= distances).all()
    rng = random.Random(5)
    full = [with_hydrogens(graph, rng) for graph in graphs]
    assert exactmatch.ged_matrix(full, costs=costs).tolist() == distances.tolist()


@pytest.mark.parametrize(
    ("k", "at_most"), [(1, None), (3, None), (None, 4.5), (2, 3), (99, None), (4, 0)]
)
def test_a_search_finds_all_that_are_near(k: int | None, at_most: float | None) -> None:
    bank, queries = molecules(2, 25), molecules(3, 4)
    rows = one_by_one(queries, bank, "mces")
    nearest = exactmatch.ged_search(queries, bank, at_most, k=k, costs="mces")
    for row, near in zip(rows, nearest, strict=True):
        order = sorted((distance, n) for n, distance in enumerate(row.tolist()))
        within = [(n, d) for d, n in order if at_most is None or d <= at_most]
        assert near == within[:k]


def test_bounds_are_below_distances_and_stars_above_degrees() -> None:
    graphs = molecules(4, 40)
    stars = Stars(graphs)
    pairs = np.array([(2 * n, 2 * n + 1) for n in range(20)])
    for (i, k), counted in zip(pairs.tolist(), stars.by_counts(pairs), strict=True):
        distance = exactmatch.ged(graphs[i], graphs[k], costs="mces").distance
        assert counted <= distance
        assert stars.by_degrees(i, k) <= stars.by_stars_unspared(i, k) <= distance
        assert stars.by_stars(i, k) >= counted * (1 - 1e-6)


def test_what_is_odd_has_no_stars_and_the_same_distances() -> None:
    odd = nx.MultiGraph([(0, 0), (0, 1), (0, 1)])
    nx.set_node_attributes(odd, "C", "element")
    nx.set_edge_attributes(odd, 2, "order")
    one = nx.MultiGraph([(0, 1)])
    nx.set_node_attributes(one, "C", "element")
    nx.set_edge_attributes(one, 1, "order")
    assert CostedGraphs([odd, one], "mces").stars is None
    for limit in (None, 3, 4, 5):
        made = exactmatch.ged_matrix([odd], [one], costs="mces", at_most=limit)
        assert made[0, 0] == (math.inf if limit in (3, 4) else 5)


def test_nothing_and_what_is_wrong() -> None:
    assert exactmatch.ged_matrix([], costs="mces").shape == (0, 0)
    assert exactmatch.ged_search([nx.Graph()], [], k=1, costs="mces") == [[]]
    empty = exactmatch.ged_matrix([nx.Graph()], [nx.Graph()], costs="mces", at_most=0)
    assert empty.tolist() == [[0]]
    with pytest.raises(InputError, match="leave out labels"):
        exactmatch.ged_matrix([], costs="mces", labels="all")
    with pytest.raises(InputError, match="not a cost model"):
        exactmatch.ged_matrix([], costs="mcs")
    with pytest.raises(InputError, match="some graphs are directed"):
        exactmatch.ged_matrix([nx.Graph()], [nx.DiGraph()], costs="mces")
    with pytest.raises(InputError, match="graph 2 is of int"):
        exactmatch.ged_matrix([nx.Graph(), 3], costs="mces")
    with pytest.raises(InputError, match="element"):
        exactmatch.ged_matrix([nx.path_graph(2)], costs="mces")


def test_time_limits_give_bounds() -> None:
    one, other = (a_molecule(random.Random(seed), 12) for seed in (1, 2))
    made = exactmatch.ged_matrix([one], [other], costs="mces", time_limit=1e-9)
    distance = exactmatch.ged(one, other, costs="mces").distance
    assert np.isnan(made[0, 0]) or made[0, 0] == distance
    assert 0 <= made.bounds[0, 0] <= distance


def test_texts_of_smiles_are_graphs() -> None:
    pytest.importorskip("rdkit")
    texts = ["CCO", "CCN", "C#N"]
    made = exactmatch.ged_matrix(texts, costs="mces", format_in="smiles")
    assert made.tolist() == [[0, 2, 5], [2, 0, 3], [5, 3, 0]]
    nearest = exactmatch.ged_search(
        ["CCO"], texts, k=2, costs="mces", format_in="smiles"
    )
    assert nearest == [[(0, 0.0), (1, 2.0)]]
    crossed = exactmatch.cdist(
        texts, texts, metric="ged", costs="mces", format_in="smiles"
    )
    assert crossed.tolist() == made.tolist()


def test_commands_of_many_graphs_take_costs(cli: Cli, tmp_path: Any) -> None:
    pytest.importorskip("rdkit")
    path = tmp_path / "a.smi"
    path.write_text("CCO one\nCCN two\nC#N three\n", "utf-8")
    options = ("--metric", "ged", "--costs", "mces")
    made = cli.json("matrix", str(path), *options)
    assert made["distances"] == [[0, 2, 5], [2, 0, 3], [5, 3, 0]]
    assert "costs:mces" in made["signatures"][0]
    near = cli.json("nearest", str(path), str(path), *options, "-k", "2")
    assert "two" in str(near)
    kept = cli.json("ground-truth", str(path), "-o", str(tmp_path / "t"), *options[2:])
    assert kept["proven"] == 3
    table = tmp_path / "b.csv"
    table.write_text("id,smi\n1,CCO\n2,CCN\n", "utf-8")
    crossed = cli.json("matrix", str(table), str(path), *options, "--field", "smi")
    assert crossed["distances"] == [[0, 2, 5], [2, 0, 3]]
    assert "--costs" in cli.refusal("matrix", str(path), "--costs", "mces")


def test_clusters_are_of_similarities(cli: Cli, tmp_path: Any) -> None:
    pytest.importorskip("rdkit")
    path = tmp_path / "a.smi"
    texts = ["CCO", "c1ccccc1O", "CCN", "c1ccccc1N"]
    path.write_text("\n".join(texts), "utf-8")
    options: dict[str, Any] = {"metric": "ged", "costs": "mces"}
    clusters = exactmatch.many.cluster(texts, k=2, format_in="smiles", **options)
    assert clusters.labels == (0, 1, 0, 1)
    for i, k in ((0, 2), (1, 3), (0, 1)):
        pair = texts[i], texts[k]
        one = exactmatch.ged(*pair, costs="mces", format_in="smiles")
        assert clusters.scores[i, k] == pytest.approx(one.similarity)
    answer = cli.json("cluster", str(path), "--metric", "ged", "--costs", "mces")
    assert "costs:mces" in answer["signatures"][0]
    assert len(answer["graphs"]) == 4
    directed = [nx.path_graph(n, nx.DiGraph) for n in (1, 2, 2)]
    near = exactmatch.many.cluster(directed, metric="ged", at_least=0.9)
    assert near.labels == (0, 1, 1)
    mappings: list[dict[str, Any]] = [{"n": n, "edges": []} for n in (1, 5)]
    apart = exactmatch.many.cluster(mappings, metric="ged", at_least=0.9)
    assert apart.scores[0, 1] == pytest.approx(1 - 4 / 6)
    assert exactmatch.many.cluster([], metric="ged", k=1).labels == ()
    assert "--costs" in cli.refusal("cluster", str(path), "--costs", "mces")
