"""The scores of systems at every cutoff of similarity."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from exactmatch.studies.answer import Answer
from exactmatch.studies.thresholds.cutoffs import Steps, f1_of
from exactmatch.studies.thresholds.shares import Lead, Piece, at, joined, leads

SAME = 1e-9
"""Scores that differ by less are equal: they are sums in doubles."""


class Stretch(NamedTuple):
    """Cutoffs that give one score.

    Attributes:
        low, high: the score is that of every cutoff above *low* and up to *high*; the
            first stretch holds 0, too.  With S²Match the stretch begins with *low* and
            ends below *high*.
        f1: the score, proven.
    """

    low: float
    high: float
    f1: float


def merged(pairs: Sequence[Steps], macro: bool = False) -> tuple[Stretch, ...]:
    """Add the steps of all pairs up; *macro* takes the mean of their F1 instead."""
    if not pairs:
        return (Stretch(0.0, 1.0, 0.0),)
    values = [f1_of(pair) if macro else np.array(pair.matched) for pair in pairs]
    begins = np.concatenate([pair.ends[:-1] for pair in pairs])
    changes = np.concatenate([np.diff(v, prepend=0.0) for v in values])
    lows, place = np.unique(begins, return_inverse=True)
    levels = np.cumsum(np.bincount(place.ravel(), changes))
    f1 = levels / len(pairs)
    if not macro:
        pred, gold = np.sum([pair.totals for pair in pairs], axis=0)
        f1 = f1_of(pairs[0]._replace(matched=tuple(levels), totals=(pred, gold)))
    found: list[Stretch] = []  # those of equal scores are one
    for low, high, score in zip(lows, [*lows[1:], 1.0], f1, strict=True):
        if found and abs(score - found[-1].f1) <= SAME:
            found[-1] = found[-1]._replace(high=float(high))
        else:
            found.append(Stretch(float(low), float(high), float(score)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _System:
    """One system.

    Attributes:
        name: what it is called.
        pairs: how many pairs were scored.
        unproven: how many of them have a score that is not proven.
        solved: how many solutions all of it took.
    """

    name: str
    pairs: int
    unproven: int
    solved: int


@dataclass(frozen=True, slots=True)
class SystemThresholds(_System):
    """One system's scores at every cutoff.

    Attributes:
        stretches: the scores; they fall.
    """

    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Thresholds(Answer):
    """The scores of systems at every cutoff.

    Attributes:
        counts_equal: whether similarities that are equal to the cutoff count.
        macro: whether scores are means over pairs.
        signature: what determines the scores, but for the cutoff.

    >>> from exactmatch.studies import thresholds_of_systems
    >>> gold = [[("cat", "eats", "mouse")]]
    >>> systems = {"a": [[("cat", "eat", "fly")]], "b": [[("cats", "eat", "mice")]]}
    >>> found = thresholds_of_systems(
    ...     systems, gold, node_similarity="lcs", edge_similarity="lcs"
    ... )
    >>> [(lead.best, round(lead.low, 2), round(lead.high, 2)) for lead in found.leads()]
    [('b', 0.0, 0.22), ('a', 0.22, 1.0)]
    """

    VIEW = "exactmatch.studies.thresholds.view:tables"

    systems: tuple[SystemThresholds, ...]
    counts_equal: bool
    macro: bool
    signature: str

    def f1(self, system: int, cutoff: float) -> float:
        """The score of a system at one cutoff."""
        stretches = self.systems[system].stretches
        ends = [stretch.high for stretch in stretches]
        find = bisect_left if self.counts_equal else bisect_right
        return stretches[min(find(ends, cutoff), len(ends) - 1)].f1

    def ends(self) -> list[float]:
        """All cutoffs at which any score changes, with 0 and 1."""
        return sorted(
            {0.0, 1.0, *(s.high for one in self.systems for s in one.stretches)}
        )

    def rows(self) -> Iterator[tuple[float, float, list[float]]]:
        """Yield each stretch on which no score changes, with all systems' scores."""
        for low, high in pairwise(self.ends()):
            at = high if self.counts_equal else low
            yield low, high, [self.f1(k, at) for k in range(len(self.systems))]

    def leads(self) -> tuple[Lead, ...]:
        """For which cutoffs which of the first two systems is better."""
        found = []
        for low, high, (one, other, *_) in self.rows():
            best, size = None, 0.0
            if abs(one - other) > SAME:
                best, size = self.systems[one < other].name, abs(one - other)
            found.append(Lead(low, high, best, size, size))
        return tuple(joined(found))


@dataclass(frozen=True, slots=True)
class SystemShares(_System):
    """One system's scores at every weight of edges beside nodes.

    Attributes:
        pieces: what matches between two weights; F1 is monotone on each.
    """

    pieces: tuple[Piece, ...]

    def f1(self, share: float) -> float:
        """F1 at a weight."""
        return at(self.pieces, share).f1(share)


@dataclass(frozen=True, eq=False, repr=False)
class Shares(Answer):
    """The scores of systems at every weight of edges beside nodes.

    Attributes:
        signature: what determines the scores, but for the weights.
    """

    VIEW = "exactmatch.studies.thresholds.view:share_tables"

    systems: tuple[SystemShares, ...]
    signature: str

    def leads(self) -> tuple[Lead, ...]:
        """For which weights which of the first two systems is better."""
        one, other = self.systems[:2]
        return tuple(joined(leads(one.pieces, other.pieces, (one.name, other.name))))
