"""What the commands that score pairs of graphs share: one pass over the files.

:class:`Scoring` reads, pairs and scores under the shared options, and sees to what
every such command owes its user: a progress bar, warnings (the first of each kind),
a line for each pair under ``-v``, checked certificates, and the exit code.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from exactmatch.cli import settings
from exactmatch.errors import InputError
from exactmatch.metrics.base import Metric
from exactmatch.reading.blocks import STANDARD_INPUT
from exactmatch.reading.pairs import (
    Omission,
    Pairer,
    PairOfBlocks,
    checked_counts,
    sources,
)
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.results import PairResult, name_of
from exactmatch.solvers.progress import Watch
from exactmatch.writing.progress import progress

if TYPE_CHECKING:
    from exactmatch.scoring.resampling import Bootstrap

_SHOWN = 5


class Scoring:
    """One pass over predictions and references under the shared options.

    Attributes:
        evaluation: what reads, scores and adds up.
        proofs: what is proven, and which proofs were checked.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        metrics: Sequence[Metric],
        paths: Sequence[str],
        *,
        keep_graphs: bool = False,
        keep_problems: bool = False,
        bootstrap: Bootstrap | None = None,
    ) -> None:
        """Open the files, counted and prepared for.

        Args:
            args: the shared options.
            metrics: what to measure.
            paths: predictions, then references.
            keep_graphs: keep both graphs in each result.
            keep_problems: keep the alignment problem in each result.
            bootstrap: how intervals are computed, if they are.

        Raises:
            InputError: if pairing cannot work out, or a metric would need standard
                input twice.
        """
        self._args = args
        self._warnings = Warnings(args)
        self.proofs = ProofCounts()
        self.evaluation = Evaluation(
            metrics,
            settings.limits_from(args),
            args.on_error,
            args.strict,
            keep_graphs,
            self._warnings.add,
            bootstrap,
            args.certify,
            keep_problems,
        )
        for metric in metrics:
            metric.expect_references(len(paths) - 1)
        bare = keeps_bare(metrics)
        if bare:
            settings.quiet_penman()
        pairer = Pairer(
            args.by_id,
            args.on_error,
            args.strict,
            bare,
            self.evaluation.warn,
            self.evaluation.omitted,
        )
        self._total = checked_counts(paths, args.by_id, bare)
        streams = sources(paths, text_only=all(m.reads == "text" for m in metrics))
        prepare(metrics, paths)
        self._pairs = pairer.pairs(streams[0], streams[1:])

    def results(self, what: str = "scoring") -> Generator[PairResult, None, None]:
        """Every pair's results, in order.

        Args:
            what: what the progress bar says.

        Raises:
            KeyboardInterrupt: after Ctrl-C; a pair that was being searched then has
                its results before that, with what was found and proved.
        """
        args = self._args
        with progress(what, self._total, args.quiet) as advance:
            watch = Watch(advance.searching)
            self.evaluation.limits = replace(self.evaluation.limits, watch=watch)
            for scored, results in batches(self.evaluation, self._pairs, args.jobs):
                for result in results:
                    self.proofs.take(result)
                    if result.rejected:
                        self._warnings.add("rejected", _rejected(result))
                    if args.verbose:
                        settings.note(args, described(result))
                    yield result
                advance(scored)
                watch.proceed()

    def run_until_interrupted(
        self, takers: Sequence[Callable[[PairResult], None]]
    ) -> None:
        """Give each result to the takers, until the end or Ctrl-C.

        After Ctrl-C the evaluation is marked as partial.
        """
        try:
            with closing(self.results()) as results:
                for result in results:
                    for take in takers:
                        take(result)
        except KeyboardInterrupt:
            self.evaluation.partial = True

    def finish(self) -> int:
        """Sum up warnings and checked certificates; return the exit code."""
        self._warnings.summary()
        return self.proofs.finish(self._args)

    def note_omissions(self) -> None:
        """Say what was left out, where results have no place for it."""
        for omission in self.evaluation.omitted:
            settings.note(self._args, f"{omission.action}: {omission.reason}")


@dataclass(slots=True)
class ProofCounts:
    """Counts what is proven and what checking the proofs came to.

    Attributes:
        unproven: results that a search left open.
        checked, rejected: certificates.
    """

    unproven: int = 0
    checked: int = 0
    rejected: int = 0

    def take(self, result: PairResult) -> None:
        """Count one pair's result under one metric."""
        self.unproven += result.score.proven is False
        self.checked += result.rejected is not None
        self.rejected += bool(result.rejected)

    def add(self, other: ProofCounts) -> None:
        """Count what was counted elsewhere."""
        self.unproven += other.unproven
        self.checked += other.checked
        self.rejected += other.rejected

    def finish(self, args: argparse.Namespace) -> int:
        """Say how many certificates were checked; return the exit code.

        It is 1 if a certificate was rejected, or a proof demanded and not found.
        """
        if self.checked:
            settings.note(
                args, f"{self.checked} certificates checked, {self.rejected} rejected"
            )
        return 1 if self.rejected or (args.require_optimal and self.unproven) else 0


