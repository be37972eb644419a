"""Comparison of metrics with people: scores, preferences, judgements of systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.metrics.base import Metric
from exactmatch.scoring.exchange import Matrix, Vector
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.resampling import drawing
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.rows import (
    counted,
    mean_scorer,
    only,
    rows_of,
    value_rows,
)
from exactmatch.scoring.sources import File, paths_of
from exactmatch.scoring.tables import losses
from exactmatch.studies.correlate import measures
from exactmatch.studies.correlate.assessments import (
    assessments_of,
    judgement_of_system,
    signed_people,
)
from exactmatch.studies.correlate.human import (
    Judgement,
    judgement_of,
    judges_agreement,
    mean,
    read_judgement,
    standardised,
)
from exactmatch.studies.correlate.options import (
    CommandOptions,
    CorrelateOptions,
    FoilOptions,
    PreferenceOptions,
    SystemOptions,
)
from exactmatch.studies.correlate.outputs import (
    HeldOutputs,
    note_outputs,
    scores_of_outputs,
    signed,
)
from exactmatch.studies.correlate.preferences import foils_study, preferences_study
from exactmatch.studies.correlate.results import (
    Correlation,
    MetricCorrelation,
    OneCorrelation,
    SystemCorrelation,
)
from exactmatch.studies.correlate.scored_pairs import (
    covered,
    document_codes,
    report_of,
)
from exactmatch.studies.correlate.systems import rank_agreement, system_agreement
from exactmatch.studies.options import Scale, note_idle
from exactmatch.studies.pairs import (
    ids_of,
    names_of,
    note_exchanged,
    refuse_pipes,
    score_systems,
)


def study(options: CommandOptions, reporter: Listener = SILENCE) -> OneCorrelation:
    """Run the study that fits the files of the command.

    Raises:
        InputError: if the files fit none.
    """
    if bool(options.preds) != bool(options.golds):
        raise InputError("name both predictions and references, with --pred and --gold")
    if options.human is not None:
        if options.foils:
            raise InputError(
                "--human and --foils exclude each other; leave one of them out"
            )
        gold, *paths = [*options.golds, *options.preds, *options.files]
        if len(paths) == 1:
            return _one_system(options, paths[0], gold, reporter)
        named_files = zip(names_of(paths, options.names), map(File, paths), strict=True)
        systems, golds = dict(named_files), File(gold)
        of_systems = options.as_options(SystemOptions, systems=systems, golds=golds)
        return systems_study(of_systems, reporter)
    note_idle(options, ("names", "macro"), "without --human", reporter)
    note_outputs(options, "without --human", reporter)
    if len(options.preds) > 1:
        raise InputError(
            "several files of predictions are systems; name people's judgement of them "
            "with --human"
        )
    files = [*options.preds, *options.golds, *options.files]
    if len(files) < 2 or (len(files) == 2) != options.foils:
        raise InputError(
            "name PRED, GOLD and either files of human judgement or --foils; systems "
            "are judged with --human"
        )
    pred, gold, *human = files
    judgement = None if options.foils else read_judgement(*human)
    return _of_pairs(options, pred, gold, judgement, reporter)


def _one_system(
    options: CommandOptions, pred: str, gold: str, reporter: Listener
) -> OneCorrelation:
    """Compare metrics with people's judgement of the outputs of one system."""
    (name,) = names_of([pred], options.names, least=1)
    judgement = judgement_of_system(name, paths_of(options.human))
    note_idle(options, ("macro",), "with one system", reporter)
    note_outputs(options, "with one system", reporter)
    return _of_pairs(options, pred, gold, judgement, reporter)


