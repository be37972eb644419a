"""Graphs written for other programs: those programs read what was stated."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Cli
from support.examples import examples
from support.files import Files

from exactmatch.base.errors import GraphError, InputError
from exactmatch.formats.conversion import lost_in
from exactmatch.formats.formats import get_format
from exactmatch.formats.machine.json_graphs import network_in
from exactmatch.formats.machine.network import Network
from exactmatch.graphs.graph import Graph, Origin
from exactmatch.studies import convert

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pyparsing

PACKAGES = {"rdf": "rdflib"}
WRITTEN = ("dot", "graphml", "pajek", "webnlg", "rdf")


def graph_of(network: Network) -> Graph:
    return network.as_graph(Origin())


TEXTS = st.text("ab 1é.,;|<>&%/#:_-'\"\\\\", min_size=1, max_size=6)
NAMES = TEXTS.map(str.strip).filter(bool)


@st.composite
def networks(draw: st.DrawFn, terms: bool) -> Network:
    """A network, or one whose nodes are known by their labels."""
    found = Network(is_directed=terms or draw(st.booleans()))
    for name in draw(st.lists(NAMES, min_size=1, max_size=4, unique=True)):
        facts = [] if terms else draw(st.lists(st.tuples(NAMES, NAMES), max_size=2))
        found.add(name, name if terms else draw(st.none() | NAMES), facts)
    ends = st.sampled_from([*found.nodes])
    labels = NAMES if terms else st.none() | NAMES
    found.edges = draw(st.lists(st.tuples(ends, labels, ends), max_size=4))
    return found


@given(st.booleans().flatmap(networks), st.sampled_from(WRITTEN))
@settings(max_examples=examples(100), deadline=None)
def test_what_is_written_is_read_again_or_refused(network: Network, kind: str) -> None:
    """Whatever the texts: in all that is not refused, nothing is lost."""
    pytest.importorskip(PACKAGES.get(kind, "json"))
    graph, form = graph_of(network), get_format(kind)
    with suppress(GraphError):
        text = form.write(graph)
        if lost_in(text, graph, form):
            return
        (block,) = form.blocks(io.StringIO(text, newline=None), None)
        again = network_in(block)
        assert again.is_directed == network.is_directed or not network.edges
        assert again.nodes.keys() == network.nodes.keys()
        for name, (label, facts) in network.nodes.items():
            assert again.nodes[name][0] == label
            assert sorted(again.nodes[name][1]) == sorted(facts)
        told = sorted((s, label or "edge", t) for s, label, t in network.edges)
        assert sorted((s, label or "edge", t) for s, label, t in again.edges) == told


WALK = {
    "id": "w 1",
    "nodes": [
        {"id": "a", "label": 'say "hello"', "n": 1},
        {"id": "b", "label": "leave & go"},
    ],
    "edges": [["a", "then", "b"], ["b", "a"], ["a", "or", "b"]],
}
TRIPLES = [["Marie Curie", "won", "a prize"], ["a prize", "is in", "physics"]]


def converted(files: Files, data: Any, to: str) -> str:
    (text,) = convert([Path(files.one("graph.json", json.dumps(data)))], to=to)
    return text


def test_networkx_reads_graphml(files: Files) -> None:
    graph = nx.parse_graphml(converted(files, WALK, "graphml"))
    assert graph.graph["name"] == "w 1"
    assert dict(graph.nodes(data=True)) == {
        "a": {"label": 'say "hello"', "n": "1"},
        "b": {"label": "leave & go"},
    }
    edges = sorted((s, d.get("label", ""), t) for s, t, d in graph.edges(data=True))
    assert edges == [("a", "or", "b"), ("a", "then", "b"), ("b", "", "a")]


def test_pydot_reads_dot(files: Files) -> None:
    pydot = pytest.importorskip("pydot")
    (graph,) = pydot.graph_from_dot_data(converted(files, WALK, "dot"))
    assert (graph.get_name(), graph.get_type()) == ('"w 1"', "digraph")
    assert graph.get_node('"a"')[0].get("label") == r'"say \"hello\""'
    assert graph.get_node('"a"')[0].get("n") == '"1"'
    edges = [
        (e.get_source(), e.get("label"), e.get_destination()) for e in graph.get_edges()
    ]
    assert edges == [
        ('"a"', '"then"', '"b"'),
        ('"a"', '"or"', '"b"'),
        ('"b"', None, '"a"'),
    ]


def test_networkx_reads_pajek(files: Files) -> None:
    graph = nx.parse_pajek(converted(files, TRIPLES, "pajek"))
    assert [*graph] == ["Marie Curie", "a prize", "physics"]
    edges = [[s, d["label"], t] for s, t, d in graph.edges(data=True)]
    assert edges == TRIPLES


def test_an_entry_of_webnlg_has_the_triples(files: Files) -> None:
    root = ElementTree.fromstring(
        converted(
            files, {"id": "Id7", "category": "Science", "triples": TRIPLES}, "webnlg"
        )
    )
    (entry,) = root.findall("entries/entry")
    assert dict(entry.items()) == {"eid": "Id7", "category": "Science"}
    found = entry.findall("modifiedtripleset/mtriple")
    assert [one.text for one in found] == [" | ".join(triple) for triple in TRIPLES]


def test_rdflib_reads_n_triples(files: Files, tmp_path: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    graph = rdflib.Graph().parse(data=converted(files, TRIPLES, "rdf"), format="nt")
    stem = "urn:exactmatch:"
    assert {tuple(map(str, triple)) for triple in graph} == {
        tuple(stem + part.replace(" ", "%20") for part in triple) for triple in TRIPLES
    }
    stated = tmp_path / "a.ttl"
    stated.write_text(
        '<http://x.y/A> <http://x.y/p> "1 \\"b\\""@en, <http://x.y/B> .\n'
    )
    (text,) = convert([stated], to="rdf")
    assert {*rdflib.Graph().parse(data=text, format="nt").subject_objects()} == {
        *rdflib.Graph().parse(stated, format="turtle").subject_objects()
    }


def test_several_graphs_go_where_a_file_holds_several(files: Files, cli: Cli) -> None:
    lines = [{"id": str(n), "triples": [["a", f"r{n}", "b"]]} for n in range(3)]
    path = files.one("graphs.jsonl", "".join(f"{json.dumps(one)}\n" for one in lines))
    out = str(Path(path).with_name("out.xml"))
    cli.out("convert", path, "-o", out)
    entries = ElementTree.parse(out).getroot().findall("entries/entry")
    assert [entry.get("eid") for entry in entries] == ["0", "1", "2"]
    again = cli.out("convert", out, "--to", "json").splitlines()
    assert [json.loads(line)["id"] for line in again] == ["0", "1", "2"]
    one = '{"nodes": ["a"], "edges": []}\n'
    for kind in ("graphml", "gml"):
        told = cli.refusal("convert", files.one("two.jsonl", one * 2), "--to", kind)
        assert f"a file of {kind} holds one graph, and there are several" in told
        assert cli("convert", files.one("one.jsonl", one), "--to", kind).code == 0


@pytest.mark.parametrize(
    ("data", "to", "reason"),
    [
        (WALK, "pajek", "the node 'a', of which Pajek cannot say everything"),
        (WALK, "webnlg", "the node 'a', of which triples of labels cannot say"),
        ({"id": "1", "triples": TRIPLES}, "pajek", "without loss of metadata 'id'"),
        ({"triples": [["a|b", "r", "c"]]}, "webnlg", "without loss of its form"),
        ({"{id": "7", "triples": [["a", "r", "c"]]}, "webnlg", "'{id', no name in XML"),
        (
            {"nodes": [{"id": "a", "attributes": [["k", "y"], ["k", 1]]}], "edges": []},
            "graphml",
            "an attribute twice",
        ),
    ],
)
def test_what_would_be_lost_is_refused(
    files: Files, data: Any, to: str, reason: str
) -> None:
    with pytest.raises(InputError) as refused:
        converted(files, data, to)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
