"""The C types of ``_statement.py``."""

cimport cython

from exactmatch.engine._shared cimport Shared
from exactmatch.solvers.kernel.assignment cimport Memory
from exactmatch.solvers.kernel.layout cimport Arrays

cdef int OK, TOO_LARGE, NO_MEMORY


@cython.final
cdef class Statement(Arrays):
    cdef Shared shared
    cdef Memory memory
    cdef long long max_terms, scale
    # These own the memory that the pointers below point to.
    cdef const long long[::1] grades_array
    cdef const int[::1] begins_array, partners_array
    cdef bint has_grades
    cdef const long long *grades
    cdef bint all_allowed
    cdef const int *begins
    cdef const int *partners
    cdef long long n_slots
    cdef long long *unary_at
    cdef int *candidate_at
    cdef int *raw_first
    cdef int *raw_second
    cdef long long *raw_weight
    cdef int *sorted_by_second
    cdef int *sorted_by_first
    cdef int *first_begin
    cdef int *second_begin

    cdef int weigh(self, long long scale, object grades, object allowed) except -1
    cdef inline int slot_of(self, int i, int j) noexcept nogil
    cdef inline int row(self, int i) noexcept nogil
    cdef inline int partner(self, int i, int slot) noexcept nogil
    cdef long long size(self) noexcept nogil
    cdef int begin(self) noexcept nogil
    cdef void finish(self) noexcept nogil
    cdef long long allowed_terms(self) noexcept nogil
    cdef void carve(self) noexcept nogil
    cdef void add_grades(self) noexcept nogil
    cdef void add_keys(self) noexcept nogil
    cdef void add_roles(self) noexcept nogil
    cdef void number(self) noexcept nogil
    cdef void sort_terms(self) noexcept nogil
    cdef list starts(self, object left, object right)


cdef long long matches_of(long long n, long long m, bint product) noexcept nogil
