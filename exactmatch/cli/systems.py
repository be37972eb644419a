"""What the commands about several systems share: their names and their results."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.cli import settings
from exactmatch.cli.arguments import options_of
from exactmatch.cli.lists import Listing
from exactmatch.formats.files import is_read_once
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.scoring.results import PairResult
from exactmatch.studies.options import People

if TYPE_CHECKING:
    from exactmatch.studies.correlate.assessments import Assessments


def add_human(group: argparse._ArgumentGroup) -> None:
    """Add what people said about the systems."""
    group.add_argument(
        "--human",
        metavar="FILE",
        action="append",
        default=[],
        help="human judgement of the systems, a table with the columns system, "
        "segment, score, or segment, first, second, preferred, or system, score; give "
        "it once for each judge",
    )
    group.add_argument(
        "--human-range",
        type=_range,
        metavar="LOW,HIGH",
        help="the ends of the scale that people used",
    )
    group.add_argument(
        "--standardise",
        action="store_true",
        help="weigh judges alike: each one's scores less their mean, over their "
        "standard deviation",
    )


def _range(text: str) -> tuple[float, float]:
    """Convert the two ends of a scale."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not two numbers with a comma between them, such as 0,100"
        ) from None
    if not low < high:
        raise argparse.ArgumentTypeError(f"{low:g} is not below {high:g}")
    return low, high


def assessments_from(
    args: argparse.Namespace, systems: Sequence[str], segments: Sequence[str | None]
) -> Assessments:
    """What people said about the systems.

    Args:
        args: the parsed arguments.
        systems: what the systems are called.
        segments: the pairs' ids, by their numbers.
    """
    from exactmatch.cli.terminal import Terminal
    from exactmatch.studies.correlate.assessments import assessed

    return assessed(options_of(People, args), systems, segments, Terminal(args))


def add_names(group: argparse._ArgumentGroup) -> None:
    """Add what the systems are called."""
    group.add_argument(
        "--names",
        action=Listing,
        metavar="NAME[,NAME…]",
        help="what to call the systems (default: their files)",
    )


def are_named(arguments: Sequence[str]) -> set[str]:
    """Which of ``--pred`` and ``--gold`` stand on the command line."""
    return {word.partition("=")[0] for word in arguments} & {"--pred", "--gold"}


def refuse_standard_input(*paths: str) -> None:
    """Refuse standard input where files are read more than once.

    Raises:
        InputError: if it is one of the paths.
    """
    if "-" in paths:
        raise InputError(
            "every file is read more than once, which standard input cannot be; save "
            "it as a file and name that"
        )


def refuse_pipes(*paths: str) -> None:
    """Refuse standard input and pipes where files are read more than once.

    Raises:
        InputError: if one is among the paths.
    """
    refuse_standard_input(*paths)
    for path in filter(is_read_once, paths):
        raise InputError(
            f"{path}: can be read only once, and every file is read more than once; "
            "save it as a file and name that"
        )


def names_from(
    args: argparse.Namespace, paths: Sequence[str], what: str = "system"
) -> list[str]:
    """What the systems are called: distinct, and as many as there are files.

    Args:
        args: the parsed arguments.
        paths: the files.
        what: what each is of.

    Raises:
        InputError: if there are fewer than two, or names of another number, or a
            name twice.
    """
    if len(paths) < 2:
        raise InputError(f"only one {what} is named; name two or more to compare")
    if args.names is None:
        names = [Path(path).name for path in paths]
        if len(set(names)) < len(names):
            names = list(paths)
        repeated = {name for name in names if names.count(name) > 1}
        return [
            f"{name} ({1 + names[:k].count(name)})" if name in repeated else name
            for k, name in enumerate(names)
        ]
    names = [str(name) for name in args.names.split(",")]
    if len(names) != len(paths) or len(set(names)) < len(names):
        raise InputError(
            f"--names gives {several(len(names), 'name')} to "
            f"{several(len(paths), what)}; give each its own"
        )
    return names


@dataclass(frozen=True, slots=True)
class ScoredSystems:
    """Several systems' scores on the same pairs.

    Attributes:
        results: each pair's, by metric and system, on the pairs that every system
            has.
        segments: the ``# ::id`` of every pair by its number, ``None`` where it has
            none.
        signatures: the metrics'.
        exit_code: 1 if a demanded property does not hold, else 0.
    """

    results: dict[str, dict[str, list[PairResult]]]
    segments: tuple[str | None, ...]
    signatures: tuple[str, ...]
    exit_code: int


def score_systems(
    args: argparse.Namespace,
    metrics: Sequence[Metric],
    gold: str,
    systems: Mapping[str, str],
) -> ScoredSystems:
    """Score several systems against the same references.

    Args:
        args: the shared options.
        metrics: what to measure.
        gold: the references.
        systems: each system's file, by its name.

    Raises:
        InputError: if no pair is scored for every system.
    """
    from exactmatch.cli.terminal import score_files

    reports: dict[str, Report] = {}
    exit_code = 0
    told: set[str] = set()
    for name, path in systems.items():
        what = f"scoring {name}"
        reports[name], code = score_files(args, metrics, [path, gold], what, told)
        exit_code = max(exit_code, code)
    scored = {name: report.by_metric() for name, report in reports.items()}
    results = {}
    for metric in metrics:
        found = {name: found[metric.name] for name, found in scored.items()}
        shared = sorted(set.intersection(*map(set, found.values())))
        if not shared:
            raise InputError(
                "the systems have no pair in common; there is nothing to test"
            )
        if len(shared) < len(set().union(*found.values())):
            settings.note(
                args,
                f"{metric.name}: compared on the {several(len(shared), 'pair')} that "
                "all systems "
                "have",
            )
        results[metric.name] = {
            name: [pairs[index] for index in shared] for name, pairs in found.items()
        }
    ids: dict[int, str | None] = {}
    for report in reports.values():
        ids |= {omission.index: omission.id for omission in report.omitted}
        ids |= {result.index: result.id for result in report.pairs}
    return ScoredSystems(
        results,
        tuple(ids.get(index) for index in range(max(ids) + 1)),
        tuple(s.signature for s in next(iter(reports.values())).scores),
        exit_code,
    )
