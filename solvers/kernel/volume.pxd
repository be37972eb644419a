"""The C types of ``volume.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Memory
from exactmatch.solvers.kernel.lagrangian cimport Split

cdef long long ONE
cdef int FADING, SLOWEST, DEEP_SLOWEST
cdef double FIRST, LONGEST, GROWTH, DEEP_GROWTH, SHRINKAGE
cdef int PATIENCE, DEEP_PATIENCE, CUTS, DEEP_CUTS, PROGRESS, DEEP_PROGRESS
cdef int CUTS_A_FADING


@cython.final
cdef class Volume:
    cdef Split split
    cdef long long *best
    cdef long long *lean
    cdef int *listed
    cdef int *is_listed
    cdef int n_listed
    cdef long long bound
    cdef double length, agreement
    cdef int fading, slowest
    cdef double growth
    cdef int patience, most_cuts
    cdef long long enough
    cdef int stale, cuts

    cdef void carve(self, Memory memory) noexcept nogil
    cdef void begin(self, bint fresh, bint deep) noexcept nogil
    cdef void learn(self) noexcept nogil
    cdef bint is_done(self) noexcept nogil
    cdef void keep_all(self) noexcept nogil
    cdef void keep(self) noexcept nogil
    cdef void recall(self) noexcept nogil
    cdef void forget(self) noexcept nogil
    cdef void list_chosen(self) noexcept nogil
    cdef void average(self, int fading) noexcept nogil
    cdef void step(self, long long goal) noexcept nogil
