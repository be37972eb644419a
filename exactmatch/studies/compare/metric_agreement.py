"""How far metrics agree about systems, and about single outputs.

Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", tables 8 and 9 and figure 11.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from exactmatch.scoring.resampling import Vector
from exactmatch.scoring.results import PairResult
from exactmatch.studies.compare.results import (
    HEADLINE,
    Agreement,
    Disagreement,
    MetricComparison,
)

_TIE = 1e-12


def agreement(
    comparisons: Sequence[MetricComparison], shown: int = 3
) -> list[Agreement]:
    """How far every two metrics agree about the systems.

    Outputs are compared on the pairs that both metrics scored, systems where both
    have a score; with fewer than two of them there is nothing to agree about.

    Args:
        comparisons: one for each metric.
        shown: how many outputs to name that they order differently.
    """
    found = []
    for couple in combinations(comparisons, 2):
        first, second = couple
        names = sorted(set.intersection(*map(_scored, couple)))
        if len(names) < 2:
            continue
        of_both = [c.results[name] for c in couple for name in names]
        both = set.intersection(*map(_indices, of_both))
        ours, theirs = (_preferences(c.results, names, both) for c in couple)
        pairs = [r for r in of_both[0] if r.index in both]
        found.append(
            Agreement(
                first.metric,
                second.metric,
                _tau(first, second, names),
                float((ours * theirs < 0).mean()) if len(ours) else math.nan,
                _t_test(ours, theirs),
                _disagreements(ours, theirs, names, pairs, shown),
            )
        )
    return found


def _scored(comparison: MetricComparison) -> set[str]:
    """The systems that have a score."""
    standings = comparison.standings
    return {s.system for s in standings if not math.isnan(s.values[HEADLINE])}


def _disagreements(
    ours: Vector,
    theirs: Vector,
    names: Sequence[str],
    pairs: Sequence[PairResult],
    shown: int,
) -> tuple[Disagreement, ...]:
    """Where both metrics are clearest about different outputs."""
    decided = np.minimum(np.abs(ours), np.abs(theirs))
    against = np.flatnonzero(ours * theirs < 0)
    order = against[np.argsort(-decided[against], kind="stable")][:shown]
    systems = list(combinations(names, 2))
    found = []
    for k in order.tolist():
        couple, place = divmod(k, len(pairs))
        lower, higher = systems[couple]
        preferred = (higher, lower) if ours[k] > 0 else (lower, higher)
        found.append(
            Disagreement(
                pairs[place].index,
                pairs[place].id,
                *preferred,
                float(abs(ours[k])),
                float(abs(theirs[k])),
            )
        )
    return tuple(found)


def _indices(results: Sequence[PairResult]) -> set[int]:
    """The numbers of the pairs that have a score."""
    return {result.index for result in results if result.score.is_defined}


def _preferences(
    results: Mapping[str, Sequence[PairResult]], names: Sequence[str], pairs: set[int]
) -> Vector:
    """Score differences of every two systems on the pairs, ties as 0."""
    scores = [
        np.array([r.score.score for r in results[name] if r.index in pairs])
        for name in names
    ]
    joined = np.concatenate([b - a for a, b in combinations(scores, 2)])
    joined[np.abs(joined) <= _TIE] = 0.0
    return joined


def _tau(
    first: MetricComparison, second: MetricComparison, names: Sequence[str]
) -> float:
    from scipy.stats import kendalltau

    sides = []
    for comparison in (first, second):
        by_name = {s.system: s.values[HEADLINE] for s in comparison.standings}
        sides.append([by_name[name] for name in names])
    if any(len(set(side)) < 2 for side in sides):
        return math.nan
    return float(kendalltau(*sides).statistic)


def _t_test(ours: Vector, theirs: Vector) -> float:
    from scipy.stats import ttest_rel

    if len(ours) < 2 or np.ptp(ours - theirs) <= _TIE:
        return math.nan
    return float(ttest_rel(ours, theirs).pvalue)
