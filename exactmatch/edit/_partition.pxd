cimport cython

@cython.final
cdef class Search:
    cdef const int[::1] labels, kinds
    cdef int words, width, room, depth
    cdef bint connected
    cdef int[::1] sizes
    cdef unsigned long long[::1] rows, twins, members
    cdef int[::1] counts, joined, first, chosen, side, node, other, open_pairs, pairs
    cdef unsigned long long[::1] tries
    cdef public int best
    cdef public long long tried

    cpdef bint run(self, long long budget) noexcept nogil
    cpdef int bound(self) noexcept nogil
    cdef void prepare(self) noexcept nogil
    cdef void find_twins(self, int side) noexcept nogil
    cdef bint choose(self, int depth) noexcept nogil
    cdef int next_try(self, int depth) noexcept nogil
    cdef void drop(self, int depth) noexcept nogil
    cdef bint split(self, int depth) noexcept nogil
    cdef void keep(self, int depth) noexcept nogil

cdef int bits(unsigned long long word) noexcept nogil
