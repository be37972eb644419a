"""MRP, SBN, clauses, triples, node-link JSON and document AMR: what they say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.command import Cli
from support.files import Files
from support.samples import CLAUSES, DOC_AMR, MRP, NODE_LINK, SBN, TRIPLES

import exactmatch
from exactmatch.base.errors import GraphError, InputError
from exactmatch.formats.blocks import Block
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import as_graph, read_block
from exactmatch.formats.remarks import REPLACED, Reading
from exactmatch.formats.sbn import split_synsets
from exactmatch.graphs.document import Document, EdgeFact
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES


def blocks(name: str, text: str) -> list[Block]:
    return list(FORMATS[name].blocks(text.splitlines(keepends=True), "file"))


def read(name: str, text: str) -> Reading:
    return FORMATS[name].read(blocks(name, text)[0])


def triples(graph: Graph) -> list[str]:
    return [" ".join(triple) for triple in graph.triples()]


def test_mrp_says_labels_properties_edges_anchors_and_tops() -> None:
    graph, lenient, dropped = read("mrp", MRP)
    assert (lenient, dropped) == ((), ())
    assert triples(graph) == [
        "n0 instance named",
        "n1 instance _run_v_away",
        "n0 carg Mary",
        "n1 ARG1 n0",
        "n1 ARG2 n2",
        "n2 mod-of n0",
    ]
    assert (graph.variables, graph.top) == (("n0", "n1", "n2"), 1)
    assert graph.metadata["input"] == "Mary ran away."
    assert graph.metadata["version"] == "1.1"
    document = graph.document or Document()
    assert document.anchors == (((0, 4),), ((5, 8), (9, 14)), ())
    assert document.unit == "character"
    assert document.edge_facts == (
        EdgeFact(1, "ARG2", 2, "@remote", "true"),
        EdgeFact(2, "mod-of", 0, "normal", "mod"),
    )
    second = FORMATS["mrp"].read(blocks("mrp", MRP)[1]).graph
    assert (second.document or Document()).tops == (0, 1)


def test_an_mrp_block_knows_id_and_sentence() -> None:
    first = blocks("mrp", MRP)[0]
    assert first.id == "1"
    assert first.metadata()["snt"] == "Mary ran away."
    assert first.metadata()["framework"] == "eds"


def test_mrp_keeps_what_it_can_and_says_what_it_cannot() -> None:
    data: dict[str, Any] = json.loads(MRP.split("\n")[0])
    data["nodes"][0]["values"] = [5]
    data["nodes"][2]["colour"] = "red"
    data["nodes"].append({"id": 0})
    graph, lenient, dropped = read("mrp", json.dumps(data))
    assert dict(dropped) == {"types of values that are not strings": 1}
    assert "n0 carg 5" in triples(graph)
    assert set(lenient) == {
        "has 'colour' at some node, which is left out",
        "has two nodes with id 0, and keeps both",
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nodes": 5}, "has nodes that are not a list"),
        ({"nodes": [5]}, "has nodes that are not objects"),
        ({"nodes": [{}]}, "has a node without an id"),
        ({"tops": [9]}, "has the top 9, which is not a node"),
        ({"edges": [{"source": 9, "target": 0}]}, "the edge's source 9, which is no"),
        ({"nodes": [{"id": 0, "properties": ["a"]}]}, "1 properties but 0 values"),
        (
            {"nodes": [{"id": 0, "anchors": [{"from": 1}]}]},
            "has 'from' and 'to'",
        ),
        (
            {"nodes": [{"id": 0, "anchors": [{"#": 1}]}]},
            "has 'from' and 'to'",
        ),
    ],
)
def test_broken_mrp_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(GraphError, match=f"^file:1: graph 'x' .*{words}"):
        read("mrp", json.dumps({"id": "x", "tops": [], "nodes": []} | change))


def test_mrp_that_is_no_json_is_refused() -> None:
    with pytest.raises(
        GraphError, match=r"^file:1:7: .* is not JSON: expecting value$"
    ):
        read("mrp", '{"id": ')
    with pytest.raises(GraphError, match="is not a JSON object"):
        read("mrp", "[1]")


def test_sbn_says_boxes_synsets_roles_and_anchors() -> None:
    graph, lenient, dropped = read("sbn", SBN)
    assert lenient == ()
    assert triples(graph) == [
        "b0 instance box",
        "b1 instance box",
        "b2 instance box",
        "s0 instance person.n.01",
        "s1 instance believe.v.01",
        "s2 instance time.n.08",
        "s3 instance band.n.01",
        "s4 instance small.a.01",
        "s0 EQU speaker",
        "s2 EQU now",
        's3 Name "The Long Name"',
        "b0 NEGATION b1",
        "b1 ATTRIBUTION b2",
        "b0 member s0",
        "b1 member s1",
        "b2 member s2",
        "b2 member s3",
        "b2 member s4",
        "s1 Experiencer s0",
        "s1 Theme b2",
        "s3 Attribute s4",
    ]
    document = graph.document or Document()
    spans = {name: document.spans(v) for v, name in enumerate(graph.variables)}
    assert spans["s3"] == ((16, 24), (26, 30))
    assert spans["b1"] == ((2, 7),)
    assert dict(dropped) == {"words in comments": 7}


def test_an_operator_comes_from_as_many_boxes_before_as_it_says() -> None:
    text = "a.n.01\nNEGATION -1\nb.n.01\nCONTRAST -2\nc.n.01\nRESULT <1\nd.n.01\n"
    found = [t for t in triples(read("sbn", text).graph) if t.startswith("b")]
    assert found[4:7] == ["b0 NEGATION b1", "b0 CONTRAST b2", "b2 RESULT b3"]


def test_an_index_that_leads_nowhere_is_a_constant_and_said() -> None:
    graph, lenient, _ = read("sbn", "a.n.01 Result +3 Value -12\nb.n.01 Theme <1\n")
    assert triples(graph)[3:6] == ["s0 Result +3", "s0 Value -12", "s1 Theme <1"]
    assert len(lenient) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a.n.01 Agent\n", "has 'Agent' without a target"),
        ("a.n.01 agent -1\n", "has 'agent' where a synset or role belongs"),
        ("Agent -1\n", "has Agent before any synset"),
        ("a.n.01\nNEGATION -2\n", "has NEGATION -2, which leads to no box"),
        ("% nothing\n% but\nsaid\n", "has 'said' where a synset"),
    ],
)
def test_broken_sbn_is_refused(text: str, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        read("sbn", text)


def test_the_form_that_ud_boxer_scores() -> None:
    text = 'big.a.01 AttributeOf +1\nstar.n.01 Name "A B" Time +1 Use +1\ntime.n.08\n'
    reading = split_synsets(read("sbn", text).graph)
    assert dict(reading.dropped) == {REPLACED: 1}
    wanted = as_graph(
        '(b0 / "box" :member (s0 / "synset" :lemma "big" :pos "a" :sense "01" '
        ':Attribute-of (s1 / "synset" :lemma "star" :pos "n" :sense "01" '
        ':Name (c0 / "A B") :Use (s2 / "synset" :lemma "time" :pos "n" :sense "08"))) '
        ":member s1 :member s2)",
        PROFILES["drs"],
    )
    assert as_graph(reading.graph, PROFILES["drs"]) == wanted
    (block,) = blocks("sbn", text)
    assert read_block(block, PROFILES["drs"]).graph == wanted
    assert read_block(block, PROFILES["drs-synsets"]).graph != wanted


def test_a_clause_is_a_node() -> None:
    graph, lenient, dropped = read("clauses", CLAUSES)
    assert lenient == ()
    found = triples(graph)
    assert "clause5 instance Agent" in found
    assert [t for t in found if t.startswith("clause5 ")] == [
        "clause5 instance Agent",
        "clause5 box b2",
        "clause5 arg1 e1",
        "clause5 arg2 x1",
    ]
    assert [t for t in found if t.startswith("clause2 ")] == [
        "clause2 instance male",
        'clause2 arg1 "n.02"',
        "clause2 box b1",
        "clause2 arg2 x1",
    ]
    document = graph.document or Document()
    assert document.spans(graph.variables.index("clause4")) == ((11, 16), (17, 18))
    assert dict(dropped) == {"words in comments": 5}


def test_anchors_that_span_too_much_are_refused() -> None:
    """Sets would hold each character: memory ran out."""
    assert read("clauses", "b1 REF x1 % He [0...5000000]\n").graph.document
    for far in ("5000001", "1" * 40):
        with pytest.raises(GraphError, match="more than 5,000,000; correct them"):
            read("clauses", f"b1 REF x1 % He [0...{far}]\n")
    anchor = {"from": 0, "to": 10**18}
    node = {"id": 0, "label": "a", "anchors": [anchor]}
    graph = {"id": "1", "framework": "eds", "nodes": [node], "edges": [], "tops": [0]}
    with pytest.raises(GraphError, match="1,000,000,000,000,000,000 characters"):
        read("mrp", json.dumps(graph) + "\n")


def test_a_box_of_a_clause_may_be_a_number() -> None:
    first = CLAUSES.strip().split("\n\n")[0]
    numbered = read("clauses", f"{first}\n1 ALTERNATION b2\n").graph
    named = read("clauses", f"{first}\nb9 ALTERNATION b2\n").graph
    assert exactmatch.smatch(numbered, named, profile="drs").f1 == 1
    without = read("clauses", CLAUSES).graph
    assert exactmatch.smatch(without, named, profile="drs").f1 < 1
    assert FORMATS["clauses"].write(numbered).endswith("1 ALTERNATION b2\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("b1 REF\n", "a clause is a box such as b1"),
        ("b1 REF x1 x2 x3\n", "a clause is a box such as b1"),
        ("box REF x1\n", "a clause is a box such as b1"),
        ("1 like 2\n", "a clause is a box such as b1"),
        ('b1 "REF" x1\n', "a quote out of place"),
        ('b1 REF "x1\n', "a quote out of place"),
    ],
)
def test_broken_clauses_are_refused(text: str, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        read("clauses", text)


def test_triples_have_a_top_and_metadata() -> None:
    first, second = (
        FORMATS["triples"].read(b).graph for b in blocks("triples", TRIPLES)
    )
    assert triples(first) == [
        "w instance want-01",
        "b instance boy",
        "w polarity -",
        "w ARG0 b",
    ]
    assert (first.id, first.top) == ("1", 0)
    assert second.variables[second.top or 0] == "b"
    assert "top" not in second.metadata
    topless = read("triples", "# ::top\na\tr\tb\n").graph
    assert topless.top is None
    with pytest.raises(
        GraphError, match=r"^file:2: .* has 2 fields where a triple has"
    ):
        read("triples", "a\tr\tb\na\tr\n")
    with pytest.raises(GraphError, match="top 'z', which is not a variable"):
        read("triples", "# ::top z\na\tr\tb\n")
    with pytest.raises(GraphError, match=r"has 1 field where a triple has three"):
        read("triples", "a b c\n")


def test_node_link_json_may_be_one_object_a_list_or_lines() -> None:
    lines = [json.loads(line) for line in NODE_LINK.splitlines()]
    for text in (NODE_LINK, json.dumps(lines), json.dumps(lines, indent=2)):
        found = blocks("node-link", text)
        assert [block.id for block in found] == ["1", None]
        assert triples(FORMATS["node-link"].read(found[0]).graph) == [
            "w instance want-01",
            "b instance boy",
            "w polarity -",
            "w ARG0 b",
        ]


def test_node_link_text_that_is_no_json_is_refused_at_its_line() -> None:
    broken = '[{"nodes": [], "links": []},\n\n {"nodes" []}]'
    with pytest.raises(InputError, match=r"^file:3:11: is not JSON: expecting"):
        blocks("node-link", broken)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"directed": False}, "is undirected"),
        ({"nodes": None}, "lists of objects"),
        ({"nodes": [{"id": [1]}]}, "node or link whose 'id'"),
        ({"nodes": [{}]}, "node or link whose 'id' is None"),
        (
            {"links": [{"source": "a", "target": "b"}]},
            "to 'b', and 'a' is not a node",
        ),
        ({"graph": {"document": 5}}, "data that cannot be read"),
        (
            {"graph": {"document": {"tops": ["z"]}}},
            "data that cannot be read",
        ),
        (
            {"graph": {"document": {"homes": {"z": []}}}},
            "data that cannot be read",
        ),
        (
            {"graph": {"document": {"x": 1}}},
            "data with 'x', which is unknown",
        ),
    ],
)
def test_broken_node_link_json_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(GraphError, match=words):
        read("node-link", json.dumps({"nodes": [], "links": []} | change))


def test_a_document_amr_has_its_sentences_variables() -> None:
    graph = as_graph(DOC_AMR, PROFILES["doc-amr"])
    assert list(graph.triples()) == list(
        as_graph(DOC_AMR, PROFILES["smatch"]).triples()
    )
    document = graph.document or Document()
    assert [sentence.number for sentence in document.sentences] == [0, 1, 2]
    homes = {name: document.home(v) for v, name in enumerate(graph.variables)}
    assert homes == {
        "d": (0,),
        "s1.g": (1,),
        "s1.p": (1, 2),
        "s1.y": (1, 2),
        "s2.c": (2,),
        "s2.s": (2,),
        "s2.m": (2,),
        "s2.h": (2,),
    }


def test_a_graph_without_sentences_is_one() -> None:
    graph = as_graph("(a / x :r (b / y))", PROFILES["doc-amr"])
    assert (graph.document or Document()).homes == ((0,), (0,))


@pytest.mark.parametrize(
    ("more", "homes"),
    [
        (("e", "instance", "lone"), ((0,), (1,), (1,), (2,), ())),  # a second piece
        (("a", "instance", "wish-01"), ((0,), (1,), (1,), (2,))),  # a second concept
    ],
)
def test_a_document_that_is_no_text_keeps_its_sentences(more: Any, homes: Any) -> None:
    concepts = {"d": "document", "a": "want-01", "c": "boy", "b": "go-02"}
    instances = [(name, "instance", concept) for name, concept in concepts.items()]
    edges = [("d", "snt1", "a"), ("a", "ARG0", "c"), ("d", "snt2", "b")]
    whole, same = (
        Graph.from_triples([*instances, *edges, *others], top="d")
        for others in ([], [more])
    )
    read_again = as_graph(same, PROFILES["doc-amr"])
    assert (read_again.document or Document()).homes == homes
    found = exactmatch.smatch(same, whole, profile="doc-amr")
    assert (found.matched, found.pred_total, found.gold_total) == (8, 9, 8)


@pytest.mark.parametrize(
    ("words", "told"), [("Tom", "1 word in a comment"), ("a b", "2 words in comments")]
)
def test_what_is_left_out_once_is_told_in_the_singular(
    words: str, told: str, cli: Cli, files: Files
) -> None:
    path = files.one(
        "a.sbn", f'male.n.02 Name "Tom" % {words} [0-3]\nsee.v.01 Agent -1\n'
    )
    assert f"loses {told}" in cli("convert", path, "--to", "sbn").err
    assert "nothing is wrong" in cli("lint", path).out  # comments are not a fault
