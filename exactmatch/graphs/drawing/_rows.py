# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Order and height of slots in their rows; ``layered.py`` says why.

The code is Python that Cython compiles.  Time a change with ``python -m benchmarks
pages``.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

SWEEPS = 12
SETTLED = 0.25
LOOSE = 1e-3


@cython.cclass
class Near:
    """The neighbours of each slot on one side.

    Those of slot *s* are ``others[k]``, with ``weights[k]``, for *k* from ``starts[s]``
    up to ``starts[s + 1]``.
    """

    others: cython.const[cython.int][::1]
    weights: cython.const[cython.double][::1]
    starts: cython.const[cython.int][::1]

    def __init__(self, others, weights, starts):
        self.others = others
        self.weights = weights
        self.starts = starts


@cython.cclass
class Rows:
    """Slots in rows, between whose neighbours links lead.

    Args:
        order: the slots, row by row.
        begins: where each row begins, and the end of the last one.
        before, after: the neighbours in the rows before and after; see :class:`Near`.
    """

    order: cython.int[::1]
    begins: cython.const[cython.int][::1]
    before: Near
    after: Near
    place: cython.int[::1]
    met: cython.int[::1]
    last: cython.Py_ssize_t
    keys: cython.double[::1]
    heights: cython.double[::1]
    offsets: cython.double[::1]
    pools: cython.double[::1]

    def __init__(self, order, begins, before, after):
        self.order = order
        self.begins = begins
        self.before = Near(*before)
        self.after = Near(*after)
        self.last = len(begins) - 2
        self.place = array("i", bytes(4 * len(order)))
        self.met = array("i", bytes(4 * len(after[0])))
        self.keys = array("d", bytes(8 * len(order)))
        self.offsets = array("d", bytes(8 * len(order)))
        self.heights = array("d", bytes(8 * len(order)))
        self.pools = array("d", bytes(24 * len(order)))

    def uncross(self):
        """Order the slots of each row with fewer crossings, if that can be."""
        order: cython.int[::1] = self.order
        best: cython.int[::1] = array("i", order)
        last: cython.Py_ssize_t = self.last
        k: cython.Py_ssize_t
        for row in range(last + 1):
            self.number(row)
        fewest: cython.longlong = self.crossings(0, last)
        sweep: cython.int
        for sweep in range(SWEEPS):
            if fewest == 0:
                break
            if sweep % 2 == 0:
                for row in range(1, last + 1):
                    self.sort(row, self.before)
            else:
                for row in range(last - 1, -1, -1):
                    self.sort(row, self.after)
            crossings_now: cython.longlong = self.crossings(0, last)
            if crossings_now < fewest:
                fewest = crossings_now
                best[:] = order
        order[:] = best
        for row in range(last + 1):
            self.number(row)
        crossings: cython.longlong = fewest
        for row in range(1, last, 2):  # labels stand beside the boxes that they lead to
            crossings_now = self.crossings(row - 1, row + 1)
            if not self.sort(row, self.after):
                continue
            crossings_now -= self.crossings(row - 1, row + 1)
            if crossings - crossings_now > fewest:
                for k in range(self.begins[row], self.begins[row + 1]):
                    order[k] = best[k]
                self.number(row)
            else:
                crossings -= crossings_now

    @cython.cfunc
    def number(self, row: cython.Py_ssize_t):
        """Number the nodes of a row by their places in it."""
        for k in range(self.begins[row], self.begins[row + 1]):
            self.place[self.order[k]] = k - self.begins[row]

    @cython.cfunc
    @cython.returns(cython.bint)
    def sort(self, row: cython.Py_ssize_t, near: Near):
        """Sort a row by the mean place of its slots' neighbours; whether it changes."""
        order: cython.int[::1] = self.order
        keys: cython.double[::1] = self.keys
        changed: cython.bint = False
        first: cython.Py_ssize_t = self.begins[row]
        for k in range(first, self.begins[row + 1]):
            slot: cython.int = order[k]
            if near.starts[slot] == near.starts[slot + 1]:
                key: cython.double = self.place[slot]
            else:
                key = 0.0
                for j in range(near.starts[slot], near.starts[slot + 1]):
                    key += self.place[near.others[j]]
                key /= near.starts[slot + 1] - near.starts[slot]
            j = k
            while j > first and keys[j - 1] > key:
                keys[j] = keys[j - 1]
                order[j] = order[j - 1]
                j -= 1
                changed = True
            keys[j] = key
            order[j] = slot
        if changed:
            self.number(row)
        return changed

    @cython.cfunc
    @cython.returns(cython.longlong)
    def crossings(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t):
        """Count the crossings of links between neighbouring rows, *first* to *last*."""
        neighbours: cython.const[cython.int][::1] = self.after.others
        starts: cython.const[cython.int][::1] = self.after.starts
        met: cython.int[::1] = self.met
        count: cython.longlong = 0
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        for row in range(first, last):
            n_met: cython.Py_ssize_t = 0
            for k in range(self.begins[row], self.begins[row + 1]):
                slot: cython.int = self.order[k]
                for j in range(starts[slot], starts[slot + 1]):
                    end: cython.int = self.place[neighbours[j]]
                    low: cython.Py_ssize_t = 0
                    high: cython.Py_ssize_t = n_met
                    while low < high:
                        if met[(low + high) // 2] <= end:
                            low = (low + high) // 2 + 1
                        else:
                            high = (low + high) // 2
                    count += n_met - low
                for j in range(starts[slot], starts[slot + 1]):
                    end = self.place[neighbours[j]]
                    low = n_met
                    while low > 0 and met[low - 1] > end:
                        met[low] = met[low - 1]
                        low -= 1
                    met[low] = end
                    n_met += 1
        return count

    def settle(self, above, below):
        """The height of each slot, bends as small as the order allows.

        Args:
            above, below: how far each slot reaches from its height.
        """
        up: list = above
        down: list = below
        last: cython.Py_ssize_t = self.last
        for row in range(last + 1):
            reach: cython.double = 0.0
            for k in range(self.begins[row], self.begins[row + 1]):
                slot: cython.int = self.order[k]
                self.offsets[slot] = reach + up[slot]
                self.heights[slot] = self.offsets[slot]
                reach = self.offsets[slot] + down[slot]
        for row in range(last, -1, -1):
            self.regress(row, False)
        for _ in range(SWEEPS):
            moved: cython.double = 0.0
            for k in range(1, 2 * last + 1):  # to the last row and back to the first
                row = k if k <= last else 2 * last - k
                moved = max(moved, self.regress(row, True))
            if moved < SETTLED:
                break
        return list(self.heights)

    @cython.cfunc
    @cython.returns(cython.double)
    def regress(self, row: cython.Py_ssize_t, both: cython.bint):
        """Move the slots of a row as near to their neighbours as their order allows.

        The distances that the slots must keep are taken off first; what is left must
        not decrease from slot to slot: pooling neighbours that do gives the least
        squares.

        Args:
            row: its number.
            both: look at the neighbours before, too.

        Returns:
            How far a slot moved at most.
        """
        after: Near = self.after
        before: Near = self.before
        heights: cython.double[::1] = self.heights
        pools: cython.double[::1] = self.pools
        n: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        for k in range(self.begins[row], self.begins[row + 1]):
            slot: cython.int = self.order[k]
            mean: cython.double = 0.0
            total: cython.double = 0.0
            for j in range(after.starts[slot], after.starts[slot + 1]):
                mean += heights[after.others[j]] * after.weights[j]
                total += after.weights[j]
            for j in range(before.starts[slot], before.starts[slot + both]):
                mean += heights[before.others[j]] * before.weights[j]
                total += before.weights[j]
            if total > 0:
                mean = mean / total - self.offsets[slot]
            else:
                total, mean = LOOSE, heights[slot] - self.offsets[slot]
            count: cython.double = 1
            while n > 0 and pools[3 * n - 3] > mean:
                n -= 1
                pooled: cython.double = pools[3 * n + 1]
                mean = (pools[3 * n] * pooled + mean * total) / (pooled + total)
                total += pooled
                count += pools[3 * n + 2]
            pools[3 * n], pools[3 * n + 1], pools[3 * n + 2] = mean, total, count
            n += 1
        moved: cython.double = 0.0
        k = self.begins[row]
        for j in range(n):
            count = pools[3 * j + 2]
            while count > 0:
                slot = self.order[k]
                mean = pools[3 * j] + self.offsets[slot]
                moved = max(moved, abs(heights[slot] - mean))
                heights[slot] = mean
                k += 1
                count -= 1
        return moved
