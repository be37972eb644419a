"""Problems in which some candidates may not all be chosen, solved case by case.

A *conflict* is several sets of candidates: no answer has members of all of them.  Pair
terms only reward, so a conflict is not part of an alignment problem's weights.  The
problem without conflicts is solved first.  Where its best alignment breaks one, there
is a case for each of the conflict's sets: the problem without the members of that set.
Every alignment that breaks no conflict is in at least one of the cases, so the greatest
of their bounds holds; a case whose alignment breaks another conflict has cases itself.

Most problems need one case.  Any solver can be the one that solves them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter, time
from typing import TypeAlias

import numpy as np

from exactmatch.base.errors import ProblemError
from exactmatch.solvers.certificate import CaseNode, Certificate
from exactmatch.solvers.problem import (
    MAX_TOTAL_WEIGHT,
    Alignment,
    AlignmentProblem,
    BoolArray,
)
from exactmatch.solvers.solution import Limits, Proof, Solution, weakest

Solve: TypeAlias = Callable[[AlignmentProblem, Limits], Solution]

Conflict: TypeAlias = tuple[tuple[int, ...], ...]
"""Sets of candidates, each increasing and of one node: none of them shares a member."""


@dataclass(frozen=True, slots=True, eq=False)
class CaseProblem(AlignmentProblem):
    """An alignment problem with conflicts.

    Attributes:
        conflicts: an alignment must have no member of at least one set of each.

    Raises:
        ProblemError: if a conflict names a candidate that does not exist, or one twice,
            or a set has candidates of several nodes.

    >>> problem = CaseProblem.from_weights(2, 2, {(0, 0): 2, (1, 1): 3}, {})
    >>> chosen = replace(problem, conflicts=(((0,), (1,)),))
    >>> from exactmatch.solvers import get_solver
    >>> get_solver("auto").solve(chosen).alignment
    (-1, 1)
    """

    conflicts: tuple[Conflict, ...] = ()

    def __post_init__(self) -> None:
        AlignmentProblem.__post_init__(self)
        for conflict in self.conflicts:
            members = [c for each in conflict for c in each]
            is_known = all(0 <= c < self.n_candidates for c in members)
            if not is_known or len({*members}) < len(members) or not all(conflict):
                raise ProblemError(f"a conflict cannot have the candidates {conflict}")
            for each in map(list, conflict):
                if min(len({*self.left[each]}), len({*self.right[each]})) > 1:
                    raise ProblemError("a set of a conflict is of several nodes")

    def broken(self, alignment: Alignment) -> Iterator[int]:
        """Yield the conflicts that an alignment breaks, by number."""
        chosen = self.chosen(alignment)
        for number, conflict in enumerate(self.conflicts):
            if all(chosen[list(each)].any() for each in conflict):
                yield number

    def mended(self, alignment: Alignment) -> Alignment:
        """Leave out what breaks a conflict, and then what costs more than it earns."""
        kept = list(alignment)
        for number in self.broken(alignment):
            for c in self.conflicts[number][-1]:
                if kept[self.left[c]] == self.right[c]:
                    kept[self.left[c]] = -1
        while True:
            chosen = self.chosen(tuple(kept))
            together = chosen[self.first] & chosen[self.second]
            worth = np.where(chosen, self.unary, 0)
            for ends in (self.first, self.second):
                np.add.at(worth, ends[together], self.weight[together])
            if worth.min(initial=0) >= 0:
                return tuple(kept)
            kept[self.left[int(worth.argmin())]] = -1


@dataclass(slots=True)
class _Case:
    """A case: the candidates that it keeps, and its proposal."""

    keep: BoolArray
    bound: int
    proof: Proof = "none"
    certificate: Certificate | None = None
    conflict: int | None = None  # the one that its own cases are about
    cases: list[_Case] = field(default_factory=list)

    def leaves(self) -> Iterator[_Case]:
        if not self.cases:
            yield self
        for case in self.cases:
            yield from case.leaves()

    def nodes(self) -> Iterator[CaseNode]:
        """Yield the certificate of this case, then those of its own cases."""
        yield CaseNode(self.conflict, None if self.cases else self.certificate)
        for case in self.cases:
            yield from case.nodes()


def solve_cases(
    problem: CaseProblem, solve: Solve, limits: Limits | None = None
) -> Solution:
    """Solve a problem with conflicts by a solver for problems without conflicts.

    The limits are those of all cases together.  Where they end the search, the bound is
    that of the cases that are left.
    """
    limits, started = limits or Limits(), perf_counter()
    value, best = 0, (-1,) * problem.n_left
    root = _Case(np.ones(problem.n_candidates, dtype=np.bool_), MAX_TOTAL_WEIGHT)
    waiting = [root]
    name = ""
    while waiting:
        case = waiting.pop()
        part = problem.restricted(case.keep)
        case_limits = _limits_left(limits, started, max(value, limits.above))
        solution = solve(part, case_limits)
        if root.certificate is not None and solution.certificate is None:
            solution = solve(
                part, replace(case_limits, above=0)
            )  # a cheap bound left none
        case.certificate, name = solution.certificate, solution.solver
        if solution.certificate is not None or solution.bound <= case.bound:
            case.bound, case.proof = solution.bound, solution.proof
        broken = next(problem.broken(solution.alignment), None)
        worth, alignment = problem.appraise(problem.mended(solution.alignment))
        if worth > value:
            value, best = worth, alignment
        if broken is None or case.bound <= value or _is_over(limits, started):
            continue
        case.conflict = broken
        case.cases = [
            _Case(_without(case.keep, each), case.bound, case.proof)
            for each in problem.conflicts[broken]
        ]
        waiting += reversed(case.cases)
    leaves = [*root.leaves()]
    bound = max([value, *(leaf.bound for leaf in leaves)])
    proofs = [leaf.proof for leaf in leaves]
    return Solution(
        best,
        value,
        bound,
        name,
        weakest([*proofs, "branch"] if root.cases else proofs),
        perf_counter() - started,
        _certificate(root, leaves, bound),
    )


def _certificate(
    root: _Case, leaves: Sequence[_Case], bound: int
) -> Certificate | None:
    """Join the certificates of all cases, if each has one."""
    if not all(leaf.certificate for leaf in leaves):
        return None
    if not root.cases:
        assert root.certificate is not None
        return root.certificate if root.bound == bound else None
    return Certificate(bound, (), cases=tuple(root.nodes()))


def _without(keep: BoolArray, members: Sequence[int]) -> BoolArray:
    rest = keep.copy()
    rest[list(members)] = False
    return rest


def _limits_left(limits: Limits, started: float, above: int) -> Limits:
    """Return the limits of the next case."""
    seconds = limits.seconds
    if seconds is not None:
        seconds = max(seconds - (perf_counter() - started), 0.0)
    return replace(limits, seconds=seconds, above=above)


def _is_over(limits: Limits, started: float) -> bool:
    """Return whether no case may begin any more."""
    if limits.watch is not None and limits.watch.interruption is not None:
        return True
    late = limits.until is not None and time() >= limits.until
    return late or (
        limits.seconds is not None and perf_counter() - started >= limits.seconds
    )
