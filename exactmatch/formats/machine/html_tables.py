"""Tables and lists of HTML, as the lines of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

_TAG = re.compile(
    r"<(/?)(table|thead|tbody|tfoot|caption|tr|t[hd]|[uo]l|li|br|p|div|span|b|i|em"
    r"|strong|code|a|sub|sup)(?=[\s/>])[^<>]{0,500}>",
    re.IGNORECASE,
)
_HAS_ROWS = re.compile(r"<(?:tr|li)[\s>]", re.IGNORECASE)
_ITEMS = ("table", "caption", "thead", "tbody", "tfoot", "ul", "ol", "li", "p", "div")


def with_lines_of_html(text: str) -> str:
    r"""Return a text with its rows and items of HTML as rows and lines of Markdown.

    >>> print(with_lines_of_html("<table><tr><td>A</td><td>in</td><td>B</td></tr>"))
    <BLANKLINE>
    | A | in | B |
    <BLANKLINE>
    """
    if not _HAS_ROWS.search(text):
        return text
    return "".join(_Rows(text).pieces)


class _Rows:
    """Reads tags and what is between them.

    Attributes:
        pieces: the text outside of rows, and the rows.
    """

    def __init__(self, text: str) -> None:
        self.pieces: list[str] = []
        self._cells: list[list[str]] = []
        self._are_headings: list[bool] = []
        self._is_row = False
        for words, is_end, tag in _parts(text):
            if self._is_row and self._cells:
                self._cells[-1].append(words)
            elif not self._is_row:
                self.pieces.append(unescape(words) if tag else words)
            self._take(tag, is_end)
        self._end_row()

    def _take(self, tag: str, is_end: bool) -> None:
        if tag == "tr" or tag in ("table", "tbody"):
            self._end_row()
            self._is_row = tag == "tr" and not is_end
        elif tag in ("td", "th") and not is_end:
            self._is_row = True
            self._cells.append([])
            self._are_headings.append(tag == "th")
        elif self._cells:
            self._cells[-1].append(" " if tag in ("br", *_ITEMS) else "")
        elif tag in ("br", *_ITEMS):
            self.pieces.append("\n")

    def _end_row(self) -> None:
        cells = [" ".join(unescape("".join(cell)).split()) for cell in self._cells]
        if any(cells):
            row = " | ".join(cell.replace("|", "\\|") for cell in cells)
            self.pieces.append(f"\n| {row} |\n")
            if all(self._are_headings):
                self.pieces.append(f"|{'---|' * len(cells)}\n")
        self._cells, self._are_headings, self._is_row = [], [], False


def _parts(text: str) -> Iterator[tuple[str, bool, str]]:
    """Yield what stands before each tag, whether the tag ends one, and its name."""
    at = 0
    for match in _TAG.finditer(text):
        yield text[at : match.start()], bool(match[1]), match[2].lower()
        at = match.end()
    yield text[at:], False, ""
