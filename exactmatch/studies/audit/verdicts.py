"""The answer of an audit in sentences: what a search loses, what explains a score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactmatch.base.numbers import fixed, several
from exactmatch.scoring.resampling import Vector
from exactmatch.studies.audit.hillclimbs import place
from exactmatch.studies.audit.results import Audit, MetricAudit
from exactmatch.studies.audit.summary import published_interval

_FAR = 3.0
"""Runs so many standard deviations below their mean are not to be expected."""


class Plausibility(NamedTuple):
    """Whether hill-climbing explains a published corpus score.

    Attributes:
        published: the score as printed.
        plausible: whether it can be what a run found.
        restarts: the number of restarts of the runs it is held against.
        below: how many of these runs were at or below it, as far as it is rounded.
        runs: how many runs there were.
        why: the reason, where it is not plausible.
    """

    published: str
    plausible: bool
    restarts: int
    below: int
    runs: int
    why: str = ""

    def __str__(self) -> str:
        told = (
            f"{self.below} of {several(self.runs, 'run')} with "
            f"{several(self.restarts, 'restart')} were at or below it"
        )
        if self.plausible:
            return f"published {self.published} is plausible: {told}"
        return f"published {self.published} is implausible: {self.why}; {told}"


def verdicts(found: Audit) -> tuple[str, ...]:
    """Return what each metric's search loses, and whether a published score fits."""
    lines = [_lost(audited, len(found.metrics) > 1) for audited in found.metrics]
    if found.published is not None:
        lines.append(str(plausibility(found.metrics[0], str(found.published))))
    return tuple(lines)


def plausibility(audited: MetricAudit, published: str) -> Plausibility:
    """Tell whether hill-climbing explains a published corpus score.

    It does where the score is not above the optimum and not further below the runs'
    mean than three standard deviations, for some number of restarts.  A score is
    rounded, so half a unit of its last digit is allowed on either side.

    Args:
        audited: the runs.
        published: the score as printed.
    """
    k, plan = place(audited.plan), audited.plan
    error = published_interval(published, audited.optimum)
    half = (error.high - error.low) / 2
    highest = audited.optimum - error.low
    corpus = audited.totals.corpus_f1(audited.values)
    below = int((corpus[:, k] <= highest + 1e-12).sum())
    floor = min(map(_floor, corpus.T))
    why = ""
    if error.high < 0:
        why = (
            f"no alignment scores above {fixed(audited.optimum, 4)}, so other graphs "
            "or other triples were counted"
        )
    elif highest < floor:
        why = (
            f"runs scored {fixed(float(corpus.min()), 4)} at least, and a search "
            f"explains no score below {fixed(floor - half, 4)}"
        )
    return Plausibility(published, not why, plan.restarts[k], below, len(corpus), why)


def _floor(runs: Vector) -> float:
    """The least score that runs can be expected to have."""
    spread = float(runs.std(ddof=1)) if len(runs) > 1 else 0.0
    return min(float(runs.min()), float(runs.mean()) - _FAR * spread)


def _lost(audited: MetricAudit, named: bool) -> str:
    k, plan = place(audited.plan), audited.plan
    error = 100 * (audited.optimum - audited.totals.corpus_f1(audited.values)[:, k])
    share = float(
        np.mean(audited.totals.optimum > audited.values[:, :, k].min(axis=1) + 1e-9)
    )
    about = f"{audited.title}: " if named else ""
    restarts = several(plan.restarts[k], "restart")
    if not share:
        return f"{about}hill-climbing with {restarts} found every optimum in every run"
    runs = several(len(error), "run")
    return (
        f"{about}hill-climbing with {restarts} loses {fixed(float(error.mean()), 2)} "
        f"points of the corpus F1 on average, and misses the optimum of "
        f"{fixed(100 * share, 1)} % of pairs at least once in {runs}"
    )
