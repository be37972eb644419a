# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Search for the largest connected common subgraph by edges, from one pair of nodes.

Small changes here can cost speed: time ``maximum_common_edge_subgraph(g, h,
connected=True)`` of molecules before and after.

A connected subgraph can be built from any of its pairs so that each next pair has a
common edge to those before.  So the search takes a node adjacent to the pairs so far,
pairs it with each node that gives a common edge, and then leaves out the edges between
it and the pairs.  At the first depth it takes every node of the first graph in turn,
and leaves out the node.

Two edges can be matched if their classes are equal and their ends are: paired with each
other, or both free and of one label.  That makes *cells* of edges.  The number of
common edges is at most the sum, over cells, of the smaller number of edges.  Only those
edges count that a chain of edges with partners connects with the pairs so far.

**Twins** are nodes of one label with equal edges to the same neighbours, and may be
exchanged: of free twins only one is tried, and a node is left out together with its
free twins.  So free twins have the same edges left out at any time.

Nodes of the second graph are numbered after those of the first.
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
        labels: of all nodes, from 0; equal ones can be paired.
        twins: of all nodes; equal ones of one graph may be exchanged.
        tails, heads: the ends of all edges, of both graphs.
        classes: of all edges, from 0; equal ones can be matched; those of self-loops
            differ from those of other edges.
        directed: whether the order of the ends counts.
    """

    def __init__(self, first, second, labels, twins, tails, heads, classes, directed):
        nodes, edges = first + second, len(tails)
        self.first, self.nodes, self.edges = first, nodes, edges
        self.directed = directed
        self.labels = 1 + max(labels, default=0)
        self.width = self.labels + min(first, second) + 1
        self.state, self.twins = _numbers(labels), _numbers(twins)
        self.tails, self.heads = _numbers(tails), _numbers(heads)
        self.classes = _numbers(classes)
        ends = [[] for _ in range(nodes)]
        for edge, (tail, head) in enumerate(zip(tails, heads, strict=True)):
            for node in {tail, head}:
                ends[node].append(edge)
        self.start = _numbers(np.cumsum([0, *map(len, ends)]).tolist())
        self.incident = _numbers([edge for node_edges in ends for edge in node_edges])
        room = 64
        while room < 3 * edges:
            room *= 2
        self.room = room
        self.keys = (
            np.full(room, -1, dtype=np.int64) if cython.compiled else [-1] * room
        )
        self.counts, self.filled = _zeros(2 * room), _zeros(edges)
        self.slot, self.is_out, self.used = _zeros(edges), _zeros(edges), _zeros(edges)
        self.mate = _numbers([-1] * nodes)
        self.reached, self.queue, self.number = (_zeros(nodes) for _ in range(3))
        depths = min(first, second) + 2
        self.node, self.at, self.ends = (_zeros(depths) for _ in range(3))
        self.values, self.open_edges = _zeros(depths), _zeros(depths)
        self.options = _zeros(depths * max(second, 1))
        self.trail, self.trail_start = _zeros(edges), _zeros(depths)
        self.pairs = _zeros(2 * depths)
        self.best = self.size = self.tried = self.depth = self.left_out = self.mark = 0
        self.upper = edges
        self.open_edges[0] = edges
        self.node[0] = -1

    def mapping(self):
        """Return the pairs of the largest subgraph so far, shape ``(pairs, 2)``."""
        pairs = np.array(self.pairs, dtype=np.intc)[: 2 * self.size].reshape(-1, 2)
        return pairs - np.array([0, self.first], dtype=np.intc)

    def bound(self):
        """Return an upper bound on the edges of all connected common subgraphs."""
        if self.depth < 0 or self.open_edges[0] < self.best:
            return self.best
        return self.open_edges[0] if self.open_edges[0] < self.upper else self.upper

    def run(self, budget):
        """Search on for *budget* steps; return whether the search is over."""
        depth: cython.int = self.depth
        until: cython.longlong = self.tried + budget
        while depth >= 0 and self.best < self.upper:
            if self.node[depth] < 0:
                if self.tried >= until:
                    break
                self.tried += 1
                self.count_cells(depth)
                if self.open_edges[depth] <= self.best or not self.choose(depth):
                    depth = self.back(depth)
                continue
            if self.at[depth]:
                self.pair_off(depth)
            if self.at[depth] < self.ends[depth]:
                self.pair(depth)
                depth += 1
            else:
                self.leave_out(depth)
                self.node[depth] = -1
        else:
            depth = -1
        self.depth = depth
        return depth < 0

    def back(self, depth):
        """Restore the edges that were left out at this depth; return the one above."""
        while depth and self.left_out > self.trail_start[depth]:
            self.left_out -= 1
            self.is_out[self.trail[self.left_out]] = 0
        return depth - 1

    def pair(self, depth):
        """Pair the chosen node with its next partner, and keep the largest subgraph."""
        u: cython.int = self.node[depth]
        w: cython.int = self.options[depth * (self.nodes - self.first) + self.at[depth]]
        self.at[depth] += 1
        self.values[depth + 1] = self.values[depth] + self.gain(u, w)
        self.mate[u] = w
        self.mate[w] = u
        self.node[depth + 1] = -1
        self.trail_start[depth + 1] = self.left_out
        if self.values[depth + 1] > self.best:
            self.best = self.values[depth + 1]
            self.size = depth + 1
            for k in range(depth + 1):
                self.pairs[2 * k] = self.node[k]
                self.pairs[2 * k + 1] = self.mate[self.node[k]]

    def pair_off(self, depth):
        """Separate the chosen node from its last partner."""
        u: cython.int = self.node[depth]
        self.mate[self.mate[u]] = -1
        self.mate[u] = -1

    def gain(self, u, w):
        """Count the common edges that a pair adds, those left out among them."""
        common: cython.int = 0
        self.mark += 1
        for i in range(self.start[u], self.start[u + 1]):
            e: cython.int = self.incident[i]
            x: cython.int = self.tails[e] + self.heads[e] - u
            y: cython.int = w if x == u else self.mate[x]
            if y < 0:
                continue
            for j in range(self.start[w], self.start[w + 1]):
                f: cython.int = self.incident[j]
                if (
                    self.used[f] != self.mark
                    and self.tails[f] + self.heads[f] - w == y
                    and self.classes[f] == self.classes[e]
                    and (
                        not self.directed
                        or (self.tails[e] == u) == (self.tails[f] == w)
                    )
                ):
                    self.used[f] = self.mark
                    common += 1
                    break
        return common

    def count_cells(self, depth):
        """Assign edges to cells, and bound the number of common edges."""
        cells: cython.int = 0
        lost: cython.bint = True
        for k in range(depth):
            self.number[self.node[k]] = self.number[self.mate[self.node[k]]] = k
        for e in range(self.edges):
            self.slot[e] = -1
            if self.is_out[e]:
                continue
            a: cython.longlong = self.place(self.tails[e])
            b: cython.longlong = self.place(self.heads[e])
            if not self.directed and a > b:
                a, b = b, a
            key: cython.longlong = (self.classes[e] * self.width + a) * self.width + b
            slot: cython.int = (key * 40503 + (key >> 7)) & (self.room - 1)
            while self.keys[slot] >= 0 and self.keys[slot] != key:
                slot = (slot + 1) & (self.room - 1)
            if self.keys[slot] < 0:
                self.keys[slot] = key
                self.filled[cells] = slot
                cells += 1
            self.slot[e] = slot
            side: cython.int = self.tails[e] >= self.first
            self.counts[2 * slot + side] += 1
        while depth and lost:
            self.reach(depth)
            lost = False
            for e in range(self.edges):
                slot = self.slot[e]
                if slot >= 0 and self.reached[self.tails[e]] != self.mark:
                    side = self.tails[e] >= self.first
                    self.counts[2 * slot + side] -= 1
                    self.slot[e] = -1
                    if self.counts[2 * slot + side] == 0:
                        lost = lost or self.counts[2 * slot + 1 - side] > 0
        total: cython.int = 0
        for k in range(cells):
            slot = self.filled[k]
            a = self.counts[2 * slot]
            b = self.counts[2 * slot + 1]
            total += a if a < b else b
        # the search may not take edges of cells that one graph alone has
        for e in range(self.edges):
            slot = self.slot[e]
            if slot >= 0 and not (self.counts[2 * slot] and self.counts[2 * slot + 1]):
                self.slot[e] = -1
        for k in range(cells):
            slot = self.filled[k]
            self.keys[slot] = -1
            self.counts[2 * slot] = 0
            self.counts[2 * slot + 1] = 0
        self.open_edges[depth] = total

    def place(self, node):
        """Return the label of a free node, or a number for its pair."""
        if self.mate[node] < 0:
            return self.state[node]
        return self.labels + self.number[node]

    def reach(self, depth):
        """Mark the nodes that chains of edges with partners connect with the pairs."""
        end: cython.int = 0
        k: cython.int = 0
        self.mark += 1
        for i in range(depth):
            node: cython.int = self.node[i]
            self.reached[node] = self.reached[self.mate[node]] = self.mark
            self.queue[end] = node
            self.queue[end + 1] = self.mate[node]
            end += 2
        while k < end:
            node = self.queue[k]
            k += 1
            for i in range(self.start[node], self.start[node + 1]):
                e: cython.int = self.incident[i]
                if (
                    self.slot[e] < 0
                    or not self.counts[2 * self.slot[e]]
                    or not self.counts[2 * self.slot[e] + 1]
                ):
                    continue
                x: cython.int = self.tails[e] + self.heads[e] - node
                if self.reached[x] != self.mark:
                    self.reached[x] = self.mark
                    self.queue[end] = x
                    end += 1

    def choose(self, depth):
        """Choose the node with the fewest partners; return whether there is one."""
        best: cython.int = -1
        fewest: cython.int = 0
        for u in range(self.first):
            if self.mate[u] >= 0:
                continue
            count: cython.int = self.partners(depth, u)
            if count and (best < 0 or count < fewest):
                best = u
                fewest = count
        if best < 0:
            return False
        self.node[depth] = best
        self.at[depth] = 0
        self.ends[depth] = self.partners(depth, best)
        return True

    def partners(self, depth, u):
        """List the possible partners of a node; return their number."""
        base: cython.int = depth * (self.nodes - self.first)
        count: cython.int = 0
        usable: cython.bint = False
        for i in range(self.start[u], self.start[u + 1]):
            e: cython.int = self.incident[i]
            if self.slot[e] < 0:
                continue
            usable = True
            x: cython.int = self.tails[e] + self.heads[e] - u
            if x == u or self.mate[x] < 0:
                continue
            x = self.mate[x]
            for j in range(self.start[x], self.start[x + 1]):
                if self.slot[self.incident[j]] == self.slot[e]:
                    w: cython.int = (
                        self.tails[self.incident[j]] + self.heads[self.incident[j]] - x
                    )
                    count = self.offer(base, count, w)
        if depth == 0 and usable:
            for w in range(self.first, self.nodes):
                if self.state[w] == self.state[u]:
                    count = self.offer(base, count, w)
        return count

    def offer(self, base, count, w):
        """Add a partner unless a twin of it is listed; return their number."""
        for k in range(count):
            if self.twins[self.options[base + k]] == self.twins[w]:
                return count
        self.options[base + count] = w
        return count + 1

    def leave_out(self, depth):
        """Leave out the chosen node, or its edges to the pairs; its twins, too."""
        u: cython.int = self.node[depth]
        for x in range(self.first):
            if x != u and self.twins[x] == self.twins[u] and self.mate[x] < 0:
                self.cut(depth, x)
        self.cut(depth, u)

    def cut(self, depth, u):
        """Leave out a node's edges to the pairs; at the first depth all its edges."""
        for i in range(self.start[u], self.start[u + 1]):
            e: cython.int = self.incident[i]
            x: cython.int = self.tails[e] + self.heads[e] - u
            if not self.is_out[e] and (depth == 0 or (x != u and self.mate[x] >= 0)):
                self.is_out[e] = 1
                self.trail[self.left_out] = e
                self.left_out += 1


def _zeros(size):
    return np.zeros(size, dtype=np.intc) if cython.compiled else [0] * size


def _numbers(values):
    return np.array(values, dtype=np.intc) if cython.compiled else list(values)
