"""Align two graphs: the one road from what a metric states to what is matched.

A pair of sentences is stated, solved and counted in the kernel, in memory that the next
pair uses again; what is large, or not proved at once, goes as an ``AlignmentProblem``
to the solver, which can be interrupted and watched.  The answer is the same either way.
"""

from __future__ import annotations

import math
from _thread import _local  # threading takes a while to import
from time import perf_counter, time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError
from exactmatch.base.records import NamedTuple
from exactmatch.solvers.bnb import proof_of
from exactmatch.solvers.solution import Limits, Solution

if TYPE_CHECKING:  # NumPy stands behind these; a command's help can do without
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.problem import AlignmentProblem

_kernel: Any = kernels.load("exactmatch.engine._matched")
_OWN = _local()  # what each thread aligns with
LARGE = 20_000  # more pair terms, or pairs of variables, are left to the solvers
SLICES = 1  # a search that takes more, of some milliseconds each, is left to them, too

Want: TypeAlias = Literal["bound", "count", "alignment", "problem"]
"""What is asked of a pair: how many triples match at most, how many match, also the
alignment with its proof, or also the alignment problem, made once and for all."""


class Aligned(NamedTuple):
    """Alignment, counts and proof of two graphs."""

    matched: float  # triples that the alignment matches; 0 where none was looked for
    bound: float  # no alignment matches more
    proven: bool  # whether no alignment is worth more
    solution: Solution | None = None  # the alignment and its proof, if they are wanted


def align(
    stated: GraphProblem,
    solver: Solver,
    limits: Limits | None = None,
    want: Want = "alignment",
) -> Aligned:
    """Find the best alignment of two graphs, prove it, and count what it matches.

    It is an error if the problem is too large, or the alignment does not match as many
    triples as the search says.
    """
    if want == "problem":
        _ = stated.problem
    if want == "bound":
        demand = _demand(stated)
        fails, units = _aligner().bound(demand) if demand else (True, 0)
        return Aligned(0.0, math.inf if fails else stated.at_most(units), False)
    nodes = solver.kernel_nodes
    if nodes is not None and (limits is None or _allows(limits)):
        found = _in_kernel(stated, solver.name, nodes, want)
        if found is not None:
            return found
    solution = solved(stated.problem, solver, limits)
    return counted(stated, solution)


def counted(stated: GraphProblem, solution: Solution) -> Aligned:
    """Count what a solution matches, which its value must say, too."""
    matched = stated.check_count(solution.alignment, solution.value)
    bound = stated.bound_of(solution, matched)
    return Aligned(matched, bound, solution.is_optimal, solution)


def solved(
    problem: AlignmentProblem, solver: Solver, limits: Limits | None = None
) -> Solution:
    """Have a solver align what the kernel leaves: the one place that asks one."""
    return solver.solve(problem, limits)


def solved_arrays(n_left: int, n_right: int, arrays: Any, solver: Solver) -> Solution:
    """Have a solver align a problem that the kernel stated as arrays."""
    from exactmatch.solvers.problem import AlignmentProblem

    return solved(AlignmentProblem.trusted(n_left, n_right, arrays), solver)


def _in_kernel(
    stated: GraphProblem, solver: str, nodes: int, want: Want
) -> Aligned | None:
    started = perf_counter()
    demand = _demand(stated)
    if demand is None:
        return None
    status, equal, value, nodes, rounds, alignment = _aligner().align(
        demand, nodes, SLICES, want == "count"
    )
    if status:
        if _kernel.ENDS[status] == "miscounted":
            raise CertificationError(
                "an alignment matches another number of triples than the search says; "
                "please report the two graphs"
            )
        return None
    if alignment is None:
        return Aligned(float(equal), float(equal), True)
    matched = stated.matched(alignment, equal)
    if want == "count":
        return Aligned(matched, matched, True)
    proof = proof_of(nodes, rounds)
    seconds = perf_counter() - started
    solution = Solution(alignment, value, value, solver, proof, seconds)
    return Aligned(matched, matched, True, solution)


def _allows(limits: Limits) -> bool:
    """Return whether a search may begin, of all alignments, without a record."""
    late = limits.until is not None and time() >= limits.until
    return not (limits.record_proof or limits.above or late)


def _demand(stated: GraphProblem) -> tuple[Any, ...] | None:
    """Return the kernel's task; ``None`` where a solver has to align.

    It keeps the grades of a pair until the next one, and so is not given many.
    """
    if stated.prebuilt is not None:
        return None
    left, right = stated.ends
    free = left.graph.document is None and right.graph.document is None
    is_large = left.n_variables * right.n_variables > LARGE
    if is_large and (free or stated.graded is not None):
        return None
    size = (stated.is_product, min(LARGE, stated.most), stated.scale)
    return (left, right, *size, stated.graded, None if free else stated.allowed)


def _aligner() -> Any:
    own = getattr(_OWN, "aligner", None)
    if own is None or _OWN.kernel is not _kernel:
        own = _OWN.aligner = _kernel.aligner()
        _OWN.kernel = _kernel
    return own
