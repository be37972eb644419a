"""Align two graphs: the only way from a metric's problem to the matched triples.

For a pair of sentences the kernel builds the problem, solves it and counts the matches,
in memory that it reuses for the next pair.  A pair that is large, or that the kernel
does not prove, goes to the solver as an ``AlignmentProblem``; a solver can be
interrupted and watched.  The result is the same either way::

    GraphProblem(left, right, profile)
      │ bound, count, alignment: the kernel, _matched.py ───────────────╮
      │ problem, or a pair that the kernel does not prove               │
    AlignmentProblem ── solver.solve ── Solution ── recount triples ── Aligned

>>> from exactmatch.engine.problem import GraphProblem, encode
>>> from exactmatch.formats.readings import as_graph
>>> from exactmatch.graphs.profile import PROFILES
>>> from exactmatch.solvers import get_solver
>>> smatch = PROFILES["smatch"]
>>> texts = "(b / bark-01 :ARG0 (d / dog))", "(x / bark-01 :ARG0 (y / cat))"
>>> pred, gold = (encode(as_graph(text, smatch), smatch) for text in texts)
>>> aligned = align(GraphProblem(pred, gold, smatch), get_solver("auto"))
>>> aligned.matched, aligned.proven, pred.total  # bark-01, its TOP, and ARG0
(3.0, True, 4)
>>> aligned.solution.alignment  # b with x, d with y
(0, 1)
"""

from __future__ import annotations

import math
from _thread import _local  # threading takes a while to import
from time import perf_counter, time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError
from exactmatch.base.records import NamedTuple, replace
from exactmatch.engine.problem import LARGE
from exactmatch.solvers.bnb import proof_of
from exactmatch.solvers.solution import Limits, Solution

if TYPE_CHECKING:  # these import NumPy, which --help does not need
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.problem import AlignmentProblem

_kernel: Any = kernels.load("exactmatch.engine._matched")
_THREAD = _local()  # the aligner of each thread

SLICES = 1
"""Number of slices, of some milliseconds each, until a solver takes over."""

Want: TypeAlias = Literal["bound", "count", "alignment", "problem"]
"""The result that is needed: an upper bound on the matches; their count; the count and
the alignment with its proof; or all these and the alignment problem."""


class Aligned(NamedTuple):
    """Alignment, counts and proof of two graphs.

    Attributes:
        matched: triples that the alignment matches; 0 where only a bound was needed.
        bound: no alignment matches more triples.
        proven: whether no alignment is worth more.
        solution: the alignment and its proof, if they are needed.
    """

    matched: float
    bound: float
    proven: bool
    solution: Solution | None = None


def align(
    graph_problem: GraphProblem,
    solver: Solver,
    limits: Limits | None = None,
    want: Want = "alignment",
) -> Aligned:
    """Find the best alignment of two graphs, prove it, and count what it matches.

    Raises:
        InputError: if the problem is too large.
        CertificationError: if the alignment matches another number of triples than the
            search says.
    """
    begun = perf_counter()
    if want == "problem":
        _ = graph_problem.problem
    if want == "bound":
        task = _kernel_task(graph_problem)
        failed, units = _aligner().bound(task) if task else (True, 0)
        return Aligned(0.0, math.inf if failed else graph_problem.at_most(units), False)
    max_nodes = solver.kernel_nodes
    if max_nodes is not None and (limits is None or _allows(limits)):
        aligned = _in_kernel(graph_problem, solver.name, max_nodes, want)
        if aligned is not None:
            return aligned
    problem = graph_problem.problem
    if limits is not None:
        limits = limits.after(perf_counter() - begun)
    solution = solve(problem, solver, limits)
    solution = replace(solution, seconds=perf_counter() - begun)
    return count_solution(graph_problem, solution)


def count_solution(graph_problem: GraphProblem, solution: Solution) -> Aligned:
    """Count what a solution matches, and check its value against the count."""
    matched = graph_problem.check_count(solution.alignment, solution.value)
    bound = graph_problem.bound_of(solution, matched)
    return Aligned(matched, bound, solution.is_optimal, solution)


def solve(
    problem: AlignmentProblem, solver: Solver, limits: Limits | None = None
) -> Solution:
    """Solve a problem; no other function calls a solver."""
    return solver.solve(problem, limits)


def solve_arrays(n_left: int, n_right: int, arrays: Any, solver: Solver) -> Solution:
    """Solve a problem that the kernel built as arrays."""
    from exactmatch.solvers.problem import AlignmentProblem

    return solve(AlignmentProblem.trusted(n_left, n_right, arrays), solver)


def _in_kernel(
    graph_problem: GraphProblem, solver: str, max_nodes: int, want: Want
) -> Aligned | None:
    started = perf_counter()
    task = _kernel_task(graph_problem)
    if task is None:
        return None
    status, equal_triples, value, nodes, rounds, alignment = _aligner().align(
        task, max_nodes, SLICES, want == "count"
    )
    if status:
        if _kernel.ENDS[status] == "miscounted":
            raise CertificationError(
                "an alignment matches another number of triples than the search says; "
                "please report the two graphs"
            )
        return None
    if alignment is None:
        return Aligned(float(equal_triples), float(equal_triples), True)
    matched = graph_problem.matched(alignment, equal_triples)
    if want == "count":
        return Aligned(matched, matched, True)
    proof = proof_of(nodes, rounds)
    seconds = perf_counter() - started
    solution = Solution(alignment, value, value, solver, proof, seconds)
    return Aligned(matched, matched, True, solution)


def _allows(limits: Limits) -> bool:
    """Return whether the kernel can search: in time, with no proof or lower limit."""
    is_over = limits.until is not None and time() >= limits.until
    return not (limits.record_proof or limits.above or is_over)


def _kernel_task(graph_problem: GraphProblem) -> tuple[Any, ...] | None:
    """Return the kernel's task; ``None`` where a solver has to align.

    Large pairs go to a solver, because the kernel would keep their memory.
    """
    if graph_problem.prebuilt is not None:
        return None
    left, right = graph_problem.ends
    are_sentences = left.graph.document is None and right.graph.document is None
    if graph_problem.is_large and (are_sentences or graph_problem.graded is not None):
        return None
    size = (
        graph_problem.is_product,
        min(LARGE, graph_problem.most),
        graph_problem.scale,
    )
    return (
        left,
        right,
        *size,
        graph_problem.graded,
        None if are_sentences else graph_problem.allowed,
    )


def _aligner() -> Any:
    aligner = getattr(_THREAD, "aligner", None)
    if aligner is None or _THREAD.kernel is not _kernel:
        aligner = _THREAD.aligner = _kernel.aligner()
        _THREAD.kernel = _kernel
    return aligner
