"""The search behind ``bnb``: dual ascent inside a branch and bound, in integers.

Splitting every pair weight between its two candidates turns the quadratic
problem into linear assignments.  For a split, a candidate *c* is worth at most

    ``worth[c] = unary[c] + the best one-to-one choice of its shares``

and no alignment is worth more than the best assignment of the worths, nor than
any dual solution of that assignment (``u[i] + v[j] >= worth[c]``).  Everything
below makes that bound smaller, or makes an alignment reach it:

1. *bound*: the shares' own little assignments (``inner``) give the worths, one
   assignment over all candidates (``outer``) gives ``u``, ``v`` and the bound;
2. *climb*: the assignment is an alignment too; inserting candidates and
   swapping partners improves it;
3. *fix*: a candidate whose slack ``u[i] + v[j] - worth[c]`` pushes the bound
   below the next better value is in no better alignment and is dropped;
4. *ascend*: a candidate with slack takes shares from its partners, whose worth
   falls, and with it the next bound (Hahn and Grant 1998);
5. *branch*: where that stalls, a candidate is taken (all that conflict with it
   are dropped), and afterwards left out (it is dropped itself).

A split that is valid once is valid in every branch, so branches share one
split, and going back up only puts dropped candidates back.

Numbers are 64-bit integers in units of ``1 / denominator`` of the problem's
own units.  No sum exceeds twice the total weight, so nothing overflows.

This module is Python in Cython's pure mode: the build compiles it, and without
a compiler it runs as it is, slower and with the same answers.  Arrays are raw
memory when compiled and lists when not, so no pointer is ever shifted.

Sources: Hahn and Grant (1998), "Lower bounds for the quadratic assignment
problem based upon a dual formulation"; Jonker and Volgenant (1987) for the
assignment by shortest augmenting paths.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers import _cython as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free

NONE = cython.declare(cython.int, -1)
"""No node, no candidate, no partner."""

TOTAL_LIMIT = 2**60
"""The total weight times the denominator stays below this."""


@cython.final
@cython.cclass
class Memory:
    """All arrays of one search, carved from two blocks and freed with it."""

    int_block: cython.p_int
    long_block: cython.p_longlong
    ints_used: cython.Py_ssize_t
    longs_used: cython.Py_ssize_t
    counting: cython.bint

    def __init__(self) -> None:
        self.counting = True
        self.ints_used = 0
        self.longs_used = 0

    if cython.compiled:

        def __dealloc__(self) -> None:
            free(self.int_block)
            free(self.long_block)

    @cython.cfunc
    def ints(self, count: cython.Py_ssize_t) -> cython.p_int:
        """Return an array of *count* zeros; nothing usable while counting."""
        if not cython.compiled:
            return [0] * count
        start: cython.Py_ssize_t = self.ints_used
        self.ints_used += count
        if self.counting:
            return cython.NULL
        return self.int_block + start

    @cython.cfunc
    def longs(self, count: cython.Py_ssize_t) -> cython.p_longlong:
        """Return an array of *count* 64-bit zeros; nothing while counting."""
        if not cython.compiled:
            return [0] * count
        start: cython.Py_ssize_t = self.longs_used
        self.longs_used += count
        if self.counting:
            return cython.NULL
        return self.long_block + start

    @cython.cfunc
    def allocate(self) -> cython.void:
        """Get the memory that was counted; after it, arrays are real."""
        if cython.compiled:
            self.int_block = cython.cast(
                cython.p_int, calloc(self.ints_used + 1, cython.sizeof(cython.int))
            )
            self.long_block = cython.cast(
                cython.p_longlong,
                calloc(self.longs_used + 1, cython.sizeof(cython.longlong)),
            )
            if self.int_block == cython.NULL or self.long_block == cython.NULL:
                raise MemoryError("not enough memory for the search")
        self.counting = False
        self.ints_used = 0
        self.longs_used = 0


@cython.final
@cython.cclass
class Assignment:
    """Sparse assignment problems side by side, and dual solutions kept warm.

    Entry *e* joins ``row_of[e]`` and ``col_of[e]`` and is worth ``value[e]``
    where ``live[e]``.  Row *r* has the entries from ``row_begin[r]`` up to
    ``row_begin[r + 1]``; column *k* has those listed in ``col_order`` from
    ``col_begin[k]`` up to ``col_begin[k + 1]``.  Rows and columns may stay
    unmatched, so all duals are zero or more.
    """

    row_begin: cython.p_int
    row_of: cython.p_int
    col_begin: cython.p_int
    col_order: cython.p_int
    col_of: cython.p_int
    live: cython.p_int
    value: cython.p_longlong
    row_dual: cython.p_longlong
    col_dual: cython.p_longlong
    row_match: cython.p_int
    col_match: cython.p_int
    dist: cython.p_longlong
    via: cython.p_int
    state: cython.p_int
    queue: cython.p_int

    def __init__(self) -> None:
        pass

    @cython.cfunc
    def carve(
        self, memory: Memory, rows: cython.int, cols: cython.int, entries: cython.int
    ) -> cython.void:
        """Take the arrays from *memory*; entries' arrays are given by the owner."""
        wide: cython.int = max(rows, cols) + 1
        self.row_begin = memory.ints(rows + 1)
        self.col_begin = memory.ints(cols + 1)
        self.col_order = memory.ints(entries)
        self.row_dual = memory.longs(rows + 1)
        self.col_dual = memory.longs(cols + 1)
        self.row_match = memory.ints(rows + 1)
        self.col_match = memory.ints(cols + 1)
        self.dist = memory.longs(wide)
        self.via = memory.ints(wide)
        self.state = memory.ints(wide)
        self.queue = memory.ints(wide)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def solve(
        self, row0: cython.int, row1: cython.int, col0: cython.int, col1: cython.int
    ) -> cython.longlong:
        """Make the duals of these rows and columns optimal; return their sum.

        The columns' duals are a hint from last time: any values will do.
        """
        row_begin: cython.p_int = self.row_begin
        col_begin: cython.p_int = self.col_begin
        col_order: cython.p_int = self.col_order
        row_of: cython.p_int = self.row_of
        col_of: cython.p_int = self.col_of
        live: cython.p_int = self.live
        value: cython.p_longlong = self.value
        row_dual: cython.p_longlong = self.row_dual
        col_dual: cython.p_longlong = self.col_dual
        row_match: cython.p_int = self.row_match
        col_match: cython.p_int = self.col_match
        best: cython.longlong
        x: cython.longlong
        total: cython.longlong = 0
        r: cython.int
        k: cython.int
        e: cython.int
        s: cython.int
        for r in range(row0, row1):
            best = 0
            for e in range(row_begin[r], row_begin[r + 1]):
                if live[e]:
                    x = value[e] - col_dual[col_of[e]]
                    best = max(best, x)
            row_dual[r] = best
        for k in range(col0, col1):
            if col_dual[k] > 0:
                best = 0
                for s in range(col_begin[k], col_begin[k + 1]):
                    e = col_order[s]
                    if live[e]:
                        x = value[e] - row_dual[row_of[e]]
                        best = max(best, x)
                col_dual[k] = best
        for r in range(row0, row1):
            e = row_match[r]
            if e >= 0 and (
                not live[e] or row_dual[r] + col_dual[col_of[e]] != value[e]
            ):
                row_match[r] = -1
                col_match[col_of[e]] = -1
        for r in range(row0, row1):
            if row_match[r] < 0 and row_dual[r] > 0:
                for e in range(row_begin[r], row_begin[r + 1]):
                    k = col_of[e]
                    if (
                        live[e]
                        and col_match[k] < 0
                        and row_dual[r] + col_dual[k] == value[e]
                    ):
                        row_match[r] = e
                        col_match[k] = e
                        break
        for r in range(row0, row1):
            if row_match[r] < 0 and row_dual[r] > 0:
                self.augment_row(r)
            total += row_dual[r]
        for k in range(col0, col1):
            if col_match[k] < 0 and col_dual[k] > 0:
                self.augment_col(k)
        total = 0
        for r in range(row0, row1):
            total += row_dual[r]
        for k in range(col0, col1):
            total += col_dual[k]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def augment_row(self, start: cython.int) -> cython.void:
        """Match a free row, or take its dual to zero, by a shortest path.

        A path may end at a free column, or at a row that is better left free.
        """
        row_begin: cython.p_int = self.row_begin
        row_of: cython.p_int = self.row_of
        col_of: cython.p_int = self.col_of
        live: cython.p_int = self.live
        value: cython.p_longlong = self.value
        row_dual: cython.p_longlong = self.row_dual
        col_dual: cython.p_longlong = self.col_dual
        row_match: cython.p_int = self.row_match
        col_match: cython.p_int = self.col_match
        dist: cython.p_longlong = self.dist
        via: cython.p_int = self.via
        state: cython.p_int = self.state
        queue: cython.p_int = self.queue
        touched: cython.int = 0
        row: cython.int = start
        last_row: cython.int = start
        last_col: cython.int = -1
        so_far: cython.longlong = 0
        least: cython.longlong = row_dual[start]
        x: cython.longlong
        e: cython.int
        k: cython.int
        q: cython.int
        nearest: cython.int
        while True:
            for e in range(row_begin[row], row_begin[row + 1]):
                if live[e]:
                    k = col_of[e]
                    x = so_far + row_dual[row] + col_dual[k] - value[e]
                    if x < least and (state[k] == 0 or x < dist[k]):
                        if state[k] == 0:
                            queue[touched] = k
                            touched += 1
                            state[k] = 1
                        dist[k] = x
                        via[k] = e
                        if col_match[k] < 0:
                            least = x
                            last_col = k
            nearest = -1
            for q in range(touched):
                k = queue[q]
                if state[k] == 1 and (nearest < 0 or dist[k] < dist[nearest]):
                    nearest = k
            if nearest < 0 or dist[nearest] >= least:
                break
            state[nearest] = 2
            so_far = dist[nearest]
            row = row_of[col_match[nearest]]
            if so_far + row_dual[row] < least:
                least = so_far + row_dual[row]
                last_row = row
                last_col = -1
        row_dual[start] -= least
        for q in range(touched):
            k = queue[q]
            if state[k] == 2 and dist[k] < least:
                col_dual[k] += least - dist[k]
                row_dual[row_of[col_match[k]]] -= least - dist[k]
            state[k] = 0
        if last_col < 0:
            if last_row == start:
                return
            last_col = col_of[row_match[last_row]]
            row_match[last_row] = -1
        while True:
            e = via[last_col]
            row = row_of[e]
            q = row_match[row]
            row_match[row] = e
            col_match[last_col] = e
            if row == start:
                return
            last_col = col_of[q]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def augment_col(self, start: cython.int) -> cython.void:
        """The same from a free column whose dual is not yet zero."""
        col_begin: cython.p_int = self.col_begin
        col_order: cython.p_int = self.col_order
        row_of: cython.p_int = self.row_of
        col_of: cython.p_int = self.col_of
        live: cython.p_int = self.live
        value: cython.p_longlong = self.value
        row_dual: cython.p_longlong = self.row_dual
        col_dual: cython.p_longlong = self.col_dual
        row_match: cython.p_int = self.row_match
        col_match: cython.p_int = self.col_match
        dist: cython.p_longlong = self.dist
        via: cython.p_int = self.via
        state: cython.p_int = self.state
        queue: cython.p_int = self.queue
        touched: cython.int = 0
        col: cython.int = start
        last_col: cython.int = start
        last_row: cython.int = -1
        so_far: cython.longlong = 0
        least: cython.longlong = col_dual[start]
        x: cython.longlong
        e: cython.int
        r: cython.int
        s: cython.int
        q: cython.int
        nearest: cython.int
        while True:
            for s in range(col_begin[col], col_begin[col + 1]):
                e = col_order[s]
                if live[e]:
                    r = row_of[e]
                    x = so_far + row_dual[r] + col_dual[col] - value[e]
                    if x < least and (state[r] == 0 or x < dist[r]):
                        if state[r] == 0:
                            queue[touched] = r
                            touched += 1
                            state[r] = 1
                        dist[r] = x
                        via[r] = e
                        if row_match[r] < 0:
                            least = x
                            last_row = r
            nearest = -1
            for q in range(touched):
                r = queue[q]
                if state[r] == 1 and (nearest < 0 or dist[r] < dist[nearest]):
                    nearest = r
            if nearest < 0 or dist[nearest] >= least:
                break
            state[nearest] = 2
            so_far = dist[nearest]
            col = col_of[row_match[nearest]]
            if so_far + col_dual[col] < least:
                least = so_far + col_dual[col]
                last_col = col
                last_row = -1
        col_dual[start] -= least
        for q in range(touched):
            r = queue[q]
            if state[r] == 2 and dist[r] < least:
                row_dual[r] += least - dist[r]
                col_dual[col_of[row_match[r]]] -= least - dist[r]
            state[r] = 0
        if last_row < 0:
            if last_col == start:
                return
            last_row = row_of[col_match[last_col]]
            col_match[last_col] = -1
        while True:
            e = via[last_row]
            col = col_of[e]
            q = col_match[col]
            col_match[col] = e
            row_match[last_row] = e
            if col == start:
                return
            last_row = row_of[q]


