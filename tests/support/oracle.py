"""The oracle: the optimum by trying everything, written without our solvers.

It reads a problem's arrays into plain dictionaries and shares no code with the
package, so that a mistake there cannot hide here.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

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
    options: list[list[int]] = [[-1] for _ in range(problem.n_left)]
    for i, j in zip(problem.left.tolist(), problem.right.tolist(), strict=True):
        options[i].append(j)
    best = 0
    for alignment in itertools.product(*options):
        used = [j for j in alignment if j >= 0]
        if len(set(used)) == len(used):
            best = max(best, value_of(problem, alignment))
    return best
