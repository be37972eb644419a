"""The C types of ``_pairs.py``."""

cimport cython

from exactmatch.many._overlap cimport Overlap
from exactmatch.many._statement cimport Statement
from exactmatch.solvers.kernel.search cimport Search

cdef int UNPROVEN
cdef int MISCOUNTED
cdef int NODES


@cython.final
cdef class Matcher:
    cdef Overlap overlap
    cdef Statement statement
    cdef Search search
    cdef double nothing
    cdef double found
    cdef long long matched

    cdef int score(
        self, Py_ssize_t i, Py_ssize_t j, double cutoff, double below
    ) noexcept nogil
    cdef int match(self, long long needed) noexcept nogil
    cdef int solve(self, long long needed) noexcept nogil
