"""The search behind ``bnb``: a Lagrangian bound inside a branch and bound.

Splitting every pair weight between its two candidates turns the quadratic
problem into linear assignments.  For a split, a candidate *c* is worth at most

    ``worth[c] = unary[c] + the best one-to-one choice of its shares``

and no alignment is worth more than the best assignment of the worths, nor than
any dual solution of that assignment (``u[i] + v[j] >= worth[c]``).  All that
is done below makes that bound smaller, or an alignment reach it:

1. *bound*: the shares' own little assignments (``inner``) give the worths, one
   assignment over all candidates (``outer``) gives ``u``, ``v`` and the bound;
2. *climb*: the assignment is an alignment too; inserting candidates and
   swapping partners improves it;
3. *fix*: a candidate whose slack ``u[i] + v[j] - worth[c]`` pushes the bound
   below the next better value is in no better alignment and is dropped;
4. *shift*: where the assignment chose a candidate for the sake of a partner
   that it did not choose, some of that share goes over to the partner.  This
   is a subgradient step, as long as the gap to the best alignment allows;
5. *branch*: where that no longer helps, a candidate is taken (all that share a
   node with it are dropped), and afterwards left out (it is dropped itself).

A split that is valid once is valid in every branch, so branches share one
split, and going back up only puts dropped candidates back.

Numbers are 64-bit integers in units of ``1 / unit`` of the problem's own.  No
sum exceeds twice the total weight, which stays below ``2**60`` units, so that
nothing overflows and nothing is rounded.

This module is Python in Cython's pure mode: the build compiles it, and without
a compiler it runs as it is, slower and with the same answers.  Arrays are raw
memory when compiled and lists when not, so no pointer is ever shifted.

Sources: Held, Wolfe and Crowder (1974), "Validation of subgradient
optimization"; Polyak (1969) for the length of a step; Adams and Johnson (1994)
for the split as a Lagrangian of the linearised problem; Jonker and Volgenant
(1987) for assignments by shortest augmenting paths.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers import _cython as cython

from time import perf_counter

if cython.compiled:
    from cython.cimports.cpython.exc import PyErr_CheckSignals
    from cython.cimports.libc.stdlib import calloc, free, realloc

TOP = cython.declare(cython.longlong, 1 << 60)
"""No bound reaches this."""

UNIT_BITS = cython.declare(cython.int, 16)
"""A unit of the problem is split into at most ``2**UNIT_BITS`` parts."""

STEP = cython.declare(cython.longlong, 96)
"""Length of a first step in 64ths of what would close the gap at once."""

PATIENCE = cython.declare(cython.int, 10)
"""So many rounds without progress make the steps a quarter shorter."""

ROOT_CUTS = cython.declare(cython.int, 10)
"""So often the steps are shortened at the root before branching."""

NODE_CUTS = cython.declare(cython.int, 3)
"""So often in every other node."""

MEMORY = cython.declare(cython.int, 4)
"""How often a candidate was matched lately is averaged over ``2**MEMORY`` rounds."""

ALWAYS = cython.declare(cython.longlong, 1 << 20)
"""That average, of a candidate that is matched in every round."""

SLICE = cython.declare(cython.longlong, 3_000_000 if cython.compiled else 30_000)
"""Candidates and halves to look at (some milliseconds) between looks at the clock."""

PACE = cython.declare(cython.int, 7)
"""Progress is a gap that closes by more than one part in ``2**PACE``."""

ROUND = cython.declare(cython.longlong, 0)
BRANCH = cython.declare(cython.longlong, 1)
END = cython.declare(cython.longlong, 2)


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
        self,
        memory: Memory,
        rows: cython.int,
        cols: cython.int,
        entries: cython.int,
        widest: cython.int,
    ) -> cython.void:
        """Take the arrays from *memory*; the entries' own come from the owner.

        No single problem has more than *widest* rows or columns.
        """
        self.row_begin = memory.ints(rows + 1)
        self.col_begin = memory.ints(cols + 1)
        self.col_order = memory.ints(entries)
        self.row_dual = memory.longs(rows + 1)
        self.col_dual = memory.longs(cols + 1)
        self.row_match = memory.ints(rows + 1)
        self.col_match = memory.ints(cols + 1)
        self.dist = memory.longs(widest + 1)
        self.via = memory.ints(widest + 1)
        self.state = memory.ints(widest + 1)
        self.queue = memory.ints(widest + 1)

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
                self.augment_row(r, col0)
        for k in range(col0, col1):
            if col_match[k] < 0 and col_dual[k] > 0:
                self.augment_col(k, row0)
        total = 0
        for r in range(row0, row1):
            total += row_dual[r]
        for k in range(col0, col1):
            total += col_dual[k]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def augment_row(self, start: cython.int, base: cython.int) -> cython.void:
        """Match a free row, or take its dual to zero, by a shortest path.

        A path may end at a free column, or at a row that is better left free.
        The scratch arrays count columns from *base*.
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
                    if x < least and (state[k - base] == 0 or x < dist[k - base]):
                        if state[k - base] == 0:
                            queue[touched] = k
                            touched += 1
                            state[k - base] = 1
                        dist[k - base] = x
                        via[k - base] = e
                        if col_match[k] < 0:
                            least = x
                            last_col = k
            nearest = -1
            for q in range(touched):
                k = queue[q]
                if state[k - base] == 1 and (
                    nearest < 0 or dist[k - base] < dist[nearest - base]
                ):
                    nearest = k
            if nearest < 0 or dist[nearest - base] >= least:
                break
            state[nearest - base] = 2
            so_far = dist[nearest - base]
            row = row_of[col_match[nearest]]
            if so_far + row_dual[row] < least:
                least = so_far + row_dual[row]
                last_row = row
                last_col = -1
        row_dual[start] -= least
        for q in range(touched):
            k = queue[q]
            if state[k - base] == 2 and dist[k - base] < least:
                col_dual[k] += least - dist[k - base]
                row_dual[row_of[col_match[k]]] -= least - dist[k - base]
            state[k - base] = 0
        if last_col < 0:
            if last_row == start:
                return
            last_col = col_of[row_match[last_row]]
            row_match[last_row] = -1
        while True:
            e = via[last_col - base]
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
    def augment_col(self, start: cython.int, base: cython.int) -> cython.void:
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
                    if x < least and (state[r - base] == 0 or x < dist[r - base]):
                        if state[r - base] == 0:
                            queue[touched] = r
                            touched += 1
                            state[r - base] = 1
                        dist[r - base] = x
                        via[r - base] = e
                        if row_match[r] < 0:
                            least = x
                            last_row = r
            nearest = -1
            for q in range(touched):
                r = queue[q]
                if state[r - base] == 1 and (
                    nearest < 0 or dist[r - base] < dist[nearest - base]
                ):
                    nearest = r
            if nearest < 0 or dist[nearest - base] >= least:
                break
            state[nearest - base] = 2
            so_far = dist[nearest - base]
            col = col_of[row_match[nearest]]
            if so_far + col_dual[col] < least:
                least = so_far + col_dual[col]
                last_col = col
                last_row = -1
        col_dual[start] -= least
        for q in range(touched):
            r = queue[q]
            if state[r - base] == 2 and dist[r - base] < least:
                row_dual[r] += least - dist[r - base]
                col_dual[col_of[row_match[r]]] -= least - dist[r - base]
            state[r - base] = 0
        if last_row < 0:
            if last_col == start:
                return
            last_row = row_of[col_match[last_col]]
            col_match[last_col] = -1
        while True:
            e = via[last_row - base]
            col = col_of[e]
            q = col_match[col]
            col_match[col] = e
            row_match[last_row] = e
            if col == start:
                return
            last_row = row_of[q]


