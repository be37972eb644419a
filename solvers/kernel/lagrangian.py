"""A split of the pair weights, and the bound it gives.

Splitting every pair weight between its two candidates turns the quadratic
problem into linear assignments.  For a split, a candidate *c* is worth at most

    ``worth[c] = unary[c] + the best one-to-one choice of its shares``

and no alignment is worth more than the best assignment of the worths, nor than
any dual solution of that assignment (``u[i] + v[j] >= worth[c]``).

*bound* (``appraise``): the shares' own little assignments (``inner``) give the
worths, one assignment over all candidates (``outer``) gives ``u``, ``v`` and
the bound.

*fix*: an alignment that holds *c* is worth at most the bound less the slack ``u[i] +
v[j] - worth[c]``; where that is no better than the best alignment known, *c* is
dropped.

*shift*: where the assignment chose a candidate for the sake of a partner that
it did not choose, some of that share goes over to the partner.  This is a
subgradient step.

A split that is valid once is valid whatever is dropped, so all branches share
one split, and going back up only puts dropped candidates back.

Sources: Held, Wolfe and Crowder (1974), "Validation of subgradient
optimization"; Polyak (1969) for the length of a step; Adams and Johnson (1994)
for the split as a Lagrangian of the linearised problem.

Time a change with ``python -m benchmarks solving para``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Layout = kernels.load_interpreted("exactmatch.solvers.kernel.layout").Layout

SMALL = 3
"""An assignment with no more rows and columns is solved by trying all matchings."""


class Split(Layout):
    """The present split of a problem, and its bound.

    ``share[h]`` is the share of the candidate of half *h*, and ``worth[c]`` the most
    that candidate *c* is worth under the split.
    """

    # --------------------------------------------------------------- split

    def split_as(self, shares):
        """Split by ``shares``; a share out of range is moved to the nearest limit."""
        t: cython.int = 0
        for c in range(self.n_candidates):
            for h in range(self.half_begin[c], self.half_begin[c + 1]):
                if self.partner[h] > c:
                    full_weight: cython.longlong = (
                        self.share[h] + self.share[self.twin[h]]
                    )
                    self.share[h] = min(max(shares[t], 0), full_weight)
                    self.share[self.twin[h]] = full_weight - self.share[h]
                    t += 1

    def shares(self):
        """Return the share of the first candidate of every pair term, in order."""
        shares: list = []
        for c in range(self.n_candidates):
            for h in range(self.half_begin[c], self.half_begin[c + 1]):
                if self.partner[h] > c:
                    shares.append(self.share[h])
        return shares

    # --------------------------------------------------------------- bound

    def appraise(self):
        """Bound the node: all worths, then the assignment over them."""
        self.weigh()
        self.bound = self.relief + self.outer.solve(0, self.n_left, 0, self.n_right)
        self.rounds += 1

    def weigh(self):
        """Compute the worth of each candidate whose shares have changed."""
        half_begin: cython.p_int = self.half_begin
        pool: cython.p_int = self.pool
        changed: cython.p_int = self.changed
        looked_at: cython.longlong = self.n_pool
        for n in range(self.n_pool):
            c: cython.int = pool[n]
            if not changed[c]:
                continue
            changed[c] = 0
            begin: cython.int = half_begin[c]
            end: cython.int = half_begin[c + 1]
            if begin == end:
                continue
            total: cython.longlong = self.unary[c]
            if self.conflicted[c]:
                total += self.little(c, self.is_small(c))
            else:
                for h in range(begin, end):
                    if self.half_live[h]:
                        total += self.share[h]
            self.worth[c] = total
            looked_at += end - begin
        self.work += looked_at

    def little(self, c, small):
        """Solve the little assignment of *c*, without duals where it is *small*."""
        begin: cython.int = self.half_begin[c]
        row_end: cython.int = begin + self.n_rows[c]
        col_end: cython.int = begin + self.n_cols[c]
        if small:
            return self.inner.solve_small(begin, row_end, begin, col_end)
        return self.inner.solve(begin, row_end, begin, col_end)

    def is_small(self, c):
        """Return whether the little assignment of *c* is solved without duals."""
        return self.n_rows[c] <= SMALL and self.n_cols[c] <= SMALL

    def prove(self):
        """Compute the duals that were skipped when the node was bounded."""
        for n in range(self.n_pool):
            c: cython.int = self.pool[n]
            if self.conflicted[c] and self.is_small(c):
                self.little(c, False)

    def slack(self, c):
        """Return the reduced cost of *c*: the fall of the bound if it is chosen."""
        return (
            self.outer.row_dual[self.left[c]]
            + self.outer.col_dual[self.right[c]]
            - self.worth[c]
        )

    def count_fixed(self, spare):
        """Return how many candidates ``fix`` would drop."""
        count: cython.int = 0
        for n in range(self.n_pool):
            if self.slack(self.pool[n]) > spare:
                count += 1
        return count

    def fix(self, spare):
        """Drop the candidates with more slack than the bound can spare."""
        for n in range(self.n_pool - 1, -1, -1):
            if self.slack(self.pool[n]) > spare:
                self.drop(self.pool[n])

    def fix_by_partners(self, spare):
        """Drop candidates whose slack suffices with what partners can take over.

        A partner may take as much of the weight that it shares with *c* as it has
        slack: no dual changes, and *c* is worth less.  Every candidate is appraised by
        such a split of its own.
        """
        for n in range(self.n_pool - 1, -1, -1):
            c: cython.int = self.pool[n]
            if self.slack(c) + self.worth[c] - self.least_worth(c) > spare:
                self.drop(c)

    def least_worth(self, c):
        """Bound the worth of *c* if its partners take what they can."""
        least: cython.longlong = self.sum_of_best(
            c, self.inner.row_order, self.half_row
        )
        if self.conflicted[c]:
            by_columns: cython.longlong = self.sum_of_best(
                c, self.inner.col_order, self.half_col
            )
            least = min(least, by_columns)
        return least

    def sum_of_best(self, c, order, line_of):
        """Add the most that *c* keeps with each node of one side to its own weight."""
        total: cython.longlong = self.unary[c]
        best: cython.longlong = 0
        line: cython.int = -1
        for n in range(self.half_begin[c], self.half_begin[c + 1]):
            h: cython.int = order[n]
            if self.half_live[h]:
                rest: cython.longlong = self.share[h] - self.slack(self.partner[h])
                if rest > 0:
                    if line_of[h] != line:
                        total += best
                        best = 0
                        line = line_of[h]
                    best = max(best, rest)
        self.work += self.half_begin[c + 1] - self.half_begin[c]
        return total + best

    def chooses(self, h, c):
        """Return whether *c* is matched and its worth includes the partner of *h*."""
        if self.outer.row_match[self.left[c]] != c:
            return False
        if self.conflicted[c]:
            return self.inner.row_match[self.half_row[h]] == h
        return True

    def shift(self, distance):
        """Move shares from chosen candidates to partners that are not chosen.

        The step is Polyak's: the distance that the bound should fall, divided by
        the number of shares that move.
        """
        n: cython.int = 0
        moving: cython.p_int = self.moving
        for i in range(self.n_left):
            c: cython.int = self.outer.row_match[i]
            if c >= 0:
                for h in range(self.half_begin[c], self.half_begin[c + 1]):
                    if (
                        self.half_live[h]
                        and self.share[h] > 0
                        and self.chooses(h, c)
                        and not self.chooses(self.twin[h], self.partner[h])
                    ):
                        moving[n] = h
                        n += 1
        if n == 0:
            return
        size: cython.longlong = distance // n + 1
        while n > 0:
            n -= 1
            h = moving[n]
            moved: cython.longlong = min(size, self.share[h])
            self.share[h] -= moved
            self.share[self.twin[h]] += moved
            self.changed[self.partner[h]] = 1
            self.changed[self.partner[self.twin[h]]] = 1

    # ------------------------------------------------------------- dropping

    def drop(self, c):
        """Take a candidate and its pair terms out of the problem."""
        self.live[c] = 0
        for h in range(self.half_begin[c], self.half_begin[c + 1]):
            self.half_live[self.twin[h]] = 0
            self.changed[self.partner[h]] = 1
        self.n_pool -= 1
        last: cython.int = self.pool[self.n_pool]
        self.pool[self.place[c]] = last
        self.place[last] = self.place[c]
        self.pool[self.n_pool] = c
        self.place[c] = self.n_pool

    def restore(self, n_pool):
        """Put back what was dropped since there were *n_pool* candidates."""
        while self.n_pool < n_pool:
            c: cython.int = self.pool[self.n_pool]
            self.n_pool += 1
            self.live[c] = 1
            for h in range(self.half_begin[c], self.half_begin[c + 1]):
                self.half_live[self.twin[h]] = 1
                self.changed[self.partner[h]] = 1

    def has_rival(self, c):
        """Return whether another live candidate shares a node with this one."""
        i: cython.int = self.left[c]
        j: cython.int = self.right[c]
        for d in range(self.outer.row_begin[i], self.outer.row_begin[i + 1]):
            if d != c and self.live[d]:
                return True
        for s in range(self.outer.col_begin[j], self.outer.col_begin[j + 1]):
            d = self.outer.col_order[s]
            if d != c and self.live[d]:
                return True
        return False

    def take(self, c):
        """Drop the candidates that share a node with this one."""
        i: cython.int = self.left[c]
        j: cython.int = self.right[c]
        for d in range(self.outer.row_begin[i], self.outer.row_begin[i + 1]):
            if d != c and self.live[d]:
                self.drop(d)
        for s in range(self.outer.col_begin[j], self.outer.col_begin[j + 1]):
            d = self.outer.col_order[s]
            if d != c and self.live[d]:
                self.drop(d)