def _of_pairs(
    options: CommandOptions,
    pred: str,
    gold: str,
    judgement: Judgement | None,
    reporter: Listener,
) -> OneCorrelation:
    """Run the study of scores or of preferences; without a judgement, that of foils."""
    refuse_pipes(path for path in (pred, gold) if path == "-")
    note_exchanged([gold], {Path(pred).name: pred}, reporter)
    sides = {"preds": File(pred), "golds": File(gold)}
    if judgement is not None and not judgement.prefers:
        of_pairs = options.as_options(CorrelateOptions, **sides, human=judgement)
        return pairs_study(of_pairs, reporter)
    note_idle(options, Scale.OWN, "without human scores", reporter)
    if judgement is None:
        return foils_study(options.as_options(FoilOptions, **sides), reporter)
    preferred = options.as_options(PreferenceOptions, **sides, human=judgement)
    return preferences_study(preferred, reporter)


def pairs_study(options: CorrelateOptions, reporter: Listener = SILENCE) -> Correlation:
    """Measure how well metrics agree with people's scores of pairs of graphs.

    :func:`correlate_preferences` takes people's preferences instead of scores, and
    :func:`correlate_systems` their judgement of systems.  :func:`correlate_foils` needs
    no people.

    Returns:
        Each metric's correlations and errors, the tests of every two metrics against
        each other, and the agreement of several judges.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there is not one score for each pair, none at all, or an option
            is wrong.

    >>> import exactmatch
    >>> golds = ["(b / boy)", "(g / girl)", "(b / bark-01 :ARG0 (d / dog))"]
    >>> preds = ["(b / boy)", "(g / goat)", "(b / bark-01 :ARG0 (c / cat))"]
    >>> exactmatch.correlate(preds, golds, [1, 0.25, 0.5])
    smatch r 0.9820, ρ 1.0000, τ 1.0000; 3 pairs
    """
    judgement = judgement_of(options.human, prefers=False)
    report, documents = report_of(options, reporter)
    judgement = judgement.of_pairs(ids_of(report))
    scores = covered(report, judgement)
    people, is_comparable = _people_of(judgement.answers, options)
    if not is_comparable and not options.standardise:
        reporter.note(
            "human scores are not between 0 and 1, so no RMSE; name their scale with "
            "--human-range"
        )
    sampling = options.sampling()
    codes = document_codes(documents, sampling, range(len(people)), reporter)
    correlations = []
    limit = drawing(options.until, reporter.note)
    with limit, reporter.progress("drawing halves", 5 * len(scores)) as advance:

        def estimate(
            kind: Callable[..., measures.Estimate],
            x: Vector,
            y: Vector,
            codes_of_pairs: Any,
        ) -> measures.Estimate:
            advance()
            return kind(x, y, sampling, codes_of_pairs)

        for metric, metric_scores in scores.items():
            codes_of_pairs = only(codes, ~np.isnan(metric_scores + people))
            scores_and_codes = *measures.complete(metric_scores, people), codes_of_pairs
            coefficients = (
                estimate(kind, *scores_and_codes)
                for kind in (measures.pearson, measures.spearman, measures.kendall)
            )
            errors = (
                estimate(kind, *scores_and_codes) if is_comparable else None
                for kind in (
                    measures.root_mean_square,
                    measures.root_mean_square_of_quantiles,
                )
            )
            correlations.append(
                MetricCorrelation(
                    metric, len(scores_and_codes[0]), *coefficients, *errors
                )
            )
    if not any(each.pairs for each in correlations):
        raise InputError("no pair has both a score and a judgement")
    people_signed = signed_people(options)
    drawing_signature = ":".join(sampling.signature(counted(codes, len(people))))
    tests = [] if codes is not None else measures.williams_tests(scores, people)
    if codes is not None and len(scores) > 1:
        reporter.note(
            "--unit document: no Williams test of metrics, because it assumes that "
            "pairs are independent"
        )
    return Correlation(
        judges_agreement(judgement.answers, numbers=True),
        sampling,
        losses(report.scores),
        tuple(
            f"{score.signature}{people_signed}|{drawing_signature}"
            for score in report.scores
        ),
        tuple(correlations),
        tuple(tests),
        tuple(people.tolist()),
        scores,
        ids_of(report),
    )


