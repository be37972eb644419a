"""Hold metrics against people: their scores, their preferences, their systems."""

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


def study(asked: CommandOptions, reporter: Listener = SILENCE) -> OneCorrelation:
    """Ask the question that the files of a command are about.

    Raises:
        InputError: if it is not clear which one that is.
    """
    if bool(asked.preds) != bool(asked.golds):
        raise InputError("name both predictions and references, with --pred and --gold")
    if asked.human is not None:
        if asked.foils:
            raise InputError(
                "--human and --foils exclude each other; leave one of them out"
            )
        gold, *paths = [*asked.golds, *asked.preds, *asked.files]
        if len(paths) == 1:
            return _one_system(asked, paths[0], gold, reporter)
        named = zip(names_of(paths, asked.names), map(File, paths), strict=True)
        systems, golds = dict(named), File(gold)
        of_systems = asked.as_options(SystemOptions, systems=systems, golds=golds)
        return systems_study(of_systems, reporter)
    note_idle(asked, ("names", "macro"), "without --human", reporter)
    note_outputs(asked, "without --human", reporter)
    if len(asked.preds) > 1:
        raise InputError(
            "several files of predictions are systems; name people's judgement of them "
            "with --human"
        )
    files = [*asked.preds, *asked.golds, *asked.files]
    if len(files) < 2 or (len(files) == 2) != asked.foils:
        raise InputError(
            "name PRED, GOLD and either files of human judgement or --foils; systems "
            "are judged with --human"
        )
    pred, gold, *human = files
    judgement = None if asked.foils else read_judgement(*human)
    return _of_pairs(asked, pred, gold, judgement, reporter)


def _one_system(
    asked: CommandOptions, pred: str, gold: str, reporter: Listener
) -> OneCorrelation:
    """Hold metrics against people's judgement of the outputs of one system."""
    (name,) = names_of([pred], asked.names, least=1)
    judgement = judgement_of_system(name, paths_of(asked.human))
    note_idle(asked, ("macro",), "with one system", reporter)
    note_outputs(asked, "with one system", reporter)
    return _of_pairs(asked, pred, gold, judgement, reporter)


def _of_pairs(
    asked: CommandOptions,
    pred: str,
    gold: str,
    judgement: Judgement | None,
    reporter: Listener,
) -> OneCorrelation:
    """Ask the question that a judgement of pairs answers; without one, of foils."""
    refuse_pipes(path for path in (pred, gold) if path == "-")
    note_exchanged([gold], {Path(pred).name: pred}, reporter)
    sides = {"preds": File(pred), "golds": File(gold)}
    if judgement is not None and not judgement.prefers:
        of_pairs = asked.as_options(CorrelateOptions, **sides, human=judgement)
        return pairs_study(of_pairs, reporter)
    note_idle(asked, Scale.OWN, "without human scores", reporter)
    if judgement is None:
        return foils_study(asked.as_options(FoilOptions, **sides), reporter)
    preferred = asked.as_options(PreferenceOptions, **sides, human=judgement)
    return preferences_study(preferred, reporter)


