"""The C types of ``_bound.py``."""

cimport cython

from exactmatch.engine._shared cimport Shared
from exactmatch.engine._statement cimport Statement
from exactmatch.solvers.kernel.assignment cimport Memory

cdef long long TOO_MUCH


@cython.final
cdef class Credits:
    cdef Shared shared
    cdef Statement statement
    cdef Memory memory
    cdef long long *left_credit
    cdef long long *right_credit
    cdef int *latest
    cdef long long *heaviest
    cdef long long *row_best
    cdef long long *row_next
    cdef int *row_wish
    cdef long long *row_gap
    cdef long long *col_best
    cdef long long *col_next
    cdef int *col_wish
    cdef long long *col_gap

    cdef long long bound(self) noexcept nogil
    cdef void carve(self) noexcept nogil
    cdef void credit_terms(self) noexcept nogil
    cdef inline void credit_term(
        self, long long *credit, int x, int y, int relation
    ) noexcept nogil
    cdef inline void credit_slot(
        self, long long *credit, int slot, int relation, long long weight
    ) noexcept nogil
    cdef long long side_bound(self, bint is_left) noexcept nogil
