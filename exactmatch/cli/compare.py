"""``exactmatch compare``: which system is better, and is the difference real."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactmatch.cli import options, settings, systems
from exactmatch.cli.answer import write_answer
from exactmatch.errors import InputError
from exactmatch.writing.files import atomic_output
from exactmatch.writing.progress import progress
from exactmatch.writing.tables import FORMATS

if TYPE_CHECKING:
    from exactmatch.analysis.compare import HumanAccuracy
    from exactmatch.analysis.shape import Shape
    from exactmatch.metrics.base import Metric
    from exactmatch.scoring.resampling import Bootstrap

WAITING = ("people",)


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    parser.add_argument("gold", metavar="GOLD", help="the references")
    parser.add_argument(
        "systems", nargs="+", metavar="SYSTEM", help="each system's predictions"
    )
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--test",
        choices=("bootstrap", "randomisation"),
        default="bootstrap",
        help="where p-values come from: paired bootstrap (default) or paired "
        "approximate randomisation",
    )
    group.add_argument(
        "--baseline",
        metavar="NAME",
        help="test against this system, by name or number from 1 (default: the best)",
    )
    systems.add_names(group)
    group.add_argument(
        "--macro", action="store_true", help="average over pairs instead of summing"
    )
    group.add_argument(
        "--show",
        type=options.natural_int,
        default=3,
        metavar="N",
        help="deciding pairs to name for each system (default: 3)",
    )
    group.add_argument(
        "--no-structure",
        action="store_true",
        help="do not measure the graphs' shapes",
    )
    systems.add_human(parser.add_argument_group("people"))
    options.add_pairing(parser)
    options.add_measuring(parser, arguments, cache=True)
    options.add_confidence(parser, always=True)
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Compare systems: scores, intervals, p-values, ranks, deciding pairs, structure.

    Example:
      exactmatch compare gold.amr first.amr second.amr
      exactmatch compare gold.amr a.amr b.amr --metric smatch,sembleu --format latex
      exactmatch compare gold.amr a.amr b.amr --test randomisation --samples 10000
      exactmatch compare gold.amr a.amr b.amr --human judgement.tsv
    """
    from exactmatch.analysis.compare import compare
    from exactmatch.analysis.metric_agreement import agreement
    from exactmatch.analysis.mistaken_files import remarks
    from exactmatch.report.compare import Compared, tables
    from exactmatch.scoring.as_read import lost_in_systems

    names = systems.names_from(args, args.systems)
    systems.refuse_standard_input(args.gold, *args.systems)
    files = dict(zip(names, args.systems, strict=True))
    baseline = _baseline(args, names)
    metrics = settings.metrics_from(args, settings.solver_from(args))
    bootstrap = settings.bootstrap_from(args)
    with atomic_output(args.output) as stream:
        said = remarks(args.gold, files)
        for remark in said:
            settings.note(args, f"warning: {remark}")
        scored = systems.score_systems(args, metrics, args.gold, files)
        with progress("resampling", len(metrics) * len(names), args.quiet) as advance:
            comparisons = [
                compare(
                    metric,
                    scored.results[metric.name],
                    bootstrap,
                    args.test,
                    baseline,
                    args.macro,
                    args.show,
                    advance,
                )
                for metric in metrics
            ]
        shaped = not args.no_structure and any(m.reads == "graph" for m in metrics)
        found = Compared(
            comparisons,
            agreement(comparisons, scored.results, args.show),
            _accuracies(args, metrics, scored, names, bootstrap),
            _shape_errors(args, names, metrics) if shaped else {},
            said,
            args.test,
            bootstrap,
            lost_in_systems(scored.results),
        )
        setting = f"test:{args.test}|{':'.join(bootstrap.signature())}"
        if args.macro:
            setting += "|average:macro"
        signatures = [f"{signature}|{setting}" for signature in scored.signatures]
        write_answer(args, stream, tables(found, signatures))
    return scored.exit_code


def _baseline(args: argparse.Namespace, names: list[str]) -> str | None:
    given: str | None = args.baseline
    if given is None or given in names:
        return given
    if given.isdecimal() and 1 <= int(given) <= len(names):
        return names[int(given) - 1]
    raise InputError(f"no system is called {given!r} (known: {', '.join(names)})")


def _accuracies(
    args: argparse.Namespace,
    metrics: Sequence[Metric],
    scored: systems.ScoredSystems,
    names: Sequence[str],
    bootstrap: Bootstrap,
) -> list[HumanAccuracy]:
    """How reliably each metric orders two systems as people do, where they judged."""
    from exactmatch.analysis.compare import human_accuracies

    if not args.human:
        return []
    people = systems.assessments_from(args, names, scored.segments)
    return [
        found
        for metric in metrics
        for found in human_accuracies(
            metric, scored.results[metric.name], people, bootstrap, args.macro
        )
    ]


def _shape_errors(
    args: argparse.Namespace, names: Sequence[str], metrics: Sequence[Metric]
) -> dict[str, Shape]:
    """Mean absolute error in the shape of the graphs, by system."""
    from exactmatch.analysis.shape import shape_error, shape_of
    from exactmatch.errors import GraphError
    from exactmatch.graphs.profile import get_profile
    from exactmatch.reading import read_block
    from exactmatch.reading.pairs import Pairer, sources

    profile = get_profile("clean")
    keep_bare = any(metric.keeps_bare for metric in metrics)
    found = {}
    for name, path in zip(names, args.systems, strict=True):
        streams = sources([path, args.gold], False, args.format_in, args.framework)
        pairs = []
        unread = 0
        with progress(f"measuring {name}", None, args.quiet) as advance:
            pairer = Pairer(args.by_id, "skip", keep_bare=keep_bare)
            for pair in pairer.pairs(streams[0], streams[1:]):
                advance()
                if pair.pred is None or pair.golds[0] is None:
                    continue
                blocks = (pair.pred, pair.golds[0])
                try:
                    graphs = [read_block(block, profile)[0] for block in blocks]
                except GraphError:
                    unread += 1
                    continue
                pairs.append((shape_of(graphs[0]), shape_of(graphs[1])))
        if unread:
            settings.note(args, f"{name}: the shape of {unread} pairs is not measured")
        error = shape_error(pairs)
        if error is not None:
            found[name] = error
    return found
