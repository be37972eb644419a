"""The C types of ``_matched.py``."""

cimport cython

from exactmatch.engine._bound cimport Credits
from exactmatch.engine._shared cimport Shared
from exactmatch.engine._statement cimport NO_MEMORY, OK, Statement
from exactmatch.solvers.kernel.assignment cimport Memory
from exactmatch.solvers.kernel.layout cimport Arrays
from exactmatch.solvers.kernel.search cimport RARELY, Search

cdef int LOWER, UNPROVEN, MISCOUNTED, NODES, CORE_NODES


@cython.final
cdef class Matched:
    cdef Shared shared
    cdef Statement statement
    cdef Credits credits
    cdef Search search, inner
    cdef Memory memory
    cdef int slices
    cdef long long node_limit, matched, graded, value, nodes, rounds
    # The alignment: the right variable of each left one, or -1.
    cdef int *aligned
    # The core of a problem, and the number of each candidate in it.
    cdef Arrays core
    cdef int *number

    cdef int match(self, long long needed) noexcept nogil
    cdef int solve(self, long long needed, bint counts) noexcept nogil
    cdef bint improve(self) noexcept nogil
    cdef bint make_room(self, int count, int terms) noexcept nogil
    cdef void carve(self, int count, int terms) noexcept nogil
    cdef void take(self, const int *chosen, const int *right) noexcept nogil
    cdef long long drop_worthless(self) noexcept nogil
    cdef long long count_matches(self) noexcept nogil
    cdef long long sum_of_grades(self) noexcept nogil
