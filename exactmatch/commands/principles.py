"""``exactmatch principles``: what a good metric should do, measured."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from exactmatch import options
from exactmatch.errors import GraphError, InputError
from exactmatch.metrics.base import Metric
from exactmatch.output import delivered
from exactmatch.progress import progress
from exactmatch.tables import FORMATS, Column, Sheet, Table, decimals, write_sheet

if TYPE_CHECKING:
    from exactmatch.graph import Graph
    from exactmatch.principles import CounterExample, Outcome

_DEFAULT = "smatch,s2match,sembleu,yisi"
_GRAPH_METRICS = ("smatch", "s2match", "sembleu", "yisi")


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    group = parser.add_argument_group("principles")
    group.add_argument(
        "--graphs",
        type=options.positive_int,
        default=50,
        metavar="N",
        help="references to vary, and graphs to generate (default: 50 of each)",
    )
    group.add_argument(
        "--runs",
        type=options.positive_int,
        default=5,
        metavar="N",
        help="how often each pair is scored for determinacy (default: 5)",
    )
    group.add_argument(
        "--no-hillclimb",
        action="store_true",
        help="leave out hill-climbed Smatch, which stands beside the exact one",
    )
    group.add_argument(
        "--show",
        type=options.natural_int,
        default=1,
        metavar="N",
        help="counter-examples to show for each metric (default: 1)",
    )
    named = arguments if "--metric" in " ".join(arguments) else [*arguments, _DEFAULT]
    options.add_metrics(parser, named, _GRAPH_METRICS)
    parser.set_defaults(metric=_DEFAULT)
    options.add_profile(parser)
    options.add_solving(parser)
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Measure the seven principles of Opitz et al. (2020) for each metric.

    Example:
      exactmatch principles parsed.amr gold.amr
      exactmatch principles parsed.amr gold.amr --metric smatch,sembleu --format latex
    """
    from exactmatch.principles import Examination, material, steps

    options.quiet_penman()
    if args.runs < 2:
        raise InputError("--runs is 1; determinacy needs two or more")
    paths, is_sample = options.sources_from(args)
    if len(paths) > 2 or "-" in paths:
        raise InputError("the principles are measured on two files, read repeatedly")
    if is_sample:
        options.note(args, "no files named: measuring on the bundled sample")
    subjects = _subjects(args)
    with delivered(args.output) as stream:
        plain = _read(args, paths, "clean")
        gold = [pair[1] for pair in plain.values()]
        graphs = material(gold, args.graphs, args.runs, args.seed)
        outcomes: list[Outcome] = []
        found: list[CounterExample] = []
        for name, metric in subjects:
            read = _read(args, paths, metric)
            if not read:
                raise InputError("no pair can be read; there is nothing to measure")
            if metric.needs_references:
                metric.prepare([pair[1] for pair in read.values()])
            pairs = [(pair, plain.get(index)) for index, pair in read.items()]
            total = steps(graphs, len(pairs))
            with progress(f"measuring {name}", total, args.quiet) as advance:
                examination = Examination(
                    name, metric, graphs, pairs, advance, args.show
                )
                outcomes += examination.outcomes()
            found += examination.counterexamples
        write_sheet(stream, _sheet(args, subjects, outcomes, found), args.format)
    return 0


def _subjects(args: argparse.Namespace) -> list[tuple[str, Metric]]:
    """The metrics to measure, each with what it is called."""
    from exactmatch.metrics.smatch import Smatch
    from exactmatch.solvers.hillclimb import HillClimb

    found: list[tuple[str, Metric]] = []
    for metric in options.metrics_from(args, options.solver_from(args)):
        if metric.reads != "graph":
            raise InputError(
                f"metric {metric.name!r} compares sentences; the principles are about "
                f"graphs ({', '.join(_GRAPH_METRICS)})"
            )
        found.append((metric.title, metric))
        if isinstance(metric, Smatch) and metric.solver.exact and not args.no_hillclimb:
            climber = HillClimb(4 if args.restarts is None else args.restarts)
            climbed = Smatch(metric.counting, climber, args.max_terms)
            found.append((f"{metric.title} climbed, r={climber.restarts}", climbed))
    return found


