"""Correlation and pairwise accuracy of a metric with people, in groups of outputs.

Scores are arrays of systems × items, NaN where there is none.  Outputs are grouped by
item (the outputs for one segment), by system, or all are one group.  A correlation is
computed in each group, and the result is the mean over groups.

Sources: Deutsch, Foster and Freitag (2023), "Ties Matter: Meta-Evaluating Modern
Metrics with Pairwise Accuracy and Tie Calibration"; Macháček and Bojar (2014), "Results
of the WMT14 Metrics Shared Task", section 4; Kocmi et al. (2021), "To Ship or Not to
Ship"; Stuart (1953), "The estimation and comparison of strengths of association in
contingency tables" (τ-c).  The numbers are those of Google's mt-metrics-eval.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.scoring.exchange import TIE, Matrix, Vector

By: TypeAlias = Literal["none", "item", "system"]
Kind: TypeAlias = Literal["pearson", "spearman", "tau_b", "tau_c", "acc_eq", "tau_23"]
Array: TypeAlias = npt.NDArray[np.float64]

MERGED = 1e-9  # closer differences of a metric are one candidate for ε
_MARGIN = 1e-9  # relative tolerance below a margin, for rounding


class Averaged(NamedTuple):
    """Correlation averaged over groups.

    Attributes:
        value: the mean; NaN if no group has a correlation.
        weight: number of groups in the mean or, if weighted, of their outputs.
    """

    value: float
    weight: int


def groups_of(scores: Matrix, by: By) -> Matrix:
    """Return scores of systems × items as a row for each group."""
    if by == "item":
        return scores.T
    return scores if by == "system" else scores.reshape(1, -1)


def correlation(
    kind: Kind,
    people: Matrix,
    metric: Matrix,
    by: By = "none",
    *,
    epsilon: float = 0.0,
    weighted: bool = False,
    undefined_as_zero: bool = False,
) -> Averaged:
    """Correlate a metric with people in each group, and average over the groups.

    Groups of fewer than two judged outputs are left out, and so are groups in which
    people or the metric score all outputs alike: their correlation is not defined.

    Args:
        kind: ``pearson``, ``spearman``, ``tau_b``, ``tau_c``, ``acc_eq`` (pairwise
            accuracy with ties) or ``tau_23`` (the same from -1 to 1).
        people: people's scores, shape (systems, items).
        metric: the metric's, of the same shape.
        by: how outputs are grouped.
        epsilon: scores of the metric that differ by at most this are tied (``acc_eq``
            and ``tau_23``).
        weighted: whether the weight of a group is its number of outputs.
        undefined_as_zero: count a group without a correlation as 0.

    >>> people, metric = np.array([[1.0, 2, 2, 3, 4]]), np.array([[2.0, 1, 1.5, 5, 3]])
    >>> round(correlation("tau_b", people, metric).value, 6)
    0.316228
    >>> round(correlation("acc_eq", people, metric).value, 6)
    0.6
    """
    values, sizes = by_group(kind, people, metric, by, epsilon)
    kept = sizes >= 2
    values, sizes = values[kept], sizes[kept]
    if undefined_as_zero:
        values = np.nan_to_num(values)
    is_defined = ~np.isnan(values)
    weights = sizes if weighted else np.ones(len(sizes), dtype=np.int64)
    total = int(weights[is_defined].sum())
    if not total:
        return Averaged(np.nan, 0)
    return Averaged(float((values * weights)[is_defined].sum() / total), total)


def by_group(
    kind: Kind, people: Matrix, metric: Array, by: By, epsilon: float = 0.0
) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return each group's correlation (NaN if not defined) and number of outputs.

    The metric's scores may have a leading axis for several versions.
    """
    if metric.ndim == 2:
        x, y = complete_groups(people, metric, by)
    else:
        x = groups_of(people, by)
        y = np.stack([groups_of(version, by) for version in metric])
    sizes = (~np.isnan(x)).sum(axis=-1)
    if kind in ("pearson", "spearman"):
        if kind == "spearman":
            x, y = ranks(x), ranks(np.where(np.isnan(x), np.nan, y))
        return row_pearson(x, y), sizes
    counts = pair_counts(x, y, epsilon)
    return _OF_PAIRS[kind](counts, x, y), sizes


