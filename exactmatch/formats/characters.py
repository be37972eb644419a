"""Refuse bytes that are not UTF-8, and halves of characters."""

from __future__ import annotations

import re
from collections.abc import Iterable

from exactmatch.base.errors import InputError, place_of

_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""What stands for no byte of a file: halves of characters, escaped so in JSON."""


def refuse_surrogates(
    lines: Iterable[str], path: str | None, first: int, halves: bool = True
) -> None:
    """Refuse lines with bytes that are not UTF-8.

    Args:
        lines: the lines.
        path: their file; ``None`` for a string.
        first: the number of the first one.
        halves: whether halves of characters are refused, too.

    Raises:
        InputError: if there is one; it names file, line and byte.
    """
    for number, line in enumerate(lines, first):
        if line.isascii() or (wrong := _SURROGATE.search(line)) is None:
            continue
        place = place_of(path, number)
        if not _NO_BYTE.match(wrong[0]):
            raise InputError(
                f"{place}byte 0x{ord(wrong[0]) - 0xDC00:02x} is not UTF-8; convert the "
                "file, for example with iconv -t UTF-8"
            )
        if halves:
            raise InputError(
                f"{place}holds \\u{ord(wrong[0]):04x}, which is half a character"
            )


def has_surrogates(text: str) -> bool:
    """Return whether a text holds bytes that are not UTF-8, or halves of characters."""
    return _SURROGATE.search(text) is not None


def has_halves(text: str) -> bool:
    """Tell whether a text holds halves of characters, as JSON may have them."""
    return not text.isascii() and _NO_BYTE.search(text) is not None


def with_whole_characters(text: str) -> str:
    """Return a text with U+FFFD in the place of halves of characters.

    >>> with_whole_characters("bark" + chr(0xD83D)) == "bark" + chr(0xFFFD)
    True
    """
    return _NO_BYTE.sub("\ufffd", text)
