"""``exactmatch compare``: which system is better, and is the difference real."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import several
from exactmatch.cli import options, settings, systems
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.views.progress import progress
from exactmatch.views.tables import FORMATS

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric
    from exactmatch.stats.resampling import Bootstrap
    from exactmatch.studies.compare.compare import HumanAccuracy
    from exactmatch.studies.compare.results import Comparison
    from exactmatch.studies.compare.shape import Shape

WAITING = ("people", "single aspects")


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    named = systems.are_named(arguments)
    many = "*" if "--pred" in named else "+"
    if "--gold" not in named:
        parser.add_argument("gold", metavar="GOLD", help="the references")
    parser.add_argument(
        "systems", nargs=many, metavar="SYSTEM", help="each system's predictions"
    )
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--test",
        choices=("bootstrap", "randomisation"),
        help="where p-values come from: paired bootstrap (default) or paired "
        "randomisation (default of single aspects, which few pairs have)",
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
        "--per-pair",
        action="store_true",
        help="show every pair: each system's score and its difference (Δ)",
    )
    group.add_argument(
        "--show",
        type=values.natural_int,
        default=3,
        metavar="N",
        help="how many of the pairs that decide most to name for each system (default: "
        "3)",
    )
    group.add_argument(
        "--no-structure",
        action="store_true",
        help="do not measure the graphs' shapes",
    )
    systems.add_human(parser.add_argument_group("people"))
    aspects = parser.add_argument_group("single aspects")
    aspects.add_argument(
        "--finegrained",
        nargs="?",
        choices=("exact", "amrlib", "damonte"),
        const="exact",
        metavar="STYLE",
        help="compare the scores of finegrained instead: exact (default), amrlib or "
        "damonte",
    )
    aspects.add_argument(
        "--aspects",
        nargs="?",
        choices=("realign", "main"),
        const="realign",
        metavar="HOW",
        help="compare agents, places, times and so on: realign (default) or main",
    )
    group.add_argument(
        "--plot",
        metavar="FILE",
        help="draw scores and differences with their intervals: .png, .svg or .pdf",
    )
    options.add_named_files(options.add_pairing(parser), several="pred")
    options.add_measuring(parser, arguments, cache=True, several=True)
    options.add_confidence(parser, always=True)
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Compare systems: scores, intervals, p-values, ranks, deciding pairs, structure.

    Example:
      exactmatch compare gold.amr first.amr second.amr
      exactmatch compare gold.amr a.amr b.amr --metric smatch,sembleu --format latex
      exactmatch compare gold.amr a.amr b.amr --test randomisation --samples 10000
      exactmatch compare gold.amr a.amr b.amr --per-pair --format jsonl
      exactmatch compare gold.amr a.amr b.amr --finegrained --plot forest.svg
    """
    from exactmatch.scoring.losses import losses_of_systems
    from exactmatch.studies.compare.compare import (
        compare,
        corrected_together,
        usual_test,
    )
    from exactmatch.studies.compare.compare_pairs import with_pairs
    from exactmatch.studies.compare.metric_agreement import agreement
    from exactmatch.studies.compare.view import Compared, tables
    from exactmatch.views import pictures

    pictures.check(args.plot)
    args.systems = [*args.pred_files, *args.systems]
    if args.gold_files:
        (args.gold,) = args.gold_files
    names = systems.names_from(args, args.systems)
    systems.refuse_pipes(args.gold, *args.systems)
    files = dict(zip(names, args.systems, strict=True))
    baseline = _baseline(args, names)
    metrics = _metrics(args)
    settings.note_profile(args, [args.gold, *args.systems], metrics[:1])
    bootstrap = settings.bootstrap_from(args)
    test = args.test or usual_test(metrics[0])
    with atomic_output(args.output) as stream:
        said = settings.note_mistaken(args, [args.gold], files)
        scored = systems.score_systems(args, metrics, args.gold, files)
        with progress("resampling", len(metrics) * len(names), args.quiet) as advance:
            comparisons = [
                compare(
                    metric,
                    scored.results[metric.name],
                    bootstrap,
                    test,
                    baseline,
                    args.macro,
                    args.show,
                    advance,
                )
                for metric in metrics
            ]
        if args.finegrained or args.aspects:
            comparisons = corrected_together(comparisons)
        shaped = not args.no_structure and any(m.reads == "graph" for m in metrics)
        found = Compared(
            comparisons,
            agreement(comparisons, scored.results, args.show),
            _accuracies(args, metrics, scored, names, bootstrap),
            _shape_errors(args, names) if shaped else {},
            said,
            test,
            bootstrap,
            losses_of_systems(scored.results),
        )
        if args.plot:
            _draw(args.plot, comparisons, bootstrap.level)
        setting = f"test:{test}|{':'.join(bootstrap.signature())}"
        if args.macro:
            setting += "|average:macro"
        signatures = [f"{signature}|{setting}" for signature in scored.signatures]
        answer = tables(found, signatures, shown_score(args))
        if args.per_pair:
            answer = with_pairs(answer, comparisons)
        write_answer(args, stream, answer)
    return scored.exit_code


