"""``exactmatch score``, which is also plain ``exactmatch``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from exactmatch import options
from exactmatch.corpus import Pairer, PairOfBlocks, checked_counts, sources
from exactmatch.errors import InputError
from exactmatch.evaluation import Evaluation, PairResult, Report
from exactmatch.metrics.base import Metric
from exactmatch.output import delivered
from exactmatch.progress import progress
from exactmatch.reading.blocks import STANDARD_INPUT
from exactmatch.report import RENDERERS, Renderer, SmatchText

if TYPE_CHECKING:
    from exactmatch.certificates import CertificateWriter

_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    options.add_metrics(parser, arguments)
    options.add_profile(parser)
    options.add_solving(parser)
    options.add_confidence(parser)
    options.add_output(parser, tuple(RENDERERS))
    parser.add_argument(
        "--certificates",
        metavar="FILE",
        help="write every pair's proof, to be checked by 'exactmatch verify'",
    )
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
    paths, is_sample = options.sources_from(args)
    solver = options.solver_from(args)
    metrics = options.metrics_from(args, solver)
    if args.metric == "all":
        metrics = _with_resources(args, metrics, paths)
    if keeps_bare(metrics):
        options.quiet_penman()
    if is_sample:
        options.note(
            args,
            "no files named: scoring the bundled sample; to score your own: "
            "exactmatch PRED GOLD",
        )
    warnings = Warnings(args)
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
        keep_bare=keeps_bare(metrics),
        warn=evaluation.warn,
        omitted=evaluation.omitted,
    )
    total = checked_counts(paths, args.by_id, pairer.keep_bare)
    streams = sources(paths, text_only=all(m.reads == "text" for m in metrics))
    prepare(metrics, paths)
    short = not (args.per_pair or args.ms)
    with (
        delivered(args.output, short=short) as stream,
        _certificates(args, metrics) as proofs,
    ):
        renderer = _renderer(args, stream)
        takers = [renderer.pair, proofs.take]
        pairs = pairer.pairs(streams[0], streams[1:])
        with progress("scoring", total, args.quiet) as advance:
            interrupted = _score_all(evaluation, pairs, takers, advance, args)
        evaluation.partial = interrupted
        report = evaluation.report()
        renderer.finish(report)
    warnings.summary()
    _notes(args, report)
    proofs.summary(args)
    if interrupted:
        options.note(args, "interrupted; what is shown is partial")
        return 130
    failed = args.require_optimal and not report.is_proven
    return 1 if failed or proofs.rejected else 0


def _with_resources(
    args: argparse.Namespace, metrics: list[Metric], paths: list[str]
) -> list[Metric]:
    """Of all metrics, those for which the files hold what they compare."""
    named = [path for path in paths if path != STANDARD_INPUT]
    firsts = [next(stream, None) for stream in sources(named)]
    if all(block is None or "snt" in block.metadata() for block in firsts):
        return metrics
    text = [metric.name for metric in metrics if metric.reads == "text"]
    options.note(args, f"graphs without '# ::snt': leaving out {', '.join(text)}")
    return [metric for metric in metrics if metric.reads == "graph"]


def prepare(metrics: Iterable[Metric], paths: list[str]) -> None:
    """Show metrics what they must, or would rather, see before the first pair.

    Raises:
        InputError: if a metric must see the references and they come from
            standard input, which can be read only once.
    """
    from exactmatch.evaluation import sentence_of
    from exactmatch.reading import read_block

    for metric in metrics:
        if STANDARD_INPUT not in paths and _foresees(metric):
            streams = sources(paths, text_only=metric.reads == "text")
            metric.foresee(
                "\n".join(block.lines) for stream in streams for block in stream
            )
        if not metric.needs_references:
            continue
        if STANDARD_INPUT in paths[1:]:
            raise InputError(
                f"metric {metric.name!r} reads the references twice; name a file "
                "instead of standard input"
            )
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


def _foresees(metric: Metric) -> bool:
    return type(metric).foresee is not Metric.foresee


def _score_all(
    evaluation: Evaluation,
    pairs: Iterator[PairOfBlocks],
    takers: Sequence[Callable[[PairResult], None]],
    advance: Any,
    args: argparse.Namespace,
) -> bool:
    """Score until the end, or until Ctrl-C; say whether it was the latter."""
    try:
        for scored, results in batches(evaluation, pairs, args.jobs):
            for result in results:
                for take in takers:
                    take(result)
                if args.verbose:
                    options.note(args, _described(result))
            advance(scored)
    except KeyboardInterrupt:
        return True
    return False


def batches(
    evaluation: Evaluation, pairs: Iterator[PairOfBlocks], jobs: int
) -> Iterator[tuple[int, Iterable[PairResult]]]:
    """Results in order, with how many pairs they stand for."""
    if jobs == 1:
        return ((1, evaluation.pair(pair)) for pair in pairs)
    from exactmatch.parallel import results_in_order

    return results_in_order(evaluation, pairs, jobs)


def keeps_bare(metrics: Iterable[Metric]) -> bool:
    """Whether a block of comments alone is a graph that is missing."""
    return any(m.profile is not None and m.profile.keeps_bare for m in metrics)


class _Proofs:
    """Counts checked certificates and writes them where that was asked for."""

    def __init__(self, writers: Sequence[CertificateWriter]) -> None:
        self._writers = writers
        self.checked = 0
        self.rejected = 0

    def take(self, result: PairResult) -> None:
        """Take one pair's result."""
        self.checked += result.rejected is not None
        self.rejected += bool(result.rejected)
        for writer in self._writers:
            writer.pair(result)

    def summary(self, args: argparse.Namespace) -> None:
        """Say how many certificates were checked, and how many refused."""
        if self.checked:
            options.note(
                args,
                f"{self.checked} certificates checked, {self.rejected} rejected",
            )


@contextmanager
def _certificates(
    args: argparse.Namespace, metrics: Sequence[Metric]
) -> Iterator[_Proofs]:
    """Prepare for checking and writing certificates as far as that is asked for."""
    from exactmatch.metrics.smatch import AlignmentMetric

    searching = [m for m in metrics if isinstance(m, AlignmentMetric)]
    for metric in searching:
        metric.check_certificates = args.certify
        metric.reuse = False
    if args.certificates is None:
        yield _Proofs(())
        return
    if len(searching) != 1:
        raise InputError("--certificates takes exactly one of --metric smatch, s2match")
    from exactmatch.certificates import CertificateWriter

    with delivered(args.certificates) as stream:
        yield _Proofs((CertificateWriter(stream, searching[0]),))


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
    for found in report.scores:
        if max(found.score.precision or 0.0, found.score.recall or 0.0) > 1:
            options.note(
                args,
                f"warning: {found.metric} is above 1, because repeated triples count "
                "once for every equal pair; --duplicates multiset counts them once",
            )
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


class Warnings:
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
