"""How well metrics agree with people's scores of pairs, every metric on the same pairs.

The measures are those of :mod:`exactmatch.studies.correlate.correlate`; whether one
metric
correlates better than another is Williams' test
(:mod:`exactmatch.studies.correlate.rival_metrics`), and how far people agree among
themselves is
said where there are several (:mod:`exactmatch.studies.correlate.judges`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.markup import Markup
from exactmatch.base.numbers import fixed
from exactmatch.base.visible import visible
from exactmatch.stats.resampling import Bootstrap, Matrix, Vector
from exactmatch.studies.correlate.correlate import (
    Estimate,
    kendall,
    pearson,
    quantile_rmse,
    resampled,
    rmse,
    spearman,
)
from exactmatch.studies.correlate.human import mean, standardised
from exactmatch.studies.correlate.judges import JudgesAgreement, judges_agreement
from exactmatch.studies.correlate.rival_metrics import WilliamsTest, williams_tests
from exactmatch.studies.notebook import (
    DIGITS,
    counted,
    estimated,
    estimates,
    page,
    tested,
)
from exactmatch.views.tables import Column, Table


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """How well one metric agrees with people.

    Attributes:
        metric: the metric's name.
        pairs: how many pairs have both a score and a judgement.
        pearson, spearman, kendall: r, ρ and τ-b; NaN where they are not defined.
        rmse: the root mean squared difference; ``None`` where people's scores have
            another scale than the metric's.
        quantile_rmse: the same of the deciles of both distributions.

    >>> import exactmatch
    >>> golds = ["(b / boy)", "(g / girl)", "(b / bark-01 :ARG0 (d / dog))"]
    >>> preds = ["(b / boy)", "(g / goat)", "(b / bark-01 :ARG0 (c / cat))"]
    >>> found = exactmatch.correlate(preds, golds, [1, 0.25, 0.5])
    >>> found["smatch"].pairs, round(found["smatch"].spearman.value, 4)
    (3, 1.0)
    """

    metric: str
    pairs: int
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    rmse: Estimate | None
    quantile_rmse: Estimate | None

    @property
    def measures(self) -> dict[str, Estimate]:
        """All that was measured, by name."""
        every = {
            "pearson": self.pearson,
            "spearman": self.spearman,
            "kendall": self.kendall,
            "rmse": self.rmse,
            "quantile_rmse": self.quantile_rmse,
        }
        return {name: found for name, found in every.items() if found is not None}


@dataclass(frozen=True, slots=True, repr=False)
class Correlation:
    """How well metrics agree with people's scores of the same pairs.

    Attributes:
        metrics: one for each metric, in the order in which they were asked for.
        tests: Williams' test of every two metrics that can be tested.
        judges: how far judges agree with each other; ``None`` for a single one.
        people: people's scores, of which correlations are; NaN where nobody judged.

    Index it by a metric's name.

    >>> import exactmatch
    >>> golds = ["(b / boy)", "(g / girl)", "(b / bark-01 :ARG0 (d / dog))"]
    >>> preds = ["(b / boy)", "(g / goat)", "(b / bark-01 :ARG0 (c / cat))"]
    >>> judges = {"Anna": [1, 0.25, 0.5], "Ben": [1, None, 0.25]}
    >>> found = exactmatch.correlate(preds, golds, judges, "smatch,sembleu".split(","))
    >>> [one.metric for one in found.metrics], found.people
    (['smatch', 'sembleu'], (1.0, 0.25, 0.375))
    >>> exactmatch.correlate(preds, golds, [1, 0.25, 0.5])
    smatch r 0.9820, ρ 1.0000, τ 1.0000; 3 pairs
    """

    metrics: tuple[MetricCorrelation, ...]
    tests: tuple[WilliamsTest, ...]
    judges: JudgesAgreement | None
    people: tuple[float, ...]

    def __repr__(self) -> str:
        shown = [
            f"{one.metric} r {fixed(one.pearson.value, DIGITS)}, "
            f"ρ {fixed(one.spearman.value, DIGITS)}, "
            f"τ {fixed(one.kendall.value, DIGITS)}"
            for one in self.metrics
        ]
        return visible(f"{'; '.join(shown)}; {counted(_most(self), 'pair')}")

    def _repr_html_(self) -> Markup:
        """The analysis as notebooks show it."""
        titles = {
            "pearson": "Pearson's r",
            "spearman": "Spearman's ρ",
            "kendall": "Kendall's τ",
            "rmse": "RMSE",
            "quantile_rmse": "RMSE (quantiles)",
        }
        measured = [m for m in titles if any(m in one.measures for one in self.metrics)]
        rows = []
        for one in self.metrics:
            row: dict[str, Any] = {"metric": one.metric, "pairs": one.pairs}
            for name, estimate in one.measures.items():
                row |= estimated(name, estimate)
            rows.append(row)
        columns = [Column("metric", "metric"), Column("pairs", "pairs")]
        columns += [estimates(name, titles[name]) for name in measured]
        return page([Table("", tuple(columns), rows)], tested(self.tests))

    def __getitem__(self, metric: str) -> MetricCorrelation:
        for found in self.metrics:
            if found.metric == metric:
                return found
        known = ", ".join(found.metric for found in self.metrics)
        raise KeyError(f"no metric {metric!r} was correlated (known: {known})")

    @property
    def is_comparable(self) -> bool:
        """Whether people's scores have the scale of the metrics, so that RMSE is."""
        return all(found.rmse is not None for found in self.metrics)


