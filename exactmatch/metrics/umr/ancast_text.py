"""Document-level triples that the published AnCast++ reads in a file.

It needs ``:modal ((root :modal author)`` with both brackets side by side and every
further triple at the beginning of a line, and reads only the first block of each level.
Other triples do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from exactmatch.graphs.document import DocumentTriple
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.umr.ancast_document import LEVELS
from exactmatch.metrics.umr.ancast_graph import Fact

_SENTENCE = re.compile(r"#\s*::\s*snt\s*\d", re.IGNORECASE)
_ANNOTATION = "# document level annotation:"
_BEGIN = {level: re.compile(rf":{level}\s*\((?=\()") for level in LEVELS}
_TRIPLE = re.compile(r"\(([^\s():]+)\s+:([^\s()]+)\s+([^\s()]+)\)")
_END = re.compile(r"\)(?=\s*\))")
_BELOW = re.compile(r"\s*\)")


def as_published(graph: Graph, lines: Sequence[str]) -> Graph:
    """Remove the document-level triples that the published program does not read.

    Args:
        graph: a document.
        lines: the lines that it was read from.
    """
    document = graph.document
    if document is None or not document.triples:
        return graph
    texts = list(_annotations(lines))
    if len(texts) != len(document.sentences):
        return graph
    read = [{level: _read(text, level) for level in LEVELS} for text in texts]
    kept = tuple(
        triple
        for triple in document.triples
        if triple.level not in LEVELS
        or _named(graph, triple) in read[triple.sentence][triple.level]
    )
    return graph.revised(document=replace(document, triples=kept))


def _named(graph: Graph, triple: DocumentTriple) -> Fact:
    """Return a triple as written in the file, without the number of later documents."""
    source, target = (
        graph.variables[v].rpartition(":")[2] for v in (triple.source, triple.target)
    )
    return source, triple.role, target


def _annotations(lines: Sequence[str]) -> Iterator[str]:
    """Yield the document-level annotation of each numbered sentence."""
    sentence_lines = [k for k, line in enumerate(lines) if _SENTENCE.match(line)]
    for begin, end in zip(
        sentence_lines, [*sentence_lines[1:], len(lines)], strict=True
    ):
        text = "\n".join(line for line in lines[begin:end] if line[:4] != "####")
        yield text.partition(_ANNOTATION)[2]


def _read(text: str, level: str) -> set[Fact]:
    """Return the triples of the first block of a level that is well formed.

    >>> _read("(s0 / sentence :modal ((root :modal author)))", "modal")
    {('root', 'modal', 'author')}
    >>> _read("(s0 / sentence :modal ( (root :modal author)))", "modal")
    set()
    """
    for begin in _BEGIN[level].finditer(text):
        end = _end_of(text, begin.end())
        if end:
            return {
                (match[1], match[2], match[3])
                for match in _TRIPLE.finditer(text, begin.end(), end)
            }
    return set()


def _end_of(text: str, place: int) -> int:
    """Return the end of the last line of triples that a bracket closes; 0 for none."""
    end = 0
    while text[place : place + 1] == "(":
        stop = text.find("\n", place)
        stop = len(text) if stop < 0 else stop
        colon = text.find(":", place, stop)
        last = text.rfind(")", place, stop)
        if colon < 0 or last < colon:
            break
        # the bracket that closes the block may stand on a line below
        below = _BELOW.match(text, stop)
        limit = below.end() if below and not text[last + 1 : stop].strip() else stop
        for bracket in _END.finditer(text, colon, limit):
            end = bracket.start() + 1
        if text[last + 1 : stop].strip():
            break
        place = stop
        while place < len(text) and text[place].isspace():
            place += 1
    return end
