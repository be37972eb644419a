"""Shifting a reward, so that values lie further apart and bounds round down further.

Where one weight alone keeps all weights from a common divisor, part of it is set aside.
Let *S* be the candidates whose unary weight is the commonest positive one, and *g* the
greatest common divisor of all other weights.  Of the weight on *S* its remainder *t* by
*g* is taken away: all values are then multiples of *g*, and so is every bound, rounded
down.  What was taken away is worth ``t`` times the number *a* of candidates of *S* that
an alignment holds; there are never more than a *cover* has nodes, a set of nodes of
which each candidate of *S* names one::

    value = lowered + t·a  <=  bound of lowered + t·most

Where that is not enough, alignments with fewer are told from those with so many.  For
these the weight is *raised* to a multiple, the farther the better, for a relaxation
then chooses so many as well; for the others it is lowered so far that it does not::

    value = raised - r·a   <=  bound of raised - r·most      where a = most
    value = lowered + s·a  <=  bound of lowered + s·(most - 1)   where a < most

Edit costs of molecules are so: the nodes' cost is 20, the edges' are 6 and 3.

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
"""What is added to the weight of each shifted candidate; how many of them alignments
hold, at most (where the weight is raised, at least); what is proved of these."""


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """Candidates of equal weight, and what makes it a multiple of all others' divisor.

    Attributes:
        candidates: the candidates *S*, increasing.
        down: the least that their weight may be lowered by.
        less, more: by how much it is lowered, or raised, to look for alignments with
            fewer of them than there may be, or with so many.
        left, right: nodes of which each of these candidates names one.
    """

    candidates: IntArray
    down: int
    less: int
    more: int
    left: IntArray
    right: IntArray

    @property
    def most(self) -> int:
        """No alignment holds more of the candidates."""
        return len(self.left) + len(self.right)

    def of(self, problem: AlignmentProblem, amount: int) -> AlignmentProblem:
        """Return the problem with this amount added to the weight of the candidates."""
        unary = problem.unary.copy()
        unary[self.candidates] += amount
        return problem.weighted(unary)

    def concluded(self, alignment: Alignment, *cases: Case) -> Proposal:
        """Return the bound on the problem itself that all cases together prove."""
        proof = weakest(proposal.proof for _, _, proposal in cases)
        bounds, shifted = [], []
        for amount, number, proposal in cases:
            if proposal.bound is None:
                return Proposal(alignment, None)
            bounds.append(proposal.bound - amount * number)
            if proposal.certificate is not None:
                shifted.append(ShiftedProof(amount, proposal.certificate))
        bound = max(bounds)
        arrays = self.candidates, self.left, self.right
        chosen, left, right = (tuple(array.tolist()) for array in arrays)
        shifts = Shifts(chosen, left, right, tuple(shifted))
        if len(shifted) < len(cases) or shifts.bound() > bound:
            return Proposal(alignment, bound, proof)
        return Proposal(alignment, bound, proof, Certificate(bound, (), shifts=shifts))


def shift_of(problem: AlignmentProblem) -> Shift | None:
    """Return the shift that sets values apart; ``None`` where none does, or hardly.

    A problem without pair terms needs none: one assignment proves its optimum.
    """
    if not problem.n_terms:
        return None
    kinds, counts = np.unique(problem.unary, return_counts=True)
    positive = kinds > 0
    if not positive.any():
        return None
    weight = int(kinds[np.where(positive, counts, 0).argmax()])
    others = np.gcd.reduce(kinds[kinds != weight], initial=0)
    divisor = int(np.gcd.reduce(problem.weight, initial=others))
    if weight % max(divisor, 1) == 0 or problem.scale >= FEW_VALUES * divisor:
        return None
    down = weight % divisor
    less = down + weight // (2 * divisor) * divisor
    more = divisor - down + weight // divisor * divisor
    candidates = np.flatnonzero(problem.unary == weight)
    return Shift(candidates, down, less, more, *_cover(problem, candidates))


def _cover(
    problem: AlignmentProblem, candidates: IntArray
) -> tuple[IntArray, IntArray]:
    """Nodes of which each candidate names one: of each component the smaller side.

    That is least where all nodes of a label may be aligned with all of the other graph.
    """
    number = components_by_nodes(problem, candidates)
    sides = []
    for nodes, _ in problem.sides:
        cover, first = np.unique(nodes[candidates], return_index=True)
        of_node = number[first]
        sides.append((cover, of_node, np.bincount(of_node)))
    (i, of_i, count_i), (j, of_j, count_j) = sides
    is_left = count_i <= count_j
    return i[is_left[of_i]], j[~is_left[of_j]]
