"""Hold metrics against people: their scores, their preferences, their systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.resampling import (
    Matrix,
    Vector,
    mean_scorer,
    rows_of,
    value_rows,
)
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.sources import File, paths_of
from exactmatch.scoring.tables import losses
from exactmatch.studies.correlate import measures
from exactmatch.studies.correlate.assessments import assessments_of
from exactmatch.studies.correlate.human import (
    Judgement,
    judgement_of,
    judges_agreement,
    majority,
    mean,
    read_judgement,
    standardised,
)
from exactmatch.studies.correlate.options import (
    CommandOptions,
    CorrelateOptions,
    Correlating,
    FoilOptions,
    PreferenceOptions,
    SystemOptions,
)
from exactmatch.studies.correlate.results import (
    Correlation,
    MetricCorrelation,
    OneCorrelation,
    PreferenceCorrelation,
    SystemCorrelation,
)
from exactmatch.studies.options import Scale, note_idle
from exactmatch.studies.pairs import (
    ids_of,
    names_of,
    note_exchanged,
    refuse_pipes,
    score_systems,
    scored,
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
        named = zip(names_of(paths, asked.names), map(File, paths), strict=True)
        systems, golds = dict(named), File(gold)
        of_systems = asked.as_options(SystemOptions, systems=systems, golds=golds)
        return systems_study(of_systems, reporter)
    note_idle(asked, ("names", "macro"), "without --human", reporter)
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
    refuse_pipes(path for path in (pred, gold) if path == "-")
    note_exchanged([gold], {Path(pred).name: pred}, reporter)
    judgement = None if asked.foils else read_judgement(*human)
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
    report = _report(asked, reporter)
    scores = _covered(report, judgement, reporter)
    people, is_comparable = _people_of(judgement.answers, asked)
    if not is_comparable and not asked.standardise:
        reporter.note(
            "human scores are not between 0 and 1, so no RMSE; name their scale with "
            "--human-range"
        )
    bootstrap = asked.bootstrap()
    found = []
    steps = len(scores) * 2 * bootstrap.samples
    with reporter.progress("resampling", steps) as advance:
        for metric, own in scores.items():
            x, y = measures.complete(own, people)
            errors = [
                measures.resampled(error, x, y, bootstrap, advance)
                if is_comparable
                else None
                for error in (measures.rmse, measures.quantile_rmse)
            ]
            agreed = (
                of(x, y, bootstrap.level)
                for of in (measures.pearson, measures.spearman, measures.kendall)
            )
            found.append(MetricCorrelation(metric, len(x), *agreed, *errors))
    if not any(each.pairs for each in found):
        raise InputError("no pair has both a score and a judgement")
    done = "|people:standardised" if asked.standardise else ""
    drawn = ":".join(bootstrap.signature())
    return Correlation(
        judges_agreement(judgement.answers, numbers=True),
        bootstrap,
        losses(report.scores),
        tuple(f"{score.signature}{done}|{drawn}" for score in report.scores),
        tuple(found),
        tuple(measures.williams_tests(scores, people)),
        tuple(people.tolist()),
        scores,
        ids_of(report),
    )


def preferences_study(
    asked: PreferenceOptions, reporter: Listener = SILENCE
) -> PreferenceCorrelation:
    """Measure how often metrics prefer what people prefer.

    Graphs come two by two: pairs 0 and 1 are two candidates, each with its reference,
    of which people prefer one, pairs 2 and 3 the next two, and so on.

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
    judgement = judgement_of(asked.human, prefers=True)
    return _preferred(asked, _report(asked, reporter), judgement, reporter)


