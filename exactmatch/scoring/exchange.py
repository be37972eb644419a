"""The exchange test of a difference, and intervals that follow from the same idea.

A system is compared with a baseline on the same pairs.  If the two do not differ, the
outputs of a pair might as well be exchanged; an *exchange* does so for some of the
pairs, and the p-value is the share of exchanges whose corpora differ at least as much
as the real ones:

.. code-block:: text

            pair 1  pair 2  pair 3      corpus scores     difference
    real    A B     A B     A B         A 0.70  B 0.76     0.06
    1 0 1   B A     A B     B A         A 0.75  B 0.71    -0.04
    0 1 1   A B     B A     B A         A 0.77  B 0.69    -0.08   as large: counts

The *interval of a difference* inverts the test: it holds every gain that could be taken
from the system without the test refusing it.  It contains 0 exactly if p > 1 - level,
so test and interval never contradict each other.

The *interval of a score* splits the corpus at random into two parts and scores both
(Hartigan's typical values): it is the same inversion for one system.

Sources: Noreen (1989), "Computer-Intensive Methods for Testing Hypotheses", chapter 2;
Riezler and Maxwell (2005), "On some pitfalls in automatic evaluation and significance
testing for MT", figure 1; Hartigan (1969), "Using subsample values as typical values".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import check
from exactmatch.base.errors import InputError, check_seed

Vector: TypeAlias = npt.NDArray[np.float64]
Matrix: TypeAlias = npt.NDArray[np.float64]
SumScorer: TypeAlias = Callable[[Matrix], Matrix]
"""Turns sums of statistics, one row each, into scores, one row each."""

ENUMERATED = 15  # where no more pairs differ, every exchange is tried: 2¹⁵ at most
SAMPLES = 10_000  # exchanges or splits that are drawn by default
TIE = 1e-12  # differences this close are equal: they differ by the order of summation
_CHUNK = 2**21  # coins that are held in memory at once


class ExchangeTest(NamedTuple):
    """A difference of two systems, with its p-value and its interval.

    Attributes:
        difference: the system's score less the baseline's.
        p: two-sided p-value of the exchange test, in (0, 1].
        exact: whether every exchange of the differing outputs was counted.
        differing: pairs in which the two outputs have different statistics.
        interval: the ends of the interval; ``None`` for an end without a bound.

    >>> from exactmatch.studies import exchange_test
    >>> exchange_test([(9, 10, 10)], [(8, 10, 10)]).p
    1.0
    """

    difference: float
    p: float
    exact: bool
    differing: int
    interval: tuple[float | None, float | None]


class Sides(NamedTuple):
    """Two systems' statistics of the same pairs, and what each output weighs.

    The weight of an output is the denominator of its score: predicted and reference
    triples for F1, 1 for a mean over pairs and for scores that are not a fraction.
    """

    base: Matrix  # a row a pair
    system: Matrix
    base_weights: Vector
    system_weights: Vector


def fewest(level: float) -> int:
    """Return how many outputs must differ for a p-value of at most 1 - level.

    With *k* differing outputs the smallest p-value is 2 / 2ᵏ.

    >>> fewest(0.95), fewest(0.99)
    (6, 8)
    """
    return 1 + math.ceil(math.log2(1 / (1 - level)) - TIE)


def compare_by_exchange(
    sides: Sides, scorer: SumScorer, column: int, samples: int, seed: int, level: float
) -> ExchangeTest:
    """Test one column of the scores of two corpora by exchanging outputs.

    Of at most :data:`ENUMERATED` pairs all exchanges are tried; where at most so many
    outputs differ, all exchanges of these, each equally often, with random coins for
    the other pairs, which move the interval alone.
    """
    width = sides.base.shape[1]

    def difference(sums: Matrix) -> Vector:
        both = scorer(sums[:, width:]), scorer(sums[:, :width])
        return both[0][:, column] - both[1][:, column]

    both = np.hstack((sides.base, sides.system))
    change = np.hstack((sides.system, sides.base)) - both
    differs = change.any(axis=1)
    differing = int(differs.sum())
    total = both.sum(axis=0)
    observed = float(difference(total[None])[0])
    weights = np.stack((sides.base_weights, sides.system_weights), axis=1)
    whole = weights.sum(axis=0)
    lows, highs, extreme = [], [], 0
    columns = np.hstack((change, weights))
    exact = min(len(both), differing) <= ENUMERATED
    for coins in coins_of(differs, samples, seed):
        check()
        moved = coins @ columns
        exchanged = difference(total + moved[:, :-2])
        from_base, from_system = moved[:, -2], moved[:, -1]
        kept = whole[1] - from_system
        own = _share(kept, kept + from_base)
        lost = _share(from_system, whole[0] - from_base + from_system)
        low, high = _inverted(observed, exchanged, lost - own)
        lows.append(low)
        highs.append(high)
        extreme += int((~(np.abs(exchanged) < abs(observed) - TIE)).sum())
    unseen = 0 if exact else 1  # the real corpus is among all exchanges
    count = sum(map(len, lows))
    p = (unseen + extreme) / (unseen + count)
    interval = _between(np.concatenate(lows), np.concatenate(highs), level, unseen)
    return ExchangeTest(observed, p, exact, differing, interval)


def _inverted(observed: float, exchanged: Vector, slope: Vector) -> tuple[Vector, ...]:
    """Return the gains between which each exchange is at least as extreme.

    A gain δ taken from the system's outputs changes an exchanged difference by
    *slope* · δ and the observed one by -δ.
    """
    rise, fall = observed - exchanged, observed + exchanged
    for numerator in (rise, fall):
        numerator[np.abs(numerator) <= TIE] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack((rise / (1 + slope), fall / (1 - slope)))
    everywhere = (np.abs(slope) > 1 - TIE) | np.isnan(ends).any(axis=0)
    low = np.where(everywhere, -np.inf, ends.min(axis=0))
    high = np.where(everywhere, np.inf, ends.max(axis=0))
    return low, high


def _share(part: Vector, whole: Vector) -> Vector:
    shares = np.zeros(len(part))
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def _between(
    lows: Vector, highs: Vector, level: float, unseen: int
) -> tuple[float | None, float | None]:
    """Return the j-th smallest low and the j-th largest high end."""
    count = len(lows)
    place = place_of_end(count, unseen, level)
    if place >= count:
        return None, None
    low = float(np.partition(lows, place)[place])
    high = float(np.partition(highs, count - 1 - place)[count - 1 - place])
    return (low if math.isfinite(low) else None), (
        high if math.isfinite(high) else None
    )


def place_of_end(count: int, unseen: int, level: float) -> int:
    """Return the place, from 0, of an interval's end among *count* ordered ends.

    Args:
        count: how many exchanges or splits there are.
        unseen: 1 if they are random ones, which may lack the real corpus; else 0.
        level: the confidence level.

    >>> place_of_end(1024, 0, 0.95), place_of_end(10_000, 1, 0.95)
    (51, 499)
    """
    return max(0, math.floor((1 - level) * (count + unseen) - unseen + TIE))


def intervals_by_halves(
    rows: Matrix, scorer: SumScorer, samples: int, seed: int, level: float
) -> list[tuple[float | None, float | None]]:
    """Return an interval for each column of a corpus' scores, from random halves.

    Of at most :data:`ENUMERATED` pairs every split is tried.  A part without any pair,
    or without what is scored, bounds nothing.
    """
    total = rows.sum(axis=0)

    def both(coins: Matrix) -> tuple[Matrix, Matrix]:
        part = coins @ rows
        return scorer(part), scorer(total - part)

    return intervals_of_splits(len(rows), both, samples, seed, level)


def intervals_of_splits(
    n: int,
    both: Callable[[Matrix], tuple[Matrix, Matrix]],
    samples: int,
    seed: int,
    level: float,
    numbers: int = 1,
    enumerated: int = ENUMERATED,
) -> list[tuple[float | None, float | None]]:
    """Return an interval for each number that can be computed of a part of *n* items.

    Args:
        n: how many items there are.
        both: computes numbers of both parts, a row each, of splits, a row each of 0
            and 1; NaN where a part is too small for a number, which bounds nothing.
        samples: splits that are drawn of more items than *enumerated*.
        seed: their seed.
        level: the confidence level.
        numbers: how many numbers each split takes in memory, beside its coins.
        enumerated: of at most so many items every split is tried.
    """
    lows, highs = [], []
    for coins in exchanges(n, samples, seed, numbers, enumerated):
        check()
        scores = np.stack(both(coins))
        size = coins.sum(axis=1)
        scores[:, (size == 0) | (size == n)] = np.nan
        missing = np.isnan(scores).any(axis=0)
        lows.append(np.where(missing, -np.inf, scores.min(axis=0)))
        highs.append(np.where(missing, np.inf, scores.max(axis=0)))
    low, high = np.concatenate(lows), np.concatenate(highs)
    unseen = 0 if n <= enumerated else 1
    return [_between(low[:, k], high[:, k], level, unseen) for k in range(low.shape[1])]


def exchanges(
    n: int, samples: int, seed: int, numbers: int = 1, enumerated: int = ENUMERATED
) -> Iterator[Matrix]:
    """Yield exchanges of *n* pairs, a row each of 0 and 1, in chunks.

    Args:
        n: how many pairs there are.
        samples: how many are drawn of more pairs.
        seed: seed of what is drawn.
        numbers: how many numbers are computed from each exchange; chunks are smaller
            for more.
        enumerated: of at most so many pairs every exchange is tried.
    """
    for coins in coins_of(np.ones(n, dtype=bool), samples, seed, enumerated):
        step = max(1, _CHUNK // max(numbers, 1))
        for first in range(0, len(coins), step):
            yield coins[first : first + step]


def coins_of(
    differs: npt.NDArray[np.bool_],
    samples: int,
    seed: int,
    enumerated: int = ENUMERATED,
) -> Iterator[Matrix]:
    """Yield exchanges of pairs, a row each of 0 and 1, in chunks.

    All of them for few pairs; all of the differing pairs, with random coins for the
    others, where few differ; else random ones.
    """
    n = len(differs)
    listed = np.ones(n, dtype=bool) if n <= enumerated else differs
    k = int(listed.sum())
    rng = np.random.default_rng(seed)
    if k > enumerated:
        for size in _chunks(n, samples):
            yield _random(size, n, rng)
        return
    repeats = 1 if k == n else -(-samples // 2**k)
    patterns = (np.arange(2**k)[:, None] >> np.arange(k) & 1).astype(np.float64)
    first = 0
    for size in _chunks(n, repeats * 2**k):
        rows = np.arange(first, first + size) % 2**k
        coins = _random(size, n, rng) if k < n else np.empty((size, n))
        coins[:, listed] = patterns[rows]
        first += size
        yield coins


def _random(size: int, n: int, rng: np.random.Generator) -> Matrix:
    packed = rng.integers(256, size=(size, -(-n // 8)), dtype=np.uint8)
    return np.unpackbits(packed, axis=1, count=n).astype(np.float64)


def _chunks(n: int, samples: int) -> Iterator[int]:
    step = max(1, _CHUNK // max(n, 1))
    for first in range(0, samples, step):
        yield min(step, samples - first)


def exchange_test(
    base: Any,
    system: Any,
    *,
    macro: bool = False,
    samples: int = SAMPLES,
    seed: int = 0,
    confidence: float = 0.95,
) -> ExchangeTest:
    """Compare two systems' F1 on the same pairs by the exchange test.

    Args:
        base: counts of the baseline's pairs: matched, predicted and reference triples,
            shape (pairs, 3).
        system: those of the system's pairs.
        macro: compare the means of the pairs' F1 instead of the F1 of the sums.
        samples: exchanges that are drawn where more than 15 outputs differ.
        seed: seed of the random exchanges.
        confidence: level of the interval, between 0 and 1.

    Returns:
        the difference (the system's score less the baseline's), its two-sided
        ``p``, whether that is ``exact``, how many outputs are ``differing``, and the
        ``interval`` of the difference, with ``None`` for an end without a bound.

    Raises:
        InputError: if the shapes differ, a count is negative or not finite, or an
            option is out of range.

    Source: Noreen (1989), chapter 2; the interval inverts the test.

    >>> base = [(9, 10, 10)] * 12
    >>> test = exchange_test(base, [(8, 10, 10)] * 6 + base[6:])
    >>> test.p, test.exact, test.differing
    (0.03125, True, 6)
    >>> [round(end, 4) for end in test.interval]
    [-0.0833, -0.0167]
    """
    _check(samples, seed, confidence)
    rows = _counts("base", base), _counts("system", system)
    if len(rows[0]) != len(rows[1]):
        raise InputError(
            f"base has {len(rows[0])} pairs and system {len(rows[1])}; both need the "
            "same pairs in the same order"
        )
    if not len(rows[0]):
        raise InputError("there are no pairs; compare at least one")
    if macro:
        ours, theirs = (_values(side) for side in rows)
        sides = Sides(ours, theirs, ours[:, 1], theirs[:, 1])
        return compare_by_exchange(sides, _mean, 0, samples, seed, confidence)
    first, second = (side[:, 1] + side[:, 2] for side in rows)
    sides = Sides(*rows, first, second)
    return compare_by_exchange(sides, _f1, 0, samples, seed, confidence)


def halves_interval(
    rows: Any,
    *,
    macro: bool = False,
    samples: int = SAMPLES,
    seed: int = 0,
    confidence: float = 0.95,
) -> tuple[float | None, float | None]:
    """Return the interval of a corpus' F1, from random halves of its pairs.

    Args:
        rows: matched, predicted and reference triples of each pair, shape (pairs, 3).
        macro: the interval of the mean of the pairs' F1 instead.
        samples: splits that are drawn where there are more than 15 pairs.
        seed: seed of the random splits.
        confidence: level of the interval, between 0 and 1.

    Returns:
        its low and its high end, in [0, 1]; ``None`` for an end without a bound.

    Raises:
        InputError: if the shape is another one, a count is negative or not finite, or
            an option is out of range.

    Source: Hartigan (1969), "Using subsample values as typical values".

    >>> low, high = halves_interval([(8, 10, 10), (9, 10, 10), (7, 10, 10)] * 4)
    >>> round(low, 4), round(high, 4)
    (0.75, 0.85)
    """
    _check(samples, seed, confidence)
    counts = _counts("rows", rows)
    if not len(counts):
        return None, None
    if macro:
        return intervals_by_halves(_values(counts), _mean, samples, seed, confidence)[0]
    return intervals_by_halves(counts, _f1, samples, seed, confidence)[0]


def _check(samples: int, seed: int, confidence: float) -> None:
    check_seed(seed)
    if isinstance(samples, bool) or not isinstance(samples, int | np.integer):
        raise InputError(f"samples is {samples!r}; it is a whole number")
    if samples < 1:
        raise InputError(f"samples is {samples}; draw at least 1, such as {SAMPLES}")
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence!r}; it is a share such as 0.95")


def _counts(name: str, rows: Any) -> Matrix:
    try:
        counts = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is not an array of numbers") from None
    if counts.size == 0:
        return np.zeros((0, 3))
    if counts.ndim != 2 or counts.shape[1] != 3:
        raise InputError(
            f"{name} has the shape {counts.shape}; it is (pairs, 3): matched, "
            "predicted and reference triples"
        )
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise InputError(f"{name} has a count that is negative or not finite")
    return counts


def _f1(sums: Matrix) -> Matrix:
    """Return F1 = 2 · matched / (predicted + reference); NaN where nothing counts."""
    below = sums[:, 1] + sums[:, 2]
    scores = np.full((len(sums), 1), np.nan)
    np.divide(2 * sums[:, 0], below, out=scores[:, 0], where=below > 0)
    return scores


def _values(counts: Matrix) -> Matrix:
    """Return each pair's F1 and a one; zeros where nothing counts."""
    values = _f1(counts)[:, 0]
    defined = ~np.isnan(values)
    return np.stack((np.where(defined, values, 0.0), defined.astype(np.float64)), 1)


def _mean(sums: Matrix) -> Matrix:
    means = np.full((len(sums), 1), np.nan)
    np.divide(sums[:, 0], sums[:, 1], out=means[:, 0], where=sums[:, 1] > 0.5)
    return means
