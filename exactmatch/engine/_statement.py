# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Build the alignment problem of two graphs from the keys that they share.

Every shared key becomes a weight:

* a shared key (a concept, or a role with its constant) makes its two variables a
  candidate, and adds to the candidate's unary weight; a positive grade does the same;
* two relations with the same role make two candidates (their sources and their targets)
  and, unless these share a node, a pair term; two loops make one candidate, and add to
  its unary weight.

Under profile ``smatch``, for example::

    (b / bark-01 :ARG0 (d / dog))     (x / bark-01 :ARG0 (y / cat))

    shared key        candidates              weight
    bark-01           b-x                     unary 1
    TOP bark-01       b-x                     unary 1, so 2 in all
    ARG0              b-x and d-y together    pair term 1

The candidate d-y is worth 0 alone: dog is not cat.  Both candidates together are worth
3, which is the optimum.

The arrays are sorted as ``AlignmentProblem`` requires.  All pairs of graphs use the
same memory.  A *slot* is the number of a pair of variables that may be aligned, sorted
by left and then right variable; a slot with a weight or a pair term becomes a
candidate.

The code is Python that Cython compiles; only ``arrays`` needs the GIL.  Time a change
with ``python -m benchmarks para all-pairs``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Shared = kernels.load_interpreted("exactmatch.engine._shared").Shared
    Memory = kernels.load_interpreted("exactmatch.solvers.kernel.assignment").Memory
    Arrays = kernels.load_interpreted("exactmatch.solvers.kernel.layout").Arrays

OK = 0
TOO_LARGE = 2
NO_MEMORY = 3
"""How the building of a problem ends: it is built, too large, or out of memory."""


def matches_of(n, m, product):
    """Return how many matches a triple makes that occurs *n* and *m* times."""
    if product:
        return n * m
    return n if n < m else m