def foils_study(
    asked: FoilOptions, reporter: Listener = SILENCE
) -> PreferenceCorrelation:
    """Measure how often metrics score an original strictly higher than its foil.

    Graphs come two by two: pair 0 is a foil with its reference and pair 1 the original
    with its own, pairs 2 and 3 the next two, and so on.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the number of pairs is odd, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))"] * 2
    >>> preds = ["(b / bark-01 :ARG1 (d / dog))", golds[0]]
    >>> exactmatch.studies.correlate_foils(preds, golds)
    originals preferred to foils: smatch 100.0 % (1 right, 0 tied, 0 wrong)
    """
    report = _report(asked, reporter)
    pairs = _number_of(report)
    paths = paths_of(asked.preds)
    if pairs % 2 and not paths:
        raise InputError(
            f"{several(pairs, 'pair')} of graphs; each foil is followed by its original"
        )
    second = Judgement(np.zeros((1, pairs // 2)), True, *paths)
    return _preferred(asked, report, second, reporter, foils=True)


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
    metrics, bootstrap = asked.climbing(reporter.note), asked.bootstrap()
    of_systems = score_systems(asked.systems, asked.golds, asked, metrics, reporter)
    names, results = tuple(asked.systems), of_systems.results
    people = assessments_of(asked.human, asked, names, of_systems.segments, reporter)
    human = people.scores()[0]
    scores = {m.name: _corpus_scores(m, results[m.name], asked.macro) for m in metrics}
    segments = {}
    if people.outputs is not None:
        total, better = len(people.outputs), people.better
        for name, own in results.items():
            outputs = np.column_stack([_scores(pairs, total) for pairs in own.values()])
            segments[name] = measures.rank_agreement(better, outputs, bootstrap)
    done = "|average:macro" if asked.macro else ""
    done += "|people:standardised" if asked.standardise else ""
    drawn = ":".join(bootstrap.signature())
    return SystemCorrelation(
        judges_agreement(people.answers, numbers=not people.counted),
        bootstrap,
        of_systems.lost,
        tuple(f"{signed}{done}|{drawn}" for signed in of_systems.signatures),
        people,
        {metric: tuple(found.tolist()) for metric, found in scores.items()},
        {
            metric: measures.system_agreement(found, human, bootstrap.level)
            for metric, found in scores.items()
        },
        segments,
        tuple(measures.williams_tests(scores, human)),
    )


correlate = function("correlate", CorrelateOptions, pairs_study)
correlate_preferences = function(
    "correlate_preferences", PreferenceOptions, preferences_study
)
correlate_foils = function("correlate_foils", FoilOptions, foils_study)
correlate_systems = function("correlate_systems", SystemOptions, systems_study)


def _report(
    asked: CorrelateOptions | PreferenceOptions | FoilOptions, reporter: Listener
) -> Report:
    metrics = asked.climbing(reporter.note)
    return scored(asked.preds, asked.golds, asked, metrics, reporter)


def _number_of(report: Report) -> int:
    """The number of pairs up to the last that any metric scored."""
    return 1 + max((max(r) for r in report.by_metric().values() if r), default=-1)


def _covered(
    report: Report, judgement: Judgement, reporter: Listener
) -> dict[str, Vector]:
    """Each metric's scores of the judged pairs, NaN where it has none."""
    total, answers = _number_of(report), judgement.answers.shape[1]
    wanted = 2 * answers if judgement.prefers else answers
    is_short = total < wanted and not report.omitted
    if is_short or (total > wanted and judgement.path is None):
        raise InputError(judgement.refusal(total))
    if total > wanted:
        what = "judged pairs" if judgement.prefers else "scores"
        reporter.note(
            f"{several(total - wanted, 'pair')} beyond the {wanted} {what} "
            f"{'is' if total - wanted == 1 else 'are'} left out"
        )
    return {
        metric: _scores(results.values(), wanted)
        for metric, results in report.by_metric().items()
    }


def _scores(results: Iterable[PairResult], total: int) -> Vector:
    """The scores of the first pairs by their numbers, NaN where there is none."""
    found = np.full(total, np.nan)
    for result in results:
        if result.index < total:
            found[result.index] = result.score.shown
    return found


def _people_of(answers: Matrix, scale: Scale) -> tuple[Vector, bool]:
    """People's scores of pairs, and whether they have the scale of metrics, 0 to 1."""
    if scale.standardise:
        return mean(standardised(answers)), False
    people = mean(answers)
    if scale.human_range is not None:
        low, high = scale.human_range
        people = (people - low) / (high - low)
    known = people[~np.isnan(people)]
    return people, len(known) > 0 and known.min() >= 0 and known.max() <= 1


def _preferred(
    asked: Correlating,
    report: Report,
    judgement: Judgement,
    reporter: Listener,
    foils: bool = False,
) -> PreferenceCorrelation:
    scores = _covered(report, judgement, reporter)
    human, bootstrap = majority(judgement.answers), asked.bootstrap()
    found, right = {}, {}
    for metric, own in scores.items():
        sides = own[0::2], own[1::2]
        found[metric] = measures.preference(*sides, human, bootstrap.level)
        right[metric] = measures.choices(*sides, human)
    if not any(p.decided + p.undecided for p in found.values()):
        raise InputError("no two pairs can be compared; nothing is judged")
    return PreferenceCorrelation(
        judges_agreement(judgement.answers, numbers=False),
        bootstrap,
        losses(report.scores),
        tuple(score.signature for score in report.scores),
        found,
        tuple(measures.mcnemar_tests(right)),
        foils,
        human,
        scores,
        ids_of(report),
    )


def _corpus_scores(
    metric: Metric, results: Mapping[str, Sequence[PairResult]], macro: bool
) -> Vector:
    """The metric's scores of systems, of the sums of their pairs or means over them."""
    if macro:
        sums = [value_rows(r.score for r in rs).sum(axis=0) for rs in results.values()]
        return mean_scorer(np.array(sums))[:, -1]
    sums = [rows_of([r.statistics for r in rs]).sum(axis=0) for rs in results.values()]
    return np.array([metric.scores(tuple(own.tolist())).score for own in sums])
