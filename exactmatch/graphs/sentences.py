"""Restrict a document to some of its sentences."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph


def only_sentences(graph: Graph, places: Collection[int]) -> Graph:
    """Keep only what belongs to some sentences of a document.

    A variable is kept if one of its sentences is, or if it belongs to no sentence, as
    constants do.  A triple is kept if all its variables are; a document-level triple
    only if the sentence that states it is kept, too.

    Args:
        places: the indices of the sentences to keep, from 0.

    Returns:
        A document of these sentences; its top is ``None`` if the top was not kept.
    """
    document = graph.document or Document()
    if len(places) == len(document.sentences):
        return graph
    now = {old: new for new, old in enumerate(sorted(places))}
    kept = (v for v in range(len(graph.variables)) if _stays(document.home(v), now))
    triples = tuple(t for t in document.triples if t.sentence in now)
    part = graph.revised(document=replace(document, triples=triples)).part(kept)
    stated = part.document or document
    return part.revised(
        document=replace(
            stated,
            sentences=tuple(stated.sentences[old] for old in now),
            homes=tuple(
                tuple(now[old] for old in home if old in now) for home in stated.homes
            ),
            triples=tuple(t._replace(sentence=now[t.sentence]) for t in stated.triples),
        )
    )


def _stays(home: tuple[int, ...], kept: Collection[int]) -> bool:
    return not home or any(place in kept for place in home)
