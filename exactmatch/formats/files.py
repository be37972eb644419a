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
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, cast

from exactmatch.base.deadline import reading
from exactmatch.base.errors import InputError
from exactmatch.base.inputs import (
    beginning_once,
    max_bytes,
    note_input,
    opened_once,
    refuse_endless,
)
from exactmatch.base.json_files import read_object
from exactmatch.base.unpacking import LINE
from exactmatch.formats.beginnings import HEAD
from exactmatch.formats.characters import refuse_surrogates
from exactmatch.formats.formats import FORMATS, PENMAN, looks_like
from exactmatch.formats.listed import files_listed, is_collection

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
_BATCH = 64
"""How many lines of a file that is read whole are looked at together."""

_LATIN_1 = re.compile(
    rb'\bcharset\s*=\s*"?(?:latin-?1|l1|iso[-_]?8859-1|iso-ir-100)(?![\w-])',
    re.IGNORECASE,
)
"""The names by which Graphviz knows this encoding."""

_COLLECTIONS = (".cxl", ".cxl.gz")


def expand(source: str | os.PathLike[str]) -> list[str]:
    """Return the files of a path: itself, those of a folder, or of a collection.

    A collection is told by what it holds (:mod:`exactmatch.formats.listed`).
    """
    if not isinstance(source, str | os.PathLike):
        raise InputError(
            f"{type(source).__name__} is not a path of a file; name a file, a folder "
            "or '-'"
        )
    path = os.fspath(source)
    if "\0" in path:
        raise InputError(f"{path!r} names no file: it holds a NUL character")
    if path == STANDARD_INPUT or not os.path.isdir(path):
        refuse_endless(path)
        listed = _listed(path)
        note_input(path, [path, *listed])
        return listed or [path]
    if is_dataset(path):
        for file in dataset_files(path):
            note_input(file)
        return [path]
    with os.scandir(path) as entries:
        seen = [e.path for e in entries if e.is_file() and not e.name.startswith(".")]
    files = sorted(seen, key=file_key)
    if not files:
        raise InputError(f"folder {path!r} holds no file; name a file of graphs")
    note_input(path, files)
    graphs = [file for file in files if not file.endswith(_COLLECTIONS)]
    if any(file.endswith((".gxl", ".gxl.gz")) for file in graphs):
        return graphs  # what the collections list lies beside them
    return [name for file in files for name in _listed(file) or [file]]


def _listed(path: str) -> list[str]:
    """Return the files that a collection lists; none for any other file."""
    if path == STANDARD_INPUT or not os.path.isfile(path):
        return []
    head = b""
    with suppress(OSError, EOFError, zlib.error):  # said where it is read
        with io.FileIO(path) as file:  # unbuffered: a folder may hold thousands
            head = file.read(HEAD)
        if head.startswith(_GZIP):
            import gzip

            with gzip.open(path) as unpacked:
                head = unpacked.read(HEAD)
    if not is_collection(head):
        return []
    return files_listed(read_text(path), path) or []


def is_dataset(path: str) -> bool:
    """Return whether a folder was written by Hugging Face's ``save_to_disk``."""
    names = "state.json", "dataset_info.json"
    return all(os.path.isfile(os.path.join(path, name)) for name in names)


def dataset_files(path: str) -> list[str]:
    """Return the files of a dataset's folder that are read, the first its state.

    Raises:
        InputError: if the state is not that of a dataset, or names something other than
            files in the folder.
    """
    state = os.path.join(path, "state.json")
    fields = {"_data_files": list}
    entries = read_object(state, "the state of a dataset", fields)["_data_files"]
    files = [state]
    for entry in entries:
        name = entry.get("filename") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            raise InputError(f"{state}: has an entry without a 'filename'")
        file = os.path.join(path, name)
        is_plain = name not in ("", ".", "..") and not {*name} & {*"/\\:\0"}
        if not is_plain or not _is_regular(file):
            raise InputError(
                f"{state}: names {name!r}, which is not a regular file in this folder"
            )
        files.append(file)
    return files


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def file_key(path: str) -> str:
    """Return a file's name without ``.gz``, by which files of folders are paired.

    >>> file_key("gold/dev.amr.gz") == file_key("parsed/dev.amr")
    True
    """
    return os.path.basename(path).removesuffix(".gz")


