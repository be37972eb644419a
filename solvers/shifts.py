"""Shifting a reward, so that values lie further apart and bounds round down further.

Where one weight alone keeps all weights from a common divisor, part of it is set aside.
Let *S* be the candidates whose unary weight is the commonest positive one, and *g* the
greatest common divisor of all other weights.  Of the weight on *S* its remainder *t* by
*g* is taken away: all values are then multiples of *g*, and so is every bound, rounded
down.  What was taken away is worth ``t`` times the number *a* of candidates of *S* that
an alignment holds; there are never more than a *cover* has nodes, a set of nodes of
which each candidate of *S* names one::

    value = lowered + t·a  <=  bound of lowered + t·most

An alignment with fewer of them is worth less still.  Where that leaves open only those
that hold many, the same weight is *raised* to the next multiple instead, which bounds
those from the other side::

    value = raised - (g - t)·a  <=  bound of raised - (g - t)·a

Edit costs of molecules are so: the nodes' cost is 20, the edges' are 6 and 3.

Source: Gomory (1958), "Outline of an algorithm for integer solutions to linear
programs", for rounding; the sum of the rows of a cover is one of his cuts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactmatch.solvers.certificate import Certificate, ShiftedProof, Shifts
from exactmatch.solvers.components import components
from exactmatch.solvers.problem import FEW_VALUES, AlignmentProblem, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """Candidates of equal weight, and how far it lies from its neighbours' multiples.

    Attributes:
        candidates: the candidates *S*, increasing.
        down, up: what their weight may be lowered, or raised, by.
        left, right: nodes of which each of these candidates names one.
    """

    candidates: IntArray
    down: int
    up: int
    left: IntArray
    right: IntArray

    @property
    def most(self) -> int:
        """No alignment holds more of the candidates."""
        return len(self.left) + len(self.right)

    def of(self, problem: AlignmentProblem, amount: int) -> AlignmentProblem:
        """The problem with this amount added to the weight of the candidates."""
        unary = problem.unary.copy()
        unary[self.candidates] += amount
        return problem.weighted(unary)

    def certificate(
        self, bound: int, *proofs: tuple[int, Certificate | None]
    ) -> Certificate | None:
        """Evidence from that of shifted problems; ``None`` where one has none."""
        shifted = [ShiftedProof(s, each) for s, each in proofs if each is not None]
        if len(shifted) < len(proofs):
            return None
        shifts = Shifts(
            tuple(self.candidates.tolist()),
            tuple(self.left.tolist()),
            tuple(self.right.tolist()),
            tuple(shifted),
        )
        return Certificate(bound, (), shifts=shifts)


def shift_of(problem: AlignmentProblem) -> Shift | None:
    """The shift that sets values apart; ``None`` where none does, or hardly."""
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
    candidates = np.flatnonzero(problem.unary == weight)
    cover = _cover(problem, candidates)
    return Shift(candidates, down, divisor - down, *cover)


def _cover(
    problem: AlignmentProblem, candidates: IntArray
) -> tuple[IntArray, IntArray]:
    """Nodes of which each candidate names one: of each component the smaller side.

    That is least where all nodes of a label may be aligned with all of the other graph.
    """
    left, right = problem.left[candidates], problem.right[candidates]
    none: IntArray = np.zeros(0, dtype=np.int32)
    alone = AlignmentProblem.trusted(
        problem.n_left,
        problem.n_right,
        (left, right, problem.unary[candidates], none, none, none, none),
    )
    number = components(alone)
    sides = []
    for nodes in (left, right):
        found, first = np.unique(nodes, return_index=True)
        of_node = number[first]
        sides.append((found, of_node, np.bincount(of_node)))
    (i, of_i, count_i), (j, of_j, count_j) = sides
    is_left = count_i <= count_j
    return i[is_left[of_i]], j[~is_left[of_j]]
