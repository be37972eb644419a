# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Bound what an alignment of two graphs can be worth, before its problem is solved.

The code is Python that Cython compiles; nothing needs the GIL.  Time a change with
``python -m benchmarks para all-pairs``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Memory = kernels.load_interpreted("exactmatch.solvers.kernel.assignment").Memory

TOO_MUCH = 1 << 62
"""The bound where there is no memory to compute one."""


class Credits:
    """Bounds the pair that a statement has begun to state.

    Args:
        shared: what the two graphs share.
        statement: their worths and terms.
    """

    def __init__(self, shared, statement):
        self.shared = shared
        self.statement = statement
        self.memory = Memory()

    def carve(self):
        """Lay out the arrays in memory; a first call only counts what they need."""
        size: cython.Py_ssize_t = self.statement.n_places
        rows: cython.Py_ssize_t = self.statement.n_left
        cols: cython.Py_ssize_t = self.statement.n_right
        self.left_credit = self.memory.longs(size)
        self.right_credit = self.memory.longs(size)
        self.latest = self.memory.ints(size)
        self.heaviest = self.memory.longs(size)
        self.row_best = self.memory.longs(rows)
        self.row_next = self.memory.longs(rows)
        self.row_wish = self.memory.ints(rows)
        self.row_gap = self.memory.longs(rows)
        self.col_best = self.memory.longs(cols)
        self.col_next = self.memory.longs(cols)
        self.col_wish = self.memory.ints(cols)
        self.col_gap = self.memory.longs(cols)

    def bound(self):
        """Return an upper bound on the value of every alignment.

        The credit of a candidate is its weight and half of what its pair terms can
        match, all counted in halves.  No alignment is worth more than the best credit
        of every left node together, nor than that of every right node; the smaller sum
        is the bound.
        """
        width: cython.int = self.statement.n_right
        every: cython.bint = self.statement.every
        worth: cython.p_longlong = self.statement.worth
        self.memory.count()
        self.carve()
        if not self.memory.allocate():
            return TOO_MUCH
        self.carve()
        by_left: cython.p_longlong = self.left_credit
        by_right: cython.p_longlong = self.right_credit
        col_best: cython.p_longlong = self.col_best
        col_next: cython.p_longlong = self.col_next
        col_wish: cython.p_int = self.col_wish
        self.credit_terms()
        # No branches, because a processor cannot predict which candidate is better.
        # A pair that is not a candidate is worth 0 and changes nothing.
        for i in range(self.statement.n_left):
            best: cython.longlong = 0
            following: cython.longlong = 0
            wish: cython.int = 0
            start: cython.int = i * width if every else self.statement.begins[i]
            end: cython.int = start + width if every else self.statement.begins[i + 1]
            for place in range(start, end):
                j: cython.int = (
                    place - start if every else self.statement.partners[place]
                )
                credit: cython.longlong = by_left[place]
                lower: cython.longlong = by_right[place]
                credit = lower if lower < credit else credit
                credit += 2 * worth[place]
                lower = credit if credit < best else best
                following = lower if lower > following else following
                wish = j if credit > best else wish
                best = credit if credit > best else best
                highest: cython.longlong = col_best[j]
                second: cython.longlong = col_next[j]
                wished: cython.int = col_wish[j]
                lower = credit if credit < highest else highest
                col_next[j] = lower if lower > second else second
                col_wish[j] = i if credit > highest else wished
                col_best[j] = credit if credit > highest else highest
            self.row_best[i] = best
            self.row_next[i] = following
            self.row_wish[i] = wish
        return min(self.wished(True), self.wished(False)) // 2

    def credit_terms(self):
        """Credit candidates with their pair terms, at most one for each relation.

        The other terms of a relation lead to the same node, which is aligned once.
        The right credit counts the relations of the right graph so, the left credit
        those of the left one.
        """
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        for s in range(self.shared.n_keys, self.shared.n_shared):
            for y in range(self.shared.right_from[s], self.shared.right_to[s], 3):
                if right[y] == right[y + 1]:
                    continue
                for x in range(self.shared.left_from[s], self.shared.left_to[s], 3):
                    if left[x] != left[x + 1]:
                        self.credit_term(self.right_credit, x, y, y)
            for x in range(self.shared.left_from[s], self.shared.left_to[s], 3):
                if left[x] == left[x + 1]:
                    continue
                for y in range(self.shared.right_from[s], self.shared.right_to[s], 3):
                    if right[y] != right[y + 1]:
                        self.credit_term(self.left_credit, x, y, -x)

    def credit_term(self, credit, x, y, relation):
        """Credit both candidates of a pair term, if it is their best of a relation."""
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        weight: cython.longlong = left[x + 2]
        if self.shared.product:
            weight *= right[y + 2]
        else:
            weight = min(weight, right[y + 2])
        weight *= self.statement.scale
        width: cython.int = self.statement.n_right
        if self.statement.every:
            place: cython.int = left[x] * width + right[y]
            other: cython.int = left[x + 1] * width + right[y + 1]
        else:
            place = self.statement.place(left[x], right[y])
            other = self.statement.place(left[x + 1], right[y + 1])
            if place < 0 or other < 0:
                return
        self.credit_place(credit, place, relation, weight)
        self.credit_place(credit, other, relation, weight)

    def credit_place(self, credit, place, relation, weight):
        """Credit a candidate with what a pair term adds to its best of a relation."""
        if self.latest[place] != relation:
            self.latest[place] = relation
            self.heaviest[place] = 0
        if weight > self.heaviest[place]:
            credit[place] += weight - self.heaviest[place]
            self.heaviest[place] = weight

    def wished(self, is_left):
        """Bound one side: of the nodes that share their best partner, one gets it.

        The others have their second best.  The bound holds for any choice of the one,
        and is lowest for the node that would lose most.
        """
        nodes: cython.int = self.statement.n_left if is_left else self.statement.n_right
        best: cython.p_longlong = self.row_best if is_left else self.col_best
        following: cython.p_longlong = self.row_next if is_left else self.col_next
        wish: cython.p_int = self.row_wish if is_left else self.col_wish
        largest: cython.p_longlong = self.col_gap if is_left else self.row_gap
        total: cython.longlong = 0
        for i in range(nodes):
            loss: cython.longlong = best[i] - following[i]
            total += best[i] - min(loss, largest[wish[i]])
            largest[wish[i]] = max(loss, largest[wish[i]])
        return total
