"""``exactmatch kgrams``: what SemBleu compares."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactmatch.base import values
from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options, settings
from exactmatch.cli.answer import write_answer
from exactmatch.cli.terminal import Terminal
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.views.progress import progress
from exactmatch.views.tables import FORMATS

if TYPE_CHECKING:
    from exactmatch.studies.kgrams.kgrams import GraphKgrams


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_files(parser, "graphs: PENMAN files, .gz, folders")
    group = parser.add_argument_group("what is shown")
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--nodes",
        action="store_true",
        help="how many k-grams each node stands in, instead of which there are",
    )
    which.add_argument(
        "--growth",
        action="store_true",
        help="how their number grows with the number of nodes; graphs that occur again "
        "are left out",
    )
    group.add_argument(
        "--keep-repeated",
        action="store_true",
        help="count graphs that occur again, too",
    )
    group.add_argument(
        "--plot",
        metavar="FILE",
        help="draw k-grams against nodes (--growth): .png, .svg or .pdf",
    )
    counted = parser.add_argument_group("what counts")
    options.add_metric_options(counted, ["sembleu"])
    counted.add_argument(
        "--profile",
        type=values.name_in("exactmatch.graphs.profile:PROFILES"),
        metavar="NAME",
        default=SemBleu.default_profile,
        help="how graphs are read (default: sembleu)",
    )
    counted.add_argument(
        "--on-error",
        choices=("fail", "skip"),
        default="fail",
        help="a graph that cannot be read ends the run (default) or is left out",
    )
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """List the k-grams of graphs: the paths that SemBleu compares.

    Example:
      exactmatch kgrams gold.amr
      exactmatch kgrams gold.amr --ngram 2 --format json
      exactmatch kgrams gold.amr --nodes
      exactmatch kgrams gold.amr --growth --ngram 4 --plot growth.svg
    """
    from exactmatch.studies.kgrams.view import growth_tables, list_tables, node_tables
    from exactmatch.views import pictures as plots

    if args.plot and not args.growth:
        raise InputError("--plot draws what --growth measures; add it")
    plots.check(args.plot)
    metric = SemBleu(
        get_profile(args.profile),
        sembleu=args.sembleu,
        ngram=args.ngram,
        weights=args.weights,
    )
    signature = "|".join(f"{key}:{value}" for key, value in metric.signature())
    with atomic_output(args.output) as stream:
        graphs, repeated = _graphs(args, metric)
        if args.growth:
            found = growth_tables(graphs, repeated, args.keep_repeated, signature)
            if args.plot:
                points = [(graph.nodes, graph.totals) for graph in graphs]
                plots.kgram_growth(args.plot, points)
        else:
            found = (node_tables if args.nodes else list_tables)(graphs, signature)
        write_answer(args, stream, found)
    return 0


def _graphs(args: argparse.Namespace, metric: SemBleu) -> tuple[list[GraphKgrams], int]:
    """The graphs' k-grams, and how many graphs occur again.

    Raises:
        InputError: if a file holds no graph, or none can be read.
        GraphError: if one cannot be read, unless it is to be left out.
    """
    from exactmatch.formats.pairs import sources
    from exactmatch.studies.kgrams.kgrams import kgrams_of
    from exactmatch.studies.kgrams.view import described

    found: list[GraphKgrams] = []
    seen: set[tuple[str, ...]] = set()
    index = repeated = 0
    terminal = Terminal(args)
    with progress("extracting", None, args.quiet) as advance:
        for path, stream in zip(args.files, sources(args.files), strict=True):
            before = index
            for block in stream:
                advance()
                known = tuple(block.content) in seen
                seen.add(tuple(block.content))
                repeated += known
                if not (known and args.growth and not args.keep_repeated):
                    try:
                        read = metric.read(block)
                    except GraphError as error:
                        if args.on_error in ("raise", "fail"):
                            raise
                        settings.note(args, f"skipped: {error}")
                    else:
                        terminal.warn_of(read)
                        found.append(kgrams_of(metric, read.item, index))
                        if args.verbose:
                            settings.note(args, described(found[-1]))
                index += 1
            if index == before:
                raise InputError(f"{path}: holds no graph")
    terminal.sum_up()
    if not found:
        raise InputError(f"{', '.join(args.files)}: no graph to extract k-grams from")
    return found, repeated
