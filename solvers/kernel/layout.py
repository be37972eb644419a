"""Arrays of a search: candidates, pair terms, and neighbours.

A pair term is looked at from both of its candidates, so that it is kept twice, as two
*halves*.  The halves of a candidate make an assignment problem of their own
(``inner``), and all candidates together make another one (``outer``).  Both are laid
out here, once, and solved by ``lagrangian.py`` again and again.

Time a change with ``python -m benchmarks solving para``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Assignment = kernels.load_interpreted(
        "exactmatch.solvers.kernel.assignment"
    ).Assignment

TOP = 1 << 60
"""No bound reaches this."""

UNIT_BITS = 16
"""A unit of the problem is split into at most ``2**UNIT_BITS`` parts."""


class Arrays:
    """A problem as a search takes it: its sizes, and arrays as of ``AlignmentProblem``.

    Attributes:
        n_left, n_right, n_candidates, n_terms: how many there are of everything.
        left, right, unary: of each candidate.
        first, second, weight: of each pair term.
    """

    def reserve(self, memory, count, terms):
        """Take arrays from *memory* for these numbers of candidates and pair terms."""
        self.left = memory.ints(count)
        self.right = memory.ints(count)
        self.unary = memory.longs(count)
        self.first = memory.ints(terms)
        self.second = memory.ints(terms)
        self.weight = memory.longs(terms)


class Layout:
    """The problem as arrays, and the candidates that are dropped.

    Candidate *c* joins the nodes ``left[c]`` and ``right[c]`` and is in the
    problem while ``live[c]``.  The live ones are ``pool[0:n_pool]``; behind
    them lie the dropped ones, the last one first.

    A *half* is a pair term seen from one of its candidates.  Those of *c* run
    from ``half_begin[c]`` up to ``half_begin[c + 1]``, sorted by ``partner``;
    ``twin`` is the same term seen from there.  A half is live while its partner
    is, and ``share[h]`` is what the split gives to *c*.  ``half_row`` and
    ``half_col`` number the partners' nodes, ``n_rows[c]`` and ``n_cols[c]`` of
    them; *c* is ``conflicted`` where partners share a node.  Where a share of *c*
    has changed since its worth was found, or a partner was dropped, ``changed[c]``.

    One of the problem's own units has ``unit`` parts; values of alignments
    differ by at least ``lattice`` parts.  ``costs`` says whether a unary weight is
    negative.  ``work`` counts the candidates and halves that were looked at, for the
    clock.

    Whoever loads a problem says before whether it ``has_cuts``.  Then ``relief`` is
    what they add to every value, in parts, and ``unary_relief`` and ``half_relief`` are
    what they take away again from the weights of candidates and of pair terms.
    """

    def __init__(self):
        self.outer = Assignment()
        self.inner = Assignment()
        self.has_cuts = False

    # ------------------------------------------------------------- loading

    def size(self, problem):
        """Take the numbers of nodes, candidates and pair terms."""
        self.n_left = problem.n_left
        self.n_right = problem.n_right
        self.n_candidates = problem.n_candidates
        self.n_halves = 2 * problem.n_terms
        self.n_pool = problem.n_candidates
        self.costs = False
        self.relief = 0
        self.work = 0
        self.rounds = 0

    def carve(self, memory):
        """Take the arrays from *memory*."""
        widest: cython.int = max(self.n_left, self.n_right)
        count: cython.int = self.n_candidates
        halves: cython.int = self.n_halves
        self.left = memory.ints(count)
        self.right = memory.ints(count)
        self.live = memory.ints(count)
        self.changed = memory.ints(count)
        self.unary = memory.longs(count)
        self.worth = memory.longs(count)
        self.pool = memory.ints(count)
        self.place = memory.ints(count)
        self.half_begin = memory.ints(count + 2)
        self.partner = memory.ints(halves)
        self.twin = memory.ints(halves)
        self.half_live = memory.ints(halves)
        self.half_row = memory.ints(halves)
        self.half_col = memory.ints(halves)
        self.share = memory.longs(halves)
        self.moving = memory.ints(halves)
        self.heaviest = memory.longs(count)
        self.conflicted = memory.ints(count)
        self.n_rows = memory.ints(count)
        self.n_cols = memory.ints(count)
        self.unary_relief = memory.longs(count if self.has_cuts else 0)
        self.half_relief = memory.longs(halves if self.has_cuts else 0)
        self.outer.carve(memory, self.n_left, self.n_right, count, widest)
        self.outer.row_of = self.left
        self.outer.col_of = self.right
        self.outer.live = self.live
        self.outer.value = self.worth
        self.inner.carve(memory, halves, halves, halves, widest)
        self.inner.row_of = self.half_row
        self.inner.col_of = self.half_col
        self.inner.live = self.half_live
        self.inner.value = self.share

    def load(self, problem):
        """Copy the problem and index it.

        Weights may be split as finely as their total allows.  Values lie as far apart
        as what all weights are multiples of.
        """
        begin: cython.p_int = self.half_begin
        first: cython.p_int = problem.first
        second: cython.p_int = problem.second
        total: cython.longlong = 0
        common: cython.longlong = 0
        for c in range(self.n_candidates):
            total += abs(problem.unary[c])
            common = gcd(common, abs(problem.unary[c]))
            self.costs |= problem.unary[c] < 0
        for t in range(problem.n_terms):
            total += problem.weight[t]
            common = gcd(common, problem.weight[t])
        self.unit = 2
        while self.unit < 1 << UNIT_BITS and 4 * total * self.unit < TOP:
            self.unit *= 2
        self.lattice = max(common, 1) * self.unit
        for c in range(self.n_candidates):
            self.left[c] = problem.left[c]
            self.right[c] = problem.right[c]
            self.unary[c] = problem.unary[c] * self.unit
            self.worth[c] = self.unary[c]
            self.live[c] = 1
            self.changed[c] = 1
            self.pool[c] = c
            self.place[c] = c
            self.outer.row_order[c] = c
        for t in range(problem.n_terms):
            begin[first[t] + 2] += 1
            begin[second[t] + 2] += 1
        for c in range(self.n_candidates):
            begin[c + 2] += begin[c + 1]
        for t in range(problem.n_terms):
            self.load_term(first[t], second[t], problem.weight[t])
        self.index_outer()
        self.index_inner()

    def load_term(self, c, d, weight):
        """Append a pair term as two halves, each with half of the weight.

        Until all are there, ``half_begin[c + 1]`` is the place of the next of *c*.
        """
        a: cython.int = self.half_begin[c + 1]
        b: cython.int = self.half_begin[d + 1]
        full_weight: cython.longlong = weight * self.unit
        self.half_begin[c + 1] += 1
        self.half_begin[d + 1] += 1
        self.partner[a] = d
        self.partner[b] = c
        self.twin[a] = b
        self.twin[b] = a
        self.half_live[a] = 1
        self.half_live[b] = 1
        self.share[a] = full_weight >> 1
        self.share[b] = full_weight >> 1
        self.heaviest[c] = max(self.heaviest[c], full_weight)
        self.heaviest[d] = max(self.heaviest[d], full_weight)

    def relieve(self, relief, unary, weight):
        """Take the cuts' relief from the weights, and add their sum to all bounds.

        Args:
            relief: the sum of the cuts' right-hand sides, each times its multiplier.
            unary, weight: the same of their left-hand sides, for each candidate and
                each pair term; of a pair term no more than its weight.
        """
        t: cython.int = 0
        self.relief = relief
        for c in range(self.n_candidates):
            self.unary_relief[c] = unary[c]
            self.unary[c] -= unary[c]
            self.worth[c] = self.unary[c]
            for h in range(self.half_begin[c], self.half_begin[c + 1]):
                if self.partner[h] > c:
                    twin: cython.int = self.twin[h]
                    left_over: cython.longlong = (
                        self.share[h] + self.share[twin] - weight[t]
                    )
                    self.half_relief[h] = weight[t]
                    self.half_relief[twin] = weight[t]
                    self.share[h] = left_over >> 1
                    self.share[twin] = left_over - (left_over >> 1)
                    t += 1

    def index_outer(self):
        """List the candidates of every left and right node."""
        row_begin: cython.p_int = self.outer.row_begin
        col_begin: cython.p_int = self.outer.col_begin
        col_order: cython.p_int = self.outer.col_order
        filled: cython.p_int = self.outer.col_match
        for c in range(self.n_candidates):
            row_begin[self.left[c] + 1] += 1
            col_begin[self.right[c] + 1] += 1
        for i in range(self.n_left):
            row_begin[i + 1] += row_begin[i]
            self.outer.row_match[i] = -1
        for i in range(self.n_right):
            col_begin[i + 1] += col_begin[i]
            filled[i] = col_begin[i]
        for c in range(self.n_candidates):
            col_order[filled[self.right[c]]] = c
            filled[self.right[c]] += 1
        for i in range(self.n_right):
            filled[i] = -1

    def index_inner(self):
        """Sort every candidate's halves by the partner's left and right node.

        They lie sorted by left node; a walk through all candidates in order of
        their right nodes hands them out sorted by right node.
        """
        row_order: cython.p_int = self.inner.row_order
        col_order: cython.p_int = self.inner.col_order
        filled: cython.p_int = self.n_cols
        for c in range(self.n_candidates):
            filled[c] = self.half_begin[c]
        for n in range(self.n_candidates):
            d: cython.int = self.outer.col_order[n]
            for h in range(self.half_begin[d], self.half_begin[d + 1]):
                c = self.partner[h]
                col_order[filled[c]] = self.twin[h]
                filled[c] += 1
        for h in range(self.n_halves):
            row_order[h] = h
        for c in range(self.n_candidates):
            self.number_inner(c)

    def number_inner(self, c):
        """Number the rows and columns of the little assignment of *c*.

        Both start at ``half_begin[c]``, so those of different candidates never
        meet.  It is conflicted where partners share a node.
        """
        row_begin: cython.p_int = self.inner.row_begin
        col_begin: cython.p_int = self.inner.col_begin
        col_order: cython.p_int = self.inner.col_order
        begin: cython.int = self.half_begin[c]
        end: cython.int = self.half_begin[c + 1]
        row: cython.int = begin - 1
        col: cython.int = begin - 1
        node: cython.int = -1
        for h in range(begin, end):
            if self.left[self.partner[h]] != node:
                node = self.left[self.partner[h]]
                row += 1
                row_begin[row] = h
            self.half_row[h] = row
        node = -1
        for n in range(begin, end):
            h = col_order[n]
            if self.right[self.partner[h]] != node:
                node = self.right[self.partner[h]]
                col += 1
                col_begin[col] = n
            self.half_col[h] = col
        row_begin[row + 1] = end
        col_begin[col + 1] = end
        self.n_rows[c] = row + 1 - begin
        self.n_cols[c] = col + 1 - begin
        self.conflicted[c] = row + 1 < end or col + 1 < end
        for n in range(begin, end):
            self.inner.row_match[n] = -1
            self.inner.col_match[n] = -1


def gcd(a, b):
    """Return the greatest common divisor; ``gcd(0, b)`` is *b*."""
    while b:
        rest = a % b
        a = b
        b = rest
    return a
