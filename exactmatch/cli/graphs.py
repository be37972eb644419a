"""Options and sources of the commands that compare many graphs with many."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.cli import options, settings
from exactmatch.cli.terminal import Terminal
from exactmatch.formats.formats import get_format
from exactmatch.metrics import METRICS
from exactmatch.metrics.base import Metric, chooses_roles, roles_missed

if TYPE_CHECKING:
    from exactmatch.formats.blocks import Block
    from exactmatch.many.bank import Bank
    from exactmatch.scoring.losses import Losses


def add_comparing(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str],
    unit: str,
    names: Sequence[str] = tuple(METRICS.own),
) -> None:
    """Add options of metric, solver and workers.

    Args:
        parser: the command's parser.
        arguments: what will be parsed.
        unit: what workers share out, such as ``queries``.
        names: the metrics that the command knows.
    """
    options.add_metrics(parser, arguments, names)
    options.add_profile(parser)
    group = parser.add_argument_group("solving")
    group.add_argument(
        "--solver",
        default="auto",
        metavar="NAME[:option=value,…]",
        help="auto (default) or any other; see 'exactmatch solvers'",
    )
    group.add_argument(
        "--max-terms",
        type=values.positive_int,
        metavar="N",
        help="refuse graphs of which more pairs of relations may match (default: "
        "2·10⁷)",
    )
    group.add_argument(
        "-j",
        "--jobs",
        type=values.positive_int,
        default=1,
        metavar="N",
        help=f"workers that share the {unit} (default: 1); the results are the same",
    )
    options.add_executor(group)


def metric_from(args: argparse.Namespace) -> Metric:
    """The one metric that the arguments ask for.

    Raises:
        InputError: if they ask for several.
    """
    from exactmatch.solvers import get_solver

    solver = get_solver(args.solver)
    solver.check_available()
    made = settings.metrics_from(args, solver)
    if len(made) != 1:
        raise InputError("many graphs are compared under one metric; name one")
    return made[0]


def blocks_from(args: argparse.Namespace, path: str, metric: Metric) -> list[Block]:
    """The graphs (or sentences) of a file.

    Raises:
        InputError: if it cannot be read, holds none or is a bank.
    """
    from exactmatch.formats.pairs import sources
    from exactmatch.many.bank import Bank

    if Bank.is_bank(path):
        raise InputError(
            f"{path}: is a bank, which matrix and nearest take, and duplicates and "
            "cluster as their one file; name a file of graphs"
        )
    is_text = metric.reads == "text"
    (blocks,) = sources([path], is_text, args.format_in, args.framework)
    found = list(blocks)
    if not found:
        raise InputError(f"{path}: holds no graph")
    return found


def bank_from(
    args: argparse.Namespace, path: str
) -> tuple[Metric, Bank | list[Block], Sequence[str]]:
    """The metric, the graphs of a file or a bank, and what they are called.

    Raises:
        InputError: if the file cannot be read, or a bank is to have another metric or
            profile than its own.
    """
    from exactmatch.many.bank import Bank

    if Bank.is_bank(path):
        bank = _solved(Bank.open(path), args, path)
        return bank.metric, bank, bank.names()
    metric = metric_from(args)
    blocks = blocks_from(args, path, metric)
    return metric, blocks, names_of(blocks)


def bank_or_blocks(
    args: argparse.Namespace, paths: Sequence[str]
) -> tuple[Metric, Bank | list[Block], Sequence[str]]:
    """The same of all graphs of several files together, or of one bank.

    Raises:
        InputError: as :func:`bank_from`; or if a bank is not the only file.
    """
    if len(paths) == 1:
        return bank_from(args, paths[0])
    metric = metric_from(args)
    blocks = [block for path in paths for block in blocks_from(args, path, metric)]
    return metric, blocks, names_of(blocks)


def _solved(bank: Bank, args: argparse.Namespace, path: str) -> Bank:
    """A bank under its own profile, with the solver that the arguments ask for.

    Raises:
        InputError: if they ask for another metric or profile, or for a solver that
            banks cannot have.
    """
    from exactmatch.graphs.profile import get_profile
    from exactmatch.metrics.aligning import aligning
    from exactmatch.metrics.smatch import Smatch

    asked = aligning(metric_from(args)) if args.metric == "smatch" else None
    own = bank.metric
    stated = args.profile or args.top or args.duplicates
    if asked is None or (
        asked.profile != own.profile
        and (stated or asked.profile != get_profile("smatch"))
    ):
        raise InputError(
            f"{path}: a bank has its metric and profile; build another bank to "
            "change them"
        )
    metric = Smatch(own.profile, asked.solver, asked.max_terms)
    if not metric.packs:
        raise InputError(
            f"{path}: a bank is searched with the solver 'auto' or 'bnb'; name a file "
            "of graphs for another one"
        )
    return replace(bank, metric=metric)


def names_of(blocks: Sequence[Block]) -> list[str]:
    """What graphs are called: by their ids, or by their numbers from 1."""
    return [block.id or str(number) for number, block in enumerate(blocks, 1)]


Compared: TypeAlias = "Iterable[tuple[Sequence[Block], Sequence[Block] | None]]"
"""Graphs of which each is compared with each of others; ``None``: with one another."""


def lost_in(
    args: argparse.Namespace,
    blocks: Iterable[Block],
    metric: Metric,
    compared: Compared = (),
) -> Losses:
    """What the metric's reader leaves out of graphs that are compared with many.

    What a careful reader would refuse altogether is said on standard error, where
    graphs of another representation are counted as AMR's are, and where documents are
    compared whose sentences are paired by numbers that mislead.

    Args:
        args: the parsed arguments.
        blocks: the graphs.
        metric: what they are compared by.
        compared: which of them are compared with which.
    """
    terminal = Terminal(args)
    counts: Counter[str] = Counter()
    formats = {getattr(args, "format_in", None)}
    documents: dict[int, Any] = {}
    roles: set[str] = set()
    for block in blocks:
        formats.add(block.format)
        read = metric.read(block)
        if getattr(read.item, "document", None) is not None:
            documents[id(block)] = read.item
        terminal.warn_of(read)
        for what, times in read.dropped:
            counts[what] += times
        if chooses_roles(metric):
            roles |= metric.role_names(read.item)
    for told in roles_missed([metric], roles):
        terminal.warn("roles", told)
    if documents:
        _warn_of_numbers(terminal, metric, documents, compared)
    terminal.sum_up()
    known = [get_format(name) for name in sorted(filter(None, formats))]
    settings.note_formats(args, known, [metric])
    return {(metric.name,): counts} if counts else {}


def _warn_of_numbers(
    terminal: Terminal,
    metric: Metric,
    documents: Mapping[int, Any],
    compared: Compared,
) -> None:
    """Warn once of documents whose sentences are paired by numbers that mislead."""
    from exactmatch.scoring.numbering import misnumbered_documents, misnumbering_warning

    found: list[tuple[str, str]] = []
    for group, others in compared:
        lefts = [documents.get(id(block)) for block in group]
        rights = None
        if others is not None:
            rights = [documents.get(id(block)) for block in others]
        for left, right, told in misnumbered_documents(metric, lefts, rights):
            two = (group[left], (others or group)[right])
            places = (f"{block.path}:{block.content_line()}" for block in two)
            found.append((" and ".join(places), told))
    if found:
        (place, told), *more = found
        terminal.warn("numbers", misnumbering_warning(place, told, len(more)))


def signature_of(metric: Metric, *more: tuple[str, str]) -> str:
    """All that determines the numbers beside the data."""
    from exactmatch.base.version import __version__

    items = [("metric", metric.name), *metric.signature(), *more]
    return "|".join(f"{k}:{v}" for k, v in [*items, ("version", __version__)])
