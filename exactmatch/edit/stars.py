"""Lower bounds on distances of molecules, from counts of bonds and from stars.

Two matched bonds cost the difference of their orders, and a bond alone its order.  So
a set of bonds of one kind is a vector: for each order the number of bonds of that order
or more, times the difference to the next lower order.  Turning one set into another
costs at least the sum of the absolute differences of their vectors.

* *counts*: the bonds between each two elements.
* *stars*: the bonds of each atom to each element.  Atoms of one element are assigned to
  one another, or to nothing, at the least cost; half of it is the bound, as each bond
  has two ends.  It is at least as high as the bound by counts.

Source: Kretschmer and others (2025), "Coverage bias in small molecule machine
learning", for the bound by stars.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.edit.cost_models import element, order
from exactmatch.solvers.matching import best_matching

Floats = npt.NDArray[np.float64]

_SPARE = 2.0**-30
"""Bounds are lowered by this share, because sums of doubles are rounded."""


class Stars:
    """Counts and stars of graphs that are compared with one another.

    Args:
        graphs: networkx graphs without direction, loops and parallel edges.
        weigh: the cost of a bond alone, from its attributes.

    >>> import networkx
    >>> graphs = [networkx.path_graph(n) for n in (2, 4)]
    >>> for graph in graphs:
    ...     networkx.set_node_attributes(graph, "C", "element")
    >>> stars = Stars(graphs, lambda _: 1.0)
    >>> round(stars.by_stars(0, 1), 6)
    2.0
    """

    def __init__(
        self, graphs: Sequence[Any], weigh: Callable[[Any], float] = order
    ) -> None:
        elements: dict[Any, int] = {}
        self._labels: list[npt.NDArray[np.intp]] = []
        bonds: list[list[tuple[int, int, float]]] = []
        for graph in graphs:
            place = {atom: number for number, atom in enumerate(graph)}
            kinds = (element(attributes) for _, attributes in graph.nodes(data=True))
            node_kinds = [elements.setdefault(kind, len(elements)) for kind in kinds]
            self._labels.append(np.array(node_kinds, dtype=np.intp))
            edges = graph.edges(data=True)
            bonds.append(
                [(place[u], place[v], weigh(attributes)) for u, v, attributes in edges]
            )
        orders = np.unique([w for node_kinds in bonds for *_, w in node_kinds if w > 0])
        self._steps = np.diff(orders, prepend=0.0)
        self._totals = np.array(
            [math.fsum(w for *_, w in node_kinds) for node_kinds in bonds]
        )
        many, width = max(len(elements), 1), max(len(orders), 1)
        pairs: dict[tuple[int, int], int] = {}
        rows = []
        self._stars: list[Floats] = []
        for labels, joined in zip(self._labels, bonds, strict=True):
            star = np.zeros((len(labels), many, width))
            count: dict[int, Floats] = {}
            for i, k, weight in joined:
                vector = self._vector(orders, weight)
                star[i, labels[k]] += vector
                star[k, labels[i]] += vector
                ends = int(labels[i]), int(labels[k])
                kind = pairs.setdefault((min(ends), max(ends)), len(pairs))
                count[kind] = count.get(kind, 0.0) + vector
            self._stars.append(star.reshape(len(labels), many * width))
            rows.append(count)
        counts = np.zeros((len(bonds), len(pairs), width))
        for number, count in enumerate(rows):
            for kind, vector in count.items():
                counts[number, kind] = vector
        self._counts: Floats = counts.reshape(len(bonds), len(pairs) * width)

    def _vector(self, orders: Floats, weight: float) -> Floats:
        if not len(orders):
            return np.zeros(1)
        return np.where(orders <= weight, self._steps, 0.0)

    def by_counts(self, pairs: npt.NDArray[Any]) -> Floats:
        """Return the lower bounds of pairs of graphs by their counts of bonds."""
        apart = np.abs(self._counts[pairs[:, 0]] - self._counts[pairs[:, 1]])
        least: Floats = apart.sum(axis=1) * (1 - _SPARE)
        return least

    def by_stars(self, first: int, second: int) -> float:
        """Return the lower bound of a pair of graphs by its stars."""
        return self.by_stars_unspared(first, second) * (1 - _SPARE)

    def by_stars_unspared(self, first: int, second: int) -> float:
        """Return the bound by stars, not lowered for the rounding of sums."""
        left, right = self._stars[first], self._stars[second]
        total = float(self._totals[first] + self._totals[second])
        if not len(left) or not len(right):
            return total
        shared = np.minimum(left[:, np.newaxis], right[np.newaxis]).sum(axis=2)
        same = self._labels[first][:, np.newaxis] == self._labels[second]
        shared *= same
        rows, columns = best_matching(shared)
        return total - float(shared[rows, columns].sum())

    def by_degrees(self, first: int, second: int) -> float:
        """Return the weaker bound by the sums of orders at the atoms of an element."""
        apart = 0.0
        sides = [
            (self._labels[number], self._stars[number].sum(axis=1))
            for number in (first, second)
        ]
        for kind in np.unique(np.concatenate([labels for labels, _ in sides])):
            left, right = (
                np.sort(sums[labels == kind])[::-1] for labels, sums in sides
            )
            length = max(len(left), len(right))
            padded = [
                np.pad(orders, (0, length - len(orders))) for orders in (left, right)
            ]
            apart += float(np.abs(padded[0] - padded[1]).sum())
        return apart / 2
