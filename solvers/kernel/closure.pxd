"""The C types of ``closure.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Memory
from exactmatch.solvers.kernel.lagrangian cimport Split


@cython.final
cdef class Closure:
    cdef Split split
    cdef int *via
    cdef int *seen
    cdef int *queue

    cdef void carve(self, Memory memory) noexcept nogil
    cdef void solve(self) noexcept nogil
    cdef int reach(self) noexcept nogil
    cdef void flow(self, int end) noexcept nogil
    cdef void unmatch(self) noexcept nogil
