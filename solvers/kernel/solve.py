"""From a problem to its answer: what Python calls, and the clock of the search.

The search itself (``search.py``) runs without the GIL, a few milliseconds at a time.
Between two such slices somebody may be told how it goes, look for a better alignment,
or interrupt it.

Time a change with ``python -m benchmarks solving documents-250``.
"""

from __future__ import annotations

from array import array
from time import perf_counter

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if cython.compiled:
    from cython.cimports.cpython.exc import PyErr_CheckSignals
    from cython.cimports.exactmatch.solvers.kernel.layout import UNIT_BITS, Arrays
    from cython.cimports.exactmatch.solvers.kernel.search import Search
else:
    from exactmatch.base import compiled as kernels

    Arrays = kernels.load_interpreted("exactmatch.solvers.kernel.layout").Arrays
    UNIT_BITS = kernels.load_interpreted("exactmatch.solvers.kernel.layout").UNIT_BITS
    Search = kernels.load_interpreted("exactmatch.solvers.kernel.search").Search


@cython.cfunc
@cython.boundscheck(False)
@cython.wraparound(False)
def _loaded(problem: object, cuts: object = None) -> Search:
    """Return a search that was handed the arrays of a problem, and cuts.

    Raises:
        MemoryError: if they are too large.
    """
    left: cython.const[cython.int][::1] = problem.left
    right: cython.const[cython.int][::1] = problem.right
    unary: cython.const[cython.longlong][::1] = problem.unary
    first: cython.const[cython.int][::1] = problem.first
    second: cython.const[cython.int][::1] = problem.second
    weight: cython.const[cython.longlong][::1] = problem.weight
    search: Search = Search()
    arrays: Arrays = Arrays()
    if len(first) >= 1 << 30:
        raise MemoryError("too many pair terms for 32-bit numbers")
    arrays.n_left = problem.n_left
    arrays.n_right = problem.n_right
    arrays.n_candidates = len(left)
    arrays.n_terms = len(first)
    if cython.compiled:
        arrays.left = cython.cast(cython.p_int, cython.address(left[0]))
        arrays.right = cython.cast(cython.p_int, cython.address(right[0]))
        arrays.unary = cython.cast(cython.p_longlong, cython.address(unary[0]))
        arrays.first = cython.cast(cython.p_int, cython.address(first[0]))
        arrays.second = cython.cast(cython.p_int, cython.address(second[0]))
        arrays.weight = cython.cast(cython.p_longlong, cython.address(weight[0]))
    else:
        arrays.left, arrays.right = left.tolist(), right.tolist()
        arrays.first, arrays.second = first.tolist(), second.tolist()
        arrays.unary, arrays.weight = unary.tolist(), weight.tolist()
    search.split.has_cuts = cuts is not None
    if not search.load(arrays):
        raise MemoryError("not enough memory for the search")
    if cuts is not None:
        _relieve(search, cuts)
    return search


@cython.cfunc
@cython.boundscheck(False)
@cython.wraparound(False)
def _relieve(search: Search, cuts: object):
    """Let cuts change the weights.

    Raises:
        OverflowError: if weights are too large for the parts that cuts count in.
    """
    if search.split.unit != 1 << UNIT_BITS:
        raise OverflowError("weights are too large for cuts")
    unary: cython.const[cython.longlong][::1] = cuts.unary
    weight: cython.const[cython.longlong][::1] = cuts.weight
    if cython.compiled:
        search.split.relieve(
            cuts.total,
            cython.cast(cython.p_longlong, cython.address(unary[0])),
            cython.cast(cython.p_longlong, cython.address(weight[0])),
        )
    else:
        search.split.relieve(cuts.total, unary.tolist(), weight.tolist())


@cython.cfunc
@cython.boundscheck(False)
def _begin(search: Search, start: object):
    """Let a search begin, or go on, with an alignment."""
    cells: cython.int[::1] = array("i", start)
    search.start_from(cython.address(cells[0]) if cython.compiled else start)


