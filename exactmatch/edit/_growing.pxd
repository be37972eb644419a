cimport cython

@cython.final
cdef class Search:
    cdef int first
    cdef int nodes
    cdef int edges
    cdef bint directed
    cdef int labels
    cdef int width
    cdef int room
    cdef int size
    cdef int depth
    cdef int left_out
    cdef int mark
    cdef int[::1] state
    cdef int[::1] twins
    cdef int[::1] tails
    cdef int[::1] heads
    cdef int[::1] classes
    cdef int[::1] start
    cdef int[::1] incident
    cdef long long[::1] keys
    cdef int[::1] counts
    cdef int[::1] filled
    cdef int[::1] slot
    cdef int[::1] is_out
    cdef int[::1] used
    cdef int[::1] mate
    cdef int[::1] reached
    cdef int[::1] queue
    cdef int[::1] number
    cdef int[::1] node
    cdef int[::1] at
    cdef int[::1] ends
    cdef int[::1] values
    cdef int[::1] open_edges
    cdef int[::1] options
    cdef int[::1] trail
    cdef int[::1] trail_start
    cdef int[::1] pairs
    cdef public int best
    cdef public int upper
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
    cdef int offer(self, int base, int found, int w) noexcept nogil
    cdef void leave_out(self, int depth) noexcept nogil
    cdef void cut(self, int depth, int u) noexcept nogil
