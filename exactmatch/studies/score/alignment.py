"""The score of one pair with its alignment."""

from __future__ import annotations

from typing import Any, TypeVar

from exactmatch.metrics.base import Pair
from exactmatch.metrics.score import Compared, Score

AnyScore = TypeVar("AnyScore", bound=Score)


def with_alignment(score: AnyScore, pair: Pair, metric: Any = None) -> AnyScore:
    """Return the score of a single pair, with its alignment where it has one.

    Args:
        score: the score.
        pair: what was compared.
        metric: what compared it, if score and pair are to be kept together.
    """
    if pair.solution is None or pair.stated is None:
        return score
    left, right = pair.stated.names
    aligned = tuple(
        (left[i], right[j]) for i, j in enumerate(pair.solution.alignment) if j != -1
    )
    compared = None if metric is None else Compared(metric, pair.stated)
    return score.aligned(aligned, pair.solution, compared)
