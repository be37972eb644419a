"""``exactmatch audit``: how wrong hill-climbing is on these graphs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from exactmatch import options
from exactmatch.errors import InputError
from exactmatch.evaluation import PairResult
from exactmatch.metrics.smatch import AlignmentMetric, Smatch
from exactmatch.output import delivered
from exactmatch.progress import progress
from exactmatch.tables import (
    FORMATS,
    Column,
    Sheet,
    Table,
    decimals,
    percent,
    scientific,
    write_sheet,
)

if TYPE_CHECKING:
    from exactmatch.audit import Against, Audit, Climbed, Failure, Plan
    from exactmatch.explain import AlignedPair
    from exactmatch.statistics import Bootstrap

_SEARCHING = ("smatch", "s2match")
_RESTARTS = (1, 2, 3, 4, 5, 7, 10)


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    group = parser.add_argument_group("audit")
    group.add_argument(
        "-r",
        "--restarts",
        type=_counts,
        default=_RESTARTS,
        metavar="N[,N…]",
        dest="counts",
        help="numbers of restarts (default: 1,2,3,4,5,7,10)",
    )
    group.add_argument(
        "--seeds",
        type=options.positive_int,
        default=10,
        metavar="N",
        help="runs for each pair (default: 10)",
    )
    group.add_argument(
        "--no-symmetry",
        action="store_true",
        help="do not climb with the files exchanged; takes half the time",
    )
    group.add_argument(
        "--against",
        choices=("smatch",),
        help="also run an installed smatch, its own code, on the same pairs",
    )
    group.add_argument(
        "--smatch-python",
        metavar="PYTHON",
        help="the interpreter that has smatch (default: this one)",
    )
    group.add_argument(
        "--published",
        type=_score,
        metavar="F",
        help="a published corpus F1 of these files, such as 0.843, to check",
    )
    group.add_argument(
        "--show",
        type=options.natural_int,
        default=5,
        metavar="N",
        help="failed pairs to show with both alignments (default: 5)",
    )
    group.add_argument(
        "--plot", metavar="FILE", help="draw the search error: .png, .svg or .pdf"
    )
    options.add_metrics(parser, arguments, _SEARCHING)
    options.add_profile(parser)
    options.add_solving(parser, restarts=False)
    options.add_confidence(parser, always=True)
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Hold the hill-climber of Smatch or S²Match against the proven optimum.

    Example:
      exactmatch audit parsed.amr gold.amr
      exactmatch audit parsed.amr gold.amr --restarts 1,4 --seeds 20 --plot error.png
      exactmatch audit parsed.amr gold.amr --against smatch --published 0.843
    """
    from exactmatch import plots
    from exactmatch.audit import Plan, against, audit
    from exactmatch.commands._corpora import score_files

    plots.check(args.plot)
    paths, is_sample = options.sources_from(args)
    if len(paths) > 2:
        raise InputError(f"an audit takes two files, not {len(paths)}")
    if "-" in paths:
        raise InputError("the files are read more than once; none can be '-'")
    if is_sample:
        options.note(args, "no files named: auditing the bundled sample")
    metric = _metric(args)
    bootstrap = options.bootstrap_from(args)
    assert bootstrap is not None
    plan = Plan(args.counts, args.seeds, args.seed, not args.no_symmetry)
    with delivered(args.output) as stream, _smatch(args) as program:
        corpus = score_files(
            args, [metric], paths[0], paths[1], "proving", keep_graphs=True
        )
        results = list(corpus.results[metric.name].values())
        if not results:
            raise InputError("no pair is left to audit")
        climbed = _climb(args, metric, results, plan)
        found = audit(metric, results, climbed, plan)
        other = None
        if program is not None:
            runs = _runs_of(args, program, paths, results, plan)
            other = against(found, f"smatch {program.version}", *runs, bootstrap)
        _write(args, stream, found, other, corpus.signatures[0], bootstrap)
        if args.plot:
            _draw(args.plot, found, other)
    return 1 if args.require_optimal and found.unproven else 0


