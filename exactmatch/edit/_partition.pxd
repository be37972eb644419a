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
    @cython.locals(side=cython.int, i=cython.int, k=cython.int, kind=cython.int,
        size=cython.int, label=cython.int, at=cython.Py_ssize_t)
    cdef void prepare(self) noexcept nogil
    @cython.locals(i=cython.int, k=cython.int, w=cython.int, same=cython.bint)
    cdef void find_twins(self, int side) noexcept nogil
    @cython.locals(cell=cython.int, left=cython.int, right=cython.int, most=cython.int,
        side=cython.int, at=cython.Py_ssize_t, word=cython.ulonglong)
    cdef bint choose(self, int depth) noexcept nogil
    @cython.locals(k=cython.int, w=cython.int, twin=cython.Py_ssize_t,
        word=cython.ulonglong)
    cdef int next_try(self, int depth) noexcept nogil
    @cython.locals(k=cython.int)
    cdef void drop(self, int depth) noexcept nogil
    @cython.locals(cell=cython.int, kind=cython.int, k=cython.int, a=cython.int,
        b=cython.int, left=cython.int, right=cython.int, at=cython.Py_ssize_t,
        to=cython.Py_ssize_t, x=cython.ulonglong)
    cdef bint split(self, int depth) noexcept nogil
    @cython.locals(k=cython.int, side=cython.int)
    cdef void keep(self, int depth) noexcept nogil

cdef int bits(unsigned long long word) noexcept nogil
