"""A document as a UMR file has it; :mod:`exactmatch.formats.umr` shows the format."""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.graphs.document import Document, Sentence
from exactmatch.graphs.graph import Graph, GraphCoder
from exactmatch.graphs.penman_text import text_of

RULE = "#" * 80
"""The line that begins a sentence."""


def write_umr(graph: Graph) -> str:
    """Write a document.

    Raises:
        GraphError: if a variable is in no sentence or in several, a sentence has no
            number, or a sentence's graph is not of one piece.
    """
    document = graph.document
    if document is None or not document.sentences:
        raise graph.origin.error("has no sentences, which a UMR document is made of")
    return "\n\n".join(
        _sentence_text(graph, document, place)
        for place in range(len(document.sentences))
    )


def _sentence_text(graph: Graph, document: Document, place: int) -> str:
    """The four blocks of a sentence."""
    sentence = document.sentences[place]
    if sentence.number is None:
        raise graph.origin.error("has a sentence without a number")
    facts = dict(sentence.facts)
    snt = facts.pop("snt", "")
    header = [RULE, *(f"# meta-info :: {key} = {facts[key]}" for key in facts)]
    header.append(f"# :: snt{sentence.number} {snt}".rstrip())
    indices = map(str, range(1, len(sentence.tokens) + 1))
    tiers = (("Index", " ".join(indices)), ("Words", " ".join(sentence.tokens)))
    header += [f"{key}: {text}".rstrip() for key, text in (*tiers, *sentence.tiers)]
    own = [v for v in range(len(graph.variables)) if document.home(v) == (place,)]
    aligned = [
        f"{graph.variables[v]}: {','.join(f'{a}-{b}' for a, b in document.spans(v))}"
        for v in own
        if document.spans(v)
    ]
    parts = (
        "\n".join(header),
        f"# sentence level graph:\n{_graph_text(graph, sentence, own)}".rstrip(),
        "\n".join(("# alignment:", *aligned)),
        "# document level annotation:\n" + _annotation(graph, document, place),
    )
    return "\n\n".join(parts) + "\n"


def _graph_text(graph: Graph, sentence: Sentence, own: Sequence[int]) -> str:
    """The PENMAN of a sentence's graph."""
    if not own:
        return ""
    place = {v: k for k, v in enumerate(own)}
    part = graph.part(own)
    coder = GraphCoder.of(part)
    coder.attributes += [
        (place[s], role, coder.label(graph.variables[t]))
        for s, role, t in graph.relations
        if s in place and t not in place  # but another sentence's variable
    ]
    top = None if sentence.top is None else place.get(sentence.top)
    return text_of(coder.stated_in(part).revised(top=top), lax=True)


def _annotation(graph: Graph, document: Document, place: int) -> str:
    """The document-level annotation of a sentence."""
    names = graph.variables
    levels: dict[str, list[str]] = {}
    for t in sorted(document.triples, key=lambda t: bool(t.level)):
        if t.sentence == place:
            stated = f"({names[t.source]} :{t.role} {names[t.target]})"
            levels.setdefault(t.level, []).append(stated)
    root = document.sentences[place].root
    lines = [f"({root} / sentence"] if root else []
    for level, triples in levels.items():
        begin = f"    :{level} (" if level else "    ("
        lines.append(begin + f"\n{' ' * len(begin)}".join(triples) + ")")
    return "\n".join(lines) + (")" if root else "")
