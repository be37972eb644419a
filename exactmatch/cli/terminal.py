"""What the person at the keyboard sees while something runs, and the exit code.

Every command scores pairs by :func:`exactmatch.evaluate_files` or a part of it; here is
what it owes its user besides: a progress bar, warnings (the first of each kind), a line
for each pair under ``-v``, what checking the proofs came to.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from exactmatch.base.numbers import fixed, several
from exactmatch.cli import settings
from exactmatch.cli.message import say_where_interpreted
from exactmatch.metrics.base import Metric, ReadItem
from exactmatch.scoring.report import Report
from exactmatch.scoring.results import PairResult, ProofCounts, name_of
from exactmatch.scoring.run import Run, open_files
from exactmatch.views.progress import Steps, progress

_SHOWN = 5


class Terminal:
    """Reports to standard error, as far as the person wants to hear it.

    Args:
        args: the shared options; ``--quiet`` and ``--verbose`` count.
        warns: whether warnings are shown.

    Attributes:
        is_verbose: whether every pair is described.
        exit_code: 1 if a certificate was rejected, or a proof demanded and not found;
            130 after an interruption.
        show: shows each part of the answer as it comes.
        tells_omissions: whether what was left out is said here.
    """

    show: Callable[[Any], None] | None = None

    def __init__(self, args: argparse.Namespace, *, warns: bool = True) -> None:
        self._warns = warns
        self.tells_omissions = True
        self._roles: set[str] = set()
        self._args = args
        self._quiet: bool = args.quiet
        self.is_verbose: bool = getattr(args, "verbose", False)
        if self.is_verbose:
            say_where_interpreted()
        self._counts: Counter[str] = Counter()
        self.exit_code = 0

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Steps]:
        """Draw a progress bar if the work takes a while."""
        return progress(what, total, self._quiet)

    def warn(self, kind: str, text: str) -> None:
        """Show a warning, unless there were many of its kind."""
        if not self._warns:
            return
        if kind == "roles":
            fact = text.partition(";")[0]  # the suggestion depends on the graphs
            if fact in self._roles:
                return
            self._roles.add(fact)
        self._counts[kind] += 1
        if self._counts[kind] <= _SHOWN or self.is_verbose:
            self.note(f"warning: {text}")

    def warn_of(self, read: ReadItem) -> None:
        """Warn of what a careful reader would have refused."""
        for remark in read.remarks():
            self.warn("lenient", remark)

    def note(self, text: str) -> None:
        """Show a remark."""
        settings.note(self._args, text)

    def shown(self, results: Iterable[PairResult]) -> Iterator[PairResult]:
        """Pass results on, each described under ``--verbose``."""
        for result in results:
            self.pair(result)
            yield result

    def pair(self, result: PairResult) -> None:
        """Say how a pair was solved, under ``--verbose``."""
        if self.is_verbose:
            self.note(described(result))

    def scored(self, report: Report) -> None:
        """Sum up an evaluation, and say what it left out."""
        self.exit_code = max(self.exit_code, self.finish(report.proofs))
        for omission in report.omitted if self.tells_omissions else ():
            self.note(str(omission))
        self._counts.clear()
        if report.partial:
            note_interruption(self._args)
            self.exit_code = 130

    def sum_up(self) -> None:
        """Say how many warnings there were of which only the first were shown."""
        for kind, count in self._counts.items():
            if count > _SHOWN and not self.is_verbose:
                way = ""
                if hasattr(self._args, "verbose"):
                    way = "; -v shows every one"
                elif kind == "lenient":
                    way = "; 'exactmatch lint' shows every one"
                self.note(
                    f"warning: {count} warnings of this kind ({kind}) in all{way}"
                )

    def finish(self, proofs: ProofCounts) -> int:
        """Sum up warnings and checked certificates; return the exit code.

        It is 1 if a certificate was rejected, or a proof demanded and not found.
        """
        self.sum_up()
        if proofs.checked:
            self.note(
                f"{several(proofs.checked, 'certificate')} checked, {proofs.rejected} "
                "rejected"
            )
        demanded = self._args.require_optimal and proofs.unproven
        return 1 if proofs.rejected or demanded else 0


def evaluated(
    args: argparse.Namespace,
    metrics: Iterable[Metric],
    paths: Sequence[str],
    terminal: Terminal,
    what: str = "scoring",
    take: Iterable[Callable[[PairResult], None]] = (),
    **more: Any,
) -> Report:
    """Score files as the options say.

    Args:
        args: the shared options.
        metrics: what to measure.
        paths: predictions, then references.
        terminal: hears how it goes.
        what: what the progress bar says.
        take: called with each pair's result.
        **more: further settings; without any, solutions are kept where every pair is
            shown.
    """
    shown = terminal.is_verbose or getattr(args, "per_pair", False)
    chosen = settings.settings_from(args, **{"keep_solutions": shown} | more)
    run = open_files(paths, metrics, chosen, terminal)
    return finished(run, terminal, what, take)


def finished(
    run: Run,
    terminal: Terminal,
    what: str = "scoring",
    take: Iterable[Callable[[PairResult], None]] = (),
) -> Report:
    """Bring an evaluation to its end; the arguments are those of :func:`evaluated`."""
    takers = (terminal.pair, *take) if terminal.is_verbose else tuple(take)

    def taken(result: PairResult) -> None:
        for taker in takers:
            taker(result)

    return run.finish(taken, what)


def note_interruption(args: argparse.Namespace) -> None:
    """Say that a report is partial, and what it lacks."""
    asked = args.confidence is not None
    lacking = ", without the confidence intervals" if asked else ""
    settings.note(args, f"interrupted; what is shown is partial{lacking}")


def note_omissions(args: argparse.Namespace, report: Report) -> None:
    """Say what was left out, where results have no place for it."""
    for omission in report.omitted:
        settings.note(args, str(omission))


def described(result: PairResult) -> str:
    """How a pair was solved, in one line."""
    name = name_of(result.index, result.id)
    solution = result.solution
    if solution is None:
        return f"{name}: {result.metric} {fixed(result.score.shown, 4)}"
    state = "optimal" if solution.is_optimal else f"at most {result.score.bound}"
    return (
        f"{name}: {result.metric} {fixed(result.score.shown, 4)}, matched "
        f"{result.score.matched} ({state}), solver {solution.solver}, proof "
        f"{solution.proof}, {1000 * solution.seconds:.2f} ms"
    )