def is_read_once(path: str) -> bool:
    """Return whether a source, such as a pipe, can be read only once."""
    if path == STANDARD_INPUT:
        return True
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def beginning(path: str) -> str:
    """Return the beginning of a file, a pipe or standard input, without using it up."""
    head: bytes
    if path == STANDARD_INPUT:
        stream = sys.stdin.buffer
        if hasattr(stream, "peek"):
            head = stream.peek(HEAD)
        elif isinstance(stream, io.BytesIO):
            head = stream.getvalue()[stream.tell() :][:HEAD]
        else:
            return ""
    elif is_read_once(path):
        head = beginning_once(path, HEAD)
    elif os.path.isdir(path):
        return ""
    else:
        with open(path, "rb") as file:
            head = file.read(HEAD)
    if head.startswith(_GZIP):
        head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, HEAD)
    return head[:HEAD].decode("utf-8-sig", "ignore")


def whole(path: str) -> bytes:
    """Return all bytes of a file, or of standard input, unpacked.

    Raises:
        InputError: if it cannot be read, or can be read only once, and was, it has no
            end, is not a whole gzip file, or is too long.
    """
    name, limit = named(path), max_bytes()
    with _refused(name):
        if path == STANDARD_INPUT:
            refuse_endless(path)
            content = sys.stdin.buffer.read(limit + 1)
            note_input(path, content=content)
        else:
            note_input(path)
            with _buffered(path) as file:
                # to read up to a limit allocates the limit
                content = file.read() if _is_short(file) else file.read(limit + 1)
    if content.startswith(_GZIP) and len(content) <= limit:
        with _unpacked(io.BytesIO(content), name) as unpacked:
            content = unpacked.read(limit + 1)
    if len(content) > limit:
        raise _too_long(name, None, limit)
    return content


def read_text(path: str) -> str:
    """Return a whole file as text, unpacked and decoded."""
    content = whole(path)
    _refuse_packed(content, named(path))
    return _text(content, named(path))


def _text(content: bytes, name: str) -> str:
    """Decode a whole file, which is UTF-8, or Latin-1 if it is DOT that says so."""
    content = content.removeprefix(BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        beginning = content[:HEAD].decode("utf-8", "ignore")
        if _LATIN_1.search(content) and looks_like(beginning) == "dot":
            return content.decode("latin-1")
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}:{line}: byte 0x{content[error.start]:02x} is not UTF-8; "
            "convert the file, for example with iconv -t UTF-8"
        ) from None


@contextmanager
def opened(
    path: str, format_in: str | None = None, one_a_line: bool = False
) -> Iterator[tuple[Iterable[str], str]]:
    """Open a file, gzip file or standard input as lines; errors name it.

    Args:
        format_in: the format that it is in; default: what it looks like.
        one_a_line: whether a text that does not begin as a graph has a sentence a line.

    Yields:
        The lines, and the name of the format.

    Raises:
        InputError: if there is no such file, it is not text in UTF-8, what it holds in
            one piece is too long, or it is of no format in
            :data:`~exactmatch.formats.formats.FORMATS`.
    """
    name = named(path)
    with _refused(name), _buffered(path) as file:
        is_packed = path.endswith(".gz") or file.peek().startswith(_GZIP)
        if is_packed:
            _check_trailer(file, name)
        with _unpacked(file, name) if is_packed else nullcontext(file) as content:
            with reading(name):  # a format may be recognised by the whole file
                lines_and_format = _lines(content, name, format_in, one_a_line)
            yield lines_and_format


def _buffered(path: str) -> io.BufferedReader[Any]:
    """Open a file, or all of standard input, to be read in pieces."""
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
    """Return a file's lines as text, and their format; refuse other files."""
    head = file.peek(HEAD)
    _refuse_packed(head, name)
    bounded = _Bounded(file, name)
    buffered = file if _is_short(file) else io.BufferedReader(bounded, HEAD)
    text = io.TextIOWrapper(cast("IO[bytes]", buffered), "utf-8-sig", "surrogateescape")
    lines: Iterable[str] = text
    beginning = head.decode("utf-8-sig", "ignore")
    if format_in is None and beginning.lstrip()[:1] in ("{", "["):
        lines, beginning = _first_object(text)
    format_name = format_in or looks_like(beginning)
    if format_in is None and (
        format_name not in FORMATS or _is_doubtful(beginning, format_name, one_a_line)
    ):
        from exactmatch.formats.unknown import refusal

        complete = head if len(head) < HEAD else head[: head.rfind(b"\n") + 1]
        decoded = complete.decode("utf-8-sig", "surrogateescape")
        refuse_surrogates(decoded.splitlines(), name, 1)
        raise refusal(beginning, format_name, name)
    if format_name == "dot":
        with closing(buffered):
            return io.StringIO(_text(buffered.read(), name), newline=None), format_name
    end = _ENDS.get(format_name)
    if one_a_line and format_name == PENMAN and head.lstrip()[:1] not in (b"(", b"#"):
        end = _LINE
    bounded.end = end
    return lines if end or format_name == PENMAN else _decoded(lines, name), format_name


