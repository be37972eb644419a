"""Intervals of scores, from random halves of a corpus or from bootstrap samples.

Everything starts from the *sufficient statistics* of the pairs, one row each
(:mod:`exactmatch.scoring.rows`): the statistics of a corpus are the sum of its rows,
and its score is the metric's score of that sum.  So a corpus with other pairs is a
vector of counts times the rows, and no pair is measured twice.

*halves* scores random halves of the corpus (:mod:`exactmatch.scoring.exchange`);
*percentile* and *bca* (bias-corrected and accelerated) read the interval off bootstrap
samples, drawn with replacement.  All random numbers come from
``numpy.random.default_rng(seed)``.

Few outputs that err say little: see :func:`~.exchange.fewest`.  The bootstrap resamples
nothing below :data:`FEWEST` pairs.

Source: Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapters 13 and
14.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from numbers import Integral
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from exactmatch.base.deadline import OutOfTimeError, check, within
from exactmatch.base.errors import InputError, check_seed, warn_caller
from exactmatch.base.numbers import several
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.score import Score
from exactmatch.scoring.exchange import (
    SAMPLES,
    TIE,
    Matrix,
    SumScorer,
    Vector,
    fewest,
    intervals_by_halves,
)
from exactmatch.scoring.rows import (
    SCORE_NAMES,
    Codes,
    erring,
    mean_scorer,
    only,
    rows_of,
    summed,
    value_rows,
)

Method: TypeAlias = Literal["halves", "bca", "percentile"]
Unit: TypeAlias = Literal["pair", "document"]
Test: TypeAlias = Literal["exchange", "bootstrap"]


FEWEST = 20  # fewer pairs have neither a bootstrap interval nor such a p-value
FEW = 20  # fewer outputs that err make an interval that is too narrow at times
RESAMPLES = 1000  # bootstrap samples that are drawn by default
_COINS = 2 * 10**7  # coins thrown by default: fewer exchanges of very large corpora
_CHECKED = 1000  # samples that are drawn before the time is looked at again
NO_TIME = (
    "no time is left to draw samples, so intervals and p-values are missing; give more "
    "total time, or draw fewer samples"
)
_CHUNK = 2**21  # how many counts are held in memory at once
_MISSED: ContextVar[list[str] | None] = ContextVar("missed", default=None)


@contextmanager
def drawing(until: float | None, note: Callable[[str], object]) -> Iterator[list[str]]:
    """Limit the time of drawing samples, and note once if it was too short.

    Args:
        until: when the time ends, on the clock of ``time.time()``; ``None`` for no end.
        note: receives the remark; callers from Python are warned.

    Yields:
        a list of the remarks, empty as long as the time lasts.
    """
    missed: list[str] = []
    token = _MISSED.set(missed)
    try:
        with within(until=until):
            yield missed
    finally:
        _MISSED.reset(token)
    if missed:
        note(NO_TIME)


def out_of_time() -> None:
    """Warn that something was not drawn, once within :func:`drawing`."""
    missed = _MISSED.get()
    if not missed:
        warn_caller(NO_TIME)
    if missed is not None:
        missed.append(NO_TIME)


def signed_as(items: Iterable[tuple[str, str]]) -> str:
    """Return keys and values in the form of signatures."""
    return "|".join(f"{key}:{value}" for key, value in items)


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval.

    Attributes:
        low, high: its ends.
        level: the share of corpora whose interval covers the true score.
        erring: how many outputs err, where fewer than :data:`FEW` do: the interval
            rests on these and covers less often.
    """

    low: float
    high: float
    level: float
    erring: int | None = None


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling of intervals and tests.

    Attributes:
        samples: how many exchanges, halves or bootstrap samples are drawn; ``None``:
            10,000 exchanges or halves (1,000 of very large corpora), 1,000 bootstrap
            samples.
        level: the confidence level, between 0 and 1.
        seed: seed of what is drawn.
        method: of the intervals of scores: ``halves``, ``bca`` or ``percentile``.
        unit: what is split, drawn and exchanged as a whole: ``pair`` or ``document``.

    Raises:
        InputError: if the level or the number of samples makes no sense.
    """

    samples: int | None = None
    level: float = 0.95
    seed: int = 0
    method: Method = "halves"
    unit: Unit = "pair"

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise InputError(
                f"the confidence level is {self.level:g}; it is a share such as 0.95"
            )
        check_seed(self.seed)
        samples: Any = self.samples
        if samples is not None and not isinstance(samples, Integral):
            raise InputError(f"samples is {samples!r}; it is a whole number")
        if samples is not None and samples < 1:
            raise InputError(f"{samples} samples are too few; draw 1000 or more")
        if self.method not in get_args(Method):
            raise InputError(
                f"unknown interval {self.method!r}; it is 'halves', 'bca' or "
                "'percentile'"
            )
        if self.unit not in get_args(Unit):
            raise InputError(f"unknown unit {self.unit!r}; it is 'pair' or 'document'")

    def drawn(self, units: int, *, coins: bool = True) -> int:
        """Return how many samples are drawn of so many units.

        Args:
            units: pairs or documents of the corpus.
            coins: whether exchanges or halves are drawn, and not bootstrap samples.
        """
        if self.samples is not None:
            return int(self.samples)
        if not coins:
            return RESAMPLES
        return max(RESAMPLES, min(SAMPLES, _COINS // max(units, 1)))

    def signature(self, units: int) -> tuple[str, str]:
        """Return all that determines the intervals of scores beside the data."""
        coins = self.method == "halves"
        drawn = f"{self.drawn(units, coins=coins)},seed:{self.seed}"
        of_unit = "" if self.unit == "pair" else f",unit:{self.unit}"
        level = f"level:{100 * self.level:g}%"
        return "interval", f"{self.method},{drawn},{level}{of_unit}"

    def test_signature(self, test: Test, units: int) -> list[tuple[str, str]]:
        """Return all that determines a test, and the intervals beside it."""
        exchanged, halved = test == "exchange", self.method == "halves"
        return [
            ("test", test),
            ("samples", str(self.drawn(units, coins=exchanged))),
            ("seed", str(self.seed)),
            ("interval", "inverted" if exchanged else self.bootstrap_method),
            ("level", f"{100 * self.level:g}%"),
            ("scores", f"{self.method},{self.drawn(units, coins=halved)}"),
            *([] if self.unit == "pair" else [("unit", self.unit)]),
        ]

    @property
    def bootstrap_method(self) -> Method:
        """The method of intervals of numbers that can only be resampled."""
        return "percentile" if self.method == "percentile" else "bca"

    def resample(self, rows: Matrix, scorer: SumScorer) -> Resamples:
        """Score corpora drawn with replacement from the rows' pairs."""
        rng = np.random.default_rng(self.seed)
        total = rows.sum(axis=0, keepdims=True)
        samples = self.drawn(len(rows), coins=False)
        values = [scorer(n @ rows) for n in resampling_counts(len(rows), samples, rng)]
        is_corrected = self.bootstrap_method == "bca"
        jackknife = scorer(total - rows) if is_corrected else None
        return Resamples(scorer(total)[0], np.concatenate(values), jackknife)

    def intervals(self, rows: Matrix, scorer: SumScorer) -> list[Interval | None]:
        """Return the interval of each number; ``None`` if too little determines it."""
        none = [None] * scorer(rows.sum(axis=0, keepdims=True)).shape[1]
        if self.method != "halves" and len(rows) < FEWEST:
            return [*none]
        try:
            if self.method == "halves":
                return self._halves(rows, scorer)
            resampled = self.resample(rows, scorer)
        except OutOfTimeError:
            out_of_time()
            return [*none]
        return [self.interval(resampled, k) for k in range(len(resampled.estimate))]

    def _halves(self, rows: Matrix, scorer: SumScorer) -> list[Interval | None]:
        samples = self.drawn(len(rows))
        values = scorer(rows)
        made = intervals_by_halves(rows, scorer, samples, self.seed, self.level)
        return [self.between(ends, erring(values[:, k])) for k, ends in enumerate(made)]

    def remark(self, scores: Sequence[float]) -> str:
        """Return why these units' scores have no interval, or a doubtful one.

        It is empty where the interval is fine.
        """
        n = len(scores)
        if self.method != "halves":
            if n >= FEWEST:
                return ""
            return (
                f"no interval of {several(n, self.unit)}; {self.method} takes {FEWEST}"
            )
        what = "output" if self.unit == "pair" else self.unit
        err = erring(np.array(scores, dtype=np.float64))
        errs = "errs" if err == 1 else "err"
        if err < fewest(self.level):
            return f"no interval: only {err} of {several(n, what)} {errs}"
        if err < FEW:
            return f"the interval rests on {err} {what}s that err"
        return ""

    def between(
        self, ends: tuple[float | None, float | None], rests_on: int
    ) -> Interval | None:
        """Return an interval that rests on so many outputs, if they are enough."""
        low, high = ends
        if low is None or high is None or rests_on < fewest(self.level):
            return None
        few = rests_on if rests_on < FEW else None
        return Interval(low, high, self.level, few)

    def interval(self, resampled: Resamples, column: int = 0) -> Interval | None:
        """Return the interval of one column of resampled numbers."""
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


