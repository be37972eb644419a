"""Results in whatever format was asked for."""

from __future__ import annotations

from typing import TextIO

from exactmatch.views.tables import Tables


def write(stream: TextIO, tables: Tables, form: str) -> None:
    """Write results in a format.

    Args:
        stream: where to.
        tables: the results.
        form: one of :data:`exactmatch.views.tables.FORMATS`.
    """
    if form == "text":
        from exactmatch.views.text import write_text

        write_text(stream, tables)
    elif form == "latex":
        from exactmatch.views.latex import write_latex

        write_latex(stream, tables)
    elif form == "html":
        from exactmatch.views.page import write_page

        write_page(stream, tables)
    else:
        from exactmatch.views import data

        writers = {
            "json": data.write_json_document,
            "jsonl": data.write_json_lines,
            "csv": data.write_csv,
        }
        writers[form](stream, tables)
