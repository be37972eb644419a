"""Human judgement of systems: scores of their outputs, preferences, or plain totals.

docs/trust/people.md describes the columns of the tables.  Scores of outputs give *daRR*
pairs: two outputs for one segment that differ by at least a margin, a quarter of the
scale (Ma, Bojar and Graham 2018, "Results of the WMT18 metrics shared task", section
2.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
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
    IDS,
    SCORES,
    Heading,
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
_COLUMNS = (
    " or ".join(f"{','.join(kind)!r}" for kind in _KINDS)
    + " (a segment may be called 'id', a score 'rating'), or each system, such as "
    "'id,bart,t5'"
)


def _names_file(name: str, system: str) -> bool:
    """Return whether a system's name is a part of a file's name.

    >>> _names_file("dev.bart.amr", "bart"), _names_file("bart-large.amr", "bar")
    (True, False)
    """
    pattern = rf"(.*[._/-])?{re.escape(system)}([._/-].*)?"
    return re.fullmatch(pattern, name) is not None


@dataclass(frozen=True, slots=True, eq=False)
class Assessments:
    """People's judgements of systems.

    Attributes:
        outputs: what each segment adds to each system's human score, shape
            ``(segments, systems)``; NaN where nothing was judged.
        totals: human scores of whole systems, if no segment was judged.
        counted: whether a system's human score is the sum of its column (how often it
            was preferred) or the mean.
        better: pairs of outputs of which people prefer one: segment, index of the
            better and of the worse system.
    """

    systems: tuple[str, ...]
    answers: Matrix  # judges × items, for their agreement; NaN where there is none
    outputs: Matrix | None = None
    better: tuple[tuple[int, int, int], ...] = ()
    undecided: int = 0  # pairs of outputs that people find (nearly) equally good
    margin: float | None = None  # least difference of two scores that counts
    counted: bool = False
    totals: Vector | None = None

    def at(self, segments: Sequence[int]) -> Assessments:
        """Return the judgements of these segments, in this order, and all totals."""
        if self.outputs is None:
            return self
        return replace(self, outputs=self.outputs[list(segments)])

    def scores(self, counts: Matrix | None = None) -> Matrix:
        """Return the human scores of systems, shape ``(corpora, systems)``.

        *counts* has the number of times that each corpus holds each segment, shape
        ``(corpora, segments)``; by default one corpus holds every segment once.  The
        score of a system without a judgement is NaN.
        """
        if self.outputs is None:
            assert self.totals is not None
            return np.tile(self.totals, (1 if counts is None else len(counts), 1))
        if counts is None:
            counts = np.ones((1, len(self.outputs)))
        total = counts @ np.nan_to_num(self.outputs)
        times = counts @ (~np.isnan(self.outputs)).astype(np.float64)
        means = np.full(total.shape, np.nan)
        per = np.ones_like(times) if self.counted else times
        np.divide(total, per, out=means, where=times > 0)
        return means


def assessments_of(
    human: Judgements | None,
    scale: Scale,
    systems: Sequence[str],
    segments: Sequence[str | None],
    reporter: Reporter = SILENCE,
    margin: float | None = None,
) -> Assessments:
    """Return people's judgements of systems and segments, which are named in order.

    The scale of scores is 0 to 1 if all lie between these, else 0 to 100 if all lie
    between these; any other must be named.  Standardising changes the systems' scores,
    not the daRR pairs, whose scores differ by at least the margin (default: a quarter
    of the scale).

    Raises:
        InputError: if a file cannot be read or names an unknown system or segment; the
            message names file and line.
    """
    paths = paths_of(human)
    rows = [row for path in paths for row in _rows(path, systems)]
    if not paths:
        rows = list(_rows_in_memory(human))
    kind = rows[0].kind
    if mismatch := next((row for row in rows if row.kind != kind), None):
        raise InputError(
            f"{mismatch.path}: has other columns than {rows[0].path}; judges must "
            "answer the same question"
        )
    table = _Table(rows, systems, segments)
    if kind == _KINDS[0]:
        return table.assessed(scale, margin)
    assessments = table.compared() if "preferred" in kind else table.totalled()
    note_idle(scale, Scale.OWN, "without scores of outputs", reporter)
    return assessments


def signed_people(scale: Scale) -> str:
    """Return the part of a signature that says how people's scores are changed."""
    signature = "|people:standardised" if scale.standardise else ""
    if scale.human_range is not None:
        signature += "|scale:{:g},{:g}".format(*scale.human_range)
    return signature


