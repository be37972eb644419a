"""Options that several commands share, and what they make of them.

Each ``add_…`` function adds a group of options to a parser; each ``…_from``
function turns the parsed arguments into the library's own objects.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.errors import InputError
from exactmatch.metrics import METRICS, metric_class
from exactmatch.metrics.base import Metric, Option
from exactmatch.metrics.smatch import AlignmentMetric
from exactmatch.profile import PROFILES, Profile, get_profile
from exactmatch.solvers import get_solver
from exactmatch.solvers.solution import Limits

if TYPE_CHECKING:
    from exactmatch.solvers.base import Solver
    from exactmatch.statistics import Bootstrap

SEARCHING = ("smatch", "s2match")
"""The metrics that align variables, and so have an optimum to prove."""


def add_input(parser: argparse.ArgumentParser, as_smatch: bool = False) -> None:
    """Add the files and how graphs are paired.

    Args:
        parser: the command's parser.
        as_smatch: whether ``-f`` asks for smatch's own lines, too.
    """
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="predictions, then references: PENMAN files, .gz, folders, or - for "
        "standard input; none: the bundled sample",
    )
    parser.add_argument(
        "-f",
        nargs=2,
        metavar=("PRED", "GOLD"),
        dest="smatch_files",
        help="as smatch: the two files"
        + (", and output in smatch's own lines" if as_smatch else ""),
    )
    add_pairing(parser)


def add_pairing(parser: argparse.ArgumentParser) -> None:
    """Add how graphs are paired and what happens to unreadable ones."""
    group = parser.add_argument_group("pairing and errors")
    group.add_argument(
        "--by-id", action="store_true", help="pair graphs by '# ::id', not by position"
    )
    group.add_argument(
        "--on-error",
        choices=("fail", "skip", "empty"),
        default="fail",
        help="a graph that cannot be read ends the run (default), is left out with "
        "its partner, or counts as an empty graph",
    )
    group.add_argument(
        "--strict",
        action="store_true",
        help="refuse what only smatch's leniency can read",
    )
    group.add_argument(
        "--max-terms",
        type=positive_int,
        metavar="N",
        help="refuse a pair with more pair terms than this (default: 2·10⁷)",
    )


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add the profile and its composable options."""
    group = parser.add_argument_group("what counts")
    group.add_argument(
        "--profile",
        choices=tuple(PROFILES),
        help="how graphs are read and triples counted (default: the metric's own; "
        "smatch for Smatch)",
    )
    group.add_argument(
        "--top",
        choices=("constant", "concept", "none"),
        help="what marks the root: a constant triple, one with its concept, nothing",
    )
    group.add_argument(
        "--duplicates",
        choices=("product", "multiset", "set"),
        help="how repeated triples count: every pair, as often as both have it, once",
    )
    group.add_argument("--no-wiki", action="store_true", help="leave :wiki out")
    group.add_argument(
        "--no-sense", action="store_true", help="compare want-01 and want-02 as want"
    )
    reify = group.add_mutually_exclusive_group()
    reify.add_argument(
        "--reify", action="store_true", help="reify roles, by penman's AMR model"
    )
    reify.add_argument(
        "--dereify", action="store_true", help="undo reifications, by the same model"
    )
    group.add_argument(
        "--strip-alignments",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="remove ~e.N tags (on in clean)",
    )
    group.add_argument(
        "--just",
        choices=("instance", "attribute", "relation"),
        help="count one kind of triple, re-aligned for it alone",
    )
    for kind in ("instance", "attribute", "relation"):
        group.add_argument(
            f"--just{kind}",
            dest="just",
            action="store_const",
            const=kind,
            help=argparse.SUPPRESS,
        )


def add_solving(parser: argparse.ArgumentParser, restarts: bool = True) -> None:
    """Add the solver and its limits.

    Args:
        parser: the command's parser.
        restarts: whether ``-r`` sets those of hillclimb.
    """
    group = parser.add_argument_group("solving")
    group.add_argument(
        "--solver",
        default="auto",
        metavar="NAME[:option=value,…]",
        help="auto (default), bnb, cpsat, highs, cbc, pulp:NAME, hillclimb, "
        "hungarian, brute; see 'exactmatch solvers'",
    )
    group.add_argument(
        "--time-limit",
        type=positive_float,
        metavar="SECONDS",
        help="for each pair; a pair not proven in time is reported as an interval",
    )
    group.add_argument(
        "--require-optimal",
        action="store_true",
        help="exit with 1 unless every pair is proven optimal",
    )
    group.add_argument(
        "--certify",
        action="store_true",
        help="have each pair's proof checked by an independent checker",
    )
    group.add_argument(
        "-j",
        "--jobs",
        type=positive_int,
        default=1,
        metavar="N",
        help="processes that score pairs (default: 1); the results are the same",
    )
    group.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of everything random"
    )
    if not restarts:
        parser.set_defaults(restarts=None)
        return
    group.add_argument(
        "-r",
        "--restarts",
        type=natural_int,
        metavar="N",
        help="restarts of hillclimb (default: 4)",
    )


