"""Hypothesis strategies for alignment problems."""

from __future__ import annotations

import functools
import itertools
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
    n_left, n_right = draw(_sides(max_nodes))
    least = -max_weight if costs and draw(BOOLEANS) else 0
    unary_of, pairwise_of = _weights(n_left, n_right, least, max_weight)
    unary, pairwise = draw(unary_of), draw(pairwise_of)
    used = {*unary, *(c for both in pairwise for c in both)}
    start = sorted(c for c in used if draw(BOOLEANS))
    return AlignmentProblem.from_weights(n_left, n_right, unary, pairwise, scale, start)


BOOLEANS = st.booleans()


# To make a strategy takes longer than to draw from it.


@functools.cache
def _sides(max_nodes: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.sampled_from(list(itertools.product(range(max_nodes + 1), repeat=2)))


@functools.cache
def _weights(
    n_left: int, n_right: int, least: int, most: int
) -> tuple[st.SearchStrategy[dict[Any, int]], st.SearchStrategy[dict[Any, int]]]:
    """Return the unary weights from *least* on, and those of pairs from 1 on."""
    pairs = [(i, j) for i in range(n_left) for j in range(n_right)]
    compatible = [(c, d) for c in pairs for d in pairs if c[0] < d[0] and c[1] != d[1]]
    return _some(pairs, least, most), _some(compatible, 1, most)


def _some(keys: list[Any], least: int, most: int) -> st.SearchStrategy[dict[Any, int]]:
    if not keys:
        return st.just({})
    weights = st.integers(least, most)
    return st.dictionaries(st.sampled_from(keys), weights, max_size=12)


def random_problem(
    seed: int,
    n_left: int,
    n_right: int,
    density: float = 0.5,
    max_weight: int = 2,
    scale: int = 1,
    cost: int = 0,
) -> AlignmentProblem:
    """Return a problem like that of two sparse graphs: labels, edges, equal roles.

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
    """Return one problem that consists of the given ones."""
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


def _copied(seed: int, kinds: int, most: int) -> tuple[list[int], set[Any]]:
    """Return the labels and edges of such a graph."""
    rng = random.Random(seed)
    count = rng.randint(1, most) if rng.random() < 0.3 else most
    kind = [rng.randrange(kinds) for _ in range(count)]
    joined = {
        pair: rng.random() < 0.5
        for pair in itertools.combinations_with_replacement(range(kinds), 2)
    }
    label = [rng.randrange(2) if rng.random() < 0.2 else 0 for _ in range(kinds)]
    edges = {
        (a, b)
        for a, b in itertools.combinations(range(count), 2)
        if joined[min(kind[a], kind[b]), max(kind[a], kind[b])]
    }
    return [label[k] for k in kind], edges


def symmetric_problem(
    seed: int, most: int = 5, costs: bool = False
) -> AlignmentProblem:
    """Return the problem of two graphs whose nodes are there several times.

    Equal labels and common edges count.
    """
    rng = random.Random(seed)
    (ones, edges), (others, arcs) = (
        _copied(2 * seed + side, rng.randint(1, 5), most) for side in (0, 1)
    )
    unary = {
        (i, j): (a == b) - 2 * costs
        for i, a in enumerate(ones)
        for j, b in enumerate(others)
    }
    pairwise = {
        ((u, x), (v, y)): 2
        for u, v in edges
        for a, b in arcs
        for x, y in ((a, b), (b, a))
    }
    return AlignmentProblem.from_weights(len(ones), len(others), unary, pairwise)
