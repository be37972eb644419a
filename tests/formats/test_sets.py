"""Formats of published sets: written by other hands, read as they were, or refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from support.command import Cli

from exactmatch import InputError
from exactmatch.formats.formats import FORMATS, OF_SETS, recognises
from exactmatch.formats.networks import READERS, read_graphs


def some_graphs(number: int = 12, edge_labels: bool = True) -> list[Any]:
    """Random graphs with labels; nodes are numbers from 0."""
    rng = random.Random(3)
    found = []
    for _ in range(number):
        graph = nx.gnp_random_graph(rng.randint(1, 6), 0.5, seed=rng.randrange(10**6))
        for known in graph.nodes.values():
            known["label"] = rng.choice(["C", "N", "O"])
        for known in graph.edges.values() if edge_labels else ():
            known["label"] = rng.choice(["1", "2"])
        found.append(graph)
    return found


def as_gspan(graphs: list[Any]) -> str:
    lines = []
    for number, graph in enumerate(graphs):
        lines.append(f"t # {number}")
        lines += [f"v {node} {label}" for node, label in graph.nodes(data="label")]
        lines += [f"e {u} {v} {label}" for u, v, label in graph.edges(data="label")]
    return "\n".join([*lines, "t # -1", ""])


def as_objects(graphs: list[Any], key: str = "edges") -> list[dict[str, Any]]:
    return [
        {
            "n": len(graph),
            "labels": [label for _, label in graph.nodes(data="label")],
            key: [list(edge) for edge in graph.edges(data="label")],
        }
        for graph in graphs
    ]


def write_tu(graphs: list[Any], folder: Path, name: str = "SET") -> None:
    """Write the tables of a TUDataset; labels are numbers there."""
    numbers = {"C": 0, "N": 1, "O": 2}
    edges, owners, labels, kinds, first = [], [], [], [], 1
    for number, graph in enumerate(graphs, 1):
        owners += [number] * len(graph)
        labels += [numbers[label] for _, label in graph.nodes(data="label")]
        for u, v, kind in graph.edges(data="label"):
            edges += [f"{u + first}, {v + first}", f"{v + first}, {u + first}"]
            kinds += [kind, kind]
        first += len(graph)
    tables: dict[str, list[Any]] = {
        "A": edges,
        "graph_indicator": owners,
        "node_labels": labels,
        "edge_labels": kinds,
        "graph_labels": [number % 2 for number in range(len(graphs))],
    }
    for what, rows in tables.items():
        text = "".join(f"{row}\n" for row in rows)
        (folder / f"{name}_{what}.txt").write_text(text, "utf-8")


def plain(graph: Any) -> tuple[Any, Any]:
    """Labels and edges by the places of nodes, all as texts."""
    place = {node: k for k, node in enumerate(graph)}
    nodes = [str(label) for _, label in graph.nodes(data="label")]
    ends = {
        (*sorted((place[u], place[v])), str(label))
        for u, v, label in graph.edges(data="label")
    }
    return nodes, ends


def read(path: Path, format_in: str | None = None) -> list[Any]:
    return [found.graph for found in read_graphs(str(path), format_in)]


@pytest.mark.parametrize("form", ["gspan", "lines", "list", "gedgnn", "tu", "gexf"])
def test_graphs_come_back(form: str, tmp_path: Path) -> None:
    graphs = some_graphs()
    path = tmp_path / "graphs"
    if form == "gspan":
        path.write_text(as_gspan(graphs), "utf-8")
    elif form in ("lines", "gedgnn"):
        objects = as_objects(graphs, "graph" if form == "gedgnn" else "edges")
        path.write_text("\n".join(map(json.dumps, objects)), "utf-8")
    elif form == "list":
        path.write_text(json.dumps(as_objects(graphs), indent=1), "utf-8")
    else:
        path.mkdir()
        if form == "tu":
            write_tu(graphs, path)
        for number, graph in enumerate(graphs if form == "gexf" else ()):
            nx.write_gexf(graph, path / f"{number:02}.gexf")
    back = read(path)
    wanted = list(map(plain, graphs))
    if form == "tu":
        names = {"C": "0", "N": "1", "O": "2"}
        wanted = [([names[one] for one in nodes], ends) for nodes, ends in wanted]
    assert list(map(plain, back)) == wanted
    assert {graph.is_directed() for graph in back} == {False}


def test_a_pair_is_two_graphs_that_know_the_distance(tmp_path: Path) -> None:
    data = {
        "graph_1": [[0, 1], [1, 2]],
        "labels_1": ["a", "b", "c"],
        "graph_2": [[0, 1]],
        "labels_2": ["a", "b"],
        "ged": 2,
    }
    path = tmp_path / "7.json"
    path.write_text(json.dumps(data), "utf-8")
    found = read_graphs(str(path))
    assert [one.name for one in found] == ["7:1", "7:2"]
    assert [one.graph.graph["ged"] for one in found] == [2, 2]
    assert plain(found[0].graph) == (
        ["a", "b", "c"],
        {(0, 1, "None"), (1, 2, "None")},
    )


def test_a_collection_lists_files_of_which_each_is_read_once(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        text = f'<gxl><graph id="{name}"><node id="1"/></graph></gxl>'
        (tmp_path / f"{name}.gxl").write_text(text, "utf-8")
    listed = '<GraphCollection><x><print file="c.gxl"/><print file="a.gxl"/></x>'
    path = tmp_path / "train.cxl"
    path.write_text(f"{listed}</GraphCollection>", "utf-8")
    assert [one.name for one in read_graphs(str(path))] == ["c", "a"]
    assert [one.name for one in read_graphs(str(tmp_path))] == ["a", "b", "c"]
    path.write_text(path.read_text("utf-8").replace("c.gxl", "d.gxl"), "utf-8")
    with pytest.raises(InputError, match=r"lists d\.gxl"):
        read_graphs(str(path))


def test_labels_of_gexf_are_no_repeated_names(tmp_path: Path) -> None:
    graph = nx.Graph()
    graph.add_node("0", type="C")
    graph.add_node("1", type="N")
    graph.add_edge("0", "1", valence=2)
    path = tmp_path / "1.gexf"
    nx.write_gexf(graph, path)
    (found,) = read(path)
    assert found.nodes(data=True)["0"] == {"type": "C"}
    assert found.edges["0", "1"] == {"valence": 2}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("t # 0\nv 0 C\nv 0 N\n", r":3: has the node 0"),
        ("t # 0\nv 0 C\ne 0 1 2\n", r":3: has an edge of 1, which is not a node"),
        ("t # 0\nv 0 C\nv 1 C\ne 0 1\ne 1 0\n", r":5: .* a second time"),
        ("t # 0\nv 0 C\nx 1 2\n", r":3: is 'x 1 2'"),
        ("t # 0\nv 0 C 3\n", r":2: is 'v 0 C 3'"),
        ("t # -1\nv 0 C\n", r":2: stands in no graph"),
        ('{"n": 2, "edges": [[0, 2]]}', r":1: has the edge \[0, 2\], whose nodes"),
        ('{"n": 2, "edges": [[0, 1], [1, 0]]}', r"a second time"),
        ('{"n": 1000001, "edges": []}', "has at most 1,000,000 nodes"),
        ('{"n": 2, "labels": ["a"], "edges": []}', r"has 1 labels for 2 nodes"),
        ('{"n": -1, "edges": []}', r"n is -1"),
        ('{"n": 1, "edges": [], "colour": 3}', r"has the key 'colour'"),
        ('{"n": 1, "edges": []}\n{"n": 1, "edges": [}', r":2:20: is not JSON"),
        ('[{"n": 1, "edges": []}, 3]', r"graph 2: is not an object"),
        ('{"graph_1": [], "graph_2": [], "labels_1": []}', r"no list 'labels_2'"),
        ("<gexf><graph>", "is not GEXF as networkx reads it"),
        ("<GraphCollection/>", "lists no file"),
    ],
)
def test_what_is_wrong_is_refused_by_its_place(
    text: str, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=why):
        read_graphs(str(path))


def test_a_set_whose_tables_do_not_fit_is_refused(tmp_path: Path) -> None:
    write_tu(some_graphs(3), tmp_path)
    labels = tmp_path / "SET_node_labels.txt"
    kept = labels.read_text("utf-8")
    labels.write_text(f"{kept}1\n", "utf-8")
    with pytest.raises(InputError, match=r"SET_node_labels\.txt has \d+ lines for"):
        read_graphs(str(tmp_path))
    labels.write_text(kept.replace("0", "C", 1), "utf-8")
    with pytest.raises(InputError, match=r":\d+: has 'C', which is not a number"):
        read_graphs(str(tmp_path))
    labels.write_text(kept, "utf-8")
    edges = tmp_path / "SET_A.txt"
    edges.write_text("1, 99\n99, 1\n", "utf-8")
    (tmp_path / "SET_edge_labels.txt").write_text("1\n1\n", "utf-8")
    with pytest.raises(InputError, match="one is not a node"):
        read_graphs(str(tmp_path))
    edges.unlink()
    with pytest.raises(InputError, match="no file SET_A"):
        read_graphs(str(tmp_path))


@pytest.mark.parametrize(
    "text",
    [
        "(t / thing)",
        "t\tis\tletter\n",
        "the # 0\nv 0 C\n",
        '{"nodes": [], "edges": []}',
        '{"n": 3}',
        "<svg/>",
        "",
    ],
)
def test_other_texts_are_not_taken_for_these(text: str) -> None:
    assert not any(recognises(FORMATS[name], text) for name in OF_SETS)


def test_readers_have_names_and_the_command_reads_them(
    cli: Cli, tmp_path: Path
) -> None:
    graphs = some_graphs(4)
    path = tmp_path / "graphs.txt"
    path.write_text(as_gspan(graphs), "utf-8")
    lines = tmp_path / "graphs.json"
    lines.write_text(json.dumps(as_objects(graphs)), "utf-8")
    pairs = cli.json("ged", path, lines)["pairs"]
    assert [pair["distance"] for pair in pairs] == [0] * 4
    assert {"gspan", "ged-json", "gexf"} <= READERS.keys()
    assert list(map(plain, read(path, "gspan"))) == list(map(plain, graphs))


@pytest.mark.parametrize("form", ["gspan", "ged-json", "gexf", "gxl"])
def test_commands_on_graphs_of_meaning_read_them_too(
    form: str, cli: Cli, tmp_path: Path
) -> None:
    """What is converted has the nodes, labels and edges of the graph."""
    graph = nx.Graph()
    graph.add_node(0, label="C")
    graph.add_node(1, label="O")
    graph.add_edge(0, 1, label="2")
    path = tmp_path / "a"
    if form == "gexf":
        nx.write_gexf(graph, path)
    else:
        gxl = (
            '<gxl><graph id="a" edgemode="undirected">'
            '<node id="0"><attr name="label"><string>C</string></attr></node>'
            '<node id="1"><attr name="label"><string>O</string></attr></node>'
            '<edge from="0" to="1"><attr name="label"><string>2</string></attr></edge>'
            "</graph></gxl>"
        )
        objects = json.dumps(as_objects([graph])[0])
        texts = {"gspan": as_gspan([graph]), "ged-json": objects, "gxl": gxl}
        path.write_text(texts[form], "utf-8")
    made = json.loads(cli.out("convert", path, "--to", "json", "--lossy"))
    assert [node["label"] for node in made["nodes"]] == ["C", "O"]
    assert len(made["edges"]) == 1
    assert made["directed"] is False
    assert cli.json(path, path, "--metric", "graph")["metrics"][0]["score"] == 1
