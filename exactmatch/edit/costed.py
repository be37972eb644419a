"""Edit distances of many pairs of graphs under a named cost model.

Each graph is read once: its edges, and the kind of each node and edge, as a number.
The costs of editing kinds are computed once for all pairs, where there are few kinds.
So the problem of a pair is made from tables, for the solver of :func:`exactmatch.ged`.
Pairs that a bound proves further apart than the largest distance of interest get no
problem at all.
"""

from __future__ import annotations

import bisect
import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.edit.cost_models import BOND_COSTS, LEFT_OUT
from exactmatch.edit.costs import CostTable, Thing, alike, cost_table
from exactmatch.edit.distance import solve_edits
from exactmatch.edit.options import SOLVER, GedOptions
from exactmatch.edit.packed import Ints, has_parallel_edges, plain_network
from exactmatch.edit.problem import Bundles, EditProblem, Sides, check_sizes, problem_of
from exactmatch.edit.sharing import over_threads, over_workers, shares_of
from exactmatch.edit.stars import Stars
from exactmatch.formats.sets import graph_of
from exactmatch.solvers import get_solver
from exactmatch.solvers.solution import Limits

Floats: TypeAlias = npt.NDArray[np.float64]

_FEW = 500
"""Costs of all kinds are computed beforehand where there are no more kinds."""

_CHUNK = 256
"""Pairs that a thread takes at a time."""


class Interval(NamedTuple):
    """Bounds of a distance, equal where it is proven, and seconds of the search."""

    lower: float
    upper: float
    seconds: float


class Kinds:
    """Kinds of all nodes, or of all edges, and the costs of their edits.

    Attributes:
        numbers: of each graph, the kind of each of its things.
    """

    def __init__(
        self, options: GedOptions, what: str, things: Sequence[Sequence[Thing]]
    ) -> None:
        flat, kinds = alike([thing for graph in things for thing in graph])
        ends = np.cumsum([len(graph) for graph in things], dtype=np.intp)[:-1]
        self.numbers = np.split(np.array(flat, dtype=np.intp), ends) if things else []
        self._options, self._what = options, what
        self._kinds: list[Thing] = list(enumerate(kinds))
        self._table = None
        if len(kinds) <= _FEW:
            self._table = cost_table(options, what, self._kinds, self._kinds)

    def table(self, first: int, second: int) -> CostTable:
        """Return the costs of all edits of two graphs."""
        rows, columns = self.numbers[first], self.numbers[second]
        table = self._table
        if table is None:  # the kinds of these graphs alone
            (left, rows), (right, columns) = (
                np.unique(numbers, return_inverse=True) for numbers in (rows, columns)
            )
            sides = ([self._kinds[n] for n in part] for part in (left, right))
            table = cost_table(self._options, self._what, *sides)
        ends = table.deletion[rows], table.insertion[columns]
        return CostTable(*ends, table.substitution[np.ix_(rows, columns)])


class CostedGraphs:
    """Graphs that are compared with one another under a cost model.

    Raises:
        InputError: if a graph cannot be read, some are directed and others are not, or
            a node or an edge lacks an attribute that the model needs.
    """

    def __init__(self, graphs: Sequence[Any], costs: str) -> None:
        networks = [_network(graph, number) for number, graph in enumerate(graphs)]
        leave_out = LEFT_OUT.get(costs)
        if leave_out is not None:
            networks = [leave_out(network) for network in networks]
        directed = {network.is_directed() for network in networks}
        if len(directed) > 1:
            raise InputError(
                "some graphs are directed and others are not; make all of them the "
                "same, for example with to_directed()"
            )
        self.networks = networks
        self.bundles = [Bundles(network) for network in networks]
        options = GedOptions(None, None, costs=costs)
        nodes = [list(network.nodes(data=True)) for network in networks]
        edges = [
            [(e, network.edges[e]) for e in bundles.names]
            for network, bundles in zip(networks, self.bundles, strict=True)
        ]
        self.nodes = Kinds(options, "node", nodes)
        self.edges = Kinds(options, "edge", edges)
        self.names = [list(network) for network in networks]
        weigh = BOND_COSTS.get(costs)
        is_simple = True not in directed and not any(map(_is_odd, networks))
        self.stars = Stars(networks, weigh) if weigh and is_simple else None

    def problem_of(self, first: int, second: int) -> EditProblem:
        """Return the alignment problem of the edit distance of two graphs."""
        nodes = self.names[first], self.names[second]
        edges = self.bundles[first], self.bundles[second]
        check_sizes(
            (len(nodes[0]), len(nodes[1])), (len(edges[0].names), len(edges[1].names))
        )
        tables = self.nodes.table(first, second), self.edges.table(first, second)
        sides = Sides(nodes, edges, *tables)
        return problem_of(sides)


def _network(graph: Any, number: int) -> Any:
    if isinstance(graph, Mapping):
        return graph_of(dict(graph), f"graph {number + 1}")
    return plain_network(graph, number)


