"""``exactmatch correlate``: how well metrics agree with people."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.cli import options, settings
from exactmatch.errors import InputError
from exactmatch.writing.files import delivered
from exactmatch.writing.progress import progress
from exactmatch.writing.tables import (
    FORMATS,
    Column,
    Sheet,
    Table,
    decimals,
    percent,
    write_sheet,
)

if TYPE_CHECKING:
    from exactmatch.analysis.correlate import Estimate
    from exactmatch.analysis.human import Judgement
    from exactmatch.cli.scoring import Corpus
    from exactmatch.scoring.resampling import Bootstrap, Vector

MEASURES = {
    "rmse": "RMSE",
    "quantile_rmse": "RMSE (quantiles)",
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ",
}
"""What is measured where people gave scores, by its name in CSV and JSON."""


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    parser.add_argument("pred", metavar="PRED", help="the first graph of each pair")
    parser.add_argument("gold", metavar="GOLD", help="the second graph of each pair")
    parser.add_argument(
        "human",
        metavar="HUMAN",
        nargs="?",
        help="a number for each pair, a line each, or preferences for every two",
    )
    group = parser.add_argument_group("judgement")
    group.add_argument(
        "--foils",
        action="store_true",
        help="no HUMAN: pairs alternate, a foil and then its original, and a metric is "
        "right when it scores the original strictly higher",
    )
    group.add_argument(
        "--human-range",
        type=_range,
        metavar="LOW,HIGH",
        help="the ends of the scale people used, which become 0 and 1",
    )
    group.add_argument(
        "--plot", metavar="FILE", help="draw the scores' densities: .png, .svg or .pdf"
    )
    options.add_pairing(parser)
    options.add_measuring(parser, arguments)
    options.add_confidence(parser, always=True, corrects=False)
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Hold metrics against human judgement of pairs of graphs.

    Example:
      exactmatch correlate first.amr second.amr similarity.txt --metric smatch,sembleu
      exactmatch correlate parsed.amr gold.amr preference.txt
      exactmatch correlate first.amr second.amr --foils
    """
    from exactmatch.analysis.human import read_judgement
    from exactmatch.cli.scoring import score_files
    from exactmatch.writing import pictures as plots

    plots.check(args.plot)
    if (args.human is None) != args.foils:
        raise InputError("give either a file of human judgement or --foils")
    if "-" in (args.pred, args.gold):
        raise InputError("the files are read more than once; none can be '-'")
    judgement = None if args.foils else read_judgement(args.human)
    if args.human_range and (judgement is None or judgement.prefers):
        settings.note(args, "--human-range has no effect without human scores")
    metrics = settings.metrics_from(args, settings.solver_from(args))
    bootstrap = settings.bootstrap_from(args)
    assert bootstrap is not None
    with delivered(args.output) as stream:
        corpus = score_files(args, metrics, args.pred, args.gold)
        if judgement is None or judgement.prefers:
            sheet = _preferred(args, corpus, judgement, bootstrap)
        else:
            sheet = _correlated(args, corpus, judgement.values, bootstrap)
        write_sheet(stream, sheet, args.format)
    return corpus.exit_code


def _range(text: str) -> tuple[float, float]:
    """Convert the two ends of a scale."""
    low, high = (float(part) for part in text.split(","))
    if not low < high:
        raise argparse.ArgumentTypeError(f"{low:g} is not below {high:g}")
    return low, high


def _covered(
    args: argparse.Namespace, corpus: Corpus, wanted: int, what: str
) -> list[int]:
    """The numbers of the pairs that have a judgement, in order."""
    scored = sorted(next(iter(corpus.results.values())))
    total = max(scored, default=-1) + 1
    if total < wanted and not corpus.omitted:
        raise InputError(
            f"{args.human}: {wanted} {what} but {total} pairs of graphs; a line "
            "belongs to each pair"
        )
    if total > wanted:
        settings.note(
            args, f"{total - wanted} pairs beyond the {wanted} {what} are left out"
        )
    return [index for index in scored if index < wanted]


def _scores(corpus: Corpus, metric: str, indices: Sequence[int]) -> Vector:
    import numpy as np

    results = corpus.results[metric]
    return np.array([results[index].score.score for index in indices])


