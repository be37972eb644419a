"""Agreement of metrics about systems and about single outputs.

Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from Principles",
tables 8 and 9 and figure 11.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from exactmatch.scoring.exchange import TIE, Vector
from exactmatch.scoring.results import PairResult
from exactmatch.studies.compare.results import (
    HEADLINE,
    Agreement,
    Disagreement,
    MetricComparison,
)


def agreement(
    comparisons: Sequence[MetricComparison], shown: int = 3
) -> list[Agreement]:
    """Measure how far every two metrics agree about the systems.

    Outputs are compared on the pairs that both metrics scored, systems where both have
    a score.  With fewer than two systems there is nothing to compare.
    """
    if len(comparisons) < 2:
        return []
    from scipy.stats import kendalltau

    agreements = []
    for couple in combinations(comparisons, 2):
        scores = [
            {s.system: s.values[HEADLINE] for s in comparison.standings}
            for comparison in couple
        ]
        names = sorted(
            n for n in scores[0] if not math.isnan(scores[0][n] + scores[1][n])
        )
        if len(names) < 2:
            continue
        of_both = [comparison.results[name] for comparison in couple for name in names]
        common_pairs = set.intersection(
            *({r.index for r in results if r.score.is_defined} for results in of_both)
        )
        first_scores, second_scores = (
            _preferences(comparison.results, names, common_pairs)
            for comparison in couple
        )
        pairs = [r for r in of_both[0] if r.index in common_pairs]
        sides = [[headlines[name] for name in names] for headlines in scores]
        tau = disagreement = math.nan
        if all(len(set(side)) > 1 for side in sides):
            tau = float(kendalltau(*sides).statistic)
        if len(first_scores):
            disagreement = float((first_scores * second_scores < 0).mean())
        examples = _disagreements(first_scores, second_scores, names, pairs, shown)
        first, second = (comparison.metric for comparison in couple)
        agreements.append(Agreement(first, second, tau, disagreement, examples))
    return agreements


def _disagreements(
    first_scores: Vector,
    second_scores: Vector,
    names: Sequence[str],
    pairs: Sequence[PairResult],
    shown: int,
) -> tuple[Disagreement, ...]:
    """Return the outputs that the metrics order differently, the clearest first."""
    decided = np.minimum(np.abs(first_scores), np.abs(second_scores))
    against = np.flatnonzero(first_scores * second_scores < 0)
    order = against[np.argsort(-decided[against], kind="stable")][:shown]
    systems = list(combinations(names, 2))
    disagreements = []
    for k in order.tolist():
        couple, place = divmod(k, len(pairs))
        lower, higher = systems[couple]
        preferred = (higher, lower) if first_scores[k] > 0 else (lower, higher)
        gains = float(abs(first_scores[k])), float(abs(second_scores[k]))
        pair = pairs[place]
        disagreements.append(Disagreement(pair.index, pair.id, *preferred, *gains))
    return tuple(disagreements)


def _preferences(
    results: Mapping[str, Sequence[PairResult]], names: Sequence[str], pairs: set[int]
) -> Vector:
    """Return the score differences of every two systems on the pairs, ties as 0."""
    scores = [
        np.array([r.score.score for r in results[name] if r.index in pairs])
        for name in names
    ]
    joined = np.concatenate([b - a for a, b in combinations(scores, 2)])
    joined[np.abs(joined) <= TIE] = 0.0
    return joined
