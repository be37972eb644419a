"""The results of a command, ready to be written in any format.

A command makes one :class:`Tables`: tables and sentences for people, the same as plain
data for programs.  Each format has one writer, so every command has every format:

* text shows the details, the tables and all sentences, rounded;
* JSON holds the data, in full precision;
* JSON Lines and CSV hold the rows of one table, in full precision;
* LaTeX shows the details if there are any, else the tables, rounded and in percent;
* HTML shows everything, rounded, with the precise value of each number beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TextIO, TypeVar

from exactmatch.base.inputs import Provenance
from exactmatch.base.numbers import Real, Share, from_one, is_missing
from exactmatch.base.registry import imported

_WRITERS = {
    "text": "exactmatch.views.text:write_text",
    "json": "exactmatch.views.data:write_json_document",
    "jsonl": "exactmatch.views.data:write_json_lines",
    "csv": "exactmatch.views.data:write_csv",
    "latex": "exactmatch.views.latex:write_latex",
    "html": "exactmatch.views.page:write_page",
}
FORMATS = tuple(_WRITERS)
"""What ``--format`` takes, in every command."""

Row = Mapping[str, Any]
R = TypeVar("R", bound=Real)


def _as_it_is(value: Any) -> str:
    return "" if value is None else str(value)


class Column(NamedTuple):
    """One column of a table.

    Attributes:
        key: its name in the rows and for programs; one with a leading underscore is
            for people alone.
        title: its heading for people; ``None`` for a column of programs alone.
        shown: writes a value for people; default: as it is.
        is_text: whether it is set flush left, as the first column always is.
        exact: the key of the number that the value shows rounded; default: its own.
        beneath: the key of a text that stands beneath the value.
        formats: which formats for people have it.
        waits: whether text leaves it out where a line has no room for all.
        shrinks: whether text cuts its values to the room that the others leave.
        is_better: whether a greater number is a better one; LaTeX sets the best of
            a table's group in bold.
        mark: the key of a mark that LaTeX sets beside the value, such as a star.
        rank: what can be left out where a terminal has no room, the greatest first; 0
            for what stays.
    """

    key: str
    title: str | None = None
    shown: Callable[[Any], str] = _as_it_is
    is_text: bool = False
    exact: str = ""
    beneath: str = ""
    formats: tuple[str, ...] = ("text", "latex", "html")
    waits: bool = False
    shrinks: bool = False
    is_better: bool = False
    mark: str = ""
    rank: int = 0

    def cell(self, row: Row) -> str:
        """The value as people read it; nothing where the row has none."""
        value = row.get(self.key, "")
        return "" if value == "" else self.shown(value)

    def cell_beneath(self, row: Row) -> str:
        """The text beneath the value, if there is any."""
        value = row.get(self.beneath, "") if self.beneath else ""
        return value if isinstance(value, str) else self.shown(value)


PAIR = (
    Column("index", "pair", from_one),
    Column("_id", "id", is_text=True, shrinks=True),
)
"""Which pair a row is about."""


class Table(NamedTuple):
    """Rows of values under columns.

    Attributes:
        title: what the table shows, in a few words.
        columns: the columns; the first names the row.
        rows: a value for each column's key; a missing one is left blank.  A page's
            part that shows what a row is about is named by the key ``_link``.
        legend: what marks beside values mean.
        group: the key of the rows' groups, such as metrics; the best of a column is
            found within each.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Row] = ()
    legend: str = ""
    group: str = ""

    def in_percent(self) -> Table:
        """The table with its scores in percent."""
        return self._rewritten(Share, Share.in_percent)

    def with_digits(self, digits: int) -> Table:
        """The table with so many decimals of its scores and coefficients."""
        return self._rewritten(Real, lambda shown: shown.with_digits(digits))

    def _rewritten(self, kind: type[R], change: Callable[[R], R]) -> Table:
        """The table with another writer in the columns that have one of a kind."""
        return self._replace(
            columns=tuple(
                c._replace(shown=change(c.shown)) if isinstance(c.shown, kind) else c
                for c in self.columns
            )
        )

    def shown(self, form: str) -> list[Column]:
        """The columns that people see in a format."""
        return [c for c in self.columns if c.title is not None and form in c.formats]

    def best(self, columns: Sequence[Column]) -> set[tuple[int, str]]:
        """Return where each group's best values stand; what reads alike is equal."""
        groups: dict[Any, list[tuple[int, Row]]] = {}
        for k, row in enumerate(self.rows):
            groups.setdefault(row.get(self.group), []).append((k, row))
        found = set()
        for column in columns:
            for rows in groups.values() if column.is_better else ():
                values = [row[column.key] for _, row in rows]
                known = [value for value in values if not is_missing(value)]
                if len(known) > 1:
                    top = column.shown(max(known))
                    best = {k for k, row in rows if column.cell(row) == top}
                    found |= {(k, column.key) for k in best}
        return found

    @property
    def fields(self) -> list[str]:
        """The columns that programs read."""
        return [c.key for c in self.columns if not c.key.startswith("_")]


