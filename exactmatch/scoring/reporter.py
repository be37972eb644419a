"""Receivers of progress and warnings; by default an evaluation has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from exactmatch.base.errors import warn_caller
from exactmatch.views.progress import Steps

if TYPE_CHECKING:
    from exactmatch.scoring.report import Report
    from exactmatch.scoring.results import PairResult, ProofCounts
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Solution


class Reporter(Protocol):
    """Receives progress, warnings and remarks while an evaluation runs.

    The command line's prints to the terminal; a notebook's or a service's may do
    something else.  Everything it receives is in the report, too.
    """

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Steps]:
        """Begin some work, such as ``scoring``, of so many steps, if that is known.

        Returns:
            A context manager; it yields a function to call after each step.
        """
        del what, total
        return nullcontext(Steps())

    def warn(self, kind: str, text: str) -> None:
        """Receive a warning: its subject, in one word, and a sentence."""
        del kind, text

    def note(self, text: str) -> None:
        """Receive a remark."""
        del text


class Listener(Reporter):
    """A reporter that also receives each pair and each report of a study."""

    is_verbose: bool = False  # whether it shows how each pair was solved

    @property
    def needs_solutions(self) -> bool:
        """True if it uses alignments and their proofs."""
        return True

    @property
    def needs_documents(self) -> bool:
        """True if it uses the compared JSON documents of pairs."""
        return False

    @property
    def needs_sums(self) -> bool:
        """True if it writes all sums, to be merged with other parts."""
        return False

    @property
    def show(self) -> Callable[[Any], None] | None:
        """Shows each part of the answer as it comes; ``None`` where all are kept."""
        return None

    def pair(self, result: PairResult) -> None:
        """Receive a pair's result."""

    def scored(self, report: Report) -> None:
        """Receive the report of an evaluation when it is over."""

    def proved(self, proofs: ProofCounts) -> None:
        """Receive the counts of proven results of a study without an evaluation."""

    def solved(
        self,
        results: Iterable[tuple[str, AlignmentProblem, Solution]],
        unproven: int,
        certify: bool,
    ) -> None:
        """Receive problems that are not pairs of a corpus; *certify* checks proofs."""
        from exactmatch.scoring.results import ProofCounts

        checked = rejected = 0
        for name, problem, solution in results if certify else ():
            checked += 1
            if refused := solution.refusal(problem):
                rejected += 1
                self.note(f"{name}: {refused}")
        self.proved(ProofCounts(unproven, checked, rejected))


SILENCE = Listener()


class _Caller(Listener):
    def warn(self, kind: str, text: str) -> None:
        del kind
        warn_caller(text)

    def note(self, text: str) -> None:
        warn_caller(text)


CALLER = _Caller()  # for Python functions that return no report
