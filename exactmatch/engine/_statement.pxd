"""The C types of ``_statement.py``."""

cimport cython

from exactmatch.engine._shared cimport Shared
from exactmatch.solvers.kernel.assignment cimport Memory

cdef int SOLVED
cdef int LOWER
cdef int TOO_LARGE
cdef int NO_MEMORY


@cython.final
cdef class Statement:
    cdef Shared shared
    cdef Memory memory
    cdef bint product
    cdef long long max_terms
    cdef int n_left
    cdef int n_right
    cdef int n_candidates
    cdef int n_terms
    cdef long long *worth
    cdef int *seen
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
    cdef int *raw_first
    cdef int *raw_second
    cdef long long *raw_weight
    cdef int *by_second
    cdef int *by_first
    cdef int *first_begin
    cdef int *second_begin
    cdef int *node_left
    cdef int *node_right
    cdef long long *unary
    cdef int *first
    cdef int *second
    cdef long long *weight
    cdef int *aligned

    cdef int state(self, long long needed) noexcept nogil
    cdef void carve(self) noexcept nogil
    cdef void add_keys(self) noexcept nogil
    cdef void add_roles(self) noexcept nogil
    cdef long long credit_bound(self) noexcept nogil
    cdef void credit_terms(self) noexcept nogil
    cdef inline void credit_term(
        self, long long *credit, int x, int y, int relation
    ) noexcept nogil
    cdef long long wished(
        self,
        int nodes,
        long long *best,
        long long *other,
        int *wish,
        long long *largest,
    ) noexcept nogil
    cdef void number(self) noexcept nogil
    cdef void sort_terms(self) noexcept nogil
    cdef long long counted(self, const int *alignment) noexcept nogil
