"""Files, folders and standard input, opened as lines of text.

Files may be gzipped, ``-`` is standard input, and a folder is all its files in the
order of their names.
"""

from __future__ import annotations

import io
import json
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from exactmatch.errors import InputError
from exactmatch.reading.formats import FORMATS, GZIP, HEAD, looks_like, packed
from exactmatch.reading.inputs import note_input, opened_once, refuse_endless

if TYPE_CHECKING:
    import gzip

STANDARD_INPUT = "-"


def expand(source: str | os.PathLike[str]) -> list[str]:
    """The files behind a path: itself, or the files of a folder, sorted.

    Raises:
        InputError: if it is no path, or there is no file in the folder.
    """
    if not isinstance(source, str | os.PathLike):
        raise InputError(
            f"{type(source).__name__} is no path of a file; name a file, a folder "
            "or '-'"
        )
    path = os.fspath(source)
    if "\0" in path:
        raise InputError(f"{path!r} names no file: it holds a NUL character")
    if path == STANDARD_INPUT or not os.path.isdir(path):
        note_input(path)
        return [path]
    with os.scandir(path) as entries:
        files = sorted(
            (
                entry.path
                for entry in entries
                if entry.is_file() and not entry.name.startswith(".")
            ),
            key=file_key,
        )
    if not files:
        raise InputError(f"folder {path!r} holds no file; name a file of graphs")
    note_input(path, files)
    return files


def file_key(path: str) -> str:
    """A file's name without folder and ``.gz``, by which files of folders are paired.

    >>> file_key("gold/dev.amr.gz") == file_key("parsed/dev.amr")
    True
    """
    return os.path.basename(path).removesuffix(".gz")


def is_read_once(path: str) -> bool:
    """Whether a source, such as a pipe, can be read only once."""
    if path == STANDARD_INPUT:
        return True
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def whole(path: str) -> bytes:
    """All bytes of a file, or of standard input.

    Raises:
        OSError: if it cannot be read.
        InputError: if it can be read only once, and was, or it has no end.
    """
    if path == STANDARD_INPUT:
        refuse_endless(path)
        content = sys.stdin.buffer.read()
        note_input(path, content=content)
        return content
    note_input(path)
    if is_read_once(path):
        with opened_once(path) as file:
            return file.readall()
    return Path(path).read_bytes()


@contextmanager
def opened(
    path: str, format_in: str | None = None
) -> Iterator[tuple[Iterable[str], str]]:
    """Open a file, gzip file or standard input as lines; errors name it.

    Args:
        path: the file, or ``-``.
        format_in: the format that it is in; default: what it looks like.

    Yields:
        The lines, and the name of the format.

    Raises:
        InputError: if there is no such file, or it is no text in UTF-8 or of no format
            in :data:`~exactmatch.reading.formats.FORMATS`.
    """
    name = named(path)
    try:
        if path == STANDARD_INPUT:
            content = cast("io.RawIOBase", io.BytesIO(whole(path)))
            yield _lines(io.BufferedReader(content, HEAD), name, format_in)
        else:
            raw = opened_once(path) if is_read_once(path) else io.FileIO(path)
            with io.BufferedReader(raw, HEAD) as file:
                if path.endswith(".gz") or file.peek().startswith(GZIP):
                    with _unpacked(file, name) as unpacked:
                        yield _lines(unpacked, name, format_in)
                else:
                    yield _lines(file, name, format_in)
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from None


def _lines(
    file: io.BufferedReader[Any] | gzip.GzipFile, name: str, format_in: str | None
) -> tuple[Iterable[str], str]:
    """A file's lines as text, and their format, if it is text and of a format."""
    head = file.peek(HEAD)
    if known := packed(head):
        what, remedy = known
        raise InputError(f"{name}: is {what}; {remedy}")
    text = io.TextIOWrapper(cast("IO[bytes]", file), "utf-8-sig", "surrogateescape")
    lines: Iterable[str] = text
    beginning = head.decode("utf-8-sig", "ignore")
    if format_in is None and beginning.lstrip()[:1] in ("{", "["):
        lines, beginning = _first_object(text)
    found = format_in or looks_like(beginning)
    if format_in is None and found not in FORMATS:
        raise InputError(
            f"{name}: looks like {found}, which is no format of graphs that is read "
            f"(known: {', '.join(FORMATS)}); if it is one, name it by --format-in"
        )
    return lines, found


def _first_object(lines: io.TextIOWrapper) -> tuple[Iterable[str], str]:
    """Read the first line of JSON, or all lines if it is no whole value.

    Returns:
        All lines, of which some are read, and the text that was read.
    """
    read = list(islice(lines, 1))
    try:
        json.loads(read[0])
    except (ValueError, RecursionError):
        read += lines
    return _beginning_with(read, lines), "".join(read)


def _beginning_with(read: list[str], rest: io.TextIOWrapper) -> Iterator[str]:
    """Yield the lines that were read, and the rest of a file, which is then closed."""
    with rest:
        yield from read
        yield from rest


@contextmanager
def _unpacked(file: IO[bytes], name: str) -> Iterator[gzip.GzipFile]:
    """Open a gzip file's content."""
    import gzip

    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield unpacked
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{name}: is not a whole gzip file ({error})") from None


def named(path: str) -> str:
    """What a path is called in messages."""
    return "standard input" if path == STANDARD_INPUT else path