def fields_table(fields: Iterable[str], rows: Sequence[Row]) -> Table:
    """A table for programs alone."""
    return Table("", tuple(map(Column, fields)), rows)


class Histogram(NamedTuple):
    """How numbers are distributed, which pages draw.

    Attributes:
        title: whose numbers.
        values: the numbers, mostly between 0 and 1.
        mark: a number to mark among them, such as the corpus score.
        mark_text: how that is written.
    """

    title: str
    values: Sequence[float]
    mark: float | None
    mark_text: str


class IntervalRow(NamedTuple):
    """A number and the interval that it lies in.

    Attributes:
        name: whose number.
        low, value, high: the interval's ends and the number.
    """

    name: str
    low: float
    value: float
    high: float


class Intervals(NamedTuple):
    """Numbers with their intervals, which pages draw.

    Attributes:
        title: what the numbers are.
        rows: the numbers.
        shown: writes a number.
        mark: a number to hold the intervals against, such as 0.
    """

    title: str
    rows: Sequence[IntervalRow]
    shown: Callable[[float], str]
    mark: float | None = None


class Tables(NamedTuple):
    """All results of a command.

    Attributes:
        title: what a page is called.
        tables: the tables.
        data: the same as plain data, for JSON.
        details: a long table, such as one of all pairs.
        states: sentences about the tables: what is proven.
        notes: lines of text below them.
        undrawn: further lines, which pages leave out because ``parts`` draw them.
        warnings: what a reader must know: what was left out or cut short.
        verdicts: the answer in sentences, last in text and first on pages.
        signatures: what determines each number.
        provenance: which command made it, from which files, and when.
        rows: what CSV and JSON Lines hold, where that is not the details or the first
            table.
        lines: what JSON Lines hold, where that is more than the rows.
        charts: drawings for pages.
        prose: what text shows instead of tables and sentences.
        parts: HTML that a page shows after the tables.
        is_wide: whether a page needs the whole window.
        headline: what a browser's tab says; default: the title.
        tells_scores: whether sentences tell scores, with the decimals asked for.
        numbers: what text writes of an answer that is a number, or some, where nothing
            else is wanted: one column.
        is_coloured: whether text shows by colour what has changed and what is
            significant or the best.
        room: columns of the terminal that text has to fit; ``None`` where it may be as
            wide as it is.
    """

    title: str
    tables: Sequence[Table]
    data: Mapping[str, Any]
    details: Sequence[Table] = ()
    states: Sequence[str] = ()
    notes: Sequence[str] = ()
    undrawn: Sequence[str] = ()
    warnings: Sequence[str] = ()
    verdicts: Sequence[str] = ()
    signatures: Sequence[str] = ()
    provenance: Provenance | None = None
    rows: Table | None = None
    lines: Iterable[Row] | None = None
    charts: Sequence[Histogram | Intervals] = ()
    prose: Iterable[str] | None = None
    parts: Iterable[str] = ()
    is_wide: bool = False
    headline: str = ""
    tells_scores: bool = False
    numbers: Table | None = None
    is_coloured: bool = False
    room: int | None = None

    @property
    def flat(self) -> Table:
        """The one table whose rows CSV and JSON Lines hold."""
        return (*self.details, *self.tables)[0] if self.rows is None else self.rows


def write(stream: TextIO, tables: Tables, form: str) -> None:
    """Write results in one of :data:`FORMATS`."""
    imported(_WRITERS[form])(stream, tables)
