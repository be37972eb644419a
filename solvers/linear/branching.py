"""Which candidate a tree of relaxations branches on: pseudo-costs.

Of the two branches on a candidate one takes it and one leaves it out.  How far the
relaxation fell in earlier branches of a kind, for each unit that the candidate's value
had to move, is its *pseudo-cost* of that kind; a candidate that was never branched on
has the mean of those that were.  What they promise of both branches is weighed: five
parts for the one that falls less, one part for the other, neither counted further than
what closes it.

Source: Bénichou et al. (1971), "Experiments in mixed-integer linear programming", for
pseudo-costs; Linderoth and Savelsbergh (1999), "A computational study of search
strategies for mixed integer programming", for the weights.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.problem import AlignmentProblem

LEFT_OUT, TAKEN = 0, 1
"""The two kinds of branches."""

_WEIGHT_OF_THE_LESSER = 5 / 6

_WHOLE = 1e-6
"""A value as near as this to 0 or 1 is not fractional."""

_LIKELIEST = 200
"""So many candidates are compared, those with the most at stake."""


class Branched(NamedTuple):
    """A branch that is to be solved, for what is learned from it.

    Attributes:
        candidate: the candidate, by a number that is the same in all parts.
        kind: whether it is taken or left out.
        distance: how far its value has to move, between 0 and 1.
        value: what the relaxation was worth before.
    """

    candidate: int
    kind: int
    distance: float
    value: float


@dataclass(slots=True)
class PseudoCosts:
    """Pseudo-costs, learned from the branches of one tree.

    Attributes:
        falls: for each candidate that was branched on, the sum of the falls for a unit
            and their number: first where it was left out, then where it was taken.
    """

    falls: dict[int, tuple[list[float], list[float]]] = field(default_factory=dict)

    def learn(self, branched: Branched, value: float) -> None:
        """Note what the relaxation is worth in a branch."""
        known = self.falls.setdefault(branched.candidate, ([0.0, 0.0], [0.0, 0.0]))
        fall = max(branched.value - value, 0.0)
        known[branched.kind][0] += fall / max(branched.distance, 1e-3)
        known[branched.kind][1] += 1

    def choose(
        self,
        problem: AlignmentProblem,
        x: npt.NDArray[np.float64],
        needed: float,
        lattice: int = 0,
    ) -> int:
        """The candidate to branch on, or -1 if there is nothing to decide.

        Args:
            problem: the part that is left at the node.
            x: how much of each of its candidates the relaxation chooses.
            needed: how far the relaxation has to fall for a branch to be closed.
            lattice: what values are multiples of; a fall by more is no better.
        """
        stake = _at_stake(problem, x)
        order = np.argsort(-stake, kind="stable")[:_LIKELIEST]
        if not len(order) or stake[order[0]] <= 0:
            return -1
        open_still = order[(stake[order] > 0) & (np.abs(x[order] - 0.5) < 0.5 - _WHOLE)]
        if not len(open_still):
            return int(order[0])
        names = names_of(problem)[open_still].tolist()
        falls = np.stack(
            [
                self._expected(names, LEFT_OUT) * x[open_still],
                self._expected(names, TAKEN) * (1 - x[open_still]),
            ]
        )
        falls = np.minimum(falls, max(2 * needed + lattice, 1e-3))
        score = _WEIGHT_OF_THE_LESSER * falls.min(axis=0)
        score += (1 - _WEIGHT_OF_THE_LESSER) * falls.max(axis=0)
        return int(open_still[score.argmax()])

    def _expected(self, names: list[int], kind: int) -> npt.NDArray[np.float64]:
        learned = {
            name: known[kind][0] / known[kind][1]
            for name, known in self.falls.items()
            if known[kind][1]
        }
        mean = sum(learned.values()) / len(learned) if learned else 1.0
        return np.array([learned.get(name, mean) for name in names])


def names_of(problem: AlignmentProblem) -> npt.NDArray[np.int64]:
    """A number for each candidate that it has in every part of the problem."""
    names: npt.NDArray[np.int64] = problem.left * problem.n_right + problem.right
    return names


def _at_stake(
    problem: AlignmentProblem, x: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """How unsure each candidate with a rival is, times what it could earn."""
    left = np.bincount(problem.left, minlength=problem.n_left)
    right = np.bincount(problem.right, minlength=problem.n_right)
    has_rival = (left[problem.left] > 1) | (right[problem.right] > 1)
    stake = problem.unary.astype(np.float64)
    np.add.at(stake, problem.first, problem.weight)
    np.add.at(stake, problem.second, problem.weight)
    return np.where(has_rival, (np.minimum(x, 1 - x) + 1e-6) * stake, 0.0)
