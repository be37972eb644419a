"""The C types of ``_matched.py``."""

cimport cython

from exactmatch.engine._shared cimport Shared
from exactmatch.engine._statement cimport Statement
from exactmatch.solvers.kernel.search cimport Search

cdef int UNPROVEN
cdef int MISCOUNTED
cdef int NODES


@cython.final
cdef class Matched:
    cdef Shared shared
    cdef Statement statement
    cdef Search search
    cdef int slices
    cdef long long matched

    cdef int match(self, long long needed) noexcept nogil
    cdef int solve(self, long long needed) noexcept nogil