def pairs_study(asked: CorrelateOptions, reporter: Listener = SILENCE) -> Correlation:
    """Measure how well metrics agree with people's scores of pairs of graphs.

    :func:`correlate_preferences` takes preferences of people instead of scores, and
    :func:`correlate_systems` takes their judgement of systems.
    :func:`correlate_foils` needs no people.

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
    judgement = judgement_of(asked.human, prefers=False)
    report, documents = report_of(asked, reporter)
    judgement = judgement.of_pairs(ids_of(report))
    scores = covered(report, judgement, reporter)
    people, is_comparable = _people_of(judgement.answers, asked)
    if not is_comparable and not asked.standardise:
        reporter.note(
            "human scores are not between 0 and 1, so no RMSE; name their scale with "
            "--human-range"
        )
    sampling = asked.sampling()
    codes = document_codes(documents, sampling, range(len(people)), reporter)
    found = []
    limit = drawing(asked.until, reporter.note)
    with limit, reporter.progress("halving", 5 * len(scores)) as advance:

        def made(
            kind: Callable[..., measures.Estimate], x: Vector, y: Vector, of: Any
        ) -> measures.Estimate:
            advance()
            return kind(x, y, sampling, of)

        for metric, own in scores.items():
            of = only(codes, ~np.isnan(own + people))
            both = *measures.complete(own, people), of
            agreed = (
                made(kind, *both)
                for kind in (measures.pearson, measures.spearman, measures.kendall)
            )
            errors = (
                made(kind, *both) if is_comparable else None
                for kind in (
                    measures.root_mean_square,
                    measures.root_mean_square_of_quantiles,
                )
            )
            found.append(MetricCorrelation(metric, len(both[0]), *agreed, *errors))
    if not any(each.pairs for each in found):
        raise InputError("no pair has both a score and a judgement")
    done = signed_people(asked)
    drawn = ":".join(sampling.signature(counted(codes, len(people))))
    tests = [] if codes is not None else measures.williams_tests(scores, people)
    if codes is not None and len(scores) > 1:
        reporter.note(
            "--unit document: no Williams test of metrics, which takes pairs as "
            "independent"
        )
    return Correlation(
        judges_agreement(judgement.answers, numbers=True),
        sampling,
        losses(report.scores),
        tuple(f"{score.signature}{done}|{drawn}" for score in report.scores),
        tuple(found),
        tuple(tests),
        tuple(people.tolist()),
        scores,
        ids_of(report),
    )


def systems_study(
    asked: SystemOptions, reporter: Listener = SILENCE
) -> SystemCorrelation:
    """Measure how far metrics agree with people about systems and their outputs.

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
    metrics, sampling = asked.metrics_per_restarts(reporter.note), asked.sampling()
    of_systems = score_systems(asked.systems, asked.golds, asked, metrics, reporter)
    names, results = tuple(asked.systems), of_systems.results
    people = assessments_of(
        asked.human, asked, names, of_systems.segments, reporter, asked.darr_margin
    )
    human = people.scores()[0]
    scores = {m.name: _corpus_scores(m, results[m.name], asked.macro) for m in metrics}
    codes = None
    if people.outputs is not None:
        segments_of = range(len(people.outputs))
        codes = document_codes(of_systems.documents, sampling, segments_of, reporter)
    elif sampling.unit == "document":
        reporter.note("--unit document has no effect without judgements of segments")
    held = HeldOutputs(asked, people, reporter, codes)
    systems, segments = {}, {}
    limit = drawing(asked.until, reporter.note)
    with limit, reporter.progress("halving", len(metrics)) as advance:
        for metric in metrics:
            name, own = metric.name, results[metric.name]
            judged = None
            if people.outputs is not None:
                every = scores_of_outputs(own, len(people.outputs))
                segments[name] = rank_agreement(people.better, every, sampling, codes)
                if not people.counted:
                    judged = held.judged(metric, own)
                    held.add(name, every, sampling)
            systems[name] = system_agreement(scores[name], human, sampling, judged)
            advance()
        rivals, ranks = held.compared(sampling)
    units = None if codes is None else counted(codes, len(codes))
    return SystemCorrelation(
        judges_agreement(people.answers, numbers=not people.counted),
        sampling,
        of_systems.lost,
        tuple(
            f"{own}{signed(asked, people, held.agreements.get(name), sampling, units)}"
            for name, own in zip(scores, of_systems.signatures, strict=True)
        ),
        people,
        {metric: tuple(found.tolist()) for metric, found in scores.items()},
        systems,
        segments,
        held.agreements,
        asked.group_by,
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
    """People's scores of pairs, and whether they have the scale of metrics, 0 to 1."""
    if scale.standardise:
        return mean(standardised(answers)), False
    people = mean(answers)
    if scale.human_range is not None:
        low, high = scale.human_range
        people = (people - low) / (high - low)
    known = people[~np.isnan(people)]
    in_range = len(known) > 0 and bool(known.min() >= 0 and known.max() <= 1)
    return people, in_range


def _corpus_scores(
    metric: Metric, results: Mapping[str, Sequence[PairResult]], macro: bool
) -> Vector:
    """The metric's scores of systems, of the sums of their pairs or means over them."""
    if macro:
        sums = [value_rows(r.score for r in rs).sum(axis=0) for rs in results.values()]
        return mean_scorer(np.array(sums))[:, -1]
    sums = [rows_of([r.statistics for r in rs]).sum(axis=0) for rs in results.values()]
    return np.array([metric.scores(tuple(own.tolist())).score for own in sums])
