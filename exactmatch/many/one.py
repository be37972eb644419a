"""Arguments that all functions on many graphs share: metric, cutoff, workers."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sized
from typing import Any

import numpy as np

from exactmatch.errors import InputError
from exactmatch.metrics import metrics_of
from exactmatch.metrics.base import Metric
from exactmatch.scoring.sources import refuse_unordered


def one_metric(metric: str | Metric, options: dict[str, Any]) -> Metric:
    """Make the metric from its name and options.

    Raises:
        InputError: if the metric or an option is unknown.
    """
    if not isinstance(metric, str | Metric) or metric == "all":
        raise InputError("many graphs are compared under one metric; name one")
    (made,) = metrics_of(metric, **options)
    return made


def refuse_text(*given: object) -> None:
    """Refuse what is no list of graphs, also if it can be gone through like one.

    Raises:
        InputError: if one of them is a text, which would be read letter by letter, a
            set or mapping, whose graphs have no numbers, or holds nothing at all.
    """
    for one in given:
        if isinstance(one, str | bytes):
            raise InputError("a text is given where a list of graphs is wanted: [text]")
        if not isinstance(one, Iterable | Sized):  # a bank is sized
            raise InputError(
                f"{type(one).__name__} is no list of graphs; give a list of graphs"
            )
        refuse_unordered(one)


def checked_cutoff(cutoff: float | None) -> float:
    """The cutoff as a float; ``-inf`` if there is none.

    Raises:
        InputError: if it is not a finite number.
    """
    if cutoff is None:
        return -math.inf
    if isinstance(cutoff, bool) or not isinstance(cutoff, int | float | np.number):
        raise InputError(f"score_cutoff is {cutoff!r}; it is a number or None")
    if not math.isfinite(cutoff):
        raise InputError(f"score_cutoff is {cutoff!r}; it is a finite number")
    return float(cutoff)


def workers_of(workers: int) -> int:
    """The number of workers; -1 means one for each core.

    Raises:
        InputError: if it is neither a whole number from 1 nor -1.
    """
    if workers == -1:
        return os.cpu_count() or 1
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise InputError(f"workers is {workers!r}; it is a number from 1, or -1")
    return workers
