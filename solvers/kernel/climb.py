"""From an assignment to an alignment, and from there to a better one.

The assignment behind a bound is an alignment too, if rarely the best.  Its value
is improved by inserting candidates, swapping partners and taking out what costs
more than it brings, until nothing helps;
the best alignment that was ever reached is kept.

``gain[c]`` is what candidate *c* is worth beside the chosen ones: its own weight
and those of its pair terms with them.  Choosing a candidate changes only the
gains of its partners, so that a step is looked up and not counted anew.

Time a change with ``python -m benchmarks solving para``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Split = kernels.load_interpreted("exactmatch.solvers.kernel.lagrangian").Split


class Climb:
    """The alignment at hand, and the best one so far.

    Left node *i* has the candidate ``chosen_row[i]`` or -1, right node *j* has
    ``chosen_col[j]``; ``best[i]`` and ``best_value`` are those of the best.
    """

    def __init__(self, split: Split):
        self.split = split
        self.best_value = 0

    def carve(self, memory):
        """Take the arrays from *memory*."""
        self.chosen_row = memory.ints(self.split.n_left)
        self.chosen_col = memory.ints(self.split.n_right)
        self.gain = memory.longs(self.split.n_candidates)
        self.best = memory.ints(self.split.n_left)

    def round_up(self):
        """Turn the assignment into an alignment, improve it, keep the best."""
        value: cython.longlong = 0
        for i in range(self.split.n_right):
            self.chosen_col[i] = -1
        for i in range(self.split.n_left):
            self.chosen_row[i] = -1
        for n in range(self.split.n_pool):
            c: cython.int = self.split.pool[n]
            self.gain[c] = self.split.unary[c]
        for i in range(self.split.n_left):
            c = self.split.outer.row_match[i]
            if c >= 0 and self.split.live[c]:
                self.toggle(c, True)
        self.climb()
        for i in range(self.split.n_left):
            c = self.chosen_row[i]
            if c >= 0:
                value += self.split.unary[c] + self.gain[c]
        value >>= 1
        if self.split.has_cuts:
            value += self.taken_by_cuts()
        if value > self.best_value:
            self.best_value = value
            for i in range(self.split.n_left):
                self.best[i] = self.chosen_row[i]

    def taken_by_cuts(self):
        """Return what cuts took from the weights that the alignment at hand holds."""
        once: cython.longlong = 0
        twice: cython.longlong = 0
        for i in range(self.split.n_left):
            c: cython.int = self.chosen_row[i]
            if c >= 0:
                once += self.split.unary_relief[c]
                for h in range(self.split.half_begin[c], self.split.half_begin[c + 1]):
                    d: cython.int = self.split.partner[h]
                    if self.chosen_row[self.split.left[d]] == d:
                        twice += self.split.half_relief[h]
        return once + (twice >> 1)

    def toggle(self, c, chosen):
        """Choose a candidate, or no longer, and tell its partners."""
        gain: cython.p_longlong = self.gain
        share: cython.p_longlong = self.split.share
        partner: cython.p_int = self.split.partner
        twin: cython.p_int = self.split.twin
        sign: cython.longlong = 1 if chosen else -1
        self.chosen_row[self.split.left[c]] = c if chosen else -1
        self.chosen_col[self.split.right[c]] = c if chosen else -1
        for h in range(self.split.half_begin[c], self.split.half_begin[c + 1]):
            gain[partner[h]] += sign * (share[h] + share[twin[h]])

    def weight_between(self, c, d):
        """Return the weight of the pair term of two candidates, or 0."""
        for h in range(self.split.half_begin[c], self.split.half_begin[c + 1]):
            if self.split.partner[h] == d:
                return self.split.share[h] + self.split.share[self.split.twin[h]]
        return 0

    def candidate(self, i, j):
        """Return the live candidate of two nodes, or -1."""
        right: cython.p_int = self.split.right
        low: cython.int = self.split.outer.row_begin[i]
        high: cython.int = self.split.outer.row_begin[i + 1]
        end: cython.int = high
        while low < high:
            middle: cython.int = (low + high) >> 1
            if right[middle] < j:
                low = middle + 1
            else:
                high = middle
        if low < end and right[low] == j and self.split.live[low]:
            return low
        return -1

    def climb(self):
        """Insert, swap and take out candidates while the alignment improves.

        Inserting *c* takes out the chosen *r* and *q* that share a node with
        it; where the nodes this leaves make a candidate *e*, that comes in too.
        Of *c* and *e*, it is enough to begin with the one that gains more.
        """
        gain: cython.p_longlong = self.gain
        heaviest: cython.p_longlong = self.split.heaviest
        left: cython.p_int = self.split.left
        right: cython.p_int = self.split.right
        chosen_row: cython.p_int = self.chosen_row
        chosen_col: cython.p_int = self.chosen_col
        improved: cython.bint = True
        while improved:
            improved = False
            self.split.work += self.split.n_pool
            for n in range(self.split.n_pool):
                c: cython.int = self.split.pool[n]
                r: cython.int = chosen_row[left[c]]
                if r == c:
                    if gain[c] < 0:
                        self.toggle(c, False)
                        improved = True
                    continue
                q: cython.int = chosen_col[right[c]]
                e: cython.int = -1
                delta: cython.longlong = gain[c]
                if r >= 0:
                    delta -= gain[r]
                if q >= 0:
                    delta -= gain[q]
                if r >= 0 and q >= 0:
                    least: cython.longlong = delta + gain[c] + heaviest[c]
                    if least + min(heaviest[r], heaviest[q]) <= 0:
                        continue
                    delta += self.weight_between(r, q)
                    if delta + gain[c] + heaviest[c] <= 0:
                        continue
                    e = self.candidate(left[q], right[r])
                    if e >= 0:
                        extra: cython.longlong = gain[e] + self.weight_between(c, e)
                        if extra < 0:
                            e = -1
                        else:
                            delta += extra
                if delta > 0:
                    if r >= 0:
                        self.toggle(r, False)
                    if q >= 0:
                        self.toggle(q, False)
                    self.toggle(c, True)
                    if e >= 0:
                        self.toggle(e, True)
                    improved = True
