"""``exactmatch report``: every pair of an evaluation, to be browsed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.inputs import provenance
from exactmatch.base.numbers import several
from exactmatch.cli import options, settings
from exactmatch.cli.lists import Listing
from exactmatch.cli.terminal import Terminal, note_omissions
from exactmatch.metrics import ALIGNING
from exactmatch.scoring.results import ProofCounts
from exactmatch.scoring.run import open_files
from exactmatch.studies.pairs import refuse_pipes

if TYPE_CHECKING:
    from exactmatch.studies.report.browser_data import Collector, Compared
    from exactmatch.studies.report.browser_overview import About


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    add_measured(parser, arguments)
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, at once and whole"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="results only")
    group.add_argument(
        "-v", "--verbose", action="store_true", help="say how each pair was solved"
    )


def add_measured(
    parser: argparse.ArgumentParser, arguments: Sequence[str], intervals: bool = True
) -> None:
    """Add the files of one system or several, and how they are measured."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="predictions, references, and predictions of further systems; none: the "
        "bundled sample",
    )
    parser.add_argument(
        "--names",
        action=Listing,
        metavar="NAME[,NAME…]",
        help="what to call the systems (default: their files)",
    )
    options.add_named_files(options.add_pairing(parser), several="pred")
    options.add_measuring(parser, arguments, ALIGNING)
    if intervals:
        group = parser.add_argument_group("what is shown")
        group.add_argument(
            "--macro",
            action="store_true",
            help="average over pairs instead of summing",
        )
        options.add_significant(group)
        options.add_confidence(parser, always=True)
    else:
        parser.set_defaults(confidence=None)


def run(args: argparse.Namespace) -> int:
    """Write a page to browse every pair: both graphs drawn, and what differs.

    The page is one file and needs no network.

    Example:
      exactmatch report parsed.amr gold.amr -o report.html
      exactmatch report bart.amr gold.amr t5.amr --names BART,T5 -o report.html
    """
    checked_files(args)
    with atomic_output(args.output) as stream:
        return write(args, stream)


def write(args: argparse.Namespace, stream: TextIO, live: bool = False) -> int:
    """Score, explain and write the page; return the exit code.

    Args:
        args: the command's options.
        stream: where to.
        live: whether the page is served, and asks for news.
    """
    from exactmatch.studies.report.browser import write_browser
    from exactmatch.studies.report.browser_data import Collector

    pred, _, *others = files_from(args)
    collector = Collector(_names(args, [pred, *others]))
    about, exit_code = scored(args, collector)
    write_browser(stream, about, collector, live=live)
    return exit_code


def scored(
    args: argparse.Namespace, collector: Collector | None = None
) -> tuple[About, int]:
    """Score and explain every system; what was found, and the exit code.

    Args:
        args: the command's options.
        collector: takes every pair, which is then not among what was found.
    """
    from exactmatch.studies.errors.sources import source_of
    from exactmatch.studies.report.browser import collect, compared
    from exactmatch.studies.report.browser_overview import About, System

    pred, gold, *others = files_from(args)
    (metric, *rest) = settings.measuring_from(args).aligning(settings.solver_from(args))
    if rest:
        raise InputError("pairs are shown under one metric; name one with --metric")
    settings.note_profile(args, [pred, gold, *others], [metric])
    names = _names(args, [pred, *others])
    read = partial(
        source_of,
        profile=metric.profile,
        format_in=args.format_in,
        framework=args.framework,
    )
    reference = read(gold)
    terminal = Terminal(args)
    chosen = settings.settings_from(
        args,
        intervals=settings.intervals_from(args),
        keep_graphs=True,
        keep_problems=True,
    )
    systems: list[System] = []
    for name, path in zip(names, [pred, *others], strict=True):
        source = read(path)
        opened = open_files([path, gold], metric, chosen, terminal)
        answers: dict[int, Compared] = {}
        with closing(opened.results(f"scoring {name}")) as results:
            found = (
                compared(result, chosen.until) for result in terminal.shown(results)
            )
            if collector is not None and len(systems) == len(others):
                collect(collector, [system.answers for system in systems], found)
            else:
                answers = {answer.result.index: answer for answer in found}
        report = opened.report()
        note_omissions(args, report)
        systems.append(System(name, source, report, answers))
    proofs = sum((system.report.proofs for system in systems), ProofCounts())
    macro, digits = getattr(args, "macro", False), args.significant
    about = About(
        reference,
        systems,
        provenance(),
        macro,
        4 if digits is None else digits,
    )
    return about, terminal.finish(proofs)


def files_from(args: argparse.Namespace) -> list[str]:
    """The files: predictions, references, predictions of further systems.

    Raises:
        InputError: if there is one file only, or standard input among them.
    """
    paths = [*args.pred_files, *args.files]
    if args.gold_files:
        if not paths:
            raise InputError("--gold has no predictions; name them with --pred")
        paths[1:1] = args.gold_files
    if paths:
        if len(paths) == 1:
            raise InputError(
                f"only one file is named, {paths[0]!r}; name predictions and references"
            )
        refuse_pipes(paths)
        return paths
    from importlib.resources import files

    folder = files("exactmatch") / "sample"
    return [str(folder / "pred.amr"), str(folder / "gold.amr")]


def checked_files(args: argparse.Namespace) -> list[str]:
    """The same, with a warning of files that look exchanged.

    Raises:
        InputError: as :func:`files_from`.
    """
    paths = files_from(args)
    pred, gold, *others = paths
    names = _names(args, [pred, *others])
    systems = dict(zip(names, [pred, *others], strict=True))
    settings.note_mistaken(args, [gold], systems)
    return paths


def _names(args: argparse.Namespace, paths: Sequence[str]) -> list[str]:
    """What the systems are called: distinct, and as many as there are files."""
    if args.names is None:
        names = [Path(path).name for path in paths]
        return names if len(set(names)) == len(names) else list(map(str, paths))
    names = [str(name) for name in args.names.split(",")]
    if len(names) != len(paths) or len(set(names)) < len(names):
        raise InputError(
            f"--names gives {several(len(names), 'name')} to "
            f"{several(len(paths), 'file')} of predictions; "
            "give each its own"
        )
    return names
