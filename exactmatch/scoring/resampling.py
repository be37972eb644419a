"""Bootstrap intervals of scores, and paired tests of differences.

Everything starts from the *sufficient statistics* of the pairs, one row each: a
resampled corpus is a vector of counts that says how often each pair was drawn,
its statistics are the counts times the rows, and its score is the metric's
score of that sum.  No pair is measured twice.

* Bootstrap: the pairs of a corpus are drawn with replacement; the interval is
  read off the resampled scores (*percentile*), or off corrected percentiles
  (*BCa*: bias-corrected and accelerated).
* Paired tests of two systems on the same references: *bootstrap* (what
  differences would resampling yield if there were none) and *randomisation*
  (what differences would exchanging the systems' outputs at random yield; of few
  pairs every exchange is tried, and the p-value is exact).

P-values are two-sided and count the observed corpus among the samples, so none
is 0.  All random numbers come from ``numpy.random.default_rng(seed)``.

A few pairs represent their population badly: resampling them gives intervals that are
too narrow, and differences that do not exist.  Below
:data:`FEWEST` pairs nothing is resampled.

Sources: Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapters
13 to 16; Koehn (2004), "Statistical significance tests for machine
translation evaluation"; Riezler and Maxwell (2005), "On some pitfalls in automatic
evaluation and significance testing for MT"; Noreen (1989), "Computer-Intensive
Methods for Testing Hypotheses"; Holm (1979), "A simple sequentially rejective
multiple test procedure".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError, check_seed
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.score import Score

Vector: TypeAlias = npt.NDArray[np.float64]
Matrix: TypeAlias = npt.NDArray[np.float64]
SumScorer: TypeAlias = Callable[[Matrix], Matrix]
"""From sums of statistics, one row each, to numbers, one row each."""

Method: TypeAlias = Literal["bca", "percentile"]
Test: TypeAlias = Literal["bootstrap", "randomisation"]

SCORE_NAMES = ("precision", "recall", "score")
"""The columns that :meth:`Metric.score_rows` computes."""

FEWEST = 20  # fewer pairs have neither a bootstrap interval nor such a p-value
ENUMERATED = 15  # where no more pairs differ, every exchange is tried: 2¹⁵ at most
_CHUNK = 2**21  # how many counts are held in memory at once

TIE = 1e-12  # differences this close are equal: they differ by the order of summation


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval.

    Attributes:
        low, high: its ends.
        level: the share of corpora whose interval covers the true score.
    """

    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How intervals are computed.

    Attributes:
        samples: how many corpora are resampled.
        level: the confidence level, between 0 and 1.
        seed: seed of the resampling.
        method: ``bca`` or ``percentile``.

    Raises:
        InputError: if the level or the number of samples makes no sense.
    """

    samples: int = 1000
    level: float = 0.95
    seed: int = 0
    method: Method = "bca"

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise InputError(
                f"the confidence level is {self.level:g}; it is a share such as 0.95"
            )
        check_seed(self.seed)
        samples: Any = self.samples
        if not isinstance(samples, Integral):
            raise InputError(f"samples is {samples!r}; it is a whole number")
        if samples < 1:
            raise InputError(f"{samples} samples are too few; draw 1000 or more")
        if self.method not in get_args(Method):
            raise InputError(
                f"unknown interval {self.method!r}; it is 'bca' or 'percentile'"
            )

    def signature(self) -> tuple[str, str]:
        """All that determines the interval beside the data, as key and value."""
        drawn = f"{self.samples},seed:{self.seed},level:{100 * self.level:g}%"
        return "bootstrap", f"{drawn},method:{self.method}"

    def resample(self, rows: Matrix, scorer: SumScorer) -> Resamples:
        """Score corpora drawn with replacement from the rows' pairs."""
        rng = np.random.default_rng(self.seed)
        total = rows.sum(axis=0, keepdims=True)
        drawn = resampling_counts(len(rows), self.samples, rng)
        values = [scorer(counts @ rows) for counts in drawn]
        jackknife = scorer(total - rows) if self.method == "bca" else None
        return Resamples(scorer(total)[0], np.concatenate(values), jackknife)

    def intervals(self, rows: Matrix, scorer: SumScorer) -> list[Interval | None]:
        """The interval of each number, ``None`` if undefined or of too few pairs."""
        if len(rows) < FEWEST:
            return [None] * scorer(rows.sum(axis=0, keepdims=True)).shape[1]
        resampled = self.resample(rows, scorer)
        return [self.interval(resampled, k) for k in range(len(resampled.estimate))]

    def interval(self, resampled: Resamples, column: int = 0) -> Interval | None:
        """The interval of one column of resampled numbers."""
        values = resampled.values[:, column]
        if np.isnan(values).any():
            return None
        low, high = (1 - self.level) / 2, (1 + self.level) / 2
        if resampled.jackknife is not None:
            low, high = bca_quantiles(
                values,
                float(resampled.estimate[column]),
                resampled.jackknife[:, column],
                self.level,
            )
        ends = np.quantile(values, [low, high])
        return Interval(float(ends[0]), float(ends[1]), self.level)


