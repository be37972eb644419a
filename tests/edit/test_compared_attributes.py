"""An edit distance compares all attributes by default, and says which it compared."""

from __future__ import annotations

import json
import math
import operator
import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.command import Cli

import exactmatch
import exactmatch.edit
import exactmatch.studies
from exactmatch import ged
from exactmatch.base.errors import IgnoredAttributesWarning, InputError
from exactmatch.edit.costs import cost_table
from exactmatch.edit.options import GedOptions
from exactmatch.errors import ExactmatchWarning


def edge_between(first: str, second: str) -> Any:
    graph = nx.Graph()
    graph.add_node(1, label=first)
    graph.add_node(2, label=second)
    graph.add_edge(1, 2, weight=1)
    return graph


G, H = edge_between("dog", "bark"), edge_between("cat", "bark")


def free(attributes: Any) -> float:
    """Cost of deleting or inserting, as a function of networkx' parameters."""
    del attributes
    return 1.0


def test_python_and_the_command_have_one_default(cli: Cli, tmp_path: Path) -> None:
    """Also where the graphs are many, or a common subgraph is wanted."""
    paths = []
    for name, graph in (("g.json", G), ("h.json", H)):
        paths.append(tmp_path / name)
        paths[-1].write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    shown = cli.json("ged", *paths)["summary"]["mean_distance"]
    result = ged(G, H)
    assert shown == result.distance == 1
    assert exactmatch.studies.ged([G], [H]).mean("distance") == 1
    assert exactmatch.ged_matrix([G], [H])[0, 0] == 1
    assert exactmatch.ged_search([G], [H], k=1) == [[(0, 1)]]
    assert exactmatch.cdist([G], [H], metric="ged")[0, 0] == 1
    assert len(exactmatch.maximum_common_induced_subgraph(G, H).nodes) == 1
    assert not exactmatch.edit.contains(G, H)
    assert result.compared in repr(result)
    assert ged(G, H, labels="none").distance == 0
    assert ged(G, H, node_match="label").distance == 1
    assert ged(G, H, edge_match="weight").distance == 1


def test_functions_compare_what_they_compare_in_networkx() -> None:
    """That compares nothing beside them, and its backend stays as it is."""
    whole: Any = {"node_match": lambda *_: True}
    assert ged(G, H, **whole).distance == nx.graph_edit_distance(G, H, **whole) == 0
    assert nx.graph_edit_distance(G, H, backend="exactmatch") == 0


def test_python_warns_where_attributes_are_and_none_is_compared() -> None:
    """The warning is of a kind of its own, and names the caller's line."""
    with pytest.warns(IgnoredAttributesWarning) as caught:
        result = ged(G, H, node_del_cost=free)
    (warning,) = caught
    assert warning.filename == __file__
    assert str(warning.message) == (
        "nodes compared by nothing (label ignored), edges by nothing (weight ignored); "
        "to compare them: labels='all'"
    )
    assert issubclass(IgnoredAttributesWarning, ExactmatchWarning)
    assert result.distance == 0
    assert "edges by nothing (weight ignored)" in repr(result)
    assert result.signature.startswith("metric:ged|node-match:none|edge-match:none|")


def test_it_can_be_silenced() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", IgnoredAttributesWarning)
        assert ged(G, H, node_del_cost=free).distance == 0


@pytest.mark.parametrize(
    ("arguments", "distance", "compared"),
    [
        (
            {"node_match": operator.eq},
            1,
            "nodes compared by node_match, edges by nothing (weight ignored)",
        ),
        (
            {"edge_subst_cost": lambda a, b: 3 * (a != b)},
            0,
            "nodes compared by nothing (label ignored), edges by edge_subst_cost",
        ),
    ],
)
def test_whoever_compares_one_is_not_warned(
    arguments: Any, distance: float, compared: str
) -> None:
    """Warnings are errors here."""
    result = ged(G, H, **arguments)
    assert result.distance == distance
    assert result.compared == f"{compared}; edges are undirected"


def test_graphs_without_attributes_have_none_to_ignore() -> None:
    result = ged(nx.path_graph(3), nx.path_graph(4))
    assert result.compared == (
        "only shapes compared: no node and no edge has an attribute (names are none); "
        "edges are undirected"
    )
    assert "compared" not in repr(result)


def test_a_name_that_no_graph_has_is_named_in_the_error() -> None:
    with pytest.raises(InputError, match="'lable'; did you mean 'label'"):
        ged(G, H, labels="lable")
    both = "nodes compared by label,weight, edges by label,weight; edges are undirected"
    assert ged(G, H, labels="label,weight").compared == both


