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
    cdef void round_up(self) noexcept nogil
    cdef long long taken_by_cuts(self) noexcept nogil
    cdef void climb(self) noexcept nogil
    cdef void toggle(self, int c, bint chosen) noexcept nogil
    cdef long long weight_between(self, int c, int d) noexcept nogil
    cdef int candidate(self, int i, int j) noexcept nogil
