"""Analyses of graphs that are in memory, as Python programs ask for them.

Each scores the graphs first and then asks the analysis of the same name; the commands
of those names do so with files.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from exactmatch.base.errors import InputError, check_kind
from exactmatch.base.numbers import several
from exactmatch.formats.anything import GraphLike
from exactmatch.graphs.profile import Align
from exactmatch.metrics import make_metric, metrics_of
from exactmatch.metrics.base import Metric
from exactmatch.metrics.finegrained import scores
from exactmatch.metrics.finegrained.aspects import Way
from exactmatch.metrics.finegrained.aspects import aspects as aspect_scores
from exactmatch.metrics.umr.scores import umatch_scores, umr_scores
from exactmatch.scoring.report import Report
from exactmatch.scoring.run import evaluate_items
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import as_list, is_missing
from exactmatch.solvers.base import Solver
from exactmatch.stats.resampling import Bootstrap, Matrix, Test, Vector
from exactmatch.studies.compare import compare as comparisons
from exactmatch.studies.compare.results import Comparison
from exactmatch.studies.correlate.correlation import Correlation, correlation

DocumentStyle: TypeAlias = Literal["umr", "umatch"]
"""The styles of fine-grained scores that are tables of documents."""


def compare(
    systems: Mapping[str, Iterable[GraphLike]],
    golds: Iterable[GraphLike],
    metric: str | Metric = "smatch",
    *,
    baseline: str | None = None,
    test: Test | None = None,
    macro: bool = False,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    jobs: int = 1,
    **options: Any,
) -> Comparison:
    """Rank systems on the same references, and test each against a baseline.

    Args:
        systems: each system's predictions by its name, in the order of the references.
        golds: the references.
        metric: the metric, by name or made by :func:`make_metric`.
        baseline: the system that the others are tested against; default: the best.
        test: where p-values come from: ``bootstrap`` or ``randomisation``; default: the
            bootstrap, of scores of single aspects randomisation.
        macro: compare means over pairs instead of scores of sums.
        samples: how many corpora are resampled.
        confidence: level of the intervals, between 0 and 1.
        seed: seed of the resampling.
        jobs: how many processes score pairs.
        **options: options of the metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there are fewer than two systems, their numbers of graphs differ,
            none is called *baseline*, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> found = exactmatch.compare(
    ...     {"first": ["(b / bark-01)", "(r / rain-01)"], "second": golds}, golds
    ... )
    >>> [(one.rank, one.system, one.score.score) for one in found.standings]
    [(1, 'second', 1.0), (2, 'first', 0.8)]
    """
    check_systems(systems, "compare")
    if baseline is not None and baseline not in systems:
        known = ", ".join(systems)
        raise InputError(f"no system is called {baseline!r} (known: {known})")
    if test not in (None, "bootstrap", "randomisation"):
        raise InputError(f"test is {test!r}; it is 'bootstrap' or 'randomisation'")
    bootstrap = Bootstrap(samples, confidence, seed)
    made = _made(metric, options)
    reports = reports_of(systems, as_list(golds), made, jobs)
    results = {name: report.pairs for name, report in reports.items()}
    return comparisons.compare(made, results, bootstrap, test, baseline, macro)


def check_systems(systems: Mapping[str, Any], purpose: str) -> None:
    """Check that there are two systems or more.

    Raises:
        InputError: if there are not; it says what they are needed for.
    """
    wanted = "each system's graphs by its name, {'mine': [...], 'theirs': [...]}"
    check_kind("systems", systems, Mapping, wanted)
    if len(systems) < 2:
        given = several(len(systems), "system")
        raise InputError(f"only {given}; give two or more to {purpose}")


def reports_of(
    systems: Mapping[str, Iterable[GraphLike]],
    references: Iterable[GraphLike],
    metrics: Metric | Sequence[Metric],
    jobs: int,
) -> dict[str, Report]:
    """Score every system on the same references."""
    settings = Settings(jobs=jobs)
    return {
        name: evaluate_items(preds, references, metrics, settings)
        for name, preds in systems.items()
    }


def correlate(
    preds: Iterable[GraphLike],
    golds: Iterable[GraphLike],
    human: Iterable[float | None] | Mapping[str, Iterable[float | None]],
    metric: str | Metric | Iterable[str | Metric] = "smatch",
    *,
    human_range: tuple[float, float] | None = None,
    standardise: bool = False,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    jobs: int = 1,
    **options: Any,
) -> Correlation:
    """Measure how well metrics agree with people's scores of pairs of graphs.

    What people prefer is held against metrics by :func:`correlate_preferences`, what
    they say of systems by :func:`correlate_systems`; :func:`correlate_foils` needs no
    people.

    Args:
        preds: the first graph of each pair, or sentences for a metric on text.
        golds: the second one, in the same order.
        human: people's score of each pair, ``None`` or NaN where nobody judged; of
            several judges the scores of each by name, of which the mean counts.
        metric: a metric or several, by name or made by :func:`make_metric`.
        human_range: the least and the greatest score that people may give; errors are
            measured where these are 0 and 1, or so named.
        standardise: average each judge's standard scores instead of scores.
        samples: how many sets of pairs are resampled for the intervals of errors.
        confidence: level of the intervals, between 0 and 1.
        seed: seed of the resampling.
        jobs: how many processes score pairs.
        **options: options of the metrics.

    Returns:
        Each metric's correlations and errors, every two metrics tested against each
        other, and the agreement of several judges.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there is not one score for each pair, none at all, or an option
            is wrong.

    >>> import exactmatch
    >>> golds = ["(b / boy)", "(g / girl)", "(b / bark-01 :ARG0 (d / dog))"]
    >>> preds = ["(b / boy)", "(g / goat)", "(b / bark-01 :ARG0 (c / cat))"]
    >>> found = exactmatch.correlate(preds, golds, [1, 0.25, 0.5])
    >>> found["smatch"].pairs, round(found["smatch"].spearman.value, 4)
    (3, 1.0)
    """
    bootstrap = Bootstrap(samples, confidence, seed)
    made = metrics_of(metric, **options)
    answers = answers_of(human)
    references = as_list(golds)
    if answers.shape[1] != len(references):
        raise InputError(
            f"{several(answers.shape[1], 'score')} of people but "
            f"{several(len(references), 'pair')} of graphs; give one for each pair, "
            "None where nobody judged"
        )
    check_range(human_range)
    scores = scores_of_pairs(preds, references, made, jobs)
    return correlation(scores, answers, bootstrap, human_range, standardise)


def check_range(human_range: tuple[float, float] | None) -> None:
    """Check that a scale of people's scores, where one is given, has two ends.

    Raises:
        InputError: if the lowest score is not below the highest.
    """
    if human_range is not None and not human_range[0] < human_range[1]:
        raise InputError(f"the range {human_range} is empty; give (lowest, highest)")


def answers_of(
    human: Iterable[float | None] | Mapping[str, Iterable[float | None]],
) -> Matrix:
    """What judges answered, a row for each; NaN where nobody judged.

    Raises:
        InputError: if there is no answer, one is no number, or judges gave different
            numbers of them.
    """
    given = list(human.values()) if isinstance(human, Mapping) else [human]
    answers = [[_judged(score) for score in as_list(judge)] for judge in given]
    if not any(answers):
        raise InputError("there is no judgement of any pair; give one or more")
    counts = [len(judge) for judge in answers]
    if len(set(counts)) > 1:
        told = ", ".join(map(str, counts))
        raise InputError(
            f"judges gave different numbers of answers ({told}); give None where one "
            "did not judge"
        )
    return np.array(answers)


def scores_of_pairs(
    preds: Iterable[GraphLike],
    golds: Iterable[GraphLike],
    metrics: Sequence[Metric],
    jobs: int,
) -> dict[str, Vector]:
    """Each metric's scores of pairs; NaN where it has none."""
    references = as_list(golds)
    report = evaluate_items(preds, references, metrics, Settings(jobs=jobs))
    scores = {m.name: np.full(len(references), np.nan) for m in metrics}
    for name, results in report.by_metric().items():
        for index, result in results.items():
            scores[name][index] = result.score.shown
    return scores