class Resamples(NamedTuple):
    """Numbers of a corpus (*estimate*) and of its resampled versions, one row each."""

    estimate: Vector
    values: Matrix
    jackknife: Matrix | None = None  # of the corpus without each pair, if needed


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A system compared with a baseline on the same references.

    What is resampled is ``None`` where there are fewer than :data:`FEWEST` pairs.

    Attributes:
        difference: the system's score less the baseline's.
        interval: bootstrap interval of the difference.
        p_value: how probable so large a difference, of either sign, is if the
            systems do not differ.
        wins: share of resampled corpora in which the system is better, ties
            counting half (Koehn 2004; the "bootstrap accuracy" of Song and
            Gildea 2019, table 2).
        pairs: how many pairs it is made on.
        exact: whether the p-value counts every exchange instead of samples.
    """

    difference: float
    interval: Interval | None
    p_value: float | None
    wins: float | None
    pairs: int = 0
    exact: bool = False


def rows_of(statistics: Sequence[Statistics]) -> Matrix:
    """The statistics of many pairs as one matrix; short rows end in zeros."""
    width = max((len(row) for row in statistics), default=0)
    rows = np.zeros((len(statistics), width))
    for row, numbers in zip(rows, statistics, strict=True):
        row[: len(numbers)] = numbers
    return rows


def _chunks(n: int, samples: int) -> Iterator[int]:
    """How many samples of *n* pairs to draw at once, until there are enough."""
    step = max(1, _CHUNK // max(n, 1))
    for first in range(0, samples, step):
        yield min(step, samples - first)


def resampling_counts(
    n: int, samples: int, rng: np.random.Generator
) -> Iterator[Matrix]:
    """How often each of *n* pairs is drawn, in chunks of shape ``(some, n)``.

    A chunk is gone when the next one is asked for.
    """
    room: Matrix | None = None
    for m in _chunks(n, samples):
        room = np.empty((m, n)) if room is None else room
        counts = room[:m]
        for sample in counts:  # one by one, as what is drawn takes as much room again
            sample[:] = np.bincount(rng.integers(n, size=n), minlength=n)
        yield counts


def score_intervals(
    metric: Metric, pairs: Sequence[tuple[Statistics, Score]], bootstrap: Bootstrap
) -> tuple[dict[str, Interval], dict[str, Interval]]:
    """Intervals of a metric's numbers for the corpus, and of their means over pairs.

    They are found by :data:`SCORE_NAMES`; a number without interval is left out.  Pairs
    that lack what is scored are not drawn.
    """
    having = [(statistics, score) for statistics, score in pairs if score.is_defined]
    found = []
    for matrix, scorer in (
        (rows_of([statistics for statistics, _ in having]), metric.score_rows),
        (value_rows(score for _, score in having), mean_scorer),
    ):
        intervals = bootstrap.intervals(matrix, scorer) if len(matrix) else []
        named = zip(SCORE_NAMES, intervals, strict=False)
        found.append({name: i for name, i in named if i is not None})
    return found[0], found[1]


def value_rows(scores: Iterable[Score]) -> Matrix:
    """Each pair's precision, recall and score, and a one; zeros without a score."""
    width = len(SCORE_NAMES) + 1
    rows = [
        [*(getattr(score, name) for name in SCORE_NAMES), 1.0]
        if score.is_defined
        else [0.0] * width
        for score in scores
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, width)


def mean_scorer(sums: Matrix) -> Matrix:
    """Means of values, from sums of rows that end in a column of ones.

    The mean of nothing is NaN.
    """
    means = np.full((len(sums), sums.shape[1] - 1), np.nan)
    np.divide(sums[:, :-1], sums[:, -1:], out=means, where=sums[:, -1:] > 0)
    return means


def bca_quantiles(
    values: Vector, estimate: float, jackknife: Vector, level: float
) -> tuple[float, float]:
    """Choose the quantiles of the resampled values that bound the interval.

    With the bias correction ``z0 = Φ⁻¹(share of values below the estimate)`` and
    the acceleration ``a = Σ d³ / 6 (Σ d²)^1.5``, ``d`` being the jackknife
    values' distances below their mean, the ends are ``Φ(z0 + (z0 + z) / (1 -
    a (z0 + z)))`` for ``z = Φ⁻¹((1 ± level) / 2)``.  Where a correction is
    infinite or undefined, or would put the ends in the wrong order, the plain
    percentiles remain.

    Source: Efron and Tibshirani (1993), equations 14.9 to 14.15.
    """
    from scipy.special import ndtr, ndtri

    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    below = ((values < estimate).mean() + (values <= estimate).mean()) / 2
    distance = jackknife.mean() - jackknife
    spread = float((distance**2).sum())
    if not 0 < below < 1 or spread <= TIE**2:
        return float(tails[0]), float(tails[1])
    z0 = float(ndtri(below))
    acceleration = float((distance**3).sum()) / (6 * spread**1.5)
    shifted = z0 + ndtri(tails)
    slowed = 1 - acceleration * shifted
    if slowed.min() <= 0:
        return float(tails[0]), float(tails[1])
    corrected = ndtr(z0 + shifted / slowed)
    return float(corrected[0]), float(corrected[1])


