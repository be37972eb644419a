"""Making one metric."""

from __future__ import annotations

from typing import Any, Protocol, cast

from exactmatch.base.options import function
from exactmatch.metrics.base import Metric
from exactmatch.metrics.options import Making, MetricNames


class MetricOptions(Making, MetricNames):
    """Options of one metric."""


class _Making(Protocol):
    """Type of the function; type checkers cannot know the options of metrics."""

    def __call__(self, metric: str | Metric = "smatch", **options: Any) -> Metric: ...


def made_metric(options: MetricOptions) -> Metric:
    """Make a metric that you can use many times.

    Raises:
        InputError: if the metric, the profile or an option is unknown, or an option
            has a value of the wrong type.

    Example:
        >>> import exactmatch
        >>> bigrams = exactmatch.make_metric("sembleu", ngram=2)
        >>> dict(bigrams.signature())["ngram"]
        '2'
    """
    return options.one_metric("make_metric")


make_metric = cast("_Making", function("make_metric", MetricOptions, made_metric))