def systems_study(
    options: SystemOptions, reporter: Listener = SILENCE
) -> SystemCorrelation:
    """Measure how far metrics agree with people about systems and their outputs.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there are fewer than two systems, their numbers of graphs differ,
            a judgement names an unknown system or segment, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01)", "(r / rain-01)"]
    >>> systems = {"good": golds, "poor": ["(b / bark-01)", "(s / snow-01)"]}
    >>> rows = [{"segment": 1, "first": "good", "second": "poor", "preferred": "good"}]
    >>> result = exactmatch.studies.correlate_systems(systems, golds, rows)
    >>> result.people, result.segments["smatch"].concordant
    ((1.0, 0.0), 1)
    """
    metrics, sampling = options.metrics_per_restarts(reporter.note), options.sampling()
    of_systems = score_systems(
        options.systems, options.golds, options, metrics, reporter
    )
    names, results = tuple(options.systems), of_systems.results
    people = assessments_of(
        options.human,
        options,
        names,
        of_systems.segments,
        reporter,
        options.darr_margin,
    )
    human = people.scores()[0]
    scores = {
        m.name: _corpus_scores(m, results[m.name], options.macro) for m in metrics
    }
    codes = None
    if people.outputs is not None:
        output_numbers = range(len(people.outputs))
        codes = document_codes(of_systems.documents, sampling, output_numbers, reporter)
    elif sampling.unit == "document":
        reporter.note("--unit document has no effect without judgements of segments")
    held_outputs = HeldOutputs(options, people, reporter, codes)
    systems, segments = {}, {}
    limit = drawing(options.until, reporter.note)
    with limit, reporter.progress("drawing halves", len(metrics)) as advance:
        for metric in metrics:
            name, metric_results = metric.name, results[metric.name]
            judged = None
            if people.outputs is not None:
                output_scores = scores_of_outputs(metric_results, len(people.outputs))
                segments[name] = rank_agreement(
                    people.better, output_scores, sampling, codes
                )
                if not people.counted:
                    judged = held_outputs.judged(metric, metric_results)
                    held_outputs.add(name, output_scores, sampling)
            systems[name] = system_agreement(scores[name], human, sampling, judged)
            advance()
        rivals, ranks = held_outputs.compared(sampling)
    units = None if codes is None else counted(codes, len(codes))
    return SystemCorrelation(
        judges_agreement(people.answers, numbers=not people.counted),
        sampling,
        of_systems.lost,
        tuple(
            signature
            + signed(
                options, people, held_outputs.agreements.get(name), sampling, units
            )
            for name, signature in zip(scores, of_systems.signatures, strict=True)
        ),
        people,
        {metric: tuple(values.tolist()) for metric, values in scores.items()},
        systems,
        segments,
        held_outputs.agreements,
        options.group_by,
        tuple(measures.williams_tests(scores, human)),
        rivals,
        ranks,
    )


correlate = function("correlate", CorrelateOptions, pairs_study)
correlate_preferences = function(
    "correlate_preferences", PreferenceOptions, preferences_study
)
correlate_foils = function("correlate_foils", FoilOptions, foils_study)
correlate_systems = function("correlate_systems", SystemOptions, systems_study)


def _people_of(answers: Matrix, scale: Scale) -> tuple[Vector, bool]:
    """Return people's scores of pairs, and whether they lie between 0 and 1."""
    if scale.standardise:
        return mean(standardised(answers)), False
    people = mean(answers)
    if scale.human_range is not None:
        low, high = scale.human_range
        people = (people - low) / (high - low)
    human_scores = people[~np.isnan(people)]
    in_range = len(human_scores) > 0 and bool(
        human_scores.min() >= 0 and human_scores.max() <= 1
    )
    return people, in_range


def _corpus_scores(
    metric: Metric, results: Mapping[str, Sequence[PairResult]], macro: bool
) -> Vector:
    """Return each system's score: of its summed counts, or the mean of its pairs."""
    if macro:
        sums = [value_rows(r.score for r in rs).sum(axis=0) for rs in results.values()]
        return mean_scorer(np.array(sums))[:, -1]
    sums = [rows_of([r.statistics for r in rs]).sum(axis=0) for rs in results.values()]
    return np.array([metric.scores(tuple(total.tolist())).score for total in sums])
