"""Kinds of triples: what people who annotate agree or disagree about.

Of graphs whose profile counts triples beside the sentences, as that of UMR does, the
kinds are rows of the UMR table (:data:`exactmatch.metrics.umr.scores.ROWS`): concepts,
participant roles, other relations and attributes of the sentences, and the levels of
the document-level annotation.  Of all other graphs they are concepts, attributes and
relations.  Every triple is of exactly one kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from exactmatch.engine.coding import CodedGraph, CountedTriple
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.umr.documents import (
    SENTENCE,
    LevelTriple,
    TripleSelection,
    coded_document,
)
from exactmatch.metrics.umr.scores import LEVELS, ROWS

KindOf: TypeAlias = Callable[[CountedTriple], str]

TITLES = {
    "concepts": "Concepts",
    "participants": ROWS["participants"].title,
    "other-relations": ROWS["other-relations"].title,
    "relations": "Relations",
    "attributes": "Attributes",
    **LEVELS,
}
"""What kinds are called in tables, in the order in which they are shown; a level that
is not among them keeps its own name and comes last."""

_OF_SENTENCES = ("concepts", "participants", "other-relations", "attributes")


def kinds_of(coded: CodedGraph, profile: Profile) -> KindOf:
    """Tell the kind of each triple of a graph.

    Args:
        coded: the graph.
        profile: which triples count.
    """
    if profile.beside != "document":
        return _plain
    levels = coded_document(coded.graph, coded, profile).levels

    def kind(triple: CountedTriple) -> str:
        level = levels.get(triple, SENTENCE)
        if level != SENTENCE:
            return level
        statement = LevelTriple(level, triple)
        return next(name for name in _OF_SENTENCES if _means(name, statement))

    return kind


def _means(name: str, statement: LevelTriple) -> bool:
    counting = ROWS[name].counting
    return isinstance(counting, TripleSelection) and counting.means(statement)


def _plain(triple: CountedTriple) -> str:
    return "concepts" if triple.kind == "instance" else f"{triple.kind}s"


def in_order(kinds: Iterable[str]) -> list[str]:
    """Sort kinds as they are shown."""
    order = list(TITLES)
    return sorted(
        kinds, key=lambda k: (order.index(k) if k in order else len(order), k)
    )
