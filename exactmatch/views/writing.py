"""Results in whatever format was asked for."""

from __future__ import annotations

from typing import TextIO

from exactmatch.base.registry import imported
from exactmatch.views.tables import Tables

_WRITERS = {
    "text": "exactmatch.views.text:write_text",
    "json": "exactmatch.views.data:write_json_document",
    "jsonl": "exactmatch.views.data:write_json_lines",
    "csv": "exactmatch.views.data:write_csv",
    "latex": "exactmatch.views.latex:write_latex",
    "html": "exactmatch.views.page:write_page",
}


def write(stream: TextIO, tables: Tables, form: str) -> None:
    """Write results in one of :data:`exactmatch.views.tables.FORMATS`."""
    imported(_WRITERS[form])(stream, tables)
