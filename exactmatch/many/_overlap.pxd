"""The C types of ``_overlap.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Memory


@cython.final
cdef class Overlap:
    cdef Memory memory
    cdef bint product
    # Both sides.
    cdef const int[::1] lefts
    cdef const int[::1] rights
    cdef const long long[::1] left_begins
    cdef const long long[::1] right_begins
    # The pair at hand.
    cdef const int *left
    cdef const int *right
    cdef long long most
    cdef int n_keys
    cdef int n_shared
    cdef long long n_terms
    cdef int *left_from
    cdef int *left_to
    cdef int *right_from
    cdef int *right_to

    cdef void carve(self, int keys) noexcept nogil
    cdef void meet(self, Py_ssize_t i, Py_ssize_t j) noexcept nogil
    cdef void merge(self, int x, int n, int y, int m, int width) noexcept nogil
