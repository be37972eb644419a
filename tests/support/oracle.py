"""The oracle: the optimum by trying everything, written without our solvers.

It reads a problem's arrays into plain dictionaries and shares no code with the
package, so that a mistake there cannot hide here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from exactmatch.solvers.problem import AlignmentProblem


def value_of(problem: AlignmentProblem, alignment: Sequence[int]) -> int:
    """Return the value of an alignment, straight from the definition."""
    pairs = list(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    chosen = [alignment[i] == j for i, j in pairs]
    total = sum(w for c, w in zip(chosen, problem.unary.tolist(), strict=True) if c)
    terms = zip(
        problem.first.tolist(),
        problem.second.tolist(),
        problem.weight.tolist(),
        strict=True,
    )
    return total + sum(w for c, d, w in terms if chosen[c] and chosen[d])


def brute_force(problem: AlignmentProblem) -> int:
    """Return the optimum; for a handful of nodes."""
    return max(value_of(problem, images) for images in all_alignments(problem))


def all_alignments(problem: AlignmentProblem) -> Iterator[tuple[int, ...]]:
    """Every alignment of candidates, one-to-one."""
    places = [[-1] for _ in range(problem.n_left)]
    for i, j in zip(problem.left.tolist(), problem.right.tolist(), strict=True):
        places[i].append(j)
    for images in itertools.product(*places):
        used = [j for j in images if j >= 0]
        if len(set(used)) == len(used):
            yield images
