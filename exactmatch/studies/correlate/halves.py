"""Intervals of correlations and errors, from random halves of the items.

They assume no distribution: see :mod:`exactmatch.scoring.exchange`.  If documents are
split as wholes, *codes* has the number of each item's document.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import OutOfTimeError
from exactmatch.scoring.exchange import (
    ENUMERATED,
    Matrix,
    Vector,
    intervals_of_splits,
)
from exactmatch.scoring.resampling import Interval, Sampling, out_of_time
from exactmatch.scoring.rows import Codes, counted
from exactmatch.studies.correlate.grouped import row_pearson

Both: TypeAlias = Callable[[Matrix], tuple[Matrix, Matrix]]

LEAST = 3  # judged items that a half needs
SLOW = 1000  # halves for numbers that are computed anew for each half
_PRODUCTS = 4 * 10**9  # most multiplications for all halves of Kendall's τ
_FEWEST = 200  # least halves for Kendall's τ
_CHECKED = 16  # slow numbers computed between two looks at the clock


def interval_of(
    n: int,
    both: Both,
    sampling: Sampling,
    samples: int | None = None,
    numbers: int = 1,
    codes: Codes | None = None,
    is_slow: bool = False,
) -> Interval | None:
    """Return the interval of a number of *n* items, if there is one and time for it.

    If the number is slow to compute, all halves are enumerated only where they are not
    more than would be drawn.
    """
    drawn = sampling.drawn(counted(codes, n))
    if sampling.samples is None and samples is not None:
        drawn = min(drawn, samples)
    if n < 2 * LEAST:
        return None
    enumerated = min(ENUMERATED, drawn.bit_length() - 1) if is_slow else ENUMERATED
    return intervals_of(n, both, sampling, drawn, numbers, codes, enumerated)[0]


def intervals_of(
    n: int,
    both: Both,
    sampling: Sampling,
    samples: int,
    numbers: int = 1,
    codes: Codes | None = None,
    enumerated: int = ENUMERATED,
) -> list[Interval | None]:
    """Return the intervals of several numbers of *n* items, computed at once."""
    places = None if codes is None else np.unique(codes, return_inverse=True)[1]
    numbers = numbers if codes is None else max(numbers, n)

    def split(coins: Matrix) -> tuple[Matrix, Matrix]:
        return both(coins if places is None else coins[:, places])

    try:
        units, sampling_key = (
            counted(codes, n),
            (sampling.seed, sampling.level, numbers),
        )
        ends = intervals_of_splits(units, split, samples, *sampling_key, enumerated)
    except OutOfTimeError:
        out_of_time()
        return [None] * both(np.ones((1, n)))[0].shape[1]
    return [
        None if low is None or high is None else Interval(low, high, sampling.level)
        for low, high in ends
    ]


def pearson_halves(
    x: Vector, y: Vector, sampling: Sampling, codes: Codes | None = None
) -> Interval | None:
    """Return the interval of Pearson's r."""
    a, b = x - x.mean(), y - y.mean()
    rows = np.stack((np.ones_like(a), a, b, a * a, b * b, a * b), axis=1)
    total = rows.sum(axis=0)
    # sums of constant values are 0 up to rounding
    tiny = 1e-12 * np.abs(total[3:5])

    def r(sums: Matrix) -> Matrix:
        n = np.maximum(sums[:, 0], 1)
        mean_a, mean_b = sums[:, 1] / n, sums[:, 2] / n
        squares = sums[:, 3] - n * mean_a**2, sums[:, 4] - n * mean_b**2
        is_defined = (
            (squares[0] > tiny[0]) & (squares[1] > tiny[1]) & (sums[:, 0] >= LEAST)
        )
        below = np.sqrt(np.where(is_defined, squares[0] * squares[1], 1.0))
        values = (sums[:, 5] - n * mean_a * mean_b) / below
        return np.where(is_defined, np.clip(values, -1, 1), np.nan)[:, None]

    def both(coins: Matrix) -> tuple[Matrix, Matrix]:
        part = coins @ rows
        return r(part), r(total - part)

    return interval_of(len(x), both, sampling, codes=codes)


def spearman_halves(
    x: Vector, y: Vector, sampling: Sampling, codes: Codes | None = None
) -> Interval | None:
    """Return the interval of Spearman's ρ, with ranks within each half."""
    orders = [_Order(values) for values in (x, y)]

    def rho(coins: Matrix) -> Matrix:
        missing = coins == 0
        ranked = [np.where(missing, np.nan, order.ranks(coins)) for order in orders]
        values = row_pearson(*ranked)
        return np.where(coins.sum(axis=1) >= LEAST, values, np.nan)[:, None]

    def both(coins: Matrix) -> tuple[Matrix, Matrix]:
        return rho(coins), rho(1 - coins)

    return interval_of(len(x), both, sampling, codes=codes)


