"""HTML that escapes itself, and tables of it.

Text becomes :class:`Markup` only by being escaped, and :func:`element` escapes
whatever is not markup yet; so an id such as ``<script>`` stays an id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape as _escaped
from typing import NamedTuple

from exactmatch.base.visible import visible

_LONG = 40  # longer texts are broken into lines where a window has no room
_TAG = re.compile("<[^>]*>")
_NUMERIC = re.compile(r"([-+±.,\d\s%…<>≥≤()\[\]]|e[-+]\d)*")


_RIGHT_TO_LEFT = (
    "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
)
_RUN = re.compile(f"[{_RIGHT_TO_LEFT}](?:[^→↔/:|<>]*[{_RIGHT_TO_LEFT}])?")
_PLAIN = frozenset(("bdi", "option", "script", "style", "text", "title", "tspan"))
"""Elements whose text has none of HTML in it, or is one piece."""


class Cell(NamedTuple):
    """The content of a cell of a table."""

    content: str  # text or markup
    exact: str | None = None  # the value in full precision, where that is rounded
    link: str | None = None  # the name of the part of the page that the row is about


def cell(value: object, shown: str) -> Cell:
    """Make a cell that shows a rounded value and keeps its full precision."""
    exact = repr(value) if isinstance(value, float) else None
    return Cell(shown, None if exact == shown else exact)


def table(
    head: Sequence[str], rows: Iterable[Sequence[Cell]], caption: str = ""
) -> Markup:
    """Return a table whose first column names its rows.

    Columns of numbers are set flush right, the others flush left.  A click on a
    heading sorts three rows or more.
    """
    body = list(rows)
    sides = [_side(row[k].content for row in body) for k in range(len(head))]
    named = element("caption", element("span", caption)) if caption else Markup()
    heads = joined(
        element("th", title, scope="col", class_=side)
        if title or len(body) > 2  # where a button sorts, which says so
        else element("td", class_=side)
        for title, side in zip(head, sides, strict=True)
    )
    lines = joined(
        joined((element("tr", *_cells(row, sides)), Markup("\n"))) for row in body
    )
    table_element = element(
        "table",
        named,
        element("thead", element("tr", heads)),
        element("tbody", Markup(f"\n{lines}\n")),
        class_="sortable" if len(body) > 2 else None,
    )
    return element("div", table_element, class_="scroll", tabindex="0")


def _cells(row: Sequence[Cell], sides: Sequence[str | None]) -> Iterable[Markup]:
    for k, (cell, side) in enumerate(zip(row, sides, strict=True)):
        if k == 0:
            shown: str = cell.content
            if cell.link is not None:
                shown = element("a", shown, href=f"#{cell.link}")
            yield element("th", shown, scope="row", class_=side)
        else:
            yield element("td", cell.content, title=cell.exact, class_=side)


def _side(column: Iterable[str]) -> str | None:
    """Return the class of a column of numbers, or of long texts."""
    texts = [_TAG.sub("", t) if isinstance(t, Markup) else t for t in column]
    if texts and all(map(_NUMERIC.fullmatch, texts)):
        return "n"
    return "long" if any(len(text) > _LONG for text in texts) else None


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return self


def escape(text: str) -> Markup:
    """Return the text as HTML, its control characters as visible escapes."""
    if isinstance(text, Markup):
        return text
    return Markup(_escaped(visible(text)))


def isolated(text: str) -> Markup:
    """Return the text as HTML that isolates writing from right to left.

    What stands around an arrow, a slash or a colon keeps its side of it.

    >>> print(isolated("a→b: \u0643\u0644\u0628→\u0642\u0637"))
    a→b: <bdi>\u0643\u0644\u0628</bdi>→<bdi>\u0642\u0637</bdi>
    """
    if text.isascii() or isinstance(text, Markup):
        return escape(text)
    parts, begin = [], 0
    for run in _RUN.finditer(text):
        parts.append(escape(text[begin : run.start()]))
        parts.append(Markup(f"<bdi>{escape(run.group())}</bdi>"))
        begin = run.end()
    return joined([*parts, text[begin:]])


def joined(parts: Iterable[str]) -> Markup:
    """Concatenate parts, escaping those that are not markup."""
    return Markup("".join(map(escape, parts)))


def element(name: str, *content: str, **attributes: str | float | None) -> Markup:
    """Make an element with attributes and content: text, which is escaped, or markup.

    Of an attribute's name a trailing underscore is dropped, and others become hyphens.
    ``None`` and ``False`` leave it out, ``True`` writes it without a value.

    Example:
        >>> print(element("p", "1 < 2", class_="note", hidden=True))
        <p class="note" hidden>1 &lt; 2</p>
    """
    attribute_text = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{attribute_text}>")
    inner = joined(content if name in _PLAIN else map(isolated, content))
    return Markup(f"<{name}{attribute_text}>{inner}</{name}>")


_VOID = frozenset(("input", "wbr"))  # elements without content and without an end tag
