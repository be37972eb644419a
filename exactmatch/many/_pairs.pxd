"""The C types of ``_pairs.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Memory
from exactmatch.solvers.kernel.search cimport Search

cdef int HEAD
cdef int SOLVED
cdef int LOWER
cdef int UNPROVEN
cdef int TOO_LARGE
cdef int MISCOUNTED
cdef int NO_MEMORY
cdef int NODES


@cython.final
cdef class Matcher:
    cdef Search search
    cdef Memory memory
    cdef bint product
    cdef double nothing
    cdef long long max_terms
    # Both sides.
    cdef const int[::1] lefts
    cdef const int[::1] rights
    cdef const long long[::1] left_begins
    cdef const long long[::1] right_begins
    # The pair at hand.
    cdef Py_ssize_t left
    cdef Py_ssize_t right
    cdef double found
    cdef long long matched
    cdef long long most
    cdef int[::1] left_key
    cdef int[::1] right_key
    cdef int n_keys
    cdef int n_shared
    # Its problem.
    cdef int n_left
    cdef int n_right
    cdef int n_candidates
    cdef long long n_terms
    cdef long long *worth
    cdef int *seen
    cdef long long *credit
    cdef long long *row_best
    cdef long long *col_best
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

    cdef int score(
        self, Py_ssize_t i, Py_ssize_t j, double cutoff, double below
    ) noexcept nogil
    cdef long long least(
        self, double cutoff, double pred_total, double gold_total
    ) noexcept nogil
    cdef int match(self, Py_ssize_t i, Py_ssize_t j, long long needed) noexcept nogil
    cdef void meet(self) noexcept nogil
    cdef int merge(
        self, int at, Py_ssize_t x, int n, Py_ssize_t y, int m, int width
    ) noexcept nogil
    cdef const int *left_pointer(self) noexcept nogil
    cdef const int *right_pointer(self) noexcept nogil
    cdef int state(self, long long needed) noexcept nogil
    cdef void carve(self) noexcept nogil
    cdef void add_keys(self) noexcept nogil
    cdef void add_roles(self) noexcept nogil
    cdef long long credit_bound(self) noexcept nogil
    cdef void number(self) noexcept nogil
    cdef void sort_terms(self) noexcept nogil
    cdef int solve(self, long long needed) noexcept nogil
    cdef long long recounted(self) noexcept nogil
