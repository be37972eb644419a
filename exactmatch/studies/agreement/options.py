"""Options of the agreement of annotators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from typing import Any

from exactmatch.base import values
from exactmatch.base.options import Options, option
from exactmatch.metrics.options import Making, MetricNames
from exactmatch.scoring.options import Resampling

CHANCE_PAIRS = 10_000
"""So many pairs of annotations are compared for what chance would give."""


class Annotations(Options):
    """What several annotators made of the same texts."""

    annotations: Mapping[str, Iterable[Any] | Mapping[str, Any]] = option(
        "each annotator's graphs, in the same order, or by the names of the units "
        "where annotators have annotated different ones",
        flags=(),
        kw_only=False,
    )


class AgreementOptions(Making, Resampling, MetricNames, Annotations):
    """How annotators are compared."""

    TITLE = "agreement"
    RENAMED = (("workers", "jobs"),)

    chance_pairs: int = option(
        "draw so many pairs for what chance would give, if there are more (default: "
        "10000)",
        default=CHANCE_PAIRS,
        read=values.positive_int,
        metavar="N",
    )
    seed: int = option(
        "seed of that draw, and of a solver that draws", default=0, read=values.integer
    )
    jobs: int = option(
        "threads or processes that work on what chance would give",
        default=1,
        read=values.positive_int,
    )
    executor: Executor | None = option(
        "an executor that does that instead, as for pdist", default=None
    )
    confidence: float | None = option(  # type: ignore[assignment]  # none by default
        "level of bootstrap intervals, a share or in percent; default: there are none",
        default=None,
        read=values.level,
    )