@cython.final
@cython.cclass
class Log:
    """A growing list of integers: the evidence that a certificate is made of."""

    items: cython.p_longlong
    used: cython.Py_ssize_t
    room: cython.Py_ssize_t
    failed: cython.bint

    def __init__(self) -> None:
        self.used = 0
        self.room = 0
        self.failed = False
        if not cython.compiled:
            self.items = []

    if cython.compiled:

        def __dealloc__(self) -> None:
            free(self.items)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, number: cython.longlong) -> cython.void:
        """Append a number; without memory, remember that it failed."""
        if not cython.compiled:
            self.items.append(number)
            self.used += 1
            return
        grown: cython.p_longlong
        if self.used == self.room:
            self.room = 2 * self.room + 1024
            grown = cython.cast(
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

    @cython.cfunc
    def as_list(self) -> list:
        """All numbers, as Python integers."""
        if self.failed:
            raise MemoryError("not enough memory for the certificate")
        position: cython.Py_ssize_t
        return [self.items[position] for position in range(self.used)]


@cython.final
@cython.cclass
class Search:
    """One problem, the best alignment so far, and what is still open."""

    n_left: cython.int
    n_right: cython.int
    n_candidates: cython.int
    n_halves: cython.int
    memory: Memory
    outer: Assignment
    inner: Assignment
    log: Log
    certify: cython.bint
    recorded: cython.longlong
    # Units: one of the problem's own, and the smallest difference of values.
    unit: cython.longlong
    lattice: cython.longlong
    # Candidates: nodes, weight, worth for the present split, matched how often.
    left: cython.p_int
    right: cython.p_int
    live: cython.p_int
    unary: cython.p_longlong
    worth: cython.p_longlong
    often: cython.p_longlong
    # The live candidates are pool[0:n_pool]; behind them lie the dropped ones,
    # the last one first.
    pool: cython.p_int
    place: cython.p_int
    n_pool: cython.int
    # Halves: a pair term seen from one of its candidates, sorted by candidate
    # and partner.  Rows and columns number the partners' nodes.
    half_begin: cython.p_int
    partner: cython.p_int
    twin: cython.p_int
    half_live: cython.p_int
    half_row: cython.p_int
    half_col: cython.p_int
    share: cython.p_longlong
    moving: cython.p_int
    heaviest: cython.p_longlong
    conflicted: cython.p_int
    n_rows: cython.p_int
    n_cols: cython.p_int
    # The alignment being improved, the best one, the value to exceed.
    chosen_row: cython.p_int
    chosen_col: cython.p_int
    gain: cython.p_longlong
    best: cython.p_int
    best_value: cython.longlong
    known: cython.longlong
    enough: cython.longlong
    # The open branches: candidate, live candidates before it, bound.
    branch: cython.p_int
    branch_pool: cython.p_int
    branch_bound: cython.p_longlong
    depth: cython.int
    # The node at hand.
    bound: cython.longlong
    node_bound: cython.longlong
    node_best: cython.longlong
    stride: cython.longlong
    stale: cython.int
    cuts: cython.int
    # What was done.
    nodes: cython.longlong
    rounds: cython.longlong
    work: cython.longlong
    done: cython.bint

    def __init__(
        self,
        n_left: cython.int,
        n_right: cython.int,
        left: cython.const[cython.int][::1],
        right: cython.const[cython.int][::1],
        unary: cython.const[cython.longlong][::1],
        first: cython.const[cython.int][::1],
        second: cython.const[cython.int][::1],
        weight: cython.const[cython.longlong][::1],
    ) -> None:
        self.n_left = n_left
        self.n_right = n_right
        self.n_candidates = len(left)
        self.n_halves = 2 * len(first)
        self.n_pool = self.n_candidates
        self.depth = 0
        self.work = 0
        self.rounds = 0
        self.nodes = 1
        self.done = False
        self.recorded = 0
        self.best_value = 0
        self.certify = False
        self.known = 0
        self.enough = TOP
        self.node_bound = TOP
        self.memory = Memory()
        self.outer = Assignment()
        self.inner = Assignment()
        self.log = Log()
        self.carve()
        if cython.compiled:
            self.memory.allocate()
            self.carve()
        self.choose_units(unary, weight)
        self.load_candidates(left, right, unary)
        self.load_terms(first, second, weight)
        c: cython.int
        self.index_outer()
        for c in range(self.n_candidates):
            self.index_inner(c)
        self.enter()

    # ------------------------------------------------------------- loading

    @cython.cfunc
    def carve(self) -> cython.void:
        """Lay out the arrays; the first of two calls only counts them."""
        widest: cython.int = max(self.n_left, self.n_right)
        memory: Memory = self.memory
        count: cython.int = self.n_candidates
        halves: cython.int = self.n_halves
        self.left = memory.ints(count)
        self.right = memory.ints(count)
        self.live = memory.ints(count)
        self.unary = memory.longs(count)
        self.worth = memory.longs(count)
        self.often = memory.longs(count)
        self.pool = memory.ints(count)
        self.place = memory.ints(count)
        self.half_begin = memory.ints(count + 2)
        self.partner = memory.ints(halves)
        self.twin = memory.ints(halves)
        self.half_live = memory.ints(halves)
        self.half_row = memory.ints(halves)
        self.half_col = memory.ints(halves)
        self.share = memory.longs(halves)
        self.moving = memory.ints(halves)
        self.heaviest = memory.longs(count)
        self.conflicted = memory.ints(count)
        self.n_rows = memory.ints(count)
        self.n_cols = memory.ints(count)
        self.chosen_row = memory.ints(self.n_left)
        self.chosen_col = memory.ints(self.n_right)
        self.gain = memory.longs(count)
        self.best = memory.ints(self.n_left)
        self.branch = memory.ints(count + 1)
        self.branch_pool = memory.ints(count + 1)
        self.branch_bound = memory.longs(count + 1)
        self.outer.carve(memory, self.n_left, self.n_right, count, widest)
        self.outer.row_of = self.left
        self.outer.col_of = self.right
        self.outer.live = self.live
        self.outer.value = self.worth
        self.inner.carve(memory, halves, halves, halves, widest)
        self.inner.row_of = self.half_row
        self.inner.col_of = self.half_col
        self.inner.live = self.half_live
        self.inner.value = self.share

    @cython.cfunc
    def choose_units(
        self,
        unary: cython.const[cython.longlong][::1],
        weight: cython.const[cython.longlong][::1],
    ) -> cython.void:
        """Find how finely weights may be split, and how far apart values are."""
        position: cython.Py_ssize_t
        total: cython.longlong = 0
        common: cython.longlong = 0
        for position in range(len(unary)):
            total += unary[position]
            common = gcd(common, unary[position])
        for position in range(len(weight)):
            total += weight[position]
            common = gcd(common, weight[position])
        self.unit = 2
        while self.unit < 1 << UNIT_BITS and 4 * total * self.unit < TOP:
            self.unit *= 2
        self.lattice = max(common, 1) * self.unit

    @cython.cfunc
    def load_candidates(
        self,
        left: cython.const[cython.int][::1],
        right: cython.const[cython.int][::1],
        unary: cython.const[cython.longlong][::1],
    ) -> cython.void:
        """Copy the candidates."""
        c: cython.int
        for c in range(self.n_candidates):
            self.left[c] = left[c]
            self.right[c] = right[c]
            self.unary[c] = unary[c] * self.unit
            self.worth[c] = self.unary[c]
            self.live[c] = 1
            self.pool[c] = c
            self.place[c] = c

    @cython.cfunc
    def load_terms(
        self,
        first: cython.const[cython.int][::1],
        second: cython.const[cython.int][::1],
        weight: cython.const[cython.longlong][::1],
    ) -> cython.void:
        """Copy the pair terms as halves, each with half of the weight."""
        begin: cython.p_int = self.half_begin
        a: cython.int
        b: cython.int
        c: cython.int
        t: cython.Py_ssize_t
        whole: cython.longlong
        for t in range(len(first)):
            begin[first[t] + 2] += 1
            begin[second[t] + 2] += 1
        for c in range(self.n_candidates):
            begin[c + 2] += begin[c + 1]
        for t in range(len(first)):
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
            whole = weight[t] * self.unit
            self.share[a] = whole >> 1
            self.share[b] = whole >> 1
            self.heaviest[first[t]] = max(self.heaviest[first[t]], whole)
            self.heaviest[second[t]] = max(self.heaviest[second[t]], whole)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def index_outer(self) -> cython.void:
        """List the candidates of every left and right node."""
        row_begin: cython.p_int = self.outer.row_begin
        col_begin: cython.p_int = self.outer.col_begin
        col_order: cython.p_int = self.outer.col_order
        filled: cython.p_int = self.outer.col_match
        c: cython.int
        i: cython.int
        for c in range(self.n_candidates):
            row_begin[self.left[c] + 1] += 1
            col_begin[self.right[c] + 1] += 1
        for i in range(self.n_left):
            row_begin[i + 1] += row_begin[i]
            self.outer.row_match[i] = -1
            self.best[i] = -1
        for i in range(self.n_right):
            col_begin[i + 1] += col_begin[i]
            filled[i] = col_begin[i]
        for c in range(self.n_candidates):
            col_order[filled[self.right[c]]] = c
            filled[self.right[c]] += 1
        for i in range(self.n_right):
            filled[i] = -1
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
        row_begin: cython.p_int = self.inner.row_begin
        col_begin: cython.p_int = self.inner.col_begin
        col_order: cython.p_int = self.inner.col_order
        row_match: cython.p_int = self.inner.row_match
        col_match: cython.p_int = self.inner.col_match
        begin: cython.int = self.half_begin[c]
        end: cython.int = self.half_begin[c + 1]
        rows: cython.int = 0
        cols: cython.int = 0
        h: cython.int
        k: cython.int
        node: cython.int
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
        for k in range(begin, begin + cols):
            col_match[k] = 0
        for h in range(begin, end):
            col_match[self.half_col[h]] += 1
        node = begin
        for k in range(begin, begin + cols):
            col_begin[k] = node
            node += col_match[k]
            col_match[k] = col_begin[k]
        col_begin[begin + cols] = end
        for h in range(begin, end):
            k = self.half_col[h]
            col_order[col_match[k]] = h
            col_match[k] += 1
        for k in range(begin, begin + cols):
            col_match[k] = -1
        for k in range(begin, begin + rows):
            row_match[k] = -1

    @cython.cfunc
    def start_from(self, start: list) -> cython.void:
        """Begin with an alignment that somebody else found."""
        c: cython.int
        for c in range(self.n_candidates):
            if start[self.left[c]] == self.right[c]:
                self.outer.row_match[self.left[c]] = c
        self.round_up()
        for c in range(self.n_left):
            self.outer.row_match[c] = -1

    # --------------------------------------------------------------- bound

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def appraise(self) -> cython.void:
        """Bound the node: all worths, then the assignment over them."""
        n: cython.int
        c: cython.int
        h: cython.int
        begin: cython.int
        end: cython.int
        total: cython.longlong
        for n in range(self.n_pool):
            c = self.pool[n]
            begin = self.half_begin[c]
            end = self.half_begin[c + 1]
            if begin == end:
                continue
            total = self.unary[c]
            if self.conflicted[c]:
                total += self.inner.solve(
                    begin, begin + self.n_rows[c], begin, begin + self.n_cols[c]
                )
            else:
                for h in range(begin, end):
                    if self.half_live[h]:
                        total += self.share[h]
            self.worth[c] = total
            self.work += end - begin
        self.bound = self.outer.solve(0, self.n_left, 0, self.n_right)
        self.work += self.n_pool
        self.rounds += 1

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def goal(self) -> cython.longlong:
        """The value that a better alignment must reach."""
        return max(self.best_value, self.known) + self.lattice

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def slack(self, c: cython.int) -> cython.longlong:
        """What the bound loses if candidate *c* is chosen."""
        return (
            self.outer.row_dual[self.left[c]]
            + self.outer.col_dual[self.right[c]]
            - self.worth[c]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fix(self) -> cython.void:
        """Drop the candidates that are in no better alignment.

        With a certificate, only when a good part goes: each time is recorded.
        """
        n: cython.int
        dropped: cython.int = 0
        spare: cython.longlong = self.bound - self.goal()
        if self.certify:
            for n in range(self.n_pool):
                if self.slack(self.pool[n]) > spare:
                    dropped += 1
            if dropped * 16 <= self.n_pool:
                return
            self.record(spare)
        for n in range(self.n_pool - 1, -1, -1):
            if self.slack(self.pool[n]) > spare:
                self.drop(self.pool[n])

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def chooses(self, h: cython.int, c: cython.int) -> cython.bint:
        """Whether *c* is matched, and its worth counts on the partner of half *h*."""
        if self.outer.row_match[self.left[c]] != c:
            return False
        if self.conflicted[c]:
            return self.inner.row_match[self.half_row[h]] == h
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def shift(self) -> cython.void:
        """Give shares away that count on partners who do not count on them.

        The step is Polyak's: the gap (here to half-way between the best value
        and the next better one), divided by the number of shares that move.
        """
        c: cython.int
        h: cython.int
        i: cython.int
        n: cython.int = 0
        size: cython.longlong
        moved: cython.longlong
        moving: cython.p_int = self.moving
        for i in range(self.n_left):
            c = self.outer.row_match[i]
            if c >= 0:
                for h in range(self.half_begin[c], self.half_begin[c + 1]):
                    if (
                        self.half_live[h]
                        and self.share[h] > 0
                        and self.chooses(h, c)
                        and not self.chooses(self.twin[h], self.partner[h])
                    ):
                        moving[n] = h
                        n += 1
        if n == 0:
            return
        size = self.bound - self.goal() + (self.lattice >> 1)
        size = (size >> 6) * self.stride // n + 1
        while n > 0:
            n -= 1
            h = moving[n]
            moved = min(size, self.share[h])
            self.share[h] -= moved
            self.share[self.twin[h]] += moved

    # ---------------------------------------------------------------- tree

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop(self, c: cython.int) -> cython.void:
        """Take a candidate and its pair terms out of the problem."""
        h: cython.int
        last: cython.int
        self.live[c] = 0
        for h in range(self.half_begin[c], self.half_begin[c + 1]):
            self.half_live[self.twin[h]] = 0
        self.n_pool -= 1
        last = self.pool[self.n_pool]
        self.pool[self.place[c]] = last
        self.place[last] = self.place[c]
        self.pool[self.n_pool] = c
        self.place[c] = self.n_pool

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restore(self, n_pool: cython.int) -> cython.void:
        """Put back what was dropped since there were *n_pool* candidates."""
        c: cython.int
        h: cython.int
        while self.n_pool < n_pool:
            c = self.pool[self.n_pool]
            self.n_pool += 1
            self.live[c] = 1
            for h in range(self.half_begin[c], self.half_begin[c + 1]):
                self.half_live[self.twin[h]] = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(self) -> cython.void:
        """Begin a node."""
        self.node_best = TOP
        self.stride = STEP
        self.stale = 0
        self.cuts = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def remember(self) -> cython.void:
        """Average how often every candidate was matched lately."""
        n: cython.int
        c: cython.int
        for n in range(self.n_pool):
            c = self.pool[n]
            if self.outer.row_match[self.left[c]] == c:
                self.often[c] += (ALWAYS - self.often[c]) >> MEMORY
            else:
                self.often[c] -= self.often[c] >> MEMORY

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has_rival(self, c: cython.int) -> cython.bint:
        """Whether another live candidate shares a node with this one."""
        s: cython.int
        d: cython.int
        i: cython.int = self.left[c]
        j: cython.int = self.right[c]
        for d in range(self.outer.row_begin[i], self.outer.row_begin[i + 1]):
            if d != c and self.live[d]:
                return True
        for s in range(self.outer.col_begin[j], self.outer.col_begin[j + 1]):
            d = self.outer.col_order[s]
            if d != c and self.live[d]:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_branch(self) -> cython.int:
        """The candidate with most at stake, or -1 if none has a rival.

        Candidates that are now matched, now not, are those that the bound
        cannot decide; the more of their worth comes from shares, the more does
        deciding them change it.  Floating point steers here and proves nothing.
        """
        n: cython.int
        c: cython.int
        chosen: cython.int = -1
        most: cython.double = -1.0
        stake: cython.double
        for n in range(self.n_pool):
            c = self.pool[n]
            stake = min(self.often[c], ALWAYS - self.often[c])
            stake *= 8.0 + (self.worth[c] - self.unary[c])
            if stake > most and self.has_rival(c):
                most = stake
                chosen = c
        return chosen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def descend(self, c: cython.int) -> cython.void:
        """Open two branches and enter the one that takes candidate *c*."""
        s: cython.int
        d: cython.int
        i: cython.int = self.left[c]
        j: cython.int = self.right[c]
        if self.certify:
            if self.recorded != self.rounds:
                self.record(TOP)
            self.log.add(BRANCH)
            self.log.add(self.rank(c))
        self.branch[self.depth] = c
        self.branch_pool[self.depth] = self.n_pool
        self.branch_bound[self.depth] = self.node_bound
        self.depth += 1
        for d in range(self.outer.row_begin[i], self.outer.row_begin[i + 1]):
            if d != c and self.live[d]:
                self.drop(d)
        for s in range(self.outer.col_begin[j], self.outer.col_begin[j + 1]):
            d = self.outer.col_order[s]
            if d != c and self.live[d]:
                self.drop(d)
        self.nodes += 1
        self.enter()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def retreat(self) -> cython.void:
        """Leave a closed node for the next branch that leaves its candidate out."""
        if self.certify:
            self.log.add(END)
        while self.depth > 0:
            self.depth -= 1
            self.restore(self.branch_pool[self.depth])
            self.node_bound = self.branch_bound[self.depth]
            if self.node_bound >= self.goal():
                self.drop(self.branch[self.depth])
                self.nodes += 1
                self.enter()
                return
            if self.certify:
                self.log.add(END)
        self.done = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def round(self) -> cython.void:
        """Bound the present node once and decide what comes next."""
        c: cython.int
        self.appraise()
        if self.bound >= self.goal():
            self.round_up()
        if not self.certify:
            self.node_bound = min(self.node_bound, self.bound)
        if self.bound < self.goal():
            if self.certify:
                self.record(TOP)
            self.retreat()
            return
        self.fix()
        self.remember()
        self.pace()
        if self.cuts >= (ROOT_CUTS if self.depth == 0 else NODE_CUTS):
            c = self.choose_branch()
            if c >= 0:
                self.descend(c)
                return
        self.shift()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pace(self) -> cython.void:
        """Shorten the steps where the bound no longer falls."""
        enough: cython.longlong = self.lattice >> 3
        if self.node_best < TOP:
            enough = max(enough, (self.node_best - self.goal()) >> PACE)
        if self.node_best - self.bound > enough:
            self.stale = 0
        else:
            self.stale += 1
        if self.stale >= PATIENCE:
            self.stale = 0
            self.stride = self.stride * 3 // 4
            self.cuts += 1
        self.node_best = min(self.node_best, self.bound)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, node_limit: cython.longlong) -> cython.void:
        """Search for some milliseconds."""
        self.work = 0
        while not self.done and self.work < SLICE:
            if self.nodes > node_limit or self.best_value >= self.enough:
                return
            self.round()

    @cython.cfunc
    def open_bound(self) -> cython.longlong:
        """What no alignment exceeds, from all that is closed and still open."""
        d: cython.int
        bound: cython.longlong = max(self.best_value, self.known)
        if not self.done:
            bound = max(bound, self.node_bound)
            for d in range(self.depth):
                bound = max(bound, self.branch_bound[d])
        return bound // self.lattice * (self.lattice // self.unit)

    # ---------------------------------------------------------- alignments

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def round_up(self) -> cython.void:
        """Turn the assignment into an alignment, improve it, keep the best."""
        c: cython.int
        h: cython.int
        i: cython.int
        n: cython.int
        value: cython.longlong = 0
        for i in range(self.n_right):
            self.chosen_col[i] = -1
        for i in range(self.n_left):
            self.chosen_row[i] = -1
        for n in range(self.n_pool):
            c = self.pool[n]
            self.gain[c] = self.unary[c]
        for i in range(self.n_left):
            c = self.outer.row_match[i]
            if c >= 0 and self.live[c]:
                self.toggle(c, True)
        self.climb()
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
        sign: cython.longlong = 1 if chosen else -1
        self.chosen_row[self.left[c]] = c if chosen else -1
        self.chosen_col[self.right[c]] = c if chosen else -1
        for h in range(self.half_begin[c], self.half_begin[c + 1]):
            self.gain[self.partner[h]] += sign * (
                self.share[h] + self.share[self.twin[h]]
            )

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
        end: cython.int = high
        middle: cython.int
        while low < high:
            middle = (low + high) >> 1
            if self.right[middle] < j:
                low = middle + 1
            else:
                high = middle
        if low < end and self.right[low] == j and self.live[low]:
            return low
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def climb(self) -> cython.void:
        """Insert candidates and swap partners while the alignment improves.

        Inserting *c* takes out the chosen *r* and *q* that share a node with
        it; where the nodes this leaves make a candidate *e*, that comes in too.
        Of *c* and *e*, it is enough to begin with the one that gains more.
        """
        c: cython.int
        e: cython.int
        n: cython.int
        q: cython.int
        r: cython.int
        delta: cython.longlong
        improved: cython.bint = True
        while improved:
            improved = False
            self.work += self.n_pool
            for n in range(self.n_pool):
                c = self.pool[n]
                r = self.chosen_row[self.left[c]]
                if r == c:
                    continue
                q = self.chosen_col[self.right[c]]
                e = -1
                delta = self.gain[c]
                if r >= 0:
                    delta -= self.gain[r]
                if q >= 0:
                    delta -= self.gain[q]
                if r >= 0 and q >= 0:
                    if delta + self.gain[c] + self.heaviest[c] + self.heaviest[r] <= 0:
                        continue
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

    # --------------------------------------------------------- certificate

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rank(self, c: cython.int) -> cython.longlong:
        """The number of a live candidate, counting live candidates only."""
        d: cython.int
        before: cython.longlong = 0
        for d in range(c):
            before += self.live[d]
        return before

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record(self, spare: cython.longlong) -> cython.void:
        """Log this round, and the candidates with more slack than *spare*.

        Only live candidates and pair terms are listed, in their order: first
        shares, then the two inner duals of every half, the outer duals,
        how many candidates to drop, and their ranks.
        """
        c: cython.int
        h: cython.int
        i: cython.int
        rank: cython.longlong = 0
        dropped: cython.longlong = 0
        self.recorded = self.rounds
        self.node_bound = min(self.node_bound, self.bound)
        self.log.add(ROUND)
        for c in range(self.n_candidates):
            if self.live[c]:
                for h in range(self.half_begin[c], self.half_begin[c + 1]):
                    if self.half_live[h] and self.partner[h] > c:
                        self.log.add(self.share[h])
        for c in range(self.n_candidates):
            if self.live[c]:
                for h in range(self.half_begin[c], self.half_begin[c + 1]):
                    if self.half_live[h] and self.conflicted[c]:
                        self.log.add(self.inner.row_dual[self.half_row[h]])
                        self.log.add(self.inner.col_dual[self.half_col[h]])
                    elif self.half_live[h]:
                        self.log.add(self.share[h])
                        self.log.add(0)
        for i in range(self.n_left):
            self.log.add(self.outer.row_dual[i])
        for i in range(self.n_right):
            self.log.add(self.outer.col_dual[i])
        for c in range(self.n_candidates):
            if self.live[c] and self.slack(c) > spare:
                dropped += 1
        self.log.add(dropped)
        for c in range(self.n_candidates):
            if self.live[c]:
                if self.slack(c) > spare:
                    self.log.add(rank)
                rank += 1

    @cython.cfunc
    def close_log(self) -> cython.void:
        """End a search that was stopped, with the bounds it reached."""
        d: cython.int
        if not self.done:
            self.appraise()
            self.record(TOP)
            for d in range(self.depth + 1):
                self.log.add(END)


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


def solve(
    n_left: cython.int,
    n_right: cython.int,
    left: cython.const[cython.int][::1],
    right: cython.const[cython.int][::1],
    unary: cython.const[cython.longlong][::1],
    first: cython.const[cython.int][::1],
    second: cython.const[cython.int][::1],
    weight: cython.const[cython.longlong][::1],
    seconds: cython.double,
    node_limit: cython.longlong,
    start: object,
    known: cython.longlong,
    enough: cython.longlong,
    certify: cython.bint,
) -> tuple:
    """Search until the bound is proved to be the value, or a limit is reached.

    Args:
        n_left, n_right, left, right, unary, first, second, weight: the problem,
            as in ``AlignmentProblem``; trusted to be in order.
        seconds: time limit; negative for none.
        node_limit: how many nodes the tree may have.
        start: an alignment to begin with, or ``None``.
        known: only alignments worth more than this are of interest.
        enough: stop as soon as an alignment is worth this much.
        certify: whether to log the evidence for the bound.

    Returns:
        The alignment as a list, its value, the bound, whether the search was
        completed, the numbers of nodes and of rounds, the log (``None`` if
        there is none), and the parts of a unit that the log counts in.
    """
    i: cython.int
    started: cython.double = perf_counter() if seconds >= 0 else 0.0
    search: Search = Search(n_left, n_right, left, right, unary, first, second, weight)
    search.certify = certify
    search.known = known * search.unit
    search.enough = enough * search.unit
    if start is not None:
        search.start_from(start)
    while True:
        with cython.nogil:
            search.run(node_limit)
        if search.work < SLICE:
            break
        if cython.compiled:
            PyErr_CheckSignals()
        if seconds >= 0 and perf_counter() - started >= seconds:
            break
    if certify:
        search.close_log()
    return (
        [
            search.right[search.best[i]] if search.best[i] >= 0 else -1
            for i in range(n_left)
        ],
        search.best_value // search.unit,
        search.open_bound(),
        bool(search.done),
        search.nodes,
        search.rounds,
        search.log.as_list() if certify else None,
        search.unit,
    )
