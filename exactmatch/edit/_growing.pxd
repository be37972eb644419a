cimport cython

@cython.final
cdef class Search:
    cdef int first, nodes, edges
    cdef bint directed
    cdef int labels, width, room, size, depth, left_out, mark
    cdef int[::1] state, twins, tails, heads, classes, start, incident
    cdef long long[::1] keys
    cdef int[::1] counts, filled, slot, is_out, used, mate, reached, queue, number, node
    cdef int[::1] at, ends, values, open_edges, options, trail, trail_start, pairs
    cdef public int best, upper
    cdef public long long tried

    cpdef bint run(self, long long budget) noexcept nogil
    cpdef int bound(self) noexcept nogil
    cdef int back(self, int depth) noexcept nogil
    cdef void pair(self, int depth) noexcept nogil
    cdef void pair_off(self, int depth) noexcept nogil
    cdef int gain(self, int u, int w) noexcept nogil
    cdef void count_cells(self, int depth) noexcept nogil
    cdef long long place(self, int node) noexcept nogil
    cdef void reach(self, int depth) noexcept nogil
    cdef bint choose(self, int depth) noexcept nogil
    cdef int partners(self, int depth, int u) noexcept nogil
    cdef int offer(self, int base, int count, int w) noexcept nogil
    cdef void leave_out(self, int depth) noexcept nogil
    cdef void cut(self, int depth, int u) noexcept nogil
