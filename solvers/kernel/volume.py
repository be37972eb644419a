"""Steps along the average of the subgradients: the volume algorithm.

Steps along one subgradient (``Split.shift``) stall some triples above the best split of
a large problem, because the assignment behind a bound jumps to and fro: each step
undoes a part of the last.  The average of many assignments does not jump.  It comes
near a solution of the linear relaxation, in which a candidate is chosen to some part,
and says of every pair term which of its two candidates counts on it more.

Every step is tried from the best split so far.  Where the bound falls, that is the best
split from then on, and the next step may be longer; where it does not fall for a while,
steps become shorter, and the average slower.  Most problems need no more than a rough
average; for those that do, steps go *deep*: three times as many end a small part of a
triple above the best split there is.

Most pair terms of a large problem are never counted on, and a step leaves them alone.
The others are listed, so that a step costs no more than they do.

Floating point steers here; a split is integers, and proves what it proves.

Source: Barahona and Anbil (2000), "The volume algorithm: producing primal solutions
with a subgradient method".

Time a change with ``python -m benchmarks documents-250``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Split = kernels.load_interpreted("exactmatch.solvers.kernel.lagrangian").Split

ONE = 1 << 30
"""The lean of a pair term that one candidate counts on in every assignment."""

FADING = 4
"""At first an assignment counts one part in ``2**FADING`` of the average."""

SLOWEST, DEEP_SLOWEST = 6, 9
"""In the end it counts one part in ``2**SLOWEST``; where steps are deep, fewer."""

FIRST = 0.1
"""The first step, as a multiple of the step that would close the gap."""

LONGEST = 2.0
"""A step is at most so long, as such a multiple."""

GROWTH, DEEP_GROWTH = 1.1, 1.3
"""A step after one in the right direction is so much longer."""

SHRINKAGE = 2.0 / 3.0
"""A step after many in vain is so much shorter."""

PATIENCE, DEEP_PATIENCE = 8, 12
"""So many steps are tried in vain before they are shortened."""

CUTS, DEEP_CUTS = 18, 60
"""So often steps are shortened."""

PROGRESS, DEEP_PROGRESS = 6, 10
"""Not in vain is what lowers the bound by one part in ``2**PROGRESS`` of a unit."""

CUTS_A_FADING = 3
"""So often steps are shortened before the average becomes slower."""


class Volume:
    """The best split so far, and the average of the assignments.

    ``best[h]`` is the share of half *h* in the best split, whose bound is ``bound``.
    ``lean[h]``, of the half whose candidate comes first, says how much more that one
    counts on the pair term than the other, from ``-ONE`` to ``ONE``.
    ``agreement`` is above zero where the last assignment leans as the average does.
    All other halves whose candidate comes first lean 0 and have their share in the best
    split; ``listed[0:n_listed]`` are those that may not, with ``is_listed[h]``.
    """

    def __init__(self, split: Split):
        self.split = split
        self.bound = 0

    def carve(self, memory):
        """Take the arrays from *memory*."""
        self.best = memory.longs(self.split.n_halves)
        self.lean = memory.longs(self.split.n_halves)
        self.listed = memory.ints(self.split.n_halves // 2)
        self.is_listed = memory.ints(self.split.n_halves)
        self.n_listed = 0

    def begin(self, fresh, deep):
        """Begin with the split at hand, which has just been appraised.

        The average begins anew if *fresh*; else it is that of earlier steps.
        """
        self.slowest = DEEP_SLOWEST if deep else SLOWEST
        self.growth = DEEP_GROWTH if deep else GROWTH
        self.patience = DEEP_PATIENCE if deep else PATIENCE
        self.most_cuts = DEEP_CUTS if deep else CUTS
        self.enough = self.split.lattice >> (DEEP_PROGRESS if deep else PROGRESS)
        self.bound = self.split.bound
        self.length = FIRST
        self.agreement = 0.0
        self.fading = FADING
        self.stale = 0
        self.cuts = 0
        self.keep_all()
        if fresh:
            self.forget()
        self.average(0 if fresh else FADING)

    def learn(self):
        """Take in the split that was tried."""
        fall: cython.longlong = self.bound - self.split.bound
        self.average(self.fading)
        if fall > 0:
            self.bound = self.split.bound
            self.keep()
        if fall > self.enough:
            self.stale = 0
            if self.agreement > 0.0:
                self.length = min(self.length * self.growth, LONGEST)
        else:
            self.stale += 1
        if self.stale >= self.patience:
            self.stale = 0
            self.length *= SHRINKAGE
            self.cuts += 1
            if self.cuts % CUTS_A_FADING == 0 and self.fading < self.slowest:
                self.fading += 1

    def is_done(self):
        """Return whether steps have become too short to be of use."""
        return self.cuts >= self.most_cuts

    def keep_all(self):
        """Keep the split at hand as the best, whatever was kept before."""
        for n in range(self.split.n_pool):
            c: cython.int = self.split.pool[n]
            for h in range(self.split.half_begin[c], self.split.half_begin[c + 1]):
                if self.split.half_live[h]:
                    self.best[h] = self.split.share[h]

    def keep(self):
        """Keep the split at hand as the best; steps move nothing but what is listed."""
        for n in range(self.n_listed):
            h: cython.int = self.listed[n]
            t: cython.int = self.split.twin[h]
            self.best[h] = self.split.share[h]
            self.best[t] = self.split.share[t]

    def recall(self):
        """Go back to the best split."""
        for n in range(self.split.n_pool):
            c: cython.int = self.split.pool[n]
            self.split.changed[c] = 1
            for h in range(self.split.half_begin[c], self.split.half_begin[c + 1]):
                if self.split.half_live[h]:
                    self.split.share[h] = self.best[h]

    def forget(self):
        """Forget the average."""
        for n in range(self.n_listed):
            self.lean[self.listed[n]] = 0
            self.is_listed[self.listed[n]] = 0
        self.n_listed = 0

    def list_chosen(self):
        """List the pair terms that a candidate of the assignment at hand counts on."""
        for i in range(self.split.n_left):
            c: cython.int = self.split.outer.row_match[i]
            if c < 0 or not self.split.live[c]:
                continue
            for h in range(self.split.half_begin[c], self.split.half_begin[c + 1]):
                if self.split.half_live[h] and self.split.chooses(h, c):
                    first: cython.int = h
                    if self.split.partner[h] < c:
                        first = self.split.twin[h]
                    if not self.is_listed[first]:
                        self.is_listed[first] = 1
                        self.listed[self.n_listed] = first
                        self.n_listed += 1

    def average(self, fading):
        """Add the assignment at hand, one part in ``2**fading`` of the average."""
        agreement: cython.double = 0.0
        count: cython.int = 0
        self.list_chosen()
        for n in range(self.n_listed):
            h: cython.int = self.listed[n]
            t: cython.int = self.split.twin[h]
            d: cython.int = self.split.partner[h]
            c: cython.int = self.split.partner[t]
            is_live: cython.bint = self.split.live[c] and self.split.live[d]
            if is_live:
                lean: cython.longlong = 0
                if self.split.chooses(h, c):
                    lean += ONE
                if self.split.chooses(t, d):
                    lean -= ONE
                if lean > 0:
                    agreement += self.lean[h]
                elif lean < 0:
                    agreement -= self.lean[h]
                self.lean[h] += (lean - self.lean[h]) >> fading
            is_still: cython.bint = (
                self.lean[h] == 0 and self.split.share[h] == self.best[h]
            )
            if is_live and not is_still:
                self.listed[count] = h
                count += 1
            else:
                self.lean[h] = 0
                self.is_listed[h] = 0
        self.split.work += self.split.n_left + self.n_listed
        self.n_listed = count
        self.agreement = agreement

    def step(self, goal):
        """Go from the best split along the average, towards a bound of *goal*.

        The length is Polyak's: the distance from there to the goal, divided by the
        square of the direction, without what cannot move because a share is 0.
        """
        square: cython.double = 0.0
        for n in range(self.n_listed):
            h: cython.int = self.listed[n]
            lean: cython.double = self.lean[h]
            if self.best[h if lean > 0.0 else self.split.twin[h]] > 0:
                square += lean * lean
        if square == 0.0:
            return
        size: cython.double = self.length * (self.bound - goal) / square * ONE
        for n in range(self.n_listed):
            h = self.listed[n]
            t: cython.int = self.split.twin[h]
            full_weight: cython.longlong = self.best[h] + self.best[t]
            lean = size * self.lean[h]
            if lean >= self.best[h]:
                share: cython.longlong = 0
            elif lean <= -self.best[t]:
                share = full_weight
            else:
                share = self.best[h] - cython.cast(cython.longlong, lean)
            if share != self.split.share[h]:
                self.split.share[h] = share
                self.split.share[t] = full_weight - share
                self.split.changed[self.split.partner[t]] = 1
                self.split.changed[self.split.partner[h]] = 1
        self.split.work += 2 * self.n_listed
