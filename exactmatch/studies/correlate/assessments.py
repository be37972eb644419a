"""Human judgement of systems: scores of their outputs, preferences, or plain totals.

docs/trust/people.md has the columns of the tables.  From scores of outputs come *daRR*
pairs: two outputs for one segment of which one is better by more than a margin of a
quarter of the scale (Ma, Bojar and Graham 2018, "Results of the WMT18 metrics shared
task", section 2.3).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError, check_kind
from exactmatch.base.numbers import several
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.resampling import Matrix, Vector
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.correlate.human import (
    lines_of,
    majority,
    mean,
    number_of,
    standardised,
)
from exactmatch.studies.options import Judgements, Scale, note_idle

_TIES = frozenset(("tie", "=", "0.5"))
_KINDS = (
    ("system", "segment", "score"),
    ("segment", "first", "second", "preferred"),
    ("system", "score"),
)
_COLUMNS = " or ".join(", ".join(kind) for kind in _KINDS)


@dataclass(frozen=True, slots=True, eq=False)
class Assessments:
    """People's judgements of systems.

    Attributes:
        outputs: shape ``(segments, systems)``: what each segment adds to each
            system's human score; NaN where nothing was judged.
        totals: human scores of whole systems, where no segment was judged.
        counted: whether a system's human score is the sum of its column, the times
            that it was preferred; otherwise it is the mean.
        better: pairs of outputs of which people prefer one: segment, place of the
            better and of the worse system.
    """

    systems: tuple[str, ...]
    answers: Matrix  # of judges to items, for agreement; NaN where there is none
    outputs: Matrix | None = None
    better: tuple[tuple[int, int, int], ...] = ()
    undecided: int = 0  # pairs of outputs that people find equally good, or nearly so
    margin: float | None = None  # by how much an output must be better, for scores
    counted: bool = False
    totals: Vector | None = None

    def at(self, segments: Sequence[int]) -> Assessments:
        """The judgements of some segments, in the order given, and all totals."""
        if self.outputs is None:
            return self
        return replace(self, outputs=self.outputs[list(segments)])

    def scores(self, counts: Matrix | None = None) -> Matrix:
        """Human scores of the systems, shape ``(corpora, systems)``; NaN of nothing.

        The *counts* say how often each corpus holds each segment, shape ``(corpora,
        segments)``; by default one corpus has each of them once.
        """
        if self.outputs is None:
            assert self.totals is not None
            return np.tile(self.totals, (1 if counts is None else len(counts), 1))
        if counts is None:
            counts = np.ones((1, len(self.outputs)))
        total = counts @ np.nan_to_num(self.outputs)
        times = counts @ (~np.isnan(self.outputs)).astype(np.float64)
        found = np.full(total.shape, np.nan)
        per = np.ones_like(times) if self.counted else times
        np.divide(total, per, out=found, where=times > 0)
        return found


def assessments_of(
    human: Judgements | None,
    scale: Scale,
    systems: Sequence[str],
    segments: Sequence[str | None],
    reporter: Reporter = SILENCE,
) -> Assessments:
    """Return what people said about systems and segments, which are named in order.

    The scale of scores is 0 to 1 if all lie there, 0 to 100 if they lie there, or has
    to be named.  Standardised are the systems' scores; daRR pairs are made of the
    scores as they are.

    Raises:
        InputError: if a file cannot be read, or names a system or a segment that is
            not there; the message names file and line.
    """
    paths = paths_of(human)
    rows = [row for path in paths for row in _rows(path)]
    if not paths:
        rows = list(_rows_in_memory(human))
    kind = rows[0].kind
    if other := next((row for row in rows if row.kind != kind), None):
        raise InputError(
            f"{other.path}: has other columns than {rows[0].path}; judges must "
            "answer the same question"
        )
    table = _Table(rows, systems, segments)
    if kind == _KINDS[0]:
        return table.assessed(scale)
    found = table.compared() if "preferred" in kind else table.totalled()
    note_idle(scale, Scale.OWN, "without scores of outputs", reporter)
    return found


def _rows_in_memory(judgements: Any) -> Iterator[_Row]:
    """Yield judgements as rows; those of whole systems are given by name."""
    if isinstance(judgements, Mapping):
        judgements = [{"system": name, "score": n} for name, n in judgements.items()]
    number = 0
    for number, given in enumerate(judgements, 1):
        check_kind(f"judgement {number}", given, Mapping, "a mapping from columns")
        cells = {str(key).lower(): str(value) for key, value in given.items()}
        kind = _kind(cells)
        if kind is None:
            raise InputError(
                f"judgement {number} has the columns {', '.join(cells) or 'none'}; it "
                f"needs {_COLUMNS}"
            )
        yield _Row("judgement", f"judgement:{number}", kind, cells)
    if not number:
        raise InputError("there is no judgement of any system; give one or more")


class _Row(NamedTuple):
    """A judgement: its file, file and line, columns that make it what it is, values."""

    path: str
    place: str
    kind: tuple[str, ...]
    cells: Mapping[str, str]

    def error(self, reason: str) -> InputError:
        return InputError(f"{self.place}: {reason}")


def _kind(columns: Iterable[str]) -> tuple[str, ...] | None:
    """The kind of judgement that the columns state: the first that they have all of."""
    given = set(columns)
    return next((kind for kind in _KINDS if given.issuperset(kind)), None)


def _rows(path: str) -> Iterator[_Row]:
    lines = lines_of(path)
    cells_of = csv.reader(lines, delimiter="\t" if "\t" in lines[0] else ",")
    try:
        read = [[cell.strip() for cell in cells] for cells in cells_of]
    except csv.Error as error:
        raise InputError(f"{path}:{cells_of.line_num}: {error}") from None
    head = [name.lower() for name in read[0]]
    kind = _kind(head)
    if kind is None:
        raise InputError(
            f"{path}:1: the heading is {lines[0].strip()!r}; it must name the columns "
            f"{_COLUMNS}"
        )
    for name in (*kind, "judge"):
        if head.count(name) > 1:
            raise InputError(f"{path}:1: the heading names {name} twice; give it once")
    if len(lines) < 2:
        raise InputError(f"{path}: holds no judgement")
    for number, cells in enumerate(read[1:], 2):
        named = dict(zip(head, cells, strict=False))
        row = _Row(path, f"{path}:{number}", kind, named)
        if len(cells) != len(head):
            raise row.error(
                f"has {several(len(cells), 'column')} but the heading {len(head)}"
            )
        yield row


_Answer: TypeAlias = tuple[_Row, tuple[int, ...], float]
"""A row, the places of what it judges, such as a segment and a system, and how."""


class _Table:
    """All rows of all files, and what they are about."""

    def __init__(
        self, rows: Sequence[_Row], systems: Sequence[str], ids: Sequence[str | None]
    ) -> None:
        self.rows, self.systems = rows, {name: k for k, name in enumerate(systems)}
        self.segments = {name: k for k, name in enumerate(ids) if name is not None}
        self.shape = len(ids), len(systems)
        named = {row.cells["segment"] for row in rows if "segment" in row.kind}
        if not named <= self.segments.keys():  # files may say numbers instead of ids
            numbers = {str(k): k for k in range(len(ids))}
            if named <= numbers.keys():
                self.segments = numbers

    def totalled(self) -> Assessments:
        """Judgements from scores of whole systems."""
        answers, items = self._answers(self._scores("system"))
        totals = _spread(self.shape[1:], items, mean(answers))
        return Assessments(tuple(self.systems), answers, totals=totals)

    def assessed(self, asked: Scale) -> Assessments:
        """Judgements from scores of outputs."""
        answers, items = self._answers(self._scores("segment", "system"))
        raw = outputs = _spread(self.shape, items, mean(answers))
        if asked.standardise:
            outputs = _spread(self.shape, items, mean(standardised(answers)))
        scale = asked.human_range
        if scale is None:
            low, high = float(np.nanmin(answers)), float(np.nanmax(answers))
            if low < 0 or high > 100:
                raise InputError(
                    f"{self.rows[0].path}: scores lie between {low:g} and {high:g}; "
                    "name their scale with --human-range"
                )
            scale = (0.0, 1.0) if high <= 1 else (0.0, 100.0)
        margin = (scale[1] - scale[0]) / 4
        ranked = _relative_ranks(_differences(raw), margin)
        return Assessments(tuple(self.systems), answers, outputs, *ranked, margin)

    def compared(self) -> Assessments:
        """Judgements from preferences between two outputs."""
        answers, items = self._answers(self._comparisons())
        wins = np.full(self.shape, np.nan)
        found = []
        for (segment, *both), choice in zip(items, majority(answers), strict=True):
            wins[segment, both] = 0
            found.append((segment, both[0], both[1], float(choice) - 0.5))
        better, close = _relative_ranks(found)
        for segment, winner, _ in better:
            wins[segment, winner] += 1
        systems = tuple(self.systems)
        return Assessments(systems, answers, wins, better, close, counted=True)

    def _scores(self, *columns: str) -> Iterator[_Answer]:
        for row in self.rows:
            item = tuple(self._place(row, column) for column in columns)
            yield row, item, number_of(row.place, row.cells["score"], is_cell=True)

    def _comparisons(self) -> Iterator[_Answer]:
        for row in self.rows:
            first, second = (self._place(row, name) for name in ("first", "second"))
            if first == second:
                raise row.error(f"compares {row.cells['first']!r} with itself")
            preferred = row.cells["preferred"]
            if preferred.lower() in _TIES:
                choice = 0.5
            elif (place := self._place(row, "preferred")) in (first, second):
                choice = float(place == first)
            else:
                raise row.error(
                    f"prefers {preferred!r}, which is neither of the two; it must be "
                    "one of them or 'tie'"
                )
            if first > second:
                first, second, choice = second, first, 1 - choice
            yield row, (self._place(row, "segment"), first, second), choice

    def _place(self, row: _Row, column: str) -> int:
        """The place of the segment or the system that a row names in a column."""
        name = row.cells[column]
        places = self.segments if column == "segment" else self.systems
        if name in places:
            return places[name]
        if column == "segment":
            raise row.error(
                f"no pair has the id or the number {name!r} (numbers count from 0 to "
                f"{self.shape[0] - 1})"
            )
        raise row.error(
            f"no system is called {name!r} (known: {', '.join(self.systems)})"
        )

    def _answers(
        self, given: Iterable[_Answer]
    ) -> tuple[Matrix, list[tuple[int, ...]]]:
        """Answers by judge and item, and the items in order."""
        found: dict[str, dict[tuple[int, ...], float]] = {}
        for row, item, answer in given:
            judge = row.cells.get("judge") or row.path
            own = found.setdefault(judge, {})
            if item in own:
                raise row.error(f"judge {judge!r} judges this twice")
            own[item] = answer
        items = sorted(set().union(*found.values()))
        rows = [[own.get(item, np.nan) for item in items] for own in found.values()]
        return np.array(rows), items


def _spread(
    shape: tuple[int, ...], items: Sequence[tuple[int, ...]], values: Vector
) -> Matrix:
    """Values of single items at their places; NaN elsewhere."""
    found = np.full(shape, np.nan)
    found[tuple(zip(*items, strict=True))] = values
    return found


def _differences(outputs: Matrix) -> Iterator[tuple[int, int, int, float]]:
    """By how much one output for a segment was judged better than another."""
    for segment, scores in enumerate(outputs):
        judged = np.flatnonzero(~np.isnan(scores)).tolist()
        for first, second in combinations(judged, 2):
            yield segment, first, second, scores[first] - scores[second]


def _relative_ranks(
    compared: Iterable[tuple[int, int, int, float]], margin: float = 0.0
) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """Segment, better and worse system of each pair; and how many are too close."""
    better, close = [], 0
    for segment, first, second, difference in compared:
        if abs(difference) <= margin * (1 + 1e-9):  # it is a sum in doubles
            close += 1
            continue
        winner, loser = (first, second) if difference > 0 else (second, first)
        better.append((segment, winner, loser))
    return tuple(better), close