@dataclass(frozen=True, slots=True)
class Corpus:
    """All results of scoring one file against another.

    Attributes:
        results: for each metric's name, one result per pair, by pair number.
        signatures: what determines each metric's numbers.
        omitted: what was left out or replaced by an empty graph.
        exit_code: 1 if a demanded property does not hold, else 0.
    """

    results: dict[str, dict[int, PairResult]]
    signatures: tuple[str, ...]
    omitted: tuple[Omission, ...]
    exit_code: int


def score_files(
    args: argparse.Namespace,
    metrics: Sequence[Metric],
    pred: str,
    gold: str,
    what: str = "scoring",
    keep: bool = False,
) -> Corpus:
    """Score predictions against references as ``exactmatch score`` does.

    Args:
        args: the shared options.
        metrics: what to measure.
        pred, gold: the files.
        what: what the progress bar says.
        keep: keep both graphs of each pair, and the alignment problem.
    """
    settings.quiet_penman()
    scoring = Scoring(args, metrics, [pred, gold], keep_graphs=keep, keep_problems=keep)
    results: dict[str, dict[int, PairResult]] = {m.name: {} for m in metrics}
    for result in scoring.results(what):
        results[result.metric][result.index] = result
    exit_code = scoring.finish()
    scoring.note_omissions()
    evaluation = scoring.evaluation
    return Corpus(
        results,
        tuple(evaluation.signature(metric) for metric in metrics),
        tuple(evaluation.omitted),
        exit_code,
    )


def batches(
    evaluation: Evaluation, pairs: Iterator[PairOfBlocks], jobs: int
) -> Iterator[tuple[int, Iterable[PairResult]]]:
    """Results in order, with how many pairs they stand for."""
    if jobs == 1:
        return ((1, evaluation.pair(pair)) for pair in pairs)
    from exactmatch.scoring.parallel import results_in_order

    return results_in_order(evaluation, pairs, jobs)


def keeps_bare(metrics: Iterable[Metric]) -> bool:
    """Whether a block of comments alone is a graph that is missing."""
    return any(m.keeps_bare for m in metrics)


def prepare(metrics: Iterable[Metric], paths: Sequence[str]) -> None:
    """Show metrics what they must, or would rather, see before the first pair.

    Raises:
        InputError: if a metric must see the references and they come from
            standard input, which can be read only once.
    """
    for metric in metrics:
        if metric.preloads and STANDARD_INPUT not in paths:
            streams = sources(paths, text_only=metric.reads == "text")
            metric.preload(
                "\n".join(block.lines) for stream in streams for block in stream
            )
        if not metric.needs_references:
            continue
        if STANDARD_INPUT in paths[1:]:
            raise InputError(
                f"metric {metric.name!r} reads the references twice; name a file "
                "instead of standard input"
            )
        streams = sources(paths[1:], text_only=metric.reads == "text")
        blocks = (block for stream in streams for block in stream if block.content)
        metric.fit(metric.prepare(metric.read(block).item) for block in blocks)


def described(result: PairResult) -> str:
    """How a pair was solved, in one line."""
    name = name_of(result.index, result.id)
    solution = result.solution
    if solution is None:
        return f"{name}: {result.metric} {result.score.score:.4f}"
    state = "optimal" if solution.is_optimal else f"at most {result.score.bound}"
    return (
        f"{name}: {result.metric} {result.score.score:.4f}, matched "
        f"{result.score.matched} ({state}), solver {solution.solver}, proof "
        f"{solution.proof}, {1000 * solution.seconds:.2f} ms"
    )


def _rejected(result: PairResult) -> str:
    name = name_of(result.index, result.id)
    return f"{name}: {result.metric}: certificate rejected: {result.rejected}"


class Warnings:
    """Shows the first warnings of each kind and counts the rest."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._counts: dict[str, int] = {}

    def add(self, kind: str, text: str) -> None:
        """Show a warning, unless there were many of its kind."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        if self._counts[kind] <= _SHOWN or self._args.verbose:
            settings.note(self._args, f"warning: {text}")

    def summary(self) -> None:
        """Say how many warnings were not shown."""
        for kind, count in self._counts.items():
            if count > _SHOWN and not self._args.verbose:
                settings.note(
                    self._args,
                    f"warning: {count} warnings of this kind ({kind}) in all; "
                    "-v shows every one",
                )
