"""The C types of ``proof_log.py``."""

cimport cython

from exactmatch.solvers.kernel.lagrangian cimport Split

cdef long long ROUND, BRANCH, END
cdef int SHARES, INNER_LEFT, INNER_RIGHT, OUTER_LEFT, OUTER_RIGHT, DROPPED


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
    cdef void add_duals(self, int c, bint is_left) noexcept nogil
    cdef void add(self, long long number) noexcept nogil
    cdef list as_list(self, long long goal)
