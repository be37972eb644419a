"""Results of comparing metrics with people: pairs, preferences and systems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from exactmatch.base.numbers import fixed, p_text, several
from exactmatch.base.visible import visible
from exactmatch.scoring.exchange import Vector
from exactmatch.scoring.resampling import Sampling
from exactmatch.scoring.tables import Losses
from exactmatch.studies.answer import Answer, of_metric
from exactmatch.studies.correlate.assessments import Assessments
from exactmatch.studies.correlate.human import JudgesAgreement
from exactmatch.studies.correlate.measures import (
    AccuracyTest,
    Estimate,
    Preference,
    WilliamsTest,
)
from exactmatch.studies.correlate.systems import (
    MetricComparison,
    MetricRanks,
    OutputAgreement,
    RankAgreement,
    SystemAgreement,
)


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """Agreement of one metric with people.

    Attributes:
        pairs: number of pairs with both a score and a judgement.
        pearson, spearman, kendall: r, ρ and τ-b; NaN where they are not defined.
        rmse: the root mean squared difference; ``None`` where people's scores have
            another scale than the metric's.
        quantile_rmse: the same for the deciles of both distributions.

    >>> import exactmatch
    >>> golds = ["(b / boy)", "(g / girl)", "(b / bark-01 :ARG0 (d / dog))"]
    >>> preds = ["(b / boy)", "(g / goat)", "(b / bark-01 :ARG0 (c / cat))"]
    >>> result = exactmatch.correlate(preds, golds, [1, 0.25, 0.5])
    >>> result["smatch"].pairs, round(result["smatch"].spearman.value, 4)
    (3, 1.0)
    """

    metric: str
    pairs: int
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    rmse: Estimate | None
    quantile_rmse: Estimate | None


@dataclass(frozen=True, eq=False, repr=False)
class CorrelationAnswer(Answer):
    """Base of the answers about metrics and people."""

    judges: JudgesAgreement | None  # with each other, if there are several
    sampling: Sampling  # samples, level and seed of the intervals
    lost: Losses  # what the metrics' readers left out of the graphs
    signatures: tuple[str, ...]  # of each metric

    def agreed(self) -> tuple[Mapping[str, Estimate], str]:
        """Return each metric's agreement with people, and how many items count."""
        raise NotImplementedError

    def judged(self) -> tuple[int, int, str]:
        """Return how many items were judged, of how many, and what they are."""
        raise NotImplementedError

    @property
    def unjudged(self) -> int:
        """Number of items that nobody judged, which are left out."""
        judged, total, _ = self.judged()
        return total - judged

    @property
    def remark_on_unjudged(self) -> str:
        """A sentence about items that nobody judged; empty if there are none."""
        judged, total, what = self.judged()
        if judged == total:
            return ""
        few = total - judged
        left_out = "it is left out" if few == 1 else "they are left out"
        return f"nobody judged {few:,} of {several(total, what)}; {left_out}"

    def _shown(self, text: str) -> str:
        remark = self.remark_on_unjudged
        return visible(f"{text}; {remark}" if remark else text)


@dataclass(frozen=True, eq=False, repr=False)
class Correlation(CorrelationAnswer):
    """Agreement of metrics with people's scores of the same pairs.

    Index it by a metric's name.

    Attributes:
        metrics: each metric's agreement, in the order of the metrics.
        tests: Williams' test of every two metrics that can be tested.
        people: people's scores; NaN where nobody judged.
        scores: each metric's scores of the same pairs; NaN where it has none.
        ids: the pairs' ids by their numbers.

    >>> import exactmatch
    >>> golds = ["(b / boy)", "(g / girl)", "(b / bark-01 :ARG0 (d / dog))"]
    >>> preds = ["(b / boy)", "(g / goat)", "(b / bark-01 :ARG0 (c / cat))"]
    >>> judges = {"Anna": [1, 0.25, 0.5], "Ben": [1, None, 0.25]}
    >>> result = exactmatch.correlate(preds, golds, judges, "smatch,sembleu")
    >>> [metric.metric for metric in result.metrics], result.people
    (['smatch', 'sembleu'], (1.0, 0.25, 0.375))
    """

    VIEW = "exactmatch.studies.correlate.view:pair_tables"

    metrics: tuple[MetricCorrelation, ...]
    tests: tuple[WilliamsTest, ...]
    people: tuple[float, ...]
    scores: Mapping[str, Vector] = field(default_factory=dict)
    ids: Mapping[int, str | None] = field(default_factory=dict)

    @property
    def is_comparable(self) -> bool:
        """True where people's scores have the metrics' scale: RMSE is defined."""
        return all(correlation.rmse is not None for correlation in self.metrics)

    @property
    def pairs(self) -> int:
        """Number of pairs with both a score and a judgement."""
        return max((correlation.pairs for correlation in self.metrics), default=0)

    def agreed(self) -> tuple[Mapping[str, Estimate], str]:
        estimates = {
            correlation.metric: correlation.pearson for correlation in self.metrics
        }
        return estimates, several(self.pairs, "pair")

    def __getitem__(self, metric: str) -> MetricCorrelation:
        return of_metric(
            {correlation.metric: correlation for correlation in self.metrics}, metric
        )

    def __repr__(self) -> str:
        shown = [
            f"{correlation.metric} r {fixed(correlation.pearson.value, 4)}, "
            f"ρ {fixed(correlation.spearman.value, 4)}, "
            f"τ {fixed(correlation.kendall.value, 4)}"
            for correlation in self.metrics
        ]
        return self._shown(f"{'; '.join(shown)}; {several(self.pairs, 'pair')}")

    def judged(self) -> tuple[int, int, str]:
        known = sum(not math.isnan(value) for value in self.people)
        return known, sum(index >= 0 for index in self.ids), "pair"


