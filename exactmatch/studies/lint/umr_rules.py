"""Rules of UMR documents, beyond being readable.

They are few, and published documents keep them: the names of sentences and variables,
alignments with words that exist, the values of attributes, and the relations and
constants of the document-level annotation.

Source: the UMR guidelines (umr4nlp/umr-guidelines), parts 2, 3-3 and 4, with the names
of earlier releases beside the present ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MODAL = _words(
    """full-affirmative full-negative neutral-affirmative neutral-negative
    partial-affirmative partial-negative strong-partial-affirmative
    strong-partial-negative strong-neutral-affirmative strong-neutral-negative
    weak-partial-affirmative weak-partial-negative weak-neutral-affirmative
    weak-neutral-negative"""
)
"""Strengths of modality."""

LEVELS = {
    "temporal": _words("after before contained contains depends-on includes overlap"),
    "modal": _MODAL | {"modal", "unspecified"},
    "coref": _words("same-entity same-event subset-of"),
}
"""The relations of each level of the document-level annotation."""

CONSTANTS = _words(
    """root author null-conceiver purpose have-condition-91 document-creation-time
    past-reference present-reference future-reference"""
)
"""The nodes of the document-level annotation that no sentence defines."""

VALUES = {
    "aspect": _words(
        """habitual generic imperfective process atelic-process perfective state
        reversible-state irreversible-state inherent-state point-state activity
        undirected-activity directed-activity endeavor undirected-endeavor
        directed-endeavor semelfactive performance incremental-accomplishment
        nonincremental-accomplishment directed-achievement
        reversible-directed-achievement irreversible-directed-achievement"""
    ),
    "modal-strength": _MODAL,
    "refer-person": _words("1st 2nd 3rd 4th excl incl"),
    "refer-number": _words(
        """singular non-singular dual non-dual trial paucal non-paucal non-trial
        non-trial-paucal plural greater-plural"""
    ),
    "degree": _words("intensifier downtoner equal"),
}
"""The values of attributes that have a closed list of them."""

_SENTENCE = re.compile(r"(?:\d+:)?s(\d+)")


def broken_rules(graph: Graph, document: Document) -> Iterator[tuple[str, str]]:
    """Yield the rules that a graph with this document breaks, each with a message."""
    yield from _numbers(document)
    yield from _variables(graph, document)
    yield from _alignments(graph, document)
    for v, code, value in graph.attributes:
        role, constant = graph.labels[code], graph.labels[value]
        if role in VALUES and constant not in VALUES[role]:
            yield "umr-value", f"has :{role} {constant} at {graph.variables[v]!r}"
    yield from _document_triples(graph, document)


def _numbers(document: Document) -> Iterator[tuple[str, str]]:
    last = None
    for sentence in document.sentences:
        if sentence.number is None:
            yield "umr-number", "has a sentence without a number"
        elif last is not None and sentence.number not in (last + 1, 1):
            yield "umr-number", f"has snt{sentence.number} behind snt{last}"
        last = sentence.number


def _variables(graph: Graph, document: Document) -> Iterator[tuple[str, str]]:
    for v, name in enumerate(graph.variables):
        for place in document.home(v):
            number = document.sentences[place].number
            named = _SENTENCE.match(name)
            if number is not None and (named is None or int(named[1]) != number):
                yield "umr-variable", f"has variable {name!r} in snt{number}"


def _alignments(graph: Graph, document: Document) -> Iterator[tuple[str, str]]:
    if document.unit != "token":
        return
    aligned = {
        place
        for v in range(len(graph.variables))
        if document.spans(v)
        for place in document.home(v)
    }
    for v, name in enumerate(graph.variables):
        for place in document.home(v):
            sentence = document.sentences[place]
            if place in aligned and not document.spans(v):
                yield "umr-alignment", f"has no alignment of {name!r}"
            for first, last in document.spans(v):
                words = len(sentence.tokens)
                is_none = (first, last) in ((0, 0), (-1, -1))
                if not (is_none or 1 <= first <= last <= words):
                    message = (
                        f"aligns {name!r} with the words {first}-{last} of {words}"
                    )
                    yield "umr-alignment", message


def _document_triples(graph: Graph, document: Document) -> Iterator[tuple[str, str]]:
    for triple in document.triples:
        level_roles = LEVELS.get(triple.level)
        source, target = (graph.variables[v] for v in (triple.source, triple.target))
        shown = f"({source} :{triple.role} {target})"
        if level_roles is None:
            yield "umr-document", f"has {shown} under unknown :{triple.level}"
        elif triple.role not in level_roles:
            yield "umr-document", f"has {shown} under :{triple.level}"
        for v, name in ((triple.source, source), (triple.target, target)):
            if v in document.constants and name not in CONSTANTS:
                yield "umr-document", f"has {shown}, and no sentence defines {name!r}"