def _counts(text: str) -> tuple[int, ...]:
    """Convert a list of numbers of restarts."""
    counts = sorted({options.natural_int(part) for part in text.split(",")})
    return tuple(counts)


def _score(text: str) -> str:
    """Check that a published score is a fraction; keep its digits."""
    if not 0 <= float(text) <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return text


def _metric(args: argparse.Namespace) -> AlignmentMetric:
    (metric,) = options.metrics_from(args, options.solver_from(args))[:1]
    if not isinstance(metric, AlignmentMetric) or "," in args.metric:
        raise InputError(
            f"an audit is of a metric that searches: {' or '.join(_SEARCHING)}"
        )
    if not metric.solver.exact:
        raise InputError(
            f"solver {metric.solver.name!r} proves nothing; an audit needs an exact one"
        )
    if args.against and metric.signature()[:-1] != Smatch().signature()[:-1]:
        raise InputError(
            "--against smatch counts what smatch counts; leave the metric and what "
            "counts at their defaults"
        )
    return metric


def _smatch(args: argparse.Namespace) -> Any:
    """The program to compare with, started before any work is done."""
    if not args.against:
        return nullcontext()
    from exactmatch.smatch_program import SmatchProgram

    return SmatchProgram(args.smatch_python)


def _climb(
    args: argparse.Namespace,
    metric: AlignmentMetric,
    results: Sequence[PairResult],
    plan: Plan,
) -> list[Climbed]:
    """Climb every pair, in one process or several."""
    from exactmatch.audit import climb_pair

    problems = (metric.pairing(r.pred, r.gold).problem for r in results)
    found = []
    with progress("climbing", len(results), args.quiet) as advance:
        step = partial(climb_pair, plan=plan)
        for climbed in _mapped(step, problems, [r.index for r in results], args.jobs):
            found.append(climbed)
            advance()
    return found


def _mapped(
    function: Any, problems: Iterator[Any], indices: Sequence[int], jobs: int
) -> Iterator[Any]:
    if jobs == 1:
        yield from map(function, problems, indices)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(function, problems, indices, chunksize=8)


def _runs_of(
    args: argparse.Namespace,
    program: Any,
    paths: Sequence[str],
    results: Sequence[PairResult],
    plan: Plan,
) -> tuple[Any, Any]:
    """What the installed smatch matches in each run, and with the files exchanged."""
    import numpy as np

    from exactmatch.audit import run_seed
    from exactmatch.smatch_program import Task

    texts = _texts(args, paths)
    sides = (False, True) if plan.symmetry else (False,)
    found = np.zeros((len(sides), len(results), plan.runs, len(plan.restarts)))
    with progress("running smatch", len(results), args.quiet) as advance:
        for row, result in enumerate(results):
            for side in sides:
                pred, gold = texts[result.index]
                if side:
                    pred, gold = gold, pred
                tasks = [
                    Task(pred, gold, count, run_seed(plan, result.index, run, side))
                    for run in range(plan.runs)
                    for count in plan.restarts
                ]
                matched = [counts[0] for counts in program.matched(tasks)]
                found[int(side), row] = np.reshape(matched, found.shape[2:])
            advance()
    return found[0], found[1] if plan.symmetry else None


def _texts(
    args: argparse.Namespace, paths: Sequence[str]
) -> dict[int, tuple[str, str]]:
    """The graphs as smatch reads them: lines joined, comments left out."""
    from exactmatch.corpus import Pairer, sources

    streams = sources(paths)
    pairer = Pairer(args.by_id, args.on_error, args.strict)
    return {
        pair.index: ("".join(pair.pred.content), "".join(pair.golds[0].content))
        for pair in pairer.pairs(streams[0], streams[1:])
        if pair.pred is not None and pair.golds[0] is not None
    }


