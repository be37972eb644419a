cimport cython

cdef class PackedGraphs:
    cdef const int[::1] nodes, cells, sizes, labels, sorted_labels, degrees
    cdef const unsigned char[::1] matrix
    cdef const int[::1] counts, totals
    cdef int kinds, sides

    cdef int quick_bound(self, int a, int b) noexcept nogil
    cdef int parity(self, int a, int b) noexcept nogil
    cdef void find_twins(self, int[::1] first, int cells, int node, int size) noexcept nogil
    cdef bint are_twins(self, int cells, int node, int size, int i, int k) noexcept nogil