def add_confidence(
    parser: argparse.ArgumentParser,
    always: bool = False,
    title: str = "intervals",
    corrects: bool = True,
) -> None:
    """Add confidence intervals and the samples they are drawn from.

    Args:
        parser: the command's parser.
        always: whether intervals are computed without being asked for.
        title: what has intervals.
        corrects: whether there is a choice of method; else plain percentiles.
    """
    group = parser.add_argument_group(title)
    group.add_argument(
        "--confidence",
        nargs="?",
        type=_level,
        const=0.95,
        default=0.95 if always else None,
        metavar="LEVEL",
        help="bootstrap confidence intervals of LEVEL percent (default: 95)",
    )
    group.add_argument(
        "--samples",
        type=positive_int,
        default=1000,
        metavar="N",
        help="resampled corpora (default: 1000)",
    )
    if not corrects:
        parser.set_defaults(interval="percentile")
        return
    group.add_argument(
        "--interval",
        choices=("bca", "percentile"),
        default="bca",
        help="bias-corrected and accelerated (default), or plain percentiles",
    )


def bootstrap_from(args: argparse.Namespace) -> Bootstrap | None:
    """How intervals are computed, if they were asked for."""
    if args.confidence is None:
        return None
    from exactmatch.statistics import Bootstrap

    return Bootstrap(args.samples, args.confidence, args.seed, args.interval)


def _level(text: str) -> float:
    """Convert a confidence level, in percent or as a share."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no confidence level; name the files before --confidence, "
            "or give it a level such as 95"
        ) from None
    share = number / 100 if number >= 1 else number
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100 percent")
    return share


def add_output(
    parser: argparse.ArgumentParser, formats: tuple[str, ...], verbose: bool = True
) -> None:
    """Add where and how results are written.

    Args:
        parser: the command's parser.
        formats: what ``--format`` takes.
        verbose: whether there is more to say with ``-v``.
    """
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format", choices=formats, default="text", help="default: text"
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, at once and whole"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="results only")
    if verbose:
        group.add_argument(
            "-v", "--verbose", action="store_true", help="say how each pair was solved"
        )


def add_metrics(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str],
    names: Sequence[str] = tuple(METRICS),
    default: str = "smatch",
) -> None:
    """Add the metric and its options.

    Args:
        parser: the command's parser.
        arguments: what will be parsed: unless help is asked for, only the
            metrics named there are imported for their options.
        names: the metrics that the command knows.
        default: those that are meant where none is named.
    """
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "--metric",
        default=default,
        metavar="NAME[,NAME…]",
        help=f"{', '.join(names)} (default: {default}), or all: those that need "
        "nothing",
    )
    if "--metric" not in " ".join(arguments):
        arguments = [*arguments, default]
    add_metric_options(group, _meant(arguments, names))


def add_metric_options(group: argparse._ArgumentGroup, names: Iterable[str]) -> None:
    """Add the options of the metrics of these names."""
    for option in metric_options(names):
        flag = f"--{option.name.replace('_', '-')}"
        if option.type is bool:
            group.add_argument(flag, action="store_true", help=option.help)
        else:
            group.add_argument(
                flag,
                type=option.type,
                choices=option.choices,
                metavar=option.metavar,
                dest=option.name,
                help=option.help,
            )


def _meant(arguments: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """The metrics whose options may occur among the arguments."""
    if {"-h", "--help"} & set(arguments):
        return names
    text = " ".join(arguments).replace(",", " ").replace("=", " ").split()
    return [n for n in names if n in text or "all" in text]


def metric_options(names: Iterable[str]) -> list[Option]:
    """The metrics' options; those of one name are one, with all its choices."""
    found: dict[str, Option] = {}
    for name in names:
        for option in metric_class(name).options:
            known = found.get(option.name)
            if known is None:
                found[option.name] = option
            elif known.choices and option.choices:
                both = tuple(dict.fromkeys((*known.choices, *option.choices)))
                found[option.name] = Option(
                    known.name, known.help, known.type, both, known.metavar
                )
    return list(found.values())


def profile_from(args: argparse.Namespace, default: str) -> Profile:
    """The profile that the arguments ask for, or the metric's default with options."""
    profile = get_profile(args.profile or default)
    reification = "reify" if args.reify else "dereify" if args.dereify else None
    return profile.with_options(
        top=args.top,
        duplicates=args.duplicates,
        wiki=False if args.no_wiki else None,
        sense=False if args.no_sense else None,
        reification=reification,
        strip_alignments=args.strip_alignments,
        just=args.just,
    )


