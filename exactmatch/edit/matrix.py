"""Edit distances of many pairs of graphs: matrices and searches.

Each edit costs 1, or what a cost model says (:mod:`exactmatch.edit.costed`).  If it
costs 1, a compiled search (``_uniform``) takes some hundredths of a millisecond for a
pair of small graphs.  If the search takes long, it takes turns with the solver of
:func:`exactmatch.ged`, whose bounds are better on large graphs, until one of them has
proved the distance (:mod:`exactmatch.edit.turns`).

>>> import exactmatch
>>> import networkx
>>> graphs = [networkx.path_graph(4), networkx.cycle_graph(4), networkx.star_graph(3)]
>>> exactmatch.ged_matrix(graphs).tolist()
[[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]]
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, function, option, optional, redeclared
from exactmatch.base.result_list import ResultList
from exactmatch.edit.cost_models import COST_MODELS
from exactmatch.edit.costed import CostedGraphs, CostedPairs
from exactmatch.edit.distance import EditDistance, ged
from exactmatch.edit.options import SOLVER, Costs
from exactmatch.edit.packed import Ints, Label, Packed, listed, pack
from exactmatch.edit.sharing import over_threads, over_workers, shares_of
from exactmatch.edit.turns import Turn, alternate
from exactmatch.solvers import get_solver
from exactmatch.solvers.matching import best_matching

_uniform = kernels.load("exactmatch.edit._uniform")

_UNPROVEN = -1
"""Returned by the kernel instead of a distance if it ran out of steps."""

_LARGEST = 128
"""Larger graphs go to the solver: the kernel's tables grow with the cube of nodes."""

_FIRST_STEPS = 2_000
"""The number of steps that each pair has at first."""

_MAX_DISTANCE = 2**30
"""The largest distance that the kernel can count."""

_CHUNK_PAIRS = 4096
"""Pairs that a thread takes at a time."""

DistancesAndBounds: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
"""Distances and lower bounds."""


class Distances(np.ndarray[Any, np.dtype[np.float64]]):
    """Matrix of distances, with NaN for those not proven in time.

    Attributes:
        bounds: lower bounds of the distances, of the same shape; ``None`` for a part of
            a matrix.

    >>> import exactmatch
    >>> exactmatch.ged_matrix([{"n": 2, "edges": []}], [{"n": 5, "edges": []}]).bounds
    array([[3.]])
    """

    bounds: npt.NDArray[np.float64] | None

    def __array_finalize__(self, other: Any) -> None:
        self.bounds = None


