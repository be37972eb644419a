"""Edit distances of many pairs of graphs: matrices and searches.

Every edit costs 1, or what a cost model says (:mod:`exactmatch.edit.costed`).  Where it
costs 1, a compiled search (``_uniform``) takes some hundredths of a millisecond for a
pair of small graphs.  A pair that it does not finish soon goes on to the solver of
:func:`exactmatch.ged`, whose bounds are better on large graphs, and back, until one of
them has proved the distance (:mod:`exactmatch.edit.turns`).

>>> import exactmatch
>>> import networkx
>>> graphs = [networkx.path_graph(4), networkx.cycle_graph(4), networkx.star_graph(3)]
>>> exactmatch.ged_matrix(graphs).tolist()
[[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]]
"""

from __future__ import annotations

import math
import operator
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, function, option, optional, redeclared
from exactmatch.edit.cost_models import COST_MODELS
from exactmatch.edit.costed import CostedGraphs, CostedPairs
from exactmatch.edit.distance import EditDistance, ged
from exactmatch.edit.options import SOLVER, Costs
from exactmatch.edit.packed import Ints, Label, Packed, listed, pack
from exactmatch.edit.turns import Turn, alternate
from exactmatch.solvers import get_solver
from exactmatch.solvers.matching import best_matching

_uniform = kernels.load("exactmatch.edit._uniform")

_OPEN = -1
"""What the kernel says of a pair that it has given up."""

_LARGEST = 128
"""The kernel's tables grow with the cube of this; larger graphs go to the solver."""

_FIRST_STEPS = 2_000
"""So many steps each pair has at first."""

_MOST = 2**30
"""The largest distance that the kernel counts to."""

_CHUNK = 4096
"""Pairs that a thread takes at a time."""

Found: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
"""Distances and lower bounds."""


