# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Align two graphs, prove the alignment optimal, and count what it matches.

A pair of sentences needs no problem that is handed to a solver.  It is counted in
steps, each of which may end it:

1. *meet* (``_shared.py``): the triples that both graphs share apart from variables
   bound how many can match;
2. *state* (``_statement.py``): the pair becomes an alignment problem;
3. *bound* (``_bound.py``): the best candidate of every variable, with half of its pair
   terms, bounds it;
4. *solve*: ``solvers/kernel/search.py`` finds the best alignment, or proves that none
   is as good as needed, as solver ``bnb`` does;
5. *count*: what the alignment matches is counted anew from the triples.

The code is Python that Cython compiles.  Time a change with
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
    Arrays = kernels.load_interpreted("exactmatch.solvers.kernel.layout").Arrays
    Credits = kernels.load_interpreted("exactmatch.engine._bound").Credits
    Shared = kernels.load_interpreted("exactmatch.engine._shared").Shared
    _search = kernels.load_interpreted("exactmatch.solvers.kernel.search")
    RARELY, Search = _search.RARELY, _search.Search
    _statement = kernels.load_interpreted("exactmatch.engine._statement")
    Statement = _statement.Statement
    NO_MEMORY, SOLVED = _statement.NO_MEMORY, _statement.SOLVED

LOWER = 1
UNPROVEN = 4
MISCOUNTED = 5
"""Further ways in which the work on a pair ends."""

ENDS = ("solved", "lower", "too large", "no memory", "unproven", "miscounted")
"""The names of all ends; after all but the first two the pair goes to a solver."""

NODES = 100
"""After so many nodes of its tree a pair of packed graphs is left to the solver."""

CORE_NODES = 200
"""How many nodes the search for a better alignment of the core may take, as of
``bnb``."""