class _Order:
    """Order of values, from which the ranks in any part of them follow."""

    def __init__(self, values: Vector) -> None:
        self.places = np.argsort(values, kind="stable")
        ordered = values[self.places]
        self.starts = np.flatnonzero(np.append(True, ordered[1:] > ordered[:-1]))
        self.of_item = np.empty(len(values), dtype=np.intp)
        steps = np.zeros(len(values), dtype=np.intp)
        steps[self.starts[1:]] = 1
        self.of_item[self.places] = np.cumsum(steps)

    def sizes(self, coins: Matrix) -> Matrix:
        """Return the number of times that each part has each value."""
        sizes: Matrix = np.add.reduceat(coins[:, self.places], self.starts, axis=1)
        return sizes

    def ranks(self, coins: Matrix) -> Matrix:
        """Return each item's rank within each part; equal values share their mean."""
        sizes = self.sizes(coins)
        means = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
        return means[:, self.of_item]


def kendall_halves(
    x: Vector, y: Vector, sampling: Sampling, codes: Codes | None = None
) -> Interval | None:
    """Return the interval of Kendall's τ-b.

    Each half compares all pairs of its items, so for many items fewer halves are drawn:
    as many as 4 · 10⁹ products allow, and at least 200.
    """
    n = len(x)
    orders = _Order(x), _Order(y)

    def margins(parts: Matrix) -> Vector:
        """Return concordant minus discordant pairs of each part."""
        totals = np.zeros(len(parts))
        small = parts.astype(np.float32)  # exact: sums of signs below 2**24
        for first in range(0, n, 2048):
            block = slice(first, first + 2048)
            signs = np.sign(x[block, None] - x) * np.sign(y[block, None] - y)
            sums = small @ signs.astype(np.float32).T
            totals += (sums.astype(np.float64) * parts[:, block]).sum(axis=1)
        return totals / 2

    def untied(parts: Matrix, order: _Order) -> Vector:
        size, sizes = parts.sum(axis=1), order.sizes(parts)
        pairs: Vector = size * (size - 1) / 2 - (sizes * (sizes - 1)).sum(axis=1) / 2
        return pairs

    def tau(parts: Matrix) -> Matrix:
        below = np.sqrt(untied(parts, orders[0]) * untied(parts, orders[1]))
        is_defined = (below > 0) & (parts.sum(axis=1) >= LEAST)
        values = np.full((len(parts), 1), np.nan)
        np.divide(margins(parts), below, out=values[:, 0], where=is_defined)
        return values

    def both(coins: Matrix) -> tuple[Matrix, Matrix]:
        return tau(coins), tau(1 - coins)

    chunk_size = max(_FEWEST, _PRODUCTS // max(1, n * n))
    return interval_of(n, both, sampling, chunk_size, codes=codes)


def any_halves(
    n: int,
    function: Callable[[npt.NDArray[np.intp]], float],
    sampling: Sampling,
    samples: int = SLOW,
    advance: Callable[[], None] = lambda: None,
    codes: Codes | None = None,
) -> Interval | None:
    """Return the interval of a number that a function computes of some items.

    Args:
        n: number of items.
        function: computes the number of the items at these indices; NaN for too few.
        sampling: settings of the halves.
        samples: number of halves by default.
        advance: called for each half.
        codes: the number of each item's document, if documents are split as wholes.
    """

    def both(coins: Matrix) -> tuple[Matrix, Matrix]:
        values = np.empty((2, len(coins), 1))
        for k, coin in enumerate(coins):
            for side in (0, 1):
                items = np.flatnonzero(coin == side)
                has_enough = len(items) >= LEAST
                values[side, k] = function(items) if has_enough else np.nan
            advance()
        return values[0], values[1]

    numbers = 2**21 // _CHECKED
    return interval_of(n, both, sampling, samples, numbers, codes, is_slow=True)


def mean_halves(
    values: Vector, weights: Vector, sampling: Sampling, codes: Codes | None = None
) -> Interval | None:
    """Return the interval of a weighted mean of items."""
    rows = np.stack((values * weights, weights), axis=1)

    def mean(sums: Matrix) -> Matrix:
        means = np.full((len(sums), 1), np.nan)
        np.divide(sums[:, 0], sums[:, 1], out=means[:, 0], where=sums[:, 1] > 0)
        return means

    total = rows.sum(axis=0)

    def both(coins: Matrix) -> tuple[Matrix, Matrix]:
        part = coins @ rows
        return mean(part), mean(total - part)

    return interval_of(len(values), both, sampling, codes=codes)
