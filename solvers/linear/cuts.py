"""Cuts of items that exclude each other, for the linear relaxation and for ``bnb``.

An *item* is a candidate or a pair term; a term is chosen where both of its candidates
are.  Two items *conflict* if a candidate of one shares exactly one node with a
candidate of the other: no alignment holds both.  Of items that all conflict with each
other, a *clique*, an alignment holds at most one::

    sum of the x and y of a clique's items  <=  1

The aggregated model knows this of candidates at one node, and of the terms of one
candidate.  It does not know it of three terms such as ``(a,1)(b,2)``, ``(a,3)(c,4)``
and ``(b,5)(c,6)``, of each of which it may choose a half.

Cliques are looked for among the items that a solution chooses in part, and then
extended by others, those of least slack first.

A cut with a multiplier is a *relief*: the multiplier is taken from the weights of the
clique's items, and added to all bounds.

Sources: Padberg (1973), "On the facial structure of set packing polyhedra", for
cliques; Escudero, Guignard and Malik (1994), "A Lagrangian relax-and-cut approach for
the sequential ordering problem with precedence relationships", for reliefs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from exactmatch.solvers.problem import AlignmentProblem, BoolArray, FloatArray, IntArray

_VIOLATION = 0.01
"""The least violation for which a cut is added."""

_FRACTIONAL = 1e-5
"""A value that is this near to 0 or 1 is not fractional."""


Cut: TypeAlias = tuple[int, ...]
"""Items of which an alignment holds at most one: candidates by their number, and pair
terms by theirs, after all candidates; increasing."""


class Source(NamedTuple):
    """The problem that a part was taken from, whose items cuts name.

    Attributes:
        problem: that problem.
        numbers: the number of each item of the part there.
    """

    problem: AlignmentProblem
    numbers: IntArray

    @classmethod
    def of(cls, problem: AlignmentProblem, keep: BoolArray) -> Source:
        """Return the source of ``problem.restricted(keep)``."""
        terms = np.flatnonzero(keep[problem.first] & keep[problem.second])
        numbers = np.concatenate((np.flatnonzero(keep), problem.n_candidates + terms))
        return cls(problem, numbers)

    @property
    def n_items(self) -> int:
        """The number of items of the whole problem."""
        return self.problem.n_candidates + self.problem.n_terms


UNIT = 1 << 16
"""The parts of a unit that ``bnb`` counts in, unless weights are very large."""

_TOP = 1 << 60
"""``bnb`` counts in fewer parts if four times the total of all weights exceeds this."""


class Relief(NamedTuple):
    """The effect of cuts with multipliers on weights and bounds, in parts of a unit.

    Attributes:
        total: what is added to every bound.
        unary, weight: what is taken from each candidate, and from each pair term; of a
            pair term no more than its weight.
    """

    total: int
    unary: IntArray
    weight: IntArray

    @classmethod
    def of(
        cls,
        problem: AlignmentProblem,
        cuts: Iterable[Cut],
        multipliers: Iterable[float],
        unit: int = UNIT,
    ) -> Relief:
        """Return the relief of cuts with multipliers, in ``1 / unit`` of a unit."""
        total, taken = 0, np.zeros(problem.n_candidates + problem.n_terms, np.int64)
        for cut, multiplier in zip(cuts, multipliers, strict=True):
            parts = round(multiplier * unit)
            total += parts
            taken[list(cut)] += parts
        unary, weight = np.split(taken, [problem.n_candidates])
        return cls(total, unary, np.minimum(weight, problem.weight * unit))

    @staticmethod
    def fits(problem: AlignmentProblem) -> bool:
        """Return whether ``bnb`` counts in :data:`UNIT` parts, as its relief does."""
        return 4 * problem.total_weight() * UNIT < _TOP

    def of_part(self, candidates: IntArray, terms: IntArray) -> Relief:
        """Return the relief of a part with these candidates and pair terms."""
        return Relief(self.total, self.unary[candidates], self.weight[terms])

    def of_items(self, numbers: IntArray) -> Relief:
        """Return the relief of a part with these items."""
        n = len(self.unary)
        own = numbers < n
        return self.of_part(numbers[own], numbers[~own] - n)


class Items:
    """The items of a problem, with the candidates and the nodes of each.

    Those of a pair term are two, those of a candidate the same one twice.
    """

    def __init__(self, problem: AlignmentProblem) -> None:
        own = np.arange(problem.n_candidates)
        self.ends = np.stack(
            [
                np.concatenate((own, problem.first)),
                np.concatenate((own, problem.second)),
            ]
        )
        self.nodes = [side[self.ends] for side, _ in problem.sides]
        self._at: list[tuple[IntArray, IntArray]] = []

    def conflicts(self, item: int, others: IntArray) -> BoolArray:
        """Return which of the other items conflict with an item."""
        result: BoolArray = np.zeros(len(others), dtype=np.bool_)
        left, right = (nodes[:, others] for nodes in self.nodes)
        for end in (0, 1):
            own_left, own_right = (int(nodes[end, item]) for nodes in self.nodes)
            result |= ((left == own_left) ^ (right == own_right)).any(axis=0)
        return result

    def extended(self, clique: Sequence[int], slack: FloatArray) -> tuple[int, ...]:
        """Extend a clique by as many items as possible, of least slack first."""
        others = self._beside(clique[0])
        for item in clique:
            others = others[self.conflicts(item, others)]
        result = list(clique)
        others = others[np.argsort(slack[others], kind="stable")]
        while len(others):
            item, others = int(others[0]), others[1:]
            result.append(item)
            others = others[self.conflicts(item, others)]
        return tuple(sorted(result))

    def _beside(self, item: int) -> IntArray:
        """Return all items that have a node of an item."""
        if not self._at:
            for nodes in self.nodes:
                order = np.argsort(nodes.ravel(), kind="stable")
                self._at.append((nodes.ravel()[order], order % nodes.shape[1]))
        beside = []
        for nodes, (sorted_nodes, items) in zip(self.nodes, self._at, strict=True):
            for node in nodes[:, item].tolist():
                low, high = np.searchsorted(sorted_nodes, (node, node + 1))
                beside.append(items[low:high])
        return np.unique(np.concatenate(beside))


def violated(items: Items, chosen: FloatArray, slack: FloatArray) -> list[Cut]:
    """Return cuts that a solution violates.

    Args:
        chosen: how much of each item is chosen, 0 to 1.
        slack: how much the relaxation would lose by each item.
    """
    graph = _Graph(items, chosen)
    return list(dict.fromkeys(items.extended(each, slack) for each in graph.cliques()))


class _Graph:
    """The items that a solution chooses in part, and their conflicts."""

    def __init__(self, items: Items, chosen: FloatArray) -> None:
        is_in = (chosen > _FRACTIONAL) & (chosen < 1 - _FRACTIONAL)
        support = np.flatnonzero(is_in)
        support = support[np.argsort(-chosen[support], kind="stable")]
        self.items: list[int] = support.tolist()
        self.values: list[float] = chosen[support].tolist()
        self.beside: list[list[int]] = []
        for place, item in enumerate(self.items):
            in_conflict = items.conflicts(item, support)
            in_conflict[place] = False
            self.beside.append(np.flatnonzero(in_conflict).tolist())

    def cliques(self) -> list[tuple[int, ...]]:
        """Return cliques of which more than one item is chosen, one for each conflict.

        Each is extended by the item that is chosen most; most violated first.
        """
        masks = [sum(1 << other for other in beside) for beside in self.beside]
        violated: dict[tuple[int, ...], float] = {}
        for first, beside in enumerate(self.beside):
            for second in beside:
                if second < first:
                    continue
                clique = [first, second]
                others = masks[first] & masks[second]
                while others:
                    best = (others & -others).bit_length() - 1
                    clique.append(best)
                    others &= masks[best]
                value = math.fsum(self.values[place] for place in clique)
                if value > 1 + _VIOLATION:
                    violated[tuple(sorted(self.items[k] for k in clique))] = value
        return sorted(violated, key=lambda clique: (-violated[clique], clique))
