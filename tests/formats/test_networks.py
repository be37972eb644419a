"""Graphs in files of every format, and files that are none."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from support.examples import examples
from support.files import Files
from support.network_strategies import networks

from exactmatch.base.errors import InputError
from exactmatch.formats.network_texts import NamedGraph
from exactmatch.formats.networks import read_graphs

GXL = """<?xml version="1.0"?>
<!DOCTYPE gxl SYSTEM "http://www.gupro.de/GXL/gxl-1.0.dtd">
<gxl><graph id="molid1" edgeids="false" edgemode="undirected">
<node id="_1"><attr name="symbol"><string>C  </string></attr>
<attr name="chem"><int>1</int></attr><attr name="x"><float>3.5</float></attr></node>
<node id="_2"><attr name="symbol"><string>O</string></attr></node>
<edge from="_1" to="_2"><attr name="valence"><int>2</int></attr></edge>
</graph></gxl>
"""


MRP = '{"id": "1", "framework": "eds", "tops": [], "nodes": [], "edges": []}'

NO_NODE = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<graph edgedefault="undirected"><node id="a"><data key="k">1</data></node></graph>
</graphml>"""


def read(
    tmp_path: Path, content: Any, name: Any = "file.x", format_in: str | None = None
) -> list[NamedGraph]:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_graphs(str(path), format_in)


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
    inside = '{"nodes": [{"id": "a\u2028b"}], "links": []}\n'  # breaks no line of JSON
    assert [list(f.graph) for f in read(tmp_path, 2 * inside)] == 2 * [["a\u2028b"]]


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
    found = read(tmp_path, text, format_in="triples")
    first, second = (f.graph for f in found)
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
        ("{", r"file.x:1:2: is not JSON"),
        ('{"nodes": [], "links": []}\n{"nodes"', r"file.x:2:9: is not JSON"),
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
            "edge 1 has an end that is not a node",
        ),
        ("<a", ":1:1: is not XML: unclosed token"),
        ("<a/>", "holds XML of kind 'a'"),
        ("<graphml><graph/></graphml>", "holds no graph in the namespace"),
        (NO_NODE, "is not GraphML as networkx reads it: .*"),
        (
            GXL.replace('to="_2"', 'to="_3"'),
            "edge has the end '_3', which is not a node",
        ),
        (GXL.replace('id="_2"', 'id="_1"'), "'_1' is there twice"),
        (GXL.replace(">1<", ">one<"), "attribute 'chem' is 'one', which is not an int"),
        ("a\tb\n", "neither node-link JSON, .* name its format by --format-in"),
        ("The boy goes.\nIt rains.\n", "if it lists edges, neighbours or nodes, name"),
        ("a b\nb c\n", r"\(edge-list, directed-edge-list, adjacency-list, .* triples"),
        ("a\tr\tb\n\nc\n", ":3: has one column, as triples and adjacency lists"),
        ("a\tb\t3\nb\tc\t0.5\n", "could be triples or an edge list with weights; na"),
        ("a\tb\t{'w': 1}\n", "could be triples or an edge list with weights; name"),
        ("a\tb\tc\nb\tc\ta\n", "could be triples or adjacency lists, for every rel"),
        ("*vertices x\n1 a\n", "is not Pajek as networkx reads it"),
        (">>graph6<<Dhc\n", "looks like graph6 or LEDA; .* as GraphML"),
        ("graph [ node 5 ]", "is not GML as networkx reads it: "),
        (MRP, "is mrp and not a network; write it as one first: exactmatch convert"),
        ("b1 REF x1\n", "is clauses and not a network"),
        ("a\tr\tb\na\tb\tc\td\n", ":2: has 4 columns"),
        ("# ::id 1\n(b / bark-01\n  :ARG0 (d / dog))\n", ":2: is PENMAN and not"),
        (b"a\tb\xff\tc", ":1: byte 0xff is not UTF-8"),
        (b"\x1f\x8bxyz", "is not a whole gzip file"),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, content: bytes | str, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        read(tmp_path, content)


def test_a_name_may_begin_with_a_bracket(tmp_path: Path) -> None:
    text = "(S)-ibuprofen\n(S)-limonene\tin\toil\n"
    graph = the_only(read(tmp_path, text, format_in="triples"))
    assert set(graph) == {"(S)-ibuprofen", "(S)-limonene", "oil"}


