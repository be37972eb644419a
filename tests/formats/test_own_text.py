"""Where a text states what: change the text there, and the graph differs there."""

from __future__ import annotations

import pytest

from exactmatch.formats.blocks import graphs_of_text
from exactmatch.formats.own_text import OwnText, own_text
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.making import make_metric

NODE_LINK = """{"directed": true, "nodes": [{"id": "a", "label": "x"},
  {"label": "y", "id": "b"}, {"id": "c", "label": "x"}],
  "links": [{"source": "a", "target": "b", "label": "r"},
  {"target": "a", "source": "b", "label": "r"}, {"source": "a", "target": "c"}]}"""
INDICES = '{"nodes": ["START", "step one", "END"], "edges": [[0, 1], [1, 2], [0, 2]]}'
MRP = (
    '{"id": "1", "flavor": 2, "framework": "amr", "version": 1.0, "tops": [0], '
    '"nodes": [{"id": 0, "label": "bark-01"}, {"id": 1, "label": "dog", "properties": '
    '["polarity"], "values": ["-"]}, {"id": 2, "label": "dog"}], "edges": [{"source": '
    '0, "target": 1, "label": "ARG0"}, {"source": 0, "target": 2, "label": "ARG0"}]}'
)
TRIPLES = "b\tinstance\tbark-01\nb\tARG0\td\nd\tinstance\tdog\nd\tpolarity\t-\n"
CLAUSES = """b1 REF x1 % He [0...2]
b1 male "n.02" x1 % He [0...2]
b1 NOT b2
b2 REF e1
b2 Agent e1 x1"""
SBN = """person.n.01   EQU speaker               % I        [0-1]
              NEGATION <1               % don't    [2-7]
run.v.02      Agent -1 Time +1          % run      [8-11]
time.n.08     EQU now                   %"""
MERMAID = """flowchart TD
  A[Start here] -->|yes| B{Ask}
  B --> C[Stop] & D
  C --> D"""
TEXTS = {
    "node-link": NODE_LINK,
    "indices": INDICES,
    "mrp": MRP,
    "triples": TRIPLES,
    "clauses": CLAUSES,
    "sbn": SBN,
    "mermaid": MERMAID,
}


def read(text: str) -> Graph:
    (block,) = graphs_of_text(text)
    item = make_metric("graph").read(block).item
    graph: Graph = item.as_graph() if hasattr(item, "as_graph") else item
    return graph


def found_in(text: str) -> tuple[Graph, OwnText]:
    graph = read(text)
    found = own_text(graph, text)
    assert found is not None
    assert found.text == text
    return graph, found


def concepts(graph: Graph) -> dict[str, str]:
    named = (graph.labels[concept] for _, concept in graph.instances)
    variables = (graph.variables[v] for v, _ in graph.instances)
    return dict(zip(variables, named, strict=True))


@pytest.mark.parametrize("name", TEXTS)
def test_a_concept_that_is_changed_there_is_changed_alone(name: str) -> None:
    text = TEXTS[name]
    graph, found = found_in(text)
    before = concepts(graph)
    other = {"sbn": "zebra.n.07"}.get(name, "ZEBRA")
    seen = set()
    for begin, end, number in found.triples:
        if number >= len(graph.instances) or text[begin:end] == "D":
            continue  # of D the label is its name
        word = f'"{other}"' if text[begin] == '"' else other
        after = concepts(read(text[:begin] + word + text[end:]))
        v = graph.variables[graph.instances[number][0]]
        assert {key for key in before if before[key] != after[key]} == {v}
        seen.add(v)
    boxes = {v for v, concept in before.items() if concept == "box"}
    assert seen == set(before) - boxes - {"D"}


@pytest.mark.parametrize("name", TEXTS)
def test_every_relation_and_attribute_is_marked_once(name: str) -> None:
    graph, found = found_in(TEXTS[name])
    first = len(graph.instances)
    own = [number for *_, number in found.triples if number >= first]
    roles = [graph.labels[role] for _, role, _ in graph.attributes]
    roles += [graph.labels[role] for _, role, _ in graph.relations]
    expected = [first + k for k, role in enumerate(roles) if role != "member"]
    assert own == expected
    spans = [mark[:2] for mark in found.triples if mark.number >= first]
    assert len(set(spans)) == len(spans)
    for begin, end, number in found.triples:
        role = roles[number - first] if number >= first else ""
        if role not in ("", "edge", "box", "arg1", "arg2"):
            assert role in TEXTS[name][begin:end]


def test_each_of_two_edges_back_and_forth_has_its_own_object() -> None:
    graph, found = found_in(NODE_LINK)
    first = len(graph.instances) + len(graph.attributes)
    words = {
        number - first: NODE_LINK[begin:end]
        for begin, end, number in found.triples
        if number >= first
    }
    assert words[0].startswith('"a", "target": "b"')
    assert words[1].startswith('"a", "source": "b"')


def test_names_are_those_of_the_graph() -> None:
    for text in (NODE_LINK, MRP, TRIPLES, CLAUSES):
        graph, found = found_in(text)
        for begin, end, v in found.names:
            assert text[begin:end].strip('"') == graph.variables[v].removeprefix("n")
    assert len(found_in(MRP)[1].names) == 8


@pytest.mark.parametrize("text", ["", " ", "(a / x)", "# ::id 1"])
def test_no_text_and_penman_have_none(text: str) -> None:
    graph = Graph.from_triples([("a", "instance", "x")])
    found = own_text(graph, text)
    assert found is None or not found.triples


def test_a_hub_of_many_edges_is_looked_up_by_its_leaves() -> None:
    n = 3000
    text = "".join(f"hub\\tr\\tleaf{k}\n" for k in range(n)).replace("\\t", "\t")
    graph = Graph.from_triples([("hub", "r", f"leaf{k}") for k in range(n)])
    found = own_text(graph, text)
    assert found is not None
    assert len(found.triples) == n


def test_mermaid_and_relations_keep_their_text() -> None:
    (block,) = graphs_of_text(MERMAID)
    assert block.source == MERMAID
    first, second = graphs_of_text(f"{MERMAID}\n{MERMAID}")
    assert first.source == second.source == MERMAID
