# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""State an alignment problem in memory that is used again; count what is matched.

The problem is the one that ``_problem.py`` makes for solvers; here its arrays are the
same memory for every pair, and an upper bound on its value is known before its terms
are sorted.

The code is Python that Cython compiles; nothing needs the GIL.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if cython.compiled:
    from cython.cimports.exactmatch.solvers.kernel.assignment import Memory
else:
    from exactmatch.base import compiled as kernels

    Memory = kernels.load_interpreted("exactmatch.solvers.kernel.assignment").Memory

SOLVED = 0
LOWER = 1
TOO_LARGE = 2
NO_MEMORY = 3
"""How the work on a pair ends: well, by a bound, or because it cannot be stated."""


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.longlong)
def _times(n: cython.longlong, m: cython.longlong, product: cython.bint):
    """The weight of a triple stated *n* and *m* times."""
    if product:
        return n * m
    return n if n < m else m


class Statement:
    """The alignment problem of the pair that was compared last.

    Args:
        shared: what says which keys and relations the two graphs share.
        product: whether a triple stated *n* and *m* times counts ``n × m``; else it
            counts ``min(n, m)``.
        max_terms: how many pair terms, or pairs of variables, a pair may have.

    Attributes:
        n_left, n_right: numbers of variables.
        n_candidates, n_terms: how many candidates and pair terms there are.
        node_left, node_right, unary: of each candidate, in the order of
            ``AlignmentProblem``.
        first, second, weight: of each pair term, likewise.
    """

    def __init__(self, shared, product, max_terms):
        self.shared = shared
        self.product = product
        self.max_terms = max_terms
        self.memory = Memory()

    def state(self, needed):
        """Fill the arrays; ``LOWER`` if a bound proves that too few triples match.

        Args:
            needed: how many triples must match for the pair to matter.
        """
        self.n_left = self.shared.n_left
        self.n_right = self.shared.n_right
        size: cython.longlong = self.n_left
        size *= self.n_right
        if size > self.max_terms or self.shared.n_terms > self.max_terms:
            return TOO_LARGE
        if size >= 1 << 30 or self.shared.n_terms >= 1 << 30:
            return TOO_LARGE
        self.n_terms = self.shared.n_terms
        self.memory.count()
        self.carve()
        if cython.compiled:
            if not self.memory.allocate():
                return NO_MEMORY
            self.carve()
        self.add_keys()
        self.add_roles()
        if needed > 0 and self.credit_bound() < needed:
            return LOWER
        self.number()
        self.sort_terms()
        return SOLVED

    def carve(self):
        """Lay out the arrays in memory; a first call only counts what they need."""
        size: cython.Py_ssize_t = self.n_left
        size *= self.n_right
        self.worth = self.memory.longs(size)
        self.seen = self.memory.ints(size)
        self.left_credit = self.memory.longs(size)
        self.right_credit = self.memory.longs(size)
        self.latest = self.memory.ints(size)
        self.heaviest = self.memory.longs(size)
        self.row_best = self.memory.longs(self.n_left)
        self.row_next = self.memory.longs(self.n_left)
        self.row_wish = self.memory.ints(self.n_left)
        self.row_gap = self.memory.longs(self.n_left)
        self.col_best = self.memory.longs(self.n_right)
        self.col_next = self.memory.longs(self.n_right)
        self.col_wish = self.memory.ints(self.n_right)
        self.col_gap = self.memory.longs(self.n_right)
        self.raw_first = self.memory.ints(self.n_terms)
        self.raw_second = self.memory.ints(self.n_terms)
        self.raw_weight = self.memory.longs(self.n_terms)
        self.by_second = self.memory.ints(self.n_terms)
        self.by_first = self.memory.ints(self.n_terms)
        self.first_begin = self.memory.ints(size + 1)
        self.second_begin = self.memory.ints(size + 1)
        self.node_left = self.memory.ints(size)
        self.node_right = self.memory.ints(size)
        self.unary = self.memory.longs(size)
        self.first = self.memory.ints(self.n_terms)
        self.second = self.memory.ints(self.n_terms)
        self.weight = self.memory.longs(self.n_terms)
        self.aligned = self.memory.ints(self.n_left)

    def add_keys(self):
        """Add the unary weight of every shared concept and attribute."""
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        s: cython.int
        x: cython.int
        y: cython.int
        place: cython.int
        for s in range(self.shared.n_keys):
            for y in range(self.shared.right_from[s], self.shared.right_to[s], 2):
                for x in range(self.shared.left_from[s], self.shared.left_to[s], 2):
                    place = left[x] * self.n_right + right[y]
                    self.worth[place] += _times(left[x + 1], right[y + 1], self.product)
                    self.seen[place] = 1

    def add_roles(self):
        """List the pair term of every shared relation."""
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        s: cython.int
        x: cython.int
        y: cython.int
        a: cython.int
        b: cython.int
        weight: cython.longlong
        kept: cython.int = 0
        for s in range(self.shared.n_keys, self.shared.n_shared):
            for y in range(self.shared.right_from[s], self.shared.right_to[s], 3):
                for x in range(self.shared.left_from[s], self.shared.left_to[s], 3):
                    a = left[x] * self.n_right + right[y]
                    b = left[x + 1] * self.n_right + right[y + 1]
                    weight = _times(left[x + 2], right[y + 2], self.product)
                    if a == b:
                        self.seen[a] = 1
                        self.worth[a] += weight
                    elif left[x] != left[x + 1] and right[y] != right[y + 1]:
                        self.seen[a] = 1
                        self.seen[b] = 1
                        self.raw_first[kept] = a if a < b else b
                        self.raw_second[kept] = b if a < b else a
                        self.raw_weight[kept] = weight
                        kept += 1
        self.n_terms = kept

    def credit_bound(self):
        """A bound: the best assignment, or rather more, where credits are the worths.

        The credit of a candidate is its weight and half of what its pair terms can
        match, all counted in halves.  As no assignment is worth more than all wishes of
        the left nodes, nor more than those of the right ones, the smaller sum counts.
        """
        i: cython.int
        j: cython.int
        place: cython.int = 0
        credit: cython.longlong
        lower: cython.longlong
        best: cython.longlong
        following: cython.longlong
        highest: cython.longlong
        second: cython.longlong
        wish: cython.int
        wished: cython.int
        width: cython.int = self.n_right
        worth: cython.p_longlong = self.worth
        by_left: cython.p_longlong = self.left_credit
        by_right: cython.p_longlong = self.right_credit
        col_best: cython.p_longlong = self.col_best
        col_next: cython.p_longlong = self.col_next
        col_wish: cython.p_int = self.col_wish
        self.credit_terms()
        # No branches: which candidate is better no processor can guess.  What is no
        # candidate is worth nothing, and changes nothing.
        for i in range(self.n_left):
            best = 0
            following = 0
            wish = 0
            for j in range(width):
                credit = by_left[place]
                lower = by_right[place]
                credit = lower if lower < credit else credit
                credit += 2 * worth[place]
                place += 1
                lower = credit if credit < best else best
                following = lower if lower > following else following
                wish = j if credit > best else wish
                best = credit if credit > best else best
                highest = col_best[j]
                second = col_next[j]
                wished = col_wish[j]
                lower = credit if credit < highest else highest
                col_next[j] = lower if lower > second else second
                col_wish[j] = i if credit > highest else wished
                col_best[j] = credit if credit > highest else highest
            self.row_best[i] = best
            self.row_next[i] = following
            self.row_wish[i] = wish
        rows: cython.longlong = self.wished(
            self.n_left, self.row_best, self.row_next, self.row_wish, self.col_gap
        )
        cols: cython.longlong = self.wished(
            self.n_right, self.col_best, self.col_next, self.col_wish, self.row_gap
        )
        return min(rows, cols) // 2

    def credit_terms(self):
        """Credit candidates with their pair terms, with one only for each relation.

        All others of the relation lead to the same node, which is aligned once.  Either
        the relations of the right graph are counted so, or those of the left one.
        """
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        s: cython.int
        x: cython.int
        y: cython.int
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
        end: cython.int
        place: cython.int
        weight: cython.longlong = _times(left[x + 2], right[y + 2], self.product)
        for end in range(2):
            place = left[x + end] * self.n_right + right[y + end]
            if self.latest[place] != relation:
                self.latest[place] = relation
                self.heaviest[place] = 0
            if weight > self.heaviest[place]:
                credit[place] += weight - self.heaviest[place]
                self.heaviest[place] = weight

    def wished(self, nodes, best, other, wish, largest):
        """What the nodes of one side can get: of those with one wish, one gets it.

        The rest of them make do with their second best.  As the bound is for any choice
        of the one, it is the one who would lose most.

        Args:
            nodes: how many there are.
            best, other: the best and the second best credit of each.
            wish: who on the other side the best is for.
            largest: for each of the other side the largest loss so far; zeros.
        """
        i: cython.int
        loss: cython.longlong
        total: cython.longlong = 0
        for i in range(nodes):
            loss = best[i] - other[i]
            total += best[i] - min(loss, largest[wish[i]])
            largest[wish[i]] = max(loss, largest[wish[i]])
        return total

    def number(self):
        """Number the candidates in order."""
        i: cython.int
        j: cython.int
        place: cython.int = 0
        count: cython.int = 0
        for i in range(self.n_left):
            for j in range(self.n_right):
                if self.seen[place]:
                    self.node_left[count] = i
                    self.node_right[count] = j
                    self.unary[count] = self.worth[place]
                    self.seen[place] = count
                    count += 1
                place += 1
        self.n_candidates = count

    def sort_terms(self):
        """Sort the pair terms in two counting passes, and add up equal ones."""
        t: cython.int
        c: cython.int
        place: cython.int
        last: cython.int = -1
        kept: cython.int = 0
        for t in range(self.n_terms):
            self.raw_first[t] = self.seen[self.raw_first[t]]
            self.raw_second[t] = self.seen[self.raw_second[t]]
            self.first_begin[self.raw_first[t] + 1] += 1
            self.second_begin[self.raw_second[t] + 1] += 1
        for c in range(self.n_candidates):
            self.first_begin[c + 1] += self.first_begin[c]
            self.second_begin[c + 1] += self.second_begin[c]
        for t in range(self.n_terms):
            c = self.raw_second[t]
            self.by_second[self.second_begin[c]] = t
            self.second_begin[c] += 1
        for t in range(self.n_terms):
            place = self.by_second[t]
            c = self.raw_first[place]
            self.by_first[self.first_begin[c]] = place
            self.first_begin[c] += 1
        for t in range(self.n_terms):
            place = self.by_first[t]
            if (
                last >= 0
                and self.raw_first[place] == self.raw_first[last]
                and self.raw_second[place] == self.raw_second[last]
            ):
                self.weight[kept - 1] += self.raw_weight[place]
            else:
                self.first[kept] = self.raw_first[place]
                self.second[kept] = self.raw_second[place]
                self.weight[kept] = self.raw_weight[place]
                kept += 1
            last = place
        self.n_terms = kept

    def counted(self, alignment):
        """Count from the triples what an alignment matches.

        Args:
            alignment: the candidate of each left variable; -1 for none.
        """
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        i: cython.int
        s: cython.int
        x: cython.int
        y: cython.int
        source: cython.int
        target: cython.int
        total: cython.longlong = 0
        for i in range(self.n_left):
            s = alignment[i]
            self.aligned[i] = -1 if s < 0 else self.node_right[s]
        for s in range(self.shared.n_keys):
            for x in range(self.shared.left_from[s], self.shared.left_to[s], 2):
                source = self.aligned[left[x]]
                for y in range(self.shared.right_from[s], self.shared.right_to[s], 2):
                    if right[y] == source:
                        total += _times(left[x + 1], right[y + 1], self.product)
        for s in range(self.shared.n_keys, self.shared.n_shared):
            for x in range(self.shared.left_from[s], self.shared.left_to[s], 3):
                source = self.aligned[left[x]]
                target = self.aligned[left[x + 1]]
                for y in range(self.shared.right_from[s], self.shared.right_to[s], 3):
                    if right[y] == source and right[y + 1] == target:
                        total += _times(left[x + 2], right[y + 2], self.product)
        return total

    def arrays(self):
        """The arrays of ``AlignmentProblem``, for another solver; without starts."""
        import numpy as np  # sentences need no other solver, and start without it

        c: cython.Py_ssize_t
        left = np.empty(self.n_candidates, dtype=np.int32)
        right = np.empty(self.n_candidates, dtype=np.int32)
        unary = np.empty(self.n_candidates, dtype=np.int64)
        first = np.empty(self.n_terms, dtype=np.int32)
        second = np.empty(self.n_terms, dtype=np.int32)
        weight = np.empty(self.n_terms, dtype=np.int64)
        for c in range(self.n_candidates):
            left[c] = self.node_left[c]
            right[c] = self.node_right[c]
            unary[c] = self.unary[c]
        for c in range(self.n_terms):
            first[c] = self.first[c]
            second[c] = self.second[c]
            weight[c] = self.weight[c]
        return left, right, unary, first, second, weight, np.zeros(0, dtype=np.int32)
