"""The C types of ``_overlap.py``."""

cimport cython

from exactmatch.engine._shared cimport Shared


@cython.final
cdef class Overlap(Shared):
    # Both sides.
    cdef const long long[::1] left_begins
    cdef const long long[::1] right_begins

    cdef void meet(self, Py_ssize_t i, Py_ssize_t j) noexcept nogil
    cdef void merge(self, int x, int n, int y, int m, int width) noexcept nogil
