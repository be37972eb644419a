"""Results as a page for the browser.

A page is one file that works from a disk, without network, in light and dark, on paper
and without its script.  Its *content security policy* enforces that: the browser loads
nothing, and runs only ``page.js``, by its hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import TextIO

from exactmatch.base.inputs import Provenance
from exactmatch.base.markup import Cell, Markup, cell, element, escape, joined, table
from exactmatch.base.version import __version__
from exactmatch.views.charts import histogram, intervals
from exactmatch.views.tables import Column, Histogram, Row, Table, Tables

_NAMED = 4  # files in a title, at most


def warnings(lines: Iterable[str]) -> Markup:
    """Show warnings under a heading; empty if there are none."""
    shown = joined(element("p", line, class_="warn") for line in lines)
    return joined((element("h2", "What to know"), shown)) if shown else shown


def signatures(lines: Iterable[str]) -> Markup:
    """Show the signatures, with line breaks only between their fields."""
    broken = (Markup(escape(line).replace("|", "|<wbr>")) for line in lines)
    shown = joined(element("p", element("code", c), class_="sign") for c in broken)
    return element("footer", element("h2", "Signature"), shown) if shown else shown


def origin(provenance: Provenance, remarks: Mapping[str, str] | None = None) -> Markup:
    """Show the files that were read, and the date.

    *Remarks* on files are given by their paths.  Pages are sent around, so they show
    names and checksums of files, but neither their paths nor the command.
    """
    extra = remarks or {}
    rows: list[Markup] = []
    for file in provenance.files:
        file_facts = ", ".join(
            filter(None, (extra.get(file.path), f"SHA-256 {file.short}"))
        )
        rows.append(element("dt", file.name))
        rows.append(element("dd", file_facts, title=file.sha256))
    written = f"{provenance.minute} by exactmatch {__version__}"
    rows += [element("dt", "written"), element("dd", written)]
    return element("dl", *rows, class_="origin")


def opening(title: str, policy: str, styles: str, body: str) -> str:
    """Return a page up to the beginning of its content, with its elements of style.

    The policy says what the page may load and run; everything else is forbidden.  The
    *body* is the opening tag.
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"{policy}; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{element('title', title)}\n{styles}\n</head>\n{body}\n"
    )


def digest(text: str) -> str:
    """Return the hash of a script or style for a content security policy."""
    from base64 import b64encode
    from hashlib import sha256

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _file(name: str) -> str:
    return "\n" + files("exactmatch.views.assets").joinpath(name).read_text("utf-8")


STYLE, GRAPHS = _file("page.css"), _file("drawing.css")
"""Style sheets of all pages, and of graphs."""

SHARED = _file("shared.js")
"""Script of all pages and of reports: the theme, and drawings that zoom."""

SCRIPT = SHARED + _file("page.js")  # the script of all pages


def write_page(stream: TextIO, tables: Tables) -> None:
    """Write tables and sentences as one page."""
    title = f"exactmatch: {tables.headline or _title(tables)}"
    policy = f"style-src 'unsafe-inline'; script-src {digest(SCRIPT)}"
    style = f"<style>{STYLE}{GRAPHS}</style>"
    body = '<body class="wide">' if tables.is_wide else "<body>"
    stream.write(opening(title, policy, style, body))
    named = str if tables.provenance is None else tables.provenance.without_folders
    stream.write("<main>\n")
    stream.writelines(f"{named(part)}\n" for part in _head(tables) if part)
    stream.writelines(named(escape(part)) for part in tables.parts)
    stream.write(f"{signatures(tables.signatures)}\n")
    if tables.provenance is not None:
        stream.write(f"{origin(tables.provenance)}\n")
    stream.write("</main>\n")
    stream.write(f"<script>{SCRIPT}</script>\n</body>\n</html>\n")


def _head(tables: Tables) -> Iterable[Markup]:
    yield element("h1", _title(tables))
    for sentence in (*tables.leads, *tables.verdicts, *tables.states):
        yield element("p", sentence, class_="lead")
    yield from map(table_of, tables.tables[:1])
    yield warnings(tables.warnings)
    drawn = (
        histogram(chart) if isinstance(chart, Histogram) else intervals(chart)
        for chart in tables.charts
    )
    charts = list(filter(None, drawn))
    if charts:
        yield element("div", *charts, class_="charts")
    yield from map(table_of, tables.tables[1:])
    if tables.details:
        yield element("h2", "Pairs")
        yield from map(table_of, tables.details)
    for note in tables.notes:
        yield element("p", note, class_="note")


def _title(tables: Tables) -> str:
    files = () if tables.provenance is None else tables.provenance.files
    names = ", ".join(file.name for file in files[:_NAMED])
    shown = tables.subject or names + ", …" * (len(files) > _NAMED)
    return f"{tables.title}: {shown}" if shown else tables.title


def table_of(values: Table) -> Markup:
    """Return a table of values as HTML."""
    columns = values.shown("html")
    first = columns[0]
    rows = [[_cell(column, row, first) for column in columns] for row in values.rows]
    return table([column.title or "" for column in columns], rows, values.title)


def _cell(column: Column, row: Row, first: Column) -> Cell:
    """Return a value, with the text beneath it and the row's label of that text."""
    shown = cell(row.get(column.exact or column.key), column.cell(row))
    beneath = column.cell_beneath(row)
    if column is first:
        return shown._replace(link=row.get("_link"))
    if beneath in ("", "-"):
        return shown
    label = first.cell_beneath(row).strip()
    small = element("small", f"{label} {beneath}".strip())
    return Cell(joined((shown.content, small)), shown.exact)
