"""Pairs that decide between two systems, with their shares of the difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactmatch.scoring.exchange import TIE, Matrix, SumScorer, Vector
from exactmatch.scoring.paired_tests import Weights, influence
from exactmatch.scoring.results import PairResult
from exactmatch.studies.compare.results import HEADLINE, Deciding


def deciding_pairs(
    baseline: Sequence[PairResult],
    system: Sequence[PairResult],
    first_rows: Matrix,
    second_rows: Matrix,
    scorer: SumScorer,
    weights: Weights,
) -> list[Deciding]:
    """Return the pairs that differ, the most decisive first."""
    shares = shares_of_difference(first_rows, second_rows, scorer, weights)
    without = None
    if shares is None:
        lost = influence(first_rows, second_rows, scorer, HEADLINE)
        sums = np.stack((first_rows.sum(axis=0), second_rows.sum(axis=0)))
        first, second = scorer(sums)[:, HEADLINE]
        without = (second - first) - lost
    pairs = []
    for k, (b, s) in enumerate(zip(baseline, system, strict=True)):
        if abs(s.score.score - b.score.score) > TIE:
            pairs.append(
                Deciding(
                    b.index,
                    b.id,
                    b.score.score,
                    s.score.score,
                    None if shares is None else float(shares[k]),
                    None if without is None else float(without[k]),
                )
            )
    pairs.sort(key=lambda pair: (-abs(pair.difference), -abs(pair.share or 0.0)))
    return pairs


def shares_of_difference(
    baseline: Matrix, system: Matrix, scorer: SumScorer, weights: Weights
) -> Vector | None:
    """Return each pair's share of the difference of two systems.

    With an output's weight w, score f and φ = (F + F′) / 2, the share of a pair is
    w′ (f′ - φ) / Σw′ - w (f - φ) / Σw.  It is 0 where both outputs are equal, and the
    shares sum to the difference.  Return ``None`` if corpus scores are not weighted
    means of the pairs' scores.
    """
    sides = []
    for rows in (baseline, system):
        pair_weights = weights(rows)
        scores = np.nan_to_num(scorer(rows)[:, HEADLINE])
        corpus_score = float(scorer(rows.sum(axis=0, keepdims=True))[0, HEADLINE])
        if (
            not pair_weights.sum()
            or not abs(float(pair_weights @ scores) / pair_weights.sum() - corpus_score)
            <= 1e-9
        ):
            return None
        sides.append((pair_weights / pair_weights.sum(), scores, corpus_score))
    (pair_weights, scores, corpus_score), (weights2, scores2, corpus_score2) = sides
    middle = (corpus_score + corpus_score2) / 2
    shares: Vector = weights2 * (scores2 - middle) - pair_weights * (scores - middle)
    return shares
