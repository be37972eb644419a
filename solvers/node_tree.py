"""Search by all partners of one node at a time, where a side's graph is a forest.

The left nodes of a problem are joined where a pair term joins their candidates, and so
are its right nodes.  A tree of long chains, as a lipid is one, falls apart where it
branches: once the partner of such a node is known, its arms hardly matter to each
other.  The kernel of ``bnb`` decides one candidate at a time, most of which say little;
relaxations match arms of one chain to halves of several.

So the node is taken whose absence leaves the smallest pieces, a *centroid* of what is
open.  Each of its candidates makes a part, in which neither its node nor its partner
has others, and there is one part where the node has no partner.  One of them holds each
alignment.  A part is closed by the bounds of ``bnb``, which begin with the split of
weights of the part that it comes from; of one that stays open, the candidates that may
be in a better alignment are kept, and the next node is taken.

Source: Jordan (1869), "Sur les assemblages de lignes", for centroids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import AlignmentProblem, BoolArray, IntArray
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

MOST_OPEN, MOST_TERMS = 50, 5_000_000
"""Limits on the parts that stay open, and on the pair terms of all that are bounded:
some 20 seconds for molecules.  A tree that is not closed by then rarely is later."""

QUICK_NODES, DEEP_NODES = 1, 30
"""Limits on nodes of ``bnb`` in a part: at first, and after deep steps."""

Graph: TypeAlias = dict[int, set[int]]
"""The neighbours of each node."""


class _Open(NamedTuple):
    """A part that is not closed yet.

    Attributes:
        shares: the split of weights that its bounds begin with, if there is one.
        bound: what all of its alignments are worth at most.
        decided: its nodes that have been taken.
    """

    problem: AlignmentProblem
    shares: IntArray | None
    bound: int
    decided: frozenset[int] = frozenset()

    def kept(self, keep: BoolArray) -> _Open:
        """Return the part with some of its candidates."""
        shares = self.shares
        if shares is not None:
            shares = shares[keep[self.problem.first] & keep[self.problem.second]]
        return self._replace(problem=self.problem.restricted(keep), shares=shares)


class NodeTree:
    """Search a problem by the nodes of one side.

    Args:
        progress: that of the whole problem.  It is offered every better alignment, and
            what is worth no more than its goal is closed.
        side: 0 for the left nodes, 1 for the right ones.
    """

    def __init__(self, progress: Progress, side: int) -> None:
        self.progress = progress
        self.side = side
        self._open = self._terms = 0

    def search(self, problem: AlignmentProblem, bound: int) -> Proposal:
        """Return a bound of the problem: the goal if all parts are closed.

        Args:
            bound: one that is known; none that is higher is returned.
        """
        parts = self._narrowed(_Open(problem, None, bound), DEEP_NODES, deep=True)
        while parts and not self._is_spent():
            part = parts.pop()
            if part.bound > self.progress.goal:
                node = _centroid(part, self.side)
                for child in _children(part, self.side, node):
                    parts += self._bounded(child)
        bounds = [self.progress.goal, *(part.bound for part in parts)]
        return Proposal(self.progress.alignment, max(bounds), "branch")

    def _is_spent(self) -> bool:
        is_long = self._open > MOST_OPEN or self._terms > MOST_TERMS
        return is_long or self.progress.is_out_of_time()

    def _bounded(self, child: _Open) -> list[_Open]:
        """Return what is open of a child; all of it once the search is spent."""
        if self._is_spent():
            return [child]
        rest = [
            deep
            for quick in self._narrowed(child, QUICK_NODES)
            for deep in self._narrowed(quick, DEEP_NODES, deep=True)
        ]
        self._open += len(rest)
        return rest

    def _narrowed(self, part: _Open, nodes: int, deep: bool = False) -> list[_Open]:
        """Return what of a part may be better than the goal; empty if nothing is."""
        problem, shares, goal = part.problem, part.shares, self.progress.goal
        self._terms += problem.n_terms
        proposal = BranchAndBound(nodes=nodes).search(
            problem,
            self.progress.of_part(problem, goal),
            above=goal,
            core=False,
            shares=None if shares is None else shares.tolist(),
            deep=deep,
        )
        bound = part.bound
        if proposal.bound is not None:
            bound = min(bound, proposal.bound)
        if bound <= self.progress.goal:
            return []
        if proposal.shares is not None:
            shares = np.array(proposal.shares, dtype=np.int64)
        rest = part._replace(shares=shares, bound=bound)
        if proposal.still_open is None:
            return [rest]
        keep: BoolArray = np.zeros(problem.n_candidates, dtype=np.bool_)
        keep[list(proposal.still_open)] = True
        return [rest.kept(keep)]


def _children(part: _Open, side: int, node: int) -> Iterator[_Open]:
    """Split a part by the partner of a node; the last child has none."""
    problem = part.problem
    (own, _), (other, _) = problem.sides[side], problem.sides[1 - side]
    child, is_free = part._replace(decided=part.decided | {node}), own != node
    for candidate in np.flatnonzero(~is_free):
        keep = is_free & (other != other[candidate])
        keep[candidate] = True
        yield child.kept(keep)
    yield child.kept(is_free)


def _centroid(part: _Open, side: int) -> int:
    """Return the node to take next of a part in which not all are decided.

    Without it, the pieces of the forest of open nodes are the smallest, by the sum of
    their squared sizes; of several, it has the fewest candidates.
    """
    nodes, count = part.problem.sides[side]
    choices = np.bincount(nodes, minlength=count).tolist()
    left = [i for i in range(count) if choices[i] and i not in part.decided]
    is_open = {i for i in left if choices[i] > 1}
    if not is_open:
        return min(left)
    graph = _graph_of(part.problem, side)
    relief = _relief({i: graph[i] & is_open for i in is_open})
    return min(is_open, key=lambda i: (-relief[i], choices[i], i))


def _relief(forest: Graph) -> dict[int, int]:
    """Return by how much each node's absence lessens the sum of squared sizes."""
    relief = {}
    for before in _pieces(forest):
        total = len(before)
        size, squares = dict.fromkeys(before, 1), dict.fromkeys(before, 0)
        for node, parent in reversed(before.items()):
            rest = total - size[node]
            relief[node] = total**2 - squares[node] - rest**2
            size[parent] += size[node]
            squares[parent] += size[node] ** 2
    return relief


