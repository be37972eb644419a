"""Random graphs with documents, as each format can hold them."""

from __future__ import annotations

import functools
from typing import Any

from hypothesis import strategies as st

from exactmatch.graphs.document import Document, DocumentTriple, EdgeFact, Sentence
from exactmatch.graphs.graph import Graph, GraphCoder

CONCEPTS = ("run-02", "person", "#Forn", '"a b"', "číst-001", "x:y", "km/h")
CONSTANTS = ("state", "3", "0:00", '"New York"', "-", "s9z")
ROLES = ("ARG0", "ARG1", "mod", "consist-of", "op1", "temporal")
LEVELS = ("temporal", "modal", "coref", "")
KEYWORDS = ("author", "root", "document-creation-time")


@st.composite
def umr_graphs(draw: st.DrawFn, most: int = 4) -> Graph:
    """Draw a UMR document of up to three sentences, each of up to *most* variables."""
    coder = GraphCoder()
    homes: list[tuple[int, ...]] = []
    members: list[list[int]] = []
    for place in range(draw(st.integers(1, 3))):
        size = draw(st.integers(0, most))
        own = [coder.variable(f"s{place + 1}x{k}") for k in range(size)]
        members.append(own)
        homes += [(place,)] * size
        for k, v in enumerate(own):
            coder.instances.append((v, coder.label(draw(CONCEPT))))
            if k:
                other = own[draw(_number_below(k))]
                ends = (other, v) if draw(BOOLEANS) else (v, other)
                role = coder.label(draw(ROLE))
                coder.relations.append((ends[0], role, ends[1]))
    n = len(homes)
    relations, attributes, document_triples = _umr_triples(n, len(members))
    for source, name, target in draw(relations):
        coder.relations.append((source, coder.label(name), target))
    for v, name, value in draw(attributes):
        coder.attributes.append((v, coder.label(name), coder.label(value)))
    drawn_triples = draw(document_triples)
    triples = []
    for level, start, name, end, place in drawn_triples:
        s, t = (
            coder.variable(node) if isinstance(node, str) else node
            for node in (start, end)
        )
        triples.append(DocumentTriple(level, s, name, t, place))
    anchors = [
        tuple(draw(SPANS_APART)) if v < n else () for v in range(len(coder.numbers))
    ]
    document = Document(
        tuple(
            Sentence(
                place + 1,
                tuple(draw(WORDS)),
                own[0] if own else None,
                f"s{place + 1}s0" if draw(BOOLEANS) else None,
                (("sent_id", "u-1"),) if draw(BOOLEANS) else (),
                (("Morphemes", "run .PAST"),) if draw(BOOLEANS) else (),
            )
            for place, own in enumerate(members)
        ),
        tuple(homes) + ((),) * (len(coder.numbers) - n),
        tuple(anchors),
        constants=frozenset(range(n, len(coder.numbers))),
        triples=tuple(triples),
    )
    return coder.graph(None, {}, GRAPH_ORIGIN, document=document)


# To make a strategy takes longer than to draw from it.

BOOLEANS = st.booleans()
CONCEPT = st.sampled_from(CONCEPTS)
ROLE = st.sampled_from(ROLES)
SPAN = st.tuples(st.integers(0, 9), st.integers(0, 9))
SPANS = st.lists(SPAN, max_size=2)
SPANS_APART = st.lists(SPAN, max_size=2, unique=True)
WORDS = st.lists(st.sampled_from(("Mary", "ran", "(", "#", "a:b")), max_size=4)


@functools.cache
def _number_below(k: int) -> st.SearchStrategy[int]:
    return st.integers(0, k - 1)


@functools.cache
def _umr_triples(n: int, sentences: int) -> tuple[Any, Any, Any]:
    """Relations and attributes of n variables, and what the document says of them."""
    variables, some = st.integers(0, max(0, n - 1)), 4 if n else 0
    constants, keywords = st.sampled_from(CONSTANTS), st.sampled_from(KEYWORDS)
    nodes = st.one_of(variables, keywords) if n else keywords
    places = st.integers(0, sentences - 1)
    triple = st.tuples(st.sampled_from(LEVELS), nodes, ROLE, nodes, places)
    return (
        st.lists(st.tuples(variables, ROLE, variables), max_size=some),
        st.lists(st.tuples(variables, ROLE, constants), max_size=some),
        st.lists(triple, max_size=6),
    )


