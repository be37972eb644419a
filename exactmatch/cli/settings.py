"""The arguments of a command line as objects of the library.

Each ``…_from`` function reads the parsed arguments of the options that
:mod:`exactmatch.cli.options` adds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.visible import visible
from exactmatch.cli.arguments import options_of
from exactmatch.cli.options import OWN_METRICS, foreign_options
from exactmatch.formats.formats import Format
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Metric
from exactmatch.scoring.settings import Settings
from exactmatch.solvers import DEFAULT_SOLVER, get_solver
from exactmatch.studies import pairs
from exactmatch.studies.options import Measuring

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from exactmatch.solvers.base import Solver
    from exactmatch.stats.resampling import Bootstrap


def sources_from(args: argparse.Namespace) -> tuple[list[str], bool]:
    """The files to read, predictions first, and whether they are the sample.

    Raises:
        InputError: if there is one file only, ``--gold`` has not one partner, or ``-``
            stands twice.
    """
    paths = [*(args.smatch_files or ()), *args.pred_files, *args.files]
    if args.gold_files and len(paths) != 1:
        found = (
            f"{several(len(paths), 'file')} of predictions"
            if paths
            else "no predictions"
        )
        raise InputError(f"--gold is given with {found}; name one with --pred")
    paths += args.gold_files
    if not paths:
        folder = Path(exactmatch.__file__).parent / "sample"
        return [str(folder / "pred.amr"), str(folder / "gold.amr")], True
    if len(paths) == 1:
        raise InputError(
            f"only one file is named, {paths[0]!r}; name predictions and references"
        )
    if paths.count("-") > 1:
        raise InputError("standard input can be only one of the files")
    note_mistaken(args, paths[1:], {Path(paths[0]).name: paths[0]})
    return paths, False


def note_mistaken(
    args: argparse.Namespace, golds: Sequence[str], systems: Mapping[str, str]
) -> list[str]:
    """Warn of files that look exchanged, or named twice; return what was said.

    Args:
        args: the options; ``--quiet`` counts.
        golds: the files of references.
        systems: each system's file, by its name.
    """
    from exactmatch.formats.mistaken_files import remarks

    found = remarks(golds, systems)
    for remark in found:
        note(args, f"warning: {remark}")
    return found


def measuring_from(args: argparse.Namespace) -> Measuring:
    """The options of metrics, of what counts and of solving."""
    return options_of(Measuring, args, more=foreign_options(args))


SEVERAL = "score, compare, correlate, principles and audit"
"""The commands that take several numbers of restarts."""


def solver_from(args: argparse.Namespace) -> Solver:
    """The solver that the arguments ask for.

    ``-r`` sets the restarts of ``hillclimb`` and is remarked upon otherwise.

    Raises:
        InputError: if several numbers of restarts are asked for.
        SolverError: if the name or an option is wrong.
    """
    first, *others = solvers_from(args)
    if others:
        raise InputError(
            f"-r {_listed(args.restarts)} is several numbers of restarts; give one "
            f"here ({SEVERAL} take several)"
        )
    return first


def solvers_from(args: argparse.Namespace, climbs: bool = False) -> list[Solver]:
    """The solver that the arguments ask for, once for each number of restarts.

    Args:
        args: the parsed arguments.
        climbs: whether the command climbs besides, so that ``-r`` has an effect
            with any solver.

    Raises:
        SolverError: if the name or an option is wrong.
    """
    specs = [args.solver]
    if args.restarts is not None:
        if args.solver.partition(":")[0] == "hillclimb":
            joint = "," if ":" in args.solver else ":"
            specs = [f"{args.solver}{joint}restarts={n}" for n in args.restarts]
        elif not climbs:
            given = _listed(args.restarts)
            note(args, f"-r {given} has no effect on solver {args.solver!r}")
    solvers = [get_solver(spec) for spec in specs]
    solvers[0].check_available()
    return solvers


def _listed(restarts: Sequence[int]) -> str:
    return ",".join(map(str, restarts))


def workers_from(args: argparse.Namespace) -> tuple[Executor | None, int]:
    """Who works, and how many they are; :func:`~exactmatch.cli.main.main` ends them.

    Raises:
        InputError: if there is no such engine, or it cannot be reached.
        MissingExtraError: if its package is not installed.
    """
    if args.executor is None:
        return None, args.jobs
    if args.workers is None:
        from exactmatch.scoring.executors import connect_executor

        args.workers = args.at_end.enter_context(connect_executor(args.executor))
    found: tuple[Executor | None, int] = args.workers
    return found


def settings_from(args: argparse.Namespace, **more: Any) -> Settings:
    """How an evaluation runs, by the shared options.

    Args:
        args: the parsed arguments.
        **more: what the command adds.
    """
    recorded = getattr(args, "certificates", None) is not None
    executor, jobs = workers_from(args)
    shared: dict[str, Any] = {
        "format_in": args.format_in,
        "framework": args.framework,
        "by_id": args.by_id,
        "on_error": args.on_error,
        "strict": args.strict,
        "common": args.common,
        "time_limit": args.time_limit,
        "total_time": args.total_time,
        "until": args.total_time and args.invocation.started + args.total_time,
        "seed": args.seed,
        "proofs": "check" if args.certify else "record" if recorded else "leave",
        "jobs": jobs,
        "executor": executor,
        "cache": getattr(args, "cache", None),
    }
    return Settings(**(shared | more))


def intervals_from(args: argparse.Namespace) -> Bootstrap | None:
    """How intervals are computed, if they were asked for."""
    return None if args.confidence is None else bootstrap_from(args)


def bootstrap_from(args: argparse.Namespace) -> Bootstrap:
    """How intervals are computed, in a command that always does."""
    from exactmatch.stats.resampling import Bootstrap

    return Bootstrap(args.samples, args.confidence, args.seed, args.interval)


def metrics_from(
    args: argparse.Namespace,
    solver: Solver | None,
    known: Sequence[str] = OWN_METRICS,
) -> list[Metric]:
    """The metrics that the arguments ask for, each with its profile and options.

    Args:
        args: the parsed arguments.
        solver: who aligns variables for those that search; ``None`` if none does.
        known: the metrics that ``all`` may mean.

    Raises:
        InputError: if a name is wrong.
    """
    asked = measuring_from(args)
    made = asked.metrics(solver, known)
    for remark in asked.unheeded(made):
        note(args, remark)
    return made


def climbing_from(
    args: argparse.Namespace,
    solvers: Sequence[Solver] | None = None,
    known: Sequence[str] = OWN_METRICS,
) -> list[Metric]:
    """The metrics that the arguments ask for, each that searches with each solver.

    Args:
        args: the parsed arguments.
        solvers: those of :func:`solvers_from`, which is called by default; of several,
            a metric has the number of restarts in its name.
        known: the metrics that ``all`` may mean.

    Raises:
        InputError: if a name is wrong.
    """
    if solvers is None:
        asked = args.solver != DEFAULT_SOLVER or args.restarts is not None
        if not asked and not any(
            cls.aligns for cls in measuring_from(args).classes(known)
        ):
            return metrics_from(args, None, known)  # NumPy comes with a solver
        solvers = solvers_from(args)
    if len(solvers) == 1:
        return metrics_from(args, solvers[0], known)
    found: list[Metric] = []
    made = [metrics_from(args, solver, known) for solver in solvers]
    for variants in zip(*made, strict=True):
        if not variants[0].aligns:
            found.append(variants[0])
            continue
        for metric, restarts in zip(variants, args.restarts, strict=True):
            about = f"r={restarts}"
            found.append(
                metric.named(f"{metric.name} {about}", f"{metric.title} {about}")
            )
    return found


def aligning_from(
    args: argparse.Namespace, solver: Solver
) -> list[AligningMetric[Any]]:
    """The metrics that the arguments ask for, where only those that align will do.

    Raises:
        InputError: if one does not.
    """
    return measuring_from(args).aligning(solver)


def options_from(args: argparse.Namespace, cls: type[Metric]) -> dict[str, Any]:
    """The metric's own options that were given; 0 is given, too."""
    values = {option.name: getattr(args, option.name, None) for option in cls.options}
    return {name: value for name, value in values.items() if value is not None}


def note_profile(
    args: argparse.Namespace, paths: Sequence[str], metrics: Sequence[Metric]
) -> None:
    """Remark on graphs of another representation that are counted as AMR's are."""
    note_formats(args, formats_of(args, paths), metrics)


def formats_of(args: argparse.Namespace, paths: Iterable[str]) -> list[Format]:
    """The format that files are said to have, or those that their names say."""
    return pairs.formats_of(args.format_in, paths)


def note_formats(
    args: argparse.Namespace, formats: Iterable[Format], metrics: Sequence[Metric]
) -> None:
    """Remark on formats with a profile of their own, where another one counts."""
    if args.profile is None:
        for remark in pairs.profile_remarks(formats, metrics):
            note(args, remark)


def note(args: argparse.Namespace, text: str) -> None:
    """Tell the person at the keyboard something, unless they asked for quiet."""
    if not args.quiet:
        print(f"exactmatch: {visible(text)}", file=sys.stderr)
