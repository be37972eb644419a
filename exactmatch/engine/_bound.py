# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Bound the value of the alignments of two graphs before their problem is solved.

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
    """Bounds the value of a problem that is not sorted yet.

    Args:
        shared: the keys that the two graphs share.
        statement: the unary weights of their slots.
    """

    def __init__(self, shared, statement):
        self.shared = shared
        self.statement = statement
        self.memory = Memory()

    def carve(self):
        """Lay out the arrays in memory; a first call only counts what they need."""
        size: cython.Py_ssize_t = self.statement.n_slots
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

        The credit of a candidate is its unary weight and half of the weight that its
        pair terms can add, all counted in halves.  No alignment is worth more than the
        sum of the best credits of all left nodes, nor than that of all right nodes; the
        smaller sum is the bound.
        """
        width: cython.int = self.statement.n_right
        all_allowed: cython.bint = self.statement.all_allowed
        unary_of: cython.p_longlong = self.statement.unary_at
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
            start: cython.int = i * width if all_allowed else self.statement.begins[i]
            end: cython.int = (
                start + width if all_allowed else self.statement.begins[i + 1]
            )
            for slot in range(start, end):
                j: cython.int = (
                    slot - start if all_allowed else self.statement.partners[slot]
                )
                credit: cython.longlong = by_left[slot]
                lower: cython.longlong = by_right[slot]
                credit = lower if lower < credit else credit
                credit += 2 * unary_of[slot]
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
        return min(self.side_bound(True), self.side_bound(False)) // 2

    def credit_terms(self):
        """Credit candidates with their pair terms, one for each relation at most.

        A relation can match one other only, so only its heaviest term counts.  The
        right credit takes one term for each relation of the right graph, the left
        credit one for each relation of the left graph.
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
        """Credit both candidates of a pair term, if it is its relation's heaviest."""
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        weight: cython.longlong = left[x + 2]
        if self.shared.product:
            weight *= right[y + 2]
        else:
            weight = min(weight, right[y + 2])
        weight *= self.statement.scale
        width: cython.int = self.statement.n_right
        if self.statement.all_allowed:
            slot: cython.int = left[x] * width + right[y]
            other_slot: cython.int = left[x + 1] * width + right[y + 1]
        else:
            slot = self.statement.slot_of(left[x], right[y])
            other_slot = self.statement.slot_of(left[x + 1], right[y + 1])
            if slot < 0 or other_slot < 0:
                return
        self.credit_slot(credit, slot, relation, weight)
        self.credit_slot(credit, other_slot, relation, weight)

    def credit_slot(self, credit, slot, relation, weight):
        """Credit a candidate with a pair term, so far as it exceeds its heaviest."""
        if self.latest[slot] != relation:
            self.latest[slot] = relation
            self.heaviest[slot] = 0
        if weight > self.heaviest[slot]:
            credit[slot] += weight - self.heaviest[slot]
            self.heaviest[slot] = weight

    def side_bound(self, is_left):
        """Bound one side: of the nodes with the same best partner, one gets it.

        The others get their second best.  Each choice of the one node gives a bound;
        the lowest gives the partner to the node that would lose most without it.
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
