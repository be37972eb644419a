"""Paired tests of two systems on the same references.

The *exchange* test (:mod:`exactmatch.scoring.exchange`) holds its level, and its
interval never contradicts its p-value; the *bootstrap* test is kept for comparison with
older tables.  P-values are two-sided and never 0, because the observed corpus counts as
a sample.

Sources: Noreen (1989), "Computer-Intensive Methods for Testing Hypotheses"; Efron and
Tibshirani (1993), "An Introduction to the Bootstrap", chapters 13 to 16; Koehn (2004),
"Statistical significance tests for machine translation evaluation"; Riezler and Maxwell
(2005), "On some pitfalls in automatic evaluation and significance testing for MT"; Holm
(1979), "A simple sequentially rejective multiple test procedure".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from exactmatch.base.deadline import OutOfTimeError
from exactmatch.scoring.exchange import (
    TIE,
    Matrix,
    Sides,
    SumScorer,
    Vector,
    compare_by_exchange,
)
from exactmatch.scoring.resampling import FEWEST, Interval, Sampling, Test, out_of_time

Weights: TypeAlias = Callable[[Matrix], Vector]
"""Returns what each row weighs in a corpus score; see :meth:`Metric.output_weights`."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A system compared with a baseline on the same references.

    Attributes:
        difference: the system's score less the baseline's.
        interval: of the difference, where enough outputs differ.
        p_value: how probable so large a difference, of either sign, is if the outputs
            of a pair might as well be exchanged; ``None`` from the bootstrap test of
            fewer than :data:`FEWEST` pairs.
        wins: share of bootstrap samples in which the system is better, ties counting
            half (Koehn 2004; the "bootstrap accuracy" of Song and Gildea 2019, table
            2); ``None`` from the exchange test.
        pairs: how many pairs it is made on.
        exact: whether the p-value counts every exchange instead of samples.
        better, worse: in how many pairs the system's own score is higher, and lower.
        differing: pairs whose two outputs have different statistics.
        late: whether no time was left to test it.
        documents: how many documents are exchanged as wholes, if they are; outputs
            above are documents then.
    """

    difference: float
    interval: Interval | None
    p_value: float | None
    wins: float | None = None
    pairs: int = 0
    exact: bool = False
    better: int = 0
    worse: int = 0
    differing: int = 0
    late: bool = False
    documents: int | None = None

    @property
    def units(self) -> int:
        """The number of pairs or documents that are exchanged."""
        return self.pairs if self.documents is None else self.documents


def paired_test(
    baseline: Matrix,  # statistics, a row for each pair
    system: Matrix,
    scorer: SumScorer,
    weights: Weights,
    column: int,  # which of its numbers is tested
    sampling: Sampling,
    test: Test = "exchange",  # where the p-value comes from
    having: int | None = None,  # pairs with what is scored, of the side with fewer
) -> PairedTest:
    """Test whether a system's score differs from a baseline's on the same pairs.

    ``exchange``: :func:`~exactmatch.scoring.exchange.compare_by_exchange`.
    ``bootstrap``: p = (1 + #{|d* - mean d*| >= |d|}) / (1 + samples), with d* the
    differences of resampled corpora (Riezler and Maxwell 2005, figure 2; Efron and
    Tibshirani 1993, section 16.4).
    """
    having = len(baseline) if having is None else having
    values = scorer(system)[:, column] - scorer(baseline)[:, column]
    better, worse = int((values > TIE).sum()), int((values < -TIE).sum())
    if test == "bootstrap":
        made = _bootstrap_test(baseline, system, scorer, column, sampling, having)
        differing = int((baseline != system).any(axis=1).sum())
        return replace(made, better=better, worse=worse, differing=differing)
    sides = Sides(baseline, system, weights(baseline), weights(system))
    samples = sampling.drawn(len(baseline))
    try:
        compared = compare_by_exchange(
            sides, scorer, column, samples, sampling.seed, sampling.level
        )
    except OutOfTimeError:
        return _untested(baseline, system, scorer, column, having)
    return PairedTest(
        compared.difference,
        replace(between, erring=None)
        if (between := sampling.between(compared.interval, compared.differing))
        else None,
        compared.p,
        pairs=having,
        exact=compared.exact,
        better=better,
        worse=worse,
        differing=compared.differing,
    )


def _bootstrap_test(
    baseline: Matrix,
    system: Matrix,
    scorer: SumScorer,
    column: int,
    sampling: Sampling,
    having: int,
) -> PairedTest:
    width = baseline.shape[1]

    def differences(sums: Matrix) -> Matrix:
        ours, theirs = scorer(sums[:, width:]), scorer(sums[:, :width])
        return (ours - theirs)[:, column : column + 1]

    both = np.hstack((baseline, system))
    observed = float(differences(both.sum(axis=0, keepdims=True))[0, 0])
    if having < FEWEST:
        return PairedTest(observed, None, None, pairs=having)
    try:
        resampled = sampling.resample(both, differences)
    except OutOfTimeError:
        return _untested(baseline, system, scorer, column, having)
    drawn = resampled.values[:, 0]
    wins = float(((drawn > TIE).mean() + (drawn >= -TIE).mean()) / 2)
    null = drawn - drawn.mean()
    # a sample that leaves a system without a score is as far as can be
    extreme = int((~(np.abs(null) < abs(observed) - TIE)).sum())
    p_value = (1 + extreme) / (1 + len(null))  # the observed corpus counts
    return PairedTest(observed, sampling.interval(resampled), p_value, wins, having)


def _untested(
    baseline: Matrix, system: Matrix, scorer: SumScorer, column: int, having: int
) -> PairedTest:
    """Return the difference alone: no time is left to test it."""
    out_of_time()
    ours, theirs = (scorer(side.sum(axis=0)[None]) for side in (system, baseline))
    difference = float((ours - theirs)[0, column])
    differing = int((baseline != system).any(axis=1).sum())
    return PairedTest(
        difference, None, None, pairs=having, differing=differing, late=True
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number; the order stays.

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
    """Return how much of the difference is lost without each pair.

    A corpus of one pair loses all of it.
    """
    whole = scorer(np.stack((baseline.sum(axis=0), system.sum(axis=0))))[:, column]
    difference = whole[1] - whole[0]
    if len(baseline) == 1:
        return np.array([difference])
    ours, theirs = (scorer(rows.sum(axis=0) - rows) for rows in (system, baseline))
    without = ours - theirs
    lost: Vector = difference - np.nan_to_num(without[:, column])
    return lost