def people_of(
    answers: Matrix,
    human_range: tuple[float, float] | None = None,
    standardise: bool = False,
) -> tuple[Vector, bool]:
    """People's scores of pairs, and whether they have the scale of metrics, 0 to 1.

    Args:
        answers: a row for each judge; NaN where nothing was judged.
        human_range: the least and the greatest score that judges may give; they become
            0 and 1.
        standardise: average each judge's standard scores instead.
    """
    if standardise:
        return mean(standardised(answers)), False
    people = mean(answers)
    if human_range is not None:
        low, high = human_range
        people = (people - low) / (high - low)
    judged = people[~np.isnan(people)]
    return people, len(judged) > 0 and judged.min() >= 0 and judged.max() <= 1


def correlation(
    scores: Mapping[str, Vector],
    answers: Matrix,
    bootstrap: Bootstrap,
    human_range: tuple[float, float] | None = None,
    standardise: bool = False,
    advance: Callable[[], None] = lambda: None,
) -> Correlation:
    """Correlate metrics with people.

    Args:
        scores: each metric's scores of the same pairs; NaN where it has none.
        answers, human_range, standardise: as :func:`people_of` takes them.
        bootstrap: samples, level and seed of the intervals of errors.
        advance: called after each sample of each error.

    Raises:
        InputError: if no pair has both a score and a judgement.
    """
    people, is_comparable = people_of(answers, human_range, standardise)
    found = []
    for metric, given in scores.items():
        known = ~np.isnan(given + people)
        x, y = given[known], people[known]
        level = bootstrap.level
        of_errors = [
            resampled(error, x, y, bootstrap, advance) if is_comparable else None
            for error in (rmse, quantile_rmse)
        ]
        of_ranks = spearman(x, y, level), kendall(x, y, level)
        linear = pearson(x, y, level)
        found.append(MetricCorrelation(metric, len(x), linear, *of_ranks, *of_errors))
    if not any(each.pairs for each in found):
        raise InputError("no pair has both a score and a judgement")
    several = len(answers) > 1
    return Correlation(
        tuple(found),
        tuple(williams_tests(scores, people)),
        judges_agreement(answers, numbers=True) if several else None,
        tuple(people.tolist()),
    )


def _most(found: Correlation) -> int:
    return max((one.pairs for one in found.metrics), default=0)
