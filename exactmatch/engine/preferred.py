"""The most plausible of all optimal alignments.

Several alignments may match as many triples, and a solver returns any of them.  This
module finds, and proves, the one that

1. matches most triples, as every optimal one does;
2. of these, aligns most pairs of variables whose tokens overlap, if tokens are known;
3. of these, aligns most pairs of variables with equal concepts;
4. leaves unaligned what neither a matched triple nor a shared token supports.

All wishes are one objective: a matched triple weighs more than all other wishes
together, and an overlap more than all concepts.  So an exact solver proves them
together.

Source: Isermann (1982), "Linear lexicographic optimization", for a lexicographic
objective as a weighted sum.
"""

from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np

from exactmatch.base.errors import CertificationError
from exactmatch.engine.align import solve
from exactmatch.engine.candidates import overlapping_pairs
from exactmatch.engine.problem import CodedGraph, GraphProblem
from exactmatch.solvers.base import Solver
from exactmatch.solvers.enumeration import optimal_alignments
from exactmatch.solvers.problem import MAX_TOTAL_WEIGHT, Alignment, AlignmentProblem
from exactmatch.solvers.solution import Limits, Solution


def shown_alignment(
    graph_problem: GraphProblem,
    solution: Solution,
    solver: Solver,
    limits: Limits | None = None,
) -> tuple[Alignment, frozenset[int]]:
    """Return the optimal alignment that fulfils the wishes best, and its certain part.

    The certain part are the left variables whose pair is proven to be in every optimal
    alignment.  An alignment that is not proven optimal stays as the solver returned it,
    and none of it is certain.  So does one where several nodes may stand for one.
    """
    if not solution.is_optimal or not graph_problem.is_one_to_one:
        return graph_problem.images(solution.alignment), frozenset()
    shared = overlapping_pairs(graph_problem.left.graph, graph_problem.right.graph)
    best = preferred(graph_problem, solution, solver, limits, shared)
    best = graph_problem.completed(best)
    return best, optimal_alignments(graph_problem.problem, best, 1).fixed


Pairs: TypeAlias = Collection[tuple[int, int]]  # variables, left and right, by number


def preferred(
    graph_problem: GraphProblem,
    solution: Solution,
    solver: Solver,
    limits: Limits | None = None,
    overlapping: Pairs = (),
) -> Alignment:
    """Find the optimal alignment that fulfils the wishes best.

    If the solution is not optimal, the alignments of the same value take the place of
    the optimal ones.  It is an error if the alignment that is proven best by the wishes
    is worth less.
    """
    problem = graph_problem.problem
    concepts = _concepts(graph_problem.left), _concepts(graph_problem.right)
    weighted = with_wishes(problem, concepts, overlapping)
    chosen = solution
    if weighted is not None:
        weighted_solution = solve(weighted, solver, limits)
        worth = problem.value(weighted_solution.alignment)
        if worth >= solution.value:
            chosen = weighted_solution
        elif weighted_solution.is_optimal:
            raise CertificationError(
                f"an alignment of value {worth} is preferred to one of value "
                f"{solution.value}; please report the two graphs"
            )
    alignment = list(problem.appraise(chosen.alignment)[1])
    for i, j in overlapping:
        if chosen.alignment[i] == j:
            alignment[i] = j
    return tuple(alignment)


NO_CONCEPT = ""


def with_wishes(
    problem: AlignmentProblem,
    concepts: tuple[Sequence[str], Sequence[str]],
    overlapping: Pairs,
) -> AlignmentProblem | None:
    """Return the problem with the wishes in its weights.

    With *n* the most pairs that an alignment can hold, an equal concept weighs 1, an
    overlap n + 1, and a unit of the problem's own weights (n + 1)².  ``None`` if its
    weights would become too large to be exact.  A variable without concept has an empty
    one.
    """
    base = min(problem.n_left, problem.n_right) + 1
    n_weights = problem.n_candidates + len(overlapping)
    if problem.total_weight() * base**2 + n_weights * 2 * base >= MAX_TOTAL_WEIGHT:
        return None
    width = max(problem.n_right, 1)
    candidate_keys = problem.left.astype(np.int64) * width + problem.right
    overlapping_keys = np.array(
        sorted(i * width + j for i, j in overlapping), dtype=np.int64
    )
    keys = np.union1d(candidate_keys, overlapping_keys)
    key_numbers = np.searchsorted(keys, candidate_keys)
    left, right = np.divmod(keys, width)
    unary = np.zeros(len(keys), dtype=np.int64)
    left_concepts, right_concepts = (np.array(side, dtype=object) for side in concepts)
    candidate_concepts = left_concepts[problem.left]
    is_alike = (candidate_concepts == right_concepts[problem.right]) & (
        candidate_concepts != NO_CONCEPT
    )
    unary[key_numbers] = problem.unary * base**2 + is_alike
    unary[np.searchsorted(keys, overlapping_keys)] += base
    return AlignmentProblem(
        problem.n_left,
        problem.n_right,
        left.astype(np.int32),
        right.astype(np.int32),
        unary,
        key_numbers[problem.first].astype(np.int32),
        key_numbers[problem.second].astype(np.int32),
        problem.weight * base**2,
        problem.scale * base**2,
        key_numbers[problem.start].astype(np.int32),
    )


def _concepts(coded: CodedGraph) -> list[str]:
    concepts = [NO_CONCEPT] * coded.n_variables
    for v, concept in reversed(coded.graph.instances):
        concepts[v] = coded.labels[concept]
    return concepts
