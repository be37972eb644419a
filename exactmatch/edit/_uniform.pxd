cimport cython

cdef int OPEN
cdef int FAR
cdef int FORBIDDEN
cdef int EACH

@cython.final
cdef class Search:
    cdef const int[::1] nodes
    cdef const int[::1] cells
    cdef const int[::1] sizes
    cdef const int[::1] labels
    cdef const int[::1] sorted_labels
    cdef const int[::1] degrees
    cdef const unsigned char[::1] matrix
    cdef const int[::1] counts
    cdef const int[::1] totals
    cdef int kinds
    cdef int sides
    cdef int room
    cdef int[::1] order
    cdef int[::1] left_twins
    cdef int[::1] twins
    cdef int[::1] image
    cdef int[::1] taken
    cdef int[::1] best_image
    cdef int[::1] anchored
    cdef int[::1] free_cost
    cdef int[::1] left_counts
    cdef int[::1] right_counts
    cdef int[::1] columns
    cdef int[::1] table
    cdef int[::1] row_dual
    cdef int[::1] col_dual
    cdef int[::1] kept_dual
    cdef int[::1] row_of
    cdef int[::1] column_of
    cdef int[::1] least
    cdef int[::1] before
    cdef int[::1] passed
    cdef int[::1] choices
    cdef int[::1] choice_bounds
    cdef int[::1] choice_count
    cdef int[::1] spent
    cdef int n
    cdef int m
    cdef int left_cells
    cdef int right_cells
    cdef int left_nodes
    cdef int right_nodes
    cdef int right_edges
    cdef int depth
    cdef int at_most
    cdef bint slack
    cdef public int best
    cdef public int bound
    cdef public long long tried

    cpdef int quick_bound(self, int a, int b) noexcept nogil
    cpdef int run(self, int a, int b, int at_most, long long budget) noexcept nogil
    cpdef bint begin(self, int a, int b, int at_most) noexcept nogil
    cpdef int go_on(self, long long budget) noexcept nogil
    cdef int over(self) noexcept nogil
    cdef int parity(self, int a, int b) noexcept nogil
    cdef void prepare(self) noexcept nogil
    cdef void find_twins(self, int[::1] first, int cells, int node, int size) noexcept nogil
    cdef bint are_twins(self, int cells, int node, int size, int i, int k) noexcept nogil
    cdef int relax(self, int depth) noexcept nogil
    cdef int unlike(self, int own, int its) noexcept nogil
    cdef int assign(self, int rows, int columns, int bound) noexcept nogil
    cdef void complete(self) noexcept nogil
    cdef void choose(self, int depth, int bound) noexcept nogil
    cdef int narrowest(self, int depth, int bound) noexcept nogil
    cdef void step(self, int depth, int w) noexcept nogil
