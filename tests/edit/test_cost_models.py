"""Edit costs by name: each number by hand, distances by networkx."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import pytest
from support.command import Cli

import exactmatch
from exactmatch import InputError
from exactmatch.edit.cost_models import COST_MODELS


def one_edge(first: Any, second: Any, joined: Any) -> Any:
    graph = nx.Graph()
    graph.add_node(0, **first)
    graph.add_node(1, **second)
    graph.add_edge(0, 1, **joined)
    return graph


CHEM = (
    one_edge({"chem": "C"}, {"chem": "O"}, {"valence": 1}),
    one_edge({"chem": "C"}, {"chem": "N"}, {"valence": 2}),
)
PLACES = (
    one_edge({"x": 0, "y": 0}, {"x": 1, "y": 0}, {}),
    one_edge({"x": 0, "y": 0}, {"x": 1, "y": 0.1}, {}),
)
LINES = (
    one_edge(
        {"type": "corner", "x": "0", "y": "0"},
        {"type": "end", "x": 10, "y": 0},
        {"frequency": "1", "type0": "line"},
    ),
    one_edge(
        {"type": "corner", "x": 3, "y": 4},
        {"type": "end", "x": 10, "y": 0},
        {"frequency": "2", "type0": "arc", "type1": "line"},
    ),
)
FOLDS = (
    one_edge(
        {"type": 1, "sequence": "VKDL"},
        {"type": 2, "sequence": "AA"},
        {"frequency": 1, "type0": 0},
    ),
    one_edge(
        {"type": 1, "sequence": "KDLM"},
        {"type": 2, "sequence": "AA"},
        {"frequency": 1, "type0": 1},
    ),
)
HOUSES = tuple(one_edge({}, {}, {"dist": dist}) for dist in (10, 26))
PRINTS = tuple(one_edge({}, {}, {"orient": turn}) for turn in (0.1, math.pi - 0.2))


@pytest.mark.parametrize(
    ("name", "pair", "distance"),
    [
        ("uniform", CHEM, 1 + 1),
        ("chem1", CHEM, 2 + 1),
        ("chem2", CHEM, 5.5 + 0.825),
        ("letter", PLACES, 0.075),
        ("letter-med", PLACES, 0.075),
        ("letter-low", PLACES, 0.025),
        ("grec", LINES, 0.5 * 5 + 7.5),
        ("protein", FOLDS, 0.75 * 2 + 0.25 * 2),
        ("cmu", HOUSES, 0.5 * 16),
        ("fingerprint", PRINTS, 0.25 * 0.3),
    ],
)
def test_distances_are_those_by_hand_and_by_networkx(
    name: str, pair: tuple[Any, Any], distance: float
) -> None:
    result = exactmatch.ged(*pair, costs=name)
    assert result.distance == pytest.approx(distance)
    functions: dict[str, Any] = {**COST_MODELS[name]}
    if name == "uniform":
        functions = dict.fromkeys(("node_match", "edge_match"), lambda a, b: a == b)
    if name != "chem2":  # networkx prunes substitutions as dear as their alternative
        plain = nx.graph_edit_distance(*pair, **functions, backend="networkx")
        assert result.distance == pytest.approx(plain)


@pytest.mark.parametrize(
    ("name", "pair", "cost"),
    [
        ("uniform", CHEM, 2),
        ("chem1", CHEM, 4 + 1),
        ("chem2", CHEM, 2.75 + 0.825),
        ("letter", PLACES, 0.675 + 0.425),
        ("letter-med", PLACES, 0.525 + 0.475),
        ("letter-low", PLACES, 0.075 + 0.075),
        ("grec", LINES, 45 + 7.5),
        ("protein", FOLDS, 8.25 + 0.25),
        ("cmu", HOUSES, 50_000 + 0.5 * 10),
        ("fingerprint", PRINTS, 0.525 + 0.125),
    ],
)
def test_a_node_and_its_edge_cost_what_is_published(
    name: str, pair: tuple[Any, Any], cost: float
) -> None:
    graph = pair[0]
    alone = graph.subgraph([0])
    for sides in ((graph, alone), (alone, graph)):
        assert exactmatch.ged(*sides, costs=name).distance == pytest.approx(cost)


def test_constants_are_not_rounded() -> None:
    assert exactmatch.ged(*CHEM, costs="chem2").rounding == 0


def test_a_model_needs_its_attributes_and_no_other_costs() -> None:
    with pytest.raises(InputError, match="need the attribute 'x'"):
        exactmatch.ged(*CHEM, costs="letter")
    with pytest.raises(InputError, match="numbers of the attribute 'dist'"):
        exactmatch.ged(*[one_edge({}, {}, {"dist": "far"})] * 2, costs="cmu")
    with pytest.raises(InputError, match="has its own node_costs"):
        exactmatch.ged(*CHEM, costs="chem1", node_costs=(1, 2, 2))
    with pytest.raises(InputError, match="has its own edge_del_cost"):
        exactmatch.ged(*CHEM, costs="chem1", edge_del_cost=lambda _: 1)
    with pytest.raises(InputError, match="not a cost model"):
        exactmatch.ged(*CHEM, costs="chem3")


def test_labels_are_those_of_nodes_and_of_edges() -> None:
    for labels, distance in (
        ("all", 2),
        ("none", 0),
        ("chem", 1),
        ("valence", 1),
        (["chem", "valence"], 2),
    ):
        assert exactmatch.ged(*CHEM, labels=labels).distance == distance
        assert exactmatch.ged_matrix([CHEM[0]], [CHEM[1]], labels=labels) == (distance)
    assert exactmatch.ged(*CHEM, labels="all", edge_match="none").distance == 1


@pytest.mark.slow
def test_the_command_has_them_too(cli: Cli, tmp_path: Any) -> None:
    paths = [tmp_path / f"{k}.graphml" for k in "ab"]
    for graph, path in zip(CHEM, paths, strict=True):
        nx.write_graphml(graph, path)

    def distance(*words: str) -> Any:
        return cli.json("ged", *paths, *words)["pairs"][0]["distance"]

    assert distance("--costs", "chem2") == 6.325
    assert distance("--costs", "chem1", "--jobs", "2") == 3
    assert distance() == 2
    assert distance("--labels", "chem") == 1
    assert distance("--labels", "none") == 0
    assert distance("--labels", "none", "--edge-match", "valence") == 1
    (signature,) = cli.json("ged", *paths, "--costs", "chem2")["signatures"]
    assert signature.startswith("metric:ged|costs:chem2|")
    assert "need the attribute" in cli.refusal("ged", *paths, "--costs", "cmu")


@pytest.mark.parametrize("name", ["mces", "chem2"])
def test_a_model_is_called_once_for_equal_attributes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exactmatch.edit import cost_models

    calls: list[Any] = []
    function: Any = cost_models.COST_MODELS[name]["edge_subst_cost"]

    class Counted(cost_models.AttributeCost):
        def __call__(self, *attributes: Any) -> float:
            calls.append(attributes)
            return float(function(*attributes))

    counted = {"edge_subst_cost": Counted(function.func, *function.args)}
    model = cost_models.COST_MODELS[name] | counted
    monkeypatch.setitem(cost_models.COST_MODELS, name, model)
    graphs = [nx.cycle_graph(n) for n in (5, 6)]
    for graph in graphs:
        nx.set_node_attributes(graph, "C", "chem")
        nx.set_edge_attributes(graph, 1, "valence")
    assert exactmatch.ged(*graphs, costs=name).distance > 0
    assert len(calls) == 1
