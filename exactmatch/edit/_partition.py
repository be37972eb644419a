# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Search for the largest common induced subgraph by partitions, held as bit sets.

Small changes here can cost speed: run ``python -m benchmarks common-subgraphs`` before
and after.

Two nodes may become a pair if they have equal edges to all pairs so far.  So the free
nodes of both graphs fall into *cells*, and a node may be paired only with nodes of its
cell; each new pair splits every cell by the edges of its nodes to the pair.  The number
of pairs that can follow is at most the sum, over cells, of the smaller number of nodes.

The search takes the smallest cell, and in it a node of the side that has fewer: it is
paired with each node of the other side in turn, and then left out.  **Twins**, nodes of
one label with the same neighbours except for each other, may be exchanged: of free
twins only one is tried, and a node is left out together with its free twins.

Nodes are numbered in the order of preference.  A set of them is a row of words of 64
bits.

Sources: McCreesh, Prosser and Trimble (2017), "A partitioning algorithm for maximum
common subgraph problems", IJCAI, for the partition and its bound.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

import numpy as np


@cython.cclass
class Search:
    """Search of one pair of graphs.

    Args:
        first, second: their numbers of nodes.
        labels: of the nodes of the first and then of the second, from 0; nodes with
            equal numbers are equal, and their loops are.
        kinds: how two nodes are joined, both matrices row by row: 0 is not at all,
            and equal numbers are equal edges in both directions.
        width: the number of kinds besides 0.
        connected: whether the subgraph must be connected.
    """

    def __init__(self, first, second, labels, kinds, width, connected):
        if not cython.compiled:  # Python's integers, which are faster and wider
            labels, kinds = labels.tolist(), kinds.tolist()
        self.labels, self.kinds, self.width = labels, kinds, width
        self.connected = connected
        self.sizes = _zeros(2)
        self.sizes[0], self.sizes[1] = first, second
        larger = max(first, second, 1)
        self.words = (larger + 63) // 64
        smaller = min(first, second)
        nodes = first + second
        self.rows = _sets(width * nodes * self.words)
        self.twins = _sets(nodes * self.words)
        # each depth has no more cells than pairs that may still be made
        self.room = nodes + 1 + smaller * (smaller + 1) // 2
        self.members = _sets(2 * self.room * self.words)
        self.counts = _zeros(2 * self.room)
        self.joined = _zeros(self.room)
        self.first = _zeros(smaller + 2)
        self.chosen, self.side = _zeros(smaller + 1), _zeros(smaller + 1)
        self.node, self.other = _zeros(smaller + 1), _zeros(smaller + 1)
        self.open_pairs = _zeros(smaller + 1)
        self.pairs = _zeros(2 * smaller)
        self.tries = _sets((smaller + 1) * self.words)
        self.best = self.tried = self.depth = 0
        self.prepare()

    def mapping(self):
        """Return the pairs of the largest subgraph so far, shape ``(best, 2)``."""
        return np.array(self.pairs, dtype=np.intc)[: 2 * self.best].reshape(-1, 2)

    def bound(self):
        """Return an upper bound on the pairs of all common subgraphs."""
        if self.depth < 0 or self.open_pairs[0] < self.best:
            return self.best
        return self.open_pairs[0]

    def run(self, budget):
        """Search on for *budget* steps; return whether the search is over."""
        depth: cython.int = self.depth
        until: cython.longlong = self.tried + budget
        while depth >= 0:
            if self.node[depth] < 0:
                if self.open_pairs[0] <= self.best:
                    depth = -1
                    break
                if depth + self.open_pairs[depth] <= self.best or not self.choose(
                    depth
                ):
                    depth -= 1
                    continue
            if self.tried >= until:
                break
            if self.next_try(depth) < 0:
                self.drop(depth)
                self.node[depth] = -1
                continue
            self.tried += 1
            if depth + 1 > self.best:
                self.keep(depth)
            if self.split(depth):
                depth += 1
                self.node[depth] = -1
        self.depth = depth
        return depth < 0

    def prepare(self):
        """Fill the rows of the graphs, find twins, and make a cell for each label."""
        cell: cython.int = 0
        start: cython.int = 0
        node: cython.int = 0
        one: cython.ulonglong = 1
        for side in range(2):
            size: cython.int = self.sizes[side]
            for i in range(size):
                for k in range(size):
                    kind: cython.int = self.kinds[start + i * size + k]
                    if kind and i != k:
                        at: cython.Py_ssize_t = (node + i) * self.width + kind - 1
                        self.rows[at * self.words + (k >> 6)] |= one << (k & 63)
            self.find_twins(side)
            start += size * size
            node += size
        for i in range(self.sizes[0]):
            label: cython.int = self.labels[i]
            for k in range(i):
                if self.labels[k] == label:
                    break
            else:
                node = 0
                for side in range(2):
                    at = (side * self.room + cell) * self.words
                    for k in range(self.sizes[side]):
                        if self.labels[node + k] == label:
                            self.members[at + (k >> 6)] |= one << (k & 63)
                            self.counts[side * self.room + cell] += 1
                    node += self.sizes[side]
                k = self.counts[cell]
                size = self.counts[self.room + cell]
                self.open_pairs[0] += k if k < size else size
                cell += 1
        self.first[1] = cell
        self.node[0] = -1

    def find_twins(self, side):
        """Write the set of twins of every node, which includes the node itself."""
        size: cython.int = self.sizes[side]
        node: cython.int = self.sizes[0] if side else 0
        start: cython.Py_ssize_t = self.sizes[0] * self.sizes[0] if side else 0
        one: cython.ulonglong = 1
        for i in range(size):
            for k in range(size):
                same: cython.bint = (
                    self.labels[node + i] == self.labels[node + k]
                    and self.kinds[start + i * size + k]
                    == self.kinds[start + k * size + i]
                )
                w: cython.int = 0
                while same and w < size:
                    if w != i and w != k:
                        same = (
                            self.kinds[start + i * size + w]
                            == self.kinds[start + k * size + w]
                        )
                    w += 1
                if same:
                    self.twins[(node + i) * self.words + (k >> 6)] |= one << (k & 63)

    def choose(self, depth):
        """Choose the cell and the node to go on with; return whether there is one."""
        best: cython.int = -1
        smallest: cython.int = 0
        k: cython.int = 0
        for cell in range(self.first[depth], self.first[depth + 1]):
            left: cython.int = self.counts[cell]
            right: cython.int = self.counts[self.room + cell]
            if left == 0 or right == 0:
                continue
            if self.connected and depth and not self.joined[cell]:
                continue
            size: cython.int = left if left > right else right
            if best < 0 or size < smallest:
                best = cell
                smallest = size
        if best < 0:
            return False
        side: cython.int = self.counts[best] > self.counts[self.room + best]
        self.chosen[depth] = best
        self.side[depth] = side
        at: cython.Py_ssize_t = (side * self.room + best) * self.words
        while self.members[at + k] == 0:
            k += 1
        word: cython.ulonglong = self.members[at + k]
        self.node[depth] = 64 * k + bits((word & (~word + 1)) - 1)
        at = ((1 - side) * self.room + best) * self.words
        for k in range(self.words):
            self.tries[depth * self.words + k] = self.members[at + k]
        return True

    def next_try(self, depth):
        """Return the next partner of the chosen node; less than 0 if none is left."""
        at: cython.Py_ssize_t = depth * self.words
        for k in range(self.words):
            word: cython.ulonglong = self.tries[at + k]
            if word:
                w: cython.int = 64 * k + bits((word & (~word + 1)) - 1)
                self.other[depth] = w
                twin: cython.Py_ssize_t = (
                    w if self.side[depth] else self.sizes[0] + w
                ) * self.words
                for k in range(self.words):
                    self.tries[at + k] &= ~self.twins[twin + k]
                return w
        return -1

    def drop(self, depth):
        """Remove the chosen node and its twins from the cells of this depth."""
        side: cython.int = self.side[depth]
        cell: cython.int = self.chosen[depth]
        v: cython.int = self.node[depth]
        side_cell: cython.int = side * self.room + cell
        n_partners: cython.int = self.counts[(1 - side) * self.room + cell]
        n_before: cython.int = self.counts[side_cell]
        twin: cython.Py_ssize_t = (self.sizes[0] + v if side else v) * self.words
        at: cython.Py_ssize_t = side_cell * self.words
        n_left: cython.int = 0
        for k in range(self.words):
            self.members[at + k] &= ~self.twins[twin + k]
            n_left += bits(self.members[at + k])
        self.counts[side_cell] = n_left
        self.open_pairs[depth] += (n_left if n_left < n_partners else n_partners) - (
            n_before if n_before < n_partners else n_partners
        )

    def split(self, depth):
        """Split all cells by the pair; return whether a larger subgraph is possible."""
        side: cython.int = self.side[depth]
        v: cython.int = self.other[depth] if side else self.node[depth]
        w: cython.int = self.node[depth] if side else self.other[depth]
        words: cython.int = self.words
        width: cython.int = self.width
        left_row: cython.Py_ssize_t = v * width * words
        right_row: cython.Py_ssize_t = (self.sizes[0] + w) * width * words
        n_cells: cython.int = self.first[depth + 1]
        end: cython.int = n_cells
        total: cython.int = self.open_pairs[depth] - 1
        right_half: cython.Py_ssize_t = self.room * words
        needed: cython.int = self.best - depth - 1
        for cell in range(self.first[depth], end):
            at: cython.Py_ssize_t = cell * words
            a: cython.int = self.counts[cell]
            b: cython.int = self.counts[self.room + cell]
            if a == 0 or b == 0:
                continue
            if cell == self.chosen[depth]:
                a -= 1
                b -= 1
            total -= a if a < b else b
            for kind in range(width):
                to: cython.Py_ssize_t = n_cells * words
                left: cython.int = 0
                for k in range(words):
                    x: cython.ulonglong = (
                        self.members[at + k] & self.rows[left_row + kind * words + k]
                    )
                    self.members[to + k] = x
                    left += bits(x)
                right: cython.int = 0
                for k in range(words):
                    x = (
                        self.members[right_half + at + k]
                        & self.rows[right_row + kind * words + k]
                    )
                    self.members[right_half + to + k] = x
                    right += bits(x)
                a -= left
                b -= right
                if left and right:
                    self.counts[n_cells] = left
                    self.counts[self.room + n_cells] = right
                    self.joined[n_cells] = 1
                    n_cells += 1
                    total += left if left < right else right
            if a > 0 and b > 0:
                to = n_cells * words
                for k in range(words):
                    self.members[to + k] = self.members[at + k]
                    self.members[right_half + to + k] = self.members[
                        right_half + at + k
                    ]
                for kind in range(width):
                    for k in range(words):
                        self.members[to + k] &= ~self.rows[left_row + kind * words + k]
                        self.members[right_half + to + k] &= ~self.rows[
                            right_row + kind * words + k
                        ]
                if cell == self.chosen[depth]:
                    x = 1
                    self.members[to + (v >> 6)] &= ~(x << (v & 63))
                    self.members[right_half + to + (w >> 6)] &= ~(x << (w & 63))
                self.counts[n_cells] = a
                self.counts[self.room + n_cells] = b
                self.joined[n_cells] = self.joined[cell]
                n_cells += 1
                total += a if a < b else b
            if total <= needed:
                return False
        self.first[depth + 2] = n_cells
        self.open_pairs[depth + 1] = total
        return True

    def keep(self, depth):
        """Keep the pairs so far as the largest subgraph."""
        self.best = depth + 1
        for k in range(depth + 1):
            side: cython.int = self.side[k]
            self.pairs[2 * k + side] = self.node[k]
            self.pairs[2 * k + 1 - side] = self.other[k]


def bits(word):
    """Count the bits of a word that are set."""
    half: cython.ulonglong = 0x55555555
    pairs: cython.ulonglong = 0x33333333
    fours: cython.ulonglong = 0x0F0F0F0F
    ones: cython.ulonglong = 0x01010101
    word -= (word >> 1) & (half << 32 | half)
    pairs |= pairs << 32
    word = (word & pairs) + ((word >> 2) & pairs)
    word = (word + (word >> 4)) & (fours << 32 | fours)
    return ((word * (ones << 32 | ones)) >> 56) & 255


def _zeros(size):
    return np.zeros(size, dtype=np.intc) if cython.compiled else [0] * size


def _sets(size):
    return np.zeros(size, dtype=np.uint64) if cython.compiled else [0] * size
