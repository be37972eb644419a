"""Arguments that all functions on many graphs share: metric, cutoff, workers."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.metrics.base import Metric
from exactmatch.metrics.options import MetricOptions
from exactmatch.scoring.sources import refuse_unordered


def one_metric(metric: str | Metric, options: dict[str, Any]) -> Metric:
    """Make the metric from its name and options.

    Raises:
        InputError: if the metric or an option is unknown, or there are several.
    """
    return MetricOptions(metric, **options).one_metric("a comparison of many graphs")


def refuse_text(*given: object) -> None:
    """Refuse what is no list of graphs, also if it can be gone through like one.

    Raises:
        InputError: if one of them is a text, which would be read letter by letter, a
            set or mapping, whose graphs have no numbers, or is no list at all.
    """
    for one in given:
        if isinstance(one, str | bytes):
            raise InputError(
                "a text is given where a list of graphs is wanted; give [text]"
            )
        if not isinstance(one, Iterable) and not hasattr(one, "__getitem__"):
            raise InputError(
                f"{type(one).__name__} is no list of graphs; give a list of graphs"
            )
        refuse_unordered(one)


def checked_cutoff(cutoff: Any, name: str = "score_cutoff") -> float:
    """The cutoff as a float; ``-inf`` if there is none.

    Args:
        cutoff: what the caller gave.
        name: what the caller knows it as.

    Raises:
        InputError: if it is not a finite number.
    """
    if cutoff is None:
        return -math.inf
    if isinstance(cutoff, bool) or not isinstance(cutoff, Real):
        raise InputError(f"{name} is {cutoff!r}; it is a number or None")
    if not math.isfinite(cutoff):
        raise InputError(f"{name} is {cutoff!r}; it is a finite number")
    return float(cutoff)


def is_count(number: Any) -> bool:
    """Whether it is a whole number from 1, of Python or NumPy."""
    whole = isinstance(number, Integral) and not isinstance(number, bool)
    return whole and int(number) >= 1


def workers_of(workers: Any) -> int:
    """The number of workers; -1 means one for each core.

    Raises:
        InputError: if it is neither a whole number from 1 nor -1.
    """
    if is_count(workers):
        return int(workers)
    if isinstance(workers, Integral) and workers == -1:
        return os.cpu_count() or 1
    raise InputError(f"workers is {workers!r}; it is a number from 1, or -1")
