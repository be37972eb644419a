"""The C types of ``search.py``."""

cimport cython

from exactmatch.solvers.kernel.assignment cimport Memory
from exactmatch.solvers.kernel.climb cimport Climb
from exactmatch.solvers.kernel.closure cimport Closure
from exactmatch.solvers.kernel.lagrangian cimport Split
from exactmatch.solvers.kernel.layout cimport TOP, UNIT_BITS, Arrays
from exactmatch.solvers.kernel.proof_log cimport Log
from exactmatch.solvers.kernel.symmetry cimport Symmetry
from exactmatch.solvers.kernel.volume cimport Volume

cdef long long STEP
cdef int PATIENCE, PACE, CUTS, BEFORE, AVERAGING, AFTER, RECALL, SHRUNK
cdef int CLIMB_EVERY, AVERAGES_EVERY, FIX_EVERY, MANY
cdef long long ALWAYS, RARELY, SLICE


@cython.final
cdef class Search:
    cdef Memory memory
    cdef Split split
    cdef Climb climb
    cdef Closure closure
    cdef Log log
    cdef Volume volume
    cdef Symmetry symmetry
    cdef bint record_proof
    cdef long long known, enough
    cdef long long *often
    # The open branches.
    cdef int *branch
    cdef int *branch_pool
    cdef long long *branch_bound
    cdef int depth
    # The node at hand.
    cdef long long node_bound, node_best, stride
    cdef int stale, cuts
    # The root.
    cdef int stage, root_pool, averaged_pool
    cdef bint averaged, deep, may_shrink, shrunk
    # What was done.
    cdef long long nodes, recorded
    cdef bint done, halted

    cdef bint load(self, Arrays problem) noexcept nogil
    cdef void carve(self) noexcept nogil
    cdef void limit(self, long long known, long long enough) noexcept nogil
    cdef void start_from(self, const int *start) noexcept nogil
    cdef void split_as(self, list shares)

    cdef bint run(self, long long node_limit) noexcept nogil
    cdef bint has_shrunk(self) noexcept nogil
    cdef void round(self) noexcept nogil
    cdef int pause(self) noexcept nogil
    cdef void conclude(self) noexcept nogil
    cdef long long goal(self) noexcept nogil
    cdef void fix(self) noexcept nogil
    cdef void remember(self) noexcept nogil
    cdef void pace(self) noexcept nogil
    cdef long long target(self) noexcept nogil
    cdef void begin_averages(self) noexcept nogil
    cdef void average(self) noexcept nogil

    cdef void enter(self) noexcept nogil
    cdef int choose_branch(self) noexcept nogil
    cdef void descend(self, int c) noexcept nogil
    cdef void retreat(self) noexcept nogil

    cdef void stop(self)
    cdef void record(self, long long spare) noexcept nogil
    cdef list alignment(self)
    cdef list core(self)
    cdef list open_at_root(self)
    cdef list evidence(self)
    cdef long long proved_bound(self) noexcept nogil
