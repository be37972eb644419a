"""Results of a command, which can be written in any format.

A command makes one :class:`Tables`: tables and sentences for people, and the same as
plain data for programs.  Each format has one writer, so every command has every format:
text, LaTeX and HTML, which round, and JSON, JSON Lines, CSV and Parquet, in full
precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO, TypeVar

from exactmatch.base.inputs import Provenance
from exactmatch.base.numbers import Real, Share, from_one, is_missing
from exactmatch.base.records import NamedTuple
from exactmatch.base.registry import imported

_WRITERS = {
    "text": "exactmatch.views.text:write_text",
    "json": "exactmatch.views.data:write_json_document",
    "jsonl": "exactmatch.views.data:write_json_lines",
    "csv": "exactmatch.views.data:write_csv",
    "latex": "exactmatch.views.latex:write_latex",
    "html": "exactmatch.views.page:write_page",
    "parquet": "exactmatch.views.parquet:write_parquet",
}
FORMATS = tuple(_WRITERS)
"""Values of ``--format``, in every command."""

Row = Mapping[str, Any]
R = TypeVar("R", bound=Real)


def _as_it_is(value: Any) -> str:
    return "" if value is None else str(value)


class Column(NamedTuple):
    """Column of a table.

    Its key is its name in the rows and for programs; a key with a leading underscore is
    for people alone.
    """

    key: str
    title: str | None = None  # its heading for people; None: it is for programs alone
    shown: Callable[[Any], str] = _as_it_is  # writes a value for people
    is_text: bool = False  # whether it is flush left; the first column always is
    exact: str = ""  # the key of the unrounded number, if it is another one
    beneath: str = ""  # the key of a text beneath the value
    formats: tuple[str, ...] = ("text", "latex", "html")  # the formats that show it
    waits: bool = False  # whether text leaves it out if a line has no room for all
    shrinks: bool = False  # whether text shortens its values if a line has no room
    is_better: bool = False  # whether more is better; LaTeX sets a group's best in bold
    mark: str = ""  # the key of a mark that LaTeX sets beside it, such as a star
    rank: int = 0  # a narrow terminal leaves out the greatest rank first; 0 stays

    def cell(self, row: Row) -> str:
        """Return the value for people; empty if the row has none."""
        value = row.get(self.key, "")
        return "" if value == "" else self.shown(value)

    def cell_beneath(self, row: Row) -> str:
        """Return the text beneath the value; empty if there is none."""
        value = row.get(self.beneath, "") if self.beneath else ""
        return value if isinstance(value, str) else self.shown(value)


PAIR = (
    Column("index", "pair", from_one),
    Column("_id", "id", is_text=True, shrinks=True),
)
"""Columns that name the pair of a row."""


class Table(NamedTuple):
    """Rows of values by the columns' keys; a missing value is left blank.

    The key ``_link`` names the part of a page that a row leads to.
    """

    title: str  # what the table shows, in a few words
    columns: tuple[Column, ...]  # the first names the row
    rows: Sequence[Row] = ()
    legend: str = ""  # what marks beside values mean
    group: str = ""  # the key of groups; the best value of each group is marked

    def in_percent(self) -> Table:
        """Return the table with its scores in percent."""
        return self._rewritten(Share, Share.in_percent)

    def with_digits(self, digits: int) -> Table:
        """Return the table with *digits* decimals in scores and coefficients."""
        return self._rewritten(Real, lambda shown: shown.with_digits(digits))

    def _rewritten(self, kind: type[R], change: Callable[[R], R]) -> Table:
        return self._replace(
            columns=tuple(
                c._replace(shown=change(c.shown)) if isinstance(c.shown, kind) else c
                for c in self.columns
            )
        )

    def shown(self, form: str) -> list[Column]:
        """Return the columns that people see in a format."""
        return [c for c in self.columns if c.title is not None and form in c.formats]

    def best(self, columns: Sequence[Column]) -> set[tuple[int, str]]:
        """Return the places of each group's best values, as they are shown."""
        groups: dict[Any, list[tuple[int, Row]]] = {}
        for k, row in enumerate(self.rows):
            groups.setdefault(row.get(self.group), []).append((k, row))
        places = set()
        for column in columns:
            for rows in groups.values() if column.is_better else ():
                values = [row[column.key] for _, row in rows]
                present_values = [value for value in values if not is_missing(value)]
                if len(present_values) > 1:
                    top = column.shown(max(present_values))
                    best = {k for k, row in rows if column.cell(row) == top}
                    places |= {(k, column.key) for k in best}
        return places

    def hidden(self, form: str) -> Iterator[str]:
        """Yield remarks on scores and differences whose decimals hide something.

        Scores are compared with 0 and 1, and with each other in their group if the best
        is marked; differences are compared with 0.
        """
        for column in self.shown(form):
            shown, groups = column.shown, dict[Any, list[float]]()
            is_score = isinstance(shown, Share)
            if not isinstance(shown, Real) or not (is_score or shown.signed):
                continue
            for k, row in enumerate(self.rows):
                value = row.get(column.exact or column.key)
                if isinstance(value, float) and not is_missing(value):
                    group = row.get(self.group) if column.is_better else k
                    groups.setdefault(group, []).append(value)
            needed = map(shown.digits_that_show, groups.values())
            digits = [number for number in needed if number]
            if digits:
                yield (
                    f"{column.title}: decimals hide a difference; --significant "
                    f"{max(digits)} shows it"
                )

    @property
    def fields(self) -> list[str]:
        """Keys of the columns that programs read."""
        return [c.key for c in self.columns if not c.key.startswith("_")]


