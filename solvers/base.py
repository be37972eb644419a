"""The contract of a solver: one file, one class, one line in ``SOLVERS``.

A solver gets an :class:`AlignmentProblem` and returns a :class:`Proposal`: an
alignment and the upper bound it proved (or ``None``).  Everything else happens
here, once for all solvers: the alignment is checked to be one-to-one, its value
is recounted from the problem, and a bound below the value is refused, because
then either the bound or the problem is wrong.  An alignment that is worth less
than aligning nothing gives way to the empty one, and a proposal that forgets what the
solver told its :class:`Progress` to what is better there.
"""

from __future__ import annotations

import importlib.util
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from exactmatch.base.errors import MissingSolverError, SolverError
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal, Solution

if TYPE_CHECKING:  # importing it imports NumPy, which is slow
    from exactmatch.solvers.problem import AlignmentProblem


AT_ONCE = 200_000
"""A problem of more pair terms is not begun when time is over, or will be before a
solver looks at the clock: it looks at each of them a few times first."""


class Solver(ABC):
    """Base of all solvers.

    Class attributes:
        name: what ``--solver`` calls it.
        exact: whether it proves the optimum when it is given the time.
        requires: modules that must be importable.
        distribution: the distribution whose version is reported, if any.
        install: the command that installs the required packages, where that is not
            ``pip install`` and the names of the modules.
        summary: one line for ``exactmatch solvers``.
        records_proofs: whether it can record certificates, as the limits ask.
        draws: whether its answer depends on the seed of the limits.

    Subclasses take their options as keyword arguments of ``__init__``.
    """

    name: ClassVar[str]
    exact: ClassVar[bool]
    summary: ClassVar[str]
    requires: ClassVar[tuple[str, ...]] = ()
    distribution: ClassVar[str | None] = None
    install: ClassVar[str] = ""
    records_proofs: ClassVar[bool] = False
    draws: bool = False
    _available: bool = False

    @property
    def kernel_nodes(self) -> int | None:
        """The nodes of a search in the kernel that gives this solver's answers.

        ``None`` if there is no such search.
        """
        return None

    def __init_subclass__(cls) -> None:
        """Forget that the kernel answers as a solver does that searches otherwise."""
        super().__init_subclass__()
        own = vars(cls).keys()
        if "kernel_nodes" not in own and own & {"solve", "_solve", "search"}:
            setattr(cls, "kernel_nodes", None)  # noqa: B010  a property of the base

    @classmethod
    def is_available(cls) -> bool:
        """Return whether everything it needs is installed; nothing is imported."""
        return all(importlib.util.find_spec(module) for module in cls.requires)

    @classmethod
    def version(cls) -> str | None:
        """Return the version of the package behind it, or ``None`` for our own code."""
        if cls.distribution is None or not cls.is_available():
            return None
        import importlib.metadata

        return importlib.metadata.version(cls.distribution)

    @classmethod
    def installation(cls) -> str:
        """Return the command that installs what the solver requires."""
        return cls.install or f"pip install {' '.join(cls.requires)}"

    def check_available(self) -> None:
        """Refuse to go on if the package behind the solver is missing.

        Raises:
            MissingSolverError: the message names the command that installs it.
        """
        if not self._available and not self.is_available():
            raise MissingSolverError(
                f"solver {self.name!r} needs {', '.join(self.requires)}: "
                f"{self.installation()}"
            )
        self._available = True

    def signature(self) -> str:
        """Return the solver and the options that determine its answer."""
        return self.name

    def solve(
        self, problem: AlignmentProblem, limits: Limits | None = None
    ) -> Solution:
        """Align the problem's nodes and bound what any alignment can be worth.

        Args:
            problem: what to maximise.
            limits: time, threads, seed and watch; default: no limit, one thread.

        Raises:
            MissingSolverError: if the package behind the solver is missing.
            SolverError: if the solver breaks its promise: an alignment that is
                not one-to-one, or a bound below the value.
            KeyboardInterrupt: after Ctrl-C, unless somebody watches; then what was
                found until then is the answer, and the watch has the interruption.
        """
        self.check_available()
        if problem.conflicts:
            from exactmatch.solvers.cases import CaseProblem, solve_cases

            assert isinstance(problem, CaseProblem)
            return solve_cases(problem, self.solve, limits)
        progress = Progress(problem, limits or Limits())
        is_late = progress.limits.until is not None or problem.n_terms > AT_ONCE
        if is_late and progress.is_out_of_time(problem):
            if not progress.is_out_of_time():
                progress.offer(problem.greedy())
            return self._checked(problem, progress, progress.proposal())
        try:
            proposal = self._solve(problem, progress)
        except Exception:
            raise
        except BaseException as interruption:
            if progress.limits.watch is None:
                raise
            progress.limits.watch.interruption = interruption
            proposal = progress.proposal()
        return self._checked(problem, progress, proposal)

    def propose(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        """Solve a part of a problem for another solver, which checks the answer."""
        self.check_available()
        return self._solve(problem, progress)

    def _checked(
        self, problem: AlignmentProblem, progress: Progress, proposal: Proposal
    ) -> Solution:
        """Compute the value of the proposal, and check its bound against it.

        What was found or proved on the way and is better than the proposal counts
        instead; but a bound that has a certificate is kept, because it can be checked.
        """
        value, alignment = progress.appraise(proposal.alignment)
        if value < progress.value:
            value, alignment = progress.value, progress.alignment
        bound, proof = proposal.bound, proposal.proof
        least = progress.bound
        forgets = least is not None and (bound is None or least < bound)
        if forgets and proposal.certificate is None:
            bound, proof = least, progress.proof
        if bound is None or bound > value:
            cheap = max(problem.row_bound(), value)
            if bound is None or bound > cheap:
                bound, proof = cheap, "none"
        if bound < value:
            raise SolverError(
                f"solver {self.name!r} claims the bound {bound} below its own "
                f"alignment's value {value}"
            )
        return Solution(
            alignment,
            value,
            bound,
            proposal.solver or self.name,
            proof,
            time.perf_counter() - progress.started,
            proposal.certificate if bound == proposal.bound else None,
        )

    @abstractmethod
    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        """Find an alignment and prove a bound.

        Until ``progress.deadline``; what is found and proved on the way is told to
        *progress*, so that it is not lost if the search is interrupted.
        """
