"""``exactmatch audit``: how wrong hill-climbing is on these graphs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing, nullcontext
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options, settings, values
from exactmatch.cli.answer import write_answer
from exactmatch.cli.lists import Listing
from exactmatch.cli.terminal import score_files
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.run import open_files
from exactmatch.views.progress import progress
from exactmatch.views.tables import FORMATS

if TYPE_CHECKING:
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Limits
    from exactmatch.stats.resampling import Bootstrap
    from exactmatch.studies.audit.audit import Against
    from exactmatch.studies.audit.hillclimbs import Climbed, Plan
    from exactmatch.studies.audit.results import Audit
    from exactmatch.studies.audit.smatch_program import SmatchProgram

RESTARTS = (1, 2, 3, 4, 5, 7, 10)
"""The numbers of restarts in Opitz et al. (2020), table 3, smatch's own 4, and 10."""


AUDITED = ("smatch", "s2match")
"""Only these: the weights of other metrics' problems hold preferences besides."""


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    group = parser.add_argument_group("audit")
    group.add_argument(
        "-r",
        "--restarts",
        action=Listing,
        type=values.restart_counts,
        default=RESTARTS,
        metavar="N[,N…]",
        dest="counts",
        help="numbers of restarts (default: 1,2,3,4,5,7,10)",
    )
    group.add_argument(
        "--runs",
        "--seeds",
        dest="runs",
        type=values.positive_int,
        default=10,
        metavar="N",
        help="runs for each pair, each with its seed (default: 10)",
    )
    group.add_argument(
        "--no-symmetry",
        action="store_true",
        help="do not climb with the files exchanged; takes half the time",
    )
    group.add_argument(
        "--against",
        choices=("smatch",),
        help="also run an installed smatch, its own code, on the same pairs",
    )
    group.add_argument(
        "--smatch-python",
        metavar="PYTHON",
        help="the interpreter that has smatch (default: this one)",
    )
    group.add_argument(
        "--published",
        type=_score,
        metavar="F",
        help="a published corpus F1 of these files, such as 0.843 or 84.3, to check "
        "(by the first metric)",
    )
    group.add_argument(
        "--show",
        type=values.natural_int,
        default=5,
        metavar="N",
        help="failed pairs to show with both alignments (default: 5)",
    )
    group.add_argument(
        "--plot", metavar="FILE", help="draw the search error: .png, .svg or .pdf"
    )
    options.add_measuring(parser, arguments, AUDITED, restarts=False)
    options.add_confidence(parser, always=True, title="intervals of --against")
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Compare the hill-climber of Smatch or S²Match with the proven optimum.

    Example:
      exactmatch audit parsed.amr gold.amr
      exactmatch audit parsed.amr gold.amr --restarts 1,4 --plot error.png
      exactmatch audit parsed.amr gold.amr --metric smatch,s2match
      exactmatch audit parsed.amr gold.amr --against smatch --published 0.843
    """
    from exactmatch.studies.audit.audit import audit
    from exactmatch.studies.audit.hillclimbs import Plan
    from exactmatch.studies.audit.view import Audited, panels, tables
    from exactmatch.views import pictures as plots

    plots.check(args.plot)
    paths, is_sample = settings.sources_from(args)
    if len(paths) > 2:
        raise InputError(f"an audit takes two files, not {len(paths)}")
    if "-" in paths:
        raise InputError(
            "every file is read more than once, which standard input cannot be; save "
            "it as a file and name that"
        )
    if is_sample:
        settings.note(args, "no files named: auditing the bundled sample")
    metrics = _metrics(args)
    settings.note_profile(args, paths, metrics)
    bootstrap = settings.bootstrap_from(args)
    plan = Plan(args.counts, args.runs, args.seed, not args.no_symmetry)
    with atomic_output(args.output) as stream, _smatch(args) as program:
        report, exit_code = score_files(
            args, metrics, paths, "proving", keep_graphs=True, keep_problems=True
        )
        by_metric = report.by_metric()
        audits = []
        for metric, corpus in zip(metrics, report.scores, strict=True):
            results = list(by_metric[metric.name].values())
            if not results:
                raise InputError("no pair is left to audit")
            climbed = _climb(args, metric, results, plan)
            if not climbed:
                raise InputError(
                    "no pair was climbed in time; allow more by --time-limit or "
                    "--total-time, or ask for fewer --runs or --restarts"
                )
            left = len(results) - len(climbed)
            results = [result for result in results if result.index in climbed]
            found = audit(results, list(climbed.values()), plan, left)
            other = None
            if program is not None and metric.name == Smatch.name:
                other = _against(args, program, paths, results, found, bootstrap)
            audits.append(
                Audited(
                    metric.name,
                    metric.title,
                    found,
                    other,
                    corpus.signature,
                    corpus.dropped,
                )
            )
        found_out = tables(
            audits, args.published, args.show, bootstrap, args.significant
        )
        write_answer(args, stream, found_out)
        if args.plot:
            plots.search_errors(args.plot, panels(audits))
    return exit_code


def _score(text: str) -> str:
    """Check that a published score is a share, or in percent; keep its digits."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if number.is_nan() or not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(
            f"{text} is no score between 0 and 1, and no percentage up to 100"
        )
    return text if number <= 1 else str(number / 100)


