"""Parts of a problem that have nothing to do with one another.

Two candidates belong together where they share a node or a pair term.  Where a problem
falls apart into *components*, its best alignment is the union of theirs, and its bound
the sum.  A document whose variables are aligned within their sentences does so:
only triples of the document level keep sentences together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exactmatch.solvers.problem import Alignment, AlignmentProblem, IntArray


def components(problem: AlignmentProblem) -> IntArray:
    """Return the component of every candidate, from 0; shape ``(candidates,)``.

    Labels are propagated: each candidate repeatedly takes the least label among those
    that it shares a node or pair term with.  Following labels of labels (pointer
    jumping) keeps rounds few in long chains.  ``auto`` needs NumPy alone, so SciPy's
    ``connected_components`` is not called.
    """
    label = np.arange(problem.n_candidates)
    while True:
        least = label.copy()
        np.minimum.at(least, problem.first, label[problem.second])
        np.minimum.at(least, problem.second, label[problem.first])
        for nodes, count in problem.sides:
            of_node = np.full(count, problem.n_candidates)
            np.minimum.at(of_node, nodes, least)
            least = of_node[nodes]
        least = least[least]
        if np.array_equal(least, label):
            return np.unique(label, return_inverse=True)[1]
        label = least


def components_by_nodes(problem: AlignmentProblem, candidates: IntArray) -> IntArray:
    """Return the component of each of some candidates, without pair terms."""
    none: IntArray = np.zeros(0, dtype=np.int32)
    left, right = problem.left[candidates], problem.right[candidates]
    arrays = (left, right, problem.unary[candidates], none, none, none, none)
    return components(AlignmentProblem.trusted(problem.n_left, problem.n_right, arrays))


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """A component as a problem of its own, with its place in the whole problem."""

    problem: AlignmentProblem
    candidates: IntArray
    terms: IntArray
    left: IntArray
    right: IntArray

    def of(self, whole: Alignment) -> Alignment:
        """Restrict an alignment of the whole problem to the component."""
        place = {j: k for k, j in enumerate(self.right.tolist())}
        return tuple(place.get(whole[i], -1) for i in self.left.tolist())

    def within(self, whole: Alignment, alignment: Alignment) -> Alignment:
        """Return an alignment of the whole with this one of the component."""
        together = list(whole)
        right = self.right.tolist()
        for i, j in zip(self.left.tolist(), alignment, strict=True):
            together[i] = -1 if j < 0 else right[j]
        return tuple(together)


def apart(problem: AlignmentProblem, number: IntArray) -> Iterator[Component]:
    """Return the components of a problem, by the numbers of its candidates.

    The time of all together grows with the size of the problem, however many they are.
    """
    candidates = grouped(number)
    terms = grouped(number[problem.first], len(candidates))
    starts = grouped(number[problem.start], len(candidates))
    for chosen, joined, starts_of_part in zip(candidates, terms, starts, strict=True):
        left, i = np.unique(problem.left[chosen], return_inverse=True)
        right, j = np.unique(problem.right[chosen], return_inverse=True)
        ends = (
            problem.first[joined],
            problem.second[joined],
            problem.start[starts_of_part],
        )
        places = (np.searchsorted(chosen, end) for end in ends)
        left_nodes, right_nodes, first, second, start = (
            each.astype(np.int32) for each in (i, j, *places)
        )
        weights = problem.unary[chosen], first, second, problem.weight[joined]
        part = AlignmentProblem.trusted(
            len(left),
            len(right),
            (left_nodes, right_nodes, *weights, start),
            problem.scale,
        )
        yield Component(part, chosen, joined, left, right)


def grouped(number: IntArray, count: int | None = None) -> list[IntArray]:
    """Return the places of each number from 0 to *count*; default: of all numbers."""
    count = int(number.max(initial=-1)) + 1 if count is None else count
    order = np.argsort(number, kind="stable")
    return np.split(order, np.searchsorted(number[order], np.arange(1, count)))[:count]
