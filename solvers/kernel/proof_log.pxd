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

    cdef void round(self, long long spare) noexcept nogil
    cdef void branch(self, int c) noexcept nogil
    cdef void end(self) noexcept nogil
    cdef void add_shares(self, int c) noexcept nogil
    cdef void add_row_duals(self, int c) noexcept nogil
    cdef void add_col_duals(self, int c) noexcept nogil

    cdef void add(self, long long number) noexcept nogil
    cdef Py_ssize_t begin(self) noexcept nogil
    cdef void finish(self, Py_ssize_t place) noexcept nogil
    @cython.locals(place=cython.Py_ssize_t)
    cdef list as_list(self, long long goal)
