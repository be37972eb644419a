"""The metrics: one file each, one line each in :data:`METRICS`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from exactmatch.errors import InputError

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric

METRICS = {
    "smatch": "exactmatch.metrics.smatch:Smatch",
    "s2match": "exactmatch.metrics.s2match:S2Match",
    "sembleu": "exactmatch.metrics.sembleu:SemBleu",
    "yisi": "exactmatch.metrics.yisi_graph:YiSiGraph",
    "yisi-text": "exactmatch.metrics.yisi_text:YiSiText",
    "bleu": "exactmatch.metrics.baselines:Bleu",
    "sentence-bleu": "exactmatch.metrics.baselines:SentenceBleu",
    "chrf": "exactmatch.metrics.baselines:ChrF",
}
"""Every metric by name, as ``module:class``; imported when it is asked for."""


def metric_class(name: str) -> type[Metric]:
    """The class behind a metric's name.

    Raises:
        InputError: if no metric has that name; the message suggests one.
    """
    if name not in METRICS:
        import difflib

        near = difflib.get_close_matches(name, METRICS, 1, 0.5)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InputError(f"unknown metric {name!r}{hint} (known: {', '.join(METRICS)})")
    module, _, attribute = METRICS[name].partition(":")
    found: type[Metric] = getattr(importlib.import_module(module), attribute)
    return found
