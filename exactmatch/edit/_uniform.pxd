cimport cython

cdef int OPEN, FAR, FORBIDDEN, EACH

@cython.final
cdef class Search:
    cdef const int[::1] nodes, cells, sizes, labels, sorted_labels, degrees
    cdef const unsigned char[::1] matrix
    cdef const int[::1] counts, totals
    cdef int kinds, sides, room
    cdef int[::1] order, left_twins, twins, image, taken, best_image, anchored
    cdef int[::1] free_cost, left_counts, right_counts, columns, table, row_dual
    cdef int[::1] col_dual, kept_dual, row_of, column_of, least, before, passed, choices
    cdef int[::1] choice_bounds, choice_count, spent
    cdef int n, m, left_cells, right_cells, left_nodes, right_nodes, right_edges, depth
    cdef int at_most
    cdef bint slack
    cdef public int best, bound
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
