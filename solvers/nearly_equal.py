"""Graphs that differ by few edits: an edit path, and the needs of cheaper paths.

Colours are refined on both graphs together.  Where both have equally many nodes of each
colour, nodes of one colour are paired one after another until all colours are single.
Otherwise nodes with a rare colour are paired first, and every pair votes for pairs of
its neighbours.  The path is not proven.

It bounds what a cheaper path may do: substituting *u* by *v* costs at least what that
forces on their neighbours.  Where this is as much as the whole path costs, no cheaper
path does it, and the pair need not be looked at.

Source: Weisfeiler and Leman (1968), for colours; Narayanan and Shmatikov (2009),
"De-anonymizing social networks", for the votes.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from exactmatch.solvers.problem import BoolArray, IntArray

DEPTH = 8
"""Colours are refined at most so often before votes begin."""

SINGLED = 300
"""The most nodes that are singled out; each costs a refinement."""

ROUNDS = 12
"""So many times pairs that look wrong are parted, and votes begin anew."""

CROWDED = 2_000
"""A pair with more pairs of neighbours does not vote."""

WORK = 50
"""Votes begin anew while there are no more for each node or edge."""

CHECKS = 6
"""Rounds in which the remaining neighbours are compared."""

LARGEST_DEGREE = 63
"""Nodes with more neighbours count as alike."""

Neighbours: TypeAlias = list[dict[int, int]]
"""For each node its neighbours, and the kind of the bundle of edges between them."""


class Skeleton(NamedTuple):
    """A graph: the class of every node, with its loops, and who is beside whom."""

    classes: list[int]
    beside: Neighbours


class Least(NamedTuple):
    """The least costs, in whole units, of the differences between two graphs.

    Attributes:
        deleted, inserted: of a bundle of edges that only one graph has.
        lost, gained: of a bundle of the first graph, or the second, without one of its
            kind in the other.
        renamed: of two nodes that are not of one class.
        nodes: of the nodes that one graph has more than the other.
    """

    deleted: int
    inserted: int
    lost: int
    gained: int
    renamed: int
    nodes: int


# ------------------------------------------------------------------ an edit path


def paired(
    first: Skeleton,
    second: Skeleton,
    cost: Callable[[Sequence[int]], int],
    allowed: BoolArray,
    rounds: int = ROUNDS,
) -> list[int]:
    """Pair the nodes of two graphs, so that few edits are left.

    Args:
        cost: the cost of the remaining edits, 0 at best.
        allowed: which nodes may be paired.
        rounds: how often pairs that look wrong are parted.

    Returns:
        The partner of each node of the first graph; -1 for none.
    """
    depths = refined(first, second)
    sizes = len(first.classes), len(second.classes)
    last = depths[-1]
    if sizes[0] == sizes[1] and Counter(last[: sizes[0]]) == Counter(last[sizes[0] :]):
        partners = singled_out(first, second, last)
        if partners is not None and cost(partners) == 0:
            return partners
    votes = _Votes(first, second, depths, allowed)
    best = votes.run({})
    least = cost(best)
    kept, share = best, 0.5
    for _ in range(rounds):
        if least == 0 or share > 1 or votes.work > WORK * votes.size:
            break
        anchors = {
            u: v for u, v in enumerate(kept) if v >= 0 and votes.fits(kept, u, share)
        }
        kept = votes.run(anchors)
        now = cost(kept)
        if now < least:
            best, least = kept, now
        else:
            share += 0.1
    return best


def _step(first: Skeleton, second: Skeleton, colours: list[int]) -> list[int]:
    """Refine colours once: by those of the neighbours."""
    n = len(first.classes)
    numbers: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    refined_colours = []
    for side, offset in ((first, 0), (second, n)):
        for u, beside in enumerate(side.beside):
            around = sorted((kind, colours[offset + k]) for k, kind in beside.items())
            key = colours[offset + u], tuple(around)
            refined_colours.append(numbers.setdefault(key, len(numbers)))
    return refined_colours


def refined(first: Skeleton, second: Skeleton) -> list[list[int]]:
    """Return the colours of all nodes, of the first graph and then the second."""
    depths = [[*first.classes, *second.classes]]
    for _ in range(DEPTH):
        after = _step(first, second, depths[-1])
        if len(set(after)) == len(set(depths[-1])):
            break
        depths.append(after)
    return depths


def singled_out(
    first: Skeleton, second: Skeleton, colours: list[int]
) -> list[int] | None:
    """Pair nodes of equal colours, one after another, and refine colours each time."""
    n = len(first.classes)
    for _ in range(SINGLED):
        while True:
            after = _step(first, second, colours)
            if len(set(after)) == len(set(colours)):
                break
            colours = after
        cells: dict[int, list[int]] = {}
        for node, colour in enumerate(colours):
            cells.setdefault(colour, []).append(node)
        if any(2 * sum(u < n for u in cell) != len(cell) for cell in cells.values()):
            return None
        several = [cell for cell in cells.values() if len(cell) > 2]
        if not several:
            return [v - n for _, v in sorted(cells.values())]
        cell = min(several, key=len)
        fresh = max(colours) + 1
        colours = [*colours]
        for node in (cell[0], next(v for v in cell if v >= n)):
            colours[node] = fresh
    return None


class _Votes:
    """Pairs of nodes, found by the votes of those that are paired already."""

    def __init__(
        self,
        first: Skeleton,
        second: Skeleton,
        depths: list[list[int]],
        allowed: BoolArray,
    ) -> None:
        n = len(first.classes)
        self.one, self.other, self.allowed = first, second, allowed
        self.depths = [(colours[:n], colours[n:]) for colours in depths]
        self.size = sum(1 + len(b) for side in (first, second) for b in side.beside)
        self.work = 0  # votes that were given

    def run(self, anchors: dict[int, int]) -> list[int]:
        """Pair all nodes, beginning with some pairs."""
        self.image = [-1] * len(self.one.classes)
        self.taken = [False] * len(self.other.classes)
        self.votes: Counter[tuple[int, int]] = Counter()
        self.heap: list[tuple[int, int, int]] = []
        self.depth = len(self.depths) - 1
        for u, v in anchors.items():
            self._pair(u, v)
        self._settle()
        for depth in reversed(range(len(self.depths))):
            self.depth = depth
            self._pair_rare()
            self._settle()
        for (k, x), count in self.votes.items():  # now any vote will do
            heapq.heappush(self.heap, (-count, k, x))
        self._settle()
        for first_cells, second_cells in reversed(self.depths):
            self._pair_equal(first_cells, second_cells)
        self._pair_equal([0] * len(self.image), [0] * len(self.taken))
        return self.image

    def fits(self, image: list[int], u: int, share: float) -> bool:
        """Return whether a pair matches so large a share of its edges."""
        first_neighbours, second_neighbours = (
            self.one.beside[u],
            self.other.beside[image[u]],
        )
        same = sum(
            second_neighbours.get(image[k], -1) == kind
            for k, kind in first_neighbours.items()
        )
        return same >= share * max(len(first_neighbours), len(second_neighbours))

    def _pair(self, u: int, v: int) -> None:
        self.image[u], self.taken[v] = v, True
        first_neighbours, second_neighbours = self.one.beside[u], self.other.beside[v]
        if len(first_neighbours) * len(second_neighbours) > CROWDED:
            return
        colours = self.depths[self.depth]
        free = [(k, kind) for k, kind in first_neighbours.items() if self.image[k] < 0]
        free_neighbours = [
            (x, kind) for x, kind in second_neighbours.items() if not self.taken[x]
        ]
        self.work += len(free) * len(free_neighbours)
        for k, kind in free:
            for x, its in free_neighbours:
                if kind == its and self.allowed[k, x]:
                    self.votes[k, x] += 1
                    count = self.votes[k, x]
                    if count > 1 or colours[0][k] == colours[1][x]:
                        heapq.heappush(self.heap, (-max(count, 2), k, x))

    def _settle(self) -> None:
        """Pair what waits on the heap, most votes first."""
        while self.heap:
            _, k, x = heapq.heappop(self.heap)
            if self.image[k] < 0 and not self.taken[x]:
                self._pair(k, x)

    def _pair_rare(self) -> None:
        """Pair nodes whose colour at this depth no other free node has."""
        first_cells, second_cells = self._cells(*self.depths[self.depth])
        for colour, cell in first_cells.items():
            second_cell = second_cells.get(colour, [])
            if (
                len(cell) == len(second_cell) == 1
                and self.allowed[cell[0], second_cell[0]]
            ):
                self._pair(cell[0], second_cell[0])

    def _pair_equal(self, left: Sequence[int], right: Sequence[int]) -> None:
        """Pair free nodes of equal colours in their order."""
        first_cells, second_cells = self._cells(left, right)
        for colour, cell in first_cells.items():
            second_nodes = iter(second_cells.get(colour, []))
            for u in cell:
                v = next((v for v in second_nodes if self.allowed[u, v]), -1)
                if v >= 0:
                    self.image[u], self.taken[v] = v, True

    def _cells(
        self, left: Sequence[int], right: Sequence[int]
    ) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        cells: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        for u, colour in enumerate(left):
            if self.image[u] < 0:
                cells[0].setdefault(colour, []).append(u)
        for v, colour in enumerate(right):
            if not self.taken[v]:
                cells[1].setdefault(colour, []).append(v)
        return cells


# ------------------------------------------------------- what cheaper paths need


def within_cost(
    first: Skeleton, second: Skeleton, renaming: IntArray, least: Least, max_cost: int
) -> BoolArray:
    """Return which substitutions of nodes a path of at most this cost may have.

    Args:
        renaming: what substituting each node by each costs; negative: not allowed.
        least: the least costs of the differences.
        max_cost: the largest cost of interest; nothing is possible below 0.

    Returns:
        Shape ``(m, n)``; what is false is in no path of such a cost.
    """
    if max_cost < 0 or not renaming.size:
        return np.zeros(renaming.shape, dtype=bool)
    room = 2 * (max_cost - least.nodes) - 2 * renaming  # in halves of units
    possible: BoolArray = (renaming >= 0) & (_around(first, second, least) <= room)
    degrees = [np.array([len(b) for b in side.beside]) for side in (first, second)]
    kinds = sorted(
        {kind for side in (first, second) for b in side.beside for kind in b.values()}
    )
    for _ in range(CHECKS):
        before = np.count_nonzero(possible)
        missed = _missed(first, second, possible, kinds)
        missing = _missed(second, first, possible.T, kinds).T
        # bundles of another kind may take the place of one without a partner
        several = len(kinds) > 1
        first_degrees = degrees[0][:, None] - (0 if several else missed)
        its = degrees[1][None, :] - (0 if several else missing)
        costs = least.lost * missed
        costs += least.inserted * np.maximum(degrees[1][None, :] - first_degrees, 0)
        back = least.gained * missing
        back += least.deleted * np.maximum(degrees[0][:, None] - its, 0)
        possible &= 2 * np.maximum(costs, back) <= room
        if np.count_nonzero(possible) == before:
            break
    return possible


def _around(first: Skeleton, second: Skeleton, least: Least) -> IntArray:
    """Bound what differs around two nodes, in halves of units.

    Each neighbour that has more neighbours than its partner costs an edge, which two
    neighbours may share; so it costs half of that.
    """
    numbers: dict[tuple[int, int, int], int] = {}
    rows: list[list[Counter[int]]] = []
    for graph in (first, second):
        sizes = [min(len(beside), LARGEST_DEGREE) for beside in graph.beside]
        colours = [
            Counter(
                numbers.setdefault((kind, graph.classes[k], sizes[k]), len(numbers))
                for k, kind in beside.items()
            )
            for beside in graph.beside
        ]
        rows.append(colours)
    counts = [
        np.zeros((len(numbers), len(colours)), dtype=np.int32) for colours in rows
    ]
    for table, colours in zip(counts, rows, strict=True):
        for u, colour_counts in enumerate(colours):
            for colour, count in colour_counts.items():
                table[colour, u] = count
    common = np.zeros((len(rows[0]), len(rows[1])), dtype=np.int64)
    for first_counts, second_counts in zip(*counts, strict=True):
        left, right = np.flatnonzero(first_counts), np.flatnonzero(second_counts)
        common[np.ix_(left, right)] += np.minimum.outer(
            first_counts[left], second_counts[right]
        )
    degrees = [np.array([len(b) for b in side.beside]) for side in (first, second)]
    fewer = np.minimum.outer(*degrees)
    surplus = np.subtract.outer(*degrees)
    changed = 2 * max(least.lost, least.gained)
    unequal = min(changed, 2 * least.renamed, least.deleted, least.inserted)
    bounds: IntArray = unequal * (fewer - common)
    bounds += 2 * least.deleted * np.maximum(surplus, 0)
    bounds += 2 * least.inserted * np.maximum(-surplus, 0)
    return bounds


def _missed(
    first: Skeleton, second: Skeleton, possible: BoolArray, kinds: Sequence[int]
) -> IntArray:
    """Count the neighbours of *u* without possible partner beside *v*, for each two."""
    m, n = possible.shape
    missed = np.zeros((m, n), dtype=np.int64)
    for kind in kinds:
        first_edges, second_edges = (_of_kind(side, kind) for side in (first, second))
        has_partner = np.zeros((m, n), dtype=bool)
        if len(second_edges.nodes):
            reached = possible[:, second_edges.ends]
            has_partner[:, second_edges.nodes] = np.logical_or.reduceat(
                reached, second_edges.begins, axis=1
            )
        if len(first_edges.nodes):
            alone = ~has_partner[first_edges.ends]
            counts = np.add.reduceat(alone, first_edges.begins, axis=0, dtype=np.int64)
            missed[first_edges.nodes] += counts
    return missed


class _Ends(NamedTuple):
    """The nodes with neighbours by one kind of bundle, and these, one after another."""

    nodes: list[int]
    ends: list[int]
    begins: list[int]


def _of_kind(side: Skeleton, kind: int) -> _Ends:
    kind_ends = _Ends([], [], [])
    for u, beside in enumerate(side.beside):
        ends = [k for k, its in beside.items() if its == kind]
        if ends:
            kind_ends.nodes.append(u)
            kind_ends.begins.append(len(kind_ends.ends))
            kind_ends.ends.extend(ends)
    return kind_ends