@cython.final
@cython.cclass
class Search:
    """One problem, the best alignment so far, and what is still open."""

    n_left: cython.int
    n_right: cython.int
    n_candidates: cython.int
    n_halves: cython.int
    n_linked: cython.int
    unit: cython.longlong
    memory: Memory
    outer: Assignment
    inner: Assignment
    # Candidates: nodes, unary weight, worth for the present split.
    left: cython.p_int
    right: cython.p_int
    live: cython.p_int
    unary: cython.p_longlong
    worth: cython.p_longlong
    linked: cython.p_int
    # Halves: a pair term seen from one of its candidates, sorted by candidate.
    half_begin: cython.p_int
    partner: cython.p_int
    twin: cython.p_int
    half_live: cython.p_int
    half_row: cython.p_int
    half_col: cython.p_int
    share: cython.p_longlong
    conflicted: cython.p_int
    n_rows: cython.p_int
    n_cols: cython.p_int
    # The alignment being improved, and the best one.
    chosen_row: cython.p_int
    chosen_col: cython.p_int
    gain: cython.p_longlong
    best: cython.p_int
    best_value: cython.longlong
    # The tree: dropped candidates in order, and the open branches.
    trail: cython.p_int
    n_trail: cython.int
    branch: cython.p_int
    mark: cython.p_int
    open_bound: cython.p_longlong
    depth: cython.int
    # The node at hand.
    bound: cython.longlong
    last_bound: cython.longlong
    node_rounds: cython.int
    gap_step: cython.longlong
    upper: cython.longlong
    nodes: cython.longlong
    rounds: cython.longlong
    work: cython.longlong
    done: cython.bint
    k0: cython.int
    k1: cython.int
    k2: cython.int
    k3: cython.int

    def __init__(
        self,
        n_left: cython.int,
        n_right: cython.int,
        n_candidates: cython.int,
        n_terms: cython.int,
    ) -> None:
        self.n_left = n_left
        self.n_right = n_right
        self.n_candidates = n_candidates
        self.n_halves = 2 * n_terms
        self.memory = Memory()
        self.outer = Assignment()
        self.inner = Assignment()
        self.carve()
        if cython.compiled:
            self.memory.allocate()
            self.carve()

    @cython.cfunc
    def carve(self) -> cython.void:
        """Lay out the arrays; the first of two calls only counts them."""
        memory: Memory = self.memory
        count: cython.int = self.n_candidates
        halves: cython.int = self.n_halves
        self.left = memory.ints(count)
        self.right = memory.ints(count)
        self.live = memory.ints(count)
        self.unary = memory.longs(count)
        self.worth = memory.longs(count)
        self.linked = memory.ints(count)
        self.half_begin = memory.ints(count + 2)
        self.partner = memory.ints(halves)
        self.twin = memory.ints(halves)
        self.half_live = memory.ints(halves)
        self.half_row = memory.ints(halves)
        self.half_col = memory.ints(halves)
        self.share = memory.longs(halves)
        self.conflicted = memory.ints(count)
        self.n_rows = memory.ints(count)
        self.n_cols = memory.ints(count)
        self.chosen_row = memory.ints(self.n_left)
        self.chosen_col = memory.ints(self.n_right)
        self.gain = memory.longs(count)
        self.best = memory.ints(self.n_left)
        self.trail = memory.ints(count)
        self.branch = memory.ints(count + 1)
        self.mark = memory.ints(count + 1)
        self.open_bound = memory.longs(count + 1)
        self.outer.carve(memory, self.n_left, self.n_right, count)
        self.outer.row_of = self.left
        self.outer.col_of = self.right
        self.outer.live = self.live
        self.outer.value = self.worth
        self.inner.carve(memory, halves, halves, halves)
        self.inner.row_of = self.half_row
        self.inner.col_of = self.half_col
        self.inner.live = self.half_live
        self.inner.value = self.share

    # ------------------------------------------------------------- loading

    @cython.cfunc
    def load(
        self,
        left: cython.const[cython.int][::1],
        right: cython.const[cython.int][::1],
        unary: cython.const[cython.longlong][::1],
        first: cython.const[cython.int][::1],
        second: cython.const[cython.int][::1],
        weight: cython.const[cython.longlong][::1],
    ) -> cython.void:
        """Copy the problem, and choose the units."""
        c: cython.int
        t: cython.Py_ssize_t
        total: cython.longlong = 0
        step: cython.longlong = 0
        for c in range(self.n_candidates):
            total += unary[c]
            step = gcd(step, unary[c])
        for t in range(len(weight)):
            total += weight[t]
            step = gcd(step, weight[t])
        self.unit = 1
        while self.unit < 1 << self.k3 and total * self.unit * 2 < 1 << 60:
            self.unit *= 2
        self.gap_step = max(step, 1) * self.unit
        for c in range(self.n_candidates):
            self.left[c] = left[c]
            self.right[c] = right[c]
            self.unary[c] = unary[c] * self.unit
            self.live[c] = 1
        self.load_terms(first, second, weight)
        with cython.nogil:
            self.index_outer()
            for c in range(self.n_candidates):
                self.index_inner(c)

    @cython.cfunc
    def load_terms(
        self,
        first: cython.const[cython.int][::1],
        second: cython.const[cython.int][::1],
        weight: cython.const[cython.longlong][::1],
    ) -> cython.void:
        """Copy the pair terms as halves, each with half of the weight."""
        begin: cython.p_int = self.half_begin
        c: cython.int
        a: cython.int
        b: cython.int
        t: cython.Py_ssize_t
        terms: cython.Py_ssize_t = len(first)
        for t in range(terms):
            begin[first[t] + 2] += 1
            begin[second[t] + 2] += 1
        for c in range(self.n_candidates):
            begin[c + 2] += begin[c + 1]
        for t in range(terms):
            a = begin[first[t] + 1]
            b = begin[second[t] + 1]
            begin[first[t] + 1] += 1
            begin[second[t] + 1] += 1
            self.partner[a] = second[t]
            self.partner[b] = first[t]
            self.twin[a] = b
            self.twin[b] = a
            self.half_live[a] = 1
            self.half_live[b] = 1
            self.share[a] = (weight[t] * self.unit) >> 1
            self.share[b] = weight[t] * self.unit - self.share[a]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def index_outer(self) -> cython.void:
        """List the candidates of every left and right node."""
        col_match: cython.p_int = self.outer.col_match
        col_order: cython.p_int = self.outer.col_order
        begin: cython.p_int = self.outer.row_begin
        c: cython.int
        i: cython.int
        for c in range(self.n_candidates):
            begin[self.left[c] + 1] += 1
        for i in range(self.n_left):
            begin[i + 1] += begin[i]
            self.outer.row_match[i] = -1
            self.best[i] = -1
        begin = self.outer.col_begin
        for c in range(self.n_candidates):
            begin[self.right[c] + 1] += 1
        for i in range(self.n_right):
            begin[i + 1] += begin[i]
            col_match[i] = begin[i]
        for c in range(self.n_candidates):
            col_order[col_match[self.right[c]]] = c
            col_match[self.right[c]] += 1
        for i in range(self.n_right):
            col_match[i] = -1
            self.chosen_col[i] = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def index_inner(self, c: cython.int) -> cython.void:
        """Find out whether partners of *c* share nodes, and list them by node.

        Rows and columns of its little assignment are numbered from
        ``half_begin[c]`` on, so those of different candidates never meet.
        ``chosen_col`` holds -1 or, here only, the column of a right node.
        """
        col_match: cython.p_int = self.inner.col_match
        col_begin: cython.p_int = self.inner.col_begin
        col_order: cython.p_int = self.inner.col_order
        row_begin: cython.p_int = self.inner.row_begin
        begin: cython.int = self.half_begin[c]
        end: cython.int = self.half_begin[c + 1]
        rows: cython.int = 0
        cols: cython.int = 0
        h: cython.int
        k: cython.int
        node: cython.int
        if begin == end:
            return
        self.linked[self.n_linked] = c
        self.n_linked += 1
        for h in range(begin, end):
            if h == begin or (
                self.left[self.partner[h]] != self.left[self.partner[h - 1]]
            ):
                row_begin[begin + rows] = h
                rows += 1
            self.half_row[h] = begin + rows - 1
            node = self.right[self.partner[h]]
            if self.chosen_col[node] < 0:
                self.chosen_col[node] = begin + cols
                cols += 1
            self.half_col[h] = self.chosen_col[node]
        for h in range(begin, end):
            self.chosen_col[self.right[self.partner[h]]] = -1
        self.n_rows[c] = rows
        self.n_cols[c] = cols
        self.conflicted[c] = rows < end - begin or cols < end - begin
        if not self.conflicted[c]:
            return
        row_begin[begin + rows] = end
        for k in range(begin, begin + cols + 1):
            col_begin[k] = 0
        for h in range(begin, end):
            k = self.half_col[h] + 1
            if k < begin + cols:
                col_begin[k] += 1
        col_begin[begin] = begin
        for k in range(begin + 1, begin + cols):
            col_begin[k] += col_begin[k - 1]
        for k in range(begin, begin + cols):
            col_match[k] = col_begin[k]
        for h in range(begin, end):
            k = self.half_col[h]
            col_order[col_match[k]] = h
            col_match[k] += 1
        col_begin[begin + cols] = end
        for k in range(begin, begin + cols):
            col_match[k] = -1
        for k in range(begin, begin + rows):
            self.inner.row_match[k] = -1

    # --------------------------------------------------------------- bound

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def appraise(self, c: cython.int) -> cython.longlong:
        """Work out and return what a candidate is worth for the present shares."""
        h: cython.int
        begin: cython.int = self.half_begin[c]
        total: cython.longlong = self.unary[c]
        if self.conflicted[c]:
            total += self.inner.solve(
                begin, begin + self.n_rows[c], begin, begin + self.n_cols[c]
            )
        else:
            for h in range(begin, self.half_begin[c + 1]):
                if self.half_live[h]:
                    total += self.share[h]
        self.worth[c] = total
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def assign(self) -> cython.void:
        """Bound the node: all worths, then the assignment over them."""
        n: cython.int
        c: cython.int
        if self.rounds == 0:
            for c in range(self.n_candidates):
                self.worth[c] = self.unary[c]
        for n in range(self.n_linked):
            c = self.linked[n]
            if self.live[c]:
                self.appraise(c)
        self.bound = self.outer.solve(0, self.n_left, 0, self.n_right)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fix(self) -> cython.int:
        """Drop the candidates that are in no better alignment."""
        u: cython.p_longlong = self.outer.row_dual
        v: cython.p_longlong = self.outer.col_dual
        c: cython.int
        dropped: cython.int = 0
        spare: cython.longlong = self.bound - self.goal()
        for c in range(self.n_candidates):
            if (
                self.live[c]
                and u[self.left[c]] + v[self.right[c]] - self.worth[c] > spare
            ):
                self.drop(c)
                dropped += 1
        return dropped

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def goal(self) -> cython.longlong:
        """The value that a better alignment must reach."""
        return self.best_value + self.gap_step

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ascend(self, forward: cython.bint) -> cython.void:
        """Let every candidate spend its slack on shares of its partners."""
        u: cython.p_longlong = self.outer.row_dual
        v: cython.p_longlong = self.outer.col_dual
        n: cython.int
        c: cython.int
        for n in range(self.n_linked):
            c = self.linked[n if forward else self.n_linked - 1 - n]
            if self.live[c]:
                self.appraise(c)
                if self.conflicted[c]:
                    self.spend_in_rows(
                        c, u[self.left[c]] + v[self.right[c]] - self.worth[c], forward
                    )
                else:
                    self.spend(
                        c, u[self.left[c]] + v[self.right[c]] - self.worth[c], forward
                    )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def spend(
        self, c: cython.int, slack: cython.longlong, forward: cython.bint
    ) -> cython.void:
        """Spread slack evenly over the shares that partners still hold."""
        h: cython.int
        begin: cython.int = self.half_begin[c]
        end: cython.int = self.half_begin[c + 1]
        waiting: cython.int = 0
        take: cython.longlong
        if slack <= 0:
            return
        for h in range(begin, end):
            if self.half_live[h] and self.wants(c, h, forward):
                waiting += 1
        for h in range(begin, end):
            if self.half_live[h] and self.wants(c, h, forward):
                take = slack // waiting
                waiting -= 1
                take = min(take, self.share[self.twin[h]])
                self.share[self.twin[h]] -= take
                self.share[h] += take
                slack -= take

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def wants(
        self, c: cython.int, h: cython.int, forward: cython.bint
    ) -> cython.bint:
        """Whether a share is worth taking."""
        if self.share[self.twin[h]] == 0:
            return False
        if self.k0 == 0:
            return True
        if self.k0 == 1:
            return (self.partner[h] > c) == forward
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def spend_in_rows(
        self, c: cython.int, slack: cython.longlong, forward: cython.bint
    ) -> cython.void:
        """Spread slack over the rows of a conflicted candidate's assignment."""
        row_begin: cython.p_int = self.inner.row_begin
        row_dual: cython.p_longlong = self.inner.row_dual
        col_dual: cython.p_longlong = self.inner.col_dual
        begin: cython.int = self.half_begin[c]
        r: cython.int
        h: cython.int
        waiting: cython.int = self.n_rows[c]
        most: cython.longlong
        used: cython.longlong
        take: cython.longlong
        for r in range(begin, begin + self.n_rows[c]):
            most = slack // waiting
            waiting -= 1
            used = 0
            for h in range(row_begin[r], row_begin[r + 1]):
                if self.half_live[h] and self.wants(c, h, forward):
                    take = (
                        row_dual[r]
                        + col_dual[self.half_col[h]]
                        + most
                        - self.share[h]
                    )
                    take = min(take, self.share[self.twin[h]])
                    self.share[self.twin[h]] -= take
                    self.share[h] += take
                    used = max(
                        used,
                        self.share[h]
                        - row_dual[r]
                        - col_dual[self.half_col[h]],
                    )
            row_dual[r] += used
            slack -= used

    # ------------------------------------------------------- dropping, tree

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop(self, c: cython.int) -> cython.void:
        """Take a candidate and its pair terms out of the problem."""
        h: cython.int
        self.live[c] = 0
        for h in range(self.half_begin[c], self.half_begin[c + 1]):
            self.half_live[self.twin[h]] = 0
        self.trail[self.n_trail] = c
        self.n_trail += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restore(self, mark: cython.int) -> cython.void:
        """Put back what was dropped since *mark*."""
        h: cython.int
        c: cython.int
        while self.n_trail > mark:
            self.n_trail -= 1
            c = self.trail[self.n_trail]
            self.live[c] = 1
            for h in range(self.half_begin[c], self.half_begin[c + 1]):
                self.half_live[self.twin[h]] = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has_rival(self, c: cython.int) -> cython.bint:
        """Whether another live candidate shares a node with this one."""
        s: cython.int
        i: cython.int = self.left[c]
        j: cython.int = self.right[c]
        for s in range(self.outer.row_begin[i], self.outer.row_begin[i + 1]):
            if s != c and self.live[s]:
                return True
        for s in range(self.outer.col_begin[j], self.outer.col_begin[j + 1]):
            if self.outer.col_order[s] != c and self.live[self.outer.col_order[s]]:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stake(self, c: cython.int) -> cython.longlong:
        """How much of a matched candidate's worth its alignment does not earn."""
        h: cython.int
        d: cython.int
        stake: cython.longlong = self.worth[c] - self.unary[c]
        for h in range(self.half_begin[c], self.half_begin[c + 1]):
            d = self.partner[h]
            if self.half_live[h] and self.outer.row_match[self.left[d]] == d:
                stake -= self.share[h]
        return stake

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_branch(self) -> cython.int:
        """The matched candidate with the largest stake; any with a rival else."""
        i: cython.int
        c: cython.int
        chosen: cython.int = -1
        most: cython.longlong = -1
        stake: cython.longlong
        for i in range(self.n_left):
            c = self.outer.row_match[i]
            if c >= 0 and self.has_rival(c):
                stake = self.stake(c)
                if stake > most:
                    most = stake
                    chosen = c
        if chosen < 0:
            for c in range(self.n_candidates):
                if self.live[c] and self.has_rival(c):
                    return c
        return chosen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def descend(self, c: cython.int) -> cython.void:
        """Open two branches and enter the one that takes candidate *c*."""
        s: cython.int
        i: cython.int = self.left[c]
        j: cython.int = self.right[c]
        self.branch[self.depth] = c
        self.mark[self.depth] = self.n_trail
        self.open_bound[self.depth] = self.bound
        self.depth += 1
        for s in range(self.outer.row_begin[i], self.outer.row_begin[i + 1]):
            if s != c and self.live[s]:
                self.drop(s)
        for s in range(self.outer.col_begin[j], self.outer.col_begin[j + 1]):
            if self.outer.col_order[s] != c and self.live[self.outer.col_order[s]]:
                self.drop(self.outer.col_order[s])
        self.enter()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(self) -> cython.void:
        """Begin a node."""
        self.nodes += 1
        self.node_rounds = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def retreat(self) -> cython.void:
        """Leave a closed node for the next branch that leaves its candidate out."""
        while self.depth > 0:
            self.depth -= 1
            self.restore(self.mark[self.depth])
            if self.open_bound[self.depth] >= self.goal():
                self.drop(self.branch[self.depth])
                self.last_bound = self.open_bound[self.depth]
                self.enter()
                return
        self.done = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self) -> cython.void:
        """Do one round at the present node and decide what comes next."""
        c: cython.int
        progress: cython.longlong
        self.assign()
        self.work += self.n_candidates + self.n_halves
        self.round_up()
        self.rounds += 1
        self.node_rounds += 1
        if self.bound < self.goal():
            self.retreat()
            return
        self.fix()
        progress = self.last_bound - self.bound
        self.last_bound = self.bound
        if self.node_rounds >= self.k1 and (
            progress * self.k2 < self.bound - self.goal()+1
        ):
            c = self.choose_branch()
            if c >= 0:
                self.descend(c)
                return
        self.ascend(self.rounds & 1)

    # --------------------------------------------------------- alignments

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def round_up(self) -> cython.void:
        """Turn the assignment into an alignment, improve it, keep the best."""
        i: cython.int
        c: cython.int
        h: cython.int
        value: cython.longlong
        for i in range(self.n_right):
            self.chosen_col[i] = -1
        for c in range(self.n_candidates):
            self.gain[c] = self.unary[c]
        for i in range(self.n_left):
            c = self.outer.row_match[i]
            self.chosen_row[i] = c
            if c >= 0:
                self.chosen_col[self.right[c]] = c
                for h in range(self.half_begin[c], self.half_begin[c + 1]):
                    self.gain[self.partner[h]] += (
                        self.share[h] + self.share[self.twin[h]]
                    )
        self.climb()
        value = 0
        for i in range(self.n_left):
            c = self.chosen_row[i]
            if c >= 0:
                value += self.unary[c] + self.gain[c]
        value >>= 1
        if value > self.best_value:
            self.best_value = value
            for i in range(self.n_left):
                self.best[i] = self.chosen_row[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def toggle(self, c: cython.int, chosen: cython.bint) -> cython.void:
        """Choose a candidate, or no longer, and tell its partners."""
        h: cython.int
        self.chosen_row[self.left[c]] = c if chosen else -1
        self.chosen_col[self.right[c]] = c if chosen else -1
        for h in range(self.half_begin[c], self.half_begin[c + 1]):
            if chosen:
                self.gain[self.partner[h]] += self.share[h] + self.share[self.twin[h]]
            else:
                self.gain[self.partner[h]] -= self.share[h] + self.share[self.twin[h]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weight_between(self, c: cython.int, d: cython.int) -> cython.longlong:
        """The weight of the pair term of two candidates, or 0."""
        h: cython.int
        for h in range(self.half_begin[c], self.half_begin[c + 1]):
            if self.partner[h] == d:
                return self.share[h] + self.share[self.twin[h]]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def candidate(self, i: cython.int, j: cython.int) -> cython.int:
        """The live candidate of two nodes, or -1."""
        low: cython.int = self.outer.row_begin[i]
        high: cython.int = self.outer.row_begin[i + 1]
        middle: cython.int
        while low < high:
            middle = (low + high) >> 1
            if self.right[middle] < j:
                low = middle + 1
            else:
                high = middle
        if (
            low < self.outer.row_begin[i + 1]
            and self.right[low] == j
            and self.live[low]
        ):
            return low
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def climb(self) -> cython.void:
        """Insert candidates and swap partners while the alignment improves."""
        c: cython.int
        r: cython.int
        q: cython.int
        e: cython.int
        delta: cython.longlong
        improved: cython.bint = True
        while improved:
            improved = False
            for c in range(self.n_candidates):
                r = self.chosen_row[self.left[c]]
                if r == c or not self.live[c]:
                    continue
                q = self.chosen_col[self.right[c]]
                e = -1
                delta = self.gain[c]
                if r >= 0:
                    delta -= self.gain[r]
                if q >= 0:
                    delta -= self.gain[q]
                if r >= 0 and q >= 0:
                    delta += self.weight_between(r, q)
                    e = self.candidate(self.left[q], self.right[r])
                    if e >= 0:
                        delta += self.gain[e] + self.weight_between(c, e)
                if delta > 0:
                    if r >= 0:
                        self.toggle(r, False)
                    if q >= 0:
                        self.toggle(q, False)
                    self.toggle(c, True)
                    if e >= 0:
                        self.toggle(e, True)
                    improved = True


@cython.cfunc
@cython.exceptval(check=False)
def gcd(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    """The greatest common divisor; ``gcd(0, b)`` is *b*."""
    rest: cython.longlong
    while b:
        rest = a % b
        a = b
        b = rest
    return a


def solve(n_left, n_right, left, right, unary, first, second, weight, knobs=(0, 5, 5, 16), limit=10**6):
    search: Search = Search(n_left, n_right, len(left), len(first))
    search.k0, search.k1, search.k2, search.k3 = knobs
    search.load(left, right, unary, first, second, weight)
    search.last_bound = 1 << 61
    search.best_value = 0
    search.enter()
    maxnodes: cython.longlong = limit
    with cython.nogil:
        while not search.done and search.nodes < maxnodes:
            search.step()
    i: cython.int
    bound = search.best_value
    if not search.done:
        bound = max(bound, search.bound, *[search.open_bound[i] for i in range(search.depth)])
    return (
        [search.right[search.best[i]] if search.best[i] >= 0 else -1 for i in range(n_left)],
        search.best_value // search.unit,
        bound // search.unit,
        search.nodes,
        search.rounds,
    )
