"""Rings without an image: cuts for the linear relaxation, and a search with them.

The left nodes of a problem are joined where a pair term joins their candidates, and so
are its right nodes.  Where all edges of a cycle are matched, their images are a cycle
of the other side.  A *ring* is a cycle that has no such image; of its edges one at
least is not matched.  With ``Y_e`` the sum of the ``y`` of all pair terms of an edge::

    sum of Y_e over the ring's edges  <=  number of these edges - 1

The aggregated model does not know that: it may match a ring to a chain that bites its
tail at half a candidate.  Rings that a solution violates are looked for among shortest
cycles, where an edge has the length ``1 - Y_e``; whether one has an image is decided by
walking it, from pair term to pair term.

Candidates that the relaxation with all cuts cannot spare are dropped, which may leave
more rings without image; what is left goes to HiGHS, together with the cuts and the
demand to be better than what is known.  There pair terms are integers as well: then
HiGHS sees that the model's rows are cliques, which closes some problems ten times as
fast.

Source: Padberg and Rinaldi (1991), "A branch-and-cut algorithm for the resolution of
large-scale symmetric traveling salesman problems", for cuts that are looked for.
"""

from __future__ import annotations

import heapq
import time
from collections import defaultdict
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from exactmatch.solvers.base import Solver
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.model import (
    AggregatedModel,
    aggregated_model,
    alignment_of,
    floored,
)
from exactmatch.solvers.linear.relaxation import rounded
from exactmatch.solvers.problem import (
    Alignment,
    AlignmentProblem,
    BoolArray,
    FloatArray,
    IntArray,
)
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal

STEPS = 20_000
"""A cycle whose walk needs more steps counts as one with an image."""

ROUNDS = 20
"""So often rings are looked for in one relaxation."""

NODES = 20_000
"""So many nodes the tree of HiGHS may have."""

_SLACK = 1e-6
"""By so much a solution violates a cut at least."""

_SHRUNK = 0.9
"""A problem that has shrunk to this share is relaxed again."""

_OPTIMAL, _LIMIT, _INFEASIBLE = 0, 1, 2
"""What SciPy says of a program."""

Answer: TypeAlias = tuple[int | None, Alignment | None]
"""A bound, ``None`` if there is none; an alignment, if one is better than was known."""

Cycle: TypeAlias = tuple[int, ...]
"""Its nodes in order, from the least towards the smaller one of its neighbours."""


class RingCut(NamedTuple):
    """A cycle of one side that has no image in the other."""

    side: int  # 0: left, 1: right
    nodes: Cycle