def _judged(score: Any) -> float:
    """A judgement as a number, NaN where there is none.

    Raises:
        InputError: if it is no number, or infinite.
    """
    if is_missing(score):
        return math.nan
    if not isinstance(score, Real) or not math.isfinite(score):
        raise InputError(f"{score!r} is no judgement; give a number, or None for none")
    return float(score)


def finegrained(
    preds: Iterable[GraphLike],
    golds: Iterable[GraphLike],
    style: scores.Style | DocumentStyle = "exact",
    *,
    solver: Solver | str = "auto",
    jobs: int = 1,
    align: Align | None = None,
    ignore_unannotated: bool = False,
    roles: Iterable[str] = (),
    aspects: Way | None = None,
) -> Report:
    """Score single aspects of the graphs: names, negation, re-entrancies and so on.

    Args:
        preds: predicted graphs.
        golds: their references, in the same order.
        style: ``exact``, or ``amrlib`` or ``damonte`` for what those tools would score
            with the best alignments; ``umr`` and ``umatch`` for the tables of UMR
            documents, under one proven alignment or under juːmæʧ's mapping.
        solver: who aligns the variables; every exact one gives the same scores.
        jobs: how many processes score pairs.
        align: of style ``umr``, which variables may be aligned; default: those of the
            same sentence.
        ignore_unannotated: of style ``umr``, whether roles that the references never
            have are not charged to a prediction.
        roles: of both, further roles that have a row each, such as ``ARG1``.
        aspects: score agents, places, times and so on instead, of style ``exact``:
            ``realign`` aligns each anew, ``main`` reads it off the alignment of the
            whole graphs and gives the range over all optimal ones.

    Returns:
        A report whose metrics are the aspects.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the numbers of graphs differ, there is no such style, or it has
            no use for an option.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :polarity -)", "(b / bark-01)"
    >>> report = exactmatch.finegrained([pred], [gold])
    >>> report["concepts"].score.score, report["negation"].score.precision
    (1.0, 0.0)
    >>> exactmatch.finegrained([pred], [gold], aspects="main")["focus"].score.f1
    1.0
    """
    known = (*get_args(scores.Style), *get_args(DocumentStyle))
    if style not in known:
        raise InputError(f"unknown style {style!r} (known: {', '.join(known)})")
    if style != "umr" and (align is not None or ignore_unannotated):
        raise InputError(
            f"align and ignore_unannotated are for style 'umr', not {style!r}"
        )
    if style != "exact" and aspects is not None:
        raise InputError(f"aspects are for style 'exact', not {style!r}")
    named = tuple(roles)
    metrics: Sequence[Metric]
    if style == "umr":
        metrics = umr_scores(solver, None, align, ignore_unannotated, named)
    elif style == "umatch":
        metrics = umatch_scores(named)
    elif named:
        raise InputError(f"roles are for styles 'umr' and 'umatch', not {style!r}")
    elif aspects is not None:
        metrics = aspect_scores(aspects, solver)
    else:
        metrics = scores.finegrained(style, solver)
    return evaluate_items(preds, golds, metrics, Settings(jobs=jobs))


def _made(metric: str | Metric, options: Mapping[str, Any]) -> Metric:
    """A metric by name, or as it is."""
    return metric if isinstance(metric, Metric) else make_metric(metric, **options)
