"""Progress of a search, and its watcher.

A search that is cut short, by its time limit or by Ctrl-C, is an answer too: the best
alignment and the least bound so far.  Solvers tell both to a :class:`Progress` as
they go, so nothing is lost however the search ends.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactmatch.solvers.solution import Limits, Proof, Proposal

if TYPE_CHECKING:  # importing these imports NumPy, which is slow
    from exactmatch.solvers.components import Component
    from exactmatch.solvers.problem import Alignment, AlignmentProblem

TELL_EVERY = 0.2
"""Seconds between two reports of a search to its watch."""

SECONDS_A_TERM = 1.2e-7
"""What a search takes for each pair term before it first looks at the clock."""


class Progress:
    """The best alignment and the least bound of one problem so far.

    Attributes:
        deadline: when to stop, on the clock of ``time.perf_counter``, or ``None``.
        alignment, value: the best alignment so far and its value.
        bound: the least bound proved so far, or ``None``.
        proof: what that bound rests on.
        above: the value that an alignment must exceed to be of use.
    """

    def __init__(self, problem: AlignmentProblem, limits: Limits) -> None:
        self.problem = problem
        self.limits = limits
        self.started = time.perf_counter()
        seconds = math.inf if limits.seconds is None else limits.seconds
        if limits.until is not None:
            seconds = min(seconds, limits.until - time.time())
        if limits.watch is not None and limits.watch.interruption is not None:
            seconds = 0.0
        self.deadline: float | None = None
        if seconds < math.inf:
            self.deadline = self.started + max(seconds, 0.0)
        self.alignment: Alignment = (-1,) * problem.n_left
        self.value = 0
        self.bound: int | None = None
        self.proof: Proof = "none"
        self.above = limits.above
        self._cheap_bound: int | None = None
        self._offered: Alignment | None = None
        self._appraised: tuple[int, Alignment] = (0, self.alignment)
        self._last_report = self.started
        self._whole: Progress | None = None
        self._component: Component | None = None
        self._added: int | None = None

    def of_part(self, part: AlignmentProblem, above: int = 0) -> Progress:
        """Return the progress of a part, with the same nodes and clock.

        Alignments that are offered to it are offered to the whole problem as well;
        a bound of the part says nothing about the whole.
        """
        progress = Progress(part, self.limits)
        progress.deadline = self.deadline
        progress._whole = self
        progress.above = above
        return progress

    def of_shifted(
        self, shifted: AlignmentProblem, added: int, holds: bool
    ) -> Progress:
        """Return the progress of the problem with other unary weights.

        An alignment that is of use is worth at most *added* more in the problem itself;
        *holds* says whether that is so of every alignment.
        """
        progress = self.of_part(shifted, max(self.goal - added, 0))
        progress.offer(self.alignment)
        progress._added = added if holds else None
        return progress

    def of_component(self, component: Component) -> Progress:
        """Make the progress of a part with its own nodes, from the present one."""
        progress = Progress(component.problem, self.limits)
        progress.deadline, progress.above = self.deadline, 0
        progress.offer(component.of(self.alignment))
        progress._whole, progress._component = self, component
        return progress

    def seconds_left(self) -> float | None:
        """Return the seconds left for the search, never below 0; ``None``: no limit."""
        if self.deadline is None:
            return None
        return max(self.deadline - time.perf_counter(), 0.0)

    @property
    def goal(self) -> int:
        """The best value so far, or what an alignment must exceed to be of use."""
        return max(self.value, self.above)

    def is_out_of_time(self, before: AlignmentProblem | None = None) -> bool:
        """Return whether the deadline has passed.

        Args:
            before: a problem; then, whether the deadline will have passed before a
                search of that problem first looks at the clock.
        """
        if self.deadline is None:
            return False
        ahead = 0.0 if before is None else SECONDS_A_TERM * before.n_terms
        return time.perf_counter() + ahead >= self.deadline

    def offer(self, alignment: Sequence[int]) -> None:
        """Keep an alignment, which must be one-to-one, if it is the best so far."""
        value, kept = self.appraise(alignment)
        if value > self.value:
            self.value, self.alignment = value, kept
            if self._whole is not None:
                if self._component is not None:
                    kept = self._component.within(self._whole.alignment, kept)
                self._whole.offer(kept)
            self.tell()

    def appraise(self, alignment: Sequence[int]) -> tuple[int, Alignment]:
        """Value an alignment as the problem does; the same tuple is valued once."""
        offered = tuple(alignment)
        if offered is not self._offered:
            self._appraised = self.problem.appraise(offered)
            self._offered = offered
        return self._appraised

    def prove(self, bound: int | None, proof: Proof) -> None:
        """Keep a bound, in the problem's units, if there is one, the least so far."""
        if bound is not None and (self.bound is None or bound < self.bound):
            self.bound, self.proof = bound, proof
            if self._added is not None and self._whole is not None:
                self._whole.prove(bound + self._added, proof)
            self.tell()

    def take(self, answer: Proposal) -> None:
        """Keep an answer's alignment and its bound, as far as they are the best."""
        self.offer(answer.alignment)
        self.prove(answer.bound, answer.proof)

    def tell(self) -> None:
        """Let the watch know how things stand, now and then."""
        if self._whole is not None:
            self._whole.tell()
        elif self.limits.watch is not None:
            now = time.perf_counter()
            if now - self._last_report < TELL_EVERY:
                return
            self._last_report = now
            if self._cheap_bound is None:
                self._cheap_bound = self.problem.row_bound()
            cheap, scale = self._cheap_bound, self.problem.scale
            bound = cheap if self.bound is None else min(cheap, self.bound)
            self.limits.watch.tell(self.value / scale, max(bound, self.value) / scale)

    def proposal(self) -> Proposal:
        """Return the present knowledge as a solver's answer."""
        return Proposal(self.alignment, self.bound, self.proof)
