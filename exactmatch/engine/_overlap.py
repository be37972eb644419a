# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What two packed graphs share apart from variables: a bound on their matches.

``Overlap`` merges the keys of two graphs; ``shared_bounds`` looks one graph's keys up
in the inverted index of all others.  ``_packing.py`` says what either is.

The code is Python that Cython compiles; neither needs the GIL.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if cython.compiled:
    from cython.cimports.exactmatch.engine._packing import HEAD
    from cython.cimports.exactmatch.engine._shared import Shared
else:
    from exactmatch.base import compiled as kernels

    HEAD = kernels.load_interpreted("exactmatch.engine._packing").HEAD
    Shared = kernels.load_interpreted("exactmatch.engine._shared").Shared


def shared_bounds(
    cells: cython.const[cython.int][::1],
    base: cython.Py_ssize_t,
    index: tuple,
    n_keys: cython.Py_ssize_t,
    product: cython.bint,
    out: cython.int[::1],
):
    """Add to *out* how many triples each indexed graph can match with a packed one.

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
    head: cython.Py_ssize_t
    count: cython.Py_ssize_t
    x: cython.Py_ssize_t
    p: cython.Py_ssize_t
    key: cython.Py_ssize_t
    own_sum: cython.longlong
    own_peak: cython.longlong
    with cython.nogil:
        for part in range(2):
            count = cells[base + 2 + part]
            head = base + HEAD + (0 if part == 0 else 4 * cells[base + 2] + 1)
            for x in range(count):
                key = cells[head + x] + (0 if part == 0 else n_keys)
                own_sum = cells[head + count + x]
                own_peak = cells[head + 2 * count + x]
                for p in range(starts[key], starts[key + 1]):
                    out[graphs[p]] += _at_most(
                        own_sum, own_peak, sums[p], peaks[p], product
                    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.longlong)
def _at_most(
    left_sum: cython.longlong,
    left_peak: cython.longlong,
    right_sum: cython.longlong,
    right_peak: cython.longlong,
    product: cython.bint,
):
    """How many triples of a shared key can match, as each matches one other at most."""
    if product:
        return min(left_sum * right_peak, right_sum * left_peak)
    return min(left_sum, right_sum)


class Overlap(Shared):
    """Two lists of packed graphs, and what a pair of them has in common.

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
        """Find what left graph *i* and right graph *j* have in common."""
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
        keys: cython.int = self.left[2]
        others: cython.int = self.right[2]
        self.most = 0
        self.n_terms = 0
        self.n_shared = 0
        self.merge(HEAD, keys, HEAD, others, 0)
        self.n_keys = self.n_shared
        keys = HEAD + 4 * keys + 1
        others = HEAD + 4 * others + 1
        self.merge(keys, self.left[3], others, self.right[3], 3)

    def merge(self, x, n, y, m, width):
        """Note the shared ones among *n* keys from *x* on and *m* from *y* on.

        Args:
            x, n, y, m: where the keys begin and how many there are.
            width: how many numbers a relation has, to count pair terms; 0 for keys
                that are no roles.
        """
        left: cython.p_const_int = self.left
        right: cython.p_const_int = self.right
        a: cython.int = x
        b: cython.int = y
        at: cython.int = self.n_shared
        many: cython.longlong
        while a < x + n and b < y + m:
            if left[a] < right[b]:
                a += 1
            elif left[a] > right[b]:
                b += 1
            else:
                self.most += _at_most(
                    left[a + n],
                    left[a + 2 * n],
                    right[b + m],
                    right[b + 2 * m],
                    self.product,
                )
                self.left_from[at] = left[a + 3 * n]
                self.left_to[at] = left[a + 3 * n + 1]
                self.right_from[at] = right[b + 3 * m]
                self.right_to[at] = right[b + 3 * m + 1]
                if width:
                    many = (self.left_to[at] - self.left_from[at]) // width
                    self.n_terms += many * (
                        (self.right_to[at] - self.right_from[at]) // width
                    )
                at += 1
                a += 1
                b += 1
        self.n_shared = at


def _widest(cells, begins) -> int:
    """The largest number of keys in any of the packed graphs."""
    heads = begins[0 : len(begins) - 1]
    if not len(heads):
        return 0
    return int((cells[heads + 2] + cells[heads + 3]).max())