def _is_odd(graph: Any) -> bool:
    """Return whether a graph has parallel edges or self-loops."""
    return has_parallel_edges(graph) or any(u == v for u, v in graph.edges())


@dataclass
class CostedPairs:
    """Solver of pairs of graphs, up to a largest distance of interest.

    Attributes:
        at_most: the largest distance of interest; ``None``: any.
        seconds: the time limit of each pair.
        jobs: how many threads share the pairs, or workers of the executor.
        executor: the executor that solves them, if any.
    """

    graphs: CostedGraphs
    jobs: int = 1
    seconds: float | None = None
    at_most: float | None = None
    solver: Any = field(default_factory=lambda: get_solver(SOLVER))
    executor: Executor | None = None

    def solve(self, pairs: Ints) -> tuple[Floats, Floats]:
        """Return the distances of pairs, and lower bounds.

        A distance is infinite above *at_most*, and NaN if it is not proven in time.
        """
        intervals = self.intervals(pairs)
        lower = np.array([interval.lower for interval in intervals])
        upper = np.array([interval.upper for interval in intervals])
        distances = np.where(lower == upper, upper, math.nan)
        if self.at_most is not None:
            distances[lower > self.at_most] = math.inf
        return distances, lower

    def intervals(self, pairs: Ints) -> list[Interval]:
        """Return bounds on the distances of pairs."""
        chunks = shares_of(pairs, _CHUNK, self.jobs, self.executor)
        if self.executor is None:
            parts = over_threads(self._chunk, chunks, self.jobs)
        else:
            solve = self.in_one_thread()._chunk
            parts = over_workers(solve, chunks, self.jobs, self.executor)
        return list(chain.from_iterable(parts))

    def in_one_thread(self) -> CostedPairs:
        """Return the same solver for one thread, which can be sent to a worker."""
        return replace(self, jobs=1, executor=None)

    def _chunk(self, pairs: Ints) -> list[Interval]:
        lower_bounds = self._by_counts(pairs)
        ends = zip(pairs.tolist(), lower_bounds.tolist(), strict=True)
        return [
            self.pair(i, k, self.at_most, lower_bound) for (i, k), lower_bound in ends
        ]

    def _by_counts(self, pairs: Ints) -> Floats:
        stars = self.graphs.stars
        return np.zeros(len(pairs)) if stars is None else stars.by_counts(pairs)

    def pair(
        self, first: int, second: int, largest: float | None, lower_bound: float = 0.0
    ) -> Interval:
        """Return bounds on the distance of a pair.

        Args:
            first, second: the numbers of the graphs.
            largest: the largest distance of interest; for larger ones the lower bound
                is larger, too.
            lower_bound: a lower bound that is known.
        """
        started = time.perf_counter()
        if (
            largest is not None
            and lower_bound <= largest
            and self.graphs.stars is not None
        ):
            lower_bound = max(lower_bound, self.graphs.stars.by_stars(first, second))
        if largest is not None and lower_bound > largest:
            return Interval(lower_bound, math.inf, time.perf_counter() - started)
        pair_problem = self.graphs.problem_of(first, second)
        above = 0
        if largest is not None:  # a sum of costs has the last bits of its own order
            above = pair_problem.useless_value(largest + largest * 2**-50)
        limits = Limits(seconds=self.seconds, above=above)
        solution = solve_edits(pair_problem, self.solver, limits, largest)
        upper = pair_problem.cost(solution.alignment, solution.value)
        lower = min(pair_problem.least_cost(solution.bound), upper)
        if solution.is_optimal:
            lower = upper
        return Interval(max(lower, lower_bound), upper, time.perf_counter() - started)

    def nearest(self, query: int, bank: Ints, k: int | None) -> list[tuple[int, float]]:
        """Return place in the bank and distance of the nearest graphs.

        These are all that are no further than *at_most*, or *k* of them.  Of equally
        near ones those that come first in the bank are taken.

        Raises:
            InputError: if a distance on which the answer depends is not proven in time.
        """
        pairs = np.stack([np.full(len(bank), query), bank], axis=1)
        lower_bounds = self._by_counts(pairs)
        limit = math.inf if self.at_most is None else self.at_most
        best: list[tuple[float, int]] = []
        for number in np.argsort(lower_bounds, kind="stable").tolist():
            if lower_bounds[number] > limit:
                break
            largest = None if math.isinf(limit) else limit
            interval = self.pair(
                query, int(bank[number]), largest, float(lower_bounds[number])
            )
            if interval.lower > limit:
                continue
            if interval.lower < interval.upper:
                raise InputError(
                    f"the distance of query {query - len(bank) + 1} and graph "
                    f"{number + 1} is not proven in time; raise or drop time_limit"
                )
            bisect.insort(best, (interval.upper, number))
            if k is not None:
                del best[k:]
            if len(best) == k:
                limit = min(limit, best[-1][0])
        return [(number, distance) for distance, number in best]
