"""Graphs in files of every format, and files that are none."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from support.files import Files
from support.network_strategies import networks

from exactmatch.errors import InputError
from exactmatch.reading.networks import NamedGraph, read_graphs

GXL = """<?xml version="1.0"?>
<!DOCTYPE gxl SYSTEM "http://www.gupro.de/GXL/gxl-1.0.dtd">
<gxl><graph id="molid1" edgeids="false" edgemode="undirected">
<node id="_1"><attr name="symbol"><string>C  </string></attr>
<attr name="chem"><int>1</int></attr><attr name="x"><float>3.5</float></attr></node>
<node id="_2"><attr name="symbol"><string>O</string></attr></node>
<edge from="_1" to="_2"><attr name="valence"><int>2</int></attr></edge>
</graph></gxl>
"""


NO_NODE = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<graph edgedefault="undirected"><node id="a"><data key="k">1</data></node></graph>
</graphml>"""


def read(tmp_path: Path, content: Any, name: Any = "file.x") -> list[NamedGraph]:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_graphs(str(path))


def the_only(found: Any) -> Any:
    (one,) = found
    return one.graph


@given(graph=networks())
def test_node_link_json_of_every_kind_of_graph(
    tmp_path_factory: pytest.TempPathFactory, graph: Any
) -> None:
    path = tmp_path_factory.mktemp("json") / "g.json"
    for key in ("edges", "links"):
        path.write_text(json.dumps(nx.node_link_data(graph, edges=key)))
        made = the_only(read_graphs(str(path)))
        assert type(made) is type(graph)
        assert dict(made.nodes(data=True)) == dict(graph.nodes(data=True))
        assert sorted(map(str, made.edges(data=True))) == sorted(
            map(str, graph.edges(data=True))
        )


def test_a_file_of_json_may_hold_many_graphs(tmp_path: Path) -> None:
    data = [nx.node_link_data(nx.path_graph(n), edges="edges") for n in (1, 2, 3)]
    sizes = [1, 2, 3]
    assert [len(f.graph) for f in read(tmp_path, json.dumps(data))] == sizes
    lines = "\n".join(map(json.dumps, data))
    assert [len(f.graph) for f in read(tmp_path, lines)] == sizes
    packed = gzip.compress(lines.encode())
    assert [len(f.graph) for f in read(tmp_path, packed, "x.gz")] == sizes
    assert read(tmp_path, "[]") == []


def test_attributes_may_have_any_name(tmp_path: Path) -> None:
    data = {
        "nodes": [{"id": [1, 2], "node_for_adding": 1, "self": 2}, {"id": "b"}],
        "links": [{"source": [1, 2], "target": "b", "u_for_edge": 3, "key": 7}],
    }
    graph = the_only(read(tmp_path, json.dumps(data)))
    assert graph.nodes[1, 2] == {"node_for_adding": 1, "self": 2}
    assert [d for *_, d in graph.edges(data=True)] == [{"u_for_edge": 3}]


def test_graphml_is_read_by_networkx(tmp_path: Path) -> None:
    g = nx.DiGraph(name="one")
    g.add_edge("a", "b", weight=2.5)
    stream = io.BytesIO()
    nx.write_graphml(g, stream)
    made = the_only(read(tmp_path, stream.getvalue()))
    assert dict(made.edges) == {("a", "b"): {"weight": 2.5}}
    assert made.is_directed()


def test_gxl_has_types_and_a_name(tmp_path: Path) -> None:
    (found,) = read(tmp_path, GXL)
    assert found.name == "molid1"
    assert not found.graph.is_directed()
    assert found.graph.nodes["_1"] == {"symbol": "C", "chem": 1, "x": 3.5}
    assert [d for *_, d in found.graph.edges(data=True)] == [{"valence": 2}]


def test_triples_between_empty_lines(tmp_path: Path) -> None:
    text = "a\tr\tb\na\ts\tb\na\tr\tb\n_:x\tr\ta\n\n\nlonely\n"
    first, second = (f.graph for f in read(tmp_path, text))
    assert sorted(first.edges) == [
        ("_:x", "a", "r"),
        ("a", "b", "r"),
        ("a", "b", "s"),
    ]
    assert dict(first.nodes(data=True)) == {
        "a": {"label": "a"},
        "b": {"label": "b"},
        "_:x": {},
    }
    assert list(second) == ["lonely"]
    assert read(tmp_path, "") == []
    assert read(tmp_path, "\n\n") == []


def test_triples_in_the_last_column(tmp_path: Path) -> None:
    text = "belief\tsupport\t(a; is a; b)(b; causes; c d)\nx\ty\t(a; is a; b)\n"
    first, second = (f.graph for f in read(tmp_path, text))
    assert sorted(first.edges) == [("a", "b", "is a"), ("b", "c d", "causes")]
    assert sorted(second.edges) == [("a", "b", "is a")]


def test_a_folder_is_read_in_order_of_its_names(files: Files, tmp_path: Path) -> None:
    for name in ("b", "a"):
        files.one(f"{name}.gxl", GXL.replace("molid1", name))
    assert [f.name for f in read_graphs(str(tmp_path))] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", r"file.x:1: is not JSON"),
        ('{"nodes": [], "links": []}\n{"nodes"', r"file.x:2: is not JSON"),
        ("[" * 100_000, "nests too deeply"),
        ("{}", "has no list of 'nodes'"),
        ("[1]", "graph 1: has no list of 'nodes'"),
        ('{"nodes": []}', "has no list of 'edges' or 'links'"),
        ('{"nodes": [{}], "links": []}', "node 1 has no 'id'"),
        ('{"nodes": [{"id": {}}], "links": []}', "is not a name"),
        ('{"nodes": [{"id": 1}, {"id": 1}], "links": []}', "node id 1 is there twice"),
        ('{"nodes": [{"id": 1}], "links": [{}]}', "edge 1 has no 'source'"),
        (
            '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}',
            "edge 1 has an end that is no node",
        ),
        ("<a", "is not XML"),
        ("<a/>", "holds XML of kind 'a'"),
        ("<graphml><graph/></graphml>", "holds no graph in the namespace"),
        (NO_NODE, "is not GraphML as networkx reads it: .*"),
        (
            GXL.replace('to="_2"', 'to="_3"'),
            "edge has the end '_3', which is no node",
        ),
        (GXL.replace('id="_2"', 'id="_1"'), "'_1' is there twice"),
        (GXL.replace(">1<", ">one<"), "attribute 'chem' is 'one', which is no int"),
        ("a\tb\n", ":1: has 2 columns"),
        ("a\tr\tb\na\tb\tc\td\n", ":2: has 4 columns"),
        ("# ::id 1\n(b / bark-01\n  :ARG0 (d / dog))\n", ":2: is PENMAN and not"),
        (b"a\tb\xff\tc", ":1: is not UTF-8"),
        (b"\x1f\x8bxyz", "is not a whole gzip file"),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, content: bytes | str, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        read(tmp_path, content)


def test_a_name_may_begin_with_a_bracket(tmp_path: Path) -> None:
    graph = the_only(read(tmp_path, "(S)-ibuprofen\n(S)-limonene\tin\toil\n"))
    assert set(graph) == {"(S)-ibuprofen", "(S)-limonene", "oil"}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_graphs(str(tmp_path / "none"))


def test_a_bomb_of_entities_does_not_go_off(tmp_path: Path) -> None:
    """Each of ten entities is ten of the one before."""
    entities = '<!ENTITY e0 "boom">' + "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10)
    )
    with pytest.raises(InputError):
        read(tmp_path, f"<!DOCTYPE gxl [{entities}]><gxl>&e9;</gxl>")
