"""Triples of two aligned graphs, counted by role and by kind.

Of graphs whose profile counts triples beside the sentences, as that of UMR does, the
kinds are rows of the UMR table (:data:`exactmatch.metrics.umr.scores.ROWS`): concepts,
participant roles, other relations and attributes of the sentences, and the levels of
the document-level annotation.  Of all other graphs they are concepts, attributes and
relations.  Every triple is of exactly one kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from exactmatch.engine.problem import (
    CodedGraph,
    CountedTriple,
    counted_triples,
    renamed,
)
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.umr.documents import (
    SENTENCE,
    LevelTriple,
    TripleSelection,
    coded_document,
)
from exactmatch.metrics.umr.scores import LEVELS, ROWS

if TYPE_CHECKING:
    from exactmatch.solvers.problem import Alignment

Named: TypeAlias = "Counter[tuple[CountedTriple, str]]"
"""Triples, each with the role or kind that it is counted by, and how many."""

CONCEPT = "concept"
"""What instances are called among roles."""

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


@dataclass(frozen=True, slots=True)
class TripleAgreement:
    """The triples of one role or kind, in all pairs of annotators together.

    Attributes:
        name: the role, or ``concept``; or the kind.
        matched: how many are stated by both sides of a pair.
        stated: how many either side states; those of both sides are counted twice.
    """

    name: str
    matched: int
    stated: int

    @property
    def f1(self) -> float:
        """The F1 score."""
        return 2 * self.matched / self.stated


class Tally:
    """Counts the triples of each role or kind."""

    def __init__(self) -> None:
        self.matched: Counter[str] = Counter()
        self.stated: Counter[str] = Counter()

    def count(self, left: Named, right: Named, alignment: Alignment) -> None:
        """Count the triples of two graphs, each with the name it is counted by."""
        ours: Counter[tuple[CountedTriple | None, str]] = Counter()
        for (triple, name), count in left.items():
            ours[renamed(triple, alignment), name] += count
        for (triple, name), count in right.items():
            self.matched[name] += min(count, ours[triple, name])
        for (_, name), count in (*left.items(), *right.items()):
            self.stated[name] += count

    def found(self, names: Iterable[str]) -> tuple[TripleAgreement, ...]:
        """The counts, in the order of *names*."""
        return tuple(
            TripleAgreement(name, self.matched[name], self.stated[name])
            for name in names
        )


def named(coded: CodedGraph, profile: Profile) -> tuple[Named, Named]:
    """The triples of a graph by role and by kind."""
    roles: Named = Counter()
    kinds: Named = Counter()
    kind_of = _plain if profile.beside != "document" else _by_level(coded, profile)
    for triple in counted_triples(coded.graph, profile):
        roles[triple, CONCEPT if triple.kind == "instance" else triple.role] += 1
        kinds[triple, kind_of(triple)] += 1
    return roles, kinds


def _plain(triple: CountedTriple) -> str:
    return "concepts" if triple.kind == "instance" else f"{triple.kind}s"


def _by_level(coded: CodedGraph, profile: Profile) -> Callable[[CountedTriple], str]:
    """Tell the kind of each triple of a document."""
    levels = coded_document(coded.graph, coded, profile).levels
    counted = {name: ROWS[name].counting for name in _OF_SENTENCES}

    def kind(triple: CountedTriple) -> str:
        level = levels.get(triple, SENTENCE)
        if level != SENTENCE:
            return level
        statement = LevelTriple(level, triple)
        return next(
            name
            for name, counting in counted.items()
            if isinstance(counting, TripleSelection) and counting.means(statement)
        )

    return kind


def in_order(kinds: Iterable[str]) -> list[str]:
    """Sort kinds as they are shown."""
    order = {name: place for place, name in enumerate(TITLES)}
    return sorted(kinds, key=lambda kind: (order.get(kind, len(order)), kind))
