"""Files, folders and standard input, opened as lines of text.

Files may be gzipped, ``-`` is standard input, and a folder is all its files in the
order of their names.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, cast

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import max_bytes, note_input, opened_once, refuse_endless
from exactmatch.formats.formats import FORMATS, HEAD, PENMAN, looks_like

if TYPE_CHECKING:
    import gzip

STANDARD_INPUT = "-"

_LINE, _BLANK_LINE = re.compile(rb"\n"), re.compile(rb"\n[ \t\r\f\v]*\n")
_ENDS = {"mrp": _LINE} | dict.fromkeys((PENMAN, "triples", "clauses"), _BLANK_LINE)
"""What stands behind a graph; files of other formats are read whole."""

_PACKED = {
    b"PK\x03\x04": ("a zip archive", "unpack it"),
    b"BZh": ("packed with bzip2", "unpack it, for example with bunzip2"),
    b"\xfd7zXZ\x00": ("packed with xz", "unpack it, for example with unxz"),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", "unpack it, for example with unzstd"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it"),
    b"\xff\xfe": ("UTF-16", "convert it, for example with iconv -f UTF-16 -t UTF-8"),
    b"\xfe\xff": ("UTF-16", "convert it, for example with iconv -f UTF-16 -t UTF-8"),
    b"%PDF": ("a PDF", "give the graphs as text"),
}
"""First bytes of files that are not UTF-8 text: what they are, and what to do."""
_GZIP = b"\x1f\x8b"


def expand(source: str | os.PathLike[str]) -> list[str]:
    """The files behind a path: itself, or the files of a folder, sorted."""
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
    if is_dataset(path):
        inside = [os.path.join(path, name) for name in sorted(os.listdir(path))]
        note_input(path, inside)
        return [path]
    with os.scandir(path) as entries:
        seen = [e.path for e in entries if e.is_file() and not e.name.startswith(".")]
    files = sorted(seen, key=file_key)
    if not files:
        raise InputError(f"folder {path!r} holds no file; name a file of graphs")
    note_input(path, files)
    return files


def is_dataset(path: str) -> bool:
    """Whether a folder is a dataset as Hugging Face's ``save_to_disk`` writes it."""
    names = "state.json", "dataset_info.json"
    return all(os.path.isfile(os.path.join(path, name)) for name in names)


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
    """All bytes of a file, or of standard input, unpacked.

    Raises:
        InputError: if it cannot be read, or can be read only once, and was, it has no
            end, is no whole gzip file, or is too long.
    """
    name, most = named(path), max_bytes()
    with _refused(name):
        if path == STANDARD_INPUT:
            refuse_endless(path)
            content = sys.stdin.buffer.read(most + 1)
            note_input(path, content=content)
        else:
            note_input(path)
            with _buffered(path) as file:
                content = file.read(most + 1)
    if content.startswith(_GZIP) and len(content) <= most:
        with _unpacked(io.BytesIO(content), name) as unpacked:
            content = unpacked.read(most + 1)
    if len(content) > most:
        raise _too_long(name, None, most)
    return content


def read_text(path: str) -> str:
    """The whole of a file, unpacked and decoded."""
    content = whole(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{named(path)}:{line}: byte 0x{content[error.start]:02x} is not UTF-8; "
            "convert the file, for example with iconv -t UTF-8"
        ) from None


@contextmanager
def opened(
    path: str, format_in: str | None = None, one_a_line: bool = False
) -> Iterator[tuple[Iterable[str], str]]:
    """Open a file, gzip file or standard input as lines; errors name it.

    Args:
        format_in: the format that it is in; default: what it looks like.
        one_a_line: whether what does not begin as a graph is a sentence a line.

    Yields:
        The lines, and the name of the format.

    Raises:
        InputError: if there is no such file, it is no text in UTF-8, what it holds in
            one piece is too long, or it is of no format in
            :data:`~exactmatch.formats.formats.FORMATS`.
    """
    name = named(path)
    with _refused(name), _buffered(path) as file:
        is_packed = path.endswith(".gz") or file.peek().startswith(_GZIP)
        with _unpacked(file, name) if is_packed else nullcontext(file) as content:
            yield _lines(content, name, format_in, one_a_line)


