"""Score predictions against references, pair by pair and as a corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import name_of
from exactmatch.base.records import replace
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener, Reporter
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.run import Run
from exactmatch.scoring.sentences import with_sentences
from exactmatch.scoring.settings import Settings, settings_of
from exactmatch.scoring.sources import Sources, paths_of
from exactmatch.scoring.tables import above_1
from exactmatch.studies.options import selection_of
from exactmatch.studies.pairs import finish, note_profile, sources_of
from exactmatch.studies.score.options import ScoreOptions


def study(options: ScoreOptions, reporter: Listener = SILENCE) -> Report:
    """Score predictions against references, pair by pair and as a corpus.

    Returns:
        The corpus scores, and each pair's result.

    Raises:
        GraphError: if a graph cannot be read; the message names the pair's number.
        InputError: if the numbers of graphs differ, one is missing (``None``, NaN) or
            an option is wrong.

    >>> import exactmatch
    >>> preds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> golds = ["(b / bark-01)", "(r / rain-01)"]
    >>> report = exactmatch.evaluate(preds, golds)
    >>> report["smatch"].score.f1
    0.8
    >>> [pair.score.f1 for pair in report.pairs]
    [0.6666666666666666, 1.0]
    """
    metrics = options.metrics_per_restarts(reporter.note)
    sources = sources_of(options.preds, options.golds, options)
    paths = [*paths_of(options.preds), *paths_of(options.golds)]
    if options.metric == "all":
        metrics = with_sentences(metrics, sources, settings_of(options), reporter)
    note_profile(options, paths, metrics, reporter)
    shown = reporter.show is not None
    extra: dict[str, Any] = {
        "keep_solutions": reporter.needs_solutions,
        "refs": options.refs,
        "intervals": options.intervals(),
    }
    if reporter.needs_documents and all(m.reads == "document" for m in metrics):
        extra["keep_problems"] = True
    if options.certificates is not None or options.proofs is not None:
        extra["proofs"] = "check" if options.certify else "record"
    if options.proofs is not None:
        extra |= {"keep_solutions": True, "keep_problems": True}
    kept = options.keep_pairs and not shown
    settings = settings_of(
        options, keep_pairs=kept, keep_graphs=kept, partial=shown, **extra
    )
    with _proofs(options, sources, metrics, settings, paths) as take:
        run = Run(sources, metrics, settings, reporter)
        run.evaluation.is_part = reporter.needs_sums
        run.choose(selection_of(vars(options)))
        if paths:
            from exactmatch.formats.mistaken_files import remarks

            if about_files := remarks(paths[1:], {name_of(paths[0]): paths[0]}):
                run.evaluation.corpus.of_inputs["files"] = about_files
        report = finish(run, reporter, "scoring", *take)
        if reporter.needs_sums:
            from exactmatch.scoring.parts import part_of

            report = replace(report, part=part_of(run.evaluation))
    chosen = bool(options.roles or options.except_roles)
    note_scores(report, reporter, options.confidence is not None, chosen)
    return report


@contextmanager
def _proofs(
    options: ScoreOptions,
    sources: Sources,
    metrics: Sequence[Metric],
    settings: Settings,
    paths: Sequence[str],
) -> Iterator[tuple[Callable[[PairResult], None], ...]]:
    """Open the files of certificates and proofs, if the options name any."""
    if options.certificates is None and options.proofs is None:
        yield ()
        return
    searching = [metric for metric in metrics if metric.aligns]
    if len(searching) != 1:
        raise InputError(
            "--certificates and --proofs are of one metric; name one that searches, "
            "such as smatch, with --metric"
        )
    if sources.references != 1:
        raise InputError(
            "--certificates and --proofs are about two files; name one of references"
        )
    from exactmatch.base.files import atomic_output
    from exactmatch.metrics.aligning import aligning
    from exactmatch.scoring.proof_folder import proof_folder, zip_folder
    from exactmatch.scoring.proofs import PAIRING, certificate_writer

    pairing = {name: getattr(settings, name) for name in PAIRING}
    metric = aligning(searching[0])
    with ExitStack() as stack:
        take: list[Callable[[PairResult], None]] = []
        if options.certificates is not None:
            stream = stack.enter_context(atomic_output(os.fspath(options.certificates)))
            take.append(certificate_writer(stream, metric, pairing, paths))
        if options.proofs is not None:
            folder = os.fspath(options.proofs)
            looks = options.proof_version, options.gzip
            written = proof_folder(folder, metric, pairing, paths, *looks)
            take.append(stack.enter_context(written))
        yield tuple(take)
    if options.proofs is not None and options.zip:
        zip_folder(os.fspath(options.proofs))


def note_scores(
    report: Report, reporter: Reporter, confidence: bool, chosen: bool = False
) -> None:
    """Note what needs an explanation about scores.

    Remarks on intervals need *confidence*; *chosen* tells that roles were chosen.
    """
    for score in report.scores:
        if remark := above_1(score):
            reporter.note(f"warning: {remark}")
        if confidence and not report.partial and score.interval_remark:
            reporter.note(f"{score.metric}: {score.interval_remark}")
        if chosen and score.score.pred_total == score.score.gold_total == 0:
            reporter.note(
                f"warning: {score.metric}: nothing counts on either side: no graph "
                "has what --roles and --except-roles leave"
            )
