"""The results of a command, ready to be written in any format.

A command makes one :class:`Tables`: tables and sentences for people, the same as plain
data for programs.  Each format has one writer, so every command has every format:
text, LaTeX and HTML, which round, JSON, JSON Lines and CSV, in full precision.
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
}
FORMATS = tuple(_WRITERS)
"""What ``--format`` takes, in every command."""

Row = Mapping[str, Any]
R = TypeVar("R", bound=Real)


def _as_it_is(value: Any) -> str:
    return "" if value is None else str(value)


class Column(NamedTuple):
    """One column of a table.

    Its key is its name in the rows and for programs; one with a leading underscore is
    for people alone.
    """

    key: str
    title: str | None = None  # its heading for people; None of programs' alone
    shown: Callable[[Any], str] = _as_it_is  # writes a value for people
    is_text: bool = False  # whether it is set flush left, as the first one always is
    exact: str = ""  # the key of the number that is shown rounded, if not its own
    beneath: str = ""  # the key of a text that stands beneath the value
    formats: tuple[str, ...] = ("text", "latex", "html")  # of those for people
    waits: bool = False  # whether text leaves it out where a line has no room for all
    shrinks: bool = False  # whether text cuts its values to the room that others leave
    is_better: bool = False  # whether more is better; LaTeX sets a group's best in bold
    mark: str = ""  # the key of a mark that LaTeX sets beside it, such as a star
    rank: int = 0  # a terminal without room leaves out the greatest first; 0 stays

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
    """Rows of values by the columns' keys; a missing one is left blank.

    A page's part that shows what a row is about is named by the key ``_link``.
    """

    title: str  # what the table shows, in a few words
    columns: tuple[Column, ...]  # the first names the row
    rows: Sequence[Row] = ()
    legend: str = ""  # what marks beside values mean
    group: str = ""  # the key of groups in each of which a column's best value is found

    def in_percent(self) -> Table:
        """The table with its scores in percent."""
        return self._rewritten(Share, Share.in_percent)

    def with_digits(self, digits: int) -> Table:
        """The table with so many decimals of its scores and coefficients."""
        return self._rewritten(Real, lambda shown: shown.with_digits(digits))

    def _rewritten(self, kind: type[R], change: Callable[[R], R]) -> Table:
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

    def hidden(self, form: str) -> Iterator[str]:
        """Say which scores and differences have decimals that hide something.

        Scores are compared with 0 and 1, and where the best is marked with each other
        in their group; differences with 0.
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
            of_groups = groups.values()
            found = [d for own in of_groups if (d := shown.digits_that_show(own))]
            if found:
                yield (
                    f"{column.title}: decimals hide a difference; --significant "
                    f"{max(found)} shows it"
                )

    @property
    def fields(self) -> list[str]:
        """The columns that programs read."""
        return [c.key for c in self.columns if not c.key.startswith("_")]


def fields_table(fields: Iterable[str], rows: Sequence[Row]) -> Table:
    """A table for programs alone."""
    return Table("", tuple(map(Column, fields)), rows)


class Histogram(NamedTuple):
    """How numbers are distributed, which pages draw."""

    title: str  # whose numbers
    values: Sequence[float]  # mostly between 0 and 1
    mark: float | None  # a number to mark among them, such as the corpus score
    mark_text: str  # how that is written
    unproven: int = 0  # so many of the numbers may be greater


class IntervalRow(NamedTuple):
    """A number and the interval that it lies in."""

    name: str  # whose number
    low: float
    value: float
    high: float
    top: float | None = None  # what the number may be at most, where it is not proven


class Intervals(NamedTuple):
    """Numbers with their intervals, which pages draw."""

    title: str  # what the numbers are
    rows: Sequence[IntervalRow]
    shown: Callable[[float], str]  # writes a number
    mark: float | None = None  # a number to hold the intervals against, such as 0


class Tables(NamedTuple):
    """All results of a command.

    Where nothing but an answer in numbers is wanted, text writes the one column of
    *numbers*.
    """

    title: str  # what a page is called
    tables: Sequence[Table]
    data: Mapping[str, Any]  # the same as plain data, for JSON
    details: Sequence[Table] = ()  # a long table, such as one of all pairs
    states: Sequence[str] = ()  # sentences about the tables: what is proven
    notes: Sequence[str] = ()  # lines of text below them
    undrawn: Sequence[str] = ()  # more of these, which pages draw by their parts
    warnings: Sequence[str] = ()  # to be known: what was left out, cut short
    verdicts: Sequence[str] = ()  # the answer in words, last in text, first on pages
    signatures: Sequence[str] = ()  # what determines each number
    provenance: Provenance | None = None  # which command made it of which files, when
    rows: Table | None = None  # what CSV and JSON Lines hold; default: details or table
    lines: Iterable[Row] | None = None  # what JSON Lines hold, if more than the rows
    charts: Sequence[Histogram | Intervals] = ()  # drawings for pages
    prose: Iterable[str] | None = None  # what text shows, not tables and sentences
    parts: Iterable[str] = ()  # HTML that a page shows after the tables
    is_wide: bool = False  # whether a page needs the whole window
    subject: str = ""  # what a page's title names; default: the files
    headline: str = ""  # what a browser's tab says; default: the title
    tells_scores: bool = False  # whether sentences do, with the decimals asked for
    numbers: Table | None = None
    lead: str = ""  # the sentence before all else: what was chosen to score
    is_coloured: bool = False  # whether text has colours
    room: int | None = None  # columns of the terminal that text has to fit; None: any

    @property
    def flat(self) -> Table:
        """The one table whose rows CSV and JSON Lines hold."""
        return (*self.details, *self.tables)[0] if self.rows is None else self.rows


def write(stream: TextIO, tables: Tables, form: str) -> None:
    """Write results in one of :data:`FORMATS`."""
    imported(_WRITERS[form])(stream, tables)
