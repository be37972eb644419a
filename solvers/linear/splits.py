"""A window of a large problem, split until each part has few candidates.

If the bound is less than one step above a window's floor, few candidates remain; if it
is a little higher, most of them do, for very many have a whole step of slack.  Such a
window is split by one candidate: one part takes it, the other leaves it out.  This
lowers the bounds of both, and they are split again until few pair terms are left.

The candidate comes from the relaxation of the *core*: the candidates that remain if the
part's own bound is to be reached.  Likely ones are tried, until one lowers both bounds
by enough; otherwise that one is taken whose smaller fall is largest.  Each part begins
with the duals of its relaxation.  They steer only: what drops candidates and closes
parts are the integer bounds of ``bnb``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.linear.branch import at_stake
from exactmatch.solvers.linear.relaxation import relaxation
from exactmatch.solvers.problem import AlignmentProblem, BoolArray, IntArray
from exactmatch.solvers.progress import Progress

FEW_TERMS = 20_000
"""A part with no more pair terms is not split."""

NEAR_TERMS = 40_000
"""The same where the bound is one step above the floor.  There the core is the part
itself, so that every trial is as slow as the relaxation of the part."""

MAX_PARTS = 100
"""The most parts of a window."""

TRIALS = 12
"""The most candidates that are tried before one is chosen."""

_UNIT = 1 << 16
"""The parts of a unit that ``bnb`` counts in, unless weights are very large."""

_INTEGRAL = 1e-6
"""A value that is this near to 0 or 1 is not fractional."""


class Part(NamedTuple):
    """A part of a window, and how the weights of its pair terms are split."""

    problem: AlignmentProblem
    shares: IntArray

    def kept(self, keep: BoolArray) -> Part:
        """Return the part with some of its candidates."""
        together = keep[self.problem.first] & keep[self.problem.second]
        return Part(self.problem.restricted(keep), self.shares[together])


def is_closed(
    window: Part,
    progress: Progress,
    floor: int,
    is_part_closed: Callable[[AlignmentProblem], bool],
) -> bool:
    """Return whether no alignment in a window is worth more than *floor*.

    Args:
        progress: that of the whole problem; it is offered every better alignment.
        is_part_closed: answers the same for a part with few pair terms.

    Returns:
        ``False`` as well where time or parts run out.
    """
    parts, count, lattice = [window], 1, window.problem.lattice()
    while parts:
        if progress.value > floor or count > MAX_PARTS or progress.is_out_of_time():
            return False
        part, bound = _bounded(parts.pop(), progress, floor)
        if bound <= floor:
            continue
        is_near = bound <= floor + lattice
        if part.problem.n_terms <= (NEAR_TERMS if is_near else FEW_TERMS):
            if not is_part_closed(part.problem):
                return False
            continue
        children = _children(part, bound, progress)
        if not children:
            return False
        parts += children
        count += len(children)
    return progress.value <= floor


def _bounded(part: Part, progress: Progress, floor: int) -> tuple[Part, int]:
    """Return what may be worth more than *floor*, and a bound of it."""
    problem = part.problem
    proposal = BranchAndBound(nodes=1).search(
        problem,
        progress.of_part(problem, floor),
        start=progress.alignment,
        above=floor,
        shares=part.shares.tolist(),
        deep=True,
    )
    bound = problem.total_weight() if proposal.bound is None else proposal.bound
    if proposal.still_open is None or proposal.shares is None:
        return part, bound
    shares = np.array(proposal.shares, dtype=np.int64)
    return Part(problem, shares).kept(_flags(problem, proposal.still_open)), bound


def _children(part: Part, bound: int, progress: Progress) -> list[Part]:
    """Split a part in two by one candidate; nothing if that does not succeed."""
    core = _core(part, bound, progress)
    small = part.problem.restricted(_flags(part.problem, core))
    solved = relaxation(small, progress.of_part(small))
    if solved is None:
        return []
    x, value = solved[0].x, solved[0].value
    order = np.argsort(-at_stake(small, x), kind="stable")
    is_fractional = np.abs(x[order] - 0.5) < 0.5 - _INTEGRAL
    best, largest_fall = list[Part](), -1.0
    for c in order[is_fractional][:TRIALS].tolist():
        falls, children = [], []
        branches = zip(
            _branches(small, c), _branches(part.problem, int(core[c])), strict=True
        )
        for keep, whole_keep in branches:
            child = small.restricted(keep)
            solved = relaxation(child, progress.of_part(child))
            if solved is None:
                return []
            falls.append(value - solved[0].value)
            duals, shares = solved[1], part.shares.copy()
            is_in_child = _flags(part.problem, core[keep])
            terms = is_in_child[part.problem.first] & is_in_child[part.problem.second]
            shares[terms] = (
                duals.share[: child.n_terms] / duals.denominator * _UNIT
            ).astype(np.int64)
            children.append(Part(part.problem, shares).kept(whole_keep))
        if min(falls) > largest_fall:
            best, largest_fall = children, min(falls)
        if value - largest_fall < bound:
            break
    return best


def _core(part: Part, bound: int, progress: Progress) -> IntArray:
    """Return the candidates that may be in an alignment worth *bound*.

    All of them, if there is no such alignment.
    """
    problem = part.problem
    proposal = BranchAndBound(nodes=1).search(
        problem,
        progress.of_part(problem, bound - 1),
        above=bound - 1,
        core=False,
        shares=part.shares.tolist(),
        deep=True,
    )
    if proposal.still_open is None:
        return np.arange(problem.n_candidates)
    core = np.array(proposal.still_open)
    while True:
        small = problem.restricted(_flags(problem, core))
        solved = relaxation(small, progress.of_part(small))
        if solved is None:
            return core
        keep = solved[1].open_candidates(bound - 1)
        if 10 * np.count_nonzero(keep) > 9 * len(core) or not keep.any():
            return core
        core = core[keep]


def _flags(
    problem: AlignmentProblem, candidates: Sequence[int] | IntArray
) -> BoolArray:
    """Return a flag for each candidate of the problem: whether it is listed."""
    flags: BoolArray = np.zeros(problem.n_candidates, dtype=np.bool_)
    flags[np.asarray(candidates, dtype=np.int64)] = True
    return flags


def _branches(problem: AlignmentProblem, c: int) -> tuple[BoolArray, BoolArray]:
    """Return what remains where a candidate is taken, and where it is left out."""
    is_candidate = np.arange(problem.n_candidates) == c
    rivals = problem.left == problem.left[c]
    rivals |= problem.right == problem.right[c]
    return is_candidate | ~rivals, ~is_candidate
