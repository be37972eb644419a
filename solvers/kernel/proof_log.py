"""The log of a search: the evidence that a certificate is made of.

What is logged is enough to check a bound without searching: the rounds of every
node, and how the nodes hang together.  It is one list of integers:

- ``ROUND``, and six lists, each after its length: the first candidates' shares
  of all pair terms, the inner duals by left and by right node, the outer duals
  of the left and of the right nodes, and the ranks of the candidates to drop;
- ``BRANCH``, and the rank of a candidate: here a node is left for two others,
  the first with that candidate, the second without it;
- ``END``: here a node is left for good.

Only live candidates and pair terms count, in their order: the *rank* of a
candidate is its number among the live ones.

Time a change with ``python -m benchmarks solving``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc
else:
    from exactmatch.base import compiled as kernels

    Split = kernels.load_interpreted("exactmatch.solvers.kernel.lagrangian").Split

ROUND = 0
BRANCH = 1
END = 2
"""The kinds of entries."""

SHARES, INNER_LEFT, INNER_RIGHT, OUTER_LEFT, OUTER_RIGHT, DROPPED = range(6)
"""The lists of a round."""


class Log:
    """A growing list of integers about a split that changes."""

    def __init__(self, split: Split):
        self.split = split
        self.used = 0
        self.room = 0
        self.failed = False
        if not cython.compiled:
            self.items = []

    if cython.compiled:

        def __dealloc__(self):
            free(self.items)

    # ------------------------------------------------------------- entries

    def round(self, spare):
        """Log this round, and the candidates with more slack than *spare*."""
        rank: cython.int = 0
        self.split.prove()
        self.add(ROUND)
        for part in range(6):
            place: cython.Py_ssize_t = self.used
            self.add(0)  # for the length
            if part == OUTER_LEFT:
                for i in range(self.split.n_left):
                    self.add(self.split.outer.row_dual[i])
            elif part == OUTER_RIGHT:
                for i in range(self.split.n_right):
                    self.add(self.split.outer.col_dual[i])
            else:
                for c in range(self.split.n_candidates):
                    if not self.split.live[c]:
                        continue
                    if part == SHARES:
                        self.add_shares(c)
                    elif part == DROPPED:
                        if self.split.slack(c) > spare:
                            self.add(rank)
                        rank += 1
                    else:
                        self.add_duals(c, part == INNER_LEFT)
            if not self.failed:
                self.items[place] = self.used - place - 1

    def branch(self, c):
        """Log that candidate *c* is taken, and afterwards left out."""
        rank: cython.longlong = 0
        for d in range(c):
            rank += self.split.live[d]
        self.add(BRANCH)
        self.add(rank)

    def end(self):
        """Log that a node is left for good."""
        self.add(END)

    def add_shares(self, c):
        """Add the shares of the pair terms whose first candidate is *c*."""
        for h in range(self.split.half_begin[c], self.split.half_begin[c + 1]):
            if self.split.half_live[h] and self.split.partner[h] > c:
                self.add(self.split.share[h])

    def add_duals(self, c, is_left):
        """Add the inner duals of the left, or right, nodes of live partners of *c*.

        Without conflicts nothing was solved: a left node's dual is then its share, and
        a right one's is zero.
        """
        begin: cython.p_int = self.split.inner.row_begin
        order: cython.p_int = self.split.inner.row_order
        dual: cython.p_longlong = self.split.inner.row_dual
        count: cython.int = self.split.n_rows[c]
        first: cython.int = self.split.half_begin[c]
        if not is_left:
            begin = self.split.inner.col_begin
            order = self.split.inner.col_order
            dual = self.split.inner.col_dual
            count = self.split.n_cols[c]
        for node in range(first, first + count):
            for n in range(begin[node], begin[node + 1]):
                h: cython.int = order[n]
                if self.split.half_live[h]:
                    if self.split.conflicted[c]:
                        self.add(dual[node])
                    else:
                        self.add(self.split.share[h] if is_left else 0)
                    break

    # ---------------------------------------------------------------- list

    def add(self, number):
        """Append a number; without memory, remember that it failed."""
        if not cython.compiled:
            self.items.append(number)
            self.used += 1
            return
        if self.used == self.room:
            self.room = 2 * self.room + 1024
            grown: cython.p_longlong = cython.cast(
                cython.p_longlong,
                realloc(self.items, self.room * cython.sizeof(cython.longlong)),
            )
            if grown == cython.NULL:
                self.failed = True
                self.room = self.used
                return
            self.items = grown
        self.items[self.used] = number
        self.used += 1

    def as_list(self, goal):
        """Return all numbers as Python integers, without rounds that no proof needs.

        Those are the ones that drop nothing and bound nothing below *goal*.
        """
        place: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        begin: cython.Py_ssize_t = 0
        numbers: list = []
        if self.failed:
            raise MemoryError("not enough memory for the certificate")
        while at < self.used:
            end: cython.Py_ssize_t = at + 1 + (self.items[at] == BRANCH)
            bound: cython.longlong = -1
            if self.items[at] == ROUND:
                bound = 0
                for k in range(6):
                    begin = end + 1
                    end = begin + self.items[end]
                    if OUTER_LEFT <= k <= OUTER_RIGHT:
                        for place in range(begin, end):
                            bound += self.items[place]
            if bound < goal or begin < end:
                numbers.extend([self.items[place] for place in range(at, end)])
            at = end
        return numbers