def complete_groups(people: Matrix, metric: Matrix, by: By) -> tuple[Matrix, Matrix]:
    """Return both as groups; where one has NaN, both have."""
    x, y = groups_of(people, by), groups_of(metric, by)
    missing = np.isnan(x) | np.isnan(y)
    return np.where(missing, np.nan, x), np.where(missing, np.nan, y)


def ranks(rows: Array) -> Array:
    """Return the ranks in each row; equal values share their mean rank, NaN stays."""
    from scipy.stats import rankdata

    missing = np.isnan(rows)
    ranked = rankdata(np.where(missing, np.inf, rows), axis=-1)
    means: Array = np.where(missing, np.nan, ranked)
    return means


def row_pearson(x: Array, y: Array) -> Array:
    """Return Pearson's r of each two rows without NaN; NaN where one is constant."""
    missing = np.isnan(x)
    size = np.maximum((~missing).sum(axis=-1), 1)[..., None]
    centred = []
    constant = np.zeros(np.broadcast_shapes(x.shape, y.shape)[:-1], dtype=bool)
    for rows in (x, y):
        filled = np.where(missing, 0.0, rows)
        mean = filled.sum(axis=-1, keepdims=True) / size
        centred.append(np.where(missing, 0.0, filled - mean))
        largest = np.where(missing, -np.inf, rows).max(axis=-1, initial=-np.inf)
        smallest = np.where(missing, np.inf, rows).min(axis=-1, initial=np.inf)
        constant = constant | (largest <= smallest)
    a, b = centred
    below = np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    r = np.full(constant.shape, np.nan)
    np.divide((a * b).sum(axis=-1), below, out=r, where=~constant & (below > 0))
    clipped: Array = np.clip(r, -1.0, 1.0)
    return clipped


class PairCounts(NamedTuple):
    """Numbers of pairs of outputs in each group, by kind."""

    concordant: Array
    discordant: Array
    people_tied: Array  # by people only
    metric_tied: Array  # by the metric only
    both_tied: Array

    @property
    def pairs(self) -> Array:
        """All pairs of the group."""
        return sum(self[1:], start=self[0])


def _lags(x: Array, y: Array) -> Iterator[tuple[Array, Array]]:
    """Yield people's and the metric's differences of all pairs in each group.

    Pairs come by their distance in the row, so that memory stays that of the scores.
    """
    for lag in range(1, x.shape[-1]):
        yield x[..., lag:] - x[..., :-lag], y[..., lag:] - y[..., :-lag]


def pair_counts(x: Array, y: Array, epsilon: float = 0.0) -> PairCounts:
    """Count the pairs of outputs in each group by the answers of people and metric."""
    shape = np.broadcast_shapes(x.shape, y.shape)[:-1]
    agreed, x_ties, y_ties, joint_ties, pairs = np.zeros((5, *shape))
    for dx, dy in _lags(x, y):
        is_defined = ~np.isnan(dx)
        tied_x, tied_y = (dx == 0) & is_defined, (np.abs(dy) <= epsilon) & is_defined
        signs = np.where(tied_y | ~is_defined, 0.0, np.sign(dx) * np.sign(dy))
        agreed += signs.sum(axis=-1)
        joint_ties += (tied_x & tied_y).sum(axis=-1)
        x_ties += tied_x.sum(axis=-1)
        y_ties += tied_y.sum(axis=-1)
        pairs += is_defined.sum(axis=-1)
    untied = pairs - x_ties - y_ties + joint_ties
    return PairCounts(
        (untied + agreed) / 2,
        (untied - agreed) / 2,
        x_ties - joint_ties,
        y_ties - joint_ties,
        joint_ties,
    )


