"""Confidence intervals of agreement, by resampling what was annotated.

Annotations of one unit depend on each other, and so do the pairs of annotators; units,
texts that happened to be chosen, do not.  So whole units are drawn with replacement,
each with all its annotations.  D_e, the distance that chance gives, is the mean of so
many more pairs than D_o that it hardly varies; it is held at its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from exactmatch.metrics.base import Metric, Statistics
from exactmatch.scoring.resampling import FEWEST, Bootstrap, Interval, Matrix

_SCORE = 2
"""The place of the score among precision, recall and score."""


@dataclass(slots=True)
class Unit:
    """The graphs that annotators made of one text.

    Attributes:
        statistics: the summable numbers of every two who annotated it.
        distance: Σ_{i ≠ j} d(i, j) / (m - 1) of its m annotations.
        annotations: m.
    """

    statistics: dict[tuple[str, str], Statistics] = field(default_factory=dict)
    distance: float = 0.0
    annotations: int = 0


@dataclass(frozen=True, slots=True)
class AgreementIntervals:
    """Confidence intervals; ``None`` where there are too few units for one.

    Attributes:
        pairs: of the scores of every two annotators, in their order.
        mean: of the mean of these.
        alpha: of α.
        units: how many units were drawn from.
        level: the level of the intervals.
    """

    pairs: tuple[Interval | None, ...]
    mean: Interval | None
    alpha: Interval | None
    units: int
    level: float


def intervals(
    metric: Metric,
    pairs: Sequence[tuple[str, str]],
    units: Sequence[Unit],
    expected: float | None,
    bootstrap: Bootstrap,
) -> AgreementIntervals:
    """Resample units that two annotators or more have annotated.

    Args:
        metric: what made the statistics.
        pairs: every two annotators.
        units: the units.
        expected: D_e, if it is known.
        bootstrap: how intervals are computed.
    """
    every = [numbers for unit in units for numbers in unit.statistics.values()]
    width = max(map(len, every), default=0)
    rows = np.zeros((len(units), len(pairs) * (width + 1) + 2))
    for row, unit in zip(rows, units, strict=True):
        for k, pair in enumerate(pairs):
            if pair in unit.statistics:
                numbers = unit.statistics[pair]
                first = k * (width + 1)
                row[first] = 1
                row[first + 1 : first + 1 + len(numbers)] = numbers
        row[-2:] = unit.distance, unit.annotations

    def scored(sums: Matrix) -> Matrix:
        """Each pair's score, their mean and α, of sums over units."""
        columns = []
        for k in range(len(pairs)):
            first = k * (width + 1)
            shared = sums[:, first]
            score = metric.score_rows(sums[:, first + 1 : first + 1 + width])[:, _SCORE]
            columns.append(np.where(shared > 0, score, np.nan))
        scores = np.stack(columns, axis=1)
        known = ~np.isnan(scores)
        mean = np.full(len(sums), np.nan)
        total = np.where(known, scores, 0.0).sum(axis=1)
        np.divide(total, known.sum(axis=1), out=mean, where=known.any(axis=1))
        alpha = np.full(len(sums), np.nan)
        if expected and len(units) > 1:
            np.divide(sums[:, -2], sums[:, -1], out=alpha, where=sums[:, -1] > 0)
            alpha = 1 - alpha / expected
        return np.column_stack((scores, mean, alpha))

    found: list[Interval | None] = [None] * (len(pairs) + 2)
    if len(units) >= FEWEST:
        found = bootstrap.intervals(rows, scored)
        for k in range(len(pairs)):
            if rows[:, k * (width + 1)].sum() < FEWEST:
                found[k] = None
    return AgreementIntervals(
        tuple(found[:-2]), found[-2], found[-1], len(units), bootstrap.level
    )
