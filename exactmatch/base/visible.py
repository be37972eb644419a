r"""Text from files, made safe to show: control characters become visible escapes.

A terminal obeys control characters: an id that holds ``\x1b[2J`` would clear the
screen, and a bidirectional override would make a line read as another one.  All
that a corpus, a file name or an option brings into tables, messages and pages goes
through :func:`visible`, and everything that is written to a terminal through
:func:`visible_lines`: graphs too, which files and pipes get as they are.  JSON has
escapes of its own (:mod:`exactmatch.views.data`).

Source for the bidirectional characters: Boucher and Anderson (2023), "Trojan Source:
Invisible Vulnerabilities".
"""

import re

CONTROLS = "\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
"""What is escaped, as the inside of a regular expression's brackets.

Control characters, separators of lines and paragraphs, the nine characters that
reorder text, and halves of surrogate pairs, which no file can hold.
"""

_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str) -> str:
    r"""Return the text in one line, its control characters written as in Python.

    >>> print(visible("red\x1b[31m\tand\u202ehidden"))
    red\x1b[31m\tand\u202ehidden
    """
    if text.isprintable():
        return text
    return re.sub(f"[{CONTROLS}]", _escape, text)


def visible_lines(text: str) -> str:
    r"""Escape text of many lines, whose line feeds and tabs stay.

    >>> visible_lines("red\x1b[31m\r\n")
    'red\\x1b[31m\\r\n'
    """
    return re.sub(f"(?![\\n\\t])[{CONTROLS}]", _escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    return _NAMED.get(character) or (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    )
