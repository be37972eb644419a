"""``exactmatch draw``: a graph, or two graphs beside each other, as a picture."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from exactmatch.base import values
from exactmatch.base.errors import ExactmatchWarning, InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import several
from exactmatch.cli import options, settings
from exactmatch.formats.anything import GraphLike
from exactmatch.formats.blocks import Block, read_blocks
from exactmatch.graphs.graph import Graph
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.solvers import get_solver


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
    options.add_format(parser.add_argument_group("reading"))
    options.add_metrics(parser, arguments, ALIGNING, "smatch")
    options.add_profile(parser)
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
      exactmatch draw parsed.mrp gold.mrp --framework eds --id 102990
    """
    if args.output not in (None, "-") and not args.output.lower().endswith(".svg"):
        raise InputError(f"{args.output}: a drawing's name ends in .svg")
    if args.gold is not None:
        settings.note_mistaken(args, [args.gold], {Path(args.file).name: args.file})
    (metric, *_) = settings.measuring_from(args).aligning(get_solver("auto"))
    with atomic_output(args.output) as stream:
        stream.write(f"{_drawn(args, metric)}\n")
    return 0


def _drawn(args: argparse.Namespace, metric: AligningMetric[Any]) -> str:
    """The drawing of what was asked for."""
    from exactmatch.api import draw

    chosen = [
        _chosen(args, path) for path in (args.file, args.gold) if path is not None
    ]
    given = [_given(metric, block) for block in chosen]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ExactmatchWarning)
        drawn = draw(*given, metric=metric)
    for each in caught:
        settings.note(args, f"warning: {each.message}")
    return drawn


def _given(metric: AligningMetric[Any], block: Block) -> GraphLike:
    """A graph's text; in another format than PENMAN the graph that was read of it."""
    read = metric.read(block)  # what is wrong with a text would not name its file
    if block.format is None:
        return "\n".join(block.lines)
    graph: Graph = read.item
    kept = graph.origin._replace(text=block.lines, format=block.format)
    return replace(graph, origin=kept)


def _chosen(args: argparse.Namespace, path: str) -> Block:
    """The graph that was asked for, or the only one there is."""
    blocks = read_blocks(path, args.format_in, args.framework)
    if args.id is not None:
        return _identified(path, [b for b in blocks if b.id == args.id], args.id)
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


def _identified(path: str, found: Sequence[Block], name: str) -> Block:
    """The one graph of an id."""
    if not found:
        raise InputError(f"{path}: holds no graph with the id {name!r}")
    if len(found) > 1:
        way = "--number"
        if len({block.framework for block in found}) > 1:
            way = "--framework"
        count = several(len(found), "graph")
        raise InputError(f"{path}: holds {count} with the id {name!r}; choose by {way}")
    return found[0]


def _numbered(path: str, blocks: Iterator[Block], number: int) -> Block:
    count = 0
    for count, block in enumerate(blocks, 1):
        if count > number:
            return block
    raise InputError(
        f"{path}: holds no graph number {number}; it holds {several(count, 'graph')}, "
        "numbered from 0"
    )
