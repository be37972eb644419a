"""Metrics held against people, of graphs in memory: preferences, foils and systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.formats.anything import GraphLike
from exactmatch.metrics import metrics_of
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.scoring.sources import as_list
from exactmatch.stats.resampling import Bootstrap
from exactmatch.studies.correlate.assessments import assessments_of
from exactmatch.studies.correlate.human import majority
from exactmatch.studies.correlate.people import (
    PreferenceCorrelation,
    SystemCorrelation,
    preference_correlation,
    system_correlation,
)
from exactmatch.studies.in_memory import (
    answers_of,
    check_range,
    check_systems,
    reports_of,
    scores_of_pairs,
)

Metrics: TypeAlias = str | Metric | Iterable[str | Metric]
"""A metric or several, by name or made."""

Answers: TypeAlias = Iterable[float | None] | Mapping[str, Iterable[float | None]]
"""What a judge answered, or several by name."""


def correlate_preferences(
    preds: Iterable[GraphLike],
    golds: Iterable[GraphLike],
    human: Answers,
    metric: Metrics = "smatch",
    *,
    confidence: float = 0.95,
    jobs: int = 1,
    **options: Any,
) -> PreferenceCorrelation:
    """Measure how often metrics prefer what people prefer.

    Graphs come two by two: pairs 0 and 1 are two candidates, each with its reference,
    of which people prefer one, pairs 2 and 3 the next two, and so on.

    Args:
        preds: the candidates.
        golds: the reference of each, mostly the same of both.
        human: for every two candidates 1 where the first is preferred, 0 the second,
            0.5 neither, ``None`` where nobody judged; of several judges by name the
            majority counts.
        metric: a metric or several, by name or made by :func:`make_metric`.
        confidence: level of the intervals (Wilson's), between 0 and 1.
        jobs: how many processes score pairs.
        **options: options of the metrics.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there is not one preference for every two pairs, or an option is
            wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01)", "(b / bark-01)"]
    >>> preds = ["(b / bark-01)", "(m / meow-01)"]
    >>> found = exactmatch.studies.correlate_preferences(preds, golds, [1])
    >>> found["smatch"].accuracy.value
    1.0
    """
    answers = answers_of(human)
    for choice in np.unique(answers[~np.isnan(answers)]).tolist():
        if choice not in (0.0, 0.5, 1.0):
            raise InputError(f"the preference is {choice:g}; it must be 1, 0 or 0.5")
    wanted = 2 * answers.shape[1]
    scores = scores_of_pairs(preds, golds, metrics_of(metric, **options), jobs)
    for given in scores.values():
        if len(given) != wanted:
            raise InputError(
                f"{several(answers.shape[1], 'preference')} but "
                f"{several(len(given), 'pair')} of graphs; give one for every two "
                "pairs, None where nobody judged"
            )
    level = Bootstrap(level=confidence).level
    return preference_correlation(scores, majority(answers), level, answers)


def correlate_foils(
    preds: Iterable[GraphLike],
    golds: Iterable[GraphLike],
    metric: Metrics = "smatch",
    *,
    confidence: float = 0.95,
    jobs: int = 1,
    **options: Any,
) -> PreferenceCorrelation:
    """Measure how often metrics score an original strictly higher than its foil.

    Graphs come two by two: pair 0 is a foil with its reference and pair 1 the original
    with its own, pairs 2 and 3 the next two, and so on.

    Args:
        preds: foils and originals in turn.
        golds: the reference of each.
        metric: a metric or several, by name or made by :func:`make_metric`.
        confidence: level of the intervals (Wilson's), between 0 and 1.
        jobs: how many processes score pairs.
        **options: options of the metrics.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the number of pairs is odd, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))"] * 2
    >>> preds = ["(b / bark-01 :ARG1 (d / dog))", golds[0]]
    >>> exactmatch.studies.correlate_foils(preds, golds)
    originals preferred to foils: smatch 100.0 % (1 right, 0 tied, 0 wrong)
    """
    scores = scores_of_pairs(preds, golds, metrics_of(metric, **options), jobs)
    pairs = max(map(len, scores.values()), default=0)
    if pairs % 2:
        raise InputError(
            f"{several(pairs, 'pair')} of graphs; each foil is followed by its original"
        )
    level = Bootstrap(level=confidence).level
    return preference_correlation(scores, np.zeros(pairs // 2), level, foils=True)


def correlate_systems(
    systems: Mapping[str, Iterable[GraphLike]],
    golds: Iterable[GraphLike],
    human: Mapping[str, float] | Iterable[Mapping[str, Any]],
    metric: Metrics = "smatch",
    *,
    human_range: tuple[float, float] | None = None,
    standardise: bool = False,
    macro: bool = False,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    jobs: int = 1,
    **options: Any,
) -> SystemCorrelation:
    """Measure how far metrics agree with people about systems and their outputs.

    Args:
        systems: each system's predictions by its name, in the order of the references.
        golds: the references.
        human: people's score of each system; or a row for each judgement, with the
            columns ``system``, ``segment`` and ``score``, or ``segment``, ``first``,
            ``second`` and ``preferred``, or ``system`` and ``score``, and ``judge``
            where there are several.  A segment is a pair's id, or its number from 0;
            a data frame has such rows as ``frame.to_dict("records")``.
        metric: a metric or several, by name or made by :func:`make_metric`.
        human_range: the ends of the scale of people's scores of outputs.
        standardise: weigh judges alike, whatever part of the scale they use.
        macro: score systems by means over pairs instead of sums.
        samples: how many sets of segments are resampled for the intervals of τ.
        confidence: level of the intervals, between 0 and 1.
        seed: seed of the resampling.
        jobs: how many processes score pairs.
        **options: options of the metrics.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there are fewer than two systems, their numbers of graphs differ,
            a judgement names what is not there, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01)", "(r / rain-01)"]
    >>> systems = {"good": golds, "poor": ["(b / bark-01)", "(s / snow-01)"]}
    >>> rows = [{"segment": 1, "first": "good", "second": "poor", "preferred": "good"}]
    >>> found = exactmatch.studies.correlate_systems(systems, golds, rows)
    >>> found.people, found.segments["smatch"].concordant
    ((1.0, 0.0), 1)
    """
    check_systems(systems, "correlate")
    check_range(human_range)
    bootstrap = Bootstrap(samples, confidence, seed, "percentile")
    made = metrics_of(metric, **options)
    references = as_list(golds)
    reports = reports_of(systems, references, made, jobs)
    people = assessments_of(
        _rows(human),
        tuple(systems),
        _ids(reports.values(), len(references)),
        scale=human_range,
        standardise=standardise,
    )
    results = {}
    for one in made:
        found = {name: report.by_metric()[one.name] for name, report in reports.items()}
        shared = sorted(set.intersection(*map(set, found.values())))
        if not shared:
            raise InputError(
                "the systems have no pair in common; there is nothing to test"
            )
        results[one.name] = {
            name: [pairs[index] for index in shared] for name, pairs in found.items()
        }
    return system_correlation(made, results, people, bootstrap, macro)


def _rows(
    human: Mapping[str, float] | Iterable[Mapping[str, Any]],
) -> Iterable[Mapping[str, Any]]:
    """Judgements as rows; those of whole systems are given by name."""
    if isinstance(human, Mapping):
        return [{"system": name, "score": score} for name, score in human.items()]
    return human


def _ids(reports: Iterable[Report], total: int) -> Sequence[str | None]:
    """The id of every pair by its number."""
    found: list[str | None] = [None] * total
    for report in reports:
        for pair in report.pairs:
            found[pair.index] = pair.id
    return found
