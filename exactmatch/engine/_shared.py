# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Keys that two graphs share, and an upper bound on their matches from these.

Only a key that both graphs have (a concept, a role with its constant, a role) can
match.  ``_statement.py`` builds the alignment problem from the shared keys.

``Shared`` looks the keys of two coded graphs up, ``Overlap`` merges those of two packed
ones, and ``shared_bounds`` looks one packed graph's keys up in the inverted index of
all others.  ``_coding.py`` and ``_packing.py`` describe coded and packed graphs.

The code is Python that Cython compiles; only ``Shared`` needs the GIL.  Time a change
with ``python -m benchmarks para all-pairs banks``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Memory = kernels.load_interpreted("exactmatch.solvers.kernel.assignment").Memory

UNARY = 2
RELATION = 3
"""Cells that a variable with a key takes, and that a relation takes."""

HEAD = 4
"""Cells before the first key of a packed graph."""


def max_matches_of(left_sum, left_peak, right_sum, right_peak, product):
    """Return the most triples of a shared key that can match."""
    if product:
        return min(left_sum * right_peak, right_sum * left_peak)
    return min(left_sum, right_sum)


class Shared:
    """The triples that two graphs have in common.

    One thread uses it at a time.

    Args:
        product: whether a triple stated *n* and *m* times counts ``n × m``; else it
            counts ``min(n, m)``.

    Attributes:
        left, right: the numbers of the two graphs that were compared last.
        n_left, n_right, left_total, right_total: their variables and triples.
        max_matches: upper bound on the number of their triples that match.
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
        """Reserve memory for *keys* shared keys; return whether there is enough."""
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
        """Find the keys that two coded graphs share.

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
        self.max_matches = 0
        self.n_terms = 0
        self.n_shared = 0
        self.add_common(unary, right.unary_keys, 3, 3, UNARY)
        self.n_keys = self.n_shared
        self.add_common(roles, right.role_keys, self.left[0], self.right[0], RELATION)
        return 0

    def add_common(self, left_keys, right_keys, x, y, width):
        """Add the keys that two coded graphs share.

        Args:
            left_keys, right_keys: the number of each key in the left and right graph.
            x, y: where the list of their beginnings starts in either graph.
            width: how many cells a carrier of the key takes.
        """
        left: cython.p_const_int = self.left
        right: cython.p_const_int = self.right
        for key, right_number in right_keys.items():
            left_number = left_keys.get(key)
            if left_number is None:
                continue
            a: cython.int = left_number
            b: cython.int = right_number
            a += x
            b += y
            self.add(left[a], left[a + 1], right[b], right[b + 1], width)
            self.bound(width)
        return 0

    def add(self, left_from, left_to, right_from, right_to, width):
        """Add a shared key, with the beginnings and ends of its lists of carriers."""
        s: cython.int = self.n_shared
        n_left: cython.longlong = (left_to - left_from) // RELATION
        self.left_from[s] = left_from
        self.left_to[s] = left_to
        self.right_from[s] = right_from
        self.right_to[s] = right_to
        if width == RELATION:
            self.n_terms += n_left * ((right_to - right_from) // RELATION)
        self.n_shared = s + 1

    def bound(self, width):
        """Bound the matches of the key that was added last.

        The bound follows from how often the key occurs in each graph, and how often at
        one variable at most.
        """
        s: cython.int = self.n_shared - 1
        left_sum: cython.longlong = 0
        left_peak: cython.longlong = 0
        right_sum: cython.longlong = 0
        right_peak: cython.longlong = 0
        k: cython.int = self.left_from[s] + width - 1  # counts follow their carriers
        while k < self.left_to[s]:
            times: cython.longlong = self.left[k]
            left_sum += times
            left_peak = max(left_peak, times)
            k += width
        k = self.right_from[s] + width - 1
        while k < self.right_to[s]:
            times = self.right[k]
            right_sum += times
            right_peak = max(right_peak, times)
            k += width
        self.max_matches += max_matches_of(
            left_sum, left_peak, right_sum, right_peak, self.product
        )


class Overlap(Shared):
    """Two lists of packed graphs, and the keys that a pair of them shares.

    One thread uses it at a time; several may share the arrays.

    Args:
        left, left_begins, right, right_begins: the packed graphs of either side, and
            where each begins (and the last one ends).
        product: as for ``Shared``, which has the attributes.
    """

    def __init__(self, left, left_begins, right, right_begins, product):
        Shared.__init__(self, product)
        widest = max(_widest(left, left_begins), _widest(right, right_begins))
        if not self.make_room(widest):
            raise MemoryError
        if cython.compiled:
            self.lefts = left
            self.rights = right
            self.left_begins = left_begins
            self.right_begins = right_begins
        else:
            self.lefts, self.rights = left.tolist(), right.tolist()
            self.left_begins = left_begins.tolist()
            self.right_begins = right_begins.tolist()

    def meet(self, i, j):
        """Find the keys that left graph *i* and right graph *j* share."""
        if cython.compiled:
            self.left = cython.address(self.lefts[self.left_begins[i]])
            self.right = cython.address(self.rights[self.right_begins[j]])
        else:
            self.left = self.lefts[self.left_begins[i] : self.left_begins[i + 1]]
            self.right = self.rights[self.right_begins[j] : self.right_begins[j + 1]]
        self.n_left = self.left[0]
        self.n_right = self.right[0]
        self.left_total = self.left[1]
        self.right_total = self.right[1]
        left_keys: cython.int = self.left[2]
        right_keys: cython.int = self.right[2]
        self.max_matches = 0
        self.n_terms = 0
        self.n_shared = 0
        self.merge(HEAD, left_keys, HEAD, right_keys, UNARY)
        self.n_keys = self.n_shared
        left_keys = HEAD + 4 * left_keys + 1
        right_keys = HEAD + 4 * right_keys + 1
        self.merge(left_keys, self.left[3], right_keys, self.right[3], RELATION)

    def merge(self, x, n, y, m, width):
        """Add the keys that are among *n* left and *m* right ones.

        Args:
            x, n: where the left keys begin and how many there are.
            y, m: the same of the right keys.
            width: how many cells a carrier of a key takes.
        """
        left: cython.p_const_int = self.left
        right: cython.p_const_int = self.right
        a: cython.int = x
        b: cython.int = y
        while a < x + n and b < y + m:
            if left[a] < right[b]:
                a += 1
            elif left[a] > right[b]:
                b += 1
            else:
                self.max_matches += max_matches_of(
                    left[a + n],
                    left[a + 2 * n],
                    right[b + m],
                    right[b + 2 * m],
                    self.product,
                )
                self.add(
                    left[a + 3 * n],
                    left[a + 3 * n + 1],
                    right[b + 3 * m],
                    right[b + 3 * m + 1],
                    width,
                )
                a += 1
                b += 1


def _widest(cells, begins) -> int:
    """Return the largest number of keys in any of the packed graphs."""
    heads = begins[0 : len(begins) - 1]
    if not len(heads):
        return 0
    return int((cells[heads + 2] + cells[heads + 3]).max())


def shared_bounds(
    cells: cython.const[cython.int][::1],
    base: cython.Py_ssize_t,
    index: tuple,
    n_keys: cython.Py_ssize_t,
    product: cython.bint,
    out: cython.int[::1],
):
    """Add to *out* the most matches of each indexed graph with one packed graph.

    Args:
        cells: packed graphs.
        base: where the graph to compare begins in *cells*.
        index: what ``postings`` returned.
        n_keys: number of keys that are not roles, as given to ``postings``.
        product: whether a triple stated *n* and *m* times counts ``n × m``.
        out: one number for each indexed graph.
    """
    starts: cython.const[cython.longlong][::1] = index[0]
    graphs: cython.const[cython.int][::1] = index[1]
    sums: cython.const[cython.int][::1] = index[2]
    peaks: cython.const[cython.int][::1] = index[3]
    part: cython.Py_ssize_t
    with cython.nogil:
        for part in range(2):
            count: cython.Py_ssize_t = cells[base + 2 + part]
            head: cython.Py_ssize_t = (
                base + HEAD + (0 if part == 0 else 4 * cells[base + 2] + 1)
            )
            for x in range(count):
                key: cython.Py_ssize_t = cells[head + x] + (0 if part == 0 else n_keys)
                own_sum: cython.longlong = cells[head + count + x]
                own_peak: cython.longlong = cells[head + 2 * count + x]
                for p in range(starts[key], starts[key + 1]):
                    out[graphs[p]] += max_matches_of(
                        own_sum, own_peak, sums[p], peaks[p], product
                    )
