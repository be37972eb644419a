"""Statistics of pairs as rows of matrices, whose sums a metric scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.metrics.base import Statistics
from exactmatch.metrics.score import Score
from exactmatch.scoring.exchange import TIE, Matrix, Vector

SCORE_NAMES = ("precision", "recall", "score")
"""The columns that :meth:`Metric.score_rows` computes."""

Codes: TypeAlias = npt.NDArray[np.intp]
"""The number of each pair's document, from 0."""


def erring(values: Vector) -> int:
    """Return how many scores are not perfect or, if fewer, how many are not 0.

    >>> erring(np.array([1.0, 1.0, 0.5, np.nan])), erring(np.array([0.0, 0.0, 0.5]))
    (1, 1)
    """
    known = values[~np.isnan(values)]
    perfect, nothing = (np.abs(known - end) <= TIE for end in (1.0, 0.0))
    return int(len(known) - max(perfect.sum(), nothing.sum()))


def rows_of(statistics: Sequence[Statistics]) -> Matrix:
    """Return the statistics of many pairs as one matrix; short rows end in zeros."""
    width = max((len(row) for row in statistics), default=0)
    rows = np.zeros((len(statistics), width))
    for row, numbers in zip(rows, statistics, strict=True):
        row[: len(numbers)] = numbers
    return rows


def value_rows(scores: Iterable[Score]) -> Matrix:
    """Return each pair's precision, recall, score and a one; zeros without a score."""
    width = len(SCORE_NAMES) + 1
    rows = [
        [*(getattr(score, name) for name in SCORE_NAMES), 1.0]
        if score.is_defined
        else [0.0] * width
        for score in scores
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, width)


def pair_weights(rows: Matrix) -> Vector:
    """Return the weights of pairs in a mean: the last column of their values."""
    return rows[:, -1]


def mean_scorer(sums: Matrix) -> Matrix:
    """Return means of values, from sums of rows that end in a column of ones.

    The mean of nothing is NaN.
    """
    means = np.full((len(sums), sums.shape[1] - 1), np.nan)
    np.divide(sums[:, :-1], sums[:, -1:], out=means, where=sums[:, -1:] > 0)
    return means


def summed(rows: Matrix, codes: Codes | None) -> Matrix:
    """Return the sums of the rows of each document; the rows where there are none."""
    if codes is None:
        return rows
    present, places = np.unique(codes, return_inverse=True)
    sums = np.zeros((len(present), rows.shape[1]))
    np.add.at(sums, places, rows)
    return sums


def counted(codes: Codes | None, pairs: int) -> int:
    """Return the number of units: documents, or pairs."""
    return pairs if codes is None else len(np.unique(codes))


def only(codes: Codes | None, having: Sequence[bool] | npt.NDArray[np.bool_]) -> Any:
    """Return the codes of some pairs."""
    return None if codes is None else codes[np.asarray(having, dtype=bool)]
