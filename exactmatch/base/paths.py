"""Files as paths, and texts that are names of files by mistake.

A text is a ``str`` and a file is a ``pathlib.Path`` (any ``os.PathLike``), in every
function that takes graphs.
"""

import os
import re
from typing import Any

from exactmatch.base.errors import InputError

_NAME = re.compile(r"[^\s()<>{}\[\]\"|]*(?:[\w-]\.[A-Za-z]\w{0,7}|[\w-]/[\w.-]+)")
"""What looks like the name of a file: a suffix, or folders, and no blanks."""

_LONGEST_NAME = 1024


def path_of(value: Any) -> str | None:
    """Return the path of a file from a ``Path``; ``None`` for other values.

    >>> from pathlib import PurePosixPath
    >>> path_of(PurePosixPath("data/gold.amr")), path_of("(b / bark-01)")
    ('data/gold.amr', None)
    """
    if isinstance(value, str) or not isinstance(value, os.PathLike):  # texts: quickly
        return None
    return os.fsdecode(value)


def file_of(value: Any) -> str | None:
    """Return the path of a ``Path``, or a text that is the name of a file.

    >>> file_of("(b / bark-01)") is None
    True
    """
    if not isinstance(value, str):
        return path_of(value)
    if value[:1] == "(" or len(value) > _LONGEST_NAME or not _NAME.fullmatch(value):
        return None
    return value if os.path.isfile(value) else None


def refuse_name(text: str, is_unreadable: bool = False) -> None:
    """Refuse a text that is the name of a file: a file is a ``Path``.

    Nothing is opened.  Where the text is unreadable as a graph, the name may look like
    anything, and that of a missing file is refused, too.

    Raises:
        InputError: if it is such a name; the message ends with the way out.
    """
    if text[:1] == "(" or len(text) > _LONGEST_NAME or "\n" in (text := text.strip()):
        return
    looks = _NAME.fullmatch(text) is not None
    if not (looks or is_unreadable):
        return
    if os.path.exists(text):
        kind = "folder" if os.path.isdir(text) else "file"
        raise InputError(
            f"{text!r} is the name of a {kind}, and a text is read as a graph; to read "
            f"the {kind}, give Path({text!r})"
        )
    if looks and is_unreadable:
        raise InputError(
            f"{text!r} is not a graph, and there is no file of that name; a file is "
            f"given as Path({text!r})"
        )
