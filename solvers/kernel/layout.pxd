"""The C types of ``layout.py``."""

from exactmatch.solvers.kernel.assignment cimport Assignment, Memory

cdef long long TOP
cdef int UNIT_BITS


cdef class Arrays:
    cdef int n_left, n_right, n_candidates
    cdef long long n_terms
    cdef int *left
    cdef int *right
    cdef long long *unary
    cdef int *first
    cdef int *second
    cdef long long *weight

    cdef void reserve(
        self, Memory memory, Py_ssize_t count, Py_ssize_t terms
    ) noexcept nogil


cdef class Layout:
    cdef int n_left, n_right, n_candidates, n_halves
    cdef Assignment outer, inner
    cdef long long unit, lattice
    cdef bint costs, has_cuts
    cdef long long relief
    cdef long long *unary_relief
    cdef long long *half_relief
    # Candidates.
    cdef int *left
    cdef int *right
    cdef int *live
    cdef int *changed
    cdef long long *unary
    cdef long long *worth
    cdef int *pool
    cdef int *place
    cdef int n_pool
    # Halves, and what there is of them for every candidate.
    cdef int *half_begin
    cdef int *partner
    cdef int *twin
    cdef int *half_live
    cdef int *half_row
    cdef int *half_col
    cdef long long *share
    cdef int *moving
    cdef long long *heaviest
    cdef int *conflicted
    cdef int *n_rows
    cdef int *n_cols
    # What was done.
    cdef long long bound, rounds, work

    cdef void size(self, Arrays problem) noexcept nogil
    cdef void carve(self, Memory memory) noexcept nogil
    cdef void load(self, Arrays problem) noexcept nogil
    cdef void load_term(self, int c, int d, long long weight) noexcept nogil
    cdef void relieve(
        self, long long relief, const long long *unary, const long long *weight
    ) noexcept nogil
    cdef void index_outer(self) noexcept nogil
    cdef void index_inner(self) noexcept nogil
    cdef void number_inner(self, int c) noexcept nogil


cdef long long gcd(long long a, long long b) noexcept nogil