def forest_side(problem: AlignmentProblem) -> int | None:
    """Return the side whose graph is a forest and no larger than the other side's.

    The left one if both are; ``None`` if neither is.  Where the larger graph is the
    forest, much of it stays without partner, and its centroids decide little.
    """
    graphs = [_graph_of(problem, side) for side in (0, 1)]
    smallest = min(map(len, graphs))
    for side, graph in enumerate(graphs):
        n_edges = sum(map(len, graph.values())) // 2
        is_forest = n_edges + len(_pieces(graph)) == len(graph)
        if is_forest and len(graph) == smallest:
            return side
    return None


def _graph_of(problem: AlignmentProblem, side: int) -> Graph:
    """Return which nodes of a side are joined, by pair terms of their candidates."""
    nodes, _ = problem.sides[side]
    graph: Graph = defaultdict(set)
    ends = nodes[problem.first].tolist(), nodes[problem.second].tolist()
    for i, k in zip(*ends, strict=True):
        graph[i].add(k)
        graph[k].add(i)
    return graph


def _pieces(graph: Graph) -> list[dict[int, int]]:
    """Return the connected pieces: from which node each is reached, the first first."""
    pieces, seen = [], set[int]()
    for first in graph:
        if first in seen:
            continue
        before, queue = {first: first}, [first]
        for node in queue:
            new = [each for each in graph[node] if each not in before]
            before.update(dict.fromkeys(new, node))
            queue += new
        seen.update(queue)
        pieces.append(before)
    return pieces