def _write(
    args: argparse.Namespace,
    stream: TextIO,
    found: Audit,
    other: Against | None,
    signature: str,
    bootstrap: Bootstrap,
) -> None:
    who = [("hillclimb", found.errors)]
    if other is not None:
        who.append((other.name, other.errors))
    rows = [{"program": name, **asdict(e)} for name, errors in who for e in errors]
    tables = [_search_table(rows, found), _determinacy_table(rows, found)]
    if other is not None:
        tables.append(_against_table(found, other, bootstrap))
    plan = found.plan
    counts = ",".join(map(str, plan.restarts))
    signed = f"{signature}|restarts:{counts}|runs:{plan.runs}|seed:{plan.seed}"
    if other is not None:
        signed += f"|against:{other.name}"
    sheet = Sheet(
        tuple(tables),
        _data(found, other, rows),
        (*_notes(args, found), *_shown_failures(args, found)),
        (signed,),
    )
    write_sheet(stream, sheet, args.format)


def _search_table(rows: Sequence[dict[str, Any]], found: Audit) -> Table:
    hidden = [
        "corpus_error",
        "graph_determinacy",
        "corpus_determinacy",
        "violation_ratio",
        "mean_violation",
        "corpus_violation",
    ]
    return Table(
        f"search error: {len(found.values)} pairs, {found.plan.runs} runs each, "
        f"optimum F1 {found.optimum:.4f}",
        (
            Column("program", "search"),
            Column("restarts", "restarts"),
            Column("below", "below %", percent(2)),
            Column("ever_below", "ever below %", percent(2)),
            Column("mean_error", "mean F1 error", scientific),
            Column("worst_error", "worst", decimals(4)),
            Column("lost", "triples lost", decimals(1)),
            Column("corpus_min", "corpus min", decimals(5)),
            Column("corpus_mean", "mean", decimals(5)),
            Column("corpus_max", "max", decimals(5)),
            *(Column(key, "") for key in hidden),
        ),
        rows,
    )


def _determinacy_table(rows: Sequence[dict[str, Any]], found: Audit) -> Table:
    columns = [
        Column("program", "search"),
        Column("restarts", "restarts"),
        Column("graph_determinacy", "ε graph", scientific),
        Column("corpus_determinacy", "ε corpus", scientific),
    ]
    if found.mirrored is not None:
        columns += [
            Column("violation_ratio", "svr %", percent(2)),
            Column("mean_violation", "msv", scientific),
            Column("corpus_violation", "corpus violation", scientific),
        ]
    return Table(
        "determinacy error ε, symmetry violation ratio and mean (0 at the optimum)",
        tuple(columns),
        rows,
    )


def _against_table(found: Audit, other: Against, bootstrap: Bootstrap) -> Table:
    rows = [
        {
            "restarts": restarts,
            "difference": test.difference,
            "low": test.interval.low if test.interval else None,
            "high": test.interval.high if test.interval else None,
            "p_value": test.p_value,
        }
        for restarts, test in zip(found.plan.restarts, other.tests, strict=True)
    ]
    return Table(
        f"hillclimb less {other.name}: mean matched triples of a pair",
        (
            Column("restarts", "restarts"),
            Column("difference", "difference", decimals(5)),
            Column("low", f"{100 * bootstrap.level:g} % from", decimals(5)),
            Column("high", "to", decimals(5)),
            Column("p_value", "p (paired randomisation)", decimals(4)),
        ),
        rows,
    )


