"""The best alignment and its proof where no two candidates share a node.

Then every candidate may be chosen, and only those with a negative weight of their
own raise a question: do their pair terms pay for them?  The split that answers it
is a maximum flow from the pair terms to the candidates that cost.  Worth above zero
flows along shares to candidates below zero, until no path from the one to the other
is left.  What is still reached from a worth above zero is the best alignment: all
that it costs is paid, and no term that it earns is shared with anybody outside.  Its
value is the bound of that split.

Weights of all terms are positive, so that this is the closure problem of Picard
(1976), "Maximal closure of a graph and applications to combinatorial problems".

Time a change with ``python -m benchmarks solving``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Split = kernels.load_interpreted("exactmatch.solvers.kernel.lagrangian").Split


class Closure:
    """Shortest augmenting paths through the shares of a split.

    ``queue`` holds the candidates that worth can flow to, ``seen[i]`` whether the
    one of left node *i* is among them, and ``via[i]`` the half along which it was
    reached, or -1 where worth begins to flow.
    """

    def __init__(self, split: Split):
        self.split = split

    def carve(self, memory):
        """Take the arrays from *memory*."""
        self.via = memory.ints(self.split.n_left)
        self.seen = memory.ints(self.split.n_left)
        self.queue = memory.ints(self.split.n_left)

    def solve(self):
        """Find the best split, and match the best alignment."""
        self.split.weigh()
        reached: cython.int = self.reach()
        while reached > 0 and self.split.worth[self.queue[reached - 1]] < 0:
            self.flow(self.queue[reached - 1])
            reached = self.reach()
        self.unmatch()
        for n in range(reached):
            c: cython.int = self.queue[n]
            self.split.outer.row_match[self.split.left[c]] = c

    def reach(self):
        """Fill the queue and return its length; a worth below zero ends it."""
        left: cython.p_int = self.split.left
        worth: cython.p_longlong = self.split.worth
        reached: cython.int = 0
        passed: cython.int = 0
        for n in range(self.split.n_pool):
            c: cython.int = self.split.pool[n]
            self.seen[left[c]] = worth[c] > 0
            if worth[c] > 0:
                self.via[left[c]] = -1
                self.queue[reached] = c
                reached += 1
        self.split.work += self.split.n_pool
        while passed < reached:
            c = self.queue[passed]
            passed += 1
            if worth[c] < 0:
                return passed
            for h in range(self.split.half_begin[c], self.split.half_begin[c + 1]):
                d: cython.int = self.split.partner[h]
                if (
                    self.split.half_live[h]
                    and self.split.share[h] > 0
                    and not self.seen[left[d]]
                ):
                    self.seen[left[d]] = 1
                    self.via[left[d]] = h
                    self.queue[reached] = d
                    reached += 1
        return reached

    def flow(self, end):
        """Take candidate *end* as much worth as its path can carry and it needs."""
        left: cython.p_int = self.split.left
        share: cython.p_longlong = self.split.share
        twin: cython.p_int = self.split.twin
        worth: cython.p_longlong = self.split.worth
        amount: cython.longlong = -worth[end]
        c: cython.int = end
        h: cython.int = self.via[left[end]]
        while h >= 0:
            amount = min(amount, share[h])
            c = self.split.partner[twin[h]]
            h = self.via[left[c]]
        amount = min(amount, worth[c])
        worth[c] -= amount
        worth[end] += amount
        h = self.via[left[end]]
        while h >= 0:
            share[h] -= amount
            share[twin[h]] += amount
            self.split.changed[self.split.partner[h]] = 1
            self.split.changed[self.split.partner[twin[h]]] = 1
            h = self.via[left[self.split.partner[twin[h]]]]

    def unmatch(self):
        """Undo all matches of the split's assignment."""
        for i in range(self.split.n_left):
            self.split.outer.row_match[i] = -1
        for i in range(self.split.n_right):
            self.split.outer.col_match[i] = -1
