"""``exactmatch correlate``: how well metrics agree with people."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import several
from exactmatch.cli import options, settings, systems
from exactmatch.cli.answer import write_answer
from exactmatch.views.progress import progress
from exactmatch.views.tables import FORMATS, Tables

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric
    from exactmatch.scoring.report import Report
    from exactmatch.stats.resampling import Bootstrap, Vector
    from exactmatch.studies.correlate.human import Judgement


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    parser.add_argument(
        "files",
        nargs="*" if systems.are_named(arguments) else "+",
        metavar="FILE",
        help="PRED GOLD HUMAN …: pairs of graphs, and a number for each pair, a line "
        "each, or preferences for every two; a file a judge. With --human: GOLD SYSTEM "
        "SYSTEM …, as compare",
    )
    group = parser.add_argument_group("judgement")
    group.add_argument(
        "--foils",
        action="store_true",
        help="no HUMAN: pairs alternate, a foil and then its original, and a metric is "
        "right when it scores the original strictly higher",
    )
    systems.add_human(group)
    systems.add_names(group)
    group.add_argument(
        "--per-pair",
        action="store_true",
        help="show people's and metrics' scores of every pair",
    )
    group.add_argument(
        "--macro",
        action="store_true",
        help="with --human: means over pairs instead of sums",
    )
    group.add_argument(
        "--plot",
        metavar="FILE",
        help="draw metrics against people: .png, .svg or .pdf",
    )
    options.add_named_files(options.add_pairing(parser), several="pred")
    options.add_measuring(parser, arguments, cache=True, several=True)
    options.add_confidence(parser, always=True, corrects=False)
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Compare metrics with human judgement of pairs, of outputs and of systems.

    Example:
      exactmatch correlate a.amr b.amr similarity.txt --metric smatch,sembleu
      exactmatch correlate a.amr b.amr similarity.txt --per-pair --format csv
      exactmatch correlate parsed.amr gold.amr anna.txt ben.txt cleo.txt
      exactmatch correlate first.amr second.amr --foils
      exactmatch correlate gold.amr a.amr b.amr c.amr --human judgement.tsv
    """
    from exactmatch.views import pictures as plots

    plots.check(args.plot)
    args.files = [*_named_files(args), *args.files]
    metrics = settings.climbing_from(args)
    bootstrap = settings.bootstrap_from(args)
    if args.human:
        if args.per_pair:
            settings.note(args, "--per-pair has no effect with --human")
        return _systems(args, metrics, bootstrap)
    for option in ("names", "macro"):
        if getattr(args, option):
            settings.note(args, f"--{option} has no effect without --human")
    return _pairs(args, metrics, bootstrap)


def _named_files(args: argparse.Namespace) -> list[str]:
    """What ``--pred`` and ``--gold`` name, in the order of the positions."""
    if bool(args.pred_files) != bool(args.gold_files):
        raise InputError("name both predictions and references, with --pred and --gold")
    if args.human:
        return [*args.gold_files, *args.pred_files]
    if len(args.pred_files) > 1:
        raise InputError(
            "several files of predictions are systems; name people's judgement of them "
            "with --human"
        )
    return [*args.pred_files, *args.gold_files]


def _pairs(
    args: argparse.Namespace, metrics: Sequence[Metric], bootstrap: Bootstrap
) -> int:
    """Compare metrics with judgement of pairs of graphs."""
    from exactmatch.cli.terminal import score_files
    from exactmatch.scoring.losses import losses, with_losses
    from exactmatch.studies.correlate.human import read_judgement

    if len(args.files) < 2 or (len(args.files) == 2) != args.foils:
        raise InputError(
            "name PRED, GOLD and either files of human judgement or --foils; systems "
            "are judged with --human"
        )
    pred, gold, *human = args.files
    systems.refuse_standard_input(pred, gold)
    settings.note_mistaken(args, [gold], {Path(pred).name: pred})
    judgement = None if args.foils else read_judgement(*human)
    prefers = judgement is None or judgement.prefers
    for option in ("human_range", "standardise"):
        if prefers and getattr(args, option):
            flag = option.replace("_", "-")
            settings.note(args, f"--{flag} has no effect without human scores")
    with atomic_output(args.output) as stream:
        report, exit_code = score_files(args, metrics, [pred, gold])
        if judgement is None or judgement.prefers:
            found = _preferred(args, report, judgement, bootstrap)
        else:
            found = _correlated(args, report, judgement, bootstrap)
        write_answer(args, stream, with_losses(found, losses(report.scores)))
    return exit_code


def _covered(
    args: argparse.Namespace, report: Report, wanted: int, what: str
) -> dict[str, Vector]:
    """Each metric's scores of the pairs that have a judgement, NaN where it has none.

    Raises:
        InputError: if there are fewer pairs than judgements.
    """
    import numpy as np

    total = 1 + max((max(r) for r in report.by_metric().values() if r), default=-1)
    if total < wanted and not report.omitted:
        raise InputError(
            f"{args.files[2]}: {wanted} {what} but {several(total, 'pair')} of graphs; "
            "a line belongs to each pair"
        )
    if total > wanted:
        settings.note(
            args,
            f"{several(total - wanted, 'pair')} beyond the {wanted} {what} "
            f"{'is' if total - wanted == 1 else 'are'} left out",
        )
    found = {}
    for metric, results in report.by_metric().items():
        scores = np.full(wanted, np.nan)
        for index, result in results.items():
            if index < wanted:
                scores[index] = result.score.shown
        found[metric] = scores
    return found


