"""The C types of ``_shared.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Memory

cdef int UNARY, RELATION, HEAD


cdef class Shared:
    cdef Memory memory
    cdef bint product
    cdef int room
    # These own the memory that the pointers below point to.
    cdef const int[::1] lefts, rights
    # The pair at hand.
    cdef const int *left
    cdef const int *right
    cdef int n_left, n_right
    cdef long long left_total, right_total, max_matches
    cdef int n_keys, n_shared
    cdef long long n_terms
    cdef int *left_from
    cdef int *left_to
    cdef int *right_from
    cdef int *right_to

    cdef int meet_coded(self, object left, object right) except -1
    cdef int add_common(self, dict left_keys, dict right_keys, int x, int y, int width) except -1
    cdef void add(
        self, int left_from, int left_to, int right_from, int right_to, int width
    ) noexcept nogil
    cdef void bound(self, int width) noexcept nogil
    cdef bint make_room(self, int keys) noexcept nogil
    cdef void carve(self) noexcept nogil


@cython.final
cdef class Overlap(Shared):
    # Both sides.
    cdef const long long[::1] left_begins, right_begins

    cdef void meet(self, Py_ssize_t i, Py_ssize_t j) noexcept nogil
    cdef void merge(self, int x, int n, int y, int m, int width) noexcept nogil


cdef long long max_matches_of(
    long long left_sum,
    long long left_peak,
    long long right_sum,
    long long right_peak,
    bint product,
) noexcept nogil
