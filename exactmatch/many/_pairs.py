# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Score many pairs of packed graphs without returning to Python between two of them.

A *packed* graph is a coded graph whose keys (a concept, a role with its constant, a
role) are numbers that all graphs share, in ascending order, so that two graphs are
paired by merging two lists of integers.  It is a run of ``int32``::

    variables total keys roles | k k … | s s … | p p … | b b … b | … | v n … | s t n …
                                 keys    sums   peaks   begins   ^     ^       ^
                                                    the same of roles  |   relations
                                                            variables that carry a key

Of each key it says how often it is stated in all (its *sum*), how often at most by
one variable (its *peak*), and where what carries it begins.

A pair is scored in steps, each of which may end it:

1. *meet*: what both state, variables left aside, bounds what can match;
2. *state*: the pair becomes an alignment problem, as ``alignment/_problem.py`` makes
   it; the best candidate of every variable, with half of its pair terms, bounds it;
3. *solve*: ``solvers/kernel/search.py`` finds the best alignment, or proves that none
   is as good as was asked for;
4. *recount*: what the alignment matches is counted anew from the triples.

The code is Python that Cython compiles; nothing between two pairs needs the GIL.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers.kernel import _cython as cython

import numpy as np

if cython.compiled:
    from cython.cimports.exactmatch.solvers.kernel.assignment import Memory
    from cython.cimports.exactmatch.solvers.kernel.search import Search
else:
    from exactmatch.solvers.kernel import compiled as kernels

    Memory = kernels.load_interpreted("exactmatch.solvers.kernel.assignment").Memory
    Search = kernels.load_interpreted("exactmatch.solvers.kernel.search").Search

HEAD = 4
"""Numbers before the first key of a packed graph."""

SOLVED = 0
LOWER = 1
UNPROVEN = 2
TOO_LARGE = 3
MISCOUNTED = 4
NO_MEMORY = 5
"""How the work on a pair ends; all but the first two need Python."""

ENDS = ("solved", "lower", "unproven", "too large", "miscounted", "no memory")
"""The same in words."""

NODES = 100
"""After so many nodes of its tree a pair is left to the solver of the metric."""


def pack(coded, key_numbers: dict, role_numbers: dict, learn: bool):
    """Pack a coded graph.

    Args:
        coded: a ``CodedGraph``.
        key_numbers, role_numbers: the shared number of each key.
        learn: whether a new key gets the next number; else it is left out, for
            nobody shares it.
    """
    cells: cython.int[::1] = coded.cells
    keys: list = _shared(coded.unary_keys, key_numbers, learn)
    roles: list = _shared(coded.role_keys, role_numbers, learn)
    used: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    for _, k in keys:
        used += cells[3 + k + 1] - cells[3 + k]
    for _, k in roles:
        used += cells[cells[0] + k + 1] - cells[cells[0] + k]
    size: cython.Py_ssize_t = HEAD + 4 * (len(keys) + len(roles)) + 2 + used
    array = np.empty(size, dtype=np.int32)
    packed: cython.int[::1] = array
    packed[0] = coded.n_variables
    packed[1] = coded.total
    packed[2] = len(keys)
    packed[3] = len(roles)
    at: cython.Py_ssize_t = HEAD + 4 * (len(keys) + len(roles)) + 2
    at = _lay_out(keys, cells, 3, 2, packed, HEAD, at)
    _lay_out(roles, cells, cells[0], 3, packed, HEAD + 4 * len(keys) + 1, at)
    return array


@cython.cfunc
def _shared(own: dict, numbers: dict, learn: cython.bint):
    """The shared and the own number of each key, in order of the shared ones."""
    found: list = []
    for key, number in own.items():
        shared = numbers.get(key)
        if shared is None:
            if not learn:
                continue
            shared = len(numbers)
            numbers[key] = shared
        found.append((shared, number))
    found.sort()
    return found


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _lay_out(
    keys: list,
    cells: cython.int[::1],
    begins: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    packed: cython.int[::1],
    head: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
):
    """Write keys from *head* on and what carries them from *at* on; where that ends."""
    n: cython.Py_ssize_t = len(keys)
    x: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    w: cython.Py_ssize_t
    times: cython.int
    for x in range(n):
        packed[head + x] = keys[x][0]
        k = keys[x][1]
        packed[head + n + x] = 0
        packed[head + 2 * n + x] = 0
        packed[head + 3 * n + x] = at
        for c in range(cells[begins + k], cells[begins + k + 1], width):
            for w in range(width):
                packed[at + w] = cells[c + w]
            times = cells[c + width - 1]
            packed[head + n + x] += times
            packed[head + 2 * n + x] = max(packed[head + 2 * n + x], times)
            at += width
    packed[head + 4 * n] = at
    return at