def _chunks(n: int, samples: int) -> Iterator[int]:
    """Yield numbers of samples of *n* pairs to draw at once; they add up to all."""
    step = max(1, _CHUNK // max(n, 1))
    for first in range(0, samples, step):
        yield min(step, samples - first)


def resampling_counts(
    n: int, samples: int, rng: np.random.Generator
) -> Iterator[Matrix]:
    """Yield how often each of *n* pairs is drawn, in chunks of shape ``(some, n)``.

    A chunk is gone when the next one is asked for.
    """
    room: Matrix | None = None
    for m in _chunks(n, samples):
        room = np.empty((m, n)) if room is None else room
        counts = room[:m]
        for k, sample in enumerate(
            counts
        ):  # one by one: all at once take twice the memory
            if k % _CHECKED == 0:
                check()
            sample[:] = np.bincount(rng.integers(n, size=n), minlength=n)
        yield counts


def score_intervals(
    metric: Metric,
    pairs: Sequence[tuple[Statistics, Score]],
    sampling: Sampling,
    codes: Codes | None = None,
) -> tuple[dict[str, Interval], dict[str, Interval]]:
    """Return intervals of a metric's corpus scores, and of their means over pairs.

    Their keys are :data:`SCORE_NAMES`; a number without interval is left out.  Pairs
    without a score are not drawn.  The *codes* of documents say which pairs
    are drawn together.
    """
    having = [(statistics, score) for statistics, score in pairs if score.is_defined]
    codes = only(codes, [score.is_defined for _, score in pairs])
    both = []
    for matrix, scorer in (
        (rows_of([statistics for statistics, _ in having]), metric.score_rows),
        (value_rows(score for _, score in having), mean_scorer),
    ):
        units = summed(matrix, codes)
        intervals = sampling.intervals(units, scorer) if len(matrix) else []
        named = zip(SCORE_NAMES, intervals, strict=False)
        both.append({name: i for name, i in named if i is not None})
    return both[0], both[1]


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
    normal = NormalDist()
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    below = ((values < estimate).mean() + (values <= estimate).mean()) / 2
    distance = jackknife.mean() - jackknife
    spread = float((distance**2).sum())
    if not 0 < below < 1 or spread <= TIE**2:
        return float(tails[0]), float(tails[1])
    z0 = normal.inv_cdf(below)
    acceleration = float((distance**3).sum()) / (6 * spread**1.5)
    shifted = z0 + np.array([normal.inv_cdf(tail) for tail in tails.tolist()])
    slowed = 1 - acceleration * shifted
    if slowed.min() <= 0:
        return float(tails[0]), float(tails[1])
    low, high = (z0 + shifted / slowed).tolist()
    return normal.cdf(low), normal.cdf(high)
