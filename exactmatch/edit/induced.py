"""Search for the common induced subgraph with the most nodes.

A kernel searches it.  If that takes long, the graphs may be nearly equal: then nodes
with similar neighbours are paired, pairs that are joined differently are left out, and
the search goes on with the pairs that a larger subgraph can have.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.edit.problem import Sides
from exactmatch.edit.searches import Side, classified
from exactmatch.solvers.nearly_equal import Least, Skeleton, paired, within_cost
from exactmatch.solvers.problem import Alignment, BoolArray, IntArray
from exactmatch.solvers.solution import Solution

_partition: Any = kernels.load("exactmatch.edit._partition")

LARGEST = 512
"""Graphs with more nodes are compared only if they are equal or nearly so."""

BRIEF = 200_000
"""Steps, fewer for large graphs, before nodes with similar neighbours are paired:
about 30 ms."""

_STEPS = 50_000
"""Steps, fewer for large graphs, after which the clock is read: about 5 ms."""


class Joined(NamedTuple):
    """Graph as numbers: of its nodes with their loops, and of how any two are joined.

    Nodes that are not joined have the number 0.  Equal numbers mean the same in both
    graphs.
    """

    labels: IntArray
    kinds: IntArray


class _Search:
    """Search of two graphs, which pairs nodes of equal labels.

    Args:
        best: only subgraphs with more nodes are of use.
    """

    def __init__(self, graphs: list[Joined], connected: bool, best: int) -> None:
        self.sizes = [len(graph.labels) for graph in graphs]
        joined = sum(np.count_nonzero(kinds) for _, kinds in graphs)
        sign = 1 if 2 * joined > sum(size**2 for size in self.sizes) else -1
        self.orders = [
            np.argsort(sign * np.count_nonzero(kinds, axis=1), kind="stable")
            for _, kinds in graphs
        ]
        ordered = [
            (labels[order], kinds[np.ix_(order, order)].ravel())
            for (labels, kinds), order in zip(graphs, self.orders, strict=True)
        ]
        tables = map(np.concatenate, zip(*ordered, strict=True))
        largest_kind = max(int(kinds.max(initial=0)) for _, kinds in graphs)
        self.kernel = _partition.Search(*self.sizes, *tables, largest_kind, connected)
        self.kernel.best = self.useless = best

    def run(self, steps: float, ends: float) -> bool:
        """Search on for some steps, and until a time; return whether it is over."""
        turn = 1 + _STEPS // (1 + max(self.sizes) // 64)
        until = self.kernel.tried + steps
        while not self.kernel.run(turn):
            if self.kernel.tried >= until or time.perf_counter() >= ends:
                return False
        return True

    def alignment(self) -> Alignment | None:
        """Return the best subgraph as an alignment; ``None`` if none is of use."""
        if self.kernel.best <= self.useless:
            return None
        pairs = self.kernel.mapping()
        right_of = np.full(self.sizes[0], -1)
        right_of[self.orders[0][pairs[:, 0]]] = self.orders[1][pairs[:, 1]]
        return tuple(right_of.tolist())


def largest_induced(
    sides: Sides, seconds: float | None, *, connected: bool = False, above: int = 0
) -> Solution | None:
    """Search for the common induced subgraph with the most nodes.

    Returns:
        The subgraph as an alignment, which is empty if none has more nodes than
        *above*; ``None`` if equality is not an equivalence, or graphs are too large.
    """
    started = time.perf_counter()
    ends = math.inf if seconds is None else started + seconds
    sizes = [len(nodes) for nodes in sides.nodes]
    classes = classified(sides)
    if not classes:
        return None
    graphs = _joined(classes)
    alignment: Alignment = (-1,) * sizes[0]
    size, bound = above, max(min(sizes), above)
    search = None
    if max(sizes) <= LARGEST:
        search = _Search(graphs, connected, above)
        search.run(BRIEF // (1 + max(sizes) // 16), ends)
        alignment = search.alignment() or alignment
        size, bound = search.kernel.best, search.kernel.bound()
    if size < bound and time.perf_counter() < ends:
        start = _start(graphs, connected)
        if (count := _count(start)) > size:
            alignment, size = start, count
        if search is not None and size < bound:
            narrow = _narrowed(graphs, [n_nodes - size - 1 for n_nodes in sizes])
            search = search if narrow is None else _Search(narrow, connected, size)
            search.kernel.best = search.useless = size
            search.run(math.inf, ends)
            alignment = search.alignment() or alignment
            size, bound = search.kernel.best, min(bound, search.kernel.bound())
    if search is None and size < bound:
        return None
    took = time.perf_counter() - started
    value = _count(alignment)
    return Solution(alignment, value, bound, "partition", "partition", took)


def _count(alignment: Alignment) -> int:
    return sum(j >= 0 for j in alignment)


def _joined(graphs: list[Side]) -> list[Joined]:
    """Number the nodes of both graphs with their loops, and how any two are joined."""
    labels: dict[Any, int] = {}
    node_numbers, joined = [], []
    for node_labels, kinds, bundles in graphs:
        loops = bundles.loops()
        keys = (
            (label, *sorted(kinds[e] for e in loops.get(i, ())))
            for i, label in enumerate(node_labels)
        )
        numbers = [labels.setdefault(key, len(labels)) for key in keys]
        node_numbers.append(np.array(numbers, dtype=np.intc))
        joints = {}
        for i, k in chain(bundles.between, (ends[::-1] for ends in bundles.between)):
            if i != k:
                ways = bundles.of(i, k), bundles.of(k, i)
                joints[i, k] = tuple(tuple(sorted(kinds[e] for e in w)) for w in ways)
        joined.append(joints)
    shared = set(joined[0].values()) & set(joined[1].values())
    number_of = {key: number for number, key in enumerate(sorted(shared), 1)}
    joined_graphs: list[Joined] = []
    for side, numbered in enumerate(node_numbers):
        table = np.zeros((len(numbered), len(numbered)), dtype=np.intc)
        for pair, key in joined[side].items():
            table[pair] = number_of.get(key, len(number_of) + 1 + side)
        joined_graphs.append(Joined(numbered, table))
    return joined_graphs


# --------------------------------------------------------------- nearly equal graphs


def _skeletons(graphs: list[Joined]) -> tuple[Skeleton, Skeleton]:
    first, second = (
        Skeleton(
            labels.tolist(),
            [{k: int(row[k]) for k in np.flatnonzero(row).tolist()} for row in kinds],
        )
        for labels, kinds in graphs
    )
    return first, second


def _start(graphs: list[Joined], connected: bool) -> Alignment:
    """Pair nodes with similar neighbours, without pairs that are joined differently."""
    sizes = [len(graph.labels) for graph in graphs]

    def cost(image: Sequence[int]) -> int:
        return sum(sizes) - 2 * _count(_without_conflicts(graphs, image, connected))

    allowed = np.equal.outer(graphs[0].labels, graphs[1].labels)
    image = paired(*_skeletons(graphs), cost, allowed)
    return _without_conflicts(graphs, image, connected)


def _without_conflicts(
    graphs: list[Joined], image: Sequence[int], connected: bool
) -> Alignment:
    """Leave out pairs, those with most conflicts first, until no conflict is left."""
    right_of = np.array(image, dtype=np.intp)
    left = np.flatnonzero(right_of >= 0)
    right = right_of[left]
    kinds = graphs[0].kinds[np.ix_(left, left)]
    differs = kinds != graphs[1].kinds[np.ix_(right, right)]
    conflicts = differs.sum(axis=1)
    kept = np.ones(len(left), dtype=bool)
    while conflicts.any():
        worst = int(conflicts.argmax())
        conflicts -= differs[worst]
        conflicts[worst], kept[worst] = 0, False
        differs[worst], differs[:, worst] = False, False
    if connected:
        kept = _largest_piece(kinds != 0, kept)
    alignment = np.full(len(image), -1)
    alignment[left[kept]] = right[kept]
    return tuple(alignment.tolist())


def _largest_piece(joined: BoolArray, kept: BoolArray) -> BoolArray:
    """Return the nodes of the largest connected piece of those that are kept."""
    best, remaining = np.zeros_like(kept), kept.copy()
    while remaining.any():
        piece = np.zeros_like(kept)
        piece[remaining.argmax()] = True
        while True:
            wider = piece | (remaining & joined[piece].any(axis=0))
            if wider.sum() == piece.sum():
                break
            piece = wider
        remaining &= ~piece
        best = max(best, piece, key=np.count_nonzero)
    return best


def _narrowed(graphs: list[Joined], max_left_out: list[int]) -> list[Joined] | None:
    """Refine labels: nodes that a larger subgraph cannot pair get different ones.

    It leaves out at most *max_left_out* nodes of each graph.  A neighbour of one node
    that has no partner next to the other one is left out itself.

    Returns:
        The graphs with finer labels; ``None`` if they are not finer.
    """
    labels = [graph.labels for graph in graphs]
    renaming = np.where(np.equal.outer(*labels), 0, -1).astype(np.int64)
    skeletons = _skeletons(graphs)
    possible = within_cost(
        *skeletons, renaming, Least(1, 0, 1, 0, 0, 0), max_left_out[0]
    )
    possible &= within_cost(
        *skeletons, renaming, Least(0, 1, 0, 1, 0, 0), max_left_out[1]
    )
    finer = _pieces(possible)
    if len({*finer[0], *finer[1]}) == len({*labels[0].tolist(), *labels[1].tolist()}):
        return None
    return [
        Joined(np.array(colours, dtype=np.intc), graph.kinds)
        for colours, graph in zip(finer, graphs, strict=True)
    ]


def _pieces(possible: BoolArray) -> tuple[list[int], list[int]]:
    """Number rows and columns by the connected components of possible pairs."""
    m, n = possible.shape
    rows, columns = np.arange(m), np.arange(m, m + n)
    while True:
        lower = np.where(possible, rows[:, None], m + n).min(axis=0, initial=m + n)
        columns = np.minimum(columns, lower)
        lower = np.where(possible, columns, m + n).min(axis=1, initial=m + n)
        after = np.minimum(rows, lower)
        if np.array_equal(after, rows):
            return rows.tolist(), columns.tolist()
        rows = after
