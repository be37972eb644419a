"""Alignments of a graph's nodes with the words of its sentence.

Words are those of ``# ::tok``, or else of ``# ::snt``, counted from 0.  Alignments are
written in one of two places; where both are, the first counts:

* *tags*: ``~e.N`` or ``~e.N,M`` behind a concept or constant;
* ``# ::alignments``, in one of two forms.  ISI's ``N-1.2.1`` aligns word *N* with a
  node: the root is ``1``, its second branch ``1.2``; a role, ``1.2.r``, is passed over.
  JAMR's ``N-M|0.1.0+0.2`` aligns the words from *N* to before *M* with two nodes: the
  root is ``0``, and branches that name a variable again are not counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import Any

from exactmatch.base.numbers import several
from exactmatch.formats.block import Metadata
from exactmatch.graphs.document import Document, Sentence
from exactmatch.graphs.graph import Graph, Origin

_ISI = re.compile(r"(\d+)-(\d+(?:\.\d+)*)(\.r)?$")
_JAMR = re.compile(r"(\d+)-(\d+)\|(\d+(?:\.\d+)*(?:\+\d+(?:\.\d+)*)*)$")


def tagged_words(lines: Sequence[str]) -> dict[tuple[str, str], tuple[int, ...]]:
    """Read which words a graph's concepts and constants are tagged with.

    Returns:
        The numbers of the words, from 0.  The key is the variable with ``:instance``
        for its concept, or with the role and value for one of its roles.

    Raises:
        penman.DecodeError: if the lines are not a graph in PENMAN.

    Example:
        >>> tagged_words(["(w / want-01~e.2 :polarity -~e.0,1)"])
        {('w', ':instance'): (2,), ('w', ':polarity -'): (0, 1)}
    """
    from penman.surface import alignments

    from exactmatch.graphs.quiet_penman import amr, penman

    decoded = penman.decode("\n".join(lines), model=amr.model)
    words = {}
    for (source, role, target), alignment in alignments(decoded).items():
        key = role if role == ":instance" else f"{role} {target}"
        words[str(source), key] = tuple(alignment.indices)
    return words


def words_of_nodes(
    lines: Sequence[str], origin: Origin
) -> tuple[tuple[str, ...], dict[str, tuple[int, ...]]]:
    """Return a sentence's words, and those that each variable is aligned to."""
    from exactmatch.graphs.quiet_penman import penman

    metadata = Metadata(tuple(lines))
    words = tuple((metadata.get("tok") or metadata.get("snt") or "").split())
    try:
        tagged = tagged_words(lines)
        aligned = {name: at for (name, key), at in tagged.items() if key == ":instance"}
        if not tagged and (addresses := metadata.get("alignments")):
            aligned = _addressed(addresses, "\n".join(lines), origin)
    except penman.DecodeError as error:
        raise origin.error(f"has alignments that cannot be read: {error}") from None
    last = max((place for places in aligned.values() for place in places), default=-1)
    if last >= len(words):
        raise origin.error(
            f"is aligned to word {last}, but its sentence has "
            f"{several(len(words), 'word')}, counted from 0"
        )
    return words, aligned


def with_anchors(graph: Graph, lines: Sequence[str]) -> Graph:
    """Add the alignments in a graph's text to the graph, as anchors of a document.

    Args:
        graph: the graph; one that has a document is returned unchanged.
        lines: the text it was read from, with its comments; if there are none, the
            graph is returned unchanged.

    Returns:
        The graph with a document of one sentence, whose tokens count from 1.
    """
    if graph.document is not None or not lines:
        return graph
    words, words_of = words_of_nodes(lines, graph.origin)
    aligned = [words_of.get(name, ()) for name in graph.variables]
    anchors = tuple(tuple((p + 1, p + 1) for p in places) for places in aligned)
    homes = ((0,),) * len(graph.variables)
    return replace(graph, document=Document((Sentence(tokens=words),), homes, anchors))


def sentence_of(graph: Graph) -> tuple[str, ...]:
    """Return the words of a graph's only sentence.

    Empty for a graph without a document, of several sentences, or anchored in
    characters instead of words.
    """
    document = graph.document
    if document is None or len(document.sentences) != 1 or document.unit != "token":
        return ()
    return document.sentences[0].tokens


def places_of(graph: Graph) -> list[list[int]]:
    """Return the words of :func:`sentence_of` that each variable is aligned to.

    Words count from 0 and are in ascending order.
    """
    document, size = graph.document, len(sentence_of(graph))
    if document is None or not size:
        return [[] for _ in graph.variables]
    words: list[set[int]] = [set() for _ in graph.variables]
    for v, places in enumerate(words):
        for first, last in document.spans(v):
            places.update(range(max(first, 1) - 1, min(last, size)))
    return [sorted(places) for places in words]


def _addressed(text: str, graph: str, origin: Origin) -> dict[str, tuple[int, ...]]:
    """Return the words of variables, by the addresses of their nodes."""
    from exactmatch.graphs.quiet_penman import penman

    words: dict[str, set[int]] = {}
    tree = penman.parse(graph)
    parts = text.split(" ::")[0].split()
    jamr = any("|" in part for part in parts)
    root = ("0", 0) if jamr else ("1", 1)
    variables = {name for name, _ in tree.nodes()} if jamr else set()
    names = dict(_addresses(tree.node, *root, variables))
    for part in parts:
        match = (_JAMR if jamr else _ISI).match(part)
        if match is None:
            raise origin.error(
                f"has the alignment {part!r}; write word-node, as 3-1.2, or "
                "from-to|node, as 3-4|0.1"
            )
        if not jamr and match[3]:
            continue
        first = int(match[1])
        places = range(first, int(match[2])) if jamr else range(first, first + 1)
        for address in match[3 if jamr else 2].split("+"):
            if address not in names:
                raise origin.error(
                    f"has an alignment of node {address}, which it does not have"
                )
            if name := names[address]:
                words.setdefault(name, set()).update(places)
    return {name: tuple(sorted(places)) for name, places in words.items()}


def _addresses(
    node: Any, address: str, first: int, passed_over: Set[str]
) -> Iterator[tuple[str, str]]:
    """Yield each address from a node on with its variable; "" for a constant."""
    name, branches = node
    yield address, str(name)
    number = first
    for role, target in branches:
        if role == "/":
            continue
        below = f"{address}.{number}"
        if isinstance(target, tuple):
            yield from _addresses(target, below, first, passed_over)
        elif target in passed_over:
            continue
        else:
            yield below, ""
        number += 1
