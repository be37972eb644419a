"""Random graphs with documents, as each format can hold them."""

from __future__ import annotations

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
            concept = draw(st.sampled_from(CONCEPTS))
            coder.instances.append((v, coder.label(concept)))
            if k:
                other = own[draw(st.integers(0, k - 1))]
                ends = (other, v) if draw(st.booleans()) else (v, other)
                role = coder.label(draw(st.sampled_from(ROLES)))
                coder.relations.append((ends[0], role, ends[1]))
    n = len(homes)
    variables = st.integers(0, max(0, n - 1))
    roles = st.sampled_from(ROLES)
    some = 4 if n else 0
    for source, name, target in draw(
        st.lists(st.tuples(variables, roles, variables), max_size=some)
    ):
        coder.relations.append((source, coder.label(name), target))
    for v, name, value in draw(
        st.lists(st.tuples(variables, roles, st.sampled_from(CONSTANTS)), max_size=some)
    ):
        coder.attributes.append((v, coder.label(name), coder.label(value)))
    keywords = st.sampled_from(KEYWORDS)
    nodes = st.one_of(variables, keywords) if n else keywords
    stated = draw(
        st.lists(
            st.tuples(
                st.sampled_from(LEVELS),
                nodes,
                roles,
                nodes,
                st.integers(0, len(members) - 1),
            ),
            max_size=6,
        )
    )
    triples = []
    for level, start, name, end, place in stated:
        s, t = (
            coder.variable(node) if isinstance(node, str) else node
            for node in (start, end)
        )
        triples.append(DocumentTriple(level, s, name, t, place))
    span = st.tuples(st.integers(0, 9), st.integers(0, 9))
    anchors = [
        tuple(draw(st.lists(span, max_size=2, unique=True))) if v < n else ()
        for v in range(len(coder.numbers))
    ]
    words = st.lists(st.sampled_from(("Mary", "ran", "(", "#", "a:b")), max_size=4)
    document = Document(
        tuple(
            Sentence(
                place + 1,
                tuple(draw(words)),
                own[0] if own else None,
                draw(st.sampled_from((f"s{place + 1}s0", None))),
                draw(st.sampled_from(((), (("sent_id", "u-1"),)))),
                draw(st.sampled_from(((), (("Morphemes", "run .PAST"),)))),
            )
            for place, own in enumerate(members)
        ),
        tuple(homes) + ((),) * (len(coder.numbers) - n),
        tuple(anchors),
        constants=frozenset(range(n, len(coder.numbers))),
        triples=tuple(triples),
    )
    return coder.graph(None, {}, GRAPH_ORIGIN, document=document)


GRAPH_ORIGIN = Graph((), (), (), (), ()).origin
TEXTS = st.text(max_size=8)


@st.composite
def mrp_graphs(draw: st.DrawFn) -> Graph:
    """Draw an MRP graph: any text as label, several tops, edge attributes."""
    coder = GraphCoder()
    n = draw(st.integers(0, 4))
    for k in range(n):
        coder.variable(f"n{k}")
        if draw(st.booleans()):
            coder.instances.append((k, coder.label(draw(TEXTS))))
    variables = st.integers(0, max(0, n - 1))
    most = 3 if n else 0
    stated = set()
    for s, role, t in draw(
        st.lists(st.tuples(variables, TEXTS, variables), max_size=most, unique=True)
    ):
        stated.add((s, role, t))
        coder.relations.append((s, coder.label(role), t))
    for v, role, value in draw(
        st.lists(st.tuples(variables, TEXTS, TEXTS), max_size=most)
    ):
        coder.attributes.append((v, coder.label(role), coder.label(value)))
    facts = []
    for s, role, t in sorted(stated):
        if draw(st.booleans()):
            facts.append(EdgeFact(s, role, t, "@remote", draw(TEXTS)))
        if draw(st.booleans()):
            facts.append(EdgeFact(s, role, t, "normal", draw(TEXTS)))
    tops = draw(st.lists(variables, max_size=most, unique=True))
    span = st.tuples(st.integers(0, 9), st.integers(0, 9))
    anchors = tuple(tuple(draw(st.lists(span, max_size=2))) for _ in range(n))
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