def solver_from(args: argparse.Namespace, climbs: bool = False) -> Solver:
    """The solver that the arguments ask for.

    ``-r`` sets the restarts of ``hillclimb`` and is remarked upon otherwise.

    Args:
        args: the parsed arguments.
        climbs: whether the command climbs besides, so that ``-r`` has an effect
            with any solver.

    Raises:
        SolverError: if the name or an option is wrong.
    """
    spec = args.solver
    if args.restarts is not None:
        if spec.partition(":")[0] == "hillclimb":
            joint = "," if ":" in spec else ":"
            spec = f"{spec}{joint}restarts={args.restarts}"
        elif not climbs:
            note(args, f"-r {args.restarts} has no effect on solver {spec!r}")
    solver = get_solver(spec)
    solver.check_available()
    if args.certify or getattr(args, "certificates", None):
        if not solver.certifies:
            raise InputError(
                f"solver {spec!r} gives no certificates; use auto or bnb for "
                "--certify and --certificates"
            )
        solver.certify = 1
    return solver


def limits_from(args: argparse.Namespace) -> Limits:
    """Time limit and seed."""
    return Limits(seconds=args.time_limit, seed=args.seed)


def metrics_from(
    args: argparse.Namespace, solver: Solver, known: Sequence[str] = tuple(METRICS)
) -> list[Metric]:
    """The metrics that the arguments ask for, each with its profile and options.

    Args:
        args: the parsed arguments.
        solver: who aligns variables for those that search.
        known: the metrics that ``all`` may mean.

    Raises:
        InputError: if a name is wrong.
    """
    names = args.metric.split(",")
    if names == ["all"]:
        names = [name for name in known if metric_class(name).in_all]
    if len(set(names)) < len(names):
        raise InputError(f"--metric {args.metric} names a metric twice")
    classes = [metric_class(name) for name in names]
    given = {
        option.name: value
        for option in metric_options(names)
        if (value := getattr(args, option.name, None)) not in (None, False)
    }
    return [_make_metric(args, cls, solver, given) for cls in classes]


def searching_from(args: argparse.Namespace, solver: Solver) -> list[AlignmentMetric]:
    """The metrics that the arguments ask for, where only those that search will do.

    Raises:
        InputError: if one does not.
    """
    found = []
    for metric in metrics_from(args, solver, SEARCHING):
        if not isinstance(metric, AlignmentMetric):
            raise InputError(
                f"metric {metric.name!r} searches for no alignment; name "
                f"{' or '.join(SEARCHING)}"
            )
        found.append(metric)
    return found


def _make_metric(
    args: argparse.Namespace, cls: type[Metric], solver: Solver, given: dict[str, Any]
) -> Metric:
    names = {option.name for option in cls.options}
    keywords = {name: value for name, value in given.items() if name in names}
    if cls.default_profile is not None:
        asked = args.profile is None or args.profile in cls.profiles
        if not asked and "," not in args.metric and args.metric != "all":
            raise InputError(
                f"metric {cls.name!r} does not work with profile {args.profile!r} "
                f"(known: {', '.join(cls.profiles)})"
            )
        chosen = args.profile if asked else None
        shadow = argparse.Namespace(**{**vars(args), "profile": chosen})
        keywords["profile"] = profile_from(shadow, cls.default_profile)
    if cls.searches:
        keywords |= {"solver": solver, "max_terms": args.max_terms}
    return cls(**keywords)


def sources_from(args: argparse.Namespace) -> tuple[list[str], bool]:
    """The files to read, predictions first, and whether they are the sample.

    Raises:
        InputError: if there is one file only, or ``-`` stands twice.
    """
    paths = list(args.smatch_files or ()) + list(args.files)
    if not paths:
        from importlib.resources import files

        folder = files("exactmatch") / "sample"
        return [str(folder / "pred.amr"), str(folder / "gold.amr")], True
    if len(paths) == 1:
        raise InputError(
            f"only one file is named, {paths[0]!r}; name predictions and references"
        )
    if paths.count("-") > 1:
        raise InputError("standard input can be only one of the files")
    return paths, False


def quiet_penman() -> None:
    """Keep penman's remarks on what it reads off the terminal; ours say enough."""
    import logging

    logging.getLogger("penman").setLevel(logging.ERROR)


def note(args: argparse.Namespace, text: str) -> None:
    """Tell the person at the keyboard something, unless they asked for quiet."""
    if not args.quiet:
        print(f"exactmatch: {text}", file=sys.stderr)


def positive_int(text: str) -> int:
    """Convert to an integer of at least 1."""
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")


def natural_int(text: str) -> int:
    """Convert to an integer of at least 0."""
    if text.isascii() and text.isdigit():
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 0")


def positive_float(text: str) -> float:
    """Convert to a finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if 0 < number < float("inf"):
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