def _read(
    args: argparse.Namespace, paths: Sequence[str], reader: Metric | str
) -> dict[int, tuple[Graph, Graph]]:
    """The pairs as a metric reads them, or as a profile does, by number.

    Under a profile, pairs that it cannot read are left out without a word: they
    are only not looked at for equality.
    """
    from exactmatch.corpus import Pairer, sources
    from exactmatch.profile import get_profile
    from exactmatch.reading import read_block

    by_name = isinstance(reader, str)
    profile = get_profile(reader) if isinstance(reader, str) else reader.profile
    assert profile is not None
    streams = sources(paths)
    found = {}
    for pair in Pairer(args.by_id, args.on_error, args.strict).pairs(
        streams[0], streams[1:]
    ):
        if pair.pred is None or pair.golds[0] is None:
            continue
        try:
            pred, _ = read_block(pair.pred, profile)
            gold, _ = read_block(pair.golds[0], profile)
        except GraphError as error:
            if not by_name and args.on_error == "fail":
                raise
            if not by_name:
                options.note(args, f"skipped: {error}")
            continue
        found[pair.index] = (pred, gold)
    return found


def _sheet(
    args: argparse.Namespace,
    subjects: Sequence[tuple[str, Metric]],
    outcomes: Sequence[Outcome],
    examples: Sequence[CounterExample],
) -> Sheet:
    from exactmatch.principles import NAMES, RULES, as_record

    names = [name for name, _ in subjects]
    by_place = {(o.principle, o.metric): o for o in outcomes}
    rows = []
    for principle, title in NAMES.items():
        row = {"principle": title}
        for name in names:
            outcome = by_place[principle, name]
            row[name] = f"{outcome.tick} {outcome.shown}"
        rows.append(row)
    columns = (
        Column("principle", "principle"),
        *(Column(name, name) for name in names),
    )
    records = [as_record(outcome) for outcome in outcomes]
    keys = dict.fromkeys(key for record in records for key in record)
    flat = Table("", tuple(Column(key, key) for key in keys), records)
    rules = [f"{NAMES[p].partition(' ')[0]} {rule}" for p, rule in RULES.items()]
    signatures = tuple(
        "|".join(f"{k}:{v}" for k, v in [("metric", metric.name), *metric.signature()])
        + f"|graphs:{args.graphs}|runs:{args.runs}|seed:{args.seed}"
        for _, metric in subjects
    )
    data = {
        "outcomes": records,
        "rules": RULES,
        "counterexamples": [_example(example) for example in examples],
    }
    return Sheet(
        (
            Table("the principles of Opitz et al. (2020), measured", columns, rows),
            _impact(outcomes),
        ),
        data,
        (*rules, *_shown(examples)),
        signatures,
        flat,
    )


def _impact(outcomes: Sequence[Outcome]) -> Table:
    """Losses by wrong concepts in trees, in units of one wrong leaf's."""
    from exactmatch.principles import DEGREES

    rows: list[dict[str, Any]] = []
    for outcome in outcomes:
        if outcome.principle != "V":
            continue
        numbers = outcome.numbers
        for degree in DEGREES:
            leaf = numbers[f"leaf_{degree}"] or float("nan")
            rows.append(
                {
                    "metric": outcome.metric,
                    "degree": str(degree),
                    **{
                        place: numbers[f"{place}_{degree}"] / leaf
                        for place in ("root", "branching", "leaves")
                    },
                }
            )
        rows.append(
            {
                "metric": outcome.metric,
                "degree": "data",
                **{
                    place: numbers[f"{place}_data"]
                    / (numbers["leaf_data"] or float("nan"))
                    for place in ("root", "branching")
                },
                "leaves": float("nan"),
            }
        )
    return Table(
        "loss by wrong concepts, in units of one wrong leaf (trees of degree d; "
        "varied graphs)",
        (
            Column("metric", "metric"),
            Column("degree", "d"),
            Column("root", "root", decimals(2)),
            Column("leaves", "d leaves", decimals(2)),
            Column("branching", "branching node", decimals(2)),
        ),
        rows,
    )


def _example(example: CounterExample) -> dict[str, Any]:
    from exactmatch.variants import text_of

    return {
        "metric": example.metric,
        "score": example.score,
        "equal": example.equal,
        "first": text_of(example.first),
        "second": text_of(example.second),
    }


def _shown(examples: Sequence[CounterExample]) -> list[str]:
    """The counter-examples, as lines."""
    lines = []
    for example in examples:
        record = _example(example)
        what = "the same graph" if example.equal else "different graphs"
        lines += ["", f"{example.metric} gives {what} {example.score:.4f}:"]
        for side in ("first", "second"):
            lines += [f"    {line}" for line in record[side].splitlines()]
    return lines
