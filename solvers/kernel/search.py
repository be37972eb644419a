"""The search behind ``bnb``: a Lagrangian bound inside a branch and bound.

A round bounds a node of the tree and tries to make that bound smaller, or an
alignment reach it:

1. *bound*: a split of the pair weights bounds every alignment (``lagrangian.py``) by
   linear assignments (``assignment.py``);
2. *climb*: the assignment behind the bound is an alignment too, and is improved
   (``climb.py``);
3. *fix*: candidates that the bound cannot spare are dropped; where a large problem has
   lost most of them, the caller states the rest anew;
4. *shift*: the split is changed, as far as the gap to the best value says;
   at the root, when that no longer helps, along the average of many assignments
   (``volume.py``), after which the caller may look for a better
   alignment of the few candidates that those assignments chose;
5. *branch*: where that no longer helps, a candidate is taken (all that share a
   node with it are dropped), and afterwards left out (it is dropped itself, with all
   that nodes alike could put in its place, ``symmetry.py``);
6. *conclude*: where no two candidates share a node any more, all are chosen, or,
   where some cost, those that a maximum flow names (``closure.py``).

Where a certificate is wanted, ``proof_log.py`` keeps the evidence.

Numbers are 64-bit integers in units of ``1 / unit`` of the problem's own.  No
sum exceeds twice the total weight, which stays below ``2**60`` units, so that
nothing overflows and nothing is rounded.

These modules are Python.  The build compiles them with Cython, by the types
in the ``.pxd`` file beside each; without a compiler they run as they are, slower
and with the same answers.  Arrays are raw memory when compiled and lists when
not, so no pointer is ever shifted.

Time a change with ``python -m benchmarks solving documents-250``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Memory = kernels.load_interpreted("exactmatch.solvers.kernel.assignment").Memory
    Climb = kernels.load_interpreted("exactmatch.solvers.kernel.climb").Climb
    Closure = kernels.load_interpreted("exactmatch.solvers.kernel.closure").Closure
    Log = kernels.load_interpreted("exactmatch.solvers.kernel.proof_log").Log
    Split = kernels.load_interpreted("exactmatch.solvers.kernel.lagrangian").Split
    Symmetry = kernels.load_interpreted("exactmatch.solvers.kernel.symmetry").Symmetry
    TOP = kernels.load_interpreted("exactmatch.solvers.kernel.layout").TOP
    UNIT_BITS = kernels.load_interpreted("exactmatch.solvers.kernel.layout").UNIT_BITS
    Volume = kernels.load_interpreted("exactmatch.solvers.kernel.volume").Volume

STEP = 96
"""Length of the first step, in 64ths of the step that would close the gap."""

PATIENCE = 5
"""After this many rounds without progress, steps become a quarter shorter."""

PACE = 7
"""A round makes progress if it closes more than ``1 / 2**PACE`` of the gap."""

CUTS = 3
"""Times that steps are shortened before branching; at the root, before averaging."""

BEFORE, AVERAGING, AFTER = 0, 1, 2
"""Stages of the root: steps along a subgradient, steps along averages, no steps."""

CLIMB_EVERY, AVERAGES_EVERY = 6, 2
"""The assignment of one round in so many is improved: below the root; and at the root
while it averages, for these assignments differ little from one to the next."""

FIX_EVERY = 16
"""At the root, candidates are dropped with their partners' help in one of so many
rounds."""

MANY = 20_000
"""A problem of more candidates is large: averages are improved as seldom as below the
root, and it may shrink."""

RECALL = 3
"""The frequency of a candidate's matches is averaged over ``2**RECALL`` rounds."""

ALWAYS = 1 << 20
"""That frequency, for a candidate that is matched in every round."""

RARELY = 1 << 13
"""A candidate that is matched no more often is not in the core."""

SHRUNK = 2
"""A large problem has shrunk where the root drops all but one in so many candidates."""

SLICE = 3_000_000 if cython.compiled else 30_000
"""Candidates and halves to look at (some milliseconds) between looks at the clock."""


