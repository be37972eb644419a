"""Files of people's judgements: lines by position, and tables with a heading.

docs/trust/people.md describes the forms.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import note_input
from exactmatch.base.numbers import several

CHOICES = (0.0, 0.5, 1.0)
"""Preferences: the second, neither, the first."""

_ABOVE = "see above"
IDS = ("id", "segment", "pair", "item")
"""Columns that name the pair of a judgement; the first of these that a table has."""

SCORES = ("score", "human", "judgement", "judgment", "rating", "similarity")
_PREFERENCES = ("preference",)
_OTHERS = ("judge", "system")


class Judged(NamedTuple):
    """One judge's answers.

    Attributes:
        path: the file.
        values: the answers; NaN where nothing was judged.
        prefers: whether these are preferences between every two pairs, or scores.
        ids: the pair of each answer; ``None`` if the lines have the pairs' order.
    """

    path: str
    values: list[float]
    prefers: bool
    ids: tuple[str, ...] | None = None


class Row(NamedTuple):
    """Row of a table: its file, file and line, its cells by column, and its kind."""

    path: str
    place: str
    cells: Mapping[str, str]
    kind: tuple[str, ...] = ()

    def error(self, reason: str) -> InputError:
        """Return an error that names the row."""
        return InputError(f"{self.place}: {reason}")


class Heading(NamedTuple):
    """Heading of a table, and the lines below it.

    Attributes:
        path: the file.
        line: the heading as it is written.
        columns: their names, in lower case.
        sign: the separator of columns.
        lines: the lines below.
        first: the number of the first of these.
    """

    path: str
    line: str
    columns: tuple[str, ...]
    sign: str
    lines: list[str]
    first: int = 2

    def refuse_twice(self, *names: str) -> None:
        """Refuse a table that has one of these columns twice."""
        for name in names:
            if self.columns.count(name) > 1:
                raise InputError(
                    f"{self.path}:1: the heading names {name} twice; give it once"
                )

    def rows(self) -> Iterator[Row]:
        """Yield the rows; where rows are named, blank lines are skipped."""
        is_named = len(self.columns) > 1
        if not any(map(str.strip, self.lines)):
            raise InputError(f"{self.path}: holds no judgement")
        cells_of = csv.reader(self.lines, delimiter=self.sign)
        try:
            for cells in cells_of:
                number = cells_of.line_num + self.first - 1
                if is_named and not any(map(str.strip, cells)):
                    continue
                row = Row(
                    self.path,
                    f"{self.path}:{number}",
                    dict(zip(self.columns, map(str.strip, cells), strict=False)),
                )
                if not cells:
                    raise row.error("is blank; write - where nothing was judged")
                if len(cells) != len(self.columns):
                    raise row.error(
                        f"has {several(len(cells), 'column')} but the heading "
                        f"{len(self.columns)}"
                    )
                yield row
        except csv.Error as error:
            raise InputError(
                f"{self.path}:{cells_of.line_num + self.first - 1}: {error}"
            ) from None


def heading_of(path: str) -> Heading:
    """Read a table, whose first line names its columns."""
    first, *lines = _lines_of(path)
    sign = next((sign for sign in "\t,;" if sign in first), ",")
    try:
        (cells,) = csv.reader([first], delimiter=sign)
    except (csv.Error, ValueError):
        cells = first.split(sign)
    columns = tuple(cell.strip().lower() for cell in cells)
    return Heading(path, first.strip(), columns, sign, lines)


def _lines_of(path: str) -> list[str]:
    """Return the lines of a file without empty ones at its end; there must be some."""
    try:
        note_input(path)
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise InputError(f"{path}: holds no judgement")
    return lines


def judged_in(path: str) -> list[Judged]:
    """Read the answers in a file, by judge.

    A file with a heading has a column of scores or preferences, and optionally columns
    of the pairs' ids and of the judges' names.
    """
    heading = heading_of(path)
    known_columns = {*IDS, *SCORES, *_PREFERENCES}
    if known_columns.intersection(heading.columns) and not any(
        map(_is_value, heading.columns)
    ):
        return _below(heading)
    lines = _lines_of(path)
    first, *next_columns = lines[0].split()
    if not _is_value(first) and len(next_columns) == 1 and _is_value(next_columns[0]):
        return _below(_without_heading(heading, lines))
    return [_by_position(path, lines)]


def _without_heading(heading: Heading, lines: list[str]) -> Heading:
    """Return a heading for lines of an id and a score that have none."""
    if not any(sign in lines[0] for sign in "\t,;"):
        lines = ["\t".join(line.split()) for line in lines]
        heading = heading._replace(sign="\t")
    return heading._replace(columns=("id", "score"), lines=lines, first=1)


def _is_value(text: str) -> bool:
    try:
        return text == "-" or math.isfinite(float(text))
    except ValueError:
        return False


def _below(heading: Heading) -> list[Judged]:
    """Return the answers of each judge in a table."""
    columns = heading.columns
    id_column = next((name for name in IDS if name in columns), None)
    score_columns = (*_PREFERENCES, *SCORES)
    column = next((name for name in score_columns if name in columns), None)
    if column is None:
        system_columns = [name for name in columns if name not in (*IDS, *_OTHERS)]
        if len(system_columns) != 1:
            raise InputError(
                f"{heading.path}:1: the heading is {heading.line!r}; call the column "
                "of people's scores 'score', and where there are several judges, give "
                "each score a row with its judge in a column 'judge'"
            )
        (column,) = system_columns
    heading.refuse_twice(column, "judge", *filter(None, [id_column]))
    prefers = column in _PREFERENCES
    by_judge: dict[str, dict[str, float]] = {}
    for number, row in enumerate(heading.rows()):
        answers = by_judge.setdefault(row.cells.get("judge", ""), {})
        name = str(number) if id_column is None else row.cells[id_column]
        if not name:
            raise row.error("has no id")
        if name in answers:
            raise row.error(f"judges {name!r} for the second time")
        answers[name] = _value_of(row.place, row.cells[column], prefers)
    if id_column is None:
        if len(by_judge) > 1:
            raise InputError(
                f"{heading.path}:1: has several judges and no column of ids; name "
                "the pairs in a column 'id'"
            )
        return [
            Judged(heading.path, [*answers.values()], prefers)
            for answers in by_judge.values()
        ]
    return [
        Judged(heading.path, [*answers.values()], prefers, tuple(answers))
        for answers in by_judge.values()
    ]


def _by_position(path: str, lines: list[str]) -> Judged:
    """Return one judge's answers, in the order of the pairs."""
    prefers = any(line.strip().lower() == _ABOVE for line in lines)
    values = []
    for number, line in enumerate(lines, 1):
        place = f"{path}:{number}"
        if prefers and number % 2 == 0:
            if line.strip().lower() != _ABOVE:
                raise InputError(
                    f"{place}: must say {_ABOVE!r}, because every second line of "
                    "preferences does"
                )
            continue
        text, *_ = line.split() or [""]
        values.append(_value_of(place, text, prefers))
    if prefers and len(lines) % 2:
        raise InputError(
            f"{path}: ends after the first of two graphs; a line {_ABOVE!r} belongs to "
            "the second"
        )
    return Judged(path, values, prefers)


def _value_of(place: str, text: str, prefers: bool) -> float:
    """Return an answer as a number; NaN if it is missing."""
    value = math.nan if text == "-" else number_of(place, text)
    if prefers and not (math.isnan(value) or value in CHOICES):
        raise InputError(
            f"{place}: the preference is {value:g}; it must be 1, 0 or 0.5"
        )
    return value


def number_of(place: str, text: str, is_cell: bool = False) -> float:
    """Return the number of a judgement at this place of a file or table."""
    if not text:
        way = "leave out the row" if is_cell else "write -"
        raise InputError(f"{place}: is blank; {way} where nothing was judged")
    number = "a judgement begins with one, or with -"
    finite = "give a finite number, or -"
    if is_cell:
        number = finite = "leave out the row"
    try:
        value = float(text)
    except ValueError:
        raise InputError(
            f"{place}: {text!r} is not a number; {number} where nothing was judged"
        ) from None
    if not math.isfinite(value):
        raise InputError(
            f"{place}: {text} is not a judgement; {finite} where nothing was judged"
        )
    return value
