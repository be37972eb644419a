"""Two coded graphs into an alignment problem, and an alignment back into triples.

The problem's weights are the triples that match if two variables are aligned
(unary), or two pairs of variables at once (pair terms).  How often a repeated
triple counts is the profile's ``duplicates``: every equal pair of triples
(``product``, as smatch 1.0.4 does, so that F1 can exceed 1), or no more often
than both graphs have it.

Source: Cai and Knight (2013), "Smatch", section 3; smatch 1.0.4,
``compute_pool``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError, InputError
from exactmatch.engine.coding import CodedGraph, CountedTriple, matches
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.solution import Solution

_kernel: Any = kernels.load("exactmatch.engine._problem")

MAX_TERMS = 20_000_000
"""Default of ``--max-terms``: pair terms, or pairs of variables, of one problem."""


@dataclass(frozen=True, slots=True)
class StatedProblem:
    """The alignment of two graphs as a problem, and what it was made of.

    Attributes:
        problem: what a solver maximises.
        left, right: the coded graphs, prediction and reference.
        profile: the profile that counts.
    """

    problem: AlignmentProblem
    left: CodedGraph
    right: CodedGraph
    profile: Profile

    def check_count(self, alignment: Alignment, value: int) -> float:
        """Count what an alignment matches, and check its value against the count.

        The triples are renamed and compared; the problem's weights are not looked at.

        Args:
            alignment: the right variable of every left one, or -1.
            value: what the solver says that it is worth, in units of ``1 / scale``.

        Returns:
            The number of matched triples.

        Raises:
            CertificationError: if the two differ: the problem or the solver is wrong.
        """
        counted = matches(self.left, self.right, self.profile, alignment)
        if counted * self.problem.scale != value:
            raise CertificationError(
                f"an alignment said to match {value} triples matches {counted}; "
                "please report the two graphs"
            )
        return float(counted)

    def bound_of(self, solution: Solution, matched: float) -> float:
        """The number of triples that no alignment exceeds.

        Args:
            solution: value and bound, in units of ``1 / scale``.
            matched: what :meth:`check_count` found of it.
        """
        del matched
        return solution.bound / self.problem.scale


def build(
    left: CodedGraph,
    right: CodedGraph,
    profile: Profile,
    *,
    scale: int = 1,
    graded: Any = None,
    max_terms: int | None = None,
) -> StatedProblem:
    """State the alignment of two graphs as a problem.

    Args:
        left, right: prediction and reference, coded under *profile*.
        profile: how repeated triples count, and which variables may be aligned.
        scale: weight of one matched triple.
        graded: graded unary weights, ``int64``, one per pair of variables, row
            by row, or ``None``.
        max_terms: how large a problem may become; default: :data:`MAX_TERMS`.

    Raises:
        InputError: if the problem would have more than *max_terms* pair terms
            or pairs of variables; nothing was allocated for them.
    """
    most = MAX_TERMS if max_terms is None else max_terms
    allowed = None
    if left.graph.document is not None or right.graph.document is not None:
        from exactmatch.engine.candidates import allowed_pairs

        allowed = allowed_pairs(left.graph, right.graph, profile.align, most)
    arrays = _kernel.pair(
        left, right, profile.duplicates == "product", scale, most, graded, allowed
    )
    if isinstance(arrays, int):
        raise InputError(
            f"graphs {_named(left.graph)} and {_named(right.graph)} are too large: "
            f"{arrays:,} pairs of their relations or variables may match, more than "
            f"{most:,}; raise --max-terms to allow them"
        )
    problem = AlignmentProblem.trusted(
        left.n_variables, right.n_variables, arrays, scale
    )
    return StatedProblem(problem, left, right, profile)


def _named(graph: Graph) -> str:
    origin = graph.origin
    place = f"{origin.path}:{origin.line}" if origin.path else None
    return repr(graph.id) if graph.id else (place or "without id")


def renamed(triple: CountedTriple, alignment: Alignment) -> CountedTriple | None:
    """A left triple in the right graph's variables, or ``None`` if unaligned."""
    source = alignment[triple.source]
    target = triple.target
    if triple.kind == "relation":
        target = alignment[int(target)]
    if source == -1 or target == -1:
        return None
    return CountedTriple(triple.kind, triple.role, source, target)
