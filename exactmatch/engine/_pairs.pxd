"""The C types of ``_pairs.py``."""

cimport cython

from exactmatch.engine._matched cimport LOWER, Matched
from exactmatch.engine._shared cimport Overlap
from exactmatch.engine._statement cimport OK


@cython.final
cdef class Matcher:
    cdef Overlap overlap
    cdef Matched pair
    cdef double nothing, latest

    cdef int score(
        self, Py_ssize_t i, Py_ssize_t j, double cutoff, double below
    ) noexcept nogil


cdef double f1_of(double matched, double pred_total, double gold_total) noexcept nogil
cdef long long least_matches(
    double cutoff, double pred_total, double gold_total
) noexcept nogil
cdef bint is_worse(
    double score, int number, double other, int other_number
) noexcept nogil
cdef Py_ssize_t push_best(
    double[::1] scores, int[::1] numbers, Py_ssize_t count, double score, int number
) noexcept nogil
