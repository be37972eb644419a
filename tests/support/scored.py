"""Graphs in memory scored under settings, as files are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactmatch.metrics import metrics_of
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.scoring.run import Run
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import Items


def evaluate_items(
    preds: Any,
    golds: Any,
    metrics: str | Metric | Iterable[str | Metric] = "smatch",
    settings: Settings | None = None,
) -> Report:
    """Score graphs or sentences that are in memory."""
    chosen = settings or Settings()
    items = Items(preds, golds, chosen.by_id)
    return Run(items, metrics_of(metrics), chosen).finish()
