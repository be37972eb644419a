"""Exchange tests and intervals from halves of many corpora at once.

The same numbers as :func:`exactmatch.studies.exchange_test` and
:func:`~exactmatch.studies.halves_interval`, a hundred times as fast: corpora of as many
pairs share their coins, and only what a simulation counts is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.scoring.exchange import ENUMERATED, TIE, coins_of, place_of_end

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]

BATCH = 100  # corpora that share coins, and are in memory at once


class Fractions(NamedTuple):
    """Fractions of outputs; the sums of both parts make a corpus' score.

    Both have the shape ``(corpora, pairs)``.  Of a pair that has nothing to score, both
    are 0.
    """

    tops: Floats
    belows: Floats

    @classmethod
    def of(cls, rows: Floats, macro: bool) -> Fractions:
        """Return the fractions of counts, shape ``(corpora, pairs, 3)``."""
        below = rows[..., 1] + rows[..., 2]
        if not macro:
            return cls(2 * rows[..., 0], below)
        own = np.zeros(below.shape)
        np.divide(2 * rows[..., 0], below, out=own, where=below > 0)
        return cls(own, (below > 0).astype(np.float64))

    def at(self, places: Any, order: Any) -> Fractions:
        """Return the fractions of some corpora, with their pairs in this order."""
        tops, belows = self
        return Fractions(tops[places[:, None], order], belows[places[:, None], order])

    def scores(self) -> Floats:
        """Return the score of each corpus; NaN where there is nothing to score."""
        return _ratio(self.tops.sum(axis=1), self.belows.sum(axis=1))


class Outcomes(NamedTuple):
    """Results of exchange tests of many corpora.

    Attributes:
        p: two-sided p-values.
        differing: how many outputs differ in each corpus.
        is_held: whether each 95 % interval holds the true difference.
    """

    p: Floats
    differing: npt.NDArray[np.intp]
    is_held: Bools


def exchange_tests(
    base: Fractions, system: Fractions, truth: float, samples: int, seed: int
) -> Outcomes:
    """Test the difference of the corpora of two systems, whose truth is known."""
    kept = (base.belows + system.belows) > 0
    differs = kept & np.any([a != b for a, b in zip(base, system, strict=True)], axis=0)
    p, is_held = np.ones(len(kept)), np.ones(len(kept), dtype=bool)
    for places, order, coins, is_exact in _batches(kept, differs, samples, seed):
        ours, theirs = base.at(places, order), system.at(places, order)
        observed = theirs.scores() - ours.scores()
        gain = theirs.tops - ours.tops
        our_top, our_weight, their_top, their_weight = (
            part.sum(axis=1) for side in (ours, theirs) for part in side
        )
        extreme, lows, highs = np.zeros((3, len(places)))
        count = 0
        for some in coins:
            moved = some @ gain.T
            ours_below, taken = some @ ours.belows.T, some @ theirs.belows.T
            left, right = (
                our_weight - ours_below + taken,
                their_weight - taken + ours_below,
            )
            exchanged = _ratio(their_top - moved, right)
            exchanged -= _ratio(our_top + moved, left)
            extreme += (~(np.abs(exchanged) < np.abs(observed) - TIE)).sum(axis=0)
            slope = _share(taken, left) - _share(their_weight - taken, right)
            low, high = _ends(observed, exchanged, slope)
            lows += (~(low > truth)).sum(axis=0)
            highs += (~(high < truth)).sum(axis=0)
            count += len(some)
        unseen = 0 if is_exact else 1
        p[places] = (unseen + extreme) / (unseen + count)
        needed = 1 + place_of_end(count, unseen, 0.95)
        is_held[places] = (lows >= needed) & (highs >= needed)
    return Outcomes(p, differs.sum(axis=1), is_held)


def halves_hold(rows: Fractions, truth: float, samples: int, seed: int) -> Bools:
    """Return whether the 95 % interval of each corpus' score holds the true score."""
    kept = rows.belows > 0
    is_held = np.ones(len(kept), dtype=bool)
    for places, order, coins, is_exact in _batches(kept, kept, samples, seed):
        own = rows.at(places, order)
        top, weight = own.tops.sum(axis=1), own.belows.sum(axis=1)
        lows, highs = np.zeros((2, len(places)))
        count = 0
        for some in coins:
            part, below = some @ own.tops.T, some @ own.belows.T
            both = _ratio(part, below), _ratio(top - part, weight - below)
            lows += (~(np.minimum(*both) > truth)).sum(axis=0)
            highs += (~(np.maximum(*both) < truth)).sum(axis=0)
            count += len(some)
        needed = 1 + place_of_end(count, 0 if is_exact else 1, 0.95)
        is_held[places] = (lows >= needed) & (highs >= needed)
    return is_held


def _batches(
    kept: Bools, listed: Bools, samples: int, seed: int
) -> Iterator[tuple[Any, Any, Iterator[Floats], bool]]:
    """Part corpora into batches that share coins.

    Yields:
        the places of a batch's corpora; the order of their pairs, in which listed ones
        come first and those that are not kept are left out; coins for these pairs; and
        whether these are all exchanges.
    """
    sizes, listing = kept.sum(axis=1), listed.sum(axis=1)
    is_few = np.minimum(sizes, listing) <= ENUMERATED
    keys = np.stack((sizes, np.where(is_few, listing, sizes)), axis=1)
    rank = kept.astype(np.intp) + (listed & is_few[:, None])
    order = np.argsort(-rank, axis=1, kind="stable")
    rng = np.random.default_rng(seed)
    for size, first in np.unique(keys, axis=0).tolist():
        alike = np.flatnonzero((keys == (size, first)).all(axis=1))
        for begin in range(0, len(alike) if size else 0, BATCH):
            places = alike[begin : begin + BATCH]
            coins = coins_of(np.arange(size) < first, samples, int(rng.integers(2**32)))
            is_exact = min(size, first) <= ENUMERATED
            yield places, order[places, :size], coins, is_exact


def _ends(observed: Floats, exchanged: Floats, slope: Floats) -> tuple[Floats, Floats]:
    """Return between which gains each exchange is at least as extreme."""
    rise, fall = observed - exchanged, observed + exchanged
    rise[np.abs(rise) <= TIE] = 0.0
    fall[np.abs(fall) <= TIE] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = rise / (1 + slope), fall / (1 - slope)
    low, high = np.minimum(one, other), np.maximum(one, other)
    is_open = (np.abs(slope) > 1 - TIE) | np.isnan(low)
    low[is_open], high[is_open] = -np.inf, np.inf
    return low, high


def _ratio(top: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return top / below


def _share(part: Floats, whole: Floats) -> Floats:
    shares = np.zeros(whole.shape)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
