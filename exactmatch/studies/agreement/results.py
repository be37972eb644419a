"""How far annotators agree."""

from __future__ import annotations

from dataclasses import dataclass, field

from exactmatch.base.numbers import fixed, several
from exactmatch.base.visible import visible
from exactmatch.metrics.score import Score
from exactmatch.scoring.resampling import Interval
from exactmatch.scoring.tables import Losses
from exactmatch.studies.agreement.kinds import TripleAgreement
from exactmatch.studies.answer import Answer


@dataclass(frozen=True, slots=True)
class Agreed:
    """Two annotators.

    Attributes:
        units: how many units both have annotated.
        score: the score of all of these together; ``None`` if there are none.
    """

    first: str
    second: str
    units: int
    score: Score | None


@dataclass(frozen=True, slots=True)
class UnitAgreement:
    """Two annotators' graphs of one unit."""

    unit: str
    first: str
    second: str
    score: Score


@dataclass(frozen=True, slots=True)
class Chance:
    """Agreement that is corrected for chance.

    Attributes:
        alpha: α; ``None`` where no two annotations differ; 0 of a single unit, of which
            chance is what its annotators made.
        observed, expected: the mean distances D_o and D_e.
        annotations: how many annotations there are of units that have several.
        units: how many such units there are.
        drawn: how many pairs D_e is the mean of, where these are not all.
    """

    alpha: float | None
    observed: float | None
    expected: float | None
    annotations: int
    units: int
    drawn: int | None = None


@dataclass(frozen=True, slots=True)
class AgreementIntervals:
    """Confidence intervals; ``None`` where there are too few units for one.

    Attributes:
        pairs: of the scores of every two annotators, in their order.
        alpha: of α.
        units: how many units were drawn from.
    """

    pairs: tuple[Interval | None, ...]
    mean: Interval | None
    alpha: Interval | None
    units: int
    level: float


@dataclass(frozen=True, repr=False)
class Agreement(Answer):
    """How far annotators agree.

    Attributes:
        annotators: their names, in order.
        roles: agreement by role, concepts first, then by how often a role is stated.
        kinds: agreement by kind of triple, as in
        :data:`exactmatch.studies.agreement.kinds`.
        units: every unit of every two annotators, the least alike first.
        mean: the mean score of all pairs of annotators that share a unit.
        proven: whether every alignment is proven optimal.
        signature: what determines the numbers beside the data.
        intervals: of the scores, their mean and α, where they were asked for.
        lost: what the metric's reader left out of the graphs.

    Example:
        >>> import exactmatch
        >>> found = exactmatch.agreement({"Ann": ["(c / cat)"], "Bob": ["(d / dog)"]})
        >>> [(role.name, role.matched, role.stated) for role in found.roles]
        [('concept', 0, 2), ('top', 1, 2)]
        >>> [(kind.name, kind.f1) for kind in found.kinds]
        [('concepts', 0.0), ('attributes', 1.0)]
        >>> found
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
        """The mean score of an annotator with the others; ``None`` if there is none."""
        own = [
            p.score.score for p in self.pairs if p.score and name in (p.first, p.second)
        ]
        return sum(own) / len(own) if own else None

    def of(self, first: str, second: str) -> Score | None:
        """The score of two annotators; ``None`` if they share no unit."""
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair.score
        raise KeyError((first, second))
