"""The assignments that every bound is made of, solved in integers.

A sparse assignment problem has rows, columns and *entries*: which row may be matched
with which column, and the value of that.  Rows and columns may stay unmatched.  Its
dual asks for a number of each row and column, zero or more, such that

    ``row_dual[r] + col_dual[k] >= value[e]``    for every entry *e* of *r* and *k*

and then no matching is worth more than the sum of all duals.  Where the two
are equal, both are optimal: every match is *tight* (``=`` holds for it), and
nobody whose dual is above zero is left unmatched.

``Assignment.solve`` starts from the duals and matches of last time, for from one
round to the next little changes.  It makes every dual the least that the others
allow (``settle``), matches what is tight (``match_tight``), and gives each one
left over a match, or a dual of zero, by a shortest path along which matches change
hands (``augment``).  Duals are integers because values are.  Where they are not asked
for, the least problems are solved by looking at all matchings (``solve_small``).

Source: Jonker and Volgenant (1987) for shortest augmenting paths.

Time a change with ``python -m benchmarks solving para``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free
    from cython.cimports.libc.string import memset

UNSEEN = 0
REACHED = 1
PASSED = 2
"""States of a node while a shortest path is looked for."""


class Memory:
    """All arrays of one search at a time, carved from one block and freed with it."""

    def __init__(self):
        self.room = 0
        self.count()

    def count(self):
        """Begin anew: the next arrays are counted, and carved after ``allocate``."""
        self.counting = True
        self.used = 0

    if cython.compiled:

        def __dealloc__(self):
            free(self.block)

    def ints(self, count):
        """Return an array of *count* zeros; nothing usable while counting."""
        if not cython.compiled:
            return [0] * count
        return cython.cast(cython.p_int, self.longs((count + 1) // 2))

    def longs(self, count):
        """Return an array of *count* 64-bit zeros; nothing while counting."""
        if not cython.compiled:
            return [0] * count
        start: cython.Py_ssize_t = self.used
        self.used += count
        if self.counting:
            return cython.NULL
        return self.block + start

    def allocate(self):
        """Get the memory that was counted, all zeros; whether there is enough.

        After it, arrays are real.  What an earlier search left is used again.
        """
        if cython.compiled:
            if self.used >= self.room:
                free(self.block)
                self.room = 2 * self.used + 1
                self.block = cython.cast(
                    cython.p_longlong,
                    calloc(self.room, cython.sizeof(cython.longlong)),
                )
            else:
                memset(self.block, 0, self.used * cython.sizeof(cython.longlong))
            if self.block == cython.NULL:
                self.room = 0
                return False
        self.counting = False
        self.used = 0
        return True


@cython.cfunc
@cython.inline
@cython.returns(cython.int)
@cython.exceptval(check=False)
@cython.nogil
def _column(way: cython.int, row: cython.int):
    """Return a row's column in one of the six matchings of three rows and columns.

    Three ways go round from row to row, and three the other way.
    """
    return (way + row if way < 3 else way - row) % 3


class Assignment:
    """Sparse assignment problems side by side, and dual solutions kept warm.

    Entry *e* joins ``row_of[e]`` and ``col_of[e]`` and is worth ``value[e]``
    where ``live[e]``.  Row *r* has the entries in ``row_order`` from
    ``row_begin[r]`` up to ``row_begin[r + 1]``, and those follow one another;
    columns likewise.  Rows and columns may stay unmatched, so that all duals
    are zero or more.
    """

    def carve(self, memory, rows, cols, entries, widest):
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

    def solve(self, row0, row1, col0, col1):
        """Make the duals of these rows and columns optimal; return their sum.

        Matches and columns' duals of last time are a hint; any will do.
        """
        total: cython.longlong = 0
        self.settle(row0, row1, col0, col1)
        self.match_tight(row0, row1)
        for r in range(row0, row1):
            if self.row_match[r] < 0 and self.row_dual[r] > 0:
                self.augment(r, col0, True)
        for k in range(col0, col1):
            if self.col_match[k] < 0 and self.col_dual[k] > 0:
                self.augment(k, row0, False)
        for r in range(row0, row1):
            total += self.row_dual[r]
        for k in range(col0, col1):
            total += self.col_dual[k]
        return total

    def solve_small(self, row0, row1, col0, col1):
        """Try all matchings of at most three rows and columns; return the best sum.

        That is quicker than duals, and finds none: they stay as they are.
        """
        if row1 - row0 <= 2 and col1 - col0 <= 2:
            return self.solve_least(row0, row1, col0, col1)
        value: cython.longlong[9]
        entry: cython.int[9]
        way: cython.int = 0
        if not cython.compiled:
            value = [0] * 9
            entry = [-1] * 9
        for k in range(9):
            value[k] = 0
            entry[k] = -1
        for k in range(col0, col1):
            self.col_match[k] = -1
        for r in range(row0, row1):
            self.row_match[r] = -1
            for e in range(self.row_begin[r], self.row_begin[r + 1]):
                if self.live[e]:
                    k = 3 * (r - row0) + self.col_of[e] - col0
                    value[k] = self.value[e]
                    entry[k] = e
        best: cython.longlong = 0
        for n in range(6):  # compilers write out both loops
            total: cython.longlong = 0
            for r in range(3):
                total += value[3 * r + _column(n, r)]
            if n == 0 or total > best:
                best = total
                way = n
        for r in range(row1 - row0):
            k = _column(way, r)
            if value[3 * r + k] > 0:
                e = entry[3 * r + k]
                self.row_match[row0 + r] = e
                self.col_match[col0 + k] = e
        return best

    def solve_least(self, row0, row1, col0, col1):
        """Do the same for at most two rows and columns, and choose as it does."""
        # the values of each row in the first column and in the second, and the entries
        a: cython.longlong = 0
        b: cython.longlong = 0
        c: cython.longlong = 0
        d: cython.longlong = 0
        a_entry: cython.int = -1
        b_entry: cython.int = -1
        c_entry: cython.int = -1
        d_entry: cython.int = -1
        for e in range(self.row_begin[row0], self.row_begin[row0 + 1]):
            if self.live[e]:
                if self.col_of[e] == col0:
                    a = self.value[e]
                    a_entry = e
                else:
                    b = self.value[e]
                    b_entry = e
        if row1 - row0 == 2:
            for e in range(self.row_begin[row0 + 1], self.row_begin[row0 + 2]):
                if self.live[e]:
                    if self.col_of[e] == col0:
                        c = self.value[e]
                        c_entry = e
                    else:
                        d = self.value[e]
                        d_entry = e
        straight: cython.bint = a + d >= b + c
        if straight:
            b_entry = c_entry = -1
        else:
            a_entry = d_entry = -1
        if a == 0:
            a_entry = -1
        if b == 0:
            b_entry = -1
        if c == 0:
            c_entry = -1
        if d == 0:
            d_entry = -1
        self.row_match[row0] = max(a_entry, b_entry)
        self.col_match[col0] = max(a_entry, c_entry)
        if row1 - row0 == 2:
            self.row_match[row0 + 1] = max(c_entry, d_entry)
        if col1 - col0 == 2:
            self.col_match[col0 + 1] = max(b_entry, d_entry)
        return a + d if straight else b + c

    def settle(self, row0, row1, col0, col1):
        """Lower the rows' duals, then the columns', to the least that covers."""
        row_begin: cython.p_int = self.row_begin
        col_of: cython.p_int = self.col_of
        live: cython.p_int = self.live
        value: cython.p_longlong = self.value
        row_dual: cython.p_longlong = self.row_dual
        col_dual: cython.p_longlong = self.col_dual
        for r in range(row0, row1):
            least: cython.longlong = 0
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

    def match_tight(self, row0, row1):
        """Undo matches that are not tight any more, and match tight pairs."""
        col_of: cython.p_int = self.col_of
        live: cython.p_int = self.live
        value: cython.p_longlong = self.value
        row_dual: cython.p_longlong = self.row_dual
        col_dual: cython.p_longlong = self.col_dual
        row_match: cython.p_int = self.row_match
        col_match: cython.p_int = self.col_match
        for r in range(row0, row1):
            e: cython.int = row_match[r]
            if e >= 0 and not (
                live[e] and row_dual[r] + col_dual[col_of[e]] == value[e]
            ):
                row_match[r] = -1
                col_match[col_of[e]] = -1
        for r in range(row0, row1):
            if row_match[r] >= 0 or row_dual[r] == 0:
                continue
            for e in range(self.row_begin[r], self.row_begin[r + 1]):
                k: cython.int = col_of[e]
                if (
                    live[e]
                    and col_match[k] < 0
                    and row_dual[r] + col_dual[k] == value[e]
                ):
                    row_match[r] = e
                    col_match[k] = e
                    break

    def augment(self, start, base, is_row):
        """Match a free node, or take its dual to zero, by a shortest path.

        Seen from a row, rows are near and columns far; seen from a column, the
        other way round.  A path may end at a free far node, or at a near node
        that is better left free.  Far nodes are numbered from *base* on.
        """
        begin: cython.p_int = self.row_begin if is_row else self.col_begin
        order: cython.p_int = self.row_order if is_row else self.col_order
        near_of: cython.p_int = self.row_of if is_row else self.col_of
        far_of: cython.p_int = self.col_of if is_row else self.row_of
        near_dual: cython.p_longlong = self.row_dual if is_row else self.col_dual
        far_dual: cython.p_longlong = self.col_dual if is_row else self.row_dual
        near_match: cython.p_int = self.row_match if is_row else self.col_match
        far_match: cython.p_int = self.col_match if is_row else self.row_match
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
        while True:
            for n in range(begin[near], begin[near + 1]):
                e: cython.int = order[n]
                if not live[e]:
                    continue
                f: cython.int = far_of[e] - base
                x: cython.longlong = (
                    so_far + near_dual[near] + far_dual[base + f] - value[e]
                )
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
            nearest: cython.int = -1
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
