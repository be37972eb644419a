"""Distances of two small graphs where every edit costs 1, without a stated proof.

The search of :mod:`exactmatch.edit.matrix` is asked before a solver where nobody wants
a certificate: it decides most pairs of a dozen nodes, and dense ones of many more, in
a fraction of the time.  Its answer is an alignment like a solver's, of which the edit
path is made and its cost added up as ever.
"""

from __future__ import annotations

import time
from typing import Any

from exactmatch.base import compiled as kernels
from exactmatch.edit.bundles import Bundles
from exactmatch.edit.costs import CostTable, classes
from exactmatch.edit.packed import MOST_KINDS, Plain, pack_plain
from exactmatch.edit.problem import EditProblem
from exactmatch.solvers.solution import Solution

_uniform: Any = kernels.load("exactmatch.edit._uniform")

LARGEST = 64
"""Graphs with more nodes are the solver's at once."""

WORK = 500_000
"""A search is given up after so many steps, each of a node squared: some 10 ms."""


def searched(stated: EditProblem, most: float | None = None) -> Solution | None:
    """Search an edit problem; ``None`` if it is another kind, or takes long.

    Args:
        stated: the problem.
        most: the largest cost of interest; ``None``: any.
    """
    started = time.perf_counter()
    if max(map(len, stated.nodes)) > LARGEST or stated.root is not None:
        return None
    nodes = _labels(stated.node_costs)
    edges = _labels(stated.edge_costs) if nodes is not None else None
    if nodes is None or edges is None or stated.problem.scale != 1:
        return None
    if any(len(e) > 1 for side in stated.edges for e in side.between.values()):
        return None
    if len({*edges[0], *edges[1]}) > MOST_KINDS:
        return None
    sides = [_plain(nodes[k], edges[k], stated.edges[k]) for k in (0, 1)]
    packed = pack_plain(sides)
    room = max(int(packed.sizes.max(initial=1)), 1)
    search = _uniform.Search(*packed.arrays(), room)
    limit = -1 if most is None or most >= stated.replacing_all else max(int(most), 0)
    cost = search.run(0, 1, limit, WORK // room**2)
    if cost < 0:
        return None
    if 0 <= limit < cost:
        bound, alignment = stated.replacing_all - cost, [-1] * len(nodes[0])
        value = 0
    else:
        alignment = _alignment(search.mapping().tolist(), *map(len, nodes))
        alignment = _kept(stated, alignment)
        value = bound = stated.problem.value(tuple(alignment))
        if stated.replacing_all - value != cost:  # the path would cost something else
            return None
    seconds = time.perf_counter() - started
    return Solution(tuple(alignment), value, bound, "auto", "branch", seconds)


def _labels(costs: CostTable) -> tuple[list[int], list[int]] | None:
    """Number what is equal on both sides alike; ``None`` if edits do not cost 1."""
    if not (costs.deletion == 1).all() or not (costs.insertion == 1).all():
        return None
    table = costs.substitution
    if not ((table == 0) | (table == 1)).all():
        return None
    return classes(table == 0)


def _plain(nodes: list[int], edges: list[int], joined: Bundles) -> Plain:
    return Plain(
        nodes,
        [(i, k, edges[e]) for (i, k), (e,) in joined.between.items()],
        joined.directed,
    )


def _alignment(images: list[int], left: int, right: int) -> list[int]:
    """The right node of each left one; the search maps the smaller graph."""
    if left <= right:
        return images
    alignment = [-1] * left
    for j, i in enumerate(images):
        alignment[i] = j
    return alignment


def _kept(stated: EditProblem, alignment: list[int]) -> list[int]:
    """Leave out pairs of nodes that are no candidates, as they save nothing."""
    problem = stated.problem
    known = set(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    return [j if (i, j) in known else -1 for i, j in enumerate(alignment)]
