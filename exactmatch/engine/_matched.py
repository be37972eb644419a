# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Align two graphs, prove the alignment optimal, and count what it matches.

A pair of sentences goes to no solver.  It is counted in five steps, and is done where
one of them settles it:

1. *meet* (``_shared.py``): find the keys that both graphs share; they bound the number
   of matches;
2. *state* (``_statement.py``): build the alignment problem;
3.  *bound* (``_bound.py``): bound its value by the best candidate of every variable,
   with half of its pair terms;
4. *solve* (``solvers/kernel/search.py``): find the best alignment, as solver ``bnb``
   does, or prove that none is as good as needed;
5. *count*: count the triples that the alignment matches, without the weights.

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
    NO_MEMORY, OK = _statement.NO_MEMORY, _statement.OK

LOWER = 1
UNPROVEN = 4
MISCOUNTED = 5
"""Further ways in which the work on a pair ends, after those of ``_statement.py``."""

ENDS = ("solved", "lower", "too large", "no memory", "unproven", "miscounted")
"""The names of all ends, by number; "solved" and "lower" need no solver."""

NODES = 100
"""Nodes of the search tree after which a pair of packed graphs goes to a solver."""

CORE_NODES = 200
"""Nodes that the search for a better alignment of the core may take, as in ``bnb``."""


class Matched:
    """Aligns one pair after another in the same memory.

    One thread uses it at a time.

    Args:
        shared: the keys that the present pair shares.
        max_terms: the most pair terms, or slots, that a pair may have.
        slices: the most slices of a search, some milliseconds each; 0 for any number.

    Attributes:
        aligned: the right variable of each left one, or -1.
        value: the value of the alignment.
        matched, graded: how many triples it matches, and the sum of its grades.
        nodes, rounds: nodes and rounds of the search that proved it.
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
        """Count the matches of the pair that ``shared`` holds.

        Args:
            needed: the fewest matches of interest.

        Returns:
            ``OK``, ``LOWER`` if fewer match, or the reason why neither is known.
        """
        self.matched = 0
        if self.shared.max_matches < needed:
            return LOWER
        if self.shared.max_matches == 0:
            return OK
        status: cython.int = self.statement.begin()
        if status != OK:
            return status
        if needed > 0 and self.credits.bound() < needed:
            return LOWER
        self.statement.finish()
        return self.solve(needed, True)

    def meet(self, task: tuple):
        """Find the keys that two coded graphs share, and set the weights of triples.

        Args:
            task: two ``CodedGraph`` objects; *product*, as for ``Shared``; the most
                pair terms, or slots, that the pair may have; and *scale*, *grades* and
                *allowed*, as for ``Statement.weigh``.

        Raises:
            MemoryError: if there is no memory for the shared keys.
        """
        left, right, product, max_terms, scale, grades, allowed = task
        self.shared.product = product
        self.shared.meet_coded(left, right)
        self.statement.max_terms = max_terms
        self.statement.weigh(scale, grades, allowed)

    def align(
        self,
        task: tuple,
        nodes: cython.longlong,
        slices: cython.int,
        counts: cython.bint,
    ) -> tuple:
        """Align two coded graphs.

        Args:
            task: as for ``meet``.
            nodes: the most nodes of its search tree.
            slices: as for the class.
            counts: whether only the number of matches is needed; without grades, the
                search is then shorter.

        Returns:
            How the work ended; matched triples, value, nodes and rounds; and the
            alignment, ``None`` where only the number is needed.
        """
        self.meet(task)
        self.node_limit = nodes
        self.slices = slices
        if self.statement.has_grades:
            counts = False
        self.matched = self.value = self.nodes = self.rounds = 0
        if counts and self.shared.max_matches == 0:
            return OK, 0, 0, 1, 1, None
        with cython.nogil:
            status: cython.int = self.statement.begin()
            if status == OK:
                self.statement.finish()
                status = self.solve(0, counts)
        alignment = None
        if status == OK and not counts:
            alignment = tuple([self.aligned[i] for i in range(self.statement.n_left)])
        return status, self.matched, self.value, self.nodes, self.rounds, alignment

    def bound(self, task: tuple) -> tuple:
        """Bound the value of the alignments of two coded graphs, without a search.

        Args:
            task: as for ``meet``.

        Returns:
            How the work ended, and the bound.
        """
        value: cython.longlong = 0
        self.meet(task)
        with cython.nogil:
            status: cython.int = self.statement.begin()
            if status == OK:
                value = self.credits.bound()
        if not self.statement.has_grades:
            value = min(value, self.shared.max_matches * self.statement.scale)
        return status, value

    def solve(self, needed, counts):
        """Find the best alignment, or prove that none is worth *needed*."""
        limit: cython.longlong = self.shared.max_matches * self.statement.scale
        n_slices: cython.int = 0
        if not self.search.load(self.statement):
            return NO_MEMORY
        self.search.limit(max(needed - 1, 0), limit if counts else -1)
        while self.search.run(self.node_limit):
            if self.search.averaged:
                if not self.improve():
                    return NO_MEMORY
                continue
            n_slices += 1
            if n_slices == self.slices:
                if not counts:
                    return UNPROVEN
                break
        value: cython.longlong = self.search.climb.best_value // self.search.split.unit
        bound: cython.longlong = self.search.proved_bound()
        if counts:
            bound = min(bound, limit)
        if bound < needed:
            return LOWER
        if value < needed or bound > value:
            return UNPROVEN
        if not self.make_room(0, 0):
            return NO_MEMORY
        self.take(self.search.climb.best, self.statement.right)
        self.value = value if counts else self.drop_worthless()
        self.nodes = self.search.nodes
        self.rounds = self.search.split.rounds
        self.matched = self.count_matches()
        self.graded = self.sum_of_grades()
        if self.value != value:
            return MISCOUNTED
        if self.matched * self.statement.scale + self.graded != value:
            return MISCOUNTED
        return OK

    # ---------------------------------------------------------------- core

    def make_room(self, count, terms):
        """Reserve memory for an alignment and a core; return whether there is enough.

        Args:
            count, terms: the most candidates and pair terms of the core.
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

        The core holds the candidates that were matched lately.

        Returns:
            Whether there was enough memory.
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
        """Copy the alignment of a search, whose candidates have these right nodes."""
        for i in range(self.statement.n_left):
            self.aligned[i] = -1 if chosen[i] < 0 else right[chosen[i]]

    def drop_worthless(self):
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

    def count_matches(self):
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

    def sum_of_grades(self):
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
        return self.count_matches()


def aligner():
    """Return a :class:`Matched` that aligns coded graphs."""
    return Matched(Shared(False), 0, 1)