def test_the_command_line_says_what_it_compared(cli: Cli, tmp_path: Path) -> None:
    """It compares all attributes; both say so, and no distance goes without."""
    paths = []
    for name, graph in (("g.json", G), ("h.json", H)):
        paths.append(tmp_path / name)
        paths[-1].write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    out = cli.out("ged", *paths)
    line = "nodes compared by all attributes (label), edges by all attributes (weight)"
    assert out.startswith(f"1 pair, every one proven; {line}; edges are undirected\n")
    assert "|node-match:all|" in out
    result = cli.json("ged", *paths, "--node-match", "none", "--edge-match", "weight")
    assert result["compared"] == (
        "nodes compared by nothing (label ignored), edges by weight; "
        "edges are undirected"
    )
    assert result["summary"]["mean_distance"] == 0
    assert cli.json("ged", *paths)["summary"]["mean_distance"] == 1


@pytest.mark.parametrize("values", [[1, True, 1.0, math.nan, "1", None], [[1], [2], 1]])
@pytest.mark.parametrize("cost", [1.0, 2.5, math.inf])
def test_names_compare_as_functions_do(values: list[Any], cost: float) -> None:
    """Attributes with a hash are compared once for each kind, others for each pair."""
    graph = nx.Graph()
    for number, value in enumerate([*values, *values]):
        graph.add_node(number, x=value, y=number % 2)
    nodes = list(graph.nodes(data=True))

    def table(match: Any) -> Any:
        options = GedOptions(graph, graph, match, node_costs=(cost, 1.0, 1.0))
        return cost_table(options, "node", nodes, nodes[2:]).substitution

    def alike(a: Any, b: Any) -> bool:
        return bool(a["x"] == b["x"])

    assert np.array_equal(table("x"), table(alike))
    assert np.array_equal(table("all"), table(lambda a, b: a == b))


MOLECULE = """<gxl><graph id="{name}" edgeids="false" edgemode="undirected">
<node id="1"><attr name="symbol"><string>C</string></attr>
<attr name="x"><float>{x}</float></attr><attr name="y"><float>1</float></attr></node>
<node id="2"><attr name="symbol"><string>O</string></attr>
<attr name="x"><float>2</float></attr><attr name="y"><float>{x}</float></attr></node>
<edge from="1" to="2"><attr name="valence"><int>1</int></attr></edge>
</graph></gxl>"""


def test_places_of_a_drawing_are_said_first(cli: Cli, tmp_path: Path) -> None:
    """Molecules of GXL have them, and the option without them ends the sentence."""
    paths = tmp_path / "a.gxl", tmp_path / "b.gxl"
    for path, x in zip(paths, ("0.5", "0.7"), strict=True):
        path.write_text(MOLECULE.format(name=path.stem, x=x))
    first, _, rest = cli.out("ged", *paths).partition("\n")
    assert "compared by all attributes (symbol, x, y), edges by" in first
    assert first.endswith("places in a drawing: --labels symbol,valence")
    assert " 2         2     yes" in rest
    labels = "--labels", "symbol,valence"
    first, _, rest = cli.out("ged", *paths, *labels).partition("\n")
    assert first.endswith("edges by symbol,valence; edges are undirected")
    assert " 0         0     yes" in rest
    hint = "without x and y, places in a drawing: labels='symbol,valence'"
    assert f"{hint}; 2 edits" in repr(ged(*paths))
    common = exactmatch.maximum_common_edge_subgraph(*paths)
    assert f"in common, proven; {common.compared}; similarity" in repr(common)
    assert common.compared.endswith(hint)
    assert common.size == 0
    plane = nx.Graph()
    plane.add_node(1, x=1, y=2, type="corner")
    assert ged(plane, plane).compared.endswith("in a drawing: labels='type'")
    del plane.nodes[1]["type"]
    assert "drawing" not in ged(plane, plane).compared


def test_a_common_subgraph_says_what_it_compared() -> None:
    common = exactmatch.maximum_common_edge_subgraph(G, H, labels="weight")
    words = "nodes compared by weight (they have none), edges by weight"
    words += "; edges are undirected"
    assert common.compared == words
    assert f"; {words}; " in repr(common)
    common = exactmatch.maximum_common_induced_subgraph(G, H, labels="label")
    assert common.compared.startswith(
        "nodes compared by label, edges by label (they have none);"
    )
    path = nx.path_graph(3)
    assert "compared" not in repr(exactmatch.maximum_common_edge_subgraph(path, path))
