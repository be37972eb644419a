"""Score files under settings that no keyword of ``evaluate`` has."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from exactmatch.metrics import metrics_of
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.run import Run
from exactmatch.scoring.sentences import with_sentences
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import Files


def score_files(
    pred: str | os.PathLike[str],
    *golds: str | os.PathLike[str],
    metrics: str | Metric | Iterable[str | Metric] = "smatch",
    settings: Settings | None = None,
    reporter: Reporter = SILENCE,
    take: Callable[[PairResult], None] | None = None,
) -> Report:
    """Score a file of predictions against files of references."""
    chosen = settings or Settings()
    paths = [os.fspath(path) for path in (pred, *golds)]
    files = Files(paths, chosen.how_read, chosen.framework)
    made = metrics_of(metrics)
    if metrics == "all":
        made = with_sentences(made, files, chosen, reporter)
    return Run(files, made, chosen, reporter).finish(take)
