"""The C types of ``lagrangian.py``."""

cimport cython

from exactmatch.solvers.kernel.layout cimport Layout

cdef int SMALL


@cython.final
cdef class Split(Layout):
    cdef void split_as(self, list shares)
    cdef list shares(self)
    cdef void appraise(self) noexcept nogil
    cdef void weigh(self) noexcept nogil
    cdef long long little(self, int c, bint small) noexcept nogil
    cdef bint is_small(self, int c) noexcept nogil
    cdef void prove(self) noexcept nogil
    cdef long long slack(self, int c) noexcept nogil
    cdef int count_fixed(self, long long spare) noexcept nogil
    cdef void fix(self, long long spare) noexcept nogil
    cdef void fix_by_partners(self, long long spare) noexcept nogil
    cdef long long least_worth(self, int c) noexcept nogil
    cdef long long sum_of_best(self, int c, int *order, int *line_of) noexcept nogil
    cdef bint chooses(self, int h, int c) noexcept nogil
    cdef void shift(self, long long distance) noexcept nogil

    cdef void drop(self, int c) noexcept nogil
    cdef void restore(self, int n_pool) noexcept nogil
    cdef bint has_rival(self, int c) noexcept nogil
    cdef void take(self, int c) noexcept nogil
