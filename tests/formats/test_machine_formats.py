"""Graphs as programs and models write them, each against what it says by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactmatch
from exactmatch.base.errors import ExactmatchWarning, InputError
from exactmatch.formats.blocks import graphs_of_text, read_blocks
from exactmatch.formats.formats import get_format, looks_like
from exactmatch.formats.machine.json_graphs import network_in
from exactmatch.formats.machine.relations import relations_in
from exactmatch.formats.machine.statements import statements_in
from exactmatch.formats.networks import graphs_in
from exactmatch.testing import check_format

Stated = tuple[set[str | None], set[tuple[str | None, str | None, str | None]]]


def stated(text: str, format_in: str | None = None) -> Stated:
    """Labels of nodes, and labels of edges between labels, of the one graph."""
    kind = format_in or looks_like(text)
    (block,) = get_format(kind).blocks(text.splitlines(keepends=True), None)
    found = network_in(block)
    label = {name: own for name, (own, _) in found.nodes.items()}
    edges = {(label[s], named, label[t]) for s, named, t in found.edges}
    return set(label.values()), edges


WALK = {"open the door", "walk in"}, {("open the door", "then", "walk in")}
NODES = [{"id": "n1", "label": "open the door"}, {"id": "n2", "label": "walk in"}]
JSON_WALKS: dict[str, Any] = {
    "indices": {"nodes": ["open the door", "walk in"], "edges": [[0, "then", 1]]},
    "label last": {"nodes": NODES, "edges": [["n1", "n2", "then"]]},
    "labels": {
        "nodes": ["open the door", "walk in"],
        "edges": [["open the door", "then", "walk in"]],
    },
    "from and to": {
        "nodes": NODES,
        "edges": [{"from": "n1", "to": "n2", "label": "then"}],
    },
    "subject and object": {
        "nodes": NODES,
        "edges": [{"subject": "n1", "object": "n2", "predicate": "then"}],
    },
    "head and tail": {
        "nodes": NODES,
        "relations": [{"head": "n1", "tail": "n2", "relation": "then"}],
    },
    "integer ids": {
        "nodes": [{"id": 7, "name": "open the door"}, {"id": 3, "name": "walk in"}],
        "links": [{"source": 7, "target": 3, "type": "then"}],
    },
    "nodes by name": {
        "nodes": {"a": "open the door", "b": {"label": "walk in"}},
        "edges": [["a", "then", "b"]],
    },
    "cytoscape": {
        "elements": {
            "nodes": [{"data": node, "position": {"x": 1}} for node in NODES],
            "edges": [{"data": {"source": "n1", "target": "n2", "label": "then"}}],
        }
    },
    "cytoscape's list": {
        "elements": [
            *({"group": "nodes", "data": node} for node in NODES),
            {"data": {"id": "e", "source": "n1", "target": "n2", "label": "then"}},
        ]
    },
    "react flow": {
        "nodes": [{"id": n["id"], "data": {"label": n["label"]}} for n in NODES],
        "edges": [{"id": "e", "source": "n1", "target": "n2", "label": "then"}],
    },
    "langgraph": {
        "nodes": [
            {"id": "n1", "type": "runnable", "data": {"name": "open the door"}},
            {"id": "n2", "type": "runnable", "data": {"name": "walk in"}},
        ],
        "edges": [{"source": "n1", "target": "n2", "data": "then"}],
    },
    "langchain": {
        "nodes": [{"id": "open the door", "type": "Act"}, {"id": "walk in"}],
        "relationships": [
            {
                "source": {"id": "open the door", "type": "Act"},
                "target": {"id": "walk in"},
                "type": "then",
            }
        ],
    },
    "kg-gen": {
        "entities": ["walk in", "open the door"],
        "edges": ["then"],
        "relations": [["open the door", "then", "walk in"]],
    },
    "triples": [["open the door", "then", "walk in"]],
    "objects": [{"subject": "open the door", "relation": "then", "object": "walk in"}],
    "under a key": {"triples": [["open the door", "then", "walk in"]]},
    "inside": {"plan": {"nodes": NODES, "edges": [["n1", "then", "n2"]]}},
}


@pytest.mark.parametrize("dialect", JSON_WALKS)
def test_every_dialect_of_json_says_the_same(dialect: str) -> None:
    text = json.dumps(JSON_WALKS[dialect])
    assert stated(text, "json") == WALK
    pretty = json.dumps(JSON_WALKS[dialect], indent=2)
    assert stated(pretty, "json") == WALK


def test_n8n_connects_nodes_by_name_and_numbers_outputs() -> None:
    to = [{"node": "Slack", "type": "main", "index": 0}]
    workflow = {
        "nodes": [
            {"name": "Webhook", "type": "n.webhook", "parameters": {"a": 1}},
            {"name": "Slack", "type": "n.slack"},
            {"name": "If", "type": "n.if"},
        ],
        "connections": {
            "Webhook": {"main": [[{"node": "If", "type": "main", "index": 0}]]},
            "If": {"main": [[], to]},
        },
    }
    labels, edges = stated(json.dumps(workflow))
    assert labels == {"Webhook", "Slack", "If"}
    assert edges == {("Webhook", None, "If"), ("If", "output 1", "Slack")}


TEXT_WALKS = {
    "table": "subject,predicate,object\nopen the door,then,walk in\n",
    "tabs": "head\trelation\ttail\nopen the door\tthen\twalk in\n",
    "relations": "then(open the door, walk in)\n",
    "mermaid": 'flowchart TD\n  a["open the door"] -->|then| b(walk in)\n',
    "mermaid's other link": "graph LR; a[open the door] -- then --> b{walk in};",
    "gml": 'graph [ directed 1 node [ id 1 label "open the door" ] '
    'node [ id 2 label "walk in" ] edge [ source 1 target 2 label "then" ] ]',
    "webnlg": "<benchmark><entries><entry eid='1'><modifiedtripleset>"
    "<mtriple>open the door | then | walk in</mtriple>"
    "</modifiedtripleset></entry></entries></benchmark>",
}


@pytest.mark.parametrize("name", TEXT_WALKS)
def test_formats_of_text_recognise_themselves(name: str) -> None:
    assert stated(TEXT_WALKS[name]) == WALK


@pytest.mark.parametrize("directed", [True, False])
def test_what_networkx_writes_is_read(directed: bool, tmp_path: Path) -> None:
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_edge("open the door", "walk in", label="then")
    nx.write_graphml(graph, tmp_path / "a.graphml")
    nx.write_gml(graph, tmp_path / "a.gml")
    nx.write_pajek(graph, tmp_path / "a.net")
    for path in sorted(tmp_path.iterdir()):
        (block,) = read_blocks(path)
        found = network_in(block)
        assert found.is_directed == directed
        assert {label for label, _ in found.nodes.values()} == WALK[0]
        if path.suffix != ".net":  # networkx writes numbers of edges alone
            assert found.edges == [("open the door", "then", "walk in")] or [
                found.nodes[s][0] for s, _, _ in found.edges
            ] == ["open the door"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a b\nb c\n", "directed-edge-list"),
        ("a b\nb c\n", "directed-adjacency-list"),
    ],
)
def test_lists_are_read_where_they_are_named(text: str, kind: str) -> None:
    assert stated(text, kind) == ({"a", "b", "c"}, {("a", None, "b"), ("b", None, "c")})


def test_workflows_of_worfbench() -> None:
    text = "Node:\n1. open the door\n2: walk in\nEdges: (START,1) (1,2)\n(2,END)\n"
    labels, edges = stated(text)
    assert labels == {"START", "END", "open the door", "walk in"}
    assert ("open the door", None, "walk in") in edges
    assert len(edges) == 3


def test_a_flowchart_in_all_its_forms() -> None:
    text = """\
