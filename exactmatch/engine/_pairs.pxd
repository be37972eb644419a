"""The C types of ``_pairs.py``."""

cimport cython

from exactmatch.engine._matched cimport LOWER, Matched
from exactmatch.engine._shared cimport Overlap
from exactmatch.engine._statement cimport SOLVED


@cython.final
cdef class Matcher:
    cdef Overlap overlap
    cdef Matched pair
    cdef double nothing, found

    cdef int score(
        self, Py_ssize_t i, Py_ssize_t j, double cutoff, double below
    ) noexcept nogil
