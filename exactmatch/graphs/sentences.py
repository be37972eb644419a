"""Documents cut down to some of their sentences."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph


def only_sentences(graph: Graph, places: Collection[int]) -> Graph:
    """The part of a document that some of its sentences state.

    A variable stays if one of its sentences does, or if it belongs to none, as a
    constant does.  Triples stay if all their variables do, and document-level ones if
    the sentence that states them does, too.

    Args:
        graph: a document.
        places: the places of the sentences to keep, from 0.
    """
    document = graph.document or Document()
    if len(places) == len(document.sentences):
        return graph
    now = {old: new for new, old in enumerate(sorted(places))}
    n = len(graph.variables)
    kept = [v for v in range(n) if _stays(document.home(v), now)]
    place = {v: k for k, v in enumerate(kept)}
    stated = replace(
        document, triples=tuple(t for t in document.triples if t.sentence in now)
    ).renumbered(place, len(kept))
    part = replace(
        stated,
        sentences=tuple(stated.sentences[old] for old in now),
        homes=tuple(
            tuple(now[old] for old in home if old in now) for home in stated.homes
        ),
        triples=tuple(t._replace(sentence=now[t.sentence]) for t in stated.triples),
    )
    return replace(
        graph,
        variables=tuple(graph.variables[v] for v in kept),
        instances=tuple((place[v], c) for v, c in graph.instances if v in place),
        attributes=tuple(
            (place[v], r, k) for v, r, k in graph.attributes if v in place
        ),
        relations=tuple(
            (place[s], r, place[t])
            for s, r, t in graph.relations
            if s in place and t in place
        ),
        top=None if graph.top is None else place.get(graph.top),
        document=part,
    )


def _stays(home: tuple[int, ...], kept: Collection[int]) -> bool:
    return not home or any(place in kept for place in home)
