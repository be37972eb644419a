"""``exactmatch draw``: a graph, or two graphs beside each other, as a picture."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from exactmatch.cli import counting, options, settings, values
from exactmatch.errors import ExactmatchWarning, InputError
from exactmatch.metrics import SEARCHING
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.reading.blocks import Block, read_blocks
from exactmatch.solvers import get_solver
from exactmatch.writing.files import atomic_output


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    parser.add_argument("file", metavar="FILE", help="a file of graphs")
    parser.add_argument(
        "gold",
        nargs="?",
        metavar="GOLD",
        help="references: both graphs are drawn, and what differs is marked",
    )
    group = parser.add_argument_group("which graph")
    which = group.add_mutually_exclusive_group()
    which.add_argument("--id", metavar="ID", help="the graph with this '# ::id'")
    which.add_argument(
        "--number",
        type=values.natural_int,
        metavar="N",
        help="the graph of this number, from 0",
    )
    options.add_metrics(parser, arguments, SEARCHING, "smatch")
    counting.add_profile(parser)
    parser.set_defaults(max_terms=None)
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, whose name ends in .svg"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="results only")


def run(args: argparse.Namespace) -> int:
    """Draw a graph as a layered diagram, or a pair with what differs between them.

    Example:
      exactmatch draw gold.amr --id lpp_1943.18 -o graph.svg
      exactmatch draw parsed.amr gold.amr --number 12 -o pair.svg
    """
    if args.output not in (None, "-") and not args.output.lower().endswith(".svg"):
        raise InputError(f"{args.output}: a drawing's name ends in .svg")
    (metric, *_) = settings.aligning_from(args, get_solver("auto"))
    with atomic_output(args.output) as stream:
        stream.write(f"{_drawn(args, metric)}\n")
    return 0


def _drawn(args: argparse.Namespace, metric: AligningMetric[Any]) -> str:
    """The drawing of what was asked for."""
    from exactmatch.api import draw

    chosen = [
        _chosen(args, path, metric.keeps_bare)
        for path in (args.file, args.gold)
        if path is not None
    ]
    for block in chosen:
        metric.read(block)  # what is wrong with a text would not name its file
    texts = ["\n".join(block.lines) for block in chosen]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ExactmatchWarning)
        drawn = draw(*texts, metric=metric)
    for each in caught:
        settings.note(args, f"warning: {each.message}")
    return drawn


def _chosen(args: argparse.Namespace, path: str, keeps_bare: bool) -> Block:
    """The graph that was asked for, or the only one there is."""
    blocks = (block for block in read_blocks(path) if block.content or keeps_bare)
    if args.id is not None:
        found = next((block for block in blocks if block.id == args.id), None)
        if found is None:
            raise InputError(f"{path}: holds no graph of the id {args.id!r}")
        return found
    if args.number is not None:
        return _numbered(path, blocks, args.number)
    first = list(islice(blocks, 2))
    if len(first) == 2:
        raise InputError(
            f"{path}: holds several graphs; choose one with --id or --number"
        )
    if not first:
        raise InputError(f"{path}: holds no graph")
    return first[0]


def _numbered(path: str, blocks: Iterator[Block], number: int) -> Block:
    for k, block in enumerate(blocks):
        if k == number:
            return block
    raise InputError(f"{path}: holds no graph number {number}")