def postings(cells: cython.const[cython.int][::1], begins: object, n_keys: int, n: int):
    """Turn packed graphs round: for each key, the graphs that state it.

    Args:
        cells: packed graphs, one behind the other.
        begins: where each begins, and where the last one ends.
        n_keys: how many keys there are that are no roles; roles are numbered on.
        n: how many keys and roles there are.

    Returns:
        Where the postings of each key begin (``n + 1`` numbers), and for each posting
        the graph, the key's sum there, and its peak.
    """
    where: cython.const[cython.longlong][::1] = begins
    first = np.zeros(n + 1, dtype=np.int64)
    starts: cython.longlong[::1] = first
    at: cython.Py_ssize_t
    g: cython.Py_ssize_t
    x: cython.Py_ssize_t
    part: cython.Py_ssize_t
    head: cython.Py_ssize_t
    count: cython.Py_ssize_t
    key: cython.Py_ssize_t
    n_graphs: cython.Py_ssize_t = len(where) - 1
    offset: cython.Py_ssize_t
    base: cython.Py_ssize_t
    for g in range(n_graphs):
        base = where[g]
        for part in range(2):
            count = cells[base + 2 + part]
            head = base + HEAD + (0 if part == 0 else 4 * cells[base + 2] + 1)
            offset = 0 if part == 0 else n_keys
            for x in range(count):
                starts[cells[head + x] + offset + 1] += 1
    for key in range(n):
        starts[key + 1] += starts[key]
    total = int(starts[n])
    graphs = np.empty(total, dtype=np.int32)
    sums = np.empty(total, dtype=np.int32)
    peaks = np.empty(total, dtype=np.int32)
    graph_of: cython.int[::1] = graphs
    sum_of: cython.int[::1] = sums
    peak_of: cython.int[::1] = peaks
    filled: cython.longlong[::1] = first[0:n].copy()
    for g in range(n_graphs):
        base = where[g]
        for part in range(2):
            count = cells[base + 2 + part]
            head = base + HEAD + (0 if part == 0 else 4 * cells[base + 2] + 1)
            offset = 0 if part == 0 else n_keys
            for x in range(count):
                key = cells[head + x] + offset
                at = filled[key]
                filled[key] += 1
                graph_of[at] = g
                sum_of[at] = cells[head + count + x]
                peak_of[at] = cells[head + 2 * count + x]
    return first, graphs, sums, peaks


