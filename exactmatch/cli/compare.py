"""``exactmatch compare``: which system is better, and is the difference real."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, replace
from typing import TYPE_CHECKING, Any

from exactmatch.cli import options, settings, systems
from exactmatch.errors import InputError
from exactmatch.writing.files import delivered
from exactmatch.writing.numbers import between, decimals, percent
from exactmatch.writing.progress import progress
from exactmatch.writing.tables import FORMATS, Column, Sheet, Table, write_sheet

if TYPE_CHECKING:
    from exactmatch.analysis.compare import (
        Agreement,
        Comparison,
        HumanAccuracy,
        Standing,
    )
    from exactmatch.analysis.shape import Structure
    from exactmatch.metrics.base import Metric
    from exactmatch.scoring.resampling import Bootstrap

_signed = decimals(4, signed=True)


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
    options.add_measuring(parser, arguments)
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
    from exactmatch.analysis.compare import agreement, compare
    from exactmatch.analysis.mistaken_files import remarks

    names = systems.names_from(args, args.systems)
    systems.refuse_standard_input(args.gold, *args.systems)
    baseline = _baseline(args, names)
    metrics = settings.metrics_from(args, settings.solver_from(args))
    bootstrap = settings.bootstrap_from(args)
    with delivered(args.output) as stream:
        said = remarks(args.gold, dict(zip(names, args.systems, strict=True)))
        for remark in said:
            settings.note(args, f"warning: {remark}")
        files = dict(zip(names, args.systems, strict=True))
        scored = systems.score_systems(args, metrics, args.gold, files)
        results = scored.results
        steps = len(metrics) * len(names)
        with progress("resampling", steps, args.quiet) as advance:
            comparisons = [
                compare(
                    metric,
                    results[metric.name],
                    bootstrap,
                    args.test,
                    baseline,
                    args.macro,
                    args.show,
                    advance,
                )
                for metric in metrics
            ]
        accuracies = _accuracies(args, metrics, scored, names, bootstrap)
        errors = {}
        if not args.no_structure and any(m.reads == "graph" for m in metrics):
            errors = _structure_errors(args, names)
        agreements = agreement(comparisons, results)
        setting = f"test:{args.test}|{':'.join(bootstrap.signature())}"
        if args.macro:
            setting += "|average:macro"
        sheet = _sheet(
            args, comparisons, agreements, accuracies, errors, bootstrap, said
        )
        signed = tuple(f"{signature}|{setting}" for signature in scored.signatures)
        write_sheet(stream, replace(sheet, signatures=signed), args.format)
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
    """How surely each metric orders every two systems as people do, if they did."""
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


def _structure_errors(
    args: argparse.Namespace, names: Sequence[str]
) -> dict[str, Structure]:
    """Mean absolute error in the shape of the graphs, by system."""
    from exactmatch.analysis.shape import structure_error, structure_of
    from exactmatch.errors import GraphError
    from exactmatch.graphs.profile import get_profile
    from exactmatch.reading import read_block
    from exactmatch.reading.pairs import Pairer, sources

    profile = get_profile("clean")
    found = {}
    for name, path in zip(names, args.systems, strict=True):
        streams = sources([path, args.gold])
        pairs = []
        unread = 0
        with progress(f"measuring {name}", None, args.quiet) as advance:
            for pair in Pairer(args.by_id, "skip").pairs(streams[0], streams[1:]):
                advance()
                if pair.pred is None or pair.golds[0] is None:
                    continue
                blocks = (pair.pred, pair.golds[0])
                try:
                    graphs = [read_block(block, profile)[0] for block in blocks]
                except GraphError:
                    unread += 1
                    continue
                pairs.append((structure_of(graphs[0]), structure_of(graphs[1])))
        if unread:
            settings.note(args, f"{name}: the shape of {unread} pairs is not measured")
        error = structure_error(pairs)
        if error is not None:
            found[name] = error
    return found


def _row(
    comparison: Comparison, standing: Standing, errors: Mapping[str, Structure]
) -> dict[str, Any]:
    from exactmatch.analysis.shape import STRUCTURE_NAMES

    row: dict[str, Any] = {
        "metric": comparison.metric,
        "system": standing.system,
        "rank": standing.rank,
    }
    for name, value, interval in zip(
        ("precision", "recall", "score"),
        standing.values,
        standing.intervals,
        strict=True,
    ):
        row[name] = value
        row[f"{name}_low"] = interval.low if interval else None
        row[f"{name}_high"] = interval.high if interval else None
    test = standing.test
    row["baseline"] = comparison.baseline
    row["difference"] = test.difference if test else None
    row["difference_low"] = test.interval.low if test and test.interval else None
    row["difference_high"] = test.interval.high if test and test.interval else None
    row["p_value"] = test.p_value if test else None
    row["p_holm"] = standing.corrected
    row["wins"] = test.wins if test else None
    row["f1_upper"] = standing.score.f1_upper
    if standing.system in errors:
        row |= {
            f"{name}_error": value
            for name, value in zip(
                STRUCTURE_NAMES, astuple(errors[standing.system]), strict=True
            )
        }
    return row


def _sheet(
    args: argparse.Namespace,
    comparisons: Sequence[Comparison],
    agreements: Sequence[Agreement],
    accuracies: Sequence[HumanAccuracy],
    errors: Mapping[str, Structure],
    bootstrap: Bootstrap,
    remarks: Sequence[str],
) -> Sheet:
    rows = [_row(c, s, errors) for c in comparisons for s in c.standings]
    deciding = _deciding(comparisons)
    agreed = [asdict(found) for found in agreements]
    shapes = [{"system": name, **asdict(error)} for name, error in errors.items()]
    level = f"{100 * bootstrap.level:g} %"
    tables = [_ranking(rows, level)]
    for table, found in (
        (_PEOPLE, [asdict(found) for found in accuracies]),
        (_AGREEMENT, agreed),
        (_STRUCTURE, shapes),
        (_DECIDING, deciding),
    ):
        if found:
            tables.append(replace(table, rows=found))
    data = {
        "test": args.test,
        "samples": bootstrap.samples,
        "confidence": bootstrap.level,
        "seed": bootstrap.seed,
        "pairs": {c.metric: c.pairs for c in comparisons},
        "remarks": list(remarks),
        "systems": rows,
        "people": [asdict(found) for found in accuracies],
        "agreement": agreed,
        "structure": {name: asdict(error) for name, error in errors.items()},
        "deciding": deciding,
    }
    return Sheet(tuple(tables), data, _notes(args, comparisons), title="Comparison")


def _ranking(rows: Sequence[Mapping[str, Any]], level: str) -> Table:
    """Scores, intervals and tests; what people are not shown is in CSV."""
    corrected = any(row["p_holm"] is not None for row in rows)
    columns = (
        Column("metric", "metric"),
        Column("system", "system"),
        Column("rank", "rank"),
        Column("precision", "P", decimals(4)),
        Column("recall", "R", decimals(4)),
        Column("score", "score", decimals(4)),
        Column("_interval", level),
        Column("difference", "Δ", _signed),
        Column("_difference_interval", f"Δ {level}"),
        Column("p_value", "p", _p_value),
        Column("p_holm", "p (Holm)" if corrected else "", _p_value),
        Column("wins", "better in %", percent()),
    )
    shown = {column.key for column in columns}
    hidden = tuple(Column(key, "") for key in rows[0] if key not in shown)
    return Table("", (*columns, *hidden), [{**row, **_shown(row)} for row in rows])


def _deciding(comparisons: Sequence[Comparison]) -> list[dict[str, Any]]:
    """The pairs that each difference rests on."""
    return [
        {
            "metric": comparison.metric,
            "system": standing.system,
            "pair": pair.id if pair.id is not None else f"pair {pair.index}",
            **asdict(pair),
            "difference": pair.difference,
        }
        for comparison in comparisons
        for standing in comparison.standings
        for pair in standing.deciding
    ]


def _notes(
    args: argparse.Namespace, comparisons: Sequence[Comparison]
) -> tuple[str, ...]:
    """What the numbers are, and what they are not."""
    notes = [f"{c.metric}: Δ and p against {c.baseline}" for c in comparisons]
    methods = {c.metric: _method(args, c.pairs) for c in comparisons}
    if len(set(methods.values())) == 1:
        notes += next(iter(methods.values()))
    else:
        notes += [f"{name}: {line}" for name in methods for line in methods[name]]
    if any(s.corrected is not None for c in comparisons for s in c.standings):
        notes.append(
            f"p (Holm): corrected for the {len(args.systems) - 1} tests under a metric"
        )
    for comparison in comparisons:
        for standing in comparison.standings:
            if standing.score.proven is False:
                notes.append(
                    f"{comparison.metric}: {standing.system} is not proven optimal: "
                    f"its score is at most {standing.score.f1_upper:.4f}"
                )
    return tuple(notes)


def _method(args: argparse.Namespace, pairs: int) -> tuple[str, ...]:
    """Where p-values and intervals come from, or why there are none."""
    from exactmatch.scoring.resampling import ENUMERATED, FEWEST

    few = f"{pairs} pair{'s' * (pairs != 1)}, fewer than {FEWEST}"
    if args.test == "randomisation" and pairs <= ENUMERATED:
        p_value = f"p: paired randomisation, exact, two-sided: {2**pairs} exchanges"
    elif args.test == "bootstrap" and pairs < FEWEST:
        return (
            f"no bootstrap p and no intervals: {few}; --test randomisation has a p for "
            "any number",
        )
    else:
        p_value = f"p: paired {args.test}, two-sided, {args.samples} samples"
    return (p_value,) if pairs >= FEWEST else (p_value, f"no intervals: {few}")


def _shown(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "_interval": between(row["score_low"], row["score_high"], 4),
        "_difference_interval": between(
            row["difference_low"], row["difference_high"], 4
        ),
    }


def _p_value(value: float | None) -> str:
    if value is None or value != value:
        return "-"
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"


_PEOPLE = Table(
    "bootstrap accuracy: resampled corpora that metric and people order alike",
    (
        Column("metric", "metric"),
        Column("first", "first"),
        Column("second", "second"),
        Column("human_first", "people: first", decimals(2)),
        Column("human_second", "second", decimals(2)),
        Column("accuracy", "accuracy %", percent()),
    ),
    (),
)
_AGREEMENT = Table(
    "agreement of metrics on the systems",
    (
        Column("first", "metric"),
        Column("second", "metric"),
        Column("tau", "Kendall's τ", decimals(2)),
        Column("disagreement", "pairs ranked differently %", percent()),
        Column("p_value", "p (t-test)", _p_value),
    ),
    (),
)
_STRUCTURE = Table(
    "structural error (mean absolute difference from the reference)",
    (
        Column("system", "system"),
        Column("degree", "node degree", decimals(4)),
        Column("density", "density", decimals(5)),
        Column("nodes", "|V|", decimals(2)),
        Column("edges", "|E|", decimals(2)),
    ),
    (),
)
_DECIDING = Table(
    "pairs that decide it",
    (
        Column("metric", "metric"),
        Column("system", "system"),
        Column("pair", "pair"),
        Column("baseline_score", "baseline", decimals(4)),
        Column("system_score", "system's", decimals(4)),
        Column("difference", "Δ", _signed),
        Column("influence", "of the corpus Δ", decimals(5, signed=True)),
    ),
    (),
)
