"""Hypothesis strategies for alignment problems."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from exactmatch.solvers.problem import AlignmentProblem

Pair = tuple[int, int]


@st.composite
def problems(
    draw: st.DrawFn,
    max_nodes: int = 4,
    max_weight: int = 4,
    scale: int = 1,
    costs: bool = True,
) -> AlignmentProblem:
    """Small problems, the degenerate ones included.

    Sides may be empty or unequal, candidates idle, all weights the same.  With
    *costs*, every other problem has candidates with a negative weight.
    """
    n_left = draw(st.integers(0, max_nodes))
    n_right = draw(st.integers(0, max_nodes))
    pairs = [(i, j) for i in range(n_left) for j in range(n_right)]
    compatible = [(c, d) for c in pairs for d in pairs if c[0] < d[0] and c[1] != d[1]]
    least = -max_weight if costs and draw(st.booleans()) else 0
    unary = _some(draw, pairs, st.integers(least, max_weight))
    pairwise = _some(draw, compatible, st.integers(1, max_weight))
    used = {*unary, *(c for both in pairwise for c in both)}
    start = sorted(c for c in used if draw(st.booleans()))
    return AlignmentProblem.from_weights(n_left, n_right, unary, pairwise, scale, start)


def _some(
    draw: st.DrawFn, keys: list[Any], weights: st.SearchStrategy[int]
) -> dict[Any, Any]:
    if not keys:
        return {}
    return draw(st.dictionaries(st.sampled_from(keys), weights, max_size=12))


def random_problem(
    seed: int,
    n_left: int,
    n_right: int,
    density: float = 0.5,
    max_weight: int = 2,
    scale: int = 1,
    cost: int = 0,
) -> AlignmentProblem:
    """A problem like that of two sparse graphs: labels, edges, equal roles.

    Nodes with different labels may be aligned at a *cost*, if it is not 0.
    """
    rng = random.Random(seed)
    n_labels = max(2, n_left // 2)
    labels = [[rng.randrange(n_labels) for _ in range(n)] for n in (n_left, n_right)]
    edges = [
        {
            (u, v): rng.randrange(3)
            for u in range(n)
            for v in range(n)
            if u != v and rng.random() < 2 * density / max(n, 1)
        }
        for n in (n_left, n_right)
    ]
    unary = {
        (i, j): rng.randint(1, max_weight)
        for i in range(n_left)
        for j in range(n_right)
        if labels[0][i] == labels[1][j]
    }
    pairwise = {
        ((u, x), (v, y)): rng.randint(1, max_weight)
        for (u, v), role in edges[0].items()
        for (x, y), other in edges[1].items()
        if role == other
    }
    if cost:
        others = [(i, j) for i in range(n_left) for j in range(n_right)]
        unary = {c: unary.get(c, -rng.randint(1, cost)) for c in others}
    return AlignmentProblem.from_weights(
        n_left, n_right, unary, pairwise, scale, list(unary)
    )


def side_by_side(*parts: AlignmentProblem) -> AlignmentProblem:
    """One problem that consists of the given ones."""
    unary: dict[tuple[int, int], int] = {}
    terms: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
    left = right = 0
    for part in parts:
        pairs = [
            (left + int(i), right + int(j))
            for i, j in zip(part.left, part.right, strict=True)
        ]
        unary |= dict(zip(pairs, part.unary.tolist(), strict=True))
        for c, d, weight in zip(part.first, part.second, part.weight, strict=True):
            terms[pairs[c], pairs[d]] = int(weight)
        left, right = left + part.n_left, right + part.n_right
    return AlignmentProblem.from_weights(left, right, unary, terms)
