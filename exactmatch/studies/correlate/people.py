"""How well metrics agree with people's preferences, and with what they say of systems.

Scores of pairs are correlated in :mod:`exactmatch.studies.correlate.correlation`; the
measures
are those of :mod:`exactmatch.studies.correlate.correlate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

import exactmatch.studies.notebook as notebook
from exactmatch.base.errors import InputError
from exactmatch.base.markup import Markup
from exactmatch.base.visible import visible
from exactmatch.metrics.base import Metric
from exactmatch.scoring.results import PairResult
from exactmatch.stats.resampling import (
    Bootstrap,
    Matrix,
    Vector,
    mean_scorer,
    rows_of,
    value_rows,
)
from exactmatch.studies.correlate.assessments import Assessments
from exactmatch.studies.correlate.correlate import (
    Preference,
    RankAgreement,
    SystemAgreement,
    preference,
    rank_agreement,
    system_agreement,
)
from exactmatch.studies.correlate.judges import JudgesAgreement, judges_agreement
from exactmatch.studies.correlate.rival_metrics import (
    AccuracyTest,
    WilliamsTest,
    choices,
    mcnemar_tests,
    williams_tests,
)

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, repr=False)
class PreferenceCorrelation:
    """How often metrics prefer what people prefer, or originals to foils.

    Attributes:
        preferences: each metric's right and wrong preferences, by its name.
        tests: McNemar's test of every two metrics.
        judges: how far judges agree with each other; ``None`` for a single one.
        foils: whether originals had to be told from foils.

    Index it by a metric's name.

    >>> import exactmatch
    >>> golds = ["(b / bark-01)"] * 4
    >>> preds = ["(b / bark-01)", "(m / meow-01)", "(m / meow-01)", "(b / bark-01)"]
    >>> found = exactmatch.studies.correlate_preferences(preds, golds, [1, 0])
    >>> found["smatch"].right, found["smatch"].accuracy.value
    (2, 1.0)
    >>> found
    preferences: smatch 100.0 % (2 right, 0 tied, 0 wrong)
    """

    preferences: dict[str, Preference]
    tests: tuple[AccuracyTest, ...]
    judges: JudgesAgreement | None
    foils: bool

    def __repr__(self) -> str:
        return visible(notebook.preferences_line(self.preferences, self.foils))

    def _repr_html_(self) -> Markup:
        """The analysis as notebooks show it."""
        return notebook.preferences_html(self.preferences, self.foils, self.tests)

    def __getitem__(self, metric: str) -> Preference:
        return _of(self.preferences, metric)


@dataclass(frozen=True, slots=True, repr=False)
class SystemCorrelation:
    """How far metrics agree with people about systems and about their outputs.

    Attributes:
        names: the systems.
        people: people's scores of them; NaN where nothing was judged.
        scores: each metric's scores of them, by its name.
        systems: each metric held against people's scores of systems.
        segments: each metric held against people's order of outputs; empty where they
            judged whole systems alone.
        tests: Williams' test of every two metrics, over systems.
        judges: how far judges agree with each other; ``None`` for a single one.

    Index it by a metric's name.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))"]
    >>> systems = {
    ...     "good": golds,
    ...     "fair": ["(b / bark-01 :ARG0 (c / cat))"],
    ...     "poor": ["(c / cat)"],
    ... }
    >>> found = exactmatch.studies.correlate_systems(
    ...     systems, golds, {"good": 90, "fair": 60, "poor": 10}
    ... )
    >>> found["smatch"].right, found["smatch"].pairs
    (3, 3)
    >>> found
    smatch r 1.0000, 3 of 3 pairs in the same order; 3 systems
    """

    names: tuple[str, ...]
    people: tuple[float, ...]
    scores: dict[str, tuple[float, ...]]
    systems: dict[str, SystemAgreement]
    segments: dict[str, RankAgreement]
    tests: tuple[WilliamsTest, ...]
    judges: JudgesAgreement | None

    def __repr__(self) -> str:
        return visible(notebook.systems_line(self.systems, self.segments))

    def _repr_html_(self) -> Markup:
        """The analysis as notebooks show it."""
        return notebook.systems_html(
            self.names,
            self.people,
            self.scores,
            self.systems,
            self.segments,
            self.tests,
        )

    def __getitem__(self, metric: str) -> SystemAgreement:
        return _of(self.systems, metric)


def _of(found: Mapping[str, _Found], metric: str) -> _Found:
    if metric in found:
        return found[metric]
    known = ", ".join(found)
    raise KeyError(f"no metric {metric!r} was correlated (known: {known})")


def preference_correlation(
    scores: Mapping[str, Vector],
    human: Vector,
    level: float,
    answers: Matrix | None = None,
    *,
    foils: bool = False,
) -> PreferenceCorrelation:
    """Hold metrics against preferences.

    Args:
        scores: each metric's scores of pairs, those that are compared side by side;
            NaN where it has none.
        human: 1 where the first of two is preferred, 0 the second, 0.5 neither.
        level: of the intervals.
        answers: a row for each judge.
        foils: whether the second of two is the original, and the first a foil.

    Raises:
        InputError: if no two pairs can be compared.
    """
    found, right = {}, {}
    for metric, given in scores.items():
        first, second = given[0::2], given[1::2]
        known = ~np.isnan(first + second + human)
        found[metric] = preference(first[known], second[known], human[known], level)
        right[metric] = choices(first, second, human)
    if not any(p.decided + p.undecided for p in found.values()):
        raise InputError("no two pairs can be compared; nothing is judged")
    judges = None
    if answers is not None and len(answers) > 1:
        judges = judges_agreement(answers, numbers=False)
    return PreferenceCorrelation(found, tuple(mcnemar_tests(right)), judges, foils)


def system_correlation(
    metrics: Sequence[Metric],
    results: Mapping[str, Mapping[str, Sequence[PairResult]]],
    people: Assessments,
    bootstrap: Bootstrap,
    macro: bool = False,
) -> SystemCorrelation:
    """Hold metrics against what people said of systems, or of their outputs.

    Args:
        metrics: what was measured.
        results: each pair's, by metric and system, on the same pairs.
        people: what people said.
        bootstrap: level, and samples and seed of τ's intervals.
        macro: score systems by means over pairs instead of sums.
    """
    human = people.scores()[0]
    scores = {m.name: corpus_scores(m, results[m.name], macro) for m in metrics}
    segments = {}
    if people.outputs is not None:
        for metric in metrics:
            table = _outputs(results[metric.name], len(people.outputs))
            segments[metric.name] = rank_agreement(people.better, table, bootstrap)
    judges = None
    if len(people.answers) > 1:
        judges = judges_agreement(people.answers, numbers=not people.counted)
    return SystemCorrelation(
        people.systems,
        tuple(human.tolist()),
        {metric: tuple(found.tolist()) for metric, found in scores.items()},
        {
            metric: system_agreement(found, human, bootstrap.level)
            for metric, found in scores.items()
        },
        segments,
        tuple(williams_tests(scores, human)),
        judges,
    )


def corpus_scores(
    metric: Metric, results: Mapping[str, Sequence[PairResult]], macro: bool = False
) -> Vector:
    """The metric's scores of systems, of the sums of their pairs or means over them."""
    if macro:
        sums = [value_rows(r.score for r in rs).sum(axis=0) for rs in results.values()]
        return mean_scorer(np.array(sums))[:, -1]
    sums = [
        tuple(rows_of([r.statistics for r in pairs]).sum(axis=0).tolist())
        for pairs in results.values()
    ]
    return np.array([metric.scores(given).score for given in sums])


def _outputs(results: Mapping[str, Sequence[PairResult]], total: int) -> Matrix:
    """Scores of outputs, shape ``(segments, systems)``; NaN where there is none."""
    found = np.full((total, len(results)), np.nan)
    for place, pairs in enumerate(results.values()):
        for pair in pairs:
            if pair.index < total and pair.score.is_defined:
                found[pair.index, place] = pair.score.score
    return found