def test_edges_have_the_ends_of_any_dialect(tmp_path: Path) -> None:
    nodes = [{"id": "x", "label": "a"}, {"id": "y", "label": "b"}]
    for first, second in (("from", "to"), ("source_id", "target_id")):
        edge = {first: "x", second: "y", "label": "r"}
        data = {"directed": True, "nodes": nodes, "edges": [edge]}
        graph = the_only(read(tmp_path, json.dumps(data)))
        assert graph.is_directed()
        assert [*graph.edges(data="label")] == [("x", "y", "r")]


def test_nodes_of_gexf_may_have_no_label(tmp_path: Path) -> None:
    head = '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph><nodes>'
    nodes = '<node id="x"/><node id="y" label="b"/>'
    graph = the_only(read(tmp_path, f"{head}{nodes}</nodes></graph></gexf>"))
    assert dict(graph.nodes.items()) == {"x": {}, "y": {"label": "b"}}


@pytest.mark.filterwarnings("ignore:.*1 attribute of an edge")  # its weight
def test_pajek_calls_the_label_of_an_arc_l(tmp_path: Path) -> None:
    for key in ("l", "label"):
        arc = f'*Vertices 2\n1 "a"\n2 "b"\n*Arcs\n1 2 1 {key} "is in"\n'
        graph = the_only(read(tmp_path, arc))
        assert [*graph.edges(data="label")] == [("a", "b", "is in")]


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


WRITERS: dict[str, Any] = {
    "gml": nx.write_gml,
    "edge-list": nx.write_edgelist,
    "adjacency-list": nx.write_adjlist,
    "graphml": nx.write_graphml,
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("directed", [False, True])
@settings(max_examples=examples(30))
@given(graph=networks())
def test_what_networkx_writes_is_that_graph(
    tmp_path_factory: pytest.TempPathFactory, name: str, directed: bool, graph: Any
) -> None:
    """Nodes are those of the graph, and edges join the same of them, as often."""
    kind = nx.DiGraph if directed else nx.Graph
    plain = kind((str(u), str(v)) for u, v in graph.edges)
    plain.add_nodes_from(map(str, graph) if name != "edge-list" else ())
    path = tmp_path_factory.mktemp("written") / "g"
    WRITERS[name](plain, path)
    as_told = f"directed-{name}" if directed and name.endswith("list") else name
    made = [f.graph for f in read_graphs(str(path), as_told)] or [kind()]
    (found,) = made
    if name == "gml":
        labels = dict(found.nodes(data="label"))
        found = nx.relabel_nodes(found, labels)
    assert found.is_directed() == directed
    assert nx.utils.graphs_equal(kind(found.edges()), kind(plain.edges()))
    assert len(found.edges) == len(plain.edges)
    assert set(found) == set(plain)


def test_lines_of_lists(tmp_path: Path) -> None:
    text = "# made up\na b\nb c {'w': 1}\na b 2.5\n\nd d\n"
    first, second = (f.graph for f in read(tmp_path, text, format_in="edge-list"))
    assert list(first.edges(data=True)) == [
        ("a", "b", {}),
        ("a", "b", {"weight": 2.5}),
        ("b", "c", {"w": 1}),
    ]
    assert list(second.edges()) == [("d", "d")]
    for bad in ("a", "a b c", "a b nan", "a b {1", "a b 1 2"):
        with pytest.raises(InputError, match=":1: is not an edge"):
            read(tmp_path, bad, format_in="edge-list")
    for bad in ("a b b", "a b\na c"):
        with pytest.raises(InputError, match="names a neighbour, or lists a node, twi"):
            read(tmp_path, bad, format_in="directed-adjacency-list")
    tabs = "New York\tParis\n"
    assert set(the_only(read(tmp_path, tabs, format_in="edge-list"))) == {
        "New York",
        "Paris",
    }


def test_the_comments_of_triples_are_no_nodes(tmp_path: Path) -> None:
    text = "# ::id 1\n# ::top b\na\tr\tb\n"
    assert set(the_only(read(tmp_path, text))) == {"a", "b"}


def test_a_label_in_gml_counts_and_may_be_repeated(tmp_path: Path) -> None:
    text = 'Creator "x"\ngraph [ node [ id 0 label "C" ] node [ id 1 label "C" ] ]'
    graph = the_only(read(tmp_path, text))
    assert dict(graph.nodes(data="label")) == {0: "C", 1: "C"}
