"""Scores of two matched counts, one of the prediction and one of the reference.

Where several parts may stand for one node, the two sides may match differently.  The
statistics then end with both counts, and *matched* is half of their sum, so that F1 is
twice that over the sizes of both sides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from exactmatch.base.numbers import whole
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.score import FScore, share_of

WIDTH = AligningMetric.width + 2
"""Number of statistics of a pair."""


def with_two_counts(score: FScore, sums: Statistics) -> FScore:
    """Return a score with the precision and the recall of two counts."""
    pred, gold = sums[AligningMetric.width : WIDTH]
    pred_total, gold_total = sums[2:4]
    score_of_nothing = 0.0 if pred_total or gold_total else score.f1
    f1 = share_of(pred + gold, pred_total + gold_total, score_of_nothing)
    return replace(
        score,
        score=f1,
        precision=share_of(pred, pred_total, score_of_nothing),
        recall=share_of(gold, gold_total, score_of_nothing),
        f1=f1,
        matched_pred=whole(pred),
        matched_gold=whole(gold),
    )


def rows_of_two_counts(rows: Any, sums: Any) -> Any:
    """Return rows of precision, recall and F1 with those of two counts."""
    matched, totals = sums[:, AligningMetric.width : WIDTH], sums[:, 2:4]
    for column in (0, 1, 2):  # of the prediction, the reference, and both
        used_columns = slice(None) if column == 2 else [column]
        total = totals[:, used_columns].sum(axis=1)
        some = total > 0
        rows[some, column] = matched[some][:, used_columns].sum(axis=1) / total[some]
    return np.asarray(rows)
