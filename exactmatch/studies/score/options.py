"""Options of scoring: of a corpus, and of one pair."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from exactmatch.base import values
from exactmatch.base.options import Options, option
from exactmatch.metrics.options import Making
from exactmatch.scoring.options import Measuring, Resampling

if TYPE_CHECKING:
    from exactmatch.formats.anything import GraphLike
    from exactmatch.metrics.base import Metric
    from exactmatch.scoring.sources import File

Predictions: TypeAlias = "Iterable[GraphLike] | Mapping[str, GraphLike] | File"
"""Predicted graphs, in memory or in a file."""

References: TypeAlias = (
    "Iterable[GraphLike | Sequence[GraphLike]] "
    "| Mapping[str, GraphLike | Sequence[GraphLike]] | File | Sequence[File]"
)
"""References; several of one prediction stand in a list, or in several files."""


class ReferencedPairs(Options):
    """Predictions and their references, of which there may be several."""

    preds: Predictions = option(
        "predicted graphs, or sentences for a metric on text: a list, or a column of a "
        "data frame",
        flags=(),
        kw_only=False,
    )
    golds: References = option(
        "their references, in the same order; a list of graphs in the place of one "
        "stands for several references, of which each metric that can takes the best; "
        "two mappings of ids to graphs are paired by their keys",
        flags=(),
        kw_only=False,
    )


class ScoreOptions(Measuring, Resampling, ReferencedPairs):
    """How a corpus is scored."""

    TITLE = "what is kept"

    confidence: float | None = option(  # type: ignore[assignment]  # none by default
        "level of bootstrap confidence intervals, a share or in percent (default: "
        "none; 95 for --confidence alone)",
        default=None,
        read=values.level,
        bare=0.95,
        metavar="LEVEL",
        file=True,
    )
    cache: str | os.PathLike[str] | None = option(
        "keep the results of pairs here, and score no kept pair again",
        default=None,
        metavar="FOLDER",
    )
    keep_pairs: bool = option(
        "whether the report holds each pair's result, with its graphs",
        default=True,
        flags=(),
    )


class TimeLimited(Options):
    """How long a pair may take, and what is drawn."""

    time_limit: float | None = option(
        "in seconds; a score that is not proven in time carries its bound",
        default=None,
        read=values.positive_float,
    )
    seed: int = option("seed of every random draw", default=0, read=values.integer)


class OnePair(Options):
    """A metric, and the pair that it scores."""

    metric: str | Metric = option(
        "the metric, by name or made by :func:`make_metric`", kw_only=False
    )
    pred: GraphLike = option("the predicted graph or sentence", kw_only=False)
    gold: GraphLike = option("the reference", kw_only=False)


class PairOptions(TimeLimited, Making, OnePair):
    """How one pair is scored."""