def judgement_of_system(system: str, paths: Sequence[str]) -> Judgement:
    """Return people's judgement of the outputs of one system.

    Each file is a table of scores of systems' outputs, or of judgements of pairs.

    Raises:
        InputError: if a file cannot be read or judges whole systems only.
    """
    kinds = {path: _kind(_renamed(heading_of(path)).columns) for path in paths}
    if not any(kinds.values()):
        return read_judgement(*paths)
    judges: dict[str, dict[str, float]] = {}
    for path, kind in kinds.items():
        if kind != _KINDS[0]:
            raise InputError(
                f"{path}: judges several systems, and only {system} is named; name the "
                "others, too, or give scores of its outputs: system, segment, score"
            )
        rows = [*_rows(path)]
        called = _name_in(system, {row.cells["system"] for row in rows})
        for row in rows:
            if row.cells["system"] != called:
                continue
            answers = judges.setdefault(row.cells.get("judge") or path, {})
            name = row.cells["segment"]
            if name in answers:
                raise row.error(f"judges the segment {name!r} twice")
            answers[name] = number_of(row.place, row.cells["score"], is_cell=True)
    if not judges:
        raise InputError(
            f"{paths[0]}: has no row of the system {system!r}; call it by --names"
        )
    return judgement_by_id([*judges.values()], prefers=False, path=paths[0])


def _name_in(system: str, names: AbstractSet[str]) -> str:
    """Return what a table calls a system, which may be a part of its file's name."""
    matching = [
        name for name in names if _names_file(system, name) or _names_file(name, system)
    ]
    return matching[0] if len(matching) == 1 and system not in names else system


def _rows_in_memory(judgements: Any) -> Iterator[Row]:
    """Yield judgements in memory as rows; whole systems may be keys of a mapping."""
    if isinstance(judgements, Mapping):
        judgements = [{"system": name, "score": n} for name, n in judgements.items()]
    number = 0
    for number, judgement in enumerate(judgements, 1):
        check_kind(f"judgement {number}", judgement, Mapping, "a mapping from columns")
        cells = {str(key).lower(): str(value) for key, value in judgement.items()}
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
    """Return the first kind of judgement whose columns are all there."""
    names = set(columns)
    return next((kind for kind in _KINDS if names.issuperset(kind)), None)


def _rows(path: str, systems: Sequence[str] = ()) -> Iterator[Row]:
    heading = _renamed(heading_of(path))
    kind = _kind(heading.columns)
    if kind is None and systems and _columns_of(systems).issubset(heading.columns):
        return _rows_by_system(heading, systems)
    if kind is None:
        raise InputError(
            f"{path}:1: the heading is {heading.line!r}; it must name the columns "
            f"{_COLUMNS}"
        )
    heading.refuse_twice(*kind, "judge")
    return (row._replace(kind=kind) for row in heading.rows())


def _columns_of(systems: Sequence[str]) -> set[str]:
    return {name.lower() for name in systems}


def _rows_by_system(heading: Heading, systems: Sequence[str]) -> Iterator[Row]:
    """Yield the scores of a table that has a column for each system."""
    heading.refuse_twice(*_columns_of(systems), "judge")
    id_column = next((name for name in IDS if name in heading.columns), None)
    for number, row in enumerate(heading.rows()):
        segment = str(number) if id_column is None else row.cells[id_column]
        for name in systems:
            score = row.cells[name.lower()]
            if score not in ("", "-"):
                cells = {**row.cells, "system": name, "segment": segment}
                yield row._replace(cells=cells | {"score": score}, kind=_KINDS[0])


def _renamed(heading: Heading) -> Heading:
    """Return a heading of systems whose ids and scores have the names used here."""
    columns = [*heading.columns]
    if "system" not in columns:
        return heading
    for name, others in (("segment", IDS), ("score", SCORES)):
        if name not in columns and (other := [n for n in others if n in columns][:1]):
            columns[columns.index(other[0])] = name
    return heading._replace(columns=tuple(columns))


_Answer: TypeAlias = tuple[Row, tuple[int, ...], float]
"""A row, the indices of the judged item (such as segment and system), the answer."""


