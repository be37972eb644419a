"""The answer of a correlation in sentences: which metric agrees best with people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from exactmatch.base.numbers import fixed, several, stated_p
from exactmatch.studies.correlate.measures import Estimate
from exactmatch.studies.correlate.results import (
    Correlation,
    PreferenceCorrelation,
    SystemCorrelation,
)
from exactmatch.studies.correlate.rival_metrics import AccuracyTest, WilliamsTest

_SIGNIFICANT = 0.05


class _Measured(NamedTuple):
    """How a metric's agreement with people is told.

    Attributes:
        of: each metric's agreement.
        what: what the number is.
        nothing: the number where there is no agreement.
        among: of how many things it is.
    """

    of: Mapping[str, Estimate]
    what: str
    nothing: float
    among: str

    def shown(self, value: float) -> str:
        """The number, a coefficient or a percentage."""
        return f"{fixed(100 * value, 1)} %" if self.nothing else fixed(value, 3)


def verdicts(
    found: Correlation | PreferenceCorrelation | SystemCorrelation,
) -> tuple[str, ...]:
    """Return how surely the best metric agrees with people, and better than others."""
    told = _measured(found)
    known = {m: e.value for m, e in told.of.items() if not math.isnan(e.value)}
    if not known:
        return ("no metric can be held against people here",)
    best, *others = sorted(known, key=known.__getitem__, reverse=True)
    estimate = told.of[best]
    shown = f"{told.what} {told.shown(estimate.value)}"
    sure = ""
    if interval := estimate.interval:
        low, high = told.shown(interval.low), told.shown(interval.high)
        shown += f", {100 * interval.level:g} %: {low} to {high}"
        if interval.low <= told.nothing:
            sure = "; that may be chance"
    agrees = "agrees best with people" if others else "agrees with people"
    if estimate.value <= told.nothing:
        agrees = "does not agree with people"
    sentence = f"{best} {agrees} ({shown}, {told.among}){sure}"
    rivals = "; ".join(_rivals(best, others, found.tests))
    return (f"{sentence}; {rivals}" if rivals else sentence,)


def _measured(
    found: Correlation | PreferenceCorrelation | SystemCorrelation,
) -> _Measured:
    if isinstance(found, Correlation):
        of = {one.metric: one.pearson for one in found.metrics}
        return _Measured(of, "Pearson's r", 0.0, several(found.pairs, "pair"))
    if isinstance(found, SystemCorrelation):
        of = {metric: one.pearson for metric, one in found.systems.items()}
        count = max((one.systems for one in found.systems.values()), default=0)
        return _Measured(of, "Pearson's r", 0.0, several(count, "system"))
    of = {metric: one.accuracy for metric, one in found.preferences.items()}
    count = max((one.decided for one in found.preferences.values()), default=0)
    return _Measured(of, "right in", 0.5, several(count, "decision"))


def _rivals(
    best: str, others: Sequence[str], tests: Sequence[WilliamsTest | AccuracyTest]
) -> Iterator[str]:
    """From which other metrics the best one is told apart, and from which not."""
    sure: list[str] = []
    open_: list[str] = []
    for test in tests:
        if best in (test.first, test.second):
            other = test.second if test.first == best else test.first
            p = test.p_value if test.corrected is None else test.corrected
            if other in others and not math.isnan(p):
                told = f"{other} ({stated_p(p)})"
                (sure if p <= _SIGNIFICANT else open_).append(told)
    if sure:
        yield f"significantly better than {', '.join(sure)}"
    if open_:
        yield f"not significantly better than {', '.join(open_)}"