def _divided(above: Array, below: Array) -> Array:
    values = np.full(np.shape(above), np.nan)
    np.divide(above, below, out=values, where=below > 0)
    return values


def _tau_b(counts: PairCounts, _x: Array, _y: Array) -> Array:
    margin = counts.concordant - counts.discordant
    untied = counts.concordant + counts.discordant
    sides = (untied + counts.people_tied) * (untied + counts.metric_tied)
    return _divided(margin, np.sqrt(sides))


def _tau_c(counts: PairCounts, x: Array, y: Array) -> Array:
    size = (~np.isnan(x)).sum(axis=-1).astype(np.float64)
    smaller = np.minimum(_distinct(x), _distinct(np.where(np.isnan(x), np.nan, y)))
    margin = counts.concordant - counts.discordant
    below = np.where(smaller > 1, size * size * (smaller - 1), 0.0)
    return _divided(2 * margin * smaller, below)


def _acc_eq(counts: PairCounts, _x: Array, _y: Array) -> Array:
    return _divided(counts.concordant + counts.both_tied, counts.pairs)


def _tau_23(counts: PairCounts, _x: Array, _y: Array) -> Array:
    right = counts.concordant + counts.both_tied
    return _divided(2 * right - counts.pairs, counts.pairs)


_OF_PAIRS = {"tau_b": _tau_b, "tau_c": _tau_c, "acc_eq": _acc_eq, "tau_23": _tau_23}


def _distinct(rows: Array) -> Array:
    """Count the different values in each row without NaN."""
    ordered = np.sort(rows, axis=-1)
    steps = (ordered[..., 1:] > ordered[..., :-1]).sum(axis=-1)
    return np.where((~np.isnan(rows)).any(axis=-1), steps + 1, 0).astype(np.float64)


class Calibrated(NamedTuple):
    """Highest pairwise accuracy, and its ε.

    Attributes:
        value: mean over groups; NaN if none has two outputs.
        epsilon: differences of the metric up to this count as ties.
        candidates: number of ε that were tried.
        at_zero: the value at ε = 0.
    """

    value: float
    epsilon: float
    candidates: int
    at_zero: float


def calibrated(
    people: Matrix,
    metric: Matrix,
    by: By = "item",
    *,
    kind: Literal["acc_eq", "tau_23"] = "acc_eq",
    merged: float = MERGED,
) -> Calibrated:
    """Choose the ε with the highest pairwise accuracy (tie calibration).

    Candidates are 0 and all differences of the metric within a group; of equally good
    ones the smallest is chosen.  It is fitted on the data that it is evaluated on.

    Args:
        people: people's scores, shape (systems, items), NaN where there is none.
        metric: the metric's, of the same shape.
        by: how outputs are grouped.
        kind: ``acc_eq``, or ``tau_23``, from -1 to 1.
        merged: closer differences are one candidate; with 0, floats are compared as
            mt-metrics-eval does, and 0.3 and 0.1 + 0.2 are two.

    Source: Deutsch, Foster and Freitag (2023), section 5.

    >>> people, metric = np.array([[1.0, 2, 2, 3, 4]]), np.array([[2.0, 1, 1.5, 5, 3]])
    >>> calibrated(people, metric, "none")
    Calibrated(value=0.7, epsilon=0.5, candidates=8, at_zero=0.6)
    """
    x, y = complete_groups(people, metric, by)
    sizes = (~np.isnan(x)).sum(axis=-1)
    x, y = x[sizes >= 2], y[sizes >= 2]
    if not len(x):
        return Calibrated(np.nan, 0.0, 0, np.nan)
    sizes = sizes[sizes >= 2]
    pairs = sizes * (sizes - 1) // 2
    weights = 1 / (len(x) * pairs.astype(np.float64))
    gaps, changes, start = [], [], 0.0
    for dx, dy in _lags(x, y):
        is_defined = ~np.isnan(dx)
        each = np.broadcast_to(weights[:, None], dx.shape)[is_defined]
        dx, dy = dx[is_defined], dy[is_defined]
        right = np.sign(dx) * np.sign(dy) > 0
        start += float(each[right].sum())
        gaps.append(np.abs(dy))
        changes.append(each * ((dx == 0).astype(np.float64) - right))
    gap, change = np.concatenate(gaps), np.concatenate(changes)
    order = np.argsort(gap, kind="stable")
    gap = gap[order]
    reached = start + np.cumsum(change[order])
    last = np.append(gap[1:] - gap[:-1] > merged, True)  # the end of each run
    epsilons, values = gap[last], reached[last]
    if epsilons[0] > merged:
        epsilons, values = np.insert(epsilons, 0, 0.0), np.insert(values, 0, start)
    best = int(np.argmax(values >= values.max() - TIE))
    at_zero = float(values[0])
    value = float(values[best])
    if kind == "tau_23":
        value, at_zero = 2 * value - 1, 2 * at_zero - 1
    return Calibrated(value, float(epsilons[best]), len(epsilons), at_zero)