def _notes(args: argparse.Namespace, found: Audit) -> list[str]:
    from exactmatch.audit import published_interval

    total = len(found.values)
    proven = "every one proven optimal"
    if found.unproven:
        proven = f"{found.unproven} not proven optimal: errors are at least those shown"
    notes = [f"optimum: F1 {found.optimum:.6f}; {total} pairs, {proven}"]
    widest = max(found.errors, key=lambda error: error.corpus_error)
    notes.append(
        f"a corpus F1 of these files by hill-climbing was off by at most "
        f"{widest.corpus_error:.6f} here, with {_restarts(widest.restarts)}"
    )
    if args.published is None:
        return notes
    interval = published_interval(args.published, found.optimum)
    if interval.high < 0:
        notes.append(
            f"published {args.published}: above the optimum by {-interval.high:.6f} at "
            "least; other graphs, or other triples, were counted"
        )
    else:
        error = found.optimum - float(args.published)
        notes.append(
            f"published {args.published}: the optimum less it is {error:+.6f}; as it "
            f"is rounded, it can be off by at most {interval.high:.6f}"
        )
    return notes


def _restarts(number: int) -> str:
    return f"{number} restart" + ("" if number == 1 else "s")


def _shown_failures(args: argparse.Namespace, found: Audit) -> Iterator[str]:
    plan = found.plan
    restarts = min(plan.restarts, key=lambda r: abs(r - plan.reference))
    total = len(found.failures)
    yield (
        f"with {_restarts(restarts)}, {total} of {len(found.values)} pairs were below "
        f"the optimum in at least one of {plan.runs} runs"
        + (", worst first:" if total and args.show else "")
    )
    for failure in found.failures[: args.show]:
        name = f"pair {failure.index}" + (f" ({failure.id})" if failure.id else "")
        yield (
            f"  {name}: F1 {failure.climbed_f1:.4f} instead of {failure.f1:.4f}, "
            f"{_number(failure.climbed)} matched instead of {_number(failure.optimum)} "
            f"(--solver hillclimb:restarts={restarts},seed={failure.seed})"
        )
        yield from (f"    {line}" for line in _different(failure))


def _number(matched: float) -> str:
    return f"{matched:.0f}" if matched == round(matched) else f"{matched:.4f}"


def _different(failure: Failure) -> Iterator[str]:
    """The variables that the two alignments treat differently."""
    climbed = {pair.pred: pair for pair in failure.climbed_aligned if pair.pred}
    for pair in failure.aligned:
        if pair.pred is None:
            continue
        other = climbed[pair.pred]
        if other.gold != pair.gold:
            left = _node(pair.pred, pair.pred_concept)
            yield (
                f"{left}  ↔  {_node(pair.gold, pair.gold_concept)}  "
                f"(climbed: {_node(other.gold, other.gold_concept)})"
            )


def _node(variable: str | None, concept: str | None) -> str:
    if variable is None:
        return "-"
    return variable if concept is None else f"{variable} / {concept}"


def _data(
    found: Audit, other: Against | None, rows: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "pairs": len(found.values),
        "unproven": found.unproven,
        "optimum": found.optimum,
        "runs": found.plan.runs,
        "seed": found.plan.seed,
        "errors": rows,
        "failures": [
            {
                **{k: v for k, v in asdict(failure).items() if "aligned" not in k},
                "error": failure.error,
                "alignment": _mapping(failure.aligned),
                "climbed_alignment": _mapping(failure.climbed_aligned),
            }
            for failure in found.failures
        ],
    }
    if other is not None:
        data["against"] = other.name
        data["differences"] = [
            {"restarts": restarts, **asdict(test)}
            for restarts, test in zip(found.plan.restarts, other.tests, strict=True)
        ]
    return data


def _mapping(aligned: Sequence[AlignedPair]) -> list[list[str | None]]:
    return [[pair.pred, pair.gold] for pair in aligned if pair.pred is not None]


def _draw(path: str, found: Audit, other: Against | None) -> None:
    from exactmatch import plots

    who = [("hill-climbing", found.errors)]
    if other is not None:
        who.append((other.name, other.errors))
    bands = [
        plots.Band(
            name,
            [e.restarts for e in errors],
            [e.corpus_min for e in errors],
            [e.corpus_mean for e in errors],
            [e.corpus_max for e in errors],
            [e.below for e in errors],
        )
        for name, errors in who
    ]
    plots.search_error(path, found.optimum, bands)
