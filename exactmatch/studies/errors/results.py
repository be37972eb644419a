"""The errors of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from exactmatch.scoring.tables import Losses
from exactmatch.studies.answer import Answer
from exactmatch.studies.errors.errors import ErrorCount, PairErrors, error_counts


@dataclass(frozen=True, eq=False, repr=False)
class Errors(Answer):
    """The errors of one system or of several.

    Attributes:
        pairs: each system's errors, pair by pair.
        signatures: what determines the alignments, for each system.
        lost: what the metric's reader left out of each system's graphs.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG1 (d / dog))", "(b / bark-01 :ARG0 (d / dog))"
    >>> found = exactmatch.studies.count_errors([pred], [gold])
    >>> found
    1 pair, 2 differing triples; 0 pairs with several optimal alignments
    """

    VIEW = "exactmatch.studies.errors.view:tables"

    pairs: Mapping[str, tuple[PairErrors, ...]]
    signatures: tuple[str, ...]
    lost: Losses

    @cached_property
    def counts(self) -> dict[str, list[ErrorCount]]:
        """Each system's errors: each kind, then its types, costly ones first."""
        return {name: error_counts(pairs) for name, pairs in self.pairs.items()}