GRAPH_ORIGIN = Graph((), (), (), (), ()).origin
TEXTS = st.text(max_size=8)


@st.composite
def mrp_graphs(draw: st.DrawFn) -> Graph:
    """Draw an MRP graph: any text as label, several tops, edge attributes."""
    coder = GraphCoder()
    n = draw(st.integers(0, 4))
    for k in range(n):
        coder.variable(f"n{k}")
        if draw(BOOLEANS):
            coder.instances.append((k, coder.label(draw(TEXTS))))
    relations, attributes, some = _mrp_triples(n)
    triples = set()
    for s, role, t in draw(relations):
        triples.add((s, role, t))
        coder.relations.append((s, coder.label(role), t))
    for v, role, value in draw(attributes):
        coder.attributes.append((v, coder.label(role), coder.label(value)))
    facts = []
    for s, role, t in sorted(triples):
        if draw(BOOLEANS):
            facts.append(EdgeFact(s, role, t, "@remote", draw(TEXTS)))
        if draw(BOOLEANS):
            facts.append(EdgeFact(s, role, t, "normal", draw(TEXTS)))
    tops = draw(some)
    anchors = tuple(tuple(draw(SPANS)) for _ in range(n))
    document = Document(
        anchors=anchors if any(anchors) else (),
        unit="character",
        tops=tuple(tops) if len(tops) > 1 else (),
        edge_facts=tuple(facts),
    )
    metadata = draw(
        st.dictionaries(st.sampled_from(("id", "input", "flavor", "x")), TEXTS)
    )
    top = f"n{tops[0]}" if tops else None
    plain = document == Document(unit="character")
    return coder.graph(
        top, metadata, GRAPH_ORIGIN, document=None if plain else document
    )


@functools.cache
def _mrp_triples(n: int) -> tuple[Any, Any, Any]:
    """Relations and attributes of n nodes, and some of these."""
    variables, most = st.integers(0, max(0, n - 1)), 3 if n else 0
    relation = st.tuples(variables, TEXTS, variables)
    return (
        st.lists(relation, max_size=most, unique=True),
        st.lists(st.tuples(variables, TEXTS, TEXTS), max_size=most),
        st.lists(variables, max_size=most, unique=True),
    )


@st.composite
def document_amrs(draw: st.DrawFn) -> str:
    """Draw a document AMR as text: sentences, mentions across them and a chain."""
    numbers = draw(st.lists(st.integers(0, 12), min_size=1, max_size=3, unique=True))
    sizes = [draw(st.integers(1, 3)) for _ in numbers]
    names = [
        [f"s{number}.x{k}" for k in range(size)]
        for number, size in zip(numbers, sizes, strict=True)
    ]
    mentions = st.sampled_from([name for own in names for name in own])
    roles = st.sampled_from(("ARG0", "ARG1-of", "mod", "part", "domain", "coref-of"))
    lines = [draw(st.sampled_from(("(d / document", "(d / multi-sentence")))]
    for number, own in zip(numbers, names, strict=True):
        for depth, name in enumerate(own):
            role = draw(roles) if depth else f"snt{number}"
            lines.append(f":{role} ({name} / {draw(st.sampled_from(CONCEPTS[:2]))}")
            if draw(st.booleans()):
                lines.append(f":{draw(roles)} {draw(mentions)}")
            if draw(st.booleans()):
                lines.append(":polarity -")
        lines.append(")" * len(own))
    if draw(st.booleans()):
        chain = f":coref {draw(mentions)} :coref {draw(mentions)}"
        lines.append(f":ref (c / coref-entity {chain})")
    return "\n".join([*lines, ")"])
