"""Results of agreement: pairs of annotators, roles, kinds, units and chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from exactmatch.base.numbers import fixed, several
from exactmatch.base.visible import visible
from exactmatch.engine.problem import (
    CodedGraph,
    CountedTriple,
    counted_triples,
    renamed,
)
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.score import Score
from exactmatch.metrics.umr.documents import (
    SENTENCE,
    LevelTriple,
    TripleSelection,
    coded_document,
)
from exactmatch.metrics.umr.scores import LEVELS, ROWS
from exactmatch.scoring.resampling import Interval
from exactmatch.scoring.tables import Losses
from exactmatch.studies.answer import Answer

if TYPE_CHECKING:
    from exactmatch.solvers.problem import Alignment


Named: TypeAlias = "Counter[tuple[CountedTriple, str]]"
"""Number of triples by the triple and the role or kind that it is counted under."""

CONCEPT = "concept"  # the name of instances among roles
TITLES = {
    "concepts": "Concepts",
    "participants": ROWS["participants"].title,
    "other-relations": ROWS["other-relations"].title,
    "relations": "Relations",
    "attributes": "Attributes",
    **LEVELS,
}
"""Titles of kinds in tables, in their order; a level that is missing here keeps its own
name and comes last."""

_OF_SENTENCES = ("concepts", "participants", "other-relations", "attributes")


@dataclass(frozen=True, slots=True)
class TripleAgreement:
    """Triples of one role or kind, in all pairs of annotators together.

    A triple that both sides have matches once and counts twice in the total.
    """

    name: str  # the role, or ``concept``; or the kind
    matched: int
    total: int  # of both sides

    @property
    def f1(self) -> float:
        """The F1 score."""
        return 2 * self.matched / self.total


class Tally:
    """Counter of the triples of each role or kind."""

    def __init__(self) -> None:
        self.matched: Counter[str] = Counter()
        self.total: Counter[str] = Counter()

    def count(self, left: Named, right: Named, alignment: Alignment) -> None:
        """Count the triples of two graphs, each under its name."""
        renamed_triples = {
            (renamed(t, alignment), name): n for (t, name), n in left.items()
        }
        for (_, name), count in (Counter(renamed_triples) & right).items():
            self.matched[name] += count
        for (_, name), count in (*left.items(), *right.items()):
            self.total[name] += count

    def rows(self, order: Callable[[str], Any]) -> tuple[TripleAgreement, ...]:
        """Return the counts, in this order of the names."""
        names = sorted(self.total, key=order)
        return tuple(TripleAgreement(n, self.matched[n], self.total[n]) for n in names)


def named(coded: CodedGraph, profile: Profile) -> tuple[Named, Named]:
    """Return the triples of a graph by role and by kind."""
    kind_of = _plain if profile.beside != "document" else _by_level(coded, profile)
    triples = list(counted_triples(coded.graph, profile))
    roles = ((t, CONCEPT if t.kind == "instance" else t.role) for t in triples)
    return Counter(roles), Counter((t, kind_of(t)) for t in triples)


def _plain(triple: CountedTriple) -> str:
    return "concepts" if triple.kind == "instance" else f"{triple.kind}s"


def _by_level(coded: CodedGraph, profile: Profile) -> Callable[[CountedTriple], str]:
    """Return a function that tells the kind of a triple of a document."""
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


@dataclass(frozen=True, slots=True)
class Agreed:
    """Agreement of two annotators."""

    first: str
    second: str
    units: int  # annotated by both
    score: Score | None  # of all these units together


@dataclass(frozen=True, slots=True)
class UnitAgreement:
    """Agreement of two annotators on one unit."""

    unit: str
    first: str
    second: str
    score: Score


@dataclass(frozen=True, slots=True)
class Chance:
    """Agreement corrected for chance.

    α is ``None`` where no two annotations differ.  For a single unit it is 0, as the
    agreement by chance is then that of its own annotators.
    """

    alpha: float | None
    observed: float | None  # the mean distance D_o
    expected: float | None  # the mean distance D_e
    annotations: int  # of units with several
    units: int  # with several annotations
    drawn: int | None = None  # random pairs that D_e is the mean of; None: all pairs


@dataclass(frozen=True, slots=True)
class AgreementIntervals:
    """Confidence intervals; ``None`` where there are too few units for one."""

    pairs: tuple[Interval | None, ...]  # of every two annotators, in their order
    mean: Interval | None
    alpha: Interval | None
    units: int  # split, or drawn from
    level: float
    method: str  # such as halves
    unit: str  # that was split: unit or document


@dataclass(frozen=True, repr=False)
class Agreement(Answer):
    """Agreement of annotators.

    Attributes:
        annotators: their names, in order.
        roles: agreement by role, concepts first, then the most frequent role first.
        kinds: agreement by kind of triple, as in
        :data:`exactmatch.studies.agreement.results`.
        units: every unit of every two annotators, the least alike first.
        mean: the mean score of all pairs of annotators that share a unit.
        proven: whether every alignment is proven optimal.
        signature: the options and versions that determine the numbers.
        intervals: of the scores, their mean and α, if these were requested.
        lost: what the metric's reader left out of the graphs.

    Example:
        >>> import exactmatch
        >>> result = exactmatch.agreement({"Ann": ["(c / cat)"], "Bob": ["(d / dog)"]})
        >>> [(role.name, role.matched, role.total) for role in result.roles]
        [('concept', 0, 2), ('top', 1, 2)]
        >>> [(kind.name, kind.f1) for kind in result.kinds]
        [('concepts', 0.0), ('attributes', 1.0)]
        >>> result
        mean F1 0.5000, α 0.0000; 2 annotators, 1 shared unit, all proven
    """

    VIEW = "exactmatch.studies.agreement.view:tables"

    annotators: tuple[str, ...]
    pairs: tuple[Agreed, ...]
    roles: tuple[TripleAgreement, ...]
    kinds: tuple[TripleAgreement, ...]
    units: tuple[UnitAgreement, ...]
    chance: Chance
    mean: float | None
    proven: bool
    signature: tuple[tuple[str, str], ...]
    intervals: AgreementIntervals | None = None
    lost: Losses = field(default_factory=dict)

    def __repr__(self) -> str:
        units = several(self.chance.units, "shared unit")
        people = several(len(self.annotators), "annotator")
        proven = "all proven" if self.proven else "not all proven"
        mean, alpha = (fixed(v, 4) for v in (self.mean, self.chance.alpha))
        return visible(f"mean F1 {mean}, α {alpha}; {people}, {units}, {proven}")

    def mean_of(self, name: str) -> float | None:
        """Return an annotator's mean score with the others, if there is one."""
        scores = [
            p.score.score for p in self.pairs if p.score and name in (p.first, p.second)
        ]
        return math.fsum(scores) / len(scores) if scores else None

    def of(self, first: str, second: str) -> Score | None:
        """Return the score of two annotators; ``None`` if they share no unit."""
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair.score
        raise KeyError((first, second))
