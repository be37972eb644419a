"""What the commands of this package that judge metrics and systems share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from exactmatch import options
from exactmatch.commands.score import Warnings, batches, keeps_bare, prepare
from exactmatch.corpus import Omission, Pairer, checked_counts, sources
from exactmatch.evaluation import Evaluation, PairResult
from exactmatch.metrics.base import Metric
from exactmatch.progress import progress


@dataclass(frozen=True, slots=True)
class Corpus:
    """All results of scoring one file against another.

    Attributes:
        results: for each metric's name, one result per pair, by pair number.
        signatures: what determines each metric's numbers.
        omitted: what was left out or replaced by an empty graph.
    """

    results: dict[str, dict[int, PairResult]]
    signatures: tuple[str, ...]
    omitted: tuple[Omission, ...]


def score_files(
    args: argparse.Namespace,
    metrics: Sequence[Metric],
    pred: str,
    gold: str,
    what: str = "scoring",
    keep_graphs: bool = False,
) -> Corpus:
    """Score predictions against references as ``exactmatch score`` does.

    Args:
        args: the shared options.
        metrics: what to measure.
        pred, gold: the files.
        what: what the progress bar says.
        keep_graphs: keep both graphs of each pair; in one process.
    """
    options.quiet_penman()
    warnings = Warnings(args)
    evaluation = Evaluation(
        metrics,
        options.limits_from(args),
        args.on_error,
        args.strict,
        keep_graphs,
        warn=warnings.add,
    )
    keep_bare = keeps_bare(metrics)
    pairer = Pairer(
        args.by_id,
        args.on_error,
        args.strict,
        keep_bare,
        evaluation.warn,
        evaluation.omitted,
    )
    total = checked_counts([pred, gold], args.by_id, keep_bare)
    streams = sources(
        [pred, gold], text_only=all(metric.reads == "text" for metric in metrics)
    )
    prepare(metrics, [pred, gold])
    results: dict[str, dict[int, PairResult]] = {m.name: {} for m in metrics}
    pairs = pairer.pairs(streams[0], streams[1:])
    jobs = 1 if keep_graphs else args.jobs
    with progress(what, total, args.quiet) as advance:
        for scored, found in batches(evaluation, pairs, jobs):
            for result in found:
                results[result.metric][result.index] = result
            advance(scored)
    warnings.summary()
    for omission in evaluation.omitted:
        options.note(args, f"{omission.action}: {omission.reason}")
    return Corpus(
        results,
        tuple(evaluation.signature(metric) for metric in metrics),
        tuple(evaluation.omitted),
    )


def pair_name(result: PairResult) -> str:
    """What a pair is called in output: its id, or its number."""
    return result.id if result.id is not None else f"pair {result.index}"