---
title: Door
---
flowchart TD
    A["Start: (1)"] --> B{Is it open?}
    B -->|yes| C[Walk in]
    B -- no --> D([Open door]); D -.-> C
    %% a comment
    C & D ==> E>flag]
    subgraph one [Group]
      E ---> F[/in/]
    end
    A ~~~ F
    G@{ shape: rect, label: "Hm" } <--> A:::big
    classDef big fill:#f96
"""
    labels, edges = stated(text)
    assert labels == {
        *("Start: (1)", "Is it open?", "Walk in", "Open door", "flag", "in", "Hm"),
    }
    assert edges == {
        ("Start: (1)", None, "Is it open?"),
        ("Is it open?", "yes", "Walk in"),
        ("Is it open?", "no", "Open door"),
        ("Open door", None, "Walk in"),
        ("Walk in", None, "flag"),
        ("Open door", None, "flag"),
        ("flag", None, "in"),
        ("Hm", None, "Start: (1)"),
        ("Start: (1)", None, "Hm"),
    }


def test_rdf_by_rdflib() -> None:
    pytest.importorskip("rdflib")
    turtle = (
        "@prefix e: <http://e.org/> .\ne:Marie_Curie e:bornIn e:Warsaw ; e:y 1867 ."
    )
    want = {("Marie_Curie", "bornIn", "Warsaw"), ("Marie_Curie", "y", "1867")}
    assert stated(turtle)[1] == want
    lines = "<http://e.org/Marie_Curie> <http://e.org/bornIn> <http://e.org/Warsaw> .\n"
    assert stated(lines)[1] == {("Marie_Curie", "bornIn", "Warsaw")}
    fetched = '{"@context": "https://e.org/c", "@id": "x"}'
    with pytest.raises(InputError, match="names a '@context' elsewhere"):
        stated(fetched)


_IN_CONTEXT = '{"@context": {"e": "http://e.org/"}, '
DATASETS = {
    "named": (
        "json-ld",
        f'{_IN_CONTEXT} "@id": "e:g", "@graph": [{{"@id": "e:a", "e:p": 1}}]}}',
    ),
    "named, with facts": (
        "json-ld",
        f'{_IN_CONTEXT} "@id": "e:g", "e:by": "x", "@graph": [{{"e:p": [1, 2]}}]}}',
    ),
    "within": (
        "json-ld",
        f'{_IN_CONTEXT} "@graph": [{{"@id": "e:a", "e:p": 1}}, {{"@id": "e:g", '
        '"@graph": [{"@id": "e:b", "e:p": 2, "e:q": 3}]}]}',
    ),
    "several": (
        "json-ld",
        f'{_IN_CONTEXT} "@graph": [{{"@id": "e:g", "@graph": {{"e:p": 1}}}}, '
        '{"@id": "e:h", "@graph": {"e:p": [1, 2]}}]}',
    ),
    "TriG": ("trig", "@prefix : <http://e.org/> .\n:g { :a :p 1, 2 } :a :p 1 ."),
    "TriG with GRAPH": ("trig", "GRAPH <http://e.org/g> { <http://e.org/a> a 1 }"),
    "TriG with names": ("trig", "<x:g> { <x:a> <x:b> '{' } <x:h> { [] <x:b> 1, 2 }"),
    "Turtle": ("turtle", '<x:a> <x:b> "{", """\n<x:a> <x:b> <x:c> <x:g> .\n""" .'),
    "N-Quads": (
        "nquads",
        '# of a test\n\n<x:a> <x:b> "c"@en .\n<x:a> <x:b> "c\\"" <x:g> . # end\n',
    ),
    "N-Quads, all named": ("nquads", "<x:a> <x:b> _:c <x:g> .\n_:a <x:b> 'c' <x:h>."),
}
"""Texts of RDF with names of graphs, and what rdflib calls the format."""


@pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning:rdflib")
@pytest.mark.parametrize("name", DATASETS)
def test_named_graphs_are_read_or_counted(name: str) -> None:
    rdflib = pytest.importorskip("rdflib")
    kind, text = DATASETS[name]
    text = text.replace("'", '"')
    assert looks_like(text) == "rdf"
    dataset = rdflib.Dataset()
    dataset.parse(data=text, format=kind)
    sizes = {str(one.identifier): len(one) for one in dataset.graphs()}
    default = sizes.pop("urn:x-rdflib:default")
    found = graphs_in(text, "rdf")
    got = {one.name: len(one.graph.edges) for one in found}
    assert got == ({None: default} if default else sizes)
    left_out = sum(sizes.values()) if default else 0
    assert [one.left_out or {} for one in found] == [
        {"triples of named graphs": left_out} if left_out else {} for _ in found
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (json.dumps([JSON_WALKS["indices"]] * 3), 3),
        ("\n".join([json.dumps(JSON_WALKS["indices"])] * 2), 2),
        (json.dumps([JSON_WALKS["triples"], [], JSON_WALKS["triples"]]), 3),
        ('["a", "r", "b"]\n["b", "r", "c"]\n', 1),
        ('{"subject": "a", "object": "b"}\n{"subject": "b", "object": "c"}', 1),
        ("id,s,p,o\n1,a,r,b\n2,a,r,b\n1,b,r,c\n", 2),
        ("r(a, b)\n\nr(b, c)\n", 2),
        ("[]", 1),
    ],
)
def test_a_file_holds_one_graph_or_several(text: str, number: int) -> None:
    assert len([*graphs_of_text(text)]) == number


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"nodes": ["a"], "edges": [[0, 1]]}', r"the edge \[0, 1\] at place 0, and 1"),
        ('{"nodes": [{"id": 1}, {"id": 1}], "edges": []}', "two nodes with the id '1'"),
        ('{"nodes": ["a"]}', "no list of 'edges'"),
        ('{"triples": [["a", "b"]]}', "no triple at place 0"),
        ('{"nodes": ["a"], "edges": [[0]]}', r"an edge is \[i, j\], \[i, label, j\]"),
        ('{"nodes": ["a", "edges": []}', "is not JSON"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        stated(text, "json")


def test_a_broken_line_is_one_graph_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = json.dumps(JSON_WALKS["indices"])
    path.write_text(f"{good}\n{good[:-9]}\n{good}\n")
    report = exactmatch.evaluate(path, path, "graph", on_error="skip")
    assert report["graph"].pairs == 2
    assert [omission.index for omission in report.omitted] == [1]
    assert ":2:55: " in report.omitted[0].reason


def test_files_that_are_not_understood_are_refused_by_name(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("a b\nb c\n")
    other.write_text("a b\nb c\nc a\n")
    with pytest.raises(InputError, match=r"begins with .*--format-in edge-list"):
        exactmatch.evaluate(one, other, "graph")
    with pytest.raises(InputError, match="name its format by --format-in"):
        exactmatch.studies.ged(one, other)


def test_different_triples_of_names_are_different(tmp_path: Path) -> None:
    one, other = tmp_path / "one.tsv", tmp_path / "other.tsv"
    one.write_text("a\tr\tb\nb\tr\tc\n")
    other.write_text("a\tr\tb\nb\ts\tc\n")
    metric = exactmatch.make_metric("graph", count="edges")
    report = exactmatch.evaluate(one, other, [metric])
    assert report["graph"].score.f1 == 0.5
    amr = tmp_path / "amr.tsv"
    amr.write_text("b\tinstance\tbark\nb\tARG0\td\nd\tinstance\tdog\n")
    text = "(b / bark :ARG0 (d / dog))"
    (graph,) = exactmatch.load(amr)
    assert exactmatch.score(graph, text, metric="graph").f1 == 1


def test_undirected_graphs_stay_undirected(tmp_path: Path) -> None:
    path, turned = tmp_path / "a.json", tmp_path / "b.json"
    graph = {"directed": False, "nodes": ["a", "b"], "edges": [[0, 1]]}
    path.write_text(json.dumps(graph))
    turned.write_text(json.dumps(graph | {"edges": [[1, 0]]}))
    report = exactmatch.evaluate(path, turned, "graph")
    assert report["graph"].score.f1 == 1
    with pytest.warns(ExactmatchWarning, match="is undirected"):
        (text,) = exactmatch.studies.convert([path], to="json")
    assert json.loads(text)["directed"] is False


NAMES = st.text("abcde -.'", min_size=1, max_size=6).map(str.strip).filter(bool)
NETWORKS = st.lists(NAMES, max_size=5).flatmap(
    lambda labels: st.tuples(
        st.just(labels),
        st.lists(
            st.tuples(
                st.integers(0, len(labels) - 1),
                st.none() | NAMES,
                st.integers(0, len(labels) - 1),
            ),
            max_size=6 if labels else 0,
        )
        if labels
        else st.just([]),
    )
)


@given(NETWORKS, st.sampled_from(["json", "mermaid", "gml", "answers", "node-link"]))
def test_what_is_written_is_read_again(network: Any, kind: str) -> None:
    labels, edges = network
    text = json.dumps({"nodes": labels, "edges": [list(edge) for edge in edges]})
    (block,) = graphs_of_text(text)
    graph = get_format("json").read(block).graph
    written = get_format(kind).write(graph)
    (again,) = get_format(kind).blocks(written.splitlines(keepends=True), None)
    assert get_format(again.format or kind).read(again).graph == graph


GRAPHS = [
    exactmatch.read(text)
    for text in (
        '{"id": "1", "nodes": ["bark"], "edges": [[0, "at", 0]]}',
        '{"id": "2", "nodes": ["bark", "dog"], "edges": [[0, "at", 1], [1, 0]]}',
    )
]
TRIPLES = [
    exactmatch.read(f'{{"id": "{n}", "triples": [["a", "r{n}", "b"]]}}') for n in "12"
]
NODE_LISTS = [exactmatch.read("Node:\n1. bark\nEdges: (START,1) (1,END)\n")] * 2


@pytest.mark.parametrize("name", ["json", "answers", "mermaid"])
def test_the_promises_of_formats(name: str) -> None:
    check_format(name, GRAPHS if name != "mermaid" else TRIPLES)


@pytest.mark.parametrize("name", ["relations", "table"])
def test_the_promises_of_formats_of_triples(name: str) -> None:
    check_format(name, TRIPLES)


def test_the_promises_of_node_lists() -> None:
    check_format("worfbench", NODE_LISTS)


@pytest.mark.parametrize(
    ("line", "triples"),
    [
        ("r(a, b)", [("a", "r", "b")]),
        ("1. r(A (b, c), d, e)", [("A (b, c)", "r", "d, e")]),
        ('"r(a, "b, c")"', [("a", "r", "b, c")]),
        ("Output: r(a, b), s(c, d).", [("a", "r", "b"), ("c", "s", "d")]),
        ("{r(a, b)}", [("a", "r", "b")]),
        ("LCCN number(a, 1)", [("a", "LCCN number", "1")]),
        ("It is r(a, b) that holds.", []),
        ("r(a)", []),
        ("", []),
    ],
)
def test_relations_of_lines(line: str, triples: list[tuple[str, str, str]]) -> None:
    assert relations_in(line) == triples


@pytest.mark.parametrize("line", ["(a, r, b)", "- (a; r; b)", "a | r | b", "<a, r, b>"])
def test_triples_of_lines(line: str) -> None:
    assert statements_in(line).triples == [("a", "r", "b")]


@pytest.mark.parametrize(
    ("line", "edges"),
    [
        ("A-->B", [("A", "edge", "B")]),
        ("A-->B-->C", [("A", "edge", "B"), ("B", "edge", "C")]),
        ("A-->|yes|B", [("A", "yes", "B")]),
        ("A-- yes -->B", [("A", "yes", "B")]),
        ("a-b==>c-d", [("a-b", "edge", "c-d")]),
        ("A~~~B", []),
    ],
)
def test_a_flowchart_needs_no_blanks(
    line: str, edges: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "chart.mmd"
    path.write_text(f"flowchart TD\n  {line}\n")
    (graph,) = exactmatch.load(path)
    triples = [(t.source, t.role, t.target) for t in graph.triples()]
    assert [t for t in triples if t[1] != "instance"] == edges


def test_a_table_holds_line_breaks_and_no_nul() -> None:
    """Python's ``csv`` takes both otherwise from version to version."""
    table = get_format("table")

    def graph_of(*triple: str) -> Any:
        (block,) = graphs_of_text(json.dumps([triple]))
        return get_format(block.format).read(block).graph

    graph = graph_of("a\rb", "then,", 'c\n"d"')
    (again,) = table.blocks(table.write(graph).splitlines(keepends=True), None)
    assert network_in(again).edges == [("a b", "then,", 'c "d"')]
    graph = graph_of("a\0b", "then", "c")
    with pytest.raises(InputError, match="a NUL character, which a table cannot hold"):
        table.write(graph)
    text = "subject,predicate,object\na,b,c\na,b\0,c\n"
    with pytest.raises(InputError, match=r"t\.csv:3: has a NUL character; remove it"):
        list(table.blocks(text.splitlines(keepends=True), "t.csv"))