class Joints:
    """The graph of one side of a problem, and where walks in it lead on the other.

    Attributes:
        ends: the nodes of each edge, smaller first.
        edge: the edge of each pair term.
    """

    def __init__(self, problem: AlignmentProblem, side: int) -> None:
        (own_nodes, count), (other_nodes, _) = (
            problem.sides[side],
            problem.sides[1 - side],
        )
        ends = np.sort([own_nodes[problem.first], own_nodes[problem.second]], axis=0)
        keys = ends[0].astype(np.int64) * max(count, 1) + ends[1]
        edge_keys, self.edge = np.unique(keys, return_inverse=True)
        self.ends = [divmod(key, max(count, 1)) for key in edge_keys.tolist()]
        self._number = {each: number for number, each in enumerate(self.ends)}
        self._beside: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, (i, k) in enumerate(self.ends):
            self._beside[i].append((k, number))
            self._beside[k].append((i, number))
        self._candidates: dict[int, list[int]] = defaultdict(list)
        nodes = own_nodes.tolist()
        for candidate, node in enumerate(nodes):
            self._candidates[node].append(candidate)
        self._steps: dict[tuple[int, int], list[int]] = defaultdict(list)
        terms = zip(problem.first.tolist(), problem.second.tolist(), strict=True)
        for c, d in terms:
            self._steps[c, nodes[d]].append(d)
            self._steps[d, nodes[c]].append(c)
        self._others = other_nodes.tolist()
        self._has_image: dict[Cycle, bool] = {}

    def edges_of(self, cycle: Cycle) -> list[int] | None:
        """Return the edges of a cycle; ``None`` if one is not there."""
        ends = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
        edges = [self._number.get((min(pair), max(pair)), -1) for pair in ends]
        return None if -1 in edges else edges

    def has_image(self, cycle: Cycle) -> bool:
        """Return whether all edges of a cycle may be matched at once."""
        if cycle not in self._has_image:
            self._has_image[cycle] = self._is_walked(cycle)
        return self._has_image[cycle]

    def _is_walked(self, cycle: Cycle) -> bool:
        """Walk a cycle from its node with the fewest candidates."""
        counts = [len(self._candidates[node]) for node in cycle]
        begin = counts.index(min(counts))
        nodes = (*cycle[begin:], *cycle[:begin])
        steps = 0
        for first in self._candidates[nodes[0]]:
            walks = [(1, first, frozenset((self._others[first],)))]
            while walks:
                place, last, used = walks.pop()
                steps += 1
                if steps > STEPS:
                    return True
                if place == len(nodes):
                    if first in self._steps[last, nodes[0]]:
                        return True
                    continue
                for following in self._steps[last, nodes[place]]:
                    other_node = self._others[following]
                    if other_node not in used:
                        walks.append((place + 1, following, used | {other_node}))
        return False

    def short_cycles(
        self, lengths: FloatArray, max_length: float = 1 - _SLACK
    ) -> set[Cycle]:
        """Return the shortest cycle through each edge, if it is short enough."""
        edge_lengths = lengths.tolist()
        cycles = (
            self._shortest(edge, edge_lengths, max_length)
            for edge in range(len(self.ends))
        )
        return {cycle for cycle in cycles if cycle}

    def _shortest(self, edge: int, lengths: list[float], max_length: float) -> Cycle:
        """Return the shortest cycle through an edge; empty if it is too long.

        Source: Dijkstra (1959), "A note on two problems in connexion with graphs".
        """
        begin, end = self.ends[edge]
        limit = max_length - lengths[edge]
        distance, before = {begin: 0.0}, dict[int, int]()
        heap = [(0.0, begin)] if limit > 0 else []
        while heap:
            far, node = heapq.heappop(heap)
            if node == end:
                cycle = [end]
                while cycle[-1] != begin:
                    cycle.append(before[cycle[-1]])
                return _in_order(cycle)
            if far > distance[node]:
                continue
            for following, other_edge in self._beside[node]:
                new_distance = far + lengths[other_edge]
                is_shorter = new_distance < distance.get(following, limit)
                if other_edge != edge and is_shorter:
                    distance[following], before[following] = new_distance, node
                    heapq.heappush(heap, (new_distance, following))
        return ()


def _in_order(cycle: list[int]) -> Cycle:
    place = cycle.index(min(cycle))
    nodes = [*cycle[place:], *cycle[:place]]
    if nodes[-1] < nodes[1]:
        nodes[1:] = nodes[:0:-1]
    return tuple(nodes)


def has_rings(problem: AlignmentProblem) -> bool:
    """Return whether a shortest cycle of a side has no image in the other."""
    for side in (0, 1):
        joints = Joints(problem, side)
        ones = np.ones(len(joints.ends))
        cycles = joints.short_cycles(ones, max_length=len(joints.ends) + 1.0)
        if not all(map(joints.has_image, cycles)):
            return True
    return False


class Rings(Solver):
    """Search with cuts of rings, for more than the progress is above."""

    name: ClassVar[str] = "rings"
    exact: ClassVar[bool] = True
    summary: ClassVar[str] = "HiGHS on a relaxation with cuts"
    requires: ClassVar[tuple[str, ...]] = ("scipy",)

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        best: int | None = None

        def hear(answer: Answer) -> None:
            nonlocal best
            best, alignment = answer
            if alignment is not None:
                progress.offer(alignment)

        answer = process.run(
            searched,
            problem,
            progress.goal,
            imports=process.SCIPY,
            progress=progress,
            hear=hear,
        )
        if answer is not None:
            hear(answer)
        return Proposal(progress.alignment, best, "milp")