def doubled_worths(problem: object) -> list:
    """Return twice the worth of each candidate if every pair weight is split in halves.

    Args:
        problem: an ``AlignmentProblem``.
    """
    search: Search = _loaded(problem)
    search.split.weigh()
    half: cython.longlong = search.split.unit // 2
    return [search.split.worth[c] // half for c in range(search.split.n_candidates)]


def classes_of(problem: object) -> tuple | None:
    """Return the first left node that each is like, and the first right node.

    Returns:
        Two lists; ``None`` if no two nodes are alike.
    """
    search: Search = _loaded(problem)
    search.symmetry.find()
    return search.symmetry.classes()


def solve(
    problem: object,
    seconds: cython.double,
    node_limit: cython.longlong,
    start: object,
    shares: object,
    deep: cython.bint,
    symmetric: cython.bint,
    known: cython.longlong,
    enough: cython.longlong,
    record_proof: cython.bint,
    report: object,
    improve: object,
    may_shrink: cython.bint = False,
    cuts: object = None,
) -> tuple:
    """Search until the bound is proved to be the value, or a limit is reached.

    Args:
        problem: an ``AlignmentProblem``; trusted to be in order.
        seconds: time limit; negative for none.
        node_limit: how many nodes the tree may have.
        start: an alignment to begin with, or ``None``.
        shares: the split to begin with, as an earlier search of the same problem
            returned it, or ``None``.
        deep: whether the root is bounded as well as can be before it branches.
        symmetric: whether to look for symmetric nodes and use them.
        known: only alignments worth more are of interest.
        enough: stop as soon as an alignment is worth this much; negative: never.
        record_proof: whether to log the evidence for the bound.
        report: called every few milliseconds with the best alignment (``None`` if
            it is the one reported last), the bound, and the number of nodes; or
            ``None``.
        improve: called where the root has averaged many assignments, with the best
            alignment and the candidates that are likely to be in a better one; it
            returns such an alignment, or ``None``.  ``None``: nobody is asked.
        may_shrink: whether to stop where the root drops most candidates of a large
            problem, so that the caller can go on with what is left.
        cuts: an ``exactmatch.solvers.linear.cuts.Relief``, or ``None``.  With cuts,
            the search ends where it would branch.

    Returns:
        The alignment as a list, the bound, the numbers of nodes and of rounds,
        the log (``None`` if there is none), the parts of a unit that the log counts
        in, the candidates that the root left, increasing, and the split: what it gives
        to the first candidate of every pair term (both ``None`` if the search came to
        its end, the split also if it was neither deep nor shrunk), the classes of nodes
        that are alike, by the first of each (``None`` if none were looked for, or
        found), and whether it stopped because the problem has shrunk.
    """
    started: cython.double = perf_counter() if seconds >= 0 else 0.0
    search: Search = _loaded(problem, cuts)
    search.record_proof = record_proof
    search.limit(known, enough)
    search.deep = deep
    search.may_shrink = may_shrink
    if symmetric:
        search.symmetry.find()
    if shares is not None:
        search.split_as(shares)
    if start is not None:
        _begin(search, start)
    is_open: cython.bint = True
    is_late: cython.bint = False
    reported: cython.longlong = -1
    before: cython.double = started
    while is_open:
        with cython.nogil:
            is_open = search.run(node_limit)
        if is_open:
            if search.averaged and improve is not None:
                better = improve(search.alignment(), search.core())
                if better is not None:
                    _begin(search, better)
            if report is not None:
                is_new = search.climb.best_value != reported
                reported = search.climb.best_value
                report(
                    search.alignment() if is_new else None,
                    search.proved_bound(),
                    search.nodes,
                )
            if cython.compiled:
                PyErr_CheckSignals()
            if seconds >= 0:
                now: cython.double = perf_counter()
                # a slice of a large problem takes long: half of one more may be late
                if now - started + (now - before) / 2 >= seconds:
                    is_late = True
                    break
                before = now
    search.stop()
    is_open = not (search.done or is_late)
    return (
        search.alignment(),
        search.proved_bound(),
        search.nodes,
        search.split.rounds,
        search.evidence() if record_proof else None,
        search.split.unit,
        search.open_at_root() if is_open else None,
        search.split.shares() if is_open and (deep or search.shrunk) else None,
        search.symmetry.classes(),
        search.shrunk,
    )
