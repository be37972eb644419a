"""``exactmatch score``, which is also plain ``exactmatch``."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from exactmatch import options
from exactmatch.corpus import Pairer, PairOfBlocks, checked_counts, sources
from exactmatch.evaluate import Evaluation, PairResult, Report
from exactmatch.metrics.base import Metric
from exactmatch.output import delivered
from exactmatch.progress import progress
from exactmatch.report import RENDERERS, Renderer, SmatchText

_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    options.add_metrics(parser, arguments)
    options.add_profile(parser)
    options.add_solving(parser)
    options.add_confidence(parser)
    options.add_output(parser, tuple(RENDERERS))
    group = parser.add_argument_group("what is shown")
    group.add_argument("--per-pair", action="store_true", help="show every pair")
    group.add_argument(
        "--macro", action="store_true", help="average over pairs instead of summing"
    )
    group.add_argument(
        "--significant",
        type=options.natural_int,
        metavar="N",
        help="decimals in text and LaTeX (default: 4; 2 in smatch's own lines)",
    )
    group.add_argument(
        "--ms", action="store_true", help="as smatch: one F-score line for each pair"
    )
    group.add_argument(
        "--pr", action="store_true", help="as smatch: precision and recall lines too"
    )


def run(args: argparse.Namespace) -> int:
    """Score predicted graphs against references, to the proven optimum.

    Example:
      exactmatch parsed.amr gold.amr
      exactmatch parsed.amr gold.amr --solver cpsat --per-pair
      exactmatch parsed.amr gold.amr --metric smatch,s2match,sembleu --format json
      exactmatch -f parsed.amr gold.amr --pr
    """
    logging.getLogger("penman").setLevel(logging.ERROR)
    paths, is_sample = options.sources_from(args)
    solver = options.solver_from(args)
    metrics = options.metrics_from(args, solver)
    if is_sample:
        options.note(
            args,
            "no files named: scoring the bundled sample; to score your own: "
            "exactmatch PRED GOLD",
        )
    warnings = _Warnings(args)
    evaluation = Evaluation(
        metrics,
        options.limits_from(args),
        args.on_error,
        args.strict,
        warn=warnings.add,
        bootstrap=options.bootstrap_from(args),
    )
    pairer = Pairer(
        args.by_id,
        args.on_error,
        args.strict,
        keep_bare=_keeps_bare(metrics),
        warn=evaluation.warn,
        omitted=evaluation.omitted,
    )
    total = checked_counts(paths, args.by_id, pairer.keep_bare)
    streams = sources(paths, text_only=all(m.reads == "text" for m in metrics))
    prepare(metrics, paths)
    with delivered(args.output) as stream:
        renderer = _renderer(args, stream)
        pairs = pairer.pairs(streams[0], streams[1:])
        with progress("scoring", total, args.quiet) as advance:
            interrupted = _score_all(evaluation, pairs, renderer, advance, args)
        evaluation.partial = interrupted
        report = evaluation.report()
        renderer.finish(report)
    warnings.summary()
    _notes(args, report)
    if interrupted:
        options.note(args, "interrupted; what is shown is partial")
        return 130
    return 1 if args.require_optimal and not report.is_proven else 0


def prepare(metrics: Iterable[Metric], paths: list[str]) -> None:
    """Show the references to the metrics that must see them all first."""
    from exactmatch.evaluate import read_block, sentence_of

    for metric in metrics:
        if not metric.needs_references:
            continue
        items: list[Any] = []
        for stream in sources(paths[1:], text_only=metric.reads == "text"):
            for block in stream:
                if not block.content:
                    continue
                if metric.reads == "text" or metric.profile is None:
                    items.append(sentence_of(block))
                else:
                    items.append(read_block(block, metric.profile)[0])
        metric.prepare(items)


def _score_all(
    evaluation: Evaluation,
    pairs: Iterator[PairOfBlocks],
    renderer: Renderer,
    advance: Any,
    args: argparse.Namespace,
) -> bool:
    """Score until the end, or until Ctrl-C; say whether it was the latter."""
    try:
        for scored, results in _batches(evaluation, pairs, args.jobs):
            for result in results:
                renderer.pair(result)
                if args.verbose:
                    options.note(args, _described(result))
            advance(scored)
    except KeyboardInterrupt:
        return True
    return False


def _batches(
    evaluation: Evaluation, pairs: Iterator[PairOfBlocks], jobs: int
) -> Iterator[tuple[int, Iterable[PairResult]]]:
    """Results in order, with how many pairs they stand for."""
    if jobs == 1:
        return ((1, evaluation.pair(pair)) for pair in pairs)
    from exactmatch.parallel import results_in_order

    return results_in_order(evaluation, pairs, jobs)


def _keeps_bare(metrics: Iterable[Metric]) -> bool:
    """Whether a block of comments alone is a graph that is missing."""
    return any(m.profile is not None and m.profile.reader == "penman" for m in metrics)


def _renderer(args: argparse.Namespace, stream: Any) -> Renderer:
    as_smatch = args.ms or args.pr or args.smatch_files
    if as_smatch and args.format == "text" and not args.per_pair:
        digits = 2 if args.significant is None else args.significant
        return SmatchText(stream, args.ms, args.macro, digits, precision_recall=args.pr)
    digits = 4 if args.significant is None else args.significant
    per_pair = args.per_pair or args.ms
    return RENDERERS[args.format](stream, per_pair, args.macro, digits)


def _described(result: PairResult) -> str:
    name = f"pair {result.index}" + (f" ({result.id})" if result.id else "")
    solution = result.solution
    if solution is None:
        return f"{name}: {result.metric} {result.score.score:.4f}"
    state = "optimal" if solution.is_optimal else f"at most {result.score.bound}"
    return (
        f"{name}: {result.metric} {result.score.score:.4f}, matched "
        f"{result.score.matched} ({state}), solver {solution.solver}, proof "
        f"{solution.proof}, {1000 * solution.seconds:.2f} ms"
    )


def _notes(args: argparse.Namespace, report: Report) -> None:
    """What must not be missed where standard output has no place for it."""
    if args.format == "text" and not (args.ms or args.pr or args.smatch_files):
        return
    for score in report.scores:
        if score.proven is not None and score.proven < score.pairs:
            options.note(
                args,
                f"{score.metric}: {score.pairs - score.proven} of {score.pairs} pairs "
                "are not proven optimal",
            )
        if args.format == "text":
            options.note(args, f"signature: {score.signature}")
    for omission in report.omitted:
        options.note(args, f"{omission.action}: {omission.reason}")


class _Warnings:
    """Shows the first warnings of each kind and counts the rest."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._counts: dict[str, int] = {}

    def add(self, kind: str, text: str) -> None:
        """Show a warning, unless there were many of its kind."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        if self._counts[kind] <= _SHOWN or self._args.verbose:
            options.note(self._args, f"warning: {text}")

    def summary(self) -> None:
        """Say how many warnings were not shown."""
        for kind, count in self._counts.items():
            if count > _SHOWN and not self._args.verbose:
                options.note(
                    self._args,
                    f"warning: {count} warnings of this kind ({kind}) in all; "
                    "-v shows every one",
                )