def shared_bounds(
    cells: cython.const[cython.int][::1],
    base: cython.Py_ssize_t,
    index: tuple,
    n_keys: cython.Py_ssize_t,
    product: cython.bint,
    out: cython.int[::1],
):
    """Add to *out*, for each indexed graph, what it can match with a packed graph.

    Args:
        cells: packed graphs.
        base: where the one begins.
        index: what :func:`postings` returned.
        n_keys: as there.
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
    """What a shared key can match: a triple meets one other at most."""
    if product:
        return min(left_sum * right_peak, right_sum * left_peak)
    return min(left_sum, right_sum)


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


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.double)
def _f1(matched: cython.double, pred_total: cython.double, gold_total: cython.double):
    """F1 as ``f_score`` rounds it; neither side is empty."""
    precision: cython.double = matched / pred_total
    recall: cython.double = matched / gold_total
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


class Matcher:
    """Two lists of packed graphs, and room to solve a pair of them at a time.

    One thread uses it at a time; several may share the arrays.

    Args:
        left, left_begins, right, right_begins: the packed graphs of either side, and
            where each begins (and the last one ends).
        product: whether a triple stated *n* and *m* times counts ``n × m``; else it
            counts ``min(n, m)``.
        nothing: the score of two graphs without triples.
        max_terms: how many pair terms, or pairs of variables, a pair may have.

    Attributes:
        matched: what matches of the pair at hand.
        n_left, n_right: its numbers of variables.
        n_candidates, n_terms: those of its problem.
        most: what can match at most.
    """

    def __init__(
        self, left, left_begins, right, right_begins, product, nothing, max_terms
    ):
        self.product = product
        self.nothing = nothing
        self.max_terms = max_terms
        self.search = Search()
        self.memory = Memory()
        keys = max(_widest(left, left_begins), _widest(right, right_begins))
        if cython.compiled:
            self.lefts = left
            self.rights = right
            self.left_begins = left_begins
            self.right_begins = right_begins
            self.left_key = np.empty(keys + 1, dtype=np.int32)
            self.right_key = np.empty(keys + 1, dtype=np.int32)
        else:
            self.lefts, self.rights = left.tolist(), right.tolist()
            self.left_begins = left_begins.tolist()
            self.right_begins = right_begins.tolist()
            self.left_key, self.right_key = [0] * (keys + 1), [0] * (keys + 1)

    # --------------------------------------------------------------- scores

    def row(
        self,
        i: cython.Py_ssize_t,
        j: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        cutoff: cython.double,
        below: cython.double,
        out: cython.double[::1],
    ):
        """Score left graph *i* with the right graphs from *j* up to *end*.

        Args:
            i, j, end: which pairs.
            cutoff: a pair that is proved to score less is not solved.
            below: the score that stands for that.
            out: receives the scores, that of *j* at ``out[j]``.

        Returns:
            How the work ended, and at which right graph: ``SOLVED`` and *end*, or why
            a pair needs Python.
        """
        status: cython.int = 0
        with cython.nogil:
            while j < end:
                status = self.score(i, j, cutoff, below)
                if status > 1:
                    break
                out[j] = self.found
                j += 1
        return (status if j < end else SOLVED), j

    def listed(
        self,
        i: cython.Py_ssize_t,
        others: cython.const[cython.int][::1],
        at: cython.Py_ssize_t,
        cutoff: cython.double,
        below: cython.double,
        out: cython.double[::1],
    ):
        """Score left graph *i* with the right graphs ``others[at:]``.

        The arguments and what is returned are as in :meth:`row`, but for places in
        *others* instead of numbers of graphs.
        """
        status: cython.int = 0
        end: cython.Py_ssize_t = len(others)
        with cython.nogil:
            while at < end:
                status = self.score(i, others[at], cutoff, below)
                if status > 1:
                    break
                out[at] = self.found
                at += 1
        return (status if at < end else SOLVED), at

    def score(self, i, j, cutoff, below):
        """Score one pair; ``found`` is its F1, or *below*."""
        pred_total: cython.longlong = self.lefts[self.left_begins[i] + 1]
        gold_total: cython.longlong = self.rights[self.right_begins[j] + 1]
        needed: cython.longlong = 0
        status: cython.int
        if pred_total == 0 or gold_total == 0:
            self.found = self.nothing if pred_total == gold_total else 0.0
            if self.found < cutoff:
                self.found = below
            return SOLVED
        if cutoff > 0:
            needed = self.least(cutoff, pred_total, gold_total)
        status = self.match(i, j, needed)
        if status == SOLVED:
            self.found = _f1(self.matched, pred_total, gold_total)
        elif status == LOWER:
            self.found = below
        return status

    def least(self, cutoff, pred_total, gold_total):
        """The smallest number of matches whose F1 is no less than *cutoff*."""
        matched: cython.longlong = cython.cast(
            cython.longlong, cutoff * (pred_total + gold_total) / 2
        )
        if not cython.compiled:
            matched = int(matched)
        while matched > 0 and _f1(matched - 1, pred_total, gold_total) >= cutoff:
            matched -= 1
        while _f1(matched, pred_total, gold_total) < cutoff:
            matched += 1
        return matched

    def bound(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t):
        """The F1 of a pair if all matched that both state, variables left aside."""
        self.left = self.left_begins[i]
        self.right = self.right_begins[j]
        pred_total: cython.longlong = self.lefts[self.left + 1]
        gold_total: cython.longlong = self.rights[self.right + 1]
        if pred_total == 0 or gold_total == 0:
            return self.nothing if pred_total == gold_total else 0.0
        self.meet()
        return _f1(self.most, pred_total, gold_total)

    def f1(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t, matched: cython.longlong):
        """The F1 of a pair of which somebody else found what matches."""
        return _f1(
            matched,
            self.lefts[self.left_begins[i] + 1],
            self.rights[self.right_begins[j] + 1],
        )

    # ---------------------------------------------------------------- a pair

    def match(self, i, j, needed):
        """Find how many triples match; ``SOLVED``, or why that is not known."""
        status: cython.int
        self.left = self.left_begins[i]
        self.right = self.right_begins[j]
        self.meet()
        self.matched = 0
        if self.most < needed:
            return LOWER
        if self.most == 0:
            return SOLVED
        status = self.state(needed)
        if status != SOLVED:
            return status
        return self.solve(needed)

    def meet(self):
        """Merge the keys of both: which are shared, and what can match at most."""
        keys: cython.int = self.lefts[self.left + 2]
        others: cython.int = self.rights[self.right + 2]
        self.most = 0
        self.n_terms = 0
        self.n_keys = self.merge(
            0, self.left + HEAD, keys, self.right + HEAD, others, 0
        )
        self.n_shared = self.merge(
            self.n_keys,
            self.left + HEAD + 4 * keys + 1,
            self.lefts[self.left + 3],
            self.right + HEAD + 4 * others + 1,
            self.rights[self.right + 3],
            3,
        )

    def merge(self, at, x, n, y, m, width):
        """Note the shared ones among *n* keys from *x* on and *m* from *y* on.

        Args:
            at: how many shared keys are noted already.
            x, n, y, m: where the keys begin and how many there are.
            width: how many numbers a relation has, to count pair terms; 0 for keys
                that are no roles.

        Returns:
            How many are noted then.
        """
        lefts: cython.p_const_int = self.left_pointer()
        rights: cython.p_const_int = self.right_pointer()
        a: cython.Py_ssize_t = x
        b: cython.Py_ssize_t = y
        many: cython.longlong
        while a < x + n and b < y + m:
            if lefts[a] < rights[b]:
                a += 1
            elif lefts[a] > rights[b]:
                b += 1
            else:
                self.most += _at_most(
                    lefts[a + n],
                    lefts[a + 2 * n],
                    rights[b + m],
                    rights[b + 2 * m],
                    self.product,
                )
                self.left_key[at] = a + 3 * n - self.left
                self.right_key[at] = b + 3 * m - self.right
                at += 1
                if width:
                    many = (lefts[a + 3 * n + 1] - lefts[a + 3 * n]) // width
                    self.n_terms += many * (
                        (rights[b + 3 * m + 1] - rights[b + 3 * m]) // width
                    )
                a += 1
                b += 1
        return at

    def left_pointer(self):
        """The left graphs' numbers."""
        if cython.compiled:
            return cython.address(self.lefts[0])
        return self.lefts

    def right_pointer(self):
        """The right graphs' numbers."""
        if cython.compiled:
            return cython.address(self.rights[0])
        return self.rights

    # --------------------------------------------------------------- stating

    def state(self, needed):
        """Make the arrays of the alignment problem; ``LOWER`` if a bound allows it."""
        self.n_left = self.lefts[self.left]
        self.n_right = self.rights[self.right]
        size: cython.longlong = self.n_left
        size *= self.n_right
        if size > self.max_terms or self.n_terms > self.max_terms:
            return TOO_LARGE
        if size >= 1 << 30 or self.n_terms >= 1 << 30:
            return TOO_LARGE
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
        """Lay out the arrays; the first of two calls only counts them."""
        size: cython.Py_ssize_t = self.n_left
        size *= self.n_right
        self.worth = self.memory.longs(size)
        self.seen = self.memory.ints(size)
        self.credit = self.memory.longs(size)
        self.row_best = self.memory.longs(self.n_left)
        self.col_best = self.memory.longs(self.n_right)
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
        lefts: cython.p_const_int = self.left_pointer()
        rights: cython.p_const_int = self.right_pointer()
        s: cython.int
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        at_left: cython.Py_ssize_t
        at_right: cython.Py_ssize_t
        place: cython.Py_ssize_t
        for s in range(self.n_keys):
            at_left = self.left + self.left_key[s]
            at_right = self.right + self.right_key[s]
            for y in range(
                self.right + rights[at_right], self.right + rights[at_right + 1], 2
            ):
                for x in range(
                    self.left + lefts[at_left], self.left + lefts[at_left + 1], 2
                ):
                    place = lefts[x] * self.n_right + rights[y]
                    self.worth[place] += _times(
                        lefts[x + 1], rights[y + 1], self.product
                    )
                    self.seen[place] = 1

    def add_roles(self):
        """List the pair term of every shared relation."""
        lefts: cython.p_const_int = self.left_pointer()
        rights: cython.p_const_int = self.right_pointer()
        s: cython.int
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        at_left: cython.Py_ssize_t
        at_right: cython.Py_ssize_t
        a: cython.int
        b: cython.int
        weight: cython.longlong
        kept: cython.int = 0
        for s in range(self.n_keys, self.n_shared):
            at_left = self.left + self.left_key[s]
            at_right = self.right + self.right_key[s]
            for y in range(
                self.right + rights[at_right], self.right + rights[at_right + 1], 3
            ):
                for x in range(
                    self.left + lefts[at_left], self.left + lefts[at_left + 1], 3
                ):
                    a = lefts[x] * self.n_right + rights[y]
                    b = lefts[x + 1] * self.n_right + rights[y + 1]
                    weight = _times(lefts[x + 2], rights[y + 2], self.product)
                    if a == b:
                        self.seen[a] = 1
                        self.worth[a] += weight
                    elif lefts[x] != lefts[x + 1] and rights[y] != rights[y + 1]:
                        self.seen[a] = 1
                        self.seen[b] = 1
                        self.raw_first[kept] = a if a < b else b
                        self.raw_second[kept] = b if a < b else a
                        self.raw_weight[kept] = weight
                        kept += 1
        self.n_terms = kept

    def credit_bound(self):
        """A bound: each node's best candidate, with half of all its pair terms."""
        i: cython.int
        j: cython.int
        t: cython.int
        place: cython.int = 0
        rows: cython.longlong = 0
        cols: cython.longlong = 0
        for t in range(self.n_terms):
            self.credit[self.raw_first[t]] += self.raw_weight[t]
            self.credit[self.raw_second[t]] += self.raw_weight[t]
        for i in range(self.n_left):
            for j in range(self.n_right):
                if self.seen[place]:
                    self.credit[place] += 2 * self.worth[place]
                    self.row_best[i] = max(self.row_best[i], self.credit[place])
                    self.col_best[j] = max(self.col_best[j], self.credit[place])
                place += 1
            rows += self.row_best[i]
        for j in range(self.n_right):
            cols += self.col_best[j]
        return min(rows, cols) // 2

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

    # --------------------------------------------------------------- solving

    def solve(self, needed):
        """Find the best alignment, or prove that none matches *needed* triples."""
        value: cython.longlong
        bound: cython.longlong
        if not self.search.load(
            self.n_left,
            self.n_right,
            self.n_candidates,
            self.n_terms,
            self.node_left,
            self.node_right,
            self.unary,
            self.first,
            self.second,
            self.weight,
        ):
            return NO_MEMORY
        self.search.limit(max(needed - 1, 0), self.most)
        while self.search.run(NODES):
            pass
        value = self.search.climb.best_value // self.search.split.unit
        bound = min(self.search.proved_bound(), self.most)
        if bound < needed:
            return LOWER
        if value < needed or bound > value:
            return UNPROVEN
        self.matched = self.recounted()
        return SOLVED if self.matched == value else MISCOUNTED

    def recounted(self):
        """Count from the triples what the best alignment matches."""
        lefts: cython.p_const_int = self.left_pointer()
        rights: cython.p_const_int = self.right_pointer()
        i: cython.int
        c: cython.int
        s: cython.int
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        at_left: cython.Py_ssize_t
        at_right: cython.Py_ssize_t
        source: cython.int
        target: cython.int
        total: cython.longlong = 0
        for i in range(self.n_left):
            c = self.search.climb.best[i]
            self.aligned[i] = -1 if c < 0 else self.node_right[c]
        for s in range(self.n_keys):
            at_left = self.left + self.left_key[s]
            at_right = self.right + self.right_key[s]
            for x in range(
                self.left + lefts[at_left], self.left + lefts[at_left + 1], 2
            ):
                source = self.aligned[lefts[x]]
                for y in range(
                    self.right + rights[at_right], self.right + rights[at_right + 1], 2
                ):
                    if rights[y] == source:
                        total += _times(lefts[x + 1], rights[y + 1], self.product)
        for s in range(self.n_keys, self.n_shared):
            at_left = self.left + self.left_key[s]
            at_right = self.right + self.right_key[s]
            for x in range(
                self.left + lefts[at_left], self.left + lefts[at_left + 1], 3
            ):
                source = self.aligned[lefts[x]]
                target = self.aligned[lefts[x + 1]]
                for y in range(
                    self.right + rights[at_right], self.right + rights[at_right + 1], 3
                ):
                    if rights[y] == source and rights[y + 1] == target:
                        total += _times(lefts[x + 2], rights[y + 2], self.product)
        return total

    # ----------------------------------------------------------- other solvers

    def problem(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t):
        """The problem of a pair for another solver, without starts.

        Returns:
            The numbers of nodes and the arrays of ``AlignmentProblem``, or how many
            pair terms (or pairs of variables) are too many.
        """
        c: cython.Py_ssize_t
        self.left = self.left_begins[i]
        self.right = self.right_begins[j]
        self.meet()
        terms = int(self.n_terms)
        if self.state(0) != SOLVED:
            return max(terms, int(self.n_left) * int(self.n_right))
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
        start = np.zeros(0, dtype=np.int32)
        arrays = (left, right, unary, first, second, weight, start)
        return int(self.n_left), int(self.n_right), arrays


def _widest(cells, begins) -> int:
    """How many keys a packed graph has at most."""
    heads = begins[0 : len(begins) - 1]
    if not len(heads):
        return 0
    return int((cells[heads + 2] + cells[heads + 3]).max())