class _Table:
    """Rows of all files, with the systems and segments that they may name."""

    def __init__(
        self, rows: Sequence[Row], systems: Sequence[str], ids: Sequence[str | None]
    ) -> None:
        self.rows, self.systems = rows, {name: k for k, name in enumerate(systems)}
        self.segments = {name: k for k, name in enumerate(ids) if name is not None}
        self.shape = len(ids), len(systems)
        named = {row.cells["segment"] for row in rows if "segment" in row.kind}
        if not named <= self.segments.keys():  # files may have numbers instead of ids
            numbers = {str(k): k for k in range(len(ids))}
            if named <= numbers.keys():
                self.segments = numbers

    def totalled(self) -> Assessments:
        """Return judgements from scores of whole systems."""
        answers, items = self._answers(self._scores("system"))
        totals = _spread(self.shape[1:], items, mean(answers))
        return Assessments(tuple(self.systems), answers, totals=totals)

    def assessed(self, scale_options: Scale, margin: float | None) -> Assessments:
        """Return judgements from scores of outputs."""
        answers, items = self._answers(self._scores("segment", "system"))
        raw = outputs = _spread(self.shape, items, mean(answers))
        if scale_options.standardise:
            outputs = _spread(self.shape, items, mean(standardised(answers)))
        scale = scale_options.human_range
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
        """Return judgements from preferences between two outputs."""
        answers, items = self._answers(self._comparisons())
        wins = np.full(self.shape, np.nan)
        differences = []
        for (segment, *couple), choice in zip(items, majority(answers), strict=True):
            wins[segment, couple] = 0
            differences.append((segment, couple[0], couple[1], float(choice) - 0.5))
        better, close = _relative_ranks(differences)
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
        """Return the index of the segment or system that a row names in a column."""
        name = row.cells[column]
        places = self.segments if column == "segment" else self.systems
        if name in places:
            return places[name]
        if column == "segment":
            raise row.error(
                f"no pair has the id or the number {name!r} (numbers count from 0 to "
                f"{self.shape[0] - 1})"
            )
        matching = [system for system in places if _names_file(name, system)]
        if len(matching) == 1:
            return places[matching[0]]
        raise row.error(
            f"no system is called {name!r} (known: {', '.join(self.systems)})"
        )

    def _answers(
        self, answers: Iterable[_Answer]
    ) -> tuple[Matrix, list[tuple[int, ...]]]:
        """Return answers as judges × items, and the items in order."""
        by_judge: dict[str, dict[tuple[int, ...], float]] = {}
        for row, item, answer in answers:
            judge = row.cells.get("judge") or row.path
            answers_of_judge = by_judge.setdefault(judge, {})
            if item in answers_of_judge:
                raise row.error(
                    f"judge {judge!r} judges this twice; outputs are told apart by "
                    "the columns 'system' and 'segment', judges by 'judge'"
                )
            answers_of_judge[item] = answer
        items = sorted(set().union(*by_judge.values()))
        rows = [
            [answers_of_judge.get(item, np.nan) for item in items]
            for answers_of_judge in by_judge.values()
        ]
        return np.array(rows), items


def _spread(
    shape: tuple[int, ...], items: Sequence[tuple[int, ...]], values: Vector
) -> Matrix:
    """Return an array with the values of these items; NaN elsewhere."""
    matrix = np.full(shape, np.nan)
    matrix[tuple(zip(*items, strict=True))] = values
    return matrix


def _differences(outputs: Matrix) -> Iterator[tuple[int, int, int, float]]:
    """Yield how much better an output for a segment was judged than another."""
    for segment, scores in enumerate(outputs):
        judged = np.flatnonzero(~np.isnan(scores)).tolist()
        for first, second in combinations(judged, 2):
            yield segment, first, second, scores[first] - scores[second]


def _relative_ranks(
    compared: Iterable[tuple[int, int, int, float]], margin: float = 0.0
) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """Return segment, better and worse system of each pair, and how many are too close.

    A difference equal to the margin is enough.  So it is in WMT's tables
    (``KendallLike`` of mt-metrics-eval), though their text says "more than".
    """
    better, close = [], 0
    for segment, first, second, difference in compared:
        is_apart = abs(difference) >= margin * (1 - 1e-9)  # rounding of sums
        if not (is_apart and difference):
            close += 1
            continue
        winner, loser = (first, second) if difference > 0 else (second, first)
        better.append((segment, winner, loser))
    return tuple(better), close