class Search:
    """One problem, the best alignment so far, and the open branches.

    Only alignments worth more than ``known`` are of interest, and one worth
    ``enough`` ends the search.  ``often[c]`` says how often candidate *c* was
    matched lately.  Of the branches still open, the one at each depth leaves out
    ``branch``, has ``branch_pool`` candidates and is bounded by ``branch_bound``.

    Of the node at hand, ``node_bound`` is the best bound that is proved, and
    ``node_best`` the best of its rounds; steps have length ``stride``, which was
    shortened ``cuts`` times, and for ``stale`` rounds there was no progress.

    The root is at ``stage`` and left ``root_pool`` candidates when it branched; there
    were ``averaged_pool`` when it last began to average, and ``averaged`` says that it
    has just done so.  Averaged steps go ``deep``, or not.  A search with cuts never
    branches: it is ``halted`` instead.  A search that ``may_shrink``
    stops, with ``shrunk``, where the rest had better be stated anew.
    """

    def __init__(self):
        self.memory = Memory()
        self.split = Split()
        self.climb = Climb(self.split)
        self.closure = Closure(self.split)
        self.volume = Volume(self.split)
        self.log = Log(self.split)
        self.symmetry = Symmetry(self.split)

    # ------------------------------------------------------------- loading

    def load(self, problem):
        """Begin with a problem.

        Whatever was searched before is forgotten; its memory is used again.

        Returns:
            Whether there is memory enough.
        """
        self.depth = 0
        self.nodes = 1
        self.recorded = 0
        self.done = False
        self.halted = False
        self.record_proof = False
        self.deep = False
        self.may_shrink = False
        self.shrunk = False
        self.stage = BEFORE
        self.root_pool = -1
        self.averaged_pool = 0
        self.averaged = False
        self.known = 0
        self.enough = TOP
        self.symmetry.is_used = False
        self.node_bound = TOP
        self.climb.best_value = 0
        self.split.size(problem)
        self.memory.count()
        self.carve()
        if not self.memory.allocate():
            return False
        self.carve()
        self.split.load(problem)
        for i in range(self.split.n_left):
            self.climb.best[i] = -1
        self.enter()
        return True

    def carve(self):
        """Lay out the arrays; the first of two calls only counts them."""
        count: cython.int = self.split.n_candidates
        self.split.carve(self.memory)
        self.climb.carve(self.memory)
        self.closure.carve(self.memory)
        self.volume.carve(self.memory)
        self.symmetry.carve(self.memory)
        self.often = self.memory.longs(count)
        self.branch = self.memory.ints(count + 1)
        self.branch_pool = self.memory.ints(count + 1)
        self.branch_bound = self.memory.longs(count + 1)

    def limit(self, value_to_exceed, enough):
        """Set the value to exceed and the value that ends the search."""
        self.known = min(value_to_exceed, TOP // self.split.unit) * self.split.unit
        self.known -= self.known % self.split.lattice
        if 0 <= enough < TOP // self.split.unit:
            self.enough = enough * self.split.unit

    def start_from(self, start):
        """Start from an alignment: the right node of each left node, or -1."""
        self.closure.unmatch()
        for c in range(self.split.n_candidates):
            if start[self.split.left[c]] == self.split.right[c]:
                self.split.outer.row_match[self.split.left[c]] = c
        self.climb.round_up()
        self.closure.unmatch()

    def split_as(self, shares):
        """Begin with the split of an earlier search, which has had its first steps."""
        self.split.split_as(shares)
        self.cuts = CUTS

    # -------------------------------------------------------------- rounds

    def run(self, node_limit):
        """Search for some milliseconds; return whether the search goes on.

        Where the root has just ended its averages (``averaged``), it stops as well.
        """
        self.split.work = 0
        self.averaged = False
        while self.split.work < SLICE and not self.averaged:
            if self.done or self.halted or self.nodes > node_limit:
                return False
            if self.climb.best_value >= self.enough:
                return False
            self.round()
            if self.has_shrunk():
                if self.stage == AVERAGING:
                    self.volume.recall()
                self.shrunk = True
                return False
        return True

    def has_shrunk(self):
        """Return whether the root has dropped most candidates of a large problem.

        All arrays keep their places, so that what is left lies scattered.  Where the
        parts of a unit are the finest, what is left counts in the same parts.
        """
        return (
            self.may_shrink
            and self.depth == 0
            and not (self.done or self.record_proof or self.symmetry.is_used)
            and self.split.n_candidates > MANY
            and SHRUNK * self.split.n_pool < self.split.n_candidates
            and self.split.unit == 1 << UNIT_BITS
        )

    def round(self):
        """Bound the present node once and decide what comes next."""
        self.split.appraise()
        if self.split.bound >= self.goal() and self.split.rounds % self.pause() == 0:
            self.climb.round_up()
        if not self.record_proof:
            self.node_bound = min(self.node_bound, self.split.bound)
        if self.split.bound < self.goal():
            if self.record_proof:
                self.record(TOP)
            self.retreat()
            return
        self.fix()
        self.remember()
        if self.stage == AVERAGING:
            self.average()
            return
        self.pace()
        if 2 * self.split.n_pool < self.averaged_pool and self.depth == 0:
            self.begin_averages()
            return
        if self.cuts >= CUTS:
            if self.stage == BEFORE and self.depth == 0:
                self.begin_averages()
                return
            if self.split.has_cuts:
                self.halted = True
                return
            c: cython.int = self.choose_branch()
            if c >= 0:
                self.descend(c)
                return
            if self.split.costs:
                self.conclude()
                return
        gap: cython.longlong = self.split.bound - self.target()
        self.split.shift((gap >> 6) * self.stride)

    def pause(self):
        """Return every how many rounds the assignment is improved."""
        if self.depth > 0:
            return CLIMB_EVERY
        if self.stage != AVERAGING:
            return 1
        return CLIMB_EVERY if self.split.n_pool > MANY else AVERAGES_EVERY

    def conclude(self):
        """Find the best alignment and its proof, now that no candidate has a rival."""
        self.closure.solve()
        self.climb.round_up()
        self.closure.unmatch()

    def goal(self):
        """Return the value that a better alignment must reach."""
        return max(self.climb.best_value, self.known) + self.split.lattice

    def fix(self):
        """Drop the candidates that are in no better alignment.

        With a certificate, only when a good part goes, half of them below the root:
        each time is recorded; and none where nodes are alike, of which one might go
        without the others.
        """
        spare: cython.longlong = self.split.bound - self.goal()
        good: cython.int = self.split.n_pool >> (1 if self.depth > 0 else 4)
        if self.record_proof:
            if self.symmetry.is_used:
                return
            if self.split.count_fixed(spare) <= good:
                return
            self.record(spare)
        self.split.fix(spare)
        is_turn: cython.bint = self.split.rounds % FIX_EVERY == 0
        if is_turn and self.depth == 0 and not self.record_proof:
            self.split.weigh()
            self.split.fix_by_partners(spare)

    def remember(self):
        """Average how often every candidate was matched lately."""
        for n in range(self.split.n_pool):
            c: cython.int = self.split.pool[n]
            if self.split.outer.row_match[self.split.left[c]] == c:
                self.often[c] += (ALWAYS - self.often[c]) >> RECALL
            else:
                self.often[c] -= self.often[c] >> RECALL

    def pace(self):
        """Shorten the steps where the bound no longer falls."""
        enough: cython.longlong = self.split.lattice >> 3
        if self.node_best < TOP:
            enough = max(enough, (self.node_best - self.goal()) >> PACE)
        if self.node_best - self.split.bound > enough:
            self.stale = 0
        else:
            self.stale += 1
        if self.stale >= PATIENCE:
            self.stale = 0
            self.stride = self.stride * 3 // 4
            self.cuts += 1
        self.node_best = min(self.node_best, self.split.bound)

    def target(self):
        """Return the bound to reach: half-way from the best value to a better one."""
        return self.goal() - (self.split.lattice >> 1)

    def begin_averages(self):
        """Try a first step along an average; again, where few candidates are left."""
        self.volume.begin(self.stage == BEFORE, self.deep)
        self.volume.step(self.target())
        self.averaged_pool = self.split.n_pool
        self.stage = AVERAGING

    def average(self):
        """Take in an averaged step and try the next, or end with the best split."""
        self.volume.learn()
        if self.volume.is_done():
            self.volume.recall()
            self.stage = AFTER
            self.averaged = True
        else:
            self.volume.step(self.target())

    # ---------------------------------------------------------------- tree

    def enter(self):
        """Begin a node."""
        self.node_best = TOP
        self.stride = STEP
        self.stale = 0
        self.cuts = 0

    def choose_branch(self):
        """Return the candidate with most at stake, or -1 if none has a rival.

        Candidates that are now matched, now not, are those that the bound
        cannot decide; the more of their worth comes from shares, the more does
        deciding them change it.  Floating point steers here and proves nothing.
        """
        chosen: cython.int = -1
        highest_stake: cython.double = -1.0
        for n in range(self.split.n_pool):
            c: cython.int = self.split.pool[n]
            stake: cython.double = min(self.often[c], ALWAYS - self.often[c])
            stake *= 8.0 + (self.split.worth[c] - self.split.unary[c])
            if stake > highest_stake and self.split.has_rival(c):
                highest_stake = stake
                chosen = c
        return chosen

    def descend(self, c):
        """Open two branches and enter the one that takes candidate *c*."""
        if self.record_proof:
            if self.recorded != self.split.rounds:
                self.record(TOP)
            self.log.branch(c)
        if self.root_pool < 0:
            self.root_pool = self.split.n_pool
        self.branch[self.depth] = c
        self.branch_pool[self.depth] = self.split.n_pool
        self.branch_bound[self.depth] = self.node_bound
        self.depth += 1
        self.split.take(c)
        if self.symmetry.is_used:
            self.symmetry.toggle(c)
        self.nodes += 1
        self.enter()

    def retreat(self):
        """Leave a closed node for the next branch that leaves its candidate out."""
        if self.record_proof:
            self.log.end()
        while self.depth > 0:
            self.depth -= 1
            self.split.restore(self.branch_pool[self.depth])
            self.node_bound = self.branch_bound[self.depth]
            c: cython.int = self.branch[self.depth]
            if self.symmetry.is_used:
                self.symmetry.toggle(c)
            if self.node_bound >= self.goal():
                if self.symmetry.is_used:
                    self.symmetry.drop(c)
                else:
                    self.split.drop(c)
                self.nodes += 1
                self.enter()
                return
            if self.record_proof:
                self.log.end()
        self.done = True

    # ----------------------------------------------------------------- end

    def stop(self):
        """End a search that a limit stopped: its bound is the worst open one."""
        if self.done:
            return
        if self.record_proof:
            if self.stage == AVERAGING:
                self.volume.recall()
            self.split.appraise()
            self.record(TOP)
            self.log.end()
            for _ in range(self.depth):
                self.log.end()

    def record(self, spare):
        """Log this round, which proves its bound."""
        self.recorded = self.split.rounds
        self.node_bound = min(self.node_bound, self.split.bound)
        self.log.round(spare)

    def alignment(self):
        """Return the best alignment: the right node of every left node, or -1."""
        images: list = [-1] * self.split.n_left
        for i in range(self.split.n_left):
            c: cython.int = self.climb.best[i]
            if c >= 0:
                images[i] = self.split.right[c]
        return images

    def core(self):
        """Return the candidates matched lately or in the best alignment."""
        candidates: list = []
        for n in range(self.split.n_pool):
            c: cython.int = self.split.pool[n]
            if self.often[c] > RARELY or self.climb.best[self.split.left[c]] == c:
                candidates.append(c)
        return sorted(candidates)

    def open_at_root(self):
        """Return the candidates left at the root; better alignments have no others."""
        count: cython.int = self.root_pool
        if count < 0:
            count = self.split.n_pool
        return sorted([self.split.pool[n] for n in range(count)])

    def evidence(self):
        """Return the log, as far as the bound that is proved needs it."""
        return self.log.as_list(
            self.proved_bound() * self.split.unit + self.split.lattice
        )

    def proved_bound(self):
        """Return the proved upper bound, in the problem's units."""
        lattice: cython.longlong = self.split.lattice
        bound: cython.longlong = max(self.climb.best_value, self.known)
        if not self.done:
            bound = max(bound, self.node_bound)
            for depth in range(self.depth):
                bound = max(bound, self.branch_bound[depth])
        return bound // lattice * (lattice // self.split.unit)