class Statement(Arrays):
    """The alignment problem of the pair that was compared last.

    Args:
        shared: the keys and relations that the two graphs share.
        max_terms: the limit of :meth:`Statement.size`.

    Attributes:
        scale: weight of one matched triple.
        has_grades: whether there are further unary weights.
        grades: these weights, one for each pair of variables, row by row.
        all_allowed: whether any two variables may be aligned.
        partners: if not *all_allowed*, the allowed right variables of left variable 0,
            ascending, then those of 1, and so on.
        begins: where the partners of each left variable begin.
        n_slots: number of slots.
        unary_at: the unary weight of each slot.
        candidate_at: the candidate of each slot, counted from 1; 0 for none.
    """

    def __init__(self, shared, max_terms):
        self.shared = shared
        self.max_terms = max_terms
        self.memory = Memory()
        self.scale = 1
        self.has_grades = False
        self.all_allowed = True

    def weigh(self, scale, grades, allowed):
        """Set the weight of a triple, further weights, and the allowed pairs.

        Args:
            scale: weight of one matched triple.
            grades: ``int64``, one for each pair of variables, row by row, or ``None``.
            allowed: two arrays of ``int32`` for *begins* and *partners*, or ``None``.
        """
        self.scale = scale
        self.has_grades = grades is not None and len(grades) > 0
        self.all_allowed = allowed is None
        if cython.compiled:
            if self.has_grades:
                self.grades_array = grades
                self.grades = cython.address(self.grades_array[0])
            if not self.all_allowed:
                self.begins_array, self.partners_array = allowed
                self.begins = cython.address(self.begins_array[0])
                if len(self.partners_array):
                    self.partners = cython.address(self.partners_array[0])
        else:
            if self.has_grades:
                self.grades = grades.tolist()
            if not self.all_allowed:
                self.begins, self.partners = (side.tolist() for side in allowed)

    def slot_of(self, i, j):
        """Return the slot of two variables; -1 if they may not be aligned."""
        if self.all_allowed:
            return i * self.n_right + j
        low: cython.int = self.begins[i]
        high: cython.int = self.begins[i + 1]
        while low < high:
            middle: cython.int = (low + high) // 2
            if self.partners[middle] < j:
                low = middle + 1
            else:
                high = middle
        return low if low < self.begins[i + 1] and self.partners[low] == j else -1

    def size(self):
        """Return the number of pair terms, or four times the slots if that is more."""
        room: cython.longlong = 4
        room *= self.n_slots
        return max(room, self.n_terms)

    def begin(self):
        """Sum the weights of slots, and list the pair terms; a bound needs no more."""
        self.n_left = self.shared.n_left
        self.n_right = self.shared.n_right
        self.n_slots = self.n_left
        self.n_slots *= self.n_right
        self.n_terms = self.shared.n_terms
        if not self.all_allowed:
            self.n_slots = self.begins[self.n_left]
            self.n_terms = self.allowed_terms()
        if self.size() > self.max_terms:
            return TOO_LARGE
        if self.n_slots >= 1 << 30 or self.n_terms >= 1 << 30:
            return NO_MEMORY
        self.memory.count()
        self.carve()
        if not self.memory.allocate():
            return NO_MEMORY
        self.carve()
        if self.has_grades:
            self.add_grades()
        self.add_keys()
        self.add_roles()
        return OK

    def finish(self):
        """Number the candidates, and sort the pair terms."""
        self.number()
        self.sort_terms()

    def allowed_terms(self):
        """Count the pair terms whose candidates are both allowed."""
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        terms: cython.longlong = 0
        for s in range(self.shared.n_keys, self.shared.n_shared):
            for y in range(self.shared.right_from[s], self.shared.right_to[s], 3):
                for x in range(self.shared.left_from[s], self.shared.left_to[s], 3):
                    if (
                        self.slot_of(left[x], right[y]) >= 0
                        and self.slot_of(left[x + 1], right[y + 1]) >= 0
                    ):
                        terms += 1
        return terms

    def carve(self):
        """Lay out the arrays in memory; a first call only counts what they need."""
        size: cython.Py_ssize_t = self.n_slots
        self.unary_at = self.memory.longs(size)
        self.candidate_at = self.memory.ints(size)
        self.raw_first = self.memory.ints(self.n_terms)
        self.raw_second = self.memory.ints(self.n_terms)
        self.raw_weight = self.memory.longs(self.n_terms)
        self.sorted_by_second = self.memory.ints(self.n_terms)
        self.sorted_by_first = self.memory.ints(self.n_terms)
        self.first_begin = self.memory.ints(size + 1)
        self.second_begin = self.memory.ints(size + 1)
        self.reserve(self.memory, size, self.n_terms)

    def add_grades(self):
        """Add the positive grades to the unary weights."""
        slot: cython.Py_ssize_t
        for i in range(self.n_left):
            for slot in range(self.row(i), self.row(i + 1)):
                cell: cython.Py_ssize_t = i
                cell = cell * self.n_right + self.partner(i, slot)
                grade: cython.longlong = self.grades[cell]
                if grade > 0:
                    self.unary_at[slot] += grade
                    self.candidate_at[slot] = 1

    def row(self, i):
        """Return the first slot of left variable *i*."""
        return i * self.n_right if self.all_allowed else self.begins[i]

    def partner(self, i, slot):
        """Return the right variable of a slot of left variable *i*."""
        return slot - i * self.n_right if self.all_allowed else self.partners[slot]

    def add_keys(self):
        """Add the unary weight of every shared concept and attribute."""
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        for s in range(self.shared.n_keys):
            for y in range(self.shared.right_from[s], self.shared.right_to[s], 2):
                for x in range(self.shared.left_from[s], self.shared.left_to[s], 2):
                    slot: cython.int = self.slot_of(left[x], right[y])
                    if slot < 0:
                        continue
                    self.unary_at[slot] += self.scale * matches_of(
                        left[x + 1], right[y + 1], self.shared.product
                    )
                    self.candidate_at[slot] = 1

    def add_roles(self):
        """List the pair term of every shared relation."""
        left: cython.p_const_int = self.shared.left
        right: cython.p_const_int = self.shared.right
        kept: cython.int = 0
        for s in range(self.shared.n_keys, self.shared.n_shared):
            for y in range(self.shared.right_from[s], self.shared.right_to[s], 3):
                for x in range(self.shared.left_from[s], self.shared.left_to[s], 3):
                    a: cython.int = self.slot_of(left[x], right[y])
                    b: cython.int = self.slot_of(left[x + 1], right[y + 1])
                    if a < 0 or b < 0:
                        continue
                    weight: cython.longlong = self.scale * matches_of(
                        left[x + 2], right[y + 2], self.shared.product
                    )
                    self.candidate_at[a] = 1
                    self.candidate_at[b] = 1
                    if a == b:
                        self.unary_at[a] += weight
                    elif left[x] != left[x + 1] and right[y] != right[y + 1]:
                        self.raw_first[kept] = a if a < b else b
                        self.raw_second[kept] = b if a < b else a
                        self.raw_weight[kept] = weight
                        kept += 1
        self.n_terms = kept

    def number(self):
        """Number the slots that became candidates, in order."""
        count: cython.int = 0
        for i in range(self.n_left):
            for slot in range(self.row(i), self.row(i + 1)):
                if self.candidate_at[slot]:
                    self.left[count] = i
                    self.right[count] = self.partner(i, slot)
                    self.unary[count] = self.unary_at[slot]
                    count += 1
                    self.candidate_at[slot] = count
        self.n_candidates = count

    def sort_terms(self):
        """Sort the pair terms in two counting passes, and merge equal ones."""
        last: cython.int = -1
        kept: cython.int = 0
        for t in range(self.n_terms):
            self.raw_first[t] = self.candidate_at[self.raw_first[t]] - 1
            self.raw_second[t] = self.candidate_at[self.raw_second[t]] - 1
            self.first_begin[self.raw_first[t] + 1] += 1
            self.second_begin[self.raw_second[t] + 1] += 1
        for c in range(self.n_candidates):
            self.first_begin[c + 1] += self.first_begin[c]
            self.second_begin[c + 1] += self.second_begin[c]
        for t in range(self.n_terms):
            c = self.raw_second[t]
            self.sorted_by_second[self.second_begin[c]] = t
            self.second_begin[c] += 1
        for t in range(self.n_terms):
            term: cython.int = self.sorted_by_second[t]
            c = self.raw_first[term]
            self.sorted_by_first[self.first_begin[c]] = term
            self.first_begin[c] += 1
        for t in range(self.n_terms):
            term = self.sorted_by_first[t]
            if (
                last >= 0
                and self.raw_first[term] == self.raw_first[last]
                and self.raw_second[term] == self.raw_second[last]
            ):
                self.weight[kept - 1] += self.raw_weight[term]
            else:
                self.first[kept] = self.raw_first[term]
                self.second[kept] = self.raw_second[term]
                self.weight[kept] = self.raw_weight[term]
                kept += 1
            last = term
        self.n_terms = kept

    def arrays(self, left, right):
        """Copy the problem into the seven arrays of ``AlignmentProblem``.

        Args:
            left, right: the two ``CodedGraph`` objects; a heuristic starts with their
                variables of equal concepts.  ``None`` for no starts.
        """
        import numpy as np  # imported here: most scoring needs no NumPy

        lefts = np.empty(self.n_candidates, dtype=np.int32)
        rights = np.empty(self.n_candidates, dtype=np.int32)
        unaries = np.empty(self.n_candidates, dtype=np.int64)
        firsts = np.empty(self.n_terms, dtype=np.int32)
        seconds = np.empty(self.n_terms, dtype=np.int32)
        weights = np.empty(self.n_terms, dtype=np.int64)
        left_nodes: cython.int[::1] = lefts
        right_nodes: cython.int[::1] = rights
        unary: cython.longlong[::1] = unaries
        first: cython.int[::1] = firsts
        second: cython.int[::1] = seconds
        weight: cython.longlong[::1] = weights
        for c in range(self.n_candidates):
            left_nodes[c] = self.left[c]
            right_nodes[c] = self.right[c]
            unary[c] = self.unary[c]
        for c in range(self.n_terms):
            first[c] = self.first[c]
            second[c] = self.second[c]
            weight[c] = self.weight[c]
        starts = np.array([] if left is None else self.starts(left, right), np.int32)
        return lefts, rights, unaries, firsts, seconds, weights, starts

    def starts(self, left, right):
        """Return the candidates whose two concepts are spelled alike, ascending."""
        left_cells: cython.p_const_int = self.shared.left
        right_cells: cython.p_const_int = self.shared.right
        left_keys: dict = left.start_keys
        candidates: set = set()
        for key, right_number in right.start_keys.items():
            left_number = left_keys.get(key)
            if left_number is None:
                continue
            k: cython.int = left_cells[1] + cython.cast(cython.int, left_number)
            c: cython.int = right_cells[1] + cython.cast(cython.int, right_number)
            for y in range(right_cells[c], right_cells[c + 1]):
                for x in range(left_cells[k], left_cells[k + 1]):
                    slot: cython.int = self.slot_of(left_cells[x], right_cells[y])
                    if slot >= 0 and self.candidate_at[slot] > 0:
                        candidates.add(self.candidate_at[slot] - 1)
        return sorted(candidates)


def state(left, right, product, max_terms, scale, grades, allowed):
    """Build the alignment problem of two coded graphs for a solver.

    Args:
        left, right, product: as for ``Shared``.
        max_terms: the limit of :meth:`Statement.size`.
        scale, grades, allowed: as for ``Statement.weigh``.

    Returns:
        The seven arrays of ``AlignmentProblem``; or, if the problem exceeds
        *max_terms*, its size (an ``int``).

    Raises:
        MemoryError: if there is no memory for them.
    """
    shared: Shared = Shared(product)
    shared.meet_coded(left, right)
    statement: Statement = Statement(shared, max_terms)
    statement.weigh(scale, grades, allowed)
    status: cython.int = statement.begin()
    if status == TOO_LARGE:
        return int(statement.size())
    if status == NO_MEMORY:
        raise MemoryError("not enough memory for the alignment problem")
    statement.finish()
    return statement.arrays(left, right)
