"""The C types of ``symmetry.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Assignment, Memory
from exactmatch.solvers.kernel.lagrangian cimport Split


@cython.final
cdef class Symmetry:
    cdef Split split
    cdef bint is_used
    cdef int *left_class
    cdef int *right_class
    # The side that is classified: its nodes' candidates, and these candidates' nodes.
    cdef int *begin
    cdef int *order
    cdef int *own
    cdef int *other

    cdef void carve(self, Memory memory) noexcept nogil
    cdef void find(self) noexcept nogil
    cdef bint classify(self, int count, int *classes) noexcept nogil
    cdef bint are_alike(self, int a, int b) noexcept nogil
    cdef bint have_like_terms(self, int c, int d, int a, int b) noexcept nogil
    cdef long long weight(self, int h) noexcept nogil
    cdef void toggle(self, int c) noexcept nogil
    cdef void drop(self, int c) noexcept nogil
    cdef tuple classes(self)