def paired_test(
    baseline: Matrix,  # statistics, a row for each pair
    system: Matrix,
    scorer: SumScorer,
    column: int,  # which of its numbers is tested
    bootstrap: Bootstrap,  # samples, level and seed, for both tests
    test: Test = "bootstrap",  # where the p-value comes from
    having: int | None = None,  # pairs with what is scored, of who has fewer
) -> PairedTest:
    """Whether a system's score differs from a baseline's on the same pairs.

    ``bootstrap``: p = (1 + #{|d* - mean d*| >= |d|}) / (1 + samples), with d* the
    differences of resampled corpora (Riezler and Maxwell 2005, figure 2; Efron and
    Tibshirani 1993, section 16.4).  ``randomisation``: the same share with d* the
    differences after each pair's two outputs were exchanged with probability 1/2
    (Noreen 1989; Riezler and Maxwell 2005, figure 1); where the outputs of
    :data:`ENUMERATED` pairs or fewer differ p = #{|d*| >= |d|} / 2ⁿ, over all exchanges
    of these *n* (Efron and Tibshirani 1993, section 15.2).

    """
    having = len(baseline) if having is None else having
    width = baseline.shape[1]

    def differences(sums: Matrix) -> Matrix:
        ours, theirs = scorer(sums[:, width:]), scorer(sums[:, :width])
        return (ours - theirs)[:, column : column + 1]

    both = np.hstack((baseline, system))
    observed = float(differences(both.sum(axis=0, keepdims=True))[0, 0])
    interval = wins = p_value = null = None
    if having >= FEWEST:
        resampled = bootstrap.resample(both, differences)
        drawn = resampled.values[:, 0]
        interval = bootstrap.interval(resampled)
        wins = float(((drawn > TIE).mean() + (drawn >= -TIE).mean()) / 2)
        null = drawn - drawn.mean()
    change = np.hstack((system, baseline)) - both
    differing = change.any(axis=1)
    exact = test == "randomisation" and int(differing.sum()) <= ENUMERATED
    if test == "randomisation":
        change = change[differing] if exact else change
        total = both.sum(axis=0)
        exchanges = _exchanges(len(change), exact, bootstrap)
        found = [differences(total + chosen @ change) for chosen in exchanges]
        null = np.concatenate(found)[:, 0]
    if null is not None:  # what leaves a system without a score is as far as can be
        extreme = int((~(np.abs(null) < abs(observed) - TIE)).sum())
        unseen = 0 if exact else 1  # the observed corpus is among all exchanges
        p_value = (unseen + extreme) / (unseen + len(null))
    return PairedTest(observed, interval, p_value, wins, having, exact)


def _exchanges(n: int, every: bool, bootstrap: Bootstrap) -> Iterator[Matrix]:
    """Ways to exchange the outputs of *n* pairs, one row each of 0 and 1."""
    if every:
        numbers = np.arange(2**n)[:, None]
        yield (numbers >> np.arange(n) & 1).astype(np.float64)
        return
    rng = np.random.default_rng(bootstrap.seed)
    for m in _chunks(n, bootstrap.samples):
        yield rng.integers(2, size=(m, n)).astype(np.float64)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number, in the same order.

    The k-th smallest of m is multiplied by m - k + 1, and none becomes smaller than
    the one before it.  If corrected p-values below 0.05 count as significant, the
    probability of any false one in the family is at most 0.05.

    Source: Holm (1979), section 2.
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, place in enumerate(order):
        factor = len(p_values) - rank
        largest = max(largest, min(1.0, factor * p_values[place]))
        corrected[place] = largest
    return corrected


def influence(
    baseline: Matrix, system: Matrix, scorer: SumScorer, column: int
) -> Vector:
    """How much of the difference rests on each pair: what is lost without it.

    Without its only pair a corpus has no difference to lose.
    """
    whole = scorer(np.stack((baseline.sum(axis=0), system.sum(axis=0))))[:, column]
    difference = whole[1] - whole[0]
    if len(baseline) == 1:
        return np.array([difference])
    ours, theirs = (scorer(rows.sum(axis=0) - rows) for rows in (system, baseline))
    without = ours - theirs
    lost: Vector = difference - np.nan_to_num(without[:, column])
    return lost
