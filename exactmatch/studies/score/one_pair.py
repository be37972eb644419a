"""One pair for a Python program: its sides read, its score with the alignment."""

from __future__ import annotations

from typing import Any, TypeVar

from exactmatch.base.errors import warn_caller
from exactmatch.metrics.base import Metric, Pair
from exactmatch.metrics.score import Score
from exactmatch.scoring.reading import read_one

AnyScore = TypeVar("AnyScore", bound=Score)


def read_side(metric: Metric, side: Any) -> Any:
    """Read one side of a pair for somebody's Python program, and warn of its faults."""
    read = read_one(metric, side)
    if read.error is not None:
        raise read.error
    for remark in read.remarks():
        warn_caller(remark)
    return read.item


def with_alignment(score: AnyScore, pair: Pair) -> AnyScore:
    """Return the score of a single pair, with its alignment where it has one."""
    if pair.solution is None or pair.stated is None:
        return score
    left, right = pair.stated.left.graph, pair.stated.right.graph
    aligned = tuple(
        (left.variables[i], right.variables[j])
        for i, j in enumerate(pair.solution.alignment)
        if j != -1
    )
    return score.aligned(aligned, pair.solution)