def _correlated(
    args: argparse.Namespace, report: Report, judgement: Judgement, bootstrap: Bootstrap
) -> Tables:
    """RMSE and correlation of each metric with people's scores."""
    import numpy as np

    from exactmatch.studies.correlate.correlation import correlation, people_of
    from exactmatch.studies.correlate.view import pair_tables
    from exactmatch.views import pictures as plots

    answers = judgement.answers
    scale = args.human_range, args.standardise
    human, is_comparable = people_of(answers, *scale)
    scores = _covered(args, report, len(human), "scores")
    if not is_comparable and not args.standardise:
        settings.note(
            args,
            "human scores are not between 0 and 1, so no RMSE; name their scale with "
            "--human-range",
        )
    steps = len(scores) * 2 * bootstrap.samples
    with progress("resampling", steps, args.quiet) as advance:
        found = correlation(scores, answers, bootstrap, *scale, advance)
    if args.plot:
        judged = human[~np.isnan(human)]
        shown = {metric: given[~np.isnan(given)] for metric, given in scores.items()}
        both = {metric: ~np.isnan(given + human) for metric, given in scores.items()}
        plots.human_scatter(
            args.plot,
            [
                plots.Cloud(metric, human[both[metric]], given[both[metric]])
                for metric, given in scores.items()
            ],
            {"people": judged, **shown} if is_comparable else None,
        )
    answer = pair_tables(found, bootstrap, _signed(args, _signatures(report)))
    return _with_pairs(args, answer, report, found.people, scores)


def _with_pairs(
    args: argparse.Namespace,
    shown: Tables,
    report: Report,
    human: Sequence[float],
    scores: Mapping[str, Vector],
) -> Tables:
    """The answer, with every pair if they are to be shown."""
    from exactmatch.studies.correlate.correlate_pairs import with_pairs

    if not args.per_pair:
        return shown
    known = {
        metric: [None if s != s else s for s in given.tolist()]
        for metric, given in scores.items()
    }
    ids = {omission.index: omission.id for omission in report.omitted}
    ids |= {pair.index: pair.id for pair in report.pairs}
    said = [None if value != value else value for value in human]
    return with_pairs(shown, ids, said, known, "original" if args.foils else "people")


def _signed(args: argparse.Namespace, signatures: Sequence[str]) -> list[str]:
    """The signatures, with what was done to people's scores."""
    done = "|people:standardised" if args.standardise else ""
    return [signature + done for signature in signatures]


def _preferred(
    args: argparse.Namespace,
    report: Report,
    judgement: Judgement | None,
    bootstrap: Bootstrap,
) -> Tables:
    """How often each metric prefers what people prefer, or the original to a foil."""
    import numpy as np

    from exactmatch.studies.correlate.people import preference_correlation
    from exactmatch.studies.correlate.view import preference_tables
    from exactmatch.views import pictures as plots

    if judgement is None:
        scored = max((max(r) for r in report.by_metric().values() if r), default=-1)
        human = np.zeros((scored + 1) // 2)
    else:
        human = judgement.values
    scores = _covered(args, report, 2 * len(human), "judged pairs")
    answers = None if judgement is None else judgement.answers
    found = preference_correlation(
        scores, human, bootstrap.level, answers, foils=args.foils
    )
    if args.plot:
        shown = {}
        names = ("foils", "originals") if args.foils else ("first", "second")
        for metric, given in scores.items():
            known = ~np.isnan(given[0::2] + given[1::2] + human)
            for name, side in zip(names, (given[0::2], given[1::2]), strict=True):
                shown[f"{metric}, {name}"] = side[known]
        plots.score_densities(args.plot, shown)
    answer = preference_tables(
        found.preferences,
        found.tests,
        found.judges,
        args.foils,
        bootstrap,
        _signatures(report),
    )
    both = [wish for choice in human.tolist() for wish in (choice, 1 - choice)]
    return _with_pairs(args, answer, report, both, scores)


def _systems(
    args: argparse.Namespace, metrics: Sequence[Metric], bootstrap: Bootstrap
) -> int:
    """Compare metrics with judgement of systems and of their outputs."""
    import numpy as np

    from exactmatch.scoring.losses import losses_of_systems, with_losses
    from exactmatch.studies.correlate.people import system_correlation
    from exactmatch.studies.correlate.view import system_tables
    from exactmatch.views import pictures as plots

    if args.foils:
        raise InputError(
            "--human and --foils exclude each other; leave one of them out"
        )
    gold, *paths = args.files
    systems.refuse_standard_input(*args.files)
    names = systems.names_from(args, paths)
    files = dict(zip(names, paths, strict=True))
    settings.note_mistaken(args, [gold], files)
    with atomic_output(args.output) as stream:
        scored = systems.score_systems(args, metrics, gold, files)
        people = systems.assessments_from(args, names, scored.segments)
        found = system_correlation(
            metrics, scored.results, people, bootstrap, args.macro
        )
        macro = "|average:macro" if args.macro else ""
        signatures = [signature + macro for signature in scored.signatures]
        shown = system_tables(
            people,
            found.scores,
            found.systems,
            found.segments,
            found.tests,
            found.judges,
            bootstrap,
            _signed(args, signatures),
        )
        if args.plot:
            human = np.array(found.people)
            plots.human_scatter(
                args.plot,
                [
                    plots.Cloud(metric, human, np.array(scores), names)
                    for metric, scores in found.scores.items()
                ],
            )
        lost = losses_of_systems(scored.results)
        write_answer(args, stream, with_losses(shown, lost))
    return scored.exit_code


def _signatures(report: Report) -> list[str]:
    return [score.signature for score in report.scores]