class OrderedPairs(NamedTuple):
    """Pairs of outputs whose human scores differ by at least a margin (daRR).

    Attributes:
        concordant: pairs in which the metric prefers the same output.
        pairs: all pairs; a tie of the metric is not concordant.
    """

    concordant: int
    pairs: int

    @property
    def tau(self) -> float:
        """(concordant - discordant) / pairs; NaN without pairs."""
        if not self.pairs:
            return float("nan")
        return (2 * self.concordant - self.pairs) / self.pairs


def ordered_pairs(
    people: Matrix, metric: Matrix, margin: float, by: By = "item"
) -> OrderedPairs:
    """Count pairs of outputs at least a margin apart, as WMT counts daRR pairs.

    WMT's published numbers of 2018 to 2020 follow from "at least" the margin, not from
    "more than" (``KendallLike`` of mt-metrics-eval).

    >>> people = np.array([[10.0, 11, 100, 150]])
    >>> pairs = ordered_pairs(people, np.array([[2.0, 1, 4, 3]]), 25, "none")
    >>> pairs.tau
    0.6
    """
    x, y = complete_groups(people, metric, by)
    concordant = pairs = 0
    for dx, dy in _lags(x, y):
        apart = np.abs(dx) >= margin - _MARGIN * max(1.0, abs(margin))
        concordant += int((apart & (np.sign(dx) * np.sign(dy) > 0)).sum())
        pairs += int(apart.sum())
    return OrderedPairs(concordant, pairs)


def difference_correlation(
    people: Matrix, metric: Matrix, by: By = "item"
) -> tuple[float, int]:
    """Return Pearson's r of the differences within pairs, and the number of pairs.

    Each pair counts in both orders, so the mean difference is 0.

    >>> difference_correlation(np.array([[1.0], [2], [4]]), np.array([[2.0], [4], [8]]))
    (1.0, 3)
    """
    x, y = complete_groups(people, metric, by)
    pairs, products = 0, np.zeros(3)
    for dx, dy in _lags(x, y):
        is_defined = ~np.isnan(dx)
        pairs += int(is_defined.sum())
        a, b = dx[is_defined], dy[is_defined]
        products += (a @ b, a @ a, b @ b)
    cross_product, x_square, y_square = products.tolist()
    below = (x_square * y_square) ** 0.5
    return (cross_product / below if below > 0 else float("nan")), pairs


def same_order(people: Vector, metric: Vector) -> tuple[int, int]:
    """Return how many pairs of systems both order alike (or tie), and all pairs.

    >>> same_order(np.array([1.0, 2, 2]), np.array([1.0, 3, 3]))
    (3, 3)
    """
    first, second = np.triu_indices(len(people), 1)
    signs = []
    for scores in (people, metric):
        gain = scores[first] - scores[second]
        signs.append(np.where(np.abs(gain) <= TIE, 0.0, np.sign(gain)))
    return int((signs[0] == signs[1]).sum()), len(first)
