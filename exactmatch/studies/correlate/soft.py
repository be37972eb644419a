"""Soft pairwise accuracy: agreement in how certain it is which system is better.

For every two systems, p is the share of exchanges of their outputs whose difference is
at least the real one: near 0 if the first is clearly better, near 1 if the second is.
The accuracy is 1 minus the mean distance of people's p from the metric's.

Source: Thompson, Mathur, Deutsch and Khayrallah (2024), "Improving Statistical
Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy".
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import check
from exactmatch.scoring.exchange import (
    ENUMERATED,
    SAMPLES,
    TIE,
    Matrix,
    SumScorer,
    Vector,
    exchanges,
)
from exactmatch.scoring.rows import mean_scorer
from exactmatch.studies.correlate.grouped import Array


class SystemRows(NamedTuple):
    """Statistics of systems' outputs, and the function that scores their sums.

    Attributes:
        rows: shape (systems, items, statistics).
        scorer: turns sums of rows into scores.
        column: the index of the score among its numbers.
        is_fast: whether very many sums can be scored.
    """

    rows: Array
    scorer: SumScorer
    column: int = 0
    is_fast: bool = True

    def at(self, items: npt.NDArray[Any]) -> SystemRows:
        """Return the statistics of some items."""
        return self._replace(rows=self.rows[:, items])


def means_of(scores: Matrix) -> SystemRows:
    """Return rows from scores (systems × items), scored by the mean over items."""
    return SystemRows(np.stack((scores, np.ones_like(scores)), axis=-1), mean_scorer)


def surely_better(
    systems: SystemRows,
    samples: int = SAMPLES,
    seed: int = 0,
    enumerated: int = ENUMERATED,
) -> Vector:
    """Return the p of every two systems i < j, in the order of ``triu_indices``.

    A small p means that the first is better.  For few items all exchanges are
    enumerated; otherwise all pairs of systems have the same random ones.
    """
    rows = systems.rows
    count, items, width = rows.shape
    first, second = np.triu_indices(count, 1)
    totals = rows.sum(axis=1)
    column = systems.column
    observed = systems.scorer(totals)[:, column]
    margin = observed[first] - observed[second]
    flat = rows.transpose(1, 0, 2).reshape(items, count * width)
    reached, drawn = np.zeros(len(first)), 0
    numbers = len(first) * 2 * width
    for coins in exchanges(items, samples, seed, numbers, enumerated):
        check()
        moved = (coins @ flat).reshape(len(coins), count, width)
        to_second = moved[:, second] - moved[:, first]
        first_sums = (totals[first] + to_second).reshape(-1, width)
        second_sums = (totals[second] - to_second).reshape(-1, width)
        gains = (
            systems.scorer(first_sums)[:, column]
            - systems.scorer(second_sums)[:, column]
        )
        reached += (gains.reshape(len(coins), -1) >= margin - TIE).sum(axis=0)
        drawn += len(coins)
    return reached / max(drawn, 1)


def soft_accuracy(
    people: SystemRows,
    metric: SystemRows,
    samples: int = SAMPLES,
    seed: int = 0,
    enumerated: int = ENUMERATED,
) -> float:
    """Return the soft pairwise accuracy; NaN without two systems and one item.

    Args:
        people: people's scores of the systems' outputs.
        metric: the metric's, of the same systems and items.
        samples: number of random exchanges, for more items than *enumerated*.
        seed: seed of the exchanges, which are the same for people and metric.
        enumerated: all exchanges are enumerated if there are no more items.

    >>> people = means_of(np.array([[1.0, 2, 3], [2, 3, 4]]))
    >>> soft_accuracy(people, means_of(np.array([[2.0, 2, 4], [1, 3, 5]])))
    0.875
    """
    if len(people.rows) < 2 or not people.rows.shape[1]:
        return float("nan")
    sampling_key = samples, seed, enumerated
    human_shares, metric_shares = (
        surely_better(each, *sampling_key) for each in (people, metric)
    )
    return 1 - float(np.abs(human_shares - metric_shares).mean())
