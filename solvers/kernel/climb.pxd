"""The C types of ``climb.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Memory
from exactmatch.solvers.kernel.lagrangian cimport Split


@cython.final
cdef class Climb:
    cdef Split split
    cdef int *chosen_row
    cdef int *chosen_col
    cdef long long *gain
    cdef int *best
    cdef long long best_value

    cdef void carve(self, Memory memory) noexcept nogil
    @cython.locals(c=cython.int, i=cython.int, n=cython.int)
    cdef void round_up(self) noexcept nogil
    @cython.locals(c=cython.int, e=cython.int, n=cython.int, q=cython.int, r=cython.int,
        delta=cython.longlong, extra=cython.longlong, least=cython.longlong)
    cdef void climb(self) noexcept nogil
    @cython.locals(h=cython.int)
    cdef void toggle(self, int c, bint chosen) noexcept nogil
    @cython.locals(h=cython.int)
    cdef long long weight_between(self, int c, int d) noexcept nogil
    @cython.locals(middle=cython.int)
    cdef int candidate(self, int i, int j) noexcept nogil