def _correlated(
    args: argparse.Namespace, corpus: Corpus, human: Vector, bootstrap: Bootstrap
) -> Sheet:
    """RMSE and correlation of each metric with people's scores."""
    from exactmatch.analysis import correlate as agreement
    from exactmatch.writing import pictures as plots

    indices = _covered(args, corpus, len(human), "scores")
    human = human[indices]
    if args.human_range is not None:
        low, high = args.human_range
        human = (human - low) / (high - low)
    comparable = len(human) > 0 and human.min() >= 0 and human.max() <= 1
    if not comparable:
        settings.note(
            args,
            "human scores are not between 0 and 1, so no RMSE; name their scale with "
            "--human-range",
        )
    rows = []
    shown = {"human": human}
    errors = {"rmse": agreement.rmse, "quantile_rmse": agreement.quantile_rmse}
    steps = len(corpus.results) * len(errors) * bootstrap.samples
    with progress("resampling", steps, args.quiet) as advance:
        for metric in corpus.results:
            scores = _scores(corpus, metric, indices)
            shown[metric] = scores
            found = {
                name: getattr(agreement, name)(scores, human, bootstrap.level)
                for name in ("pearson", "spearman", "kendall")
            }
            if comparable:
                for name, function in errors.items():
                    found[name] = agreement.resampled(
                        function, scores, human, bootstrap, advance
                    )
            rows.append(_row(metric, len(indices), found))
    if args.plot:
        plots.score_densities(args.plot, shown)
    level = f"{100 * bootstrap.level:g} %"
    columns = [Column("metric", "metric"), Column("pairs", "pairs")]
    for name, title in MEASURES.items():
        columns += [
            Column(name, title, decimals(4)),
            Column(f"_{name}", level),
            Column(f"{name}_low", ""),
            Column(f"{name}_high", ""),
        ]
    data = {
        "pairs": len(indices),
        "confidence": bootstrap.level,
        "metrics": [
            {k: v for k, v in row.items() if not k.startswith("_")} for row in rows
        ],
    }
    note = (
        "intervals: correlations by Fisher's z, RMSE by "
        f"{bootstrap.samples} bootstrap samples (percentile), seed {bootstrap.seed}"
    )
    drawn = ":".join(bootstrap.signature())
    signatures = tuple(f"{signature}|{drawn}" for signature in corpus.signatures)
    table = Table("", tuple(columns), rows)
    return Sheet((table,), data, (note,), signatures, title="Correlation")


def _row(metric: str, pairs: int, found: dict[str, Estimate]) -> dict[str, Any]:
    row: dict[str, Any] = {"metric": metric, "pairs": pairs}
    for name in MEASURES:
        estimate = found.get(name)
        interval = estimate.interval if estimate else None
        row[name] = estimate.value if estimate else None
        row[f"{name}_low"] = interval.low if interval else None
        row[f"{name}_high"] = interval.high if interval else None
        row[f"_{name}"] = _between(interval)
    return row


def _between(interval: Any) -> str:
    return "-" if interval is None else f"[{interval.low:.3f}, {interval.high:.3f}]"


def _preferred(
    args: argparse.Namespace,
    corpus: Corpus,
    judgement: Judgement | None,
    bootstrap: Bootstrap,
) -> Sheet:
    """How often each metric prefers what people prefer, or the original to a foil."""
    import numpy as np

    from exactmatch.analysis.correlate import preference
    from exactmatch.writing import pictures as plots

    if judgement is None:
        scored = max(map(max, (r for r in corpus.results.values() if r)), default=-1)
        human = np.zeros((scored + 1) // 2)
    else:
        human = judgement.values
    covered = set(_covered(args, corpus, 2 * len(human), "judged pairs"))
    both = [k for k in range(len(human)) if {2 * k, 2 * k + 1} <= covered]
    if not both:
        raise InputError("no two pairs can be compared; nothing is judged")
    rows = []
    shown = {}
    for metric in corpus.results:
        first = _scores(corpus, metric, [2 * k for k in both])
        second = _scores(corpus, metric, [2 * k + 1 for k in both])
        shown[f"{metric}, foils" if args.foils else f"{metric}, first"] = first
        shown[f"{metric}, originals" if args.foils else f"{metric}, second"] = second
        found = preference(first, second, human[both], bootstrap.level)
        interval = found.accuracy.interval
        rows.append(
            {
                "metric": metric,
                "decided": found.decided,
                "right": found.right,
                "tied": found.tied,
                "wrong": found.decided - found.right - found.tied,
                "undecided": found.undecided,
                "accuracy": found.accuracy.value,
                "accuracy_low": interval.low if interval else None,
                "accuracy_high": interval.high if interval else None,
            }
        )
    if args.plot:
        plots.score_densities(args.plot, shown)
    level = f"{100 * bootstrap.level:g} %"
    table = Table(
        "originals preferred to foils" if args.foils else "preference of two graphs",
        (
            Column("metric", "metric"),
            Column("decided", "originals" if args.foils else "decided"),
            Column("right", "right"),
            Column("tied", "tied"),
            Column("wrong", "wrong"),
            Column("undecided", "" if args.foils else "undecided"),
            Column("accuracy", "accuracy %", percent()),
            Column("accuracy_low", f"{level} from", percent()),
            Column("accuracy_high", "to", percent()),
        ),
        rows,
    )
    note = "accuracy: right of decided, ties not right; Wilson's interval"
    data = {"foils": args.foils, "confidence": bootstrap.level, "metrics": rows}
    return Sheet((table,), data, (note,), corpus.signatures, title="Correlation")
