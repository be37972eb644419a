"""Options of the scores at every cutoff, and the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.scoring.options import Measuring
from exactmatch.studies.align.options import OneAlignment
from exactmatch.studies.command import Command
from exactmatch.studies.options import SystemPairs, picture

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric
    from exactmatch.studies.thresholds.cutoffs import Moves


def _cutoffs(value: Any) -> tuple[float, ...]:
    """Read cutoffs, as numbers or parted by commas."""
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(values.share(part) for part in parts)


class WhoseCutoff(Options):
    """Which cutoff is moved."""

    TITLE = "cutoffs"

    moves: Moves = option(
        "the cutoff that moves (default: both), or the weight of edges (share)",
        default="both",
        choices=("both", "nodes", "edges", "share"),
    )


class ThresholdOptions(WhoseCutoff, OneAlignment):
    """Two graphs, and the metric whose cutoff is moved."""

    metric: str | Metric = option(
        "the metric, graph or s2match, by name or made by :func:`make_metric`; its "
        "own cutoff counts only if it does not move",
        default="graph",
    )


class FileThresholdOptions(WhoseCutoff, Measuring, SystemPairs):
    """Predictions of one system or of several, and the metric whose cutoff is moved."""

    metric: str | Metric = redeclared(Measuring, "metric", default="graph")
    macro: bool = flag("average over pairs instead of summing")


class Shown(Options):
    """Which cutoffs are shown."""

    TITLE = "cutoffs"

    at: Sequence[float] | None = optional(
        "show only these cutoffs (default: all, or every tenth)",
        read=_cutoffs,
        metavar="C[,C…]",
        is_list=True,
    )
    plot: str | None = picture("draw the scores")


COMMAND = Command(
    """Score at every cutoff of similarity, exactly: how much hangs on it.

Every break point is proven, none is on a grid; of two systems it is said for
which cutoffs which is better.

Example:
  exactmatch thresholds pred.tsv gold.tsv --count edges --node-similarity lcs
  exactmatch thresholds a.tsv b.tsv gold.tsv --macro --plot cutoffs.svg
  exactmatch thresholds pred.amr gold.amr --metric s2match --format csv""",
    FileThresholdOptions,
    "exactmatch.studies.thresholds.study:study",
    Shown,
    metrics=("graph", "s2match"),
    picture="exactmatch.studies.thresholds.view:draw",
)
"""Only these metrics: others have no cutoff."""
