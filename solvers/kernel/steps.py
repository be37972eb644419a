# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The steps of a steepest ascent from one alignment to the next better one.

``gain[c]`` is what candidate *c* is worth beside the other aligned pairs; it changes
only with the pairs that a step touches.  Candidate number -1 stands for a pair that is
no candidate, or for no pair, and is worth nothing.

Only steps that make a candidate's pair are looked at: a swap whose two new pairs are no
candidates cannot gain.

Time a change with ``python -m benchmarks solving``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

import numpy as np


@cython.cclass
class Steps:
    """State of an ascent on one problem, and its next step.

    Args:
        problem: an ``AlignmentProblem``.

    Attributes:
        right_of: the right node of each left one, -1 for none.
    """

    n_left: cython.int
    n_right: cython.int
    n_candidates: cython.int
    costs: cython.bint
    heaviest: cython.longlong
    left: cython.const[cython.int][::1]
    right: cython.const[cython.int][::1]
    unary: cython.const[cython.longlong][::1]
    weight: cython.const[cython.longlong][::1]
    second: cython.const[cython.int][::1]
    term_begin: cython.longlong[::1]
    begin: cython.longlong[::1]
    partner: cython.int[::1]
    partner_weight: cython.longlong[::1]
    gain: cython.longlong[::1]
    right_of: cython.longlong[::1]
    holder: cython.longlong[::1]
    pair: cython.longlong[::1]
    row_begin: cython.longlong[::1]

    def __init__(self, problem):
        n = problem.n_candidates
        owner, partner = problem.directed_terms()
        order = np.argsort(owner, kind="stable")
        counts = np.bincount(owner, minlength=n)
        rows = np.bincount(problem.left, minlength=problem.n_left)
        terms = np.bincount(problem.first, minlength=n)
        self.n_left = problem.n_left
        self.n_right = problem.n_right
        self.n_candidates = n
        self.costs = bool((problem.unary < 0).any())
        self.heaviest = int(problem.weight.max(initial=0))
        self.left = problem.left
        self.right = problem.right
        self.unary = problem.unary
        self.weight = problem.weight
        self.second = problem.second
        self.term_begin = np.concatenate(([0], np.cumsum(terms))).astype(np.int64)
        self.begin = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        self.row_begin = np.concatenate(([0], np.cumsum(rows))).astype(np.int64)
        self.partner = partner[order].astype(np.int32)
        self.partner_weight = np.tile(problem.weight, 2)[order]
        self.gain = np.zeros(n, dtype=np.int64)
        self.right_of = np.full(problem.n_left, -1, dtype=np.int64)
        self.holder = np.full(problem.n_right, -1, dtype=np.int64)
        self.pair = np.full(problem.n_left, -1, dtype=np.int64)

    def begin_at(self, start):
        """Stand at an alignment: the right node of every left node, or -1."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for c in range(self.n_candidates):
            self.gain[c] = self.unary[c]
        for i in range(self.n_right):
            self.holder[i] = -1
        for i in range(self.n_left):
            self.right_of[i] = -1
            self.pair[i] = -1
        for i in range(self.n_left):
            self.put(i, start[i])

    def alignment(self) -> tuple:
        """Return the alignment that the ascent has reached."""
        return tuple([int(j) for j in self.right_of])

    def step(self) -> int:
        """Take the best step; return its gain, 0 where none gains."""
        best: cython.longlong = 0
        c: cython.longlong
        move: cython.longlong = -1
        low: cython.longlong = -1
        high: cython.longlong = -1
        for c in range(self.n_candidates):
            if self.holder[self.right[c]] < 0:
                total: cython.longlong = self.gain[c] - self.worth(
                    self.pair[self.left[c]]
                )
                if total > best:
                    best = total
                    move = c
        swap_best: cython.longlong = best
        for c in range(self.n_candidates):
            i: cython.longlong = self.left[c]
            k: cython.longlong = self.holder[self.right[c]]
            if k < 0 or k == i:
                continue
            worth_of_pair: cython.longlong = self.worth(self.pair[i])
            worth_of_other: cython.longlong = self.worth(self.pair[k])
            d: cython.longlong = self.number(k, self.right_of[i])
            # The separate gains of the new pairs miss a term between them; the losses
            # of the old ones count a term between those twice.
            total = self.gain[c] - worth_of_pair + self.worth(d) - worth_of_other
            most_gain: cython.longlong = total + self.heaviest
            # Where candidates cost, a term may be more than is left of one.
            most_gain += (
                self.heaviest if self.costs else min(worth_of_pair, worth_of_other)
            )
            if most_gain <= best or most_gain < swap_best:
                continue
            total += self.between(c, d) + self.between(self.pair[i], self.pair[k])
            if total <= best or total < swap_best:
                continue
            if (
                total > swap_best
                or low < 0
                or min(i, k) < low
                or (min(i, k) == low and max(i, k) < high)
            ):
                low = min(i, k)
                high = max(i, k)
            swap_best = total
        if self.costs:
            k = 0
            for i in range(self.n_left):
                if self.worth(self.pair[i]) < self.worth(self.pair[k]):
                    k = i
            total = -self.worth(self.pair[k])
            if total > swap_best:
                self.free(k)
                return total
        if low >= 0:
            i = self.right_of[low]
            k = self.right_of[high]
            self.free(low)
            self.free(high)
            self.put(low, k)
            self.put(high, i)
            return swap_best
        if move >= 0:
            self.free(self.left[move])
            self.put(self.left[move], self.right[move])
        return best

    @cython.cfunc
    @cython.returns(cython.longlong)
    def worth(self, c: cython.longlong):
        """Worth of a candidate; 0 if it is none."""
        return self.gain[c] if c >= 0 else 0

    @cython.cfunc
    @cython.returns(cython.longlong)
    def number(self, i: cython.longlong, j: cython.longlong):
        """Return the candidate of two nodes, -1 if there is none."""
        return _place_of(self.right, self.row_begin[i], self.row_begin[i + 1], j)

    @cython.cfunc
    @cython.returns(cython.longlong)
    def between(self, c: cython.longlong, d: cython.longlong):
        """Return the weight of the pair term of two candidates, 0 if there is none."""
        if c < 0 or d < 0:
            return 0
        first: cython.longlong = min(c, d)
        term: cython.longlong = _place_of(
            self.second, self.term_begin[first], self.term_begin[first + 1], max(c, d)
        )
        return self.weight[term] if term >= 0 else 0

    @cython.cfunc
    def free(self, i: cython.longlong):
        """Take a left node's right node away."""
        self.spread(self.pair[i], -1)
        if self.right_of[i] >= 0:
            self.holder[self.right_of[i]] = -1
        self.right_of[i] = -1
        self.pair[i] = -1

    @cython.cfunc
    def put(self, i: cython.longlong, j: cython.longlong):
        """Give a free left node a free right node, or none."""
        if j >= 0:
            self.right_of[i] = j
            self.holder[j] = i
            self.pair[i] = self.number(i, j)
            self.spread(self.pair[i], 1)

    @cython.cfunc
    def spread(self, c: cython.longlong, sign: cython.longlong):
        """Add or subtract a candidate's pair weights at its partners."""
        if c >= 0:
            for e in range(self.begin[c], self.begin[c + 1]):
                self.gain[self.partner[e]] += sign * self.partner_weight[e]


@cython.cfunc
@cython.returns(cython.longlong)
@cython.inline
def _place_of(
    ascending: cython.const[cython.int][::1],
    low: cython.longlong,
    end: cython.longlong,
    number: cython.longlong,
):
    """Return the place of a number between *low* and *end*, or -1."""
    high: cython.longlong = end
    while low < high:
        middle: cython.longlong = (low + high) // 2
        if ascending[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low if low < end and ascending[low] == number else -1
