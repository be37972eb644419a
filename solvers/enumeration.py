"""All optimal alignments of a problem, one by one.

Of an optimal alignment *A* only those pairs count that add to its value
(:meth:`~exactmatch.solvers.problem.AlignmentProblem.appraise`).  Any other optimal
alignment then lacks one of them, and so the rest of the optimal alignments falls into
disjoint parts: those that lack the first pair of *A*; those that have the first and
lack the second; and so on.  Each part is a smaller problem, of which ``bnb`` finds an
alignment that is worth as much, or proves that there is none.

Source: Murty (1968), "An algorithm for ranking all the assignments in order of
increasing cost", for the partition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits

MOST = 200
"""So many alignments are listed; symmetric graphs may have millions."""

NODES = 1000
"""So many nodes of its tree ``bnb`` may take for one part."""

WORK = 10**8
"""What all searches of a problem may cost, about half a second: a search costs the
square of its number of pair terms, and :data:`_LEAST` at least."""

_LEAST = 20_000

_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Optima:
    """The alignments that are worth as much as a given one.

    Attributes:
        alignments: the given one first, then the others, all different.
        complete: whether these are all there are.
        fixed: the left nodes that are proven to have the same right node in every
            alignment that is worth as much, listed or not.
    """

    alignments: tuple[Alignment, ...]
    complete: bool
    fixed: frozenset[int]

    @property
    def varying(self) -> frozenset[int]:
        """The left nodes whose right node is not the same in all that are listed."""
        columns = zip(*self.alignments, strict=True)
        return frozenset(i for i, column in enumerate(columns) if len({*column}) > 1)


def optimal_alignments(
    problem: AlignmentProblem,
    alignment: Alignment,
    most: int = MOST,
    until: float | None = None,
) -> Optima:
    """List the alignments that are worth as much as an optimal one.

    Args:
        problem: what was solved.
        alignment: an alignment that is worth the optimum; of one that is not, better
            ones are not found.
        most: how many to list.
        until: when to stop, on the clock of ``time.time()``.

    Example:
        >>> problem = AlignmentProblem.from_weights(1, 2, {(0, 0): 1, (0, 1): 1}, {})
        >>> optimal_alignments(problem, (0,)).alignments
        ((0,), (1,))
    """
    value, first = problem.appraise(alignment)
    search = _OptimaSearch(problem, value, until)
    every = np.ones(problem.n_candidates, dtype=np.bool_)
    found = {first: None}
    fixed = set()
    for c in np.flatnonzero(problem.chosen(first)).tolist():
        i, j = int(problem.left[c]), int(problem.right[c])
        if all(other[i] == j for other in found):
            without = every.copy()
            without[c] = False
            other = search.run(without)
            if other is not None:
                found[other] = None
            elif not search.gave_up:
                fixed.add(i)
    waiting = [(first, every)]
    while waiting and len(found) <= most and not search.gave_up_once:
        known, part = waiting.pop()
        for smaller in _parts(problem, known, part, fixed):
            other = search.run(smaller)
            if other is not None:
                found[other] = None
                waiting.append((other, smaller))
    complete = len(found) <= most and not waiting and not search.gave_up_once
    return Optima(tuple(found)[:most], complete, frozenset(fixed))


def _parts(
    problem: AlignmentProblem, known: Alignment, part: _Mask, fixed: set[int]
) -> Iterator[_Mask]:
    """The parts of a part that a known alignment leaves, as their candidates.

    The nodes in *fixed* have the same partner in every optimal alignment, so a part
    that forbids such a pair holds none and is left out.
    """
    rest = part.copy()
    for c in np.flatnonzero(problem.chosen(known) & part).tolist():
        i, j = problem.left[c], problem.right[c]
        if int(i) not in fixed:
            without = rest.copy()
            without[c] = False
            yield without
        rest &= (problem.left != i) & (problem.right != j)
        rest[c] = True


class _OptimaSearch:
    """Looks for alignments of a certain value in parts of a problem.

    Attributes:
        gave_up: whether the last search came to no answer.
        gave_up_once: whether any did.
        work: what searches may still cost.
    """

    def __init__(
        self, problem: AlignmentProblem, value: int, until: float | None
    ) -> None:
        self._problem, self._value = problem, value
        self._clock = Progress(problem, Limits(until=until))
        self.gave_up = self.gave_up_once = False
        self.work = WORK

    def run(self, part: _Mask) -> Alignment | None:
        """An alignment of these candidates that is worth the value, if there is one."""
        value = self._value
        if self._clock.is_out_of_time():
            self.work = -1
        if self.work >= 0:
            smaller = self._problem.restricted(part)
            self.work -= max(smaller.n_terms**2, _LEAST)
        if self.work >= 0:
            found = Progress(smaller, Limits())
            proposal = BranchAndBound(nodes=NODES).search(
                smaller, found, above=value - 1, at_most=value
            )
            if found.value == value:
                self.gave_up = False
                return found.alignment
            self.gave_up = proposal.bound is None or proposal.bound >= value
        else:
            self.gave_up = True
        self.gave_up_once |= self.gave_up
        return None
