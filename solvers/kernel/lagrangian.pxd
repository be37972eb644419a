"""The C types of ``lagrangian.py``."""

cimport cython

from exactmatch.solvers.kernel.layout cimport Layout

cdef int SMALL


@cython.final
cdef class Split(Layout):
    @cython.locals(c=cython.int, h=cython.int, whole=cython.longlong)
    cdef void split_as(self, list shares)
    @cython.locals(c=cython.int, h=cython.int)
    cdef list shares(self)
    cdef void appraise(self) noexcept nogil
    @cython.locals(begin=cython.int, end=cython.int, c=cython.int, h=cython.int,
        n=cython.int, total=cython.longlong)
    cdef void weigh(self) noexcept nogil
    cdef long long little(self, int c, bint small) noexcept nogil
    cdef bint is_small(self, int c) noexcept nogil
    @cython.locals(c=cython.int, n=cython.int)
    cdef void prove(self) noexcept nogil
    cdef long long slack(self, int c) noexcept nogil
    @cython.locals(n=cython.int)
    cdef int count_fixed(self, long long spare) noexcept nogil
    @cython.locals(n=cython.int)
    cdef void fix(self, long long spare) noexcept nogil
    cdef bint chooses(self, int h, int c) noexcept nogil
    @cython.locals(c=cython.int, h=cython.int, i=cython.int, size=cython.longlong,
        moved=cython.longlong)
    cdef void shift(self, long long distance) noexcept nogil

    @cython.locals(h=cython.int, last=cython.int)
    cdef void drop(self, int c) noexcept nogil
    @cython.locals(c=cython.int, h=cython.int)
    cdef void restore(self, int n_pool) noexcept nogil
    @cython.locals(s=cython.int, d=cython.int)
    cdef bint has_rival(self, int c) noexcept nogil
    @cython.locals(s=cython.int, d=cython.int)
    cdef void take(self, int c) noexcept nogil