def searched(
    report: process.Report | None,
    seconds: float | None,
    problem: AlignmentProblem,
    goal: int,
) -> Answer:
    """Return a bound, and an alignment if one is worth more than *goal*.

    The bound is *goal* where nothing is worth more.  Called in a process of its own.
    """
    ends = None if seconds is None else time.perf_counter() + seconds
    lattice, cuts, bound = problem.lattice(), list[RingCut](), None
    best: Alignment | None = None
    while True:
        relaxed = _Relaxed(problem, cuts, ends)
        if not relaxed.is_solved:
            return bound, best
        climbed = Progress(problem, Limits())
        rounded(problem, relaxed.chosen, climbed)
        if climbed.value > goal:
            goal, best = climbed.value, climbed.alignment
        bound = max(floored(relaxed.value) // lattice * lattice, goal)
        if report is not None:
            report((bound, best))
        if bound <= goal:
            return goal, best
        keep = relaxed.may_exceed(goal + lattice)
        if np.count_nonzero(keep) > _SHRUNK * len(keep):
            break
        problem = problem.restricted(keep)
    if not cuts:
        return bound, best
    reached, alignment = relaxed.searched(goal, lattice)
    return max(goal, min(bound, reached)), alignment or best


class _Relaxed:
    """The relaxation of a problem with cuts, to which violated ones are added."""

    def __init__(
        self, problem: AlignmentProblem, cuts: list[RingCut], ends: float | None
    ) -> None:
        self.problem, self.model, self._ends = problem, aggregated_model(problem), ends
        self._matrix = self.model.matrix()
        self.joints = Joints(problem, 0), Joints(problem, 1)
        self.is_solved = False
        for _ in range(ROUNDS):
            self.rows = self._rows(cuts)
            if not self._solve():
                return
            new = [cut for cut in self._violated() if cut not in cuts]
            if not new:
                break
            cuts += new
        self.is_solved = True

    def _seconds(self) -> dict[str, float]:
        if self._ends is None:
            return {}
        return {"time_limit": max(self._ends - time.perf_counter(), 0.0)}

    def _rows(self, cuts: list[RingCut]) -> tuple[object, FloatArray]:
        """Return all rows with their right-hand sides: the model's, then the cuts'."""
        from scipy.sparse import csr_array, vstack

        places: list[IntArray] = []
        upper = []
        for side, nodes in cuts:
            joints = self.joints[side]
            edges = joints.edges_of(nodes)
            if edges is not None:
                is_of_ring = np.isin(joints.edge, edges)
                places.append(self.model.n_x + np.flatnonzero(is_of_ring))
                upper.append(len(nodes) - 1.0)
        ends = self.model.upper.astype(np.float64)
        if not places:
            return self._matrix, ends
        starts = np.concatenate(([0], np.cumsum([len(place) for place in places])))
        columns = np.concatenate(places)
        shape = len(places), self.model.n_x + self.model.n_y
        rows = csr_array((np.ones(len(columns)), columns, starts), shape=shape)
        return vstack([self._matrix, rows]), np.concatenate((ends, upper))

    def _solve(self) -> bool:
        from scipy.optimize import linprog

        if not len(self.model.objective):
            self.value, self._columns = 0.0, np.zeros(0)
            self.chosen = self._reduced = np.zeros(0)
            return True
        matrix, upper = self.rows
        result = linprog(
            -self.model.objective.astype(np.float64),
            A_ub=matrix,
            b_ub=upper,
            bounds=(0, 1),
            method="highs-ds",
            options=self._seconds(),
        )
        if result.status != _OPTIMAL:
            return False
        self.value, self._columns = -float(result.fun), result.x
        self.chosen = result.x[: self.model.n_x]
        self._reduced = result.lower.marginals[: self.model.n_x]
        return True

    def _violated(self) -> list[RingCut]:
        matched = self._columns[self.model.n_x :]
        cuts = []
        for side, joints in enumerate(self.joints):
            shares = np.bincount(joints.edge, matched, len(joints.ends))
            for cycle in sorted(joints.short_cycles(np.maximum(1 - shares, 0.0))):
                if not joints.has_image(cycle):
                    cuts.append(RingCut(side, cycle))
        return cuts

    def may_exceed(self, least: int) -> BoolArray:
        """Return which candidates may be in an alignment worth *least* or more."""
        spare = 1e-6 + 1e-9 * abs(self.value)
        keep: BoolArray = self.value - self._reduced >= least - spare
        return keep

    def searched(self, goal: int, lattice: int) -> tuple[int, Alignment | None]:
        """Return a bound, and an alignment worth more than *goal* if one is known."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        model: AggregatedModel = self.model
        weights = model.objective.astype(np.float64)
        matrix, upper = self.rows
        rows = [
            LinearConstraint(matrix, -np.inf, upper),
            LinearConstraint(weights[np.newaxis], goal + 0.99 * lattice, np.inf),
        ]
        result = milp(
            -weights,
            integrality=np.ones(len(weights)),
            bounds=Bounds(0.0, 1.0),
            constraints=rows,
            options={"mip_rel_gap": 0.0, "node_limit": NODES, **self._seconds()},
        )
        if result.status == _INFEASIBLE:
            return goal, None
        reached = floored(self.value) // lattice * lattice
        if result.status in (_OPTIMAL, _LIMIT) and result.mip_dual_bound is not None:
            reached = floored(-result.mip_dual_bound) // lattice * lattice
        if result.x is None:
            return reached, None
        alignment = alignment_of(self.problem, result.x[: model.n_x])
        if result.status == _OPTIMAL:
            reached = self.problem.value(alignment)
        return reached, alignment
