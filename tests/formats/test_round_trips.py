"""What a format writes of random graphs it reads again, without loss."""

from __future__ import annotations

import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.documents import document_amrs, mrp_graphs, umr_graphs
from support.examples import examples
from support.graph_strategies import Parts, parts
from support.samples import DOC_AMR

from exactmatch.base.errors import InputError
from exactmatch.formats.conversion import differences, lost_in
from exactmatch.formats.convert import from_networkx, to_networkx
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES


def again(graph: Graph, name: str) -> Graph:
    text = FORMATS[name].write(graph)
    (block,) = FORMATS[name].blocks(io.StringIO(text, newline=None), None)
    return FORMATS[block.format or "penman"].read(block).graph


@pytest.mark.slow
@given(graph=umr_graphs())
@settings(max_examples=examples(200), deadline=None)
def test_umr(graph: Graph) -> None:
    assert again(graph, "umr") == graph
    assert differences(graph, again(graph, "umr")) == []


@pytest.mark.slow
@given(graph=mrp_graphs())
@settings(max_examples=examples(200), deadline=None)
def test_mrp(graph: Graph) -> None:
    found = again(graph, "mrp")
    assert found == graph
    assert dict(found.metadata) == dict(graph.metadata)


COLON = Graph(("n",), (":", "a"), (), ((0, 0, 1),), ())
"""A property may have any name in MRP."""


@given(graph=st.one_of(umr_graphs(), mrp_graphs()))
@example(graph=COLON)
@settings(max_examples=examples(100), deadline=None)
def test_node_link_and_networkx_hold_documents(graph: Graph) -> None:
    assert again(graph, "node-link") == graph
    assert from_networkx(to_networkx(graph)) == graph


@given(plain=parts(connected=True))
def test_penman_and_triples(plain: Parts) -> None:
    graph = plain.graph()
    for name in ("penman", "triples", "node-link"):
        assert again(graph, name) == graph


@st.composite
def drs(draw: st.DrawFn) -> Graph:
    """Draw boxes, their synsets and these ones' roles."""
    n_boxes, n_synsets = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    boxes = [f"b{k}" for k in range(n_boxes)]
    places = st.integers(0, n_boxes - 1)
    homes = sorted(draw(st.lists(places, min_size=n_synsets, max_size=n_synsets)))
    synsets = [f"s{k}" for k in range(n_synsets)]
    triples = [(box, "instance", "box") for box in boxes]
    triples += [(s, "instance", draw(st.sampled_from(SYNSETS))) for s in synsets]
    for k in range(1, n_boxes):
        triples.append((boxes[draw(st.integers(0, k - 1))], "NEGATION", boxes[k]))
    members = zip(synsets, homes, strict=True)
    triples += [(boxes[home], "member", s) for s, home in members]
    ends = st.sampled_from(synsets + boxes)
    for s, role, t in draw(
        st.lists(st.tuples(st.sampled_from(synsets), st.sampled_from(ROLES), ends))
    ):
        triples.append((s, role, t))
    for s, value in draw(
        st.lists(st.tuples(st.sampled_from(synsets), st.sampled_from(VALUES)))
    ):
        triples.append((s, "Name", value))
    return Graph.from_triples(triples)


SYNSETS = ("person.n.01", "r/2.n.01", "josé.n.02", "be.v.01")
ROLES = ("Agent", "Attribute", "Co-Theme", "EQU")
VALUES = ("now", '"The Band"', "?", "+")


@given(graph=drs())
@settings(max_examples=examples(200), deadline=None)
def test_sbn(graph: Graph) -> None:
    if any(
        graph.labels[r] == "Attribute" and graph.variables[t].startswith("b")
        for _, r, t in graph.relations
    ):
        return
    assert again(graph, "sbn") == graph


@st.composite
def clauses(draw: st.DrawFn) -> str:
    """Draw clauses as text."""
    variable = st.sampled_from(("b1", "b2", "x1", "e1", "t12"))
    argument = st.one_of(variable, st.sampled_from(('"now"', '"n.02"', '""')))
    relation = st.sampled_from(("REF", "NOT", "Agent", "male", "EQU"))
    comment = st.sampled_from(("", " % He [0...2]", " % [0...2] [3...4]"))
    second = st.one_of(st.just(""), argument)
    line = st.tuples(variable, relation, argument, second, comment)
    lines = draw(st.lists(line, min_size=1, max_size=6))
    return "\n".join(" ".join(line[:4]).rstrip() + line[4] for line in lines)


@given(text=clauses())
def test_clauses(text: str) -> None:
    (block,) = FORMATS["clauses"].blocks(io.StringIO(text, newline=None), None)
    graph = FORMATS["clauses"].read(block).graph
    assert again(graph, "clauses") == graph


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # pyparsing's, of pydot
@given(graph=st.one_of(umr_graphs(), mrp_graphs()), name=st.sampled_from(list(FORMATS)))
@settings(max_examples=examples(300), deadline=None)
def test_a_conversion_is_the_same_or_says_what_is_lost(graph: Graph, name: str) -> None:
    """There is no third way: where nothing is said to be lost, nothing is."""
    try:
        text = FORMATS[name].write(graph)
    except InputError:  # or a package is not there
        return
    if lost_in(text, graph, FORMATS[name]) == []:
        assert again(graph, name) == graph


def sentences_of(text: str) -> dict[int | None, str]:
    """The names of a document AMR's sentences' variables, by number."""
    graph = as_graph(text, PROFILES["doc-amr"])
    document = graph.document or Document()
    return {s.number: graph.variables[s.top or 0] for s in document.sentences}


MENTIONED = """\
(d / document
    :snt2 (a / say-01
        :ARG0 (c / agency
            :ARG0-of b))
    :snt1 (b / cite-01
        :polarity -))
"""
"""The second sentence's variable is mentioned before it is defined."""


@given(text=document_amrs())
@example(text=MENTIONED)
@settings(max_examples=examples(50), deadline=None)
def test_document_amr(text: str) -> None:
    """Its triples and its sentences survive every format that writes it."""
    (block,) = FORMATS["penman"].blocks(io.StringIO(text, newline=None), None)
    graph = FORMATS["penman"].read(block).graph
    for name in ("penman", "triples", "node-link"):
        written = again(graph, name)
        assert written == graph
        assert sentences_of(FORMATS["penman"].write(written)) == sentences_of(text)


def test_a_document_amr_is_written_as_it_stands() -> None:
    for text in (MENTIONED, DOC_AMR):
        (block,) = FORMATS["penman"].blocks(io.StringIO(text, newline=None), None)
        written = FORMATS["penman"].write(FORMATS["penman"].read(block).graph)
        assert written.split() == text.split()
        found, given = (as_graph(t, PROFILES["doc-amr"]) for t in (written, text))
        assert found.document == given.document


def test_an_inverted_sentence_is_one() -> None:
    text = "(d / document :snt1 (a / x :ARG0-of (b / y :snt2-of d)))"
    assert sentences_of(text) == {0: "d", 1: "a", 2: "b"}