def _refuse_packed(head: bytes, name: str) -> None:
    """Refuse a file that is not text in UTF-8, as its first bytes say."""
    for magic, (kind, remedy) in _PACKED.items():
        if head.startswith(magic):
            raise InputError(f"{name}: is {kind}; {remedy}")


_NODE = re.compile(r"^[ \t]*\(", re.MULTILINE)
_TRIPLE = re.compile(r"\s*\([^()/;\n]+;[^()/;\n]+;[^()/;\n]+\)")


def _is_doubtful(text: str, format_name: str, one_a_line: bool) -> bool:
    """Return whether a text taken for PENMAN is not."""
    if format_name != PENMAN or one_a_line:
        return False
    if _NODE.search(text) and not _TRIPLE.match(text):
        return False
    from exactmatch.formats.unknown import guess

    return guess(text, format_name) is not None


def _decoded(lines: Any, name: str) -> Iterator[str]:
    """Yield lines of a file, which is then closed; refuse bytes that are not UTF-8.

    Formats that are read whole may be read by other packages, which raise what they
    like; those that are read in pieces have it checked graph by graph.
    """
    return chain.from_iterable(_batches(lines, name))


def _batches(lines: Any, name: str) -> Iterator[list[str]]:
    number = 1
    with closing(lines):
        while batch := list(islice(lines, _BATCH)):
            if not "".join(batch).isascii():
                refuse_surrogates(batch, name, number)
            number += len(batch)
            yield batch


def _is_short(file: io.BufferedReader[Any] | gzip.GzipFile) -> bool:
    """Return whether a plain file is too short to hold a graph that is too long.

    Its lines are then read without a function of Python in between.
    """
    raw = getattr(file, "raw", None)
    if type(raw) is not io.FileIO:
        return False
    status = os.fstat(raw.fileno())
    return stat.S_ISREG(status.st_mode) and status.st_size <= max_bytes()


def _first_object(lines: io.TextIOWrapper) -> tuple[Iterable[str], str]:
    """Read the first line of JSON, or all lines if it is not a whole value.

    Returns:
        All lines, of which some are read, and the text that was read.
    """
    from exactmatch.base.json_texts import loads  # here: most files are PENMAN

    read = list(islice(lines, 1))
    try:
        loads(read[0])
    except (ValueError, RecursionError):
        read += lines
    return _beginning_with(read, lines), "".join(read)


def _beginning_with(read: list[str], rest: io.TextIOWrapper) -> Iterator[str]:
    """Yield the lines that were read, and the rest of a file, which is then closed."""
    with rest:
        yield from read
        yield from rest


def _check_trailer(file: io.BufferedReader[Any], name: str) -> None:
    """Refuse a gzip file that says that it is too long, before it is unpacked.

    Its last four bytes are its length, unpacked; others are of a damaged file.
    """
    raw, limit = file.raw, max_bytes()
    if type(raw) is not io.FileIO or not stat.S_ISREG(os.fstat(raw.fileno()).st_mode):
        return
    with open(name, "rb", buffering=0) as again:
        again.seek(max(os.fstat(again.fileno()).st_size - 4, 0))
        if int.from_bytes(again.read(4), "little") > limit:
            raise InputError(
                f"{name}: is not a whole gzip file, or unpacks to more than {limit:,} "
                "bytes; raise --max-bytes"
            )


class _Bounded(io.RawIOBase):
    """A file whose graphs may not be too long.

    Attributes:
        end: the text behind a graph; ``None`` if the file is read whole.
        is_packed: whether the file may be too long as a whole, however long its graphs
            are, and an empty line counts for more than its byte.
    """

    def __init__(self, file: Any, name: str) -> None:
        self._file, self._name = file, name
        self.end: re.Pattern[bytes] | None = None
        self.is_packed = not isinstance(file, io.BufferedReader)
        self._length, self._most = 0, max_bytes()
        self._lines = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        count: int = self._file.readinto1(buffer)
        self._length += count
        if self.is_packed:
            self._lines += bytes(buffer[:count]).count(b"\n")
            self._length = max(self._length, self._lines * LINE)
        elif self.end is not None and self.end.search(buffer, 0, count):
            self._length = 0
        if self._length > self._most:
            raise _too_long(self._name, self.end, self._most, self.is_packed)
        return count


def _too_long(
    name: str, end: re.Pattern[bytes] | None, limit: int, is_packed: bool = False
) -> InputError:
    fault = "is read whole and holds" if end is None else "holds a graph of"
    fault = "unpacks to" if is_packed else fault
    return InputError(f"{name}: {fault} more than {limit:,} bytes; raise --max-bytes")


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