class Matched:
    """Aligns one pair after another, in memory that is reused.

    One thread uses it at a time.

    Args:
        shared: the keys that the pair at hand has in common.
        max_terms: how many pair terms, or places, a pair may have.
        slices: how many slices of some milliseconds each a search may take; 0 for all
            that it needs.

    Attributes:
        aligned: the right variable of each left one, or -1.
        value: what the alignment is worth.
        matched, graded: how many triples it matches, and the sum of its grades.
        nodes, rounds: how much it took to prove it.
    """

    def __init__(self, shared, max_terms, slices):
        self.shared = shared
        self.slices = slices
        self.node_limit = NODES
        self.statement = Statement(shared, max_terms)
        self.credits = Credits(shared, self.statement)
        self.search = Search()
        self.inner = Search()
        self.core = Arrays()
        self.memory = Memory()

    def match(self, needed):
        """Count the matches of the pair that met last.

        Args:
            needed: how many triples must match for the pair to matter.

        Returns:
            ``SOLVED``, ``LOWER`` if fewer match, or the reason why neither is known.
        """
        self.matched = 0
        if self.shared.most < needed:
            return LOWER
        if self.shared.most == 0:
            return SOLVED
        status: cython.int = self.statement.begin()
        if status != SOLVED:
            return status
        if needed > 0 and self.credits.bound() < needed:
            return LOWER
        self.statement.finish()
        return self.solve(needed, True)

    def meet(self, demand: tuple):
        """Find what two coded graphs have in common, and what their triples weigh.

        Args:
            demand: two ``CodedGraph`` objects; *product*, as for ``Shared``; how many
                pair terms, or places, the pair may have; and *scale*, *grades* and
                *allowed*, as for ``Statement.weigh``.

        Raises:
            MemoryError: if there is no memory for what they share.
        """
        left, right, product, most, scale, grades, allowed = demand
        self.shared.product = product
        self.shared.meet_coded(left, right)
        self.statement.max_terms = most
        self.statement.weigh(scale, grades, allowed)

    def align(
        self,
        demand: tuple,
        nodes: cython.longlong,
        slices: cython.int,
        counts: cython.bint,
    ) -> tuple:
        """Align two coded graphs.

        Args:
            demand: as for ``meet``.
            nodes: after so many nodes of its tree the pair is given up.
            slices: as for the class.
            counts: whether only the count is needed, and neither the alignment nor its
                proof; without grades, the search is then shorter.

        Returns:
            How the work ended; matched triples, value, nodes and rounds; and the
            alignment, ``None`` where only the count is needed.
        """
        self.meet(demand)
        self.node_limit = nodes
        self.slices = slices
        if self.statement.has_grades:
            counts = False
        self.matched = self.value = self.nodes = self.rounds = 0
        if counts and self.shared.most == 0:
            return SOLVED, 0, 0, 1, 1, None
        with cython.nogil:
            status: cython.int = self.statement.begin()
            if status == SOLVED:
                self.statement.finish()
                status = self.solve(0, counts)
        alignment = None
        if status == SOLVED and not counts:
            alignment = tuple([self.aligned[i] for i in range(self.statement.n_left)])
        return status, self.matched, self.value, self.nodes, self.rounds, alignment

    def bound(self, demand: tuple) -> tuple:
        """Bound what an alignment of two coded graphs can be worth, without a search.

        Args:
            demand: as for ``meet``.

        Returns:
            How the work ended, and the bound.
        """
        value: cython.longlong = 0
        self.meet(demand)
        with cython.nogil:
            status: cython.int = self.statement.begin()
            if status == SOLVED:
                value = self.credits.bound()
        if not self.statement.has_grades:
            value = min(value, self.shared.most * self.statement.scale)
        return status, value

    def solve(self, needed, counts):
        """Find the best alignment, or prove that none is worth *needed*."""
        most: cython.longlong = self.shared.most * self.statement.scale
        taken: cython.int = 0
        if not self.search.load(self.statement):
            return NO_MEMORY
        self.search.limit(max(needed - 1, 0), most if counts else -1)
        while self.search.run(self.node_limit):
            if self.search.averaged:
                if not self.improve():
                    return NO_MEMORY
                continue
            taken += 1
            if taken == self.slices:
                if not counts:
                    return UNPROVEN
                break
        value: cython.longlong = self.search.climb.best_value // self.search.split.unit
        bound: cython.longlong = self.search.proved_bound()
        if counts:
            bound = min(bound, most)
        if bound < needed:
            return LOWER
        if value < needed or bound > value:
            return UNPROVEN
        if not self.make_room(0, 0):
            return NO_MEMORY
        self.take(self.search.climb.best, self.statement.right)
        self.value = value if counts else self.drop_idle()
        self.nodes = self.search.nodes
        self.rounds = self.search.split.rounds
        self.matched = self.recounted()
        self.graded = self.summed_grades()
        if self.value != value:
            return MISCOUNTED
        if self.matched * self.statement.scale + self.graded != value:
            return MISCOUNTED
        return SOLVED

    # ---------------------------------------------------------------- core

    def make_room(self, count, terms):
        """Make room for an alignment and a core; return whether there is memory.

        Args:
            count, terms: how many candidates and pair terms the core may have.
        """
        self.memory.count()
        self.carve(count, terms)
        if not self.memory.allocate():
            return False
        self.carve(count, terms)
        return True

    def carve(self, count, terms):
        """Lay out the arrays in memory; a first call only counts what they need."""
        self.aligned = self.memory.ints(self.shared.n_left)
        self.number = self.memory.ints(count)
        self.core.reserve(self.memory, count, terms)

    def improve(self):
        """Look for a better alignment of the core, as ``bnb`` does between two slices.

        The core are the candidates that were matched lately.

        Returns:
            Whether there was memory to look.
        """
        count: cython.int = 0
        terms: cython.int = 0
        if not self.make_room(self.statement.n_candidates, self.statement.n_terms):
            return False
        for n in range(self.search.split.n_pool):
            c: cython.int = self.search.split.pool[n]
            if (
                self.search.often[c] > RARELY
                or self.search.climb.best[self.statement.left[c]] == c
            ):
                self.number[c] = 1
        for c in range(self.statement.n_candidates):
            if self.number[c]:
                self.core.left[count] = self.statement.left[c]
                self.core.right[count] = self.statement.right[c]
                self.core.unary[count] = self.statement.unary[c]
                count += 1
                self.number[c] = count
        for t in range(self.statement.n_terms):
            c = self.number[self.statement.first[t]]
            n = self.number[self.statement.second[t]]
            if c and n:
                self.core.first[terms] = c - 1
                self.core.second[terms] = n - 1
                self.core.weight[terms] = self.statement.weight[t]
                terms += 1
        self.core.n_left = self.statement.n_left
        self.core.n_right = self.statement.n_right
        self.core.n_candidates = count
        self.core.n_terms = terms
        self.take(self.search.climb.best, self.statement.right)
        value: cython.longlong = self.search.climb.best_value // self.search.split.unit
        if not self.inner.load(self.core):
            return False
        self.inner.limit(value, -1)
        self.inner.start_from(self.aligned)
        while self.inner.run(CORE_NODES):
            pass
        if self.inner.climb.best_value // self.inner.split.unit > value:
            self.take(self.inner.climb.best, self.core.right)
            self.search.start_from(self.aligned)
        return True

    # --------------------------------------------------------------- count

    def take(self, chosen, right):
        """Take an alignment of the search, whose candidates have these right nodes."""
        for i in range(self.statement.n_left):
            self.aligned[i] = -1 if chosen[i] < 0 else right[chosen[i]]

    def drop_idle(self):
        """Unalign the pairs that add nothing to the value, and return the value."""
        value: cython.longlong = 0
        chosen: cython.p_int = self.search.climb.best
        for i in range(self.statement.n_left):
            c: cython.int = chosen[i]
            if c >= 0 and self.statement.unary[c] == 0:
                self.aligned[i] = -1
            elif c >= 0:
                value += self.statement.unary[c]
        for t in range(self.statement.n_terms):
            i = self.statement.left[self.statement.first[t]]
            c = self.statement.left[self.statement.second[t]]
            if (
                chosen[i] == self.statement.first[t]
                and chosen[c] == self.statement.second[t]
            ):
                self.aligned[i] = self.statement.right[chosen[i]]
                self.aligned[c] = self.statement.right[chosen[c]]
                value += self.statement.weight[t]
        return value

    def recounted(self):
        """Count the triples that the alignment matches, without any weight."""
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        total: cython.longlong = 0
        for s in range(self.shared.n_keys):
            for x in range(self.shared.left_from[s], self.shared.left_to[s], 2):
                source: cython.int = self.aligned[left[x]]
                n: cython.longlong = left[x + 1]
                for y in range(self.shared.right_from[s], self.shared.right_to[s], 2):
                    if right[y] == source:
                        m: cython.longlong = right[y + 1]
                        total += n * m if self.shared.product else min(n, m)
        for s in range(self.shared.n_keys, self.shared.n_shared):
            for x in range(self.shared.left_from[s], self.shared.left_to[s], 3):
                source = self.aligned[left[x]]
                target: cython.int = self.aligned[left[x + 1]]
                n = left[x + 2]
                for y in range(self.shared.right_from[s], self.shared.right_to[s], 3):
                    if right[y] == source and right[y + 1] == target:
                        m = right[y + 2]
                        total += n * m if self.shared.product else min(n, m)
        return total

    def summed_grades(self):
        """Add up the grades of the alignment."""
        total: cython.longlong = 0
        if self.statement.has_grades:
            for i in range(self.statement.n_left):
                if self.aligned[i] >= 0:
                    cell: cython.Py_ssize_t = i
                    cell = cell * self.statement.n_right + self.aligned[i]
                    total += self.statement.grades[cell]
        return total

    def count(self, left, right, product: cython.bint, alignment: tuple) -> int:
        """Count the triples of two coded graphs that an alignment matches.

        Args:
            left, right, product: as for ``Shared``.
            alignment: the right variable of each left one, or -1.

        Raises:
            MemoryError: if there is no memory for them.
        """
        self.shared.product = product
        self.shared.meet_coded(left, right)
        if not self.make_room(0, 0):
            raise MemoryError("not enough memory to count matches")
        for i in range(self.shared.n_left):
            self.aligned[i] = alignment[i]
        return self.recounted()


def aligner():
    """Return a :class:`Matched` that aligns coded graphs."""
    return Matched(Shared(False), 0, 1)
