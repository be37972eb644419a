"""Close the gap of a large problem by cuts, from its first stubborn window.

1. The window is relaxed, and violated cuts are added
   (:mod:`exactmatch.solvers.linear.cuts`).  HiGHS searches the candidates that the
   relaxation makes likely, for a good alignment.  If cuts lower the bound only within
   the window, that is all.
2. Cuts hold everywhere, not only in the window.  As a relief they change the weights of
   the whole problem, so that ``bnb`` drops most of its candidates, although the goal
   may lie several windows lower.
3. What is left is relaxed with cuts, too, which drops candidates once more, and HiGHS
   searches the rest.

HiGHS takes pair terms for integers.  Then it sees that the rows of the model are
cliques and that all values are integers, and is several times as fast.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.cuts import UNIT, Cut, Relief, Source
from exactmatch.solvers.linear.model import OPTIMAL, OUT_OF_TIME, floored
from exactmatch.solvers.linear.relaxation import (
    Program,
    ProvenDuals,
    Relaxation,
    relaxation,
    rounded,
)
from exactmatch.solvers.problem import (
    Alignment,
    AlignmentProblem,
    BoolArray,
    FloatArray,
    IntArray,
)
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proof, Proposal

FEW_CANDIDATES = 50_000
"""Up to this many candidates, a window is relaxed with cuts as a whole."""

MANY_CANDIDATES = 100_000
"""``bnb`` repeats its search with cuts until no more candidates than this are left."""

MOST_CANDIDATES = 200_000
"""With more candidates, in a window or after ``bnb``, the search with cuts stops."""

NEAR = 0.25
"""In larger windows, cuts are looked for among candidates with no more slack, in steps
of the bound."""

LIKELY = 0.05
"""Candidates with less slack, in steps, are searched for a good alignment."""

DROPPED = 0.25
"""Another search pays if the last one dropped this share of the candidates."""

LIKELY_NODES, MOST_NODES = 20, 100_000
"""Limits on the nodes of HiGHS, for a good alignment and for the proof."""

_LESS_TIME = 0.97
"""The share of the time left that HiGHS may use, so that it can still answer."""


def tightened(
    problem: AlignmentProblem, progress: Progress, window: Proposal, floor: int
) -> Proposal:
    """Return a bound of a problem after a search with cuts.

    Args:
        window: the proposal of ``bnb`` for the alignments worth more than *floor*, with
            the candidates that it left and its split.
    """
    best = Proposal(progress.alignment, window.bound, window.proof)
    if window.still_open is None or window.shares is None:
        return best
    if len(window.still_open) > MOST_CANDIDATES or not Relief.fits(problem):
        return best
    part = _Part.of(problem, np.array(window.still_open))
    near = part.near(progress) if len(window.still_open) > FEW_CANDIDATES else part
    solved = None if near is None else near.relaxed(progress)
    if near is None or solved is None or not solved[0].cuts:
        return best._replace(alignment=progress.alignment)
    relaxed, duals = solved
    likely = near.likely(relaxed, duals, progress.alignment)
    likely.search(relaxed.cuts, progress, 0, LIKELY_NODES)
    if near is part:
        best = _lower(best, max(duals.bound, floor), progress, "lp")
    if _is_over(best, progress) or duals.bound >= floor or best.bound == floor:
        return best._replace(alignment=progress.alignment)
    rest, best = _relieved(problem, progress, relaxed, window.shares, best)
    solved = None if rest is None else rest.relaxed(progress, relaxed.cuts)
    if rest is None or solved is None:
        return best._replace(alignment=progress.alignment)
    relaxed, duals = solved
    best = _lower(best, duals.bound, progress, "lp")
    if _is_over(best, progress):
        return best
    rest = rest.kept(duals.open_candidates(progress.goal))
    bound = rest.search(relaxed.cuts, progress, progress.goal)
    return _lower(best, bound, progress, "milp")


def _relieved(
    problem: AlignmentProblem,
    progress: Progress,
    relaxed: Relaxation,
    shares: Sequence[int],
    best: Proposal,
) -> tuple[_Part | None, Proposal]:
    """Return what ``bnb`` with cuts leaves of a problem, if that is little; the bound.

    Args:
        shares: a split of the weights before cuts.
        best: the bound so far.
    """
    relief = Relief.of(problem, relaxed.cuts, relaxed.multipliers)
    left_over = 1 - relief.weight / (problem.weight * UNIT)
    shares = (np.array(shares) * left_over).astype(np.int64).tolist()
    n_before = 2 * problem.n_candidates
    while True:
        goal = progress.goal
        proposal = BranchAndBound(nodes=1).search(
            problem,
            progress.of_part(problem, goal),
            above=goal,
            shares=shares,
            deep=True,
            core=False,
            cuts=relief,
        )
        best = _lower(best, proposal.bound, progress, "dual")
        if _is_over(best, progress) or proposal.still_open is None:
            return None, best
        assert proposal.shares is not None
        shares, n_left = proposal.shares, len(proposal.still_open)
        if n_left <= MANY_CANDIDATES or n_left > (1 - DROPPED) * n_before:
            is_little = n_left <= MOST_CANDIDATES
            candidates = np.array(proposal.still_open)
            return (_Part.of(problem, candidates) if is_little else None), best
        n_before = n_left


class _Part(NamedTuple):
    """A part of a problem, and its source."""

    problem: AlignmentProblem
    source: Source

    @classmethod
    def of(cls, whole: AlignmentProblem, candidates: IntArray) -> _Part:
        keep = np.zeros(whole.n_candidates, dtype=np.bool_)
        keep[candidates] = True
        return cls(whole.restricted(keep), Source.of(whole, keep))

    def kept(self, keep: BoolArray) -> _Part:
        """Return the part with some of its candidates."""
        candidates = self.source.numbers[: self.problem.n_candidates]
        return _Part.of(self.source.problem, candidates[keep])

    def relaxed(
        self, progress: Progress, cuts: Sequence[Cut] = ()
    ) -> tuple[Relaxation, ProvenDuals] | None:
        """Return the relaxation with cuts; the best alignment near it is offered."""
        inner = progress.of_part(self.problem)
        solved = relaxation(self.problem, inner, progress.goal, self.source, cuts)
        if solved is not None:
            rounded(self.problem, solved[0].x, inner)
        return solved

    def near(self, progress: Progress) -> _Part | None:
        """Return what has little slack in the relaxation without cuts."""
        solved = relaxation(self.problem, progress.of_part(self.problem))
        if solved is None:
            return None
        relaxed, duals = solved
        slack = NEAR * self.problem.lattice() * duals.denominator
        return self.kept((duals.slack <= slack) | (relaxed.x > 0))

    def likely(
        self, relaxed: Relaxation, duals: ProvenDuals, alignment: Alignment
    ) -> _Part:
        """Return the candidates that a good alignment may have, by the relaxation."""
        problem = self.problem
        keep = duals.slack < LIKELY * problem.lattice() * duals.denominator
        keep |= np.array(alignment)[problem.left] == problem.right
        return self.kept(keep | (relaxed.x > 0))

    def search(
        self,
        cuts: Sequence[Cut],
        progress: Progress,
        goal: int,
        nodes: int = MOST_NODES,
    ) -> int | None:
        """Search with HiGHS, offer its alignment, and return its bound."""
        call = self.problem, goal, self.source, cuts, nodes
        answer: _Answer | None = process.run(
            searched, *call, imports=process.SCIPY, progress=progress
        )
        if answer is None:
            return None
        if answer[1] is not None:
            rounded(self.problem, answer[1], progress.of_part(self.problem))
        return answer[0]


def _lower(
    best: Proposal, bound: int | None, progress: Progress, proof: Proof
) -> Proposal:
    """Return the proposal with a lower bound, if there is one, never below the goal."""
    if bound is not None and best.bound is not None:
        bound = max(bound, progress.goal)
        if bound < best.bound:
            best = best._replace(bound=bound, proof=proof)
            progress.prove(bound, proof)
    return best._replace(alignment=progress.alignment)


def _is_over(best: Proposal, progress: Progress) -> bool:
    assert best.bound is not None
    return best.bound <= progress.goal or progress.is_out_of_time()


_Answer: TypeAlias = tuple[int | None, FloatArray | None]
"""A bound, ``None`` if there is none; and how much of each candidate is chosen, if that
is worth more than the goal."""


def searched(
    report: process.Report | None,
    seconds: float | None,
    problem: AlignmentProblem,
    goal: int,
    source: Source,
    cuts: Sequence[Cut],
    nodes: int,
) -> _Answer:
    """Search a part with HiGHS for more than *goal*; called in a process of its own."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    del report
    program = Program(problem, source)
    if not len(program.objective):
        return goal, None
    matrix, upper = program.with_cuts(cuts)
    options = {"mip_rel_gap": 0.0, "node_limit": nodes}
    if seconds is not None:
        options["time_limit"] = _LESS_TIME * seconds
    result = milp(
        -program.objective,
        integrality=np.ones(len(program.objective)),
        bounds=Bounds(0.0, 1.0),
        constraints=[LinearConstraint(matrix, -np.inf, upper)],
        options=options,
    )
    bound, reported = None, result.mip_dual_bound
    is_known = reported is not None and math.isfinite(reported)
    if is_known and result.status in (OPTIMAL, OUT_OF_TIME):
        bound = max(floored(-reported), goal)
    if result.x is None:
        return bound, None
    x = program.solution(0.0, result.x, np.zeros(len(upper))).x
    return bound, x if -result.fun > goal + 0.5 else None
