"""Human judgement of systems: scores of their outputs, preferences, or plain totals.

docs/trust/people.md has the columns of the tables.  From scores of outputs come *daRR*
pairs: two outputs for one segment of which one is better by at least a margin of a
quarter of the scale (Ma, Bojar and Graham 2018, "Results of the WMT18 metrics shared
task", section 2.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError, check_kind
from exactmatch.scoring.exchange import Matrix, Vector
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.correlate.human import (
    Judgement,
    judgement_by_id,
    majority,
    mean,
    read_judgement,
    standardised,
)
from exactmatch.studies.correlate.judgement_files import (
    Row,
    heading_of,
    number_of,
)
from exactmatch.studies.options import Judgements, Scale, note_idle

_TIES = frozenset(("tie", "=", "0.5"))
_KINDS = (
    ("system", "segment", "score"),
    ("segment", "first", "second", "preferred"),
    ("system", "score"),
)
_COLUMNS = " or ".join(", ".join(kind) for kind in _KINDS)


def _names_file(name: str, system: str) -> bool:
    """Whether a name is that of a file which is called by a part of it, the system.

    >>> _names_file("dev.bart.amr", "bart"), _names_file("bart-large.amr", "bar")
    (True, False)
    """
    whole = rf"(.*[._/-])?{re.escape(system)}([._/-].*)?"
    return re.fullmatch(whole, name) is not None


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
    margin: float | None = None,
) -> Assessments:
    """Return what people said about systems and segments, which are named in order.

    The scale of scores is 0 to 1 if all lie there, 0 to 100 if they lie there, or has
    to be named.  Standardised are the systems' scores; daRR pairs are made of the
    scores as they are, and are at least the margin apart: a quarter of the scale, if
    none is named.

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
        return table.assessed(scale, margin)
    found = table.compared() if "preferred" in kind else table.totalled()
    note_idle(scale, Scale.OWN, "without scores of outputs", reporter)
    return found


def signed_people(scale: Scale) -> str:
    """Return how people's scores are used, where not as they are, for signatures."""
    done = "|people:standardised" if scale.standardise else ""
    if scale.human_range is not None:
        done += "|scale:{:g},{:g}".format(*scale.human_range)
    return done


def judgement_of_system(system: str, paths: Sequence[str]) -> Judgement:
    """Return what people said about the outputs of the one system that is there.

    Each file is a table of scores of systems' outputs, or one of judgements of pairs.

    Raises:
        InputError: if a file cannot be read, or is about systems alone.
    """
    kinds = {path: _kind(heading_of(path).columns) for path in paths}
    if not any(kinds.values()):
        return read_judgement(*paths)
    found: dict[str, dict[str, float]] = {}
    for path, kind in kinds.items():
        if kind != _KINDS[0]:
            raise InputError(
                f"{path}: judges several systems, and {system} alone is named; name "
                "the others, or give scores of its outputs: system, segment, score"
            )
        for row in _rows(path):
            if row.cells["system"] != system:
                continue
            own = found.setdefault(row.cells.get("judge") or path, {})
            name = row.cells["segment"]
            if name in own:
                raise row.error(f"judges the segment {name!r} twice")
            own[name] = number_of(row.place, row.cells["score"], is_cell=True)
    if not found:
        raise InputError(
            f"{paths[0]}: has no row of the system {system!r}; call it by --names"
        )
    return judgement_by_id([*found.values()], prefers=False, path=paths[0])


def _rows_in_memory(judgements: Any) -> Iterator[Row]:
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
        yield Row("judgement", f"judgement:{number}", cells, kind)
    if not number:
        raise InputError("there is no judgement of any system; give one or more")


def _kind(columns: Iterable[str]) -> tuple[str, ...] | None:
    """The kind of judgement that the columns state: the first that they have all of."""
    given = set(columns)
    return next((kind for kind in _KINDS if given.issuperset(kind)), None)


def _rows(path: str) -> Iterator[Row]:
    heading = heading_of(path)
    kind = _kind(heading.columns)
    if kind is None:
        raise InputError(
            f"{path}:1: the heading is {heading.line!r}; it must name the columns "
            f"{_COLUMNS}"
        )
    heading.refuse_twice(*kind, "judge")
    return (row._replace(kind=kind) for row in heading.rows())


_Answer: TypeAlias = tuple[Row, tuple[int, ...], float]
"""A row, the places of what it judges, such as a segment and a system, and how."""


class _Table:
    """All rows of all files, and what they are about."""

    def __init__(
        self, rows: Sequence[Row], systems: Sequence[str], ids: Sequence[str | None]
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

    def assessed(self, asked: Scale, margin: float | None) -> Assessments:
        """Judgements from scores of outputs."""
        answers, items = self._answers(self._scores("segment", "system"))
        raw = outputs = _spread(self.shape, items, mean(answers))
        if asked.standardise:
            outputs = _spread(self.shape, items, mean(standardised(answers)))
        scale = asked.human_range
        if scale is None and margin is None:
            low, high = float(np.nanmin(answers)), float(np.nanmax(answers))
            if low < 0 or high > 100:
                raise InputError(
                    f"{self.rows[0].path}: scores lie between {low:g} and {high:g}; "
                    "name their scale with --human-range"
                )
            scale = (0.0, 1.0) if high <= 1 else (0.0, 100.0)
        if margin is None:
            assert scale is not None
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

    def _place(self, row: Row, column: str) -> int:
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
        held = [one for one in places if _names_file(name, one)]
        if len(held) == 1:
            return places[held[0]]
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
    """Segment, better and worse system of each pair; and how many are too close.

    A difference of the margin is enough, as in the tables of WMT, whose text says "more
    than" (``KendallLike`` of mt-metrics-eval).
    """
    better, close = [], 0
    for segment, first, second, difference in compared:
        is_apart = abs(difference) >= margin * (1 - 1e-9)  # it is a sum in doubles
        if not (is_apart and difference):
            close += 1
            continue
        winner, loser = (first, second) if difference > 0 else (second, first)
        better.append((segment, winner, loser))
    return tuple(better), close
