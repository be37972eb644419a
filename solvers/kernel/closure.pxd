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
    @cython.locals(c=cython.int, n=cython.int, reached=cython.int)
    cdef void solve(self) noexcept nogil
    @cython.locals(c=cython.int, h=cython.int, n=cython.int)
    cdef void weigh(self) noexcept nogil
    @cython.locals(c=cython.int, d=cython.int, h=cython.int, n=cython.int)
    cdef int reach(self) noexcept nogil
    cdef void flow(self, int end) noexcept nogil
    @cython.locals(i=cython.int)
    cdef void unmatch(self) noexcept nogil