def _metrics(args: argparse.Namespace) -> list[Metric]:
    """The metrics that are compared, or the scores of single aspects."""
    if not (args.finegrained or args.aspects):
        return settings.climbing_from(args)
    solver = settings.solver_from(args)
    if args.metric != "smatch" or args.profile is not None:
        settings.note(args, "--metric and --profile have no effect on single aspects")
    if args.aspects is None:
        from exactmatch.metrics.finegrained.scores import finegrained

        return finegrained(args.finegrained, solver, args.max_terms)
    from exactmatch.metrics.finegrained.aspects import aspects

    if args.finegrained not in (None, "exact"):
        raise InputError(
            f"--aspects is for --finegrained exact, not {args.finegrained!r}"
        )
    return aspects(args.aspects, solver, args.max_terms)


def _draw(path: str, comparisons: Sequence[Comparison], level: float) -> None:
    """Draw the systems under each metric, with their intervals."""
    from exactmatch.studies.compare.compare import HEADLINE
    from exactmatch.views.forest import ForestRow, forest

    shown = {}
    for comparison in comparisons:
        rows = []
        for standing in comparison.standings:
            if not standing.pairs:
                continue
            interval, test = standing.intervals[HEADLINE], standing.test
            between = test.interval if test else None
            p = standing.corrected
            if p is None and test is not None:
                p = test.p_value
            rows.append(
                ForestRow(
                    standing.system,
                    standing.values[HEADLINE],
                    (interval.low, interval.high) if interval else None,
                    test.difference if test else None,
                    (between.low, between.high) if between else None,
                    is_significant=p is not None and p <= 1 - level,
                )
            )
        if rows:
            shown[comparison.metric] = rows
    forest(path, shown, level)


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
    from exactmatch.studies.compare.compare import human_accuracies

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


def _shape_errors(args: argparse.Namespace, names: Sequence[str]) -> dict[str, Shape]:
    """Mean absolute error in the shape of the graphs, by system."""
    from exactmatch.base.errors import GraphError
    from exactmatch.formats.pairs import Pairer, sources
    from exactmatch.formats.readings import read_block
    from exactmatch.graphs.profile import get_profile
    from exactmatch.studies.compare.shape import shape_error, shape_of

    profile = get_profile("clean")
    found = {}
    for name, path in zip(names, args.systems, strict=True):
        streams = sources([path, args.gold], False, args.format_in, args.framework)
        pairs = []
        unread = 0
        with progress(f"measuring {name}", None, args.quiet) as advance:
            pairer = Pairer(args.by_id, "skip")
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
            settings.note(
                args, f"{name}: the shape of {several(unread, 'pair')} is not measured"
            )
        error = shape_error(pairs)
        if error is not None:
            found[name] = error
    return found
