"""Results for people at a terminal, in aligned columns of any script.

A character may take no column, one or two (combining marks, Latin, Chinese); *width*
below counts columns.  A table with columns that may be left out or shortened is fitted
to the terminal, or to 80 columns without one.  Colours show changes, significant values
and the best of a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from exactmatch.base.numbers import Real, p_value
from exactmatch.base.visible import visible
from exactmatch.views.tables import Column, Row, Table, Tables

_GAP = "  "
_SHORTEST = 12  # the least width of a shortened column, in columns of the terminal
_SIGNIFICANT = 0.05  # a p-value no greater is shown as significant

Lines = list[list[str]]


def write_text(stream: TextIO, tables: Tables) -> None:
    """Write tables, then sentences."""
    write_lines(stream, tables.leads)
    if tables.prose is not None:
        write_lines(stream, tables.prose)
    else:
        for number, table in enumerate((*tables.details, *tables.tables)):
            stream.write("\n" if number else "")
            lines = table_lines(table, tables.room, tables.is_coloured)
            stream.writelines(f"{line}\n" for line in lines)
        write_lines(stream, tables.states)
        notes = (*tables.notes, *tables.undrawn)
        if notes:
            stream.write("\n" if tables.tables or tables.states else "")
            write_lines(stream, notes, tables.is_coloured)
    write_lines(stream, tables.warnings)
    if tables.verdicts:
        stream.write("\n")
        write_lines(stream, tables.verdicts)
    write_lines(stream, (f"signature: {line}" for line in tables.signatures))
    if tables.provenance is not None:
        write_lines(stream, [tables.provenance.line()])


_COLOURS = {"missing": 34, "insert": 34, "extra": 33, "delete": 33, "substitute": 35}
"""Colours of terminals for lines that begin with the name of a difference."""


def write_lines(
    stream: TextIO, sentences: Iterable[str], is_coloured: bool = False
) -> None:
    """Write sentences, each on a line of its own; differences may have colours."""
    for line in map(visible, sentences):
        word = line.lstrip(" ").partition(" ")[0] if line.startswith("  ") else ""
        colour = _COLOURS.get(word) if is_coloured else None
        stream.write(
            f"{line}\n" if colour is None else f"\x1b[{colour}m{line}\x1b[0m\n"
        )


def table_lines(
    table: Table, room: int | None = None, is_coloured: bool = False
) -> Iterator[str]:
    """Yield the lines of a table: its title, its heading, its rows.

    A table that is too wide for the *room*, in columns of the terminal, loses columns
    by their ranks, and if it is still too wide, has a line for each column instead.
    """
    indent = "  " if table.title else ""
    if table.title:
        yield visible(table.title)
    if room is not None:
        room -= len(indent)
    columns, lines, left_out = _fitted(table, room, len(indent))
    if room is not None and _total(lines) > room and len(lines) > 1:
        yield from (f"{indent}{line}" for line in _turned(lines, room))
        return
    widths = _widths(lines)
    styles = _styles(columns, table) if is_coloured else []
    for place, line in enumerate(lines):
        cells = [
            _padded(text, wide, left=column.is_text or column is columns[0])
            for column, text, wide in zip(columns, line, widths, strict=True)
        ]
        if styles:
            cells = list(map(_painted, cells, styles[place]))
        yield f"{indent}{_GAP.join(cells)}".rstrip()
    if left_out and room is not None:
        note = f"without {', '.join(dict.fromkeys(left_out))}"
        yield f"{indent}({shortened(note, room - 2)})"


def _fitted(
    table: Table, room: int | None, indent: int
) -> tuple[list[Column], Lines, list[str]]:
    """Return the columns that fit, the texts of all lines, and the columns left out."""
    columns = table.shown("text")
    lines = _lines(columns, table)
    if any(column.shrinks or column.waits for column in columns):
        import shutil

        wide = shutil.get_terminal_size((80, 24)).columns - indent
        lines = _lines(columns, table, wide)
        if _total(lines) > wide:
            columns = [column for column in columns if not column.waits]
            lines = _lines(columns, table, wide)
    left_out: list[str] = []
    while room is not None and _total(lines) > room and any(c.rank for c in columns):
        worst = max(columns, key=lambda column: column.rank)
        left_out.append(visible(worst.title or ""))
        columns = [column for column in columns if column is not worst]
        lines = _lines(columns, table, room)
    return columns, lines, left_out


def _turned(lines: Lines, room: int) -> Iterator[str]:
    """Yield a line for each column, with as many rows side by side as there is room."""
    head, *rows = lines
    first = max(map(width, head))
    while rows:
        part: list[tuple[int, list[str]]] = []
        used = first
        while rows:
            wide = max(map(width, rows[0]))
            used += len(_GAP) + wide
            if part and used > room:
                break
            part.append((wide, rows.pop(0)))
        for place, title in enumerate(head):
            cells = [_padded(title, first, left=True)]
            cells += [_padded(row[place], wide, left=False) for wide, row in part]
            yield shortened(_GAP.join(cells).rstrip(), max(room, first))
        if rows:
            yield ""


def _lines(columns: Sequence[Column], table: Table, room: int | None = None) -> Lines:
    """Return the texts of the heading, of every row, and beneath the rows.

    If they do not fit into the room, texts are cut, those of the last column first.
    """
    lines = [[visible(column.title or "") for column in columns]]
    for row in table.rows:
        lines.append([visible(column.cell(row)) for column in columns])
        beneath = [visible(column.cell_beneath(row)) for column in columns]
        if any(beneath):
            lines.append(beneath)
    if room is None:
        return lines
    for number in reversed(range(len(columns))):
        excess = _total(lines) - room
        if columns[number].shrinks and excess > 0:
            kept = max(_widths(lines)[number] - excess, _SHORTEST)
            for line in lines:
                line[number] = shortened(line[number], kept)
    return lines


def _styles(columns: Sequence[Column], table: Table) -> Lines:
    """Return the styles of all lines; headings and texts beneath rows have none."""
    best = table.best(columns)
    plain = [""] * len(columns)
    styles = [plain]
    for k, row in enumerate(table.rows):
        styles.append([_style(c, row, is_best=(k, c.key) in best) for c in columns])
        if any(column.cell_beneath(row) for column in columns):
            styles.append(plain)
    return styles


def _style(column: Column, row: Row, *, is_best: bool) -> str:
    """Return green for gains, red for losses, bold for significant or best values."""
    value, shown = row.get(column.key), column.shown
    if shown is p_value and value is not None and value <= _SIGNIFICANT:
        return "bold"
    if isinstance(shown, Real) and shown.signed:
        text = column.cell(row)
        if not row.get("_stars", "*") or not text.strip("+-0."):
            return ""  # the test is not significant, or there is no change
        return {"+": "green", "-": "red"}.get(text[:1], "")
    return "bold" if is_best else ""


def _painted(text: str, style: str) -> str:
    if not style:
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)


def _total(lines: Lines) -> int:
    widths = _widths(lines)
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _widths(lines: Lines) -> list[int]:
    return [max(map(width, cells)) for cells in zip(*lines, strict=True)]


def _padded(text: str, columns: int, *, left: bool) -> str:
    space = " " * (columns - width(text))
    return text + space if left else space + text


def width(text: str) -> int:
    """Return the number of columns of the terminal that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def shortened(text: str, room: int) -> str:
    """Cut a text at its end, with ``…``, if it takes more columns than there is room.

    >>> shortened("a long sentence", 7)
    'a long…'
    """
    if width(text) <= room:
        return text
    kept = text[:room]
    while width(kept) >= room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
