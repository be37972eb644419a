# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Packed graphs: what a pair of them shows before any search.

A search of ``_uniform.py`` begins with it: a lower bound from labels and degrees, the
parity of the distance, and the *twins* of each graph (nodes that may be exchanged).
Most pairs of a matrix with a limit end here.

Small changes here can cost speed: run ``python -m benchmarks edit-matrix`` before and
after.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython


@cython.cclass
class PackedGraphs:
    """All graphs in arrays, one behind the other.

    Args:
        nodes: where each graph's nodes begin among all, shape ``(graphs,)``.
        cells: where each graph's adjacency matrix begins among all.
        sizes: the number of nodes of each.
        labels: the label of every node; equal numbers are equal labels.
        sorted_labels: the same, sorted within each graph.
        degrees: the number of edges of each node, falling within each graph.
        matrix: all adjacency matrices, row by row; 0 is no edge, others are labels.
        counts: the edges of each node by direction and label, shape
            ``(nodes * sides * kinds,)``.
        totals: the same of each graph, shape ``(graphs * kinds,)``.
        kinds: how many labels of edges there are.
        sides: 1 for undirected graphs, 2 for directed ones.
    """

    def __init__(
        self,
        nodes,
        cells,
        sizes,
        labels,
        sorted_labels,
        degrees,
        matrix,
        counts,
        totals,
        kinds,
        sides,
    ):
        if not cython.compiled:  # Python's integers, which are faster and wider
            nodes, cells, sizes = nodes.tolist(), cells.tolist(), sizes.tolist()
            labels, sorted_labels = labels.tolist(), sorted_labels.tolist()
            degrees, matrix = degrees.tolist(), matrix.tolist()
            counts, totals = counts.tolist(), totals.tolist()
        self.nodes, self.cells, self.sizes = nodes, cells, sizes
        self.labels, self.sorted_labels = labels, sorted_labels
        self.degrees = degrees
        self.matrix, self.counts, self.totals = matrix, counts, totals
        self.kinds, self.sides = kinds, sides

    def quick_bound(self, a, b):
        """Return a lower bound by labels of nodes, and by labels of edges or degrees.

        An edge that is inserted or deleted changes two degrees by one.
        """
        i: cython.int = 0
        k: cython.int = 0
        common: cython.int = 0
        n: cython.int = self.sizes[a]
        m: cython.int = self.sizes[b]
        left_start: cython.int = self.nodes[a]
        right_start: cython.int = self.nodes[b]
        while i < n and k < m:
            x: cython.int = self.sorted_labels[left_start + i]
            y: cython.int = self.sorted_labels[right_start + k]
            if x == y:
                common += 1
            i += x <= y
            k += y <= x
        labels_apart: cython.int = (n if n > m else m) - common
        n = m = common = 0
        for i in range(self.kinds):
            x = self.totals[a * self.kinds + i]
            y = self.totals[b * self.kinds + i]
            n += x
            m += y
            common += x if x < y else y
        common = (n if n > m else m) - common
        n = 0
        for i in range(
            self.sizes[a] if self.sizes[a] > self.sizes[b] else self.sizes[b]
        ):
            x = self.degrees[left_start + i] if i < self.sizes[a] else 0
            y = self.degrees[right_start + i] if i < self.sizes[b] else 0
            n += x - y if x > y else y - x
        n = (n + 1) >> 1
        return labels_apart + (n if n > common else common)

    def parity(self, a, b):
        """Return 1 if the distance must be odd, 0 if even, less than 0 if unknown.

        It is known if no labels of nodes or edges differ.
        """
        left_start: cython.int = self.nodes[a]
        right_start: cython.int = self.nodes[b]
        n: cython.int = self.sizes[a]
        m: cython.int = self.sizes[b]
        if self.kinds > 1 or n == 0 or m == 0:
            return -1
        if self.sorted_labels[left_start] != self.sorted_labels[left_start + n - 1]:
            return -1
        if self.sorted_labels[right_start] != self.sorted_labels[right_start + m - 1]:
            return -1
        if self.sorted_labels[left_start] != self.sorted_labels[right_start]:
            return -1
        return (n + m + self.totals[a] + self.totals[b]) & 1

    def find_twins(self, first, cells, node, size):
        """Write the first twin of every node of a graph."""
        for i in range(size):
            first[i] = i
            for k in range(i):
                if first[k] == k and self.are_twins(cells, node, size, k, i):
                    first[i] = k
                    break

    def are_twins(self, cells, node, size, i, k):
        """Return whether two nodes of a graph may be exchanged."""
        if self.labels[node + i] != self.labels[node + k]:
            return False
        if self.matrix[cells + i * size + k] != self.matrix[cells + k * size + i]:
            return False
        if self.matrix[cells + i * size + i] != self.matrix[cells + k * size + k]:
            return False
        same: cython.bint = True
        for neighbour in range(size):
            if neighbour != i and neighbour != k:
                same &= (
                    self.matrix[cells + i * size + neighbour]
                    == self.matrix[cells + k * size + neighbour]
                )
                same &= (
                    self.matrix[cells + neighbour * size + i]
                    == self.matrix[cells + neighbour * size + k]
                )
        return same
