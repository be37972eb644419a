"""The metrics: one file each, one line each in :data:`METRICS`."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from exactmatch.errors import InputError

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric, Option

METRICS = {
    "smatch": "exactmatch.metrics.smatch:Smatch",
    "s2match": "exactmatch.metrics.s2match:S2Match",
    "sembleu": "exactmatch.metrics.sembleu:SemBleu",
    "yisi": "exactmatch.metrics.yisi.graph:YiSiGraph",
    "rematch": "exactmatch.metrics.rematch:Rematch",
    "wlk": "exactmatch.metrics.weisfeiler_leman.wlk:Wlk",
    "wwlk": "exactmatch.metrics.weisfeiler_leman.wwlk:Wwlk",
    "yisi-text": "exactmatch.metrics.yisi.text:YiSiText",
    "bleu": "exactmatch.metrics.baselines:Bleu",
    "sentence-bleu": "exactmatch.metrics.baselines:SentenceBleu",
    "chrf": "exactmatch.metrics.baselines:ChrF",
}
"""Every metric by name, as ``module:class``; imported when it is asked for."""

SEARCHING = ("smatch", "s2match")
"""The metrics that align variables, and so have an optimum to prove."""


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


def metric_options(names: Iterable[str]) -> list[Option]:
    """The metrics' options; those of one name are one, with all its choices."""
    found: dict[str, Option] = {}
    for name in names:
        for option in metric_class(name).options:
            known = found.get(option.name)
            if known is None:
                found[option.name] = option
            elif known.choices and option.choices:
                both = tuple(dict.fromkeys((*known.choices, *option.choices)))
                found[option.name] = replace(known, choices=both)
    return list(found.values())
