"""Tables of results, written as text, CSV, LaTeX or HTML.

A command that reports more than one score makes a :class:`Sheet`: tables for
people, remarks below them, and the same as plain data for JSON.  Text, LaTeX and
HTML round; CSV holds the first table, and JSON everything, in full precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from exactmatch.writing import latex
from exactmatch.writing.data import CsvWriter, write_json
from exactmatch.writing.visible import visible

FORMATS = ("text", "json", "csv", "latex", "html")
"""What ``--format`` takes where results are sheets."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        key: its name in the rows and in CSV; with a leading underscore it is for
            people alone.
        title: its heading for people; an empty one hides it from them.
        shown: how a value is written for people; default: as it is.
        left: whether it is set flush left, as the first column is.
    """

    key: str
    title: str
    shown: Callable[[Any], str] = str
    left: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of values under columns.

    Attributes:
        title: what the table shows, in a few words.
        columns: the columns; the first is set flush left.
        rows: a value for each column's key; a missing one is left blank.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that a command found out.

    Attributes:
        tables: the tables; CSV shows the first.
        notes: lines of text below them.
        data: the same as plain data, for JSON; of several things a list, each with
            its own ``signatures``.
        signatures: what determines each number.
        flat: what CSV shows instead of the first table.
        title: what a page is called.
    """

    tables: tuple[Table, ...]
    data: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    flat: Table | None = None
    title: str = "Results"


def write_sheet(stream: TextIO, sheet: Sheet, form: str) -> None:
    """Write a sheet in one of :data:`FORMATS`."""
    _WRITERS[form](stream, sheet)


def _json(stream: TextIO, sheet: Sheet) -> None:
    data: Any = sheet.data
    if isinstance(data, Mapping):
        data = {**data, "signatures": list(sheet.signatures)}
    write_json(stream, data, indent=2)


def _csv(stream: TextIO, sheet: Sheet) -> None:
    table = sheet.flat or sheet.tables[0]
    keys = [c.key for c in table.columns if not c.key.startswith("_")]
    CsvWriter(stream, keys).write(table.rows)


def _cells(table: Table) -> tuple[list[str], list[list[str]]]:
    """Heading and rows as people read them."""
    columns = [column for column in table.columns if column.title]
    rows = [
        [
            "" if row.get(column.key, "") == "" else column.shown(row[column.key])
            for column in columns
        ]
        for row in table.rows
    ]
    return [column.title for column in columns], rows


def _flush_left(table: Table) -> set[int]:
    """The places of the shown columns that are set flush left."""
    columns = [column for column in table.columns if column.title]
    return {0} | {place for place, column in enumerate(columns) if column.left}


def _text(stream: TextIO, sheet: Sheet) -> None:
    for number, table in enumerate(sheet.tables):
        stream.write("\n" if number else "")
        stream.write(f"{visible(table.title)}\n" if table.title else "")
        head, rows = _cells(table)
        lines = [[visible(text) for text in row] for row in (head, *rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        flush = _flush_left(table)
        for row in lines:
            cells = [
                cell.ljust(width) if place in flush else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            stream.write(f"  {'  '.join(cells).rstrip()}\n")
    if sheet.notes:
        stream.write("\n" if sheet.tables else "")
        stream.writelines(f"{visible(line)}\n" for line in sheet.notes)
    stream.writelines(f"signature: {visible(line)}\n" for line in sheet.signatures)


def _latex(stream: TextIO, sheet: Sheet) -> None:
    for number, table in enumerate(sheet.tables):
        stream.write("\n" if number else "")
        stream.write(latex.comments([table.title] if table.title else ()))
        stream.write(latex.tabular(*_cells(table)))
    signatures = (f"signature: {line}" for line in sheet.signatures)
    stream.write(latex.comments((*sheet.notes, *signatures)))


def _html(stream: TextIO, sheet: Sheet) -> None:
    from exactmatch.writing import page

    def shown(table: Table) -> page.Markup:
        head, rows = _cells(table)
        keys = [column.key for column in table.columns if column.title]
        cells = [
            [page.cell(given.get(k), text) for k, text in zip(keys, row, strict=True)]
            for given, row in zip(table.rows, rows, strict=True)
        ]
        return page.table(head, cells, table.title)

    body = [page.element("h1", sheet.title), *map(shown, sheet.tables)]
    body += [page.element("p", note, class_="note") for note in sheet.notes]
    body.append(page.signatures(sheet.signatures))
    stream.write(page.document(f"exactmatch: {sheet.title}", *body))


_WRITERS: dict[str, Callable[[TextIO, Sheet], None]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "latex": _latex,
    "html": _html,
}