class Distances(np.ndarray[Any, np.dtype[np.float64]]):
    """A matrix of distances: NaN where one is not proven in time.

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


class Many(Options, purpose="measures"):
    """Which attributes of many graphs are compared, and what edits cost."""

    ALIASES = (("upper_bound", "at_most"),)

    costs: str | None = redeclared(Costs, "costs")
    labels: Label = optional(
        "the attributes of networkx graphs that equal nodes and edges have alike: a "
        "name or several, 'all' or 'none'; default: none, with a warning where there "
        "are some; labels of mappings are compared unless it is 'none'"
    )
    node_label: Label = optional("the same of nodes, where edges have others")
    edge_label: Label = optional("the same of edges, where nodes have others")
    format_in: str | None = optional(
        "the format of texts and files, such as smiles (default of files: by how they "
        "begin)",
        purpose="pairs",
    )
    time_limit: float | None = optional(
        "seconds for each pair that takes long; default: until its distance is proven",
        read=values.positive_float,
        purpose="runs",
    )
    jobs: int = option(
        "threads that share the pairs",
        default=1,
        read=values.positive_int,
        purpose="runs",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = [n for n in ("labels", "node_label", "edge_label") if vars(self)[n]]
        if self.model is not None and given:
            raise InputError(
                f"costs={self.costs!r} has attributes of its own; leave out {given[0]}"
            )
        if self.costs is not None and self.labels is self.model is None:
            vars(self)["labels"] = "all"

    @property
    def model(self) -> str | None:
        """The cost model; ``None`` where every edit costs 1."""
        return self.costs if self.costs and COST_MODELS[self.costs] else None


class MatrixOptions(Many, purpose="opens"):
    """Which distances a matrix has."""

    graphs: Iterable[Any] | os.PathLike[str] = option(
        'networkx graphs, Data of PyTorch Geometric, or mappings such as {"n": 2, '
        '"labels": ["C", "O"], "edges": [[0, 1]]}, in which an edge may have its label '
        "in third place",
        kw_only=False,
    )
    others: Iterable[Any] | os.PathLike[str] | None = option(
        "the graphs of the columns; default: the same, each pair once",
        default=None,
        kw_only=False,
    )
    at_most: float | None = optional(
        "larger distances are infinite, most of them without a search",
        read=values.not_negative,
        purpose="shows",
    )


def matrix(asked: MatrixOptions) -> Distances:
    """Compute the edit distance of every two graphs.

    Each edit costs 1, unless *costs* names a cost model.

    Returns:
        A matrix of distances as floats.  A distance above *at_most* is infinite, and
        one that is not proven in time is NaN.  The attribute ``bounds`` has a lower
        bound of each.

    Raises:
        InputError: if a graph cannot be taken, or an option is wrong.

    Example:
        >>> import exactmatch
        >>> graphs = [{"n": 2, "labels": ["C", "O"], "edges": [[0, 1]]}, {"edges": []}]
        >>> exactmatch.ged_matrix(graphs).tolist()
        [[0.0, 3.0], [3.0, 0.0]]
    """
    rows, is_square = listed(asked.graphs, asked.format_in), asked.others is None
    columns = rows if asked.others is None else listed(asked.others, asked.format_in)
    work = _work(asked, rows if is_square else [*rows, *columns], asked.at_most)
    shape, first = (len(rows), len(columns)), 0 if is_square else len(rows)
    wanted = np.ones(shape, dtype=bool)
    places = np.nonzero(np.triu(wanted, 1) if is_square else wanted)
    pairs = np.stack([places[0], places[1] + first], axis=1).astype(np.intc)
    made, bounds = np.zeros(shape).view(Distances), np.zeros(shape)
    made[places], bounds[places] = work.solved(pairs)
    if is_square:
        made += made.T
        bounds += bounds.T
    made.bounds = bounds
    return made


ged_matrix = function("ged_matrix", MatrixOptions, matrix)


class SearchOptions(Many, purpose="shows"):
    """Which graphs of a bank are near."""

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


def nearest(asked: SearchOptions) -> list[list[tuple[int, float]]]:
    """Find all graphs of a bank that are near to each query, proven to be all.

    Returns:
        For each query a list of (index in the bank, distance), the nearest first.  Of
        equally near graphs, those with the lowest indices are taken.  Distances are
        whole numbers where every edit costs 1.

    Raises:
        InputError: if a graph cannot be taken, an option is wrong, there is neither
            *at_most* nor *k*, or a distance is not proven in time.

    Example:
        >>> import exactmatch
        >>> import networkx
        >>> bank = [networkx.path_graph(n) for n in range(2, 9)]
        >>> exactmatch.ged_search([networkx.cycle_graph(4)], bank, at_most=3)
        [[(2, 1), (1, 3), (3, 3)]]
    """
    if asked.at_most is None and asked.k is None:
        raise InputError("ged_search has no limit; give at_most, or k")
    bank, queries = (
        listed(side, asked.format_in) for side in (asked.bank, asked.queries)
    )
    work = _work(asked, [*bank, *queries], asked.at_most)
    places = range(len(bank), len(bank) + len(queries))
    if isinstance(work, CostedPairs):
        every = np.arange(len(bank), dtype=np.intc)
        return [work.nearest(query, every, asked.k) for query in places]
    return [_near(work.packed, asked, len(bank), query) for query in places]


ged_search = function("ged_search", SearchOptions, nearest)


def _near(
    packed: Packed, asked: SearchOptions, size: int, query: int
) -> list[tuple[int, float]]:
    """Return the answers of one query, for a growing limit until there are enough."""
    pairs = np.stack([np.full(size, query), np.arange(size)], axis=1).astype(np.intc)
    distances, bounds = np.full(size, math.inf), np.zeros(size)
    most = None if asked.at_most is None else min(int(asked.at_most), _MOST)
    limit = 0 if most is None or asked.k is not None else most
    while size:
        open_ones = np.flatnonzero(np.isinf(distances) & (bounds <= limit))
        distances[open_ones], bounds[open_ones] = _Pairs(packed, asked, limit).solved(
            pairs[open_ones]
        )
        if np.isnan(distances).any():
            number = int(np.flatnonzero(np.isnan(distances))[0])
            raise InputError(
                f"the distance of query {query - size + 1} and graph {number + 1} is "
                "not proven in time; give more time_limit, or none"
            )
        within = np.flatnonzero(np.isfinite(distances))
        is_last = limit == most or len(within) == size
        if is_last or (asked.k is not None and len(within) >= asked.k):
            order = within[np.argsort(distances[within], kind="stable")]
            return [(int(n), int(distances[n])) for n in order[: asked.k]]
        rest = bounds[np.isinf(distances)]
        limit = max(limit + 1, int(rest.min()))
        if most is not None:
            limit = min(limit, most)
    return []


class Intervals(NamedTuple):
    """The distances of pairs, as far as they are known.

    Attributes:
        lower, upper: bounds, equal where the distance is proven; the upper one is what
            a path costs.
        seconds: the time that each took; pairs that take no time share theirs.
    """

    lower: npt.NDArray[np.float64]
    upper: npt.NDArray[np.float64]
    seconds: npt.NDArray[np.float64]


def intervals_of(asked: Many, graphs: Sequence[Any]) -> Callable[[Ints], Intervals]:
    """Return what finds the distances of pairs of graphs, as intervals."""
    every = _work(asked, graphs)
    if isinstance(every, CostedPairs):
        costed = every

        def bounded(pairs: Ints) -> Intervals:
            rows = np.array(costed.intervals(pairs), dtype=np.float64).reshape(-1, 3)
            return Intervals(*rows.T)

        return bounded
    packed = every.packed
    edges = packed.totals.reshape(len(packed.sizes), -1).sum(axis=1)

    def find(pairs: Ints) -> Intervals:
        work, started = _Pairs(packed, asked, None), time.perf_counter()
        distances, lower = work.solved(pairs)
        spent = (
            time.perf_counter() - started - math.fsum(s for _, s in work.long.values())
        )
        seconds = np.full(len(pairs), max(spent, 0.0) / max(len(pairs), 1))
        upper = (packed.sizes + edges)[pairs].sum(axis=1).astype(float)
        for place, pair in enumerate(pairs.tolist()):
            if long := work.long.get(tuple(pair)):
                upper[place] = min(upper[place], long[0])
                seconds[place] += long[1]
                if np.isnan(distances[place]):
                    upper[place] = min(upper[place], _path_cost(packed, *pair))
        proven = ~np.isnan(distances)
        lower[proven] = upper[proven] = distances[proven]
        return Intervals(lower, upper, seconds)

    return find


def _path_cost(packed: Packed, first: int, second: int) -> float:
    """Return what an edit path costs that maps nodes of like labels and degrees."""
    small, large = sorted((first, second), key=lambda number: packed.sizes[number])
    (labels, edges), (others, joined) = map(packed.tables, (small, large))
    unlike = labels[:, np.newaxis] != others
    degrees, wanted = ((table > 0).sum(axis=1) for table in (edges, joined))
    apart = np.abs(degrees[:, np.newaxis] - wanted)
    rows, images = best_matching(-(unlike + apart / 2))
    kept = joined[np.ix_(images, images)]
    changed = edges != kept
    missing = np.count_nonzero(joined) - np.count_nonzero(kept)
    halves = changed.sum() + missing
    if packed.sides == 1:  # an edge stands in both directions, a loop once
        loops = np.count_nonzero(np.diag(joined)) - np.count_nonzero(np.diag(kept))
        halves = (halves + np.diag(changed).sum() + loops) / 2
    return float(unlike[rows, images].sum() + len(others) - len(labels) + halves)


def _work(
    asked: Many, graphs: Sequence[Any], at_most: float | None = None
) -> CostedPairs | _Pairs:
    """Read graphs, and return what solves pairs of them."""
    if asked.model is not None:
        costed = CostedGraphs(graphs, asked.model)
        return CostedPairs(costed, asked.jobs, asked.time_limit, at_most)
    sides = (asked.node_label, asked.edge_label)
    packed = pack(graphs, *(asked.labels if one is None else one for one in sides))
    most = None if at_most is None else min(int(at_most), _MOST)
    return _Pairs(packed, asked, most)


@dataclass
class _Pairs:
    """Solves pairs of packed graphs, most of them in the kernel."""

    packed: Packed
    asked: Many
    at_most: int | None
    searches: list[Any] = field(default_factory=list)
    long: dict[tuple[int, int], tuple[float, float]] = field(default_factory=dict)
    """Of pairs that take long, the cheapest path known, and seconds."""

    def solved(self, pairs: Ints) -> Found:
        """Return the distances of pairs, and lower bounds."""
        chunks = [pairs[at : at + _CHUNK] for at in range(0, len(pairs), _CHUNK)]
        if self.asked.jobs == 1 or len(chunks) < 2:
            parts = list(map(self._chunk, chunks))
        else:
            with ThreadPoolExecutor(self.asked.jobs) as threads:
                parts = list(threads.map(self._chunk, chunks))
        if not parts:
            return np.zeros(0), np.zeros(0)
        distances, bounds = (np.concatenate(side) for side in zip(*parts, strict=True))
        return distances, bounds

    def _chunk(self, pairs: Ints) -> Found:
        search, sizes = self._search(), self.packed.sizes
        is_small: npt.NDArray[np.bool_] = np.all(sizes[pairs] <= _LARGEST, axis=1)
        small = np.ascontiguousarray(pairs[is_small])
        found = np.full(len(small), _OPEN, dtype=np.intc)
        least = np.zeros(len(small), dtype=np.intc)
        search.distances(small, found, least, self._limit, _FIRST_STEPS)
        distances, lower = np.full(len(pairs), float(_OPEN)), np.zeros(len(pairs))
        distances[is_small], lower[is_small] = found, least
        for number in np.flatnonzero(distances == _OPEN).tolist():
            kernel = search if is_small[number] else None
            distances[number], lower[number] = self._long(pairs[number], kernel)
        if self.at_most is not None:
            distances[distances > self.at_most] = math.inf
        self.searches.append(search)
        return distances, lower

    @property
    def _limit(self) -> int:
        return -1 if self.at_most is None else self.at_most

    def _search(self) -> Any:
        """Return a search that no other thread uses."""
        with suppress(IndexError):
            return self.searches.pop()
        room = int(self.packed.sizes.max(initial=1))
        return _uniform.Search(*self.packed, max(min(room, _LARGEST), 1))

    def _long(self, pair: Ints, search: Any) -> tuple[float, float]:
        """Return the distance of a pair that takes long, and a lower bound.

        The kernel, if it takes such graphs, and the solver take turns.
        """
        started = time.perf_counter()
        limit = self.asked.time_limit
        one, other = pair.tolist()
        distance, bound, path = math.nan, 0.0, math.inf

        def search_on(seconds: float) -> bool:
            nonlocal distance, bound
            distance, proven = self._by_kernel(search, one, other, seconds)
            bound = max(bound, proven)
            return not math.isnan(distance)

        def solve(seconds: float) -> bool:
            nonlocal distance, bound, path
            result = self._by_solver(one, other, seconds)
            distance = result.distance if result.proven else math.nan
            bound = max(bound, math.ceil(result.bound - 1e-9))
            path = min(path, result.distance)
            return result.proven

        turns = [Turn(solve)] if search is None else [Turn(search_on), Turn(solve)]
        alternate(turns, math.inf if limit is None else started + limit)
        self.long[one, other] = path, time.perf_counter() - started
        return distance, bound

    def _by_kernel(
        self, search: Any, one: int, other: int, seconds: float
    ) -> tuple[float, float]:
        """Return the distance, NaN unless it is proven in time, and a lower bound."""
        ends, steps = time.perf_counter() + seconds, _FIRST_STEPS
        while time.perf_counter() < ends:
            steps *= 4
            distance = search.run(one, other, self._limit, steps)
            if distance != _OPEN:
                return float(distance), float(search.bound)
        return math.nan, float(search.bound)

    def _by_solver(self, one: int, other: int, seconds: float) -> EditDistance:
        return ged(
            self.packed.network(one),
            self.packed.network(other),
            node_match=operator.eq,
            edge_match=operator.eq,
            upper_bound=self.at_most,
            timeout=seconds,
            solver=get_solver(SOLVER),  # without turns of its own
        )