def _buffered(path: str) -> io.BufferedReader[Any]:
    """A file, or all of standard input, to be read in pieces."""
    if path == STANDARD_INPUT:
        return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(whole(path))), HEAD)
    raw = opened_once(path) if is_read_once(path) else io.FileIO(path)
    return io.BufferedReader(raw, HEAD)


@contextmanager
def _refused(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{name or repr(name)}: no such file") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from None


def _lines(
    file: io.BufferedReader[Any] | gzip.GzipFile,
    name: str,
    format_in: str | None,
    one_a_line: bool,
) -> tuple[Iterable[str], str]:
    """A file's lines as text, and their format, if it is text and of a format."""
    head = file.peek(HEAD)
    for magic, (what, remedy) in _PACKED.items():
        if head.startswith(magic):
            raise InputError(f"{name}: is {what}; {remedy}")
    bounded = _Bounded(file, name)
    held = file if _is_short(file) else io.BufferedReader(bounded, HEAD)
    text = io.TextIOWrapper(cast("IO[bytes]", held), "utf-8-sig", "surrogateescape")
    lines: Iterable[str] = text
    beginning = head.decode("utf-8-sig", "ignore")
    if format_in is None and beginning.lstrip()[:1] in ("{", "["):
        lines, beginning = _first_object(text)
    found = format_in or looks_like(beginning)
    if format_in is None and found not in FORMATS:
        is_json = found == "JSON"
        raise InputError(
            f"{name}: looks like {found}, which is no format of graphs that is read "
            f"(known: {', '.join(FORMATS)}); if it is one, name it by --format-in"
            + ("; if its rows hold graphs, name their column by --field" * is_json)
        )
    end = _ENDS.get(found)
    if one_a_line and found == PENMAN and head.lstrip()[:1] not in (b"(", b"#"):
        end = _LINE
    bounded.end = end
    return lines, found


def _is_short(file: io.BufferedReader[Any] | gzip.GzipFile) -> bool:
    """Whether a plain file is so short that no graph in it is too long.

    Its lines are then read without a function of Python in between.
    """
    raw = getattr(file, "raw", None)
    if type(raw) is not io.FileIO:
        return False
    found = os.fstat(raw.fileno())
    return stat.S_ISREG(found.st_mode) and found.st_size <= max_bytes()


def _first_object(lines: io.TextIOWrapper) -> tuple[Iterable[str], str]:
    """Read the first line of JSON, or all lines if it is no whole value.

    Returns:
        All lines, of which some are read, and the text that was read.
    """
    import json

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


class _Bounded(io.RawIOBase):
    """A file of which no graph may be too long.

    Attributes:
        end: what stands behind a graph; ``None`` if the file is read whole.
    """

    def __init__(self, file: Any, name: str) -> None:
        self._file, self._name = file, name
        self.end: re.Pattern[bytes] | None = None
        self._length, self._most = 0, max_bytes()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        count: int = self._file.readinto1(buffer)
        self._length += count
        if self.end is not None and self.end.search(buffer, 0, count):
            self._length = 0
        if self._length > self._most:
            raise _too_long(self._name, self.end, self._most)
        return count


def _too_long(name: str, end: re.Pattern[bytes] | None, most: int) -> InputError:
    what = "is read whole and holds" if end is None else "holds a graph of"
    return InputError(f"{name}: {what} more than {most:,} bytes; raise --max-bytes")


@contextmanager
def _unpacked(file: IO[bytes], name: str) -> Iterator[gzip.GzipFile]:
    import gzip

    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield unpacked
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{name}: is not a whole gzip file ({error})") from None


def named(path: str) -> str:
    """Return the name of a path in messages."""
    return "standard input" if path == STANDARD_INPUT else path
