"""How far judges agree with each other, beyond what chance would give.

Every item has the answers of some judges; an answer that was not given is NaN.

* *Pairwise agreement*: of all two answers to the same item, the share that are equal;
  *unanimous*: the share of items to which all judges give the same answer.
* *Fleiss' κ* = (P - Pₑ) / (1 - Pₑ), with P the pairwise agreement and Pₑ = Σ pⱼ² what
  judges agree in who answer j with probability pⱼ at random; where every item has
  equally many answers.
* *Krippendorff's α* = 1 - Dₒ / Dₑ: the mean distance of two answers to the same item
  over that of any two answers; answers may be missing.  The distance is 0 or 1
  (*nominal*: preferences) or the squared difference (*interval*: scores).

1 is perfect agreement, 0 is chance, and below 0 is systematic disagreement.

Sources: Fleiss (1971), "Measuring nominal scale agreement among many raters";
Krippendorff (2011), "Computing Krippendorff's alpha-reliability",
sections C and D.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from exactmatch.scoring.resampling import Matrix, Vector


@dataclass(frozen=True, slots=True)
class JudgesAgreement:
    """How far judges agree.  NaN where a number is not defined.

    Attributes:
        judges: how many there are.
        items: what at least two of them answered.
        unanimous: share of these to which all answers are equal.
        pairwise: share of equal answers among all two to the same item.
        kappa: Fleiss' κ; NaN where items have different numbers of answers.
        alpha: Krippendorff's α.
        correlation: mean Pearson's r of every two judges, for scores.
    """

    judges: int
    items: int
    unanimous: float
    pairwise: float
    kappa: float
    alpha: float
    correlation: float


def judges_agreement(answers: Matrix, numbers: bool) -> JudgesAgreement | None:
    """Measure how far judges agree; ``None`` of a single one.

    Args:
        answers: shape ``(judges, items)``; NaN where a judge gave none.
        numbers: whether answers are numbers, which differ by more or less; otherwise
            two answers are equal or not.
    """
    if len(answers) < 2:
        return None
    shared = [column[~np.isnan(column)] for column in answers.T]
    shared = [column for column in shared if len(column) > 1]
    if not shared:
        nothing = (math.nan,) * 5
        return JudgesAgreement(len(answers), 0, *nothing)
    equal = [_share_of_equal(column) for column in shared]
    return JudgesAgreement(
        len(answers),
        len(shared),
        float(np.mean([len(np.unique(column)) == 1 for column in shared])),
        float(np.average(equal, weights=[_pairs(len(c)) for c in shared])),
        math.nan if numbers else _kappa(shared, float(np.mean(equal))),
        alpha(shared, numbers),
        _mean_correlation(answers) if numbers else math.nan,
    )


def _pairs(n: int) -> float:
    return n * (n - 1) / 2


def _share_of_equal(column: Vector) -> float:
    """The share of every two answers to an item that are equal."""
    counts = np.unique(column, return_counts=True)[1]
    return float(sum(_pairs(int(c)) for c in counts) / _pairs(len(column)))


def _kappa(shared: list[Vector], observed: float) -> float:
    if len({len(column) for column in shared}) > 1:
        return math.nan
    counts = np.unique(np.concatenate(shared), return_counts=True)[1]
    expected = float(((counts / counts.sum()) ** 2).sum())
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan


def alpha(shared: list[Vector], numbers: bool) -> float:
    """Krippendorff's α of items with two answers or more each.

    NaN where all answers are the same: there is no chance to be better than.
    """
    every = np.concatenate(shared)
    n = len(every)
    within = math.fsum(_distances(c, numbers) / (len(c) - 1) for c in shared) / n
    between = _distances(every, numbers) / (n * (n - 1))
    return 1 - within / between if between > 0 else math.nan


def _distances(values: Vector, numbers: bool) -> float:
    """The sum of the distances of each value from each other one."""
    n = len(values)
    if not numbers:
        counts = np.unique(values, return_counts=True)[1].astype(np.float64)
        return float(n * n - (counts**2).sum())
    centred = values - values.mean()
    return float(2 * n * (centred**2).sum())


def _mean_correlation(answers: Matrix) -> float:
    """Mean Pearson's r of every two judges on what both scored."""
    found = []
    for k, first in enumerate(answers):
        for second in answers[k + 1 :]:
            both = ~(np.isnan(first) | np.isnan(second))
            x, y = first[both], second[both]
            if len(x) > 2 and np.ptp(x) > 0 and np.ptp(y) > 0:
                found.append(float(np.corrcoef(x, y)[0, 1]))
    return float(np.mean(found)) if found else math.nan