@dataclass(frozen=True, eq=False, repr=False)
class PreferenceCorrelation(CorrelationAnswer):
    """Agreement of metrics with people's preferences, or with originals over foils.

    Index it by a metric's name.

    Attributes:
        preferences: each metric's right and wrong preferences, by its name.
        tests: McNemar's test of every two metrics.
        foils: whether the pairs are foils and originals.
        choices: 1 where the first of two pairs is preferred, 0 the second, 0.5 neither;
            NaN where nobody judged.
        scores: each metric's scores of the pairs; NaN where it has none.
        ids: the pairs' ids by their numbers.

    >>> import exactmatch
    >>> golds = ["(b / bark-01)"] * 4
    >>> preds = ["(b / bark-01)", "(m / meow-01)", "(m / meow-01)", "(b / bark-01)"]
    >>> result = exactmatch.studies.correlate_preferences(preds, golds, [1, 0])
    >>> result["smatch"].right, result["smatch"].accuracy.value
    (2, 1.0)
    >>> result
    preferences: smatch 100.0 % (2 right, 0 tied, 0 wrong)
    """

    VIEW = "exactmatch.studies.correlate.view:preference_tables"

    preferences: dict[str, Preference]
    tests: tuple[AccuracyTest, ...]
    foils: bool
    choices: Vector
    scores: Mapping[str, Vector]
    ids: Mapping[int, str | None]

    def agreed(self) -> tuple[Mapping[str, Estimate], str]:
        estimates = {
            metric: preference.accuracy
            for metric, preference in self.preferences.items()
        }
        highest = max(
            (preference.decided for preference in self.preferences.values()), default=0
        )
        return estimates, several(highest, "decision")

    def __getitem__(self, metric: str) -> Preference:
        return of_metric(self.preferences, metric)

    def __repr__(self) -> str:
        shown = [
            f"{metric} {fixed(preference.accuracy.value, 1, percent=True)} % "
            f"({preference.right} right, "
            f"{preference.tied} tied, {preference.wrong} wrong)"
            for metric, preference in self.preferences.items()
        ]
        what = "originals preferred to foils" if self.foils else "preferences"
        return self._shown(f"{what}: {'; '.join(shown)}")

    def judged(self) -> tuple[int, int, str]:
        known = sum(not math.isnan(choice) for choice in self.choices)
        return known, sum(index >= 0 for index in self.ids) // 2, "choice"


