cimport cython

from exactmatch.edit._packed_graphs cimport PackedGraphs

cdef int OPEN, INFINITE, FORBIDDEN, PER_COLUMN

@cython.final
cdef class Search(PackedGraphs):
    cdef int room
    cdef int[::1] order, left_twins, twins, image, taken, best_image, anchored
    cdef int[::1] free_cost, left_counts, right_counts, columns, table, row_dual
    cdef int[::1] col_dual, kept_dual, row_of, column_of, least_cost, previous_row, visited, choices
    cdef int[::1] choice_bounds, choice_count, cost_so_far
    cdef int n, m, left_cells, right_cells, left_nodes, right_nodes, right_edges, depth
    cdef int at_most
    cdef bint parity_step
    cdef public int best, bound
    cdef public long long tried

    cpdef int run(self, int a, int b, int at_most, long long budget) noexcept nogil
    cpdef bint begin(self, int a, int b, int at_most) noexcept nogil
    cpdef int resume(self, long long budget) noexcept nogil
    cdef int finish(self) noexcept nogil
    cdef void prepare(self) noexcept nogil
    cdef int relax(self, int depth) noexcept nogil
    cdef int edge_difference(self, int left_at, int right_at) noexcept nogil
    cdef int assign(self, int rows, int columns, int bound) noexcept nogil
    cdef void complete(self) noexcept nogil
    cdef void choose(self, int depth, int bound) noexcept nogil
    cdef int narrowest(self, int depth, int bound) noexcept nogil
    cdef void step(self, int depth, int w) noexcept nogil
