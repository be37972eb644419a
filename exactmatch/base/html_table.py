"""Tables of text as HTML, for pages and notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from exactmatch.base.markup import Markup, element, joined

_LONG = 40
"""Texts of more letters are broken into lines where a window has no room for them."""

_TAG = re.compile("<[^>]*>")
_NUMERIC = re.compile(r"([-+±.,\d\s%…<>≥≤()\[\]]|e[-+]\d)*")


class Cell(NamedTuple):
    """The content of a cell of a table.

    Attributes:
        content: text or markup.
        exact: the value in full precision, where the content is rounded.
        link: the name of the part of the page that the row is about.
    """

    content: str
    exact: str | None = None
    link: str | None = None


def cell(value: object, shown: str) -> Cell:
    """Make a cell that shows a rounded value and keeps its full precision."""
    exact = repr(value) if isinstance(value, float) else None
    return Cell(shown, None if exact == shown else exact)


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    caption: str = "",
) -> Markup:
    """A table whose first column names its rows.

    Columns of numbers are set flush right, the others flush left.  A click on a
    heading sorts three rows or more.

    Args:
        head: the headings.
        rows: a cell for each heading.
        caption: what the table shows.
    """
    body = list(rows)
    sides = [_side(row[k].content for row in body) for k in range(len(head))]
    named = element("caption", element("span", caption)) if caption else Markup()
    heads = joined(
        element("th", title, scope="col", class_=side)
        for title, side in zip(head, sides, strict=True)
    )
    lines = joined(
        joined((element("tr", *_cells(row, sides)), Markup("\n"))) for row in body
    )
    whole = element(
        "table",
        named,
        element("thead", element("tr", heads)),
        element("tbody", Markup(f"\n{lines}\n")),
        class_="sortable" if len(body) > 2 else None,
    )
    return element("div", whole, class_="scroll", tabindex="0")


def _cells(row: Sequence[Cell], sides: Sequence[str | None]) -> Iterable[Markup]:
    for k, (found, side) in enumerate(zip(row, sides, strict=True)):
        if k == 0:
            shown: str = found.content
            if found.link is not None:
                shown = element("a", shown, href=f"#{found.link}")
            yield element("th", shown, scope="row", class_=side)
        else:
            yield element("td", found.content, title=found.exact, class_=side)


def _side(column: Iterable[str]) -> str | None:
    """The class of a column of numbers, or of long texts."""
    texts = [_TAG.sub("", t) if isinstance(t, Markup) else t for t in column]
    if texts and all(map(_NUMERIC.fullmatch, texts)):
        return "n"
    return "long" if any(len(text) > _LONG for text in texts) else None