class ManyOptions(Options, purpose="measures"):
    """Options of all functions that compare many graphs."""

    ALIASES = (("upper_bound", "at_most"),)

    costs: str | None = redeclared(Costs, "costs")
    labels: Label = optional(
        "the attributes of networkx graphs that are compared: one name or several, "
        "'all' (default) or 'none'; the labels of mappings are compared unless it is "
        "'none'"
    )
    node_label: Label = optional(
        "attributes of nodes that are compared; default: labels"
    )
    edge_label: Label = optional(
        "attributes of edges that are compared; default: labels"
    )
    format_in: str | None = optional(
        "the format of texts and files, such as smiles; default for files: recognised "
        "from their first lines",
        purpose="pairs",
    )
    time_limit: float | None = optional(
        "seconds for each pair that takes long; default: until its distance is proven",
        read=values.positive_float,
        purpose="runs",
    )
    jobs: int = option(
        "threads that share the pairs, or the number of an executor's workers",
        default=1,
        read=values.positive_int,
        purpose="runs",
    )
    executor: Executor | None = optional(
        "an executor that does the work instead, such as Dask's or MPI's",
        purpose="runs",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [n for n in ("labels", "node_label", "edge_label") if vars(self)[n]]
        if self.model is not None and names:
            raise InputError(
                f"costs={self.costs!r} has attributes of its own; leave out {names[0]}"
            )

    @property
    def model(self) -> str | None:
        """Cost model; ``None`` where every edit costs 1."""
        return self.costs if self.costs and COST_MODELS[self.costs] else None


class MatrixOptions(ManyOptions, purpose="opens"):
    """Graphs of a matrix of distances, and its limit."""

    graphs: Iterable[Any] | os.PathLike[str] = option(
        'networkx graphs, Data of PyTorch Geometric, or mappings such as {"n": 2, '
        '"labels": ["C", "O"], "edges": [[0, 1]]}, in which an edge may have its label '
        "in third place",
        kw_only=False,
    )
    others: Iterable[Any] | os.PathLike[str] | None = option(
        "the graphs of the columns; default: those of the rows",
        default=None,
        kw_only=False,
    )
    at_most: float | None = optional(
        "larger distances are returned as infinity, which saves most searches",
        read=values.not_negative,
        purpose="shows",
    )


def matrix(options: MatrixOptions) -> Distances:
    """Compute the edit distance of every two graphs.

    Each edit costs 1, unless *costs* names a cost model.

    Returns:
        A matrix of distances as floats.  A distance above *at_most* is infinite, and
        one that is not proven in time is NaN.  The attribute ``bounds`` has a lower
        bound of each.

    Raises:
        InputError: if a graph cannot be read, or an option is wrong.

    Example:
        >>> import exactmatch
        >>> graphs = [{"n": 2, "labels": ["C", "O"], "edges": [[0, 1]]}, {"edges": []}]
        >>> exactmatch.ged_matrix(graphs).tolist()
        [[0.0, 3.0], [3.0, 0.0]]
    """
    rows, is_square = listed(options.graphs, options.format_in), options.others is None
    columns = (
        rows if options.others is None else listed(options.others, options.format_in)
    )
    pair_solver = _pair_solver(
        options, rows if is_square else [*rows, *columns], options.at_most
    )
    shape, first_column = (len(rows), len(columns)), 0 if is_square else len(rows)
    cells = np.ones(shape, dtype=bool)
    cell_indices = np.nonzero(np.triu(cells, 1) if is_square else cells)
    pairs = np.stack([cell_indices[0], cell_indices[1] + first_column], axis=1).astype(
        np.intc
    )
    distances, bounds = np.zeros(shape).view(Distances), np.zeros(shape)
    distances[cell_indices], bounds[cell_indices] = pair_solver.solve(pairs)
    if is_square:
        distances += distances.T
        bounds += bounds.T
    distances.bounds = bounds
    return distances


ged_matrix = function("ged_matrix", MatrixOptions, matrix)


class SearchOptions(ManyOptions, purpose="shows"):
    """Queries, the bank that is searched, and its limits."""

    queries: Iterable[Any] | os.PathLike[str] = option(
        "graphs, as :func:`ged_matrix` takes them", kw_only=False, purpose="opens"
    )
    bank: Iterable[Any] | os.PathLike[str] = option(
        "the graphs that are searched, likewise", kw_only=False, purpose="opens"
    )
    at_most: float | None = option(
        "the largest distance of interest; default: any",
        default=None,
        read=values.not_negative,
        kw_only=False,
    )
    k: int | None = optional(
        "how many of the nearest graphs; default: all within at_most",
        read=values.positive_int,
    )


def nearest(options: SearchOptions) -> list[list[tuple[int, float]]]:
    """Find all graphs of a bank that are near to each query, and prove it.

    Returns:
        For each query a list of (index in the bank, distance), the nearest first.  Of
        equally near graphs, those with the lowest indices are taken.  Distances are
        whole numbers where every edit costs 1.

    Raises:
        InputError: if a graph cannot be read, an option is wrong, there is neither
            *at_most* nor *k*, or a distance is not proven in time.

    Example:
        >>> import exactmatch
        >>> import networkx
        >>> bank = [networkx.path_graph(n) for n in range(2, 9)]
        >>> exactmatch.ged_search([networkx.cycle_graph(4)], bank, at_most=3)
        [[(2, 1), (1, 3), (3, 3)]]
    """
    if options.at_most is None and options.k is None:
        raise InputError("ged_search needs a limit; give at_most, or k")
    bank, queries = (
        listed(side, options.format_in) for side in (options.bank, options.queries)
    )
    pair_solver = _pair_solver(options, [*bank, *queries], options.at_most)
    query_numbers = range(len(bank), len(bank) + len(queries))
    sequential = options.replace(executor=None, jobs=1) if options.executor else options
    if isinstance(pair_solver, CostedPairs):
        bank_numbers = np.arange(len(bank), dtype=np.intc)
        find = partial(
            _near_by_costs, pair_solver.in_one_thread(), bank_numbers, options.k
        )
    else:
        find = partial(_near, pair_solver.packed, sequential, len(bank))
    if options.executor is None:
        return ResultList(find(query) for query in query_numbers)
    return ResultList(over_workers(find, query_numbers, options.jobs, options.executor))


ged_search = function("ged_search", SearchOptions, nearest)


def _near_by_costs(
    solver: CostedPairs, bank: Ints, k: int | None, query: int
) -> list[tuple[int, float]]:
    return solver.nearest(query, bank, k)


def _near(
    packed: Packed, options: SearchOptions, size: int, query: int
) -> list[tuple[int, float]]:
    """Return the graphs nearest to a query; raise the limit until enough are within."""
    pairs = np.stack([np.full(size, query), np.arange(size)], axis=1).astype(np.intc)
    distances, bounds = np.full(size, math.inf), np.zeros(size)
    largest = (
        None if options.at_most is None else min(int(options.at_most), _MAX_DISTANCE)
    )
    limit = 0 if largest is None or options.k is not None else largest
    while size:
        unknown = np.flatnonzero(np.isinf(distances) & (bounds <= limit))
        distances[unknown], bounds[unknown] = PackedPairs(packed, options, limit).solve(
            pairs[unknown]
        )
        if np.isnan(distances).any():
            number = int(np.flatnonzero(np.isnan(distances))[0])
            raise InputError(
                f"the distance of query {query - size + 1} and graph {number + 1} is "
                "not proven in time; raise or drop time_limit"
            )
        within = np.flatnonzero(np.isfinite(distances))
        is_last = limit == largest or len(within) == size
        if is_last or (options.k is not None and len(within) >= options.k):
            order = within[np.argsort(distances[within], kind="stable")]
            return [(int(n), int(distances[n])) for n in order[: options.k]]
        farther = bounds[np.isinf(distances)]
        limit = max(limit + 1, int(farther.min()))
        if largest is not None:
            limit = min(limit, largest)
    return []


class Intervals(NamedTuple):
    """Distances of pairs, as intervals.

    Attributes:
        lower, upper: bounds, equal where the distance is proven; the upper one is the
            cost of an edit path.
        seconds: the time of each pair; for quick pairs, their mean time.
    """

    lower: npt.NDArray[np.float64]
    upper: npt.NDArray[np.float64]
    seconds: npt.NDArray[np.float64]


def intervals_of(
    options: ManyOptions, graphs: Sequence[Any]
) -> Callable[[Ints], Intervals]:
    """Return a function that computes distances of pairs of graphs, as intervals."""
    solver = _pair_solver(options, graphs)
    if isinstance(solver, CostedPairs):
        costed = solver

        def find_costed(pairs: Ints) -> Intervals:
            rows = np.array(costed.intervals(pairs), dtype=np.float64).reshape(-1, 3)
            return Intervals(*rows.T)

        return find_costed
    packed = solver.packed
    edges = packed.totals.reshape(len(packed.sizes), -1).sum(axis=1)

    def find(pairs: Ints) -> Intervals:
        pair_solver, started = PackedPairs(packed, options, None), time.perf_counter()
        distances, lower = pair_solver.solve(pairs)
        quick_seconds = (
            time.perf_counter()
            - started
            - math.fsum(s for _, s in pair_solver.slow.values())
        )
        seconds = np.full(len(pairs), max(quick_seconds, 0.0) / max(len(pairs), 1))
        upper = (packed.sizes + edges)[pairs].sum(axis=1).astype(float)
        for number, pair in enumerate(pairs.tolist()):
            if slow := pair_solver.slow.get(tuple(pair)):
                upper[number] = min(upper[number], slow[0])
                seconds[number] += slow[1]
                if np.isnan(distances[number]):
                    upper[number] = min(upper[number], _path_cost(packed, *pair))
        proven = ~np.isnan(distances)
        lower[proven] = upper[proven] = distances[proven]
        return Intervals(lower, upper, seconds)

    return find


def _path_cost(packed: Packed, first: int, second: int) -> float:
    """Return the cost of an edit path that matches nodes by label and degree."""
    small, large = sorted((first, second), key=lambda number: packed.sizes[number])
    (small_labels, small_edges), (large_labels, large_edges) = map(
        packed.tables, (small, large)
    )
    labels_differ = small_labels[:, np.newaxis] != large_labels
    small_degrees, large_degrees = (
        (table > 0).sum(axis=1) for table in (small_edges, large_edges)
    )
    degree_gaps = np.abs(small_degrees[:, np.newaxis] - large_degrees)
    rows, images = best_matching(-(labels_differ + degree_gaps / 2))
    kept = large_edges[np.ix_(images, images)]
    changed = small_edges != kept
    missing = np.count_nonzero(large_edges) - np.count_nonzero(kept)
    edge_edits = changed.sum() + missing
    if packed.sides == 1:  # an edge stands in both directions, a loop once
        loops = np.count_nonzero(np.diag(large_edges)) - np.count_nonzero(np.diag(kept))
        edge_edits = (edge_edits + np.diag(changed).sum() + loops) / 2
    return float(
        labels_differ[rows, images].sum()
        + len(large_labels)
        - len(small_labels)
        + edge_edits
    )


def _pair_solver(
    options: ManyOptions, graphs: Sequence[Any], at_most: float | None = None
) -> CostedPairs | PackedPairs:
    """Read graphs, and return the solver of pairs of them."""
    if options.model is not None:
        costed = CostedGraphs(graphs, options.model)
        limits = options.time_limit, at_most
        return CostedPairs(costed, options.jobs, *limits, executor=options.executor)
    sides = (options.node_label, options.edge_label)
    packed = pack(
        graphs, *(options.labels if label is None else label for label in sides)
    )
    limit = None if at_most is None else min(int(at_most), _MAX_DISTANCE)
    return PackedPairs(packed, options, limit)


@dataclass
class PackedPairs:
    """Solver of pairs of packed graphs, which solves most of them in the kernel."""

    packed: Packed
    options: ManyOptions
    at_most: int | None
    searches: list[Any] = field(default_factory=list)
    slow: dict[tuple[int, int], tuple[float, float]] = field(default_factory=dict)
    """Pairs that took long: the cost of the cheapest path known, and seconds."""

    def solve(self, pairs: Ints) -> DistancesAndBounds:
        """Return the distances of pairs, and lower bounds."""
        jobs, executor = self.options.jobs, self.options.executor
        chunks = shares_of(pairs, _CHUNK_PAIRS, jobs, executor)
        if executor is None:
            parts = list(over_threads(self._solve_chunk, chunks, jobs))
        else:
            sequential = self.options.replace(executor=None, jobs=1)
            solve_chunk = partial(
                _solve_in_worker, self.packed, sequential, self.at_most
            )
            parts = []
            for part, slow in over_workers(solve_chunk, chunks, jobs, executor):
                parts.append(part)
                self.slow |= slow
        if not parts:
            return np.zeros(0), np.zeros(0)
        distances, bounds = (np.concatenate(side) for side in zip(*parts, strict=True))
        return distances, bounds

    def _solve_chunk(self, pairs: Ints) -> DistancesAndBounds:
        search, sizes = self._search(), self.packed.sizes
        is_small: npt.NDArray[np.bool_] = np.all(sizes[pairs] <= _LARGEST, axis=1)
        small = np.ascontiguousarray(pairs[is_small])
        small_distances = np.full(len(small), _UNPROVEN, dtype=np.intc)
        small_bounds = np.zeros(len(small), dtype=np.intc)
        search.distances(
            small, small_distances, small_bounds, self._limit, _FIRST_STEPS
        )
        distances, lower = np.full(len(pairs), float(_UNPROVEN)), np.zeros(len(pairs))
        distances[is_small], lower[is_small] = small_distances, small_bounds
        for number in np.flatnonzero(distances == _UNPROVEN).tolist():
            kernel = search if is_small[number] else None
            distances[number], lower[number] = self._solve_slow(pairs[number], kernel)
        if self.at_most is not None:
            distances[distances > self.at_most] = math.inf
        self.searches.append(search)
        return distances, lower

    @property
    def _limit(self) -> int:
        return -1 if self.at_most is None else self.at_most

    def _search(self) -> Any:
        """Return a search object that no other thread uses."""
        with suppress(IndexError):
            return self.searches.pop()
        room = int(self.packed.sizes.max(initial=1))
        return _uniform.Search(*self.packed, max(min(room, _LARGEST), 1))

    def _solve_slow(self, pair: Ints, search: Any) -> tuple[float, float]:
        """Return the distance of a pair that takes long, and a lower bound.

        The kernel, if it takes such graphs, and the solver take turns.
        """
        started = time.perf_counter()
        limit = self.options.time_limit
        first, second = pair.tolist()
        distance, bound, path_cost = math.nan, 0.0, math.inf

        def search_on(seconds: float) -> bool:
            nonlocal distance, bound
            distance, proven_bound = self._by_kernel(search, first, second, seconds)
            bound = max(bound, proven_bound)
            return not math.isnan(distance)

        def solve(seconds: float) -> bool:
            nonlocal distance, bound, path_cost
            result = self._by_solver(first, second, seconds)
            distance = result.distance if result.proven else math.nan
            bound = max(bound, math.ceil(result.bound - 1e-9))
            path_cost = min(path_cost, result.distance)
            return result.proven

        turns = [Turn(solve)] if search is None else [Turn(search_on), Turn(solve)]
        alternate(turns, math.inf if limit is None else started + limit)
        self.slow[first, second] = path_cost, time.perf_counter() - started
        return distance, bound

    def _by_kernel(
        self, search: Any, first: int, second: int, seconds: float
    ) -> tuple[float, float]:
        """Return the distance, NaN unless it is proven in time, and a lower bound."""
        ends, steps = time.perf_counter() + seconds, _FIRST_STEPS
        while time.perf_counter() < ends:
            steps *= 4
            distance = search.run(first, second, self._limit, steps)
            if distance != _UNPROVEN:
                return float(distance), float(search.bound)
        return math.nan, float(search.bound)

    def _by_solver(self, first: int, second: int, seconds: float) -> EditDistance:
        return ged(
            self.packed.network(first),
            self.packed.network(second),
            node_match="all",
            edge_match="all",
            upper_bound=self.at_most,
            timeout=seconds,
            solver=get_solver(SOLVER),  # this solver does not call the kernel itself
        )


def _solve_in_worker(
    packed: Packed, options: ManyOptions, at_most: int | None, pairs: Ints
) -> tuple[DistancesAndBounds, dict[tuple[int, int], tuple[float, float]]]:
    """Solve pairs in a worker; return their distances, and its ``slow`` pairs."""
    solver = PackedPairs(packed, options, at_most)
    return solver.solve(pairs), solver.slow
