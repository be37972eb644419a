"""The edges that join two nodes, and how parallel ones are matched with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from exactmatch.edit.costs import IntTable


class Bundles:
    """The edges of a graph by the nodes that they join.

    Attributes:
        names: all edges, as networkx names them.
        directed: whether they have a direction.
        between: the numbers of the edges from one node to another, self-loops
            included; of an undirected graph, each under one of the two orders.
    """

    def __init__(self, graph: Any, number: dict[Any, int]) -> None:
        self.names = list(graph.edges)
        self.directed = bool(graph.is_directed())
        self.between: dict[tuple[int, int], list[int]] = {}
        for e, (u, v, *_) in enumerate(self.names):
            ends = number[u], number[v]
            if not self.directed:
                ends = min(ends), max(ends)
            self.between.setdefault(ends, []).append(e)

    def of(self, i: int, k: int) -> list[int]:
        """The edges from node *i* to node *k*; in an undirected graph, between them."""
        ends = (i, k) if self.directed else (min(i, k), max(i, k))
        return self.between.get(ends, [])

    def loops(self) -> dict[int, list[int]]:
        """The self-loops of every node that has one."""
        return {i: edges for (i, k), edges in self.between.items() if i == k}

    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of different nodes that are joined, each once, smaller first."""
        return sorted({(min(e), max(e)) for e in self.between if e[0] != e[1]})


def best_matching(
    savings: IntTable, own: Sequence[int], others: Sequence[int]
) -> tuple[int, list[tuple[int, int]]]:
    """Match parallel edges with parallel edges so that most is saved.

    Returns:
        What is saved, and the pairs that save something.
    """
    if not own or not others:
        return 0, []
    if len(own) == len(others) == 1:
        saved = int(savings[own[0], others[0]])
        return saved, [(own[0], others[0])] if saved > 0 else []
    from scipy.optimize import linear_sum_assignment

    table = savings[np.ix_(own, others)]
    rows, columns = linear_sum_assignment(table, maximize=True)
    pairs = [
        (own[r], others[c])
        for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
        if table[r, c] > 0
    ]
    return int(table[rows, columns].sum()), pairs
