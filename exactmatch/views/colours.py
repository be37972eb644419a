"""Colour in tables of text, where it says something.

Gains are green and losses red, and bold is what is significant or the best of a column.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.base.numbers import Real, p_value
from exactmatch.views.tables import Column, Row, Table

SIGNIFICANT = 0.05
"""A p-value no greater is shown as significant."""


def styles_of(columns: Sequence[Column], table: Table) -> list[list[str]]:
    """Return the style of each cell of each row, empty for none."""
    best = table.best(columns)
    return [
        [_style(column, row, is_best=(k, column.key) in best) for column in columns]
        for k, row in enumerate(table.rows)
    ]


def _style(column: Column, row: Row, *, is_best: bool) -> str:
    value, shown = row.get(column.key), column.shown
    if shown is p_value and value is not None and value <= SIGNIFICANT:
        return "bold"
    if isinstance(shown, Real) and shown.signed:
        text = column.cell(row)
        if not row.get("_stars", "*") or not text.strip("+-0."):
            return ""  # of a test that is not significant, or no change
        return {"+": "green", "-": "red"}.get(text[:1], "")
    return "bold" if is_best else ""


def painted(text: str, style: str) -> str:
    """Return a text in a style."""
    if not style:
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)
