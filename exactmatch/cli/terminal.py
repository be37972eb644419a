"""Progress, warnings and messages on the terminal, and the exit code.

Every command scores pairs by :func:`exactmatch.evaluate` or a part of it, and reports
here: progress, warnings (the first of each kind), a line for each pair under ``-v``,
and the checks of proofs.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from exactmatch.base.numbers import count, fixed, several
from exactmatch.cli.message import note, say_where_interpreted
from exactmatch.scoring.report import Report, first_omissions
from exactmatch.scoring.reporter import Listener
from exactmatch.scoring.results import PairResult, ProofCounts, corpus_record, name_of
from exactmatch.studies.answer import Display
from exactmatch.views.progress import Steps, progress

_SHOWN = 5


class Terminal(Listener):
    """Listener that reports to standard error, within ``--quiet`` and ``--verbose``.

    The exit code is 1 if a certificate was rejected or a demanded proof is missing, and
    130 after an interruption.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self.display: Display | None = None  # shows parts of the answer as they come
        self._roles: set[str] = set()
        self._args = args
        self.is_verbose: bool = getattr(args, "verbose", False)
        if self.is_verbose:
            say_where_interpreted()
        self._counts: Counter[str] = Counter()
        self._different = ""  # the first warning of graphs whose ids differ
        self._pairs_by_position = getattr(args, "by_id", None) is False
        self._open: dict[str, None] = {}  # pairs that are not proven optimal
        self.exit_code = 0

    @property
    def show(self) -> Callable[[Any], None] | None:
        return None if self.display is None else self.display.take

    @property
    def needs_solutions(self) -> bool:
        """True if solutions are reported or shown."""
        shown = self.display is not None and self.display.needs_solutions
        return self.is_verbose or shown

    @property
    def needs_documents(self) -> bool:
        return self.display is not None and self.display.needs_documents

    @property
    def needs_sums(self) -> bool:
        return self.display is not None and self.display.needs_sums

    def progress(self, label: str, total: int | None) -> AbstractContextManager[Steps]:
        return progress(label, total, self._args.quiet)

    def warn(self, kind: str, text: str) -> None:
        """Show a warning, unless many of its kind were shown."""
        if kind == "roles":
            fact = text.partition(";")[0]  # the suggestion depends on the graphs
            if fact in self._roles:
                return
            self._roles.add(fact)
        self._counts[kind] += 1
        if kind == "ids" and not self.is_verbose:
            self._different = self._different or text  # one sentence for all of them
        elif self._counts[kind] <= _SHOWN or self.is_verbose:
            self.note(f"warning: {text}")

    def note(self, text: str) -> None:
        note(self._args, text)

    def pair(self, result: PairResult) -> None:
        """Report the solution of a pair under ``--verbose``."""
        if result.score.proven is False:
            self._open[f"{name_of(result.index, result.id)} ({result.metric})"] = None
        if self.is_verbose:
            self.note(described(result))

    def scored(self, report: Report) -> None:
        self._finish(report.proofs)
        if self.display is None or not self.display.tells_omissions:
            for line in first_omissions(report, every=self.is_verbose):
                self.note(line)
        self._check_least(report)
        if report.partial:
            has_intervals = self._args.confidence is not None
            without_intervals = (
                ", without the confidence intervals" if has_intervals else ""
            )
            self.note(f"interrupted; what is shown is partial{without_intervals}")
            self.exit_code = 130

    def _check_least(self, report: Report) -> None:
        """Exit with 1 if a score is lower than ``--fail-under`` demands."""
        least = getattr(self._args, "fail_under", None)
        if least is None:
            return
        for score in report.scores:
            value = corpus_record(score, self._args.macro)["score"]
            if value < least:
                self.note(f"{score.metric} {fixed(value, 4)} is less than {least:g}")
                self.exit_code = max(self.exit_code, 1)

    def proved(self, proofs: ProofCounts) -> None:
        """Report checked certificates; missing demanded proofs set the exit code."""
        if self._args.require_optimal and proofs.unproven:
            self.note(f"{several(proofs.unproven, 'result')} not proven optimal")
        self._finish(proofs)

    def sum_up(self) -> None:
        """Report the number of warnings of each kind that was shown only in part."""
        if self._different:
            number = self._counts.pop("ids")
            elsewhere = f", and at {several(number - 1, 'more position')}" * (
                number > 1
            )
            way = "; --by-id pairs by ids" if self._pairs_by_position else ""
            self.note(f"warning: {self._different}{elsewhere}{way * (number > 1)}")
            self._different = ""
        for kind, number in self._counts.items():
            if number > _SHOWN and not self.is_verbose:
                way = ""
                if hasattr(self._args, "verbose"):
                    way = "; -v shows every one"
                elif kind == "lenient":
                    way = "; 'exactmatch lint' shows every one"
                self.note(
                    f"warning: {number} warnings of this kind ({kind}) in all{way}"
                )
        self._counts.clear()

    def _finish(self, proofs: ProofCounts) -> None:
        self.sum_up()
        if proofs.checked:
            self.note(
                f"{several(proofs.checked, 'certificate')} checked, {proofs.rejected} "
                "rejected"
            )
        demanded = getattr(self._args, "require_optimal", False) and proofs.unproven
        if demanded and self._open:
            names, n_more = [*self._open], len(self._open) - _SHOWN
            listed = ", ".join(names[:_SHOWN]) + f" and {n_more} more" * (n_more > 0)
            self.note(f"not proven optimal: {listed}")
            self._open.clear()
        if proofs.rejected or demanded:
            self.exit_code = max(self.exit_code, 1)


def described(result: PairResult) -> str:
    """Describe the solution of a pair in one line."""
    name = name_of(result.index, result.id)
    solution = result.solution
    text = f"{name}: {result.metric} {fixed(result.score.shown, 4)}"
    if solution is None:
        return text
    state = "optimal" if solution.is_optimal else f"at most {count(result.score.bound)}"
    return (
        f"{text}, matched {count(result.score.matched)} ({state}), solver "
        f"{solution.solver}, proof {solution.proof}, {1000 * solution.seconds:.2f} ms"
    )