@dataclass(frozen=True, eq=False, repr=False)
class SystemCorrelation(CorrelationAnswer):
    """Agreement of metrics with people about systems and their outputs.

    Index it by a metric's name.

    Attributes:
        scores: each metric's scores of the systems, by its name.
        systems: each metric's agreement with people's scores of systems.
        segments: each metric's agreement with people's order of outputs; empty if they
            judged whole systems only.
        outputs: each metric's agreement with people's scores of outputs; empty if they
            gave none.
        group_by: the groups within which outputs were compared: item, system or none.
        tests: Williams' test of every two metrics, over systems.
        rivals: permutation tests of every two metrics, over systems and outputs.
        ranks: each metric's ranks as WMT gives them, if there are several.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))"]
    >>> systems = {
    ...     "good": golds,
    ...     "fair": ["(b / bark-01 :ARG0 (c / cat))"],
    ...     "poor": ["(c / cat)"],
    ... }
    >>> result = exactmatch.studies.correlate_systems(
    ...     systems, golds, {"good": 90, "fair": 60, "poor": 10}
    ... )
    >>> result["smatch"].right, result["smatch"].pairs
    (3, 3)
    >>> result
    smatch r 1.0000, 3 of 3 pairs in the same order; 3 systems
    """

    VIEW = "exactmatch.studies.correlate.view:system_tables"
    WITHOUT_EFFECT = tuple(
        (name, "with --human")
        for name in ("per_pair", "ids", "worst", "best", "below", "where", "sort")
    )

    judgement: Assessments
    scores: dict[str, tuple[float, ...]]
    systems: dict[str, SystemAgreement]
    segments: dict[str, RankAgreement]
    outputs: dict[str, OutputAgreement]
    group_by: str
    tests: tuple[WilliamsTest, ...]
    rivals: tuple[MetricComparison, ...]
    ranks: dict[str, MetricRanks]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.judgement.systems

    @property
    def people(self) -> tuple[float, ...]:
        """People's scores of the systems; NaN where nothing was judged."""
        return tuple(self.judgement.scores()[0].tolist())

    def agreed(self) -> tuple[Mapping[str, Estimate], str]:
        estimates = {
            metric: agreement.pearson for metric, agreement in self.systems.items()
        }
        highest = max(
            (agreement.systems for agreement in self.systems.values()), default=0
        )
        return estimates, several(highest, "system")

    def __getitem__(self, metric: str) -> SystemAgreement:
        return of_metric(self.systems, metric)

    def __repr__(self) -> str:
        shown = []
        for metric, agreement in self.systems.items():
            summary = (
                f"{metric} r {fixed(agreement.pearson.value, 4)}, {agreement.right} of "
            )
            summary += f"{several(agreement.pairs, 'pair')} in the same order"
            if metric in self.segments:
                summary += f", τ {fixed(self.segments[metric].tau.value, 4)}"
            shown.append(summary)
        return self._shown(f"{'; '.join(shown)}; {self.agreed()[1]}")

    def judged(self) -> tuple[int, int, str]:
        outputs = self.judgement.outputs
        if outputs is None or self.judgement.counted:
            known = sum(not math.isnan(score) for score in self.people)
            return known, len(self.people), "system"
        return int((~np.isnan(outputs)).sum()), outputs.size, "output"


OneCorrelation: TypeAlias = Correlation | PreferenceCorrelation | SystemCorrelation


def verdicts(answer: OneCorrelation) -> tuple[str, ...]:
    """Say how well the best metric agrees with people, and if it beats the others."""
    estimates, among = answer.agreed()
    is_choice = isinstance(answer, PreferenceCorrelation)
    measure, value_of_chance = ("right in", 0.5) if is_choice else ("Pearson's r", 0.0)

    def written(value: float) -> str:
        return f"{fixed(value, 1, percent=True)} %" if is_choice else fixed(value, 3)

    defined = {m: e.value for m, e in estimates.items() if not math.isnan(e.value)}
    if not defined:
        return ("no metric can be compared with people here",)
    best, *other_metrics = sorted(defined, key=defined.__getitem__, reverse=True)
    shown, sure = f"{measure} {written(defined[best])}", ""
    if interval := estimates[best].interval:
        low, high = written(interval.low), written(interval.high)
        shown += f", {100 * interval.level:g} %: {low} to {high}"
        sure = "; this may be chance" if interval.low <= value_of_chance else ""
    agrees = "agrees best with people" if other_metrics else "agrees with people"
    if defined[best] <= value_of_chance:
        agrees = "does not agree with people"
    if answer.unjudged:
        count, of_all, _ = answer.judged()
        among += f" ({count:,} of {of_all:,} judged)"
    sentence = f"{best} {agrees} ({shown}, {among}){sure}"
    rivals: dict[str, list[str]] = {"": [], "not ": []}
    for test in answer.tests:
        p = test.p_value if test.corrected is None else test.corrected
        couple = {test.first, test.second}
        if best in couple and couple <= defined.keys() and not math.isnan(p):
            (rival,) = couple - {best}
            rivals["" if p <= 0.05 else "not "].append(f"{rival} ({p_text(p)})")
    for outcome, names in rivals.items():
        if names:
            sentence += f"; {outcome}significantly better than {', '.join(names)}"
    return (sentence,)