def fields_table(fields: Iterable[str], rows: Sequence[Row]) -> Table:
    """Return a table for programs alone."""
    return Table("", tuple(map(Column, fields)), rows)


class Histogram(NamedTuple):
    """Distribution of numbers, which pages draw."""

    title: str  # what the numbers are of
    values: Sequence[float]  # mostly between 0 and 1
    mark: float | None  # a number to mark among them, such as the corpus score
    mark_text: str  # the same as text
    unproven: int = 0  # how many of the numbers may be greater


class IntervalRow(NamedTuple):
    """Number in an interval."""

    name: str  # the quantity
    low: float
    value: float
    high: float
    top: float | None = None  # the upper bound of a number that is not proven


class Intervals(NamedTuple):
    """Numbers with their intervals, which pages draw."""

    title: str  # what the numbers are
    rows: Sequence[IntervalRow]
    shown: Callable[[float], str]  # writes a number
    mark: float | None = None  # a number to compare the intervals with, such as 0


class Tables(NamedTuple):
    """All results of a command.

    If only numbers are to be printed, text has the single column of *numbers*.
    """

    title: str  # the title of a page
    tables: Sequence[Table]
    data: Mapping[str, Any]  # the same as plain data, for JSON
    details: Sequence[Table] = ()  # a long table, such as one of all pairs
    states: Sequence[str] = ()  # sentences that say what is proven
    notes: Sequence[str] = ()  # lines of text below them
    undrawn: Sequence[str] = ()  # more notes, which pages draw as their parts
    warnings: Sequence[str] = ()  # important remarks: what was left out, cut short
    verdicts: Sequence[str] = ()  # the answer in words, last in text, first on pages
    signatures: Sequence[str] = ()  # what determines each number
    provenance: Provenance | None = None  # the command, its files and the date
    rows: Table | None = None  # rows of CSV and JSON Lines; default: details or table
    lines: Iterable[Row] | None = None  # JSON Lines, if they have more than the rows
    metadata: Mapping[str, str] | None = None  # texts beside the rows, for Parquet
    charts: Sequence[Histogram | Intervals] = ()  # drawings for pages
    prose: Iterable[str] | None = None  # text instead of tables and sentences
    parts: Iterable[str] = ()  # HTML after the tables of a page
    is_wide: bool = False  # whether a page needs the whole window
    subject: str = ""  # the subject in a page's title; default: the files
    headline: str = ""  # the title of a browser's tab; default: the page's title
    tells_scores: bool = False  # whether sentences have scores, rounded as the tables
    numbers: Table | None = None
    leads: Sequence[str] = ()  # the first sentences: metric and roles of files
    is_coloured: bool = False  # whether text has colours
    room: int | None = None  # columns of the terminal that text must fit; None: any

    @property
    def flat(self) -> Table:
        """Table whose rows CSV and JSON Lines hold."""
        return (*self.details, *self.tables)[0] if self.rows is None else self.rows


def write(stream: TextIO, tables: Tables, form: str) -> None:
    """Write results in one of :data:`FORMATS`."""
    imported(_WRITERS[form])(stream, tables)
