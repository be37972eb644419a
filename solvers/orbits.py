"""Problems with symmetry: of equal alignments, one is searched.

A permutation of the right nodes that leaves the problem as it is turns each alignment
into another one of the same value.  So of the right nodes that such permutations turn
into one another, an *orbit*, one is enough for a single left node; or the other way
round.  What remains of the symmetry is not used.

Source: Margot (2010), "Symmetry in integer linear programming", for fixing by orbits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from exactmatch.solvers.nearly_equal import Skeleton, refined, singled_out
from exactmatch.solvers.problem import AlignmentProblem, IntArray

MOST_NODES, MOST_TERMS = 64, 500_000
"""Larger problems have no orbits looked for."""


def one_of_each_orbit(problem: AlignmentProblem) -> AlignmentProblem | None:
    """Return the problem with fewer candidates of one node; ``None`` without symmetry.

    An alignment of the whole problem is worth as much as one of the part.
    """
    nodes = max(problem.n_left, problem.n_right)
    if problem.conflicts or nodes > MOST_NODES or problem.n_terms > MOST_TERMS:
        return None
    stakes = 2 * np.abs(problem.unary)
    np.add.at(stakes, problem.first, problem.weight)
    np.add.at(stakes, problem.second, problem.weight)
    ends = (problem.left, problem.n_left), (problem.right, problem.n_right)
    best, keep = 0, None
    for (fixed, n_fixed), (turned, n_turned) in (ends, ends[::-1]):
        leader = np.array(_leaders(_turned(problem, fixed, turned, n_turned)))
        if not n_turned or (leader == np.arange(n_turned)).all():
            continue
        dropped = leader[turned] != turned
        gain = np.bincount(fixed, weights=stakes * dropped, minlength=n_fixed)
        node = int(gain.argmax())
        if gain[node] > best:
            best, keep = gain[node], (fixed != node) | ~dropped
    return None if keep is None else problem.restricted(keep)


def _turned(
    problem: AlignmentProblem, fixed: IntArray, turned: IntArray, count: int
) -> Skeleton:
    """Number nodes and pairs of nodes by all that candidates and terms say of them."""
    numbers: dict[Any, int] = {}
    of_node: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for i, j, unary in zip(
        fixed.tolist(), turned.tolist(), problem.unary.tolist(), strict=True
    ):
        of_node[j].append((i, unary))
    classes = [numbers.setdefault(tuple(sorted(o)), len(numbers)) for o in of_node]
    seen, partner = problem.directed_terms()
    rows = np.column_stack(
        (turned[seen], turned[partner], fixed[seen], fixed[partner])
    ).astype(np.int64)
    rows = np.column_stack((rows, np.tile(problem.weight, 2)))
    rows = rows[np.lexsort(rows.T[::-1])]
    beside: list[dict[int, int]] = [{} for _ in range(count)]
    if len(rows):
        is_new = np.any(rows[1:, :2] != rows[:-1, :2], axis=1)
        for group in np.split(rows, np.flatnonzero(is_new) + 1):
            key = group[:, 2:].tobytes()
            node, neighbour = group[0, :2].tolist()
            beside[node][neighbour] = numbers.setdefault(key, len(numbers))
    return Skeleton(classes, beside)


def _leaders(graph: Skeleton) -> list[int]:
    """Return the first node of the orbit of each node, as far as orbits are seen."""
    size = len(graph.classes)
    leader = list(range(size))
    colours = refined(graph, graph)[-1]
    if len(set(colours)) == size:
        return leader
    for node in range(size):
        for earlier in range(node):
            alike = (
                colours[node] == colours[earlier] and leader[node] != leader[earlier]
            )
            if alike and leader[earlier] == earlier:
                image = _automorphism(graph, colours, node, earlier)
                for pair in enumerate(image):
                    lower_leader, upper_leader = sorted(leader[v] for v in pair)
                    leader = [lower_leader if v == upper_leader else v for v in leader]
    return leader


def _automorphism(
    graph: Skeleton, colours: list[int], node: int, image: int
) -> list[int]:
    """Return an automorphism that maps a node to another; empty if none is seen."""
    colours = [*colours]
    colours[node] = colours[len(graph.classes) + image] = max(colours) + 1
    images = singled_out(graph, graph, colours)
    if images is None:
        return []
    for u, v in enumerate(images):
        turned = {images[k]: kind for k, kind in graph.beside[u].items()}
        if graph.classes[u] != graph.classes[v] or turned != graph.beside[v]:
            return []
    return images
