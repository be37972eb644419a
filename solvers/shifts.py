"""Change one weight, so that values lie further apart and bounds round down further.

Sometimes all weights but one have a large common divisor.  Let *S* be the candidates
whose unary weight is the commonest positive one, *g* the greatest common divisor of all
other weights, and *t* the remainder of the weight on *S* when divided by *g*.  If the
weight on *S* is lowered by *t*, all values are multiples of *g*, and bounds round down
to such multiples.

The values of the original problem follow: an alignment that holds *a* candidates of *S*
lost ``t·a``.  A *cover* is a set of nodes such that each candidate of *S* has one of
them; *a* is never larger than *most*, the number of its nodes.  So::

    value = lowered + t·a  <=  bound of lowered + t·most

If that bound is too high, there are two cases.  For the alignments that hold *most*
candidates, the weight is raised by *r* to a multiple of *g*, far enough that a
relaxation chooses as many.  For all others it is lowered by *s*, far enough that a
relaxation chooses fewer::

    value = raised - r·a   <=  bound of raised - r·most          where a = most
    value = lowered + s·a  <=  bound of lowered + s·(most - 1)   where a < most

Edit costs of molecules are an example: nodes cost 20, edges 6 and 3.

Source: Gomory (1958), "Outline of an algorithm for integer solutions to linear
programs", for rounding; the sum of the rows of a cover is one of his cuts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from exactmatch.solvers.certificate import Certificate, ShiftedProof, Shifts
from exactmatch.solvers.components import components_by_nodes
from exactmatch.solvers.problem import FEW_VALUES, Alignment, AlignmentProblem, IntArray
from exactmatch.solvers.solution import Proposal, weakest

Case: TypeAlias = tuple[int, int, Proposal]
"""The amount added to the weight of each shifted candidate; the most of them that an
alignment holds (the fewest, if the weight is raised); the bound for these
alignments."""


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """Candidates of equal weight, and the changes that make it a multiple of *g*.

    Attributes:
        candidates: the candidates *S*, increasing.
        remainder: the smallest amount *t* by which their weight may be lowered.
        lowered_by: the amount *s*, for alignments that hold fewer than the most.
        raised_by: the amount *r*, for alignments that hold the most.
        left, right: the nodes of the cover.
    """

    candidates: IntArray
    remainder: int
    lowered_by: int
    raised_by: int
    left: IntArray
    right: IntArray

    @property
    def max_held(self) -> int:
        """The most of the candidates that an alignment can hold."""
        return len(self.left) + len(self.right)

    def of(self, problem: AlignmentProblem, amount: int) -> AlignmentProblem:
        """Return the problem with this amount added to the weight of the candidates."""
        unary = problem.unary.copy()
        unary[self.candidates] += amount
        return problem.weighted(unary)

    def combine(self, alignment: Alignment, *cases: Case) -> Proposal:
        """Return the bound on the original problem that all cases together prove."""
        proof = weakest(proposal.proof for _, _, proposal in cases)
        bounds, shifted_proofs = [], []
        for amount, number, proposal in cases:
            if proposal.bound is None:
                return Proposal(alignment, None)
            bounds.append(proposal.bound - amount * number)
            if proposal.certificate is not None:
                shifted_proofs.append(ShiftedProof(amount, proposal.certificate))
        bound = max(bounds)
        arrays = self.candidates, self.left, self.right
        chosen, left, right = (tuple(array.tolist()) for array in arrays)
        shifts = Shifts(chosen, left, right, tuple(shifted_proofs))
        if len(shifted_proofs) < len(cases) or shifts.bound() > bound:
            return Proposal(alignment, bound, proof)
        return Proposal(alignment, bound, proof, Certificate(bound, (), shifts=shifts))


def shift_of(problem: AlignmentProblem) -> Shift | None:
    """Return the shift of a problem; ``None`` if none helps, or helps little.

    A problem without pair terms needs none: one assignment proves its optimum.
    """
    if not problem.n_terms:
        return None
    weights, counts = np.unique(problem.unary, return_counts=True)
    positive = weights > 0
    if not positive.any():
        return None
    weight = int(weights[np.where(positive, counts, 0).argmax()])
    other_divisor = np.gcd.reduce(weights[weights != weight], initial=0)
    divisor = int(np.gcd.reduce(problem.weight, initial=other_divisor))
    if weight % max(divisor, 1) == 0 or problem.scale >= FEW_VALUES * divisor:
        return None
    remainder = weight % divisor
    lowered_by = remainder + weight // (2 * divisor) * divisor
    raised_by = divisor - remainder + weight // divisor * divisor
    candidates = np.flatnonzero(problem.unary == weight)
    return Shift(
        candidates, remainder, lowered_by, raised_by, *_cover(problem, candidates)
    )


def _cover(
    problem: AlignmentProblem, candidates: IntArray
) -> tuple[IntArray, IntArray]:
    """Return a cover of the candidates: the smaller side of each component.

    It is the smallest cover if all nodes with a label may be aligned with each other.
    """
    component_of = components_by_nodes(problem, candidates)
    sides = []
    for nodes, _ in problem.sides:
        cover, first_candidate = np.unique(nodes[candidates], return_index=True)
        component = component_of[first_candidate]
        sides.append((cover, component, np.bincount(component)))
    (left, left_component, left_count), (right, right_component, right_count) = sides
    is_left = left_count <= right_count
    return left[is_left[left_component]], right[~is_left[right_component]]
