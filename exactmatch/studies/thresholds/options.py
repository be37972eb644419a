"""Options of the scores at every cutoff, and the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option, optional
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


class WhoseCutoff(Options, purpose="measures"):
    """Cutoff that is moved."""

    TITLE = "cutoffs"

    moves: Moves = option(
        "the cutoff that moves (default: both), or with --parts the price of a part "
        "(price)",
        default="both",
        choices=("both", "nodes", "edges", "price"),
    )


MOVABLE = ("graph", "s2match")
"""The metrics that have a cutoff."""


class ThresholdOptions(WhoseCutoff, OneAlignment, purpose="measures"):
    """Two graphs, and the metric whose cutoff is moved."""

    metric: str | Metric | None = option(
        "the metric, graph or s2match, by name or made by :func:`make_metric` "
        "(default: by the format, s2match for AMR); its own cutoff counts only if it "
        "does not move",
        default=None,
    )


class FileThresholdOptions(WhoseCutoff, Measuring, SystemPairs, purpose="measures"):
    """Predictions of one system or of several, and the metric whose cutoff is moved."""

    macro: bool = flag("average over pairs instead of summing")


class Shown(Options, purpose="shows"):
    """Options of the view of cutoffs."""

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
  exactmatch thresholds gold.tsv --systems a.tsv b.tsv --macro --plot cut.svg
  exactmatch thresholds pred.amr gold.amr --vectors glove.txt --format csv""",
    FileThresholdOptions,
    "exactmatch.studies.thresholds.study:study",
    Shown,
    metrics=MOVABLE,
    picture="exactmatch.studies.thresholds.view:draw",
)
