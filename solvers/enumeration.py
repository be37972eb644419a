"""All optimal alignments of a problem: one by one, and their common part.

Of an optimal alignment *A* only those pairs count that add to its value
(:meth:`~exactmatch.solvers.problem.AlignmentProblem.appraise`).  Any other optimal
alignment then lacks one of them, and so the rest of the optimal alignments falls into
disjoint parts: those that lack the first pair of *A*; those that have the first and
lack the second; and so on.  Each part is a smaller problem, of which ``bnb`` finds an
alignment that is worth as much, or proves that there is none.

A *part* of the problem's weight (the same nodes, some of its weight) can be worth more
under one of them and less under another.  Its least and its greatest value are two
integer programs: the aggregated model's rows, the part's weights as objective, and one
more row that holds the problem's own value at the optimum::

    min / max  sum_c part_c x_c + sum_p part_p y_p
    sum_c unary_c x_c + sum_p weight_p y_p >= optimum - 1/4

The last row is what lets ``y`` stay continuous although one objective wants it
small: all weights are integers, so only an optimal ``x`` can fulfil it, and then
``y`` falls short of ``x_c x_d`` by a quarter at most.  Results are rounded to the
integer on the safe side.  The bounds are those of SciPy's HiGHS.

Source: Murty (1968), "An algorithm for ranking all the assignments in order of
increasing cost", for the partition.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from exactmatch.base.errors import ProblemError
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import (
    Alignment,
    AlignmentProblem,
    BoolArray,
    FloatArray,
    IntArray,
    keys_of,
)
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

_SLACK = 0.25
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Optima:
    """The alignments that are worth as much as a given one.

    Attributes:
        alignments: the given one first, then the others, all different.
        complete: whether these are all there are; not claimed where pairs cost
            something: several may then add nothing together although each one does.
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

    Of one that is worth less, better ones are not found. At most so many are listed,
    until a time on the clock of ``time.time()``.

    Example:
        >>> problem = AlignmentProblem.from_weights(1, 2, {(0, 0): 1, (0, 1): 1}, {})
        >>> optimal_alignments(problem, (0,)).alignments
        ((0,), (1,))
    """
    value, first = problem.appraise(alignment)
    clock, work, gave_up = Progress(problem, Limits(until=until)), WORK, False

    def searched(part: BoolArray) -> tuple[Alignment | None, bool]:
        """Return an equally good alignment of a part, or whether it has none."""
        nonlocal work, gave_up
        if work >= 0 and not clock.is_out_of_time():
            smaller = problem.restricted(part)
            work -= max(smaller.n_terms**2, _LEAST)
            if work >= 0:
                best_of_part, solver = (
                    Progress(smaller, Limits()),
                    BranchAndBound(nodes=NODES),
                )
                proposal = solver.search(
                    smaller, best_of_part, above=value - 1, at_most=value
                )
                if best_of_part.value == value:
                    return best_of_part.alignment, False
                if proposal.bound is not None and proposal.bound < value:
                    return None, True
        gave_up = True
        return None, False

    all_candidates = np.ones(problem.n_candidates, dtype=np.bool_)
    optimal = {first: None}
    fixed = set()
    for c in np.flatnonzero(problem.chosen(first)).tolist():
        i, j = int(problem.left[c]), int(problem.right[c])
        if all(optimum[i] == j for optimum in optimal):
            without = all_candidates.copy()
            without[c] = False
            optimum, is_refuted = searched(without)
            if optimum is not None:
                optimal[optimum] = None
            elif is_refuted:
                fixed.add(i)
    waiting = [(first, all_candidates)]
    while waiting and len(optimal) <= most and not gave_up:
        known_alignment, part = waiting.pop()
        for smaller in _parts(problem, known_alignment, part, fixed):
            optimum, _ = searched(smaller)
            if optimum is not None:
                optimal[optimum] = None
                waiting.append((optimum, smaller))
    complete = len(optimal) <= most and not (waiting or gave_up or _costs(problem))
    return Optima(tuple(optimal)[:most], complete, frozenset(fixed))


def _parts(
    problem: AlignmentProblem, alignment: Alignment, part: BoolArray, fixed: set[int]
) -> Iterator[BoolArray]:
    """Return the parts of a part that a known alignment leaves, as their candidates.

    The nodes in *fixed* have the same partner in every optimal alignment, so a part
    that forbids such a pair holds none and is left out.
    """
    rest = part.copy()
    for c in np.flatnonzero(problem.chosen(alignment) & part).tolist():
        i, j = problem.left[c], problem.right[c]
        if int(i) not in fixed:
            without = rest.copy()
            without[c] = False
            yield without
        rest &= (problem.left != i) & (problem.right != j)
        rest[c] = True


def _costs(problem: AlignmentProblem) -> bool:
    """Return whether some pair costs something."""
    return bool(problem.unary.min(initial=0) < 0)


class OptimalFace:
    """The alignments that are worth as much as an optimal one, or more if it is none.

    Raises:
        ProblemError: if a unary weight is negative; alignments of equal value may
            then differ in what they earn and what they pay.
    """

    def __init__(self, problem: AlignmentProblem, alignment: Alignment) -> None:
        if _costs(problem):
            raise ProblemError("optima are compared without negative weights only")
        self.problem = problem
        self.alignment = alignment
        self.value = problem.value(alignment)

    @cached_property
    def agree(self) -> bool:
        """True if every optimal alignment collects exactly the same weights."""
        if not self.value:
            return True
        collected = self.problem.objective * self.problem.indicators(self.alignment)
        return self._least(collected.astype(np.float64)) >= self.value

    def range(self, part: AlignmentProblem) -> tuple[int, int]:
        """Return the least and greatest value of a part under all optimal alignments.

        A part has the same nodes, and each of its weights is in the whole problem, at
        least as large; anything else is a ProblemError.
        """
        weights = self._columns(part)
        if not weights.any():
            return 0, 0
        if self.agree:
            worth = part.value(self.alignment)
            return worth, worth
        return self._least(weights), -self._least(-weights)

    def _least(self, weights: FloatArray) -> int:
        from exactmatch.solvers.linear.process import SCIPY, run

        progress = Progress(self.problem, Limits())
        arguments = self.problem, self.value, weights
        bound: float = run(least, *arguments, imports=SCIPY, progress=progress)
        return math.ceil(bound - _TOLERANCE)

    def _columns(self, part: AlignmentProblem) -> FloatArray:
        whole, width = self.problem, self.problem.n_candidates
        if (part.n_left, part.n_right) != (whole.n_left, whole.n_right):
            raise ProblemError("a part must have the nodes of the whole problem")
        keys = keys_of(part.left, part.right, whole.n_right)
        candidates = _places(keys_of(whole.left, whole.right, whole.n_right), keys)
        keys = keys_of(candidates[part.first], candidates[part.second], width)
        terms = _places(keys_of(whole.first, whole.second, width), keys)
        weights = np.zeros(whole.n_candidates + whole.n_terms)
        weights[candidates] = part.unary
        weights[whole.n_candidates + terms] = part.weight
        if np.any(weights > whole.objective):
            raise ProblemError("a part weighs more than the whole problem")
        return weights


def least(
    report: Any,
    seconds: float | None,
    problem: AlignmentProblem,
    value: int,
    weights: FloatArray,
) -> float:
    """Return HiGHS's least sum of weights of alignments worth *value* or more.

    Called in a process of its own; *weights* are of candidates, then of pair terms.
    """
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array

    from exactmatch.solvers.linear.model import aggregated_model

    del report, seconds  # it reports nothing and has no time limit
    model = aggregated_model(problem)
    worth = csr_array(model.objective.astype(np.float64)[np.newaxis, :])
    rows = [LinearConstraint(worth, value - _SLACK, np.inf)]
    for conflict in problem.conflicts:  # each of its sets holds one candidate at most
        held = np.zeros((1, len(weights)))
        held[0, [c for each in conflict for c in each]] = 1.0
        rows.append(LinearConstraint(csr_array(held), -np.inf, len(conflict) - 1))
    return float(model.minimise(weights, *rows).mip_dual_bound)


def ranges(
    problem: AlignmentProblem, value: int, parts: Sequence[FloatArray]
) -> list[tuple[int, int]]:
    """Return the least and greatest sums of weights of alignments worth *value*.

    Each part has weights of candidates, then of pair terms, whole numbers; alignments
    that break a conflict are none.  Unlike an :class:`OptimalFace`, weights of the
    problem may be negative, and those of parts larger.
    """
    if not any(map(len, parts)):  # nothing can be aligned
        return [(0, 0)] * len(parts)
    from exactmatch.solvers.linear.process import SCIPY, run

    progress = Progress(problem, Limits())
    signed = [sign * part for part in parts for sign in (1.0, -1.0)]
    bounds: list[float] = run(
        _least_of_each, problem, value, signed, imports=SCIPY, progress=progress
    )
    least = [math.ceil(bound - _TOLERANCE) for bound in bounds]
    return [(a, -b) for a, b in zip(least[::2], least[1::2], strict=True)]


def _least_of_each(
    report: Any,
    seconds: float | None,
    problem: AlignmentProblem,
    value: int,
    weights: Sequence[FloatArray],
) -> list[float]:
    """Return HiGHS's least sum for each list of weights; runs in a process."""
    return [
        least(report, seconds, problem, value, weights_of_one)
        for weights_of_one in weights
    ]


def _places(sorted_keys: IntArray, keys: IntArray) -> IntArray:
    """Return the place of each key among the known ones, which are sorted."""
    places = np.searchsorted(sorted_keys, keys)
    is_known = places < len(sorted_keys)
    is_known[is_known] = sorted_keys[places[is_known]] == keys[is_known]
    if not is_known.all():
        raise ProblemError("a part has a candidate or term that the whole has not")
    return places
