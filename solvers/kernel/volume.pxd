"""The C types of ``volume.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Memory
from exactmatch.solvers.kernel.lagrangian cimport Split

cdef long long ONE
cdef int FADING
cdef int SLOWEST
cdef double FIRST
cdef double LONGEST
cdef double GROWTH
cdef double SHRINKAGE
cdef int PATIENCE
cdef int CUTS
cdef int CUTS_A_FADING


@cython.final
cdef class Volume:
    cdef Split split
    cdef long long *best
    cdef long long *lean
    cdef long long bound
    cdef double length
    cdef double agreement
    cdef int fading
    cdef int stale
    cdef int cuts

    cdef void carve(self, Memory memory) noexcept nogil
    cdef void begin(self, bint fresh) noexcept nogil
    cdef void learn(self, long long enough) noexcept nogil
    cdef bint is_done(self) noexcept nogil
    cdef void keep(self) noexcept nogil
    cdef void recall(self) noexcept nogil
    cdef void average(self, int fading) noexcept nogil
    cdef void step(self, long long goal) noexcept nogil
