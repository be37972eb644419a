"""Triples of two aligned graphs, counted by role and by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from exactmatch.engine.coding import CodedGraph, CountedTriple, counted_triples
from exactmatch.engine.problem import renamed
from exactmatch.graphs.profile import Profile
from exactmatch.studies.agreement.kinds import kinds_of

if TYPE_CHECKING:
    from exactmatch.solvers.problem import Alignment

Named: TypeAlias = "Counter[tuple[CountedTriple, str]]"
"""Triples, each with the role or kind that it is counted by, and how many."""

CONCEPT = "concept"
"""What instances are called among roles."""


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
    triples = [*counted_triples(coded.graph, profile)]
    kind_of = kinds_of(coded, profile)
    return (
        Counter((triple, _role(triple)) for triple in triples),
        Counter((triple, kind_of(triple)) for triple in triples),
    )


def _role(triple: CountedTriple) -> str:
    return CONCEPT if triple.kind == "instance" else triple.role
