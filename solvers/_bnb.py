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
   is a subgradient step; the gap to the best value says how long;
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

from time import perf_counter

try:
    import cython
except ImportError:
    from exactmatch.solvers import _cython as cython

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

PACE = cython.declare(cython.int, 7)
"""Progress is to close more than one part in ``2**PACE`` of the gap."""

ROOT_CUTS = cython.declare(cython.int, 10)
"""So often the steps are shortened at the root before branching."""

NODE_CUTS = cython.declare(cython.int, 3)
"""So often in every other node."""

RECALL = cython.declare(cython.int, 4)
"""How often a candidate was matched lately is averaged over ``2**RECALL`` rounds."""

ALWAYS = cython.declare(cython.longlong, 1 << 20)
"""That average, of a candidate that is matched in every round."""

SLICE = cython.declare(cython.longlong, 3_000_000 if cython.compiled else 30_000)
"""Candidates and halves to look at (some milliseconds) between looks at the clock."""

UNSEEN = cython.declare(cython.int, 0)
REACHED = cython.declare(cython.int, 1)
PASSED = cython.declare(cython.int, 2)
"""States of a node while a shortest path is looked for."""

ROUND = cython.declare(cython.longlong, 0)
BRANCH = cython.declare(cython.longlong, 1)
END = cython.declare(cython.longlong, 2)
"""The kinds of entries in the log."""


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
    where ``live[e]``.  Row *r* has the entries in ``row_order`` from
    ``row_begin[r]`` up to ``row_begin[r + 1]``, and those follow one another;
    columns likewise.  Rows and columns may stay unmatched, so that all duals
    are zero or more.
    """

    row_begin: cython.p_int
    row_order: cython.p_int
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
        self.row_order = memory.ints(entries)
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

        Matches and columns' duals of last time are a hint; any will do.
        """
        total: cython.longlong = 0
        r: cython.int
        k: cython.int
        self.settle(row0, row1, col0, col1)
        self.match_tight(row0, row1)
        for r in range(row0, row1):
            if self.row_match[r] < 0 and self.row_dual[r] > 0:
                self.augment(
                    r,
                    col0,
                    self.row_begin,
                    self.row_order,
                    self.row_of,
                    self.col_of,
                    self.row_dual,
                    self.col_dual,
                    self.row_match,
                    self.col_match,
                )
        for k in range(col0, col1):
            if self.col_match[k] < 0 and self.col_dual[k] > 0:
                self.augment(
                    k,
                    row0,
                    self.col_begin,
                    self.col_order,
                    self.col_of,
                    self.row_of,
                    self.col_dual,
                    self.row_dual,
                    self.col_match,
                    self.row_match,
                )
        for r in range(row0, row1):
            total += self.row_dual[r]
        for k in range(col0, col1):
            total += self.col_dual[k]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(
        self, row0: cython.int, row1: cython.int, col0: cython.int, col1: cython.int
    ) -> cython.void:
        """Lower the rows' duals, then the columns', to the least that covers."""
        row_begin: cython.p_int = self.row_begin
        col_of: cython.p_int = self.col_of
        live: cython.p_int = self.live
        value: cython.p_longlong = self.value
        row_dual: cython.p_longlong = self.row_dual
        col_dual: cython.p_longlong = self.col_dual
        least: cython.longlong
        e: cython.int
        k: cython.int
        n: cython.int
        r: cython.int
        for r in range(row0, row1):
            least = 0
            for e in range(row_begin[r], row_begin[r + 1]):
                if live[e]:
                    least = max(least, value[e] - col_dual[col_of[e]])
            row_dual[r] = least
        for k in range(col0, col1):
            if col_dual[k] > 0:
                least = 0
                for n in range(self.col_begin[k], self.col_begin[k + 1]):
                    e = self.col_order[n]
                    if live[e]:
                        least = max(least, value[e] - row_dual[self.row_of[e]])
                col_dual[k] = least

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def match_tight(self, row0: cython.int, row1: cython.int) -> cython.void:
        """Undo matches that are not tight any more, and match what is."""
        col_of: cython.p_int = self.col_of
        live: cython.p_int = self.live
        value: cython.p_longlong = self.value
        row_dual: cython.p_longlong = self.row_dual
        col_dual: cython.p_longlong = self.col_dual
        row_match: cython.p_int = self.row_match
        col_match: cython.p_int = self.col_match
        e: cython.int
        k: cython.int
        r: cython.int
        for r in range(row0, row1):
            e = row_match[r]
            if e >= 0 and not (
                live[e] and row_dual[r] + col_dual[col_of[e]] == value[e]
            ):
                row_match[r] = -1
                col_match[col_of[e]] = -1
        for r in range(row0, row1):
            if row_match[r] >= 0 or row_dual[r] == 0:
                continue
            for e in range(self.row_begin[r], self.row_begin[r + 1]):
                k = col_of[e]
                if (
                    live[e]
                    and col_match[k] < 0
                    and row_dual[r] + col_dual[k] == value[e]
                ):
                    row_match[r] = e
                    col_match[k] = e
                    break

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def augment(
        self,
        start: cython.int,
        base: cython.int,
        begin: cython.p_int,
        order: cython.p_int,
        near_of: cython.p_int,
        far_of: cython.p_int,
        near_dual: cython.p_longlong,
        far_dual: cython.p_longlong,
        near_match: cython.p_int,
        far_match: cython.p_int,
    ) -> cython.void:
        """Match a free node, or take its dual to zero, by a shortest path.

        Seen from a row, rows are near and columns far; seen from a column, the
        other way round.  A path may end at a free far node, or at a near node
        that is better left free.  Far nodes are numbered from *base* on.
        """
        live: cython.p_int = self.live
        value: cython.p_longlong = self.value
        dist: cython.p_longlong = self.dist
        via: cython.p_int = self.via
        state: cython.p_int = self.state
        queue: cython.p_int = self.queue
        touched: cython.int = 0
        near: cython.int = start
        last_near: cython.int = start
        last_far: cython.int = -1
        so_far: cython.longlong = 0
        least: cython.longlong = near_dual[start]
        x: cython.longlong
        e: cython.int
        f: cython.int
        n: cython.int
        nearest: cython.int
        while True:
            for n in range(begin[near], begin[near + 1]):
                e = order[n]
                if not live[e]:
                    continue
                f = far_of[e] - base
                x = so_far + near_dual[near] + far_dual[base + f] - value[e]
                if x >= least or (state[f] != UNSEEN and x >= dist[f]):
                    continue
                if state[f] == UNSEEN:
                    queue[touched] = f
                    touched += 1
                    state[f] = REACHED
                dist[f] = x
                via[f] = e
                if far_match[base + f] < 0:
                    least = x
                    last_far = f
            nearest = -1
            for n in range(touched):
                f = queue[n]
                if state[f] == REACHED and (nearest < 0 or dist[f] < dist[nearest]):
                    nearest = f
            if nearest < 0 or dist[nearest] >= least:
                break
            state[nearest] = PASSED
            so_far = dist[nearest]
            near = near_of[far_match[base + nearest]]
            if so_far + near_dual[near] < least:
                least = so_far + near_dual[near]
                last_near = near
                last_far = -1
        near_dual[start] -= least
        for n in range(touched):
            f = queue[n]
            if state[f] == PASSED:
                far_dual[base + f] += least - dist[f]
                near_dual[near_of[far_match[base + f]]] -= least - dist[f]
            state[f] = UNSEEN
        if last_far < 0:
            if last_near == start:
                return
            last_far = far_of[near_match[last_near]] - base
            near_match[last_near] = -1
        while True:
            e = via[last_far]
            near = near_of[e]
            n = near_match[near]
            near_match[near] = e
            far_match[base + last_far] = e
            if near == start:
                return
            last_far = far_of[n] - base


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
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(self) -> cython.Py_ssize_t:
        """Begin a list; its length will be filled in."""
        self.add(0)
        return self.used - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def finish(self, place: cython.Py_ssize_t) -> cython.void:
        """Fill in the length of the list that began at *place*."""
        if not self.failed:
            self.items[place] = self.used - place - 1

    @cython.cfunc
    def as_list(self) -> list:
        """All numbers, as Python integers."""
        if self.failed:
            raise MemoryError("not enough memory for the certificate")
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
        if len(first) >= 1 << 30:
            raise MemoryError("too many pair terms for 32-bit numbers")
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
        self.index_outer()
        self.index_inner()
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
            self.outer.row_order[c] = c

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
    def index_inner(self) -> cython.void:
        """Sort every candidate's halves by the partner's left and right node.

        They lie sorted by left node; a walk through all candidates in order of
        their right nodes hands them out sorted by right node.
        """
        row_order: cython.p_int = self.inner.row_order
        col_order: cython.p_int = self.inner.col_order
        filled: cython.p_int = self.n_cols
        c: cython.int
        d: cython.int
        h: cython.int
        n: cython.int
        for c in range(self.n_candidates):
            filled[c] = self.half_begin[c]
        for n in range(self.n_candidates):
            d = self.outer.col_order[n]
            for h in range(self.half_begin[d], self.half_begin[d + 1]):
                c = self.partner[h]
                col_order[filled[c]] = self.twin[h]
                filled[c] += 1
        for h in range(self.n_halves):
            row_order[h] = h
        for c in range(self.n_candidates):
            self.number_inner(c)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def number_inner(self, c: cython.int) -> cython.void:
        """Number the rows and columns of the little assignment of *c*.

        Both start at ``half_begin[c]``, so those of different candidates never
        meet.  It is conflicted where partners share a node.
        """
        row_begin: cython.p_int = self.inner.row_begin
        col_begin: cython.p_int = self.inner.col_begin
        col_order: cython.p_int = self.inner.col_order
        begin: cython.int = self.half_begin[c]
        end: cython.int = self.half_begin[c + 1]
        row: cython.int = begin - 1
        col: cython.int = begin - 1
        node: cython.int = -1
        h: cython.int
        n: cython.int
        for h in range(begin, end):
            if self.left[self.partner[h]] != node:
                node = self.left[self.partner[h]]
                row += 1
                row_begin[row] = h
            self.half_row[h] = row
        node = -1
        for n in range(begin, end):
            h = col_order[n]
            if self.right[self.partner[h]] != node:
                node = self.right[self.partner[h]]
                col += 1
                col_begin[col] = n
            self.half_col[h] = col
        row_begin[row + 1] = end
        col_begin[col + 1] = end
        self.n_rows[c] = row + 1 - begin
        self.n_cols[c] = col + 1 - begin
        self.conflicted[c] = row + 1 < end or col + 1 < end
        for n in range(begin, end):
            self.inner.row_match[n] = -1
            self.inner.col_match[n] = -1

    @cython.cfunc
    def start_from(self, start: object) -> cython.void:
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
                self.often[c] += (ALWAYS - self.often[c]) >> RECALL
            else:
                self.often[c] -= self.often[c] >> RECALL

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
    def final_bound(self) -> cython.longlong:
        """What no alignment exceeds, in the problem's units."""
        bound: cython.longlong = max(self.best_value, self.known)
        if not self.done:
            bound = max(bound, self.node_bound)
        return bound // self.lattice * (self.lattice // self.unit)

    # ---------------------------------------------------------- alignments

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def round_up(self) -> cython.void:
        """Turn the assignment into an alignment, improve it, keep the best."""
        c: cython.int
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

        Only live candidates and pair terms count, in their order.  Five lists,
        each after its length: first shares, inner duals by left and by right
        node, outer duals, and the ranks of the candidates to drop.
        """
        c: cython.int
        i: cython.int
        rank: cython.int = 0
        place: cython.Py_ssize_t
        self.recorded = self.rounds
        self.node_bound = min(self.node_bound, self.bound)
        self.log.add(ROUND)
        place = self.log.begin()
        for c in range(self.n_candidates):
            if self.live[c]:
                self.record_shares(c)
        self.log.finish(place)
        place = self.log.begin()
        for c in range(self.n_candidates):
            if self.live[c]:
                self.record_duals(
                    c,
                    self.n_rows[c],
                    self.inner.row_begin,
                    self.inner.row_order,
                    self.inner.row_dual,
                    True,
                )
        self.log.finish(place)
        place = self.log.begin()
        for c in range(self.n_candidates):
            if self.live[c]:
                self.record_duals(
                    c,
                    self.n_cols[c],
                    self.inner.col_begin,
                    self.inner.col_order,
                    self.inner.col_dual,
                    False,
                )
        self.log.finish(place)
        place = self.log.begin()
        for i in range(self.n_left):
            self.log.add(self.outer.row_dual[i])
        self.log.finish(place)
        place = self.log.begin()
        for i in range(self.n_right):
            self.log.add(self.outer.col_dual[i])
        self.log.finish(place)
        place = self.log.begin()
        for c in range(self.n_candidates):
            if self.live[c]:
                if self.slack(c) > spare:
                    self.log.add(rank)
                rank += 1
        self.log.finish(place)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record_shares(self, c: cython.int) -> cython.void:
        """Log the shares of the pair terms whose first candidate is *c*."""
        h: cython.int
        for h in range(self.half_begin[c], self.half_begin[c + 1]):
            if self.half_live[h] and self.partner[h] > c:
                self.log.add(self.share[h])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record_duals(
        self,
        c: cython.int,
        count: cython.int,
        begin: cython.p_int,
        order: cython.p_int,
        dual: cython.p_longlong,
        rows: cython.bint,
    ) -> cython.void:
        """Log the duals of the rows or columns of *c* that live partners have.

        Without conflicts nothing was solved: a row's dual is then its share.
        """
        first: cython.int = self.half_begin[c]
        g: cython.int
        n: cython.int
        for g in range(first, first + count):
            for n in range(begin[g], begin[g + 1]):
                if self.half_live[order[n]]:
                    if self.conflicted[c]:
                        self.log.add(dual[g])
                    else:
                        self.log.add(self.share[order[n]] if rows else 0)
                    break

    @cython.cfunc
    def stop(self) -> cython.void:
        """End a search that a limit stopped: its bound is the worst open one."""
        if self.done:
            return
        if self.certify:
            self.appraise()
            self.record(TOP)
            self.log.add(END)
        while self.depth > 0:
            self.depth -= 1
            self.node_bound = max(self.node_bound, self.branch_bound[self.depth])
            if self.certify:
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
        enough: stop as soon as an alignment is worth this much; negative: never.
        certify: whether to log the evidence for the bound.

    Returns:
        The alignment as a list, the bound, the numbers of nodes and of rounds,
        the log (``None`` if there is none), and the parts of a unit that the
        log counts in.
    """
    if not cython.compiled:
        left, right, unary = left.tolist(), right.tolist(), unary.tolist()
        first, second, weight = first.tolist(), second.tolist(), weight.tolist()
    started: cython.double = perf_counter() if seconds >= 0 else 0.0
    search: Search = Search(n_left, n_right, left, right, unary, first, second, weight)
    search.certify = certify
    search.known = min(known, TOP // search.unit) * search.unit
    search.known -= search.known % search.lattice
    if 0 <= enough < TOP // search.unit:
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
    search.stop()
    return (
        [
            search.right[search.best[i]] if search.best[i] >= 0 else -1
            for i in range(n_left)
        ],
        search.final_bound(),
        search.nodes,
        search.rounds,
        search.log.as_list() if certify else None,
        search.unit,
    )
