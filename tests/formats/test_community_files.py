"""Files of graphs as their own communities write them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from support.command import Cli

import exactmatch
from exactmatch.base.errors import ExactmatchWarning, InputError
from exactmatch.formats.blocks import graphs_of_text
from exactmatch.formats.formats import get_format, looks_like
from exactmatch.formats.machine.json_graphs import network_in
from exactmatch.formats.machine.network import Network
from exactmatch.formats.networks import read_graphs

NESTED = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault='
    '"directed"><node id="a"><port name="p"/><graph edgedefault="directed"><node '
    'id="b"/><node id="c"/><edge source="b" target="c"/></graph></node><node id="d"/>'
    '<edge source="a" target="d"/></graph></graphml>'
)


def networks(text: str) -> list[Network]:
    return [network_in(block) for block in graphs_of_text(text)]


def test_gspan_with_any_line_ends(tmp_path: Path) -> None:
    text = "t # 0\nv 0 2\nv 1 3\ne 0 1 1\n"
    for end in ("\r\n", "\r", "\n"):
        (tmp_path / "a.gspan").write_text(text.replace("\n", end), newline="")
        (found,) = read_graphs(str(tmp_path / "a.gspan"))
        assert dict(found.graph.nodes(data="label")) == {"0": "2", "1": "3"}
        assert looks_like(text.replace("\n", end)) == "gspan"
        assert len(exactmatch.load(tmp_path / "a.gspan")[0].variables) == 2


def test_a_header_may_come_late() -> None:
    text = "\n# of 2026\n \nsubject\trelation\tobject\nNewton\tborn_in\tWoolsthorpe\n"
    assert looks_like(text) == "table"
    assert networks(text)[0].edges == [("Newton", "born_in", "Woolsthorpe")]
    with pytest.raises(InputError, match="x:6: has 1 columns where the header has 3"):
        list(get_format("table").blocks(io.StringIO(text + "a\n"), "x"))


def test_worfbench_with_prose_around_its_lists() -> None:
    text = (
        "Node:\n1: open door\n2: walk in\nGraph:\n\nTo do so:\n1. You first open it.\n"
        "**Edge**: (START,1) -> (1,2)\nIn words:\n- (START,1): begin\n- (2,END) leave\n"
    )
    assert looks_like(text) == "worfbench"
    (found,) = networks(text)
    assert [*found.nodes] == ["START", "1", "2", "END"]
    assert found.edges == [("START", None, "1"), ("1", None, "2"), ("2", None, "END")]
    assert +found.left_out == {"lines that are neither nodes nor edges": 5}
    for broken in ("Edge: (START,", "Edges: (1, ", "2. again\nEdge: (1,2)"):
        with pytest.raises(InputError):
            networks(f"Node:\n1. a\n2. b\n{broken}\n")


def test_graphology_keeps_labels_in_attributes_and_its_type_in_options() -> None:
    text = (
        '{"attributes": {"name": "g"}, "options": {"type": "%s", "multi": false}, '
        '"nodes": [{"key": "a", "attributes": {"label": "cat", "size": 3}}, {"key": '
        '"b"}], "edges": [{"key": "e", "source": "a", "target": "b", "attributes": '
        '{"label": "eats"}}]}'
    )
    (found,) = networks(text % "directed")
    assert found.nodes == {"a": ("cat", [("size", "3")]), "b": ("b", [])}
    assert found.edges == [("a", "eats", "b")]
    assert found.is_directed
    assert not +found.left_out
    assert not networks(text % "undirected")[0].is_directed


@pytest.mark.parametrize(
    "text",
    [
        "<a> <b> 1 .",
        "<a> <b> -1.5e3 .",
        "<a> <b> true .",
        "<a> a <b> .",
        "<a> <b> 'c' .",
        "<a> <b> [ <c> <d> ] .",
        "<a> <b> (1 2) .",
        "_:a.b <b> _:c .",
        "BASE <http://a/>\n<b> <c> <d> .",
        "[ <b> <c> ] <d> <e> .",
        "[ a <b> ; <c> 1 ] .",
        "[ x:b 'c' ] <d> <e> .",
        "[] a <b> .",
        "(1) <b> <c> .",
        "( <a> _:b 'c' ) a <d> .".replace("'", '"'),
        "base <http://a/>\nPREFIX x.y: <http://b/>\n<b> x.y:c <d> .",
    ],
)
def test_turtle_is_recognised(text: str) -> None:
    assert looks_like(f"# of a test\n\n{text}\n") == "rdf"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('[["a", "b", "c"]]', "json"),
        ('["a", "b", "c"]', "json"),
        ("[]", "json"),
        ('[{"nodes": [], "edges": []}]', "json"),
        ("(1 / b)", "penman"),
        ("(a / b :c <d>)", "penman"),
        ('("a")', "penman"),
    ],
)
def test_brackets_of_others_are_no_turtle(text: str, name: str) -> None:
    assert looks_like(text) == name


def test_nested_graphml_says_what_it_leaves_out(tmp_path: Path) -> None:
    (found,) = networks(NESTED)
    assert [*found.nodes] == ["a", "d"]
    lost = {
        "nodes of graphs within nodes": 2,
        "edges of graphs within nodes": 1,
        "ports": 1,
    }
    assert +found.left_out == lost
    (tmp_path / "a.graphml").write_text(NESTED)
    with pytest.warns(ExactmatchWarning, match="left out: 2 nodes of graphs within"):
        read_graphs(str(tmp_path / "a.graphml"))


def test_nothing_in_a_document_is_something() -> None:
    def document(text: str) -> Network:
        (block,) = get_format("document").blocks(io.StringIO(text), None)
        return network_in(block)

    texts = ('{"a": null}', '{"b": null}', '{"a": []}', '{"a": {}}', "{}", '{"a": 0}')
    found = [document(text).as_data() for text in texts]
    assert all(found.count(one) == 1 for one in found)


@pytest.mark.parametrize("command", ["matrix", "nearest"])
def test_distances_of_many_say_what_readers_left_out(
    command: str, tmp_path: Path, cli: Cli
) -> None:
    path = tmp_path / "a.graphml"
    path.write_text(NESTED, "utf-8")
    ran = cli(command, path, path, "--metric", "ged")
    assert ran.code == 0, ran.err
    assert f"{path}: left out: " in ran.err
