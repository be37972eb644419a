"""The graphs of a bank that are most similar to a query, provably.

For each query the inverted index bounds the score of every graph of the bank.  Graphs
are then scored in descending order of their bounds.  The kernel knows the score that a
graph must reach to be among the best, and stops as soon as it proves that the graph
cannot.  Once the *k*-th best score is no less than every remaining bound, no graph that
was not scored can be among the best.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import InputError
from exactmatch.base.files import check_writable
from exactmatch.base.options import function
from exactmatch.base.result_list import ResultList
from exactmatch.many.bank import Bank
from exactmatch.many.blocks import in_order
from exactmatch.many.comparison import Comparison, for_caller
from exactmatch.many.matrix import condensed, crossed
from exactmatch.many.options import DuplicatesOptions, SearchOptions
from exactmatch.many.packed import (
    Best,
    Floats,
    PackedGraphs,
    PackedScorer,
    UnpackableError,
    score_bounds,
)
from exactmatch.many.scores import ScoreComparison

_shared: Any = kernels.load("exactmatch.engine._shared")

Neighbours: TypeAlias = list[tuple[int, float]]
"""Numbers of graphs and their scores, best first; equal scores by number."""

_FIRST = 64  # graphs, or more, that are sorted by their bounds before the others
_SOLVED_ELSEWHERE = 64  # queries in a task for another process


class Duplicate(NamedTuple):
    """Two graphs of one list that are similar.

    Attributes:
        first, second: their numbers, the smaller one first.
        score: their score.

    >>> import exactmatch
    >>> graphs = ["(b / bark-01)", "(d / dog)", "(x / bark-01)"]
    >>> (pair,) = exactmatch.many.duplicates(graphs)
    >>> pair.first, pair.second, pair.score
    (0, 2, 1.0)
    """

    first: int
    second: int
    score: float


def nearest(options: SearchOptions, comparison: Comparison) -> list[Neighbours]:
    """Find the *k* most similar graphs of a bank, for each query.

    The queries count as predictions and the graphs of the bank as references.  The
    result equals the beginning of the sorted row of :func:`cdist`, bit for bit.  Only
    Smatch bounds all graphs at once; a metric that aligns bounds each graph, and any
    other metric scores each graph.  ``metric="ged"`` computes edit distances, and the
    nearest graphs come first (:func:`exactmatch.ged_search`).

    Returns:
        For each query a list of (index in the bank, score), best first; equal scores
        are ordered by index.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option makes no sense.

    Example:
        >>> import exactmatch
        >>> bank = ["(b / bark-01 :ARG0 (d / dog))", "(c / cat)", "(b / bark-01)"]
        >>> [neighbours] = exactmatch.search(["(b / bark-01)"], bank, k=2)
        >>> [(number, round(score, 2)) for number, score in neighbours]
        [(2, 1.0), (0, 0.67)]
    """
    results: list[Neighbours] = comparison.nearest(options)
    return ResultList(results)


def neighbours(options: SearchOptions, comparison: ScoreComparison) -> list[Neighbours]:
    """Find the *k* most similar graphs of a bank, for each query."""
    sides: list[Any] = [options.queries, options.bank]
    if options.save is not None:
        sides = sides[1:] if options.queries is None else sides
        check_writable(os.fspath(options.save))
    *queries_and_more, bank = comparison.open(*sides)
    if options.save is not None:
        bank = bank if isinstance(bank, Bank) else Bank.read(comparison, bank)
        bank.save(options.save)
    if not queries_and_more:
        comparison.finish()
        return []
    (queries,) = queries_and_more
    k, least = options.most, -math.inf if options.at_least is None else options.at_least
    if isinstance(queries, Bank) and not isinstance(bank, Bank):
        raise InputError(
            "the queries are a bank, and the graphs to search are not; make a bank of "
            "these, too (nearest --save writes one)"
        )
    built = bank if isinstance(bank, Bank) else _build(comparison, bank)
    try:
        if built is None:
            raise UnpackableError
        packed = built.packed(comparison.items(queries, "query"))
    except UnpackableError:
        if built is bank:
            raise
        comparison.forget()
        matrix = crossed(comparison, queries, bank, least if least > 0 else -math.inf)
        return [_best(row, k, least) for row in matrix]
    comparison.finish()
    assert built is not None
    task = partial(_nearest, built, len(built) if k is None else k, least)
    workers, executor = comparison.jobs, comparison.executor
    if workers == 1 and executor is None:
        return task(packed)
    size = _SOLVED_ELSEWHERE if len(packed) > 4 * _SOLVED_ELSEWHERE * workers else 8
    parts = (packed[i : i + size] for i in range(0, len(packed), size))
    return [
        neighbour
        for part in in_order(task, parts, workers, executor)
        for neighbour in part
    ]


search = function("search", SearchOptions, for_caller(nearest))


def alike(options: DuplicatesOptions, comparison: ScoreComparison) -> list[Duplicate]:
    """Find all pairs of graphs of a list that score *at_least* or more.

    In each pair the earlier graph is the prediction, which matters to a metric that is
    not symmetric.

    Returns:
        The pairs, by the numbers of their graphs.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option makes no sense.

    >>> import exactmatch
    >>> graphs = ["(b / bark-01)", "(d / dog)", "(x / bark-01)"]
    >>> [(d.first, d.second) for d in exactmatch.many.duplicates(graphs, 0.9)]
    [(0, 2)]
    """
    least = options.at_least
    (side,) = comparison.open(options.graphs)
    bank = side if isinstance(side, Bank) else _build(comparison, side)
    if bank is None:
        comparison.forget()
        scores = condensed(comparison, side, least)
        (places,) = np.nonzero(scores >= least)
        rows, columns = np.triu_indices(len(side), 1)
        pairs = zip(rows[places], columns[places], scores[places], strict=True)
        return ResultList(
            Duplicate(int(i), int(j), float(score)) for i, j, score in pairs
        )
    comparison.finish()
    task = partial(_near, bank, least)
    numbers = (range(i, min(i + 64, len(bank))) for i in range(0, len(bank), 64))
    parts = in_order(task, numbers, comparison.jobs, comparison.executor)
    return ResultList(duplicate for part in parts for duplicate in part)


duplicates = function("duplicates", DuplicatesOptions, for_caller(alike))


def _build(comparison: ScoreComparison, graphs: Iterable[Any]) -> Bank | None:
    if not comparison.metric.packs:
        return None
    try:
        return Bank.read(comparison, graphs)
    except UnpackableError:
        return None


def _nearest(
    bank: Bank, n_nearest: int, least: float, queries: PackedGraphs
) -> list[Neighbours]:
    searcher = _Searcher(bank, queries)
    return [searcher.best(i, n_nearest, least) for i in range(len(queries))]


def _near(bank: Bank, least: float, numbers: range) -> list[Duplicate]:
    searcher = _Searcher(bank, bank.graphs)
    pairs = []
    for i in numbers:
        similar = searcher.best(i, len(bank), least, after=i)
        pairs += [Duplicate(i, j, score) for j, score in sorted(similar)]
    return pairs


class _Searcher:
    """Searches a bank for the graphs nearest to packed queries, in one thread."""

    def __init__(self, bank: Bank, queries: PackedGraphs) -> None:
        self._bank = bank
        self._queries = queries
        self._totals = bank.graphs.totals
        self._query_totals = queries.totals
        self._scorer = PackedScorer(bank.metric, queries, bank.graphs)

    def best(self, query: int, k: int, least: float, after: int = -1) -> Neighbours:
        """Return the best *k* graphs after *after* that score *least* or more."""
        bounds = self._bounds(query)
        bounds[: after + 1] = -1.0  # below every cutoff: never scored
        best = Best(min(k, len(bounds)), max(least, 0.0))
        for candidates in self._in_order(bounds, best):
            self._scorer.nearest(query, candidates, bounds, best)
        return best.ranked()

    def _bounds(self, query: int) -> Floats:
        """Return upper bounds on scores; a score that reaches its bound equals it."""
        total, bank = int(self._query_totals[query]), self._bank
        profile, n_unary = bank.metric.profile, len(bank.keys.unary)
        if total == 0:
            return np.where(self._totals == 0, profile.score_of_nothing, 0.0)
        matched = np.zeros(len(bank), dtype=np.int32)
        cells, begin = self._queries.cells, int(self._queries.begins[query])
        product = profile.duplicates == "product"
        _shared.shared_bounds(cells, begin, bank.index, n_unary, product, matched)
        return score_bounds(matched, total, self._totals)

    def _in_order(self, bounds: Floats, best: Best) -> Iterator[npt.NDArray[np.int32]]:
        """Yield numbers of graphs by their bounds: a few, then the other candidates."""
        least = best.least
        few = max(_FIRST, 4 * len(best.scores))
        if few >= len(bounds):
            yield _sort(bounds, np.flatnonzero(bounds >= least))
            return
        first = np.argpartition(-bounds, few)[:few]
        limit = bounds[first].min()
        first = np.flatnonzero(bounds > limit)  # graphs with equal bounds stay together
        yield _sort(bounds, first[bounds[first] >= least])
        least = max(least, best.reached)
        yield _sort(bounds, np.flatnonzero((bounds <= limit) & (bounds >= least)))


def _sort(bounds: Floats, numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.int32]:
    """Return numbers of graphs by their bounds, highest first; equal ones by number."""
    order = np.argsort(-bounds[numbers], kind="stable")
    return numbers[order].astype(np.int32)


def _best(row: Floats, k: int | None, least: float) -> Neighbours:
    numbers = np.flatnonzero(row >= least) if least > -math.inf else np.arange(len(row))
    order = numbers[np.argsort(-row[numbers], kind="stable")][:k]
    return [(int(number), float(row[number])) for number in order]
