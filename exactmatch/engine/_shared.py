# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What two graphs share apart from variables: a bound on their matches.

A key that both graphs state (a concept, a role with its constant, a role) is all that
a match can come of.  ``_statement.py`` makes the alignment problem of it.

The code is Python that Cython compiles.
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

UNARY = 2
RELATION = 3
"""How many numbers a variable that carries a key takes, and a relation."""


class Shared:
    """What a pair of graphs has in common.

    One thread uses it at a time.

    Args:
        product: whether a triple stated *n* and *m* times counts ``n × m``; else it
            counts ``min(n, m)``.

    Attributes:
        left, right: the numbers of the two graphs that were compared last.
        n_left, n_right, left_total, right_total: their variables and triples.
        most: upper bound on the number of their triples that match.
        n_keys, n_shared: number of shared keys that are not roles, and of all shared
            keys; roles come last.
        left_from, left_to, right_from, right_to: for each shared key, where the list of
            the variables (or relations) that carry it begins and ends in either graph.
        n_terms: how many pairs of relations have the same role.
    """

    def __init__(self, product):
        self.product = product
        self.memory = Memory()
        self.room = 0

    def make_room(self, keys):
        """Make sure that so many shared keys have a place; whether they have."""
        if keys <= self.room:
            return True
        self.memory.count()
        self.room = 2 * keys
        self.carve()
        if not self.memory.allocate():
            self.room = 0
            return False
        self.carve()
        return True

    def carve(self):
        """Lay out the arrays in memory; a first call only counts what they need."""
        self.left_from = self.memory.ints(self.room)
        self.left_to = self.memory.ints(self.room)
        self.right_from = self.memory.ints(self.room)
        self.right_to = self.memory.ints(self.room)

    def meet_coded(self, left, right):
        """Find what two coded graphs have in common.

        Args:
            left, right: ``CodedGraph`` objects; ``_coding.py`` has their layout.

        Raises:
            MemoryError: if there is no memory for their keys.
        """
        unary: dict = left.unary_keys
        roles: dict = left.role_keys
        if not self.make_room(len(unary) + len(roles)):
            raise MemoryError
        self.lefts = left.cells
        self.rights = right.cells
        if cython.compiled:
            self.left = cython.address(self.lefts[0])
            self.right = cython.address(self.rights[0])
        else:
            self.left, self.right = self.lefts, self.rights
        self.n_left = left.n_variables
        self.n_right = right.n_variables
        self.left_total = left.total
        self.right_total = right.total
        self.most = 0
        self.n_terms = 0
        self.n_shared = 0
        self.add_common(unary, right.unary_keys, 3, 3, UNARY)
        self.n_keys = self.n_shared
        self.add_common(roles, right.role_keys, self.left[0], self.right[0], RELATION)
        return 0

    def add_common(self, own, others, x, y, width):
        """Add the keys that two coded graphs share.

        Args:
            own, others: the number of each key in the left and in the right graph.
            x, y: where the list of their beginnings starts in either.
            width: how many numbers each that carries one takes.
        """
        s: cython.int = self.n_shared
        a: cython.int
        b: cython.int
        for key, number in others.items():
            found = own.get(key)
            if found is None:
                continue
            a = found
            b = number
            self.left_from[s] = self.left[x + a]
            self.left_to[s] = self.left[x + a + 1]
            self.right_from[s] = self.right[y + b]
            self.right_to[s] = self.right[y + b + 1]
            self.bound(s, width)
            s += 1
        self.n_shared = s
        return 0

    def bound(self, s, width):
        """Bound what the triples of shared key *s* can match.

        Each matches one other at most, so what counts is how often either graph states
        the key in all, and how often at most of one variable.
        """
        times: cython.longlong
        left_sum: cython.longlong = 0
        left_peak: cython.longlong = 0
        right_sum: cython.longlong = 0
        right_peak: cython.longlong = 0
        k: cython.int = self.left_from[s] + width - 1  # how often, behind who
        while k < self.left_to[s]:
            times = self.left[k]
            left_sum += times
            left_peak = max(left_peak, times)
            k += width
        k = self.right_from[s] + width - 1
        while k < self.right_to[s]:
            times = self.right[k]
            right_sum += times
            right_peak = max(right_peak, times)
            k += width
        if self.product:
            self.most += min(left_sum * right_peak, right_sum * left_peak)
        else:
            self.most += min(left_sum, right_sum)
        if width == RELATION:
            times = (self.left_to[s] - self.left_from[s]) // RELATION
            self.n_terms += times * (
                (self.right_to[s] - self.right_from[s]) // RELATION
            )
