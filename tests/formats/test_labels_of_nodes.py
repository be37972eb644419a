"""One rule for the label of a node: the same graph scores 1 in any two formats."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from exactmatch import make_metric
from exactmatch.formats.blocks import read_blocks
from exactmatch.graphs.profile import in_words

Triples = Sequence[tuple[Any, str, Any]]


def network_of(triples: Triples) -> Any:
    graph = nx.DiGraph()
    for source, label, target in triples:
        graph.add_edge(source, target, label=label)
    return graph


def written(writer: Callable[..., None]) -> Callable[[Any], str]:
    def write(graph: Any) -> str:
        file: Any = io.BytesIO()
        writer(graph, file)
        return file.getvalue().decode()

    return write


def json_of(graph: Any) -> str:
    nodes = [{"id": node} for node in graph]
    edges = [
        {"source": s, "target": t, "label": known["label"]}
        for s, t, known in graph.edges(data=True)
    ]
    return json.dumps({"nodes": nodes, "edges": edges})


def dot_of(graph: Any) -> str:
    edges = (
        f'  "{s}" -> "{t}" [label="{known["label"]}"];\n'
        for s, t, known in graph.edges(data=True)
    )
    return "digraph {\n" + "".join(edges) + "}\n"


def mermaid_of(graph: Any) -> str:
    edges = (
        f"  {s} -->|{known['label']}| {t}\n" for s, t, known in graph.edges(data=True)
    )
    return "flowchart LR\n" + "".join(edges)


def rows_of(form: str, head: str = "") -> Callable[[Any], str]:
    def write(graph: Any) -> str:
        rows = (form.format(s, k["label"], t) for s, t, k in graph.edges(data=True))
        return head + "\n".join(rows) + "\n"

    return write


def triples_of(graph: Any) -> list[tuple[str, str, str]]:
    return [(str(s), k["label"], str(t)) for s, t, k in graph.edges(data=True)]


FORMATS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "node-link": ("a.json", lambda g: json.dumps(nx.node_link_data(g, edges="links"))),
    "json": ("b.json", json_of),
    "graphml": ("a.graphml", written(nx.write_graphml)),
    "gexf": ("a.gexf", written(nx.write_gexf)),
    "gml": ("a.gml", written(nx.write_gml)),
    "dot": ("a.dot", dot_of),
    "mermaid": ("a.mmd", mermaid_of),
    "json triples": ("t.json", lambda g: json.dumps(triples_of(g))),
    "table": ("a.csv", rows_of("{0},{1},{2}", "subject,relation,object\n")),
    "relations": ("a.rel", rows_of("{1}({0}, {2})")),
    "tabs": ("a.tsv", rows_of("{0}\t{1}\t{2}")),
}
TERMS = ("json triples", "table", "relations", "tabs")
"""Formats in which a node is its label, a number as well."""

NAMES: Triples = [("Alice", "knows", "Bob"), ("Bob", "knows", "Carol")]
MIXED: Triples = [("Alice", "born", "1984"), ("1984", "was", "good")]
NUMBERS: Triples = [(1, "next", 2), (2, "next", 3)]
OTHERS: Triples = [(7, "next", 5), (5, "next", 12)]


def scores_of(sides: Sequence[Any]) -> float:
    metric: Any = make_metric("graph")
    read = [metric.prepare(metric.read(side).item) for side in sides]
    found: float = metric.scores(metric.compare(*read).statistics).score
    return found


def sides_of(triples: Triples, folder: Path, *but: str) -> dict[str, Any]:
    graph = network_of(triples)
    sides: dict[str, Any] = {"networkx": graph, "mapping": json.loads(json_of(graph))}
    for name, (file, write) in FORMATS.items():
        if name not in but:
            path = folder / file
            path.write_text(write(graph), encoding="utf-8")
            (sides[name],) = read_blocks(path)
    if "json triples" not in but:
        sides["triples"] = triples_of(graph)
    return sides


@pytest.mark.parametrize("triples", [NAMES, MIXED, NUMBERS])
def test_the_same_nodes_are_the_same_in_all_formats(
    triples: Triples, tmp_path: Path
) -> None:
    but = TERMS if triples is NUMBERS else ()
    sides = sides_of(triples, tmp_path, *but)
    assert len(sides) > 8
    for one, other in combinations_with_replacement(sides, 2):
        assert scores_of([sides[one], sides[other]]) == 1.0, (one, other)


def test_numbers_only_identify_nodes(tmp_path: Path) -> None:
    sides = sides_of(NUMBERS, tmp_path, *TERMS)
    (tmp_path / "x").mkdir()
    others = sides_of(OTHERS, tmp_path / "x", *TERMS)
    for one in sides:
        for other in others:
            assert scores_of([sides[one], others[other]]) == 1.0, (one, other)


def test_names_of_other_things_are_not_alike(tmp_path: Path) -> None:
    sides = sides_of([("Alice", "knows", "Bob")], tmp_path)
    (tmp_path / "x").mkdir()
    others = sides_of([("Paris", "knows", "France")], tmp_path / "x")
    for one in sides:
        for other in others:
            assert scores_of([sides[one], others[other]]) == pytest.approx(1 / 3)


@pytest.mark.parametrize("key", ["label", "name", "title"])
def test_a_label_that_is_stated_comes_before_the_name(key: str, tmp_path: Path) -> None:
    graph, other = network_of(NAMES), network_of(OTHERS)
    for one in (graph, other):
        for number, node in enumerate(one):
            one.nodes[node][key] = f"thing {number}"
        for *_, known in one.edges(data=True):
            known["label"] = "r"
    path = tmp_path / "a.json"
    path.write_text(json.dumps(nx.node_link_data(other, edges="links")), "utf-8")
    (block,) = read_blocks(path)
    for side in (graph, other, block):
        assert scores_of([graph, side]) == 1.0


def test_blanks_around_names_of_triples_say_nothing() -> None:
    triples = [("a", "r", " b"), ("b", " s ", "c\t")]
    other = [("a", "r", "b"), ("b", "s", "c")]
    assert scores_of([triples, other]) == 1.0
    text = json.dumps(triples)
    assert scores_of([text, json.dumps(other)]) == 1.0


def test_truth_values_are_written_alike(tmp_path: Path) -> None:
    graph = nx.DiGraph()
    graph.add_node("a", done=True)
    graph.add_node("b", done=False)
    graph.add_edge("a", "b", label="r")
    path = tmp_path / "a.graphml"
    nx.write_graphml(graph, path)
    (block,) = read_blocks(path)
    assert scores_of([graph, block]) == 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-5", "5"),
        ("C++", "C#"),
        ("C#", "C"),
        ("C++", "C"),
        ("a<b", "a>b"),
        ("1.5", "1 5"),
        ("a=b", "a b"),
        ("50%", "50"),
        ("a+b", "a b"),
        ("+1", "-1"),
        ("x!=y", "x=y"),
    ],
)
def test_signs_operators_and_decimal_points_are_kept(one: str, other: str) -> None:
    assert in_words(one) != in_words(other)


@pytest.mark.parametrize(
    "same",
    [
        ("birthPlace", "birth_place", '"birth place"', "birth-place"),
        ("a<b", "a < b"),
        ("Mr. X", "Mr X"),
        ("COVID-19", "COVID 19"),
        ("AC/DC", "AC DC"),
        ("−5", "-5"),
    ],
)
def test_what_only_parts_words_is_not(same: tuple[str, ...]) -> None:
    assert len({*map(in_words, same)}) == 1
