"""The C types of ``assignment.py``."""

cimport cython

cdef int UNSEEN, REACHED, PASSED


@cython.final
cdef class Memory:
    cdef long long *block
    cdef Py_ssize_t used, room
    cdef bint counting

    cdef void count(self) noexcept nogil
    cdef int *ints(self, Py_ssize_t count) noexcept nogil
    cdef long long *longs(self, Py_ssize_t count) noexcept nogil
    cdef bint allocate(self) noexcept nogil


@cython.final
cdef class Assignment:
    cdef int *row_begin
    cdef int *row_order
    cdef int *row_of
    cdef int *col_begin
    cdef int *col_order
    cdef int *col_of
    cdef int *live
    cdef long long *value
    cdef long long *row_dual
    cdef long long *col_dual
    cdef int *row_match
    cdef int *col_match
    cdef long long *dist
    cdef int *via
    cdef int *state
    cdef int *queue

    cdef void carve(
        self, Memory memory, int rows, int cols, int entries, int widest
    ) noexcept nogil
    cdef long long solve(self, int row0, int row1, int col0, int col1) noexcept nogil
    cdef long long solve_small(
        self, int row0, int row1, int col0, int col1
    ) noexcept nogil
    cdef long long solve_least(
        self, int row0, int row1, int col0, int col1
    ) noexcept nogil
    cdef void settle(self, int row0, int row1, int col0, int col1) noexcept nogil
    cdef void match_tight(self, int row0, int row1) noexcept nogil
    cdef void augment(self, int start, int base, bint is_row) noexcept nogil
