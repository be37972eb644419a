"""Render results: text, JSON, JSON Lines, CSV, LaTeX, HTML.

A :class:`Renderer` gets each pair's result as it comes and the report at the end.
"""

from exactmatch.report.base import Renderer
from exactmatch.report.data import Csv, Json, JsonLines
from exactmatch.report.html import Html
from exactmatch.report.latex import Latex
from exactmatch.report.records import corpus_record, pair_record
from exactmatch.report.text import SmatchText, Text

RENDERERS: dict[str, type[Renderer]] = {
    "text": Text,
    "json": Json,
    "jsonl": JsonLines,
    "csv": Csv,
    "latex": Latex,
    "html": Html,
}
"""Every output format by the name that ``--format`` takes."""

__all__ = ["RENDERERS", "Renderer", "SmatchText", "corpus_record", "pair_record"]
