"""Graphs packed for the kernel that scores many pairs, and the keys they share.

``_packing.py`` describes packed graphs.  Packing pays where a graph meets more than a
few others: all work on one graph alone is done once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError, InputError
from exactmatch.base.limits import MAX_TERMS
from exactmatch.engine.align import solve_arrays

_packing: Any = kernels.load("exactmatch.engine._packing")
_pairs: Any = kernels.load("exactmatch.engine._pairs")
_matched: Any = kernels.load("exactmatch.engine._matched")

Floats = npt.NDArray[np.float64]

_HEAD = 4  # numbers before the first key of a packed graph; see _packing.py


@dataclass(slots=True)
class Keys:
    """The numbers of concepts and of roles with constants (*unary*), and of roles."""

    unary: dict[Any, int] = field(default_factory=dict)
    roles: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class PackedGraphs:
    """The numbers of packed graphs, one behind the other."""

    cells: npt.NDArray[np.int32]
    begins: npt.NDArray[np.int64]  # where each begins, and where the last one ends

    def __len__(self) -> int:
        return len(self.begins) - 1

    @property
    def totals(self) -> npt.NDArray[np.int64]:
        """The number of triples of each graph that count."""
        return self.cells[self.begins[:-1] + 1].astype(np.int64)

    def __getitem__(self, key: slice) -> "PackedGraphs":
        start, end, _ = key.indices(len(self))
        begins = self.begins[start : max(start, end) + 1]
        cells = self.cells[begins[0] : begins[-1]]
        return PackedGraphs(cells, begins - begins[0])


class UnpackableError(InputError):
    """A graph restricts which nodes may align, which packed graphs cannot express."""


def pack(metric: Any, items: Iterable[Any], keys: Keys, learn: bool) -> PackedGraphs:
    """Pack graphs that the metric has read, one after another.

    With *learn*, new keys get numbers; without, a triple with a new key only counts
    towards its graph's total, because no packed graph has that key.

    Raises:
        UnpackableError: if a graph is a document with sentences or constants.
    """
    parts = []
    for number, item in enumerate(items):
        coded = metric.prepare(item)
        document = coded.graph.document
        if document is not None and (document.sentences or document.constants):
            raise UnpackableError(
                f"graph {number + 1} is a document, which says what may be aligned; no "
                "bank holds or finds it, so name graphs in the place of the bank"
            )
        parts.append(_packing.pack(coded, keys.unary, keys.roles, learn))
    return _join(parts)


def _join(parts: Sequence[npt.NDArray[np.int32]]) -> PackedGraphs:
    begins = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in parts], out=begins[1:])
    empty = np.zeros(
        1, dtype=np.int32
    )  # the kernel needs an address even for no graphs
    return PackedGraphs(np.concatenate([*parts, empty])[: begins[-1] or 1], begins)


def recode(graphs: PackedGraphs, own_keys: Keys, shared: Keys) -> PackedGraphs:
    """Renumber packed graphs from their *own_keys* keys to *shared* ones.

    A triple whose key is none of these only counts towards its graph's total.  Other
    threads may add keys meanwhile.
    """
    numbers = [
        np.array([shared_keys.get(key, -1) for key in list(keys)], dtype=np.int32)
        for keys, shared_keys in (
            (own_keys.unary, shared.unary),
            (own_keys.roles, shared.roles),
        )
    ]
    ends = zip(graphs.begins[:-1], graphs.begins[1:], strict=True)
    return _join([_recode(graphs.cells[start:end], numbers) for start, end in ends])


def _recode(
    cells: npt.NDArray[np.int32], numbers: list[npt.NDArray[np.int32]]
) -> npt.NDArray[np.int32]:
    """Return one packed graph with other numbers for its keys."""
    heads, carried = [], []
    at = _HEAD
    for count, number in zip(cells[2:4].tolist(), numbers, strict=True):
        keys, sums, peaks = cells[at : at + 3 * count].reshape(3, count)
        begins = cells[at + 3 * count : at + 4 * count + 1]
        new = number[keys] if count else keys
        order = np.argsort(new, kind="stable")
        order = order[new[order] >= 0]
        heads.append((new[order], sums[order], peaks[order]))
        carried.append([cells[begins[k] : begins[k + 1]] for k in order])
        at += 4 * count + 1
    kept = [len(runs) for runs in carried]
    place = _HEAD + 4 * sum(kept) + 2
    columns = [np.array([*cells[:2], *kept], dtype=np.int32)]
    for head, runs in zip(heads, carried, strict=True):
        ends = place + np.cumsum([0, *map(len, runs)], dtype=np.int32)
        columns += [*head, ends.astype(np.int32)]
        place = int(ends[-1])
    return np.concatenate([*columns, *carried[0], *carried[1]])


def index_of(graphs: PackedGraphs, keys: Keys) -> tuple[npt.NDArray[Any], ...]:
    """Build the inverted index: for each key, the graphs that have it, and how often.

    Returns:
        The place where the postings of each key begin (roles after all other keys),
        and the graph of each posting, with the key's sum and its peak there.
    """
    n_unary, n = len(keys.unary), len(keys.unary) + len(keys.roles)
    index: tuple[npt.NDArray[Any], ...]
    index = _packing.postings(graphs.cells, graphs.begins, n_unary, n)
    return index


def score_bounds(
    matched: npt.NDArray[np.int32], total: int, totals: npt.NDArray[np.int64]
) -> Floats:
    """Return upper bounds on the scores of one graph with each of many.

    At most *matched* triples match; the graphs have *total* and *totals* triples.
    """
    out = np.empty(len(matched))
    _pairs.bounds_of(matched, total, totals, out)
    return out


class Best:
    """The best scores so far, at most *most* of them: a heap with the worst on top.

    No score below *least* is kept.
    """

    def __init__(self, size: int, least: float) -> None:
        self.least = least
        self.scores = np.empty(size)
        self.numbers = np.empty(size, dtype=np.int32)
        self.count = 0

    @property
    def reached(self) -> float:
        """The score that a further graph must reach; 0 while there is room."""
        return float(self.scores[0]) if self.count == len(self.scores) else 0.0

    def ranked(self) -> list[tuple[int, float]]:
        """Return numbers of graphs and scores, best first; equal scores by number."""
        scores, numbers = self.scores[: self.count], self.numbers[: self.count]
        order = np.lexsort((numbers, -scores))
        return list(zip(numbers[order].tolist(), scores[order].tolist(), strict=True))


class PackedScorer:
    """Scores packed graphs of the left with those of the right, in one thread."""

    def __init__(
        self,
        metric: Any,
        left: PackedGraphs,
        right: PackedGraphs,
        first: tuple[int, int] = (0, 0),  # numbers of the first graphs, for messages
    ) -> None:
        self._first = first
        self._metric = metric
        self._matcher = _pairs.Matcher(
            left.cells,
            left.begins,
            right.cells,
            right.begins,
            metric.profile.duplicates == "product",
            metric.profile.score_of_nothing,
            MAX_TERMS if metric.max_terms is None else metric.max_terms,
        )

    def bound(self, i: int, j: int) -> float:
        """Return an upper bound on a pair's score, from the keys that both have."""
        return float(self._matcher.bound(i, j))

    def scores(
        self, i: int, right_numbers: npt.NDArray[np.int32], cutoff: float, below: float
    ) -> Floats:
        """Score left graph *i* with some of the right ones.

        A pair that is proved to score less than the cutoff is not solved, and reported
        as *below*.

        Raises:
            InputError: if a pair has more pair terms than allowed.
            CertificationError: if the value of an alignment, recounted from the
                triples, is not the one that the search reports.
        """
        out = np.empty(len(right_numbers))
        at = 0
        while at < len(right_numbers):
            status, at = self._matcher.scores(i, right_numbers, at, cutoff, below, out)
            if status:
                out[at] = self._elsewhere(
                    status, i, int(right_numbers[at]), cutoff, below
                )
                at += 1
        return out

    def nearest(
        self, i: int, right_numbers: npt.NDArray[np.int32], bounds: Floats, best: Best
    ) -> None:
        """Score left graph *i* with those of the right ones that may be among the best.

        The *right_numbers* come in descending order of the *bounds* on their scores.
        """
        at = 0
        while at < len(right_numbers):
            status, at, best.count = self._matcher.nearest(
                i,
                right_numbers,
                at,
                bounds,
                best.least,
                best.scores,
                best.numbers,
                best.count,
            )
            if status:
                j = int(right_numbers[at])
                reach = max(best.least, best.reached)
                score = self._elsewhere(status, i, j, reach, -1.0)
                if score >= reach:
                    best.count = self._matcher.keep(
                        best.scores, best.numbers, best.count, score, j
                    )
                at += 1

    def counts(
        self, lefts: npt.NDArray[np.int32], rights: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int64]:
        """Count the triples that match, pair by pair, and those of either graph."""
        out = np.zeros((len(lefts), 3), dtype=np.int64)
        at = 0
        while at < len(lefts):
            status, at = self._matcher.counts(lefts, rights, at, out)
            if status:
                out[at, 0] = self._solve(status, int(lefts[at]), int(rights[at]))
                at += 1
        return out

    def _elsewhere(
        self, status: int, i: int, j: int, cutoff: float, below: float
    ) -> float:
        score = float(self._matcher.f1(i, j, self._solve(status, i, j)))
        return below if score < cutoff else score

    def _solve(self, status: int, i: int, j: int) -> int:
        """Return the matches of a pair, counted by the metric's own solver."""
        end = _matched.ENDS[status]
        named = f"graphs {self._first[0] + i + 1} and {self._first[1] + j + 1}"
        if end == "miscounted":
            raise CertificationError(
                f"an alignment of {named} matches another number of triples "
                "than the search says; please report the two graphs"
            )
        if end == "no memory":
            raise MemoryError(f"not enough memory for {named}")
        arrays_or_size = self._matcher.problem(i, j)
        if isinstance(arrays_or_size, int):
            raise InputError(
                f"{named} are too large: {arrays_or_size:,} pairs of relations "
                "(or pairs of variables, counted four times) may match, more than is "
                "allowed; raise max_terms (--max-terms) to allow them"
            )
        n_left, n_right, arrays = arrays_or_size
        solution = solve_arrays(n_left, n_right, arrays, self._metric.solver)
        if not solution.is_optimal:
            raise CertificationError(
                f"solver {self._metric.solver.name!r} did not prove {named}"
            )
        return solution.value
