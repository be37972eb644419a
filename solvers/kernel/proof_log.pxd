"""The C types of ``proof_log.py``."""

cimport cython

from exactmatch.solvers.kernel.lagrangian cimport Split

cdef long long ROUND, BRANCH, END
cdef int OUTER_LEFT, OUTER_RIGHT


@cython.final
cdef class Log:
    cdef Split split
    cdef long long *items
    cdef Py_ssize_t used, room
    cdef bint failed

    @cython.locals(c=cython.int, i=cython.int, place=cython.Py_ssize_t)
    cdef void round(self, long long spare) noexcept nogil
    @cython.locals(d=cython.int)
    cdef void branch(self, int c) noexcept nogil
    cdef void end(self) noexcept nogil
    @cython.locals(h=cython.int)
    cdef void add_shares(self, int c) noexcept nogil
    @cython.locals(h=cython.int, row=cython.int)
    cdef void add_row_duals(self, int c) noexcept nogil
    @cython.locals(col=cython.int, n=cython.int)
    cdef void add_col_duals(self, int c) noexcept nogil

    @cython.locals(grown=cython.p_longlong)
    cdef void add(self, long long number) noexcept nogil
    cdef Py_ssize_t begin(self) noexcept nogil
    cdef void finish(self, Py_ssize_t place) noexcept nogil
    @cython.locals(end=cython.Py_ssize_t, place=cython.Py_ssize_t, k=cython.int,
        bound=cython.longlong)
    cdef list as_list(self, long long goal)
