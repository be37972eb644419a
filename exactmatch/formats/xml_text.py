"""XML as text: parsed without anything else being opened.

A text is characters already, so what its declaration says of an encoding does not
count.  Entities and documents that lie elsewhere are not read: expat asks for them, and
nobody answers.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from exactmatch.base.deadline import check
from exactmatch.base.errors import no_xml
from exactmatch.formats.characters import refuse_surrogates

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_AT_ONCE = 2**16  # characters that expat is fed between two looks at the clock
_ENCODING = re.compile(
    r"(\s*<\?xml\b[^>]*?)\sencoding\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*')"
)


def parsed_xml(text: str, path: str | None) -> Element:
    """Parse a text as XML and return its root.

    Raises:
        InputError: if it is not XML, or has bytes that are not UTF-8.
    """
    from xml.etree import ElementTree

    _refuse_surrogates(text, path)
    parser = ElementTree.XMLParser()
    try:
        for begin in range(0, len(text), _AT_ONCE):
            check()
            parser.feed(text[begin : begin + _AT_ONCE])
        root: Element = parser.close()
        return root
    except ElementTree.ParseError as error:
        raise no_xml(error, path) from None


def xml_file(text: str, path: str | None) -> io.BytesIO:
    """Return a text as a file in UTF-8 for a parser of files.

    The encoding that the text declares does not count.

    Raises:
        InputError: if it has bytes that are not UTF-8.
    """
    _refuse_surrogates(text, path)
    declared = _ENCODING.match(text)
    without_encoding = (
        text if declared is None else declared[1] + text[declared.end() :]
    )
    return _ReadInTime(without_encoding.encode())


def _refuse_surrogates(text: str, path: str | None) -> None:
    if not text.isascii():
        refuse_surrogates(text.split("\n"), path, 1)


class _ReadInTime(io.BytesIO):
    """Bytes that are read in pieces; the clock is looked at before each."""

    def read(self, size: int | None = -1, /) -> bytes:
        check()
        return super().read(size)


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    name = element.tag
    return name.rpartition("}")[2] if "}" in name else name
