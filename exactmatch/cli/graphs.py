"""Options of the comparison of annotators, and what it says of their graphs."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
