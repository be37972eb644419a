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

    @cython.locals(x=cython.int, y=cython.int)
    cpdef int quick_bound(self, int a, int b) noexcept nogil
    cpdef int run(self, int a, int b, int at_most, long long budget) noexcept nogil
    @cython.locals(w=cython.int, halves=cython.int, root=cython.int, swap=cython.int)
    cpdef bint begin(self, int a, int b, int at_most) noexcept nogil
    @cython.locals(place=cython.int, w=cython.int, halves=cython.int)
    cpdef int go_on(self, long long budget) noexcept nogil
    cdef int over(self) noexcept nogil
    cdef int parity(self, int a, int b) noexcept nogil
    @cython.locals(i=cython.int, j=cython.int)
    cdef void prepare(self) noexcept nogil
    @cython.locals(i=cython.int, k=cython.int)
    cdef void find_twins(self, int[::1] first, int cells, int node, int size) noexcept nogil
    @cython.locals(other=cython.int)
    cdef bint are_twins(self, int cells, int node, int size, int i, int k) noexcept nogil
    @cython.locals(row=cython.int, column=cython.int, i=cython.int, j=cython.int,
        k=cython.int, side=cython.int, x=cython.int, left=cython.int, cost=cython.int,
        own=cython.int, its=cython.int, table=cython.int)
    cdef int relax(self, int depth) noexcept nogil
    @cython.locals(k=cython.int, x=cython.int, y=cython.int)
    cdef int unlike(self, int own, int its) noexcept nogil
    @cython.locals(row=cython.int, column=cython.int, place=cython.int,
        other=cython.int, at=cython.int, step=cython.int, there=cython.int,
        value=cython.int)
    cdef int assign(self, int rows, int columns, int bound) noexcept nogil
    @cython.locals(i=cython.int, k=cython.int, v=cython.int, w=cython.int, x=cython.int,
        y=cython.int)
    cdef void complete(self) noexcept nogil
    @cython.locals(column=cython.int, i=cython.int, j=cython.int, k=cython.int,
        halves=cython.int, place=cython.int, row=cython.int)
    cdef void choose(self, int depth, int bound) noexcept nogil
    @cython.locals(row=cython.int, column=cython.int, count=cython.int, left=cython.int,
        more=cython.int, at=cython.int)
    cdef int narrowest(self, int depth, int bound) noexcept nogil
    @cython.locals(row=cython.int, i=cython.int, j=cython.int, k=cython.int,
        out=cython.int, back=cython.int, cost=cython.int)
    cdef void step(self, int depth, int w) noexcept nogil