def _metrics(args: argparse.Namespace) -> list[AligningMetric[Any]]:
    metrics = settings.aligning_from(args, settings.solver_from(args))
    solver = metrics[0].solver
    if not solver.exact:
        raise InputError(
            f"solver {solver.name!r} proves nothing, and an audit needs the optimum; "
            "name an exact solver"
        )
    if args.against is None and args.smatch_python is not None:
        settings.note(args, "--smatch-python has no effect without --against")
    counting = Smatch().counting_signature()
    if args.against and counting not in [
        metric.counting_signature() for metric in metrics if metric.name == Smatch.name
    ]:
        raise InputError(
            "--against smatch runs smatch itself, which counts in its own way alone; "
            "leave out --metric, --profile and other options of what counts"
        )
    return metrics


def _smatch(args: argparse.Namespace) -> Any:
    """The program to compare with, if any, started before any work is done."""
    if not args.against:
        return nullcontext()
    from exactmatch.studies.audit.smatch_program import SmatchProgram

    return SmatchProgram(args.smatch_python)


def _climb(
    args: argparse.Namespace,
    metric: AligningMetric[Any],
    results: Sequence[PairResult],
    plan: Plan,
) -> dict[int, Climbed]:
    """Climb every pair, in one process or several; those that were done in time."""
    from exactmatch.scoring.parallel import map_in_order

    tasks = ((r.stated_problem.problem, r.index) for r in results)
    executor, jobs = settings.workers_from(args)
    limits = settings.settings_from(args).limits
    given = map_in_order(
        partial(_climbed, plan=plan, limits=limits), tasks, jobs, executor
    )
    found = {}
    what = f"climbing {metric.title}"
    with progress(what, len(results), args.quiet) as advance, closing(given):
        for result, climbed in zip(results, given, strict=True):
            if climbed is not None:
                found[result.index] = climbed
            advance()
    return found


def _climbed(
    task: tuple[AlignmentProblem, int], plan: Plan, limits: Limits
) -> Climbed | None:
    """Climb one pair inside a worker."""
    from exactmatch.studies.audit.hillclimbs import climb_pair

    return climb_pair(*task, plan, limits)


def _against(
    args: argparse.Namespace,
    program: SmatchProgram,
    paths: Sequence[str],
    results: Sequence[PairResult],
    found: Audit,
    bootstrap: Bootstrap,
) -> Against:
    """Run the installed smatch on the same pairs and test it against our climber."""
    from exactmatch.studies.audit.audit import against

    runs = _runs_of(args, program, paths, results, found.plan)
    total = len(found.plan.restarts)
    with progress("testing", total, args.quiet) as advance:
        name = f"smatch {program.version}"
        return against(found, name, *runs, bootstrap, advance)


def _runs_of(
    args: argparse.Namespace,
    program: SmatchProgram,
    paths: Sequence[str],
    results: Sequence[PairResult],
    plan: Plan,
) -> tuple[Any, Any]:
    """What the installed smatch matches in each run, and with the files exchanged."""
    import numpy as np

    from exactmatch.studies.audit.hillclimbs import run_seed
    from exactmatch.studies.audit.smatch_program import Task

    texts = _texts(args, paths)
    sides = (False, True) if plan.symmetry else (False,)
    found = np.zeros((len(sides), len(results), plan.runs, len(plan.restarts)))
    with progress("running smatch", len(results), args.quiet) as advance:
        for row, result in enumerate(results):
            for side in sides:
                pred, gold = texts[result.index]
                if side:
                    pred, gold = gold, pred
                tasks = [
                    Task(pred, gold, count, run_seed(plan, result.index, run, side))
                    for run in range(plan.runs)
                    for count in plan.restarts
                ]
                matched = [counts[0] for counts in program.matched(tasks)]
                found[int(side), row] = np.reshape(matched, found.shape[2:])
            advance()
    return found[0], found[1] if plan.symmetry else None


def _texts(
    args: argparse.Namespace, paths: Sequence[str]
) -> dict[int, tuple[str, str]]:
    """The graphs as smatch reads them: lines joined, comments left out."""
    opened = open_files(paths, Smatch(), settings.settings_from(args))
    return {
        pair.index: ("".join(pair.pred.content), "".join(pair.golds[0].content))
        for pair in opened.pairs()
        if pair.pred is not None and pair.golds[0] is not None
    }
