"""What an evaluation counts beside its scores.

Warnings by their kind, predictions that are no well-formed graphs, and results whose
search was left open or whose proof was refused.  All of them are frozen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Warned:
    """The warnings of one kind.

    Attributes:
        count: how many there were.
        examples: the texts of the first ones.
    """

    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Predictions:
    """How many predictions are well-formed graphs, and what is wrong with the others.

    A prediction is well-formed if its text is one graph that a careful reader takes
    without leniency.  Sentences are not looked at.

    Attributes:
        count: how many there were, those of pairs that were left out included.
        faulty: how many are not well-formed.
        faults: how many have a fault of each kind; one may have several.
    """

    count: int = 0
    faulty: int = 0
    faults: Mapping[str, int] = field(default_factory=dict)

    @property
    def well_formed(self) -> float | None:
        """The share of well-formed predictions; ``None`` if there was none."""
        return 1 - self.faulty / self.count if self.count else None


@dataclass(frozen=True, slots=True)
class ProofCounts:
    """How many results are unproven, and how many proofs were checked and rejected.

    Attributes:
        unproven: results that a search left open.
        checked, rejected: certificates.
    """

    unproven: int = 0
    checked: int = 0
    rejected: int = 0

    def __add__(self, other: ProofCounts) -> ProofCounts:
        return ProofCounts(
            self.unproven + other.unproven,
            self.checked + other.checked,
            self.rejected + other.rejected,
        )
