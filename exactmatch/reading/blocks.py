"""Files into blocks: the text of one graph each, with its place and metadata.

A block is what stands between blank lines.  Lines that begin with ``#`` are
comments; ``# ::key value`` comments are the graph's metadata.  Files may be
gzipped (``.gz``), ``-`` is standard input, and a folder is all its files in
the order of their names.
"""

from __future__ import annotations

import io
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast

from exactmatch.errors import GraphError, InputError, place_of
from exactmatch.graphs.graph import Origin
from exactmatch.reading.formats import GZIP, HEAD, looks_like, packed

if TYPE_CHECKING:
    import gzip

_METADATA = re.compile(r"::(\S+)[ \t]*(.*?)(?=\s+::\S|\s*$)")
_ID = re.compile(r"::id(?!\S)[ \t]*(.*?)(?=\s+::\S|\s*$)")
_SURROGATE = re.compile("[\udc80-\udcff]")
STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one graph.

    Attributes:
        lines: the lines, stripped of blanks at both ends, comments included.
        content: the lines that are not comments.
        line: number of the first line in the file, from 1.
        path: the file, or ``None`` for a string.
        id_line: the last comment with an ``::id``.
    """

    lines: tuple[str, ...]
    content: tuple[str, ...]
    line: int
    path: str | None
    id_line: str | None = None

    @property
    def id(self) -> str | None:
        """The ``# ::id``, found without reading the rest of the metadata."""
        if self.id_line is None:
            return None
        match = _ID.search(self.id_line)
        return match[1] if match else None

    def metadata(self) -> Mapping[str, str]:
        """The ``# ::key value`` comments; of a repeated key the last counts."""
        if len(self.lines) == len(self.content):
            return _NO_METADATA
        return Metadata(self.lines)

    def line_at(self, position: int) -> int:
        """The file's line that holds a character of the joined content."""
        for offset, line in enumerate(self.lines):
            if line[:1] == "#":
                continue
            if position < len(line):
                return self.line + offset
            position -= len(line)
        return self.line + len(self.lines) - 1

    def line_of_content(self, number: int) -> int:
        """The file's line that holds a line of the content, which count from 1."""
        for offset, line in enumerate(self.lines):
            number -= line[:1] != "#"
            if number == 0:
                return self.line + offset
        return self.line + len(self.lines) - 1

    def content_line(self) -> int:
        """The file's first line that is not a comment."""
        if not self.content:
            return self.line
        for offset, line in enumerate(self.lines):
            if line[:1] != "#":
                return self.line + offset
        return self.line

    def origin(self) -> Origin:
        """File, first line of content and id."""
        return Origin(self.path, self.content_line(), self.id)


class Metadata(Mapping[str, str]):
    """The ``# ::key value`` comments among some lines, read when asked for."""

    __slots__ = ("_found", "_lines")

    def __init__(self, lines: tuple[str, ...]) -> None:
        self._lines = lines
        self._found: dict[str, str] | None = None

    def _read(self) -> dict[str, str]:
        if self._found is None:
            self._found = {}
            for line in self._lines:
                stripped = line.strip()
                if stripped.startswith("#") and "::" in stripped:
                    self._found.update(_METADATA.findall(stripped))
        return self._found

    def __getitem__(self, key: str) -> str:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return repr(self._read())


_NO_METADATA: Mapping[str, str] = Metadata(())
"""Of all graphs without comments."""


def read_blocks(source: str | os.PathLike[str]) -> Iterator[Block]:
    """Yield the blocks of a file, a folder or standard input.

    Blocks of comments alone are passed on with empty ``content``: the reader of
    the profile decides what they are worth.

    Raises:
        InputError: if the source cannot be opened, unpacked or decoded, or
            holds a NUL byte; the message names file and line.
    """
    for path in expand(source):
        with _opened(path) as lines:
            yield from _blocks(lines, named(path))


def count_blocks(source: str | os.PathLike[str], bare: bool = False) -> int:
    """How many blocks :func:`read_blocks` would yield, without making them.

    Args:
        source: a file or a folder.
        bare: also count blocks of comments alone.

    Raises:
        InputError: if a file cannot be opened or unpacked.
    """
    return sum(_count(path, bare) for path in expand(source))


def _count(path: str, bare: bool) -> int:
    total = 0
    inside = named_only = False
    with _opened(path) as lines:
        for line in lines:
            if inside:
                inside = not line.isspace()
            elif not line.isspace():
                if line.lstrip()[:1] != "#":
                    inside = True
                    named_only = False
                    total += 1
                elif "::" in line:
                    named_only = bare
            elif named_only:
                named_only = False
                total += 1
    return total + named_only


def read_lines(source: str | os.PathLike[str]) -> Iterator[Block]:
    """Yield the sentences of a file: the blocks of graphs, else one line each.

    A file whose first line that is not empty begins with ``(`` or ``# ::`` holds
    graphs; in any other file every line is a sentence, an empty one included.

    Raises:
        InputError: as :func:`read_blocks`.
    """
    for path in expand(source):
        with _opened(path, graphs=False) as stream:
            lines = list(stream)
        first = next((line.strip() for line in lines if line.strip()), "")
        if first.startswith(("(", "# ::")):
            yield from _blocks(lines, named(path))
            continue
        for number, line in enumerate(lines, 1):
            text = line.strip()
            yield _checked(Block((text,), (text,), number, named(path)))


def expand(source: str | os.PathLike[str]) -> list[str]:
    """The files behind a path: itself, or the files of a folder, sorted.

    Raises:
        InputError: if there is no such file, or no file in the folder.
    """
    path = os.fspath(source)
    if path == STANDARD_INPUT or not os.path.isdir(path):
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
    return files


def file_key(path: str) -> str:
    """The name that a file has in every folder, packed or not."""
    return os.path.basename(path).removesuffix(".gz")


def is_read_once(path: str) -> bool:
    """Whether a source, such as a pipe, can be read only once."""
    if path == STANDARD_INPUT:
        return True
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def blocks_of_text(text: str, path: str | None = None) -> Iterator[Block]:
    """Yield the blocks of a string."""
    yield from _blocks(io.StringIO(text, newline=None), path)


def blocks_of_lines(lines: Iterable[str], path: str | None = None) -> Iterator[Block]:
    """Yield the blocks of an iterable of lines, such as an open file."""
    yield from _blocks(lines, path)


@contextmanager
def _opened(path: str, graphs: bool = True) -> Iterator[Iterable[str]]:
    """Open a file, gzip file or standard input as lines; errors name it.

    Args:
        path: the file, or ``-``.
        graphs: whether the lines are to be PENMAN graphs, and no other known format.
    """
    name = named(path)
    try:
        if path == STANDARD_INPUT:
            content = cast("io.RawIOBase", io.BytesIO(sys.stdin.buffer.read()))
            yield _lines(io.BufferedReader(content, HEAD), name, graphs)
        else:
            with io.BufferedReader(io.FileIO(path), HEAD) as file:
                if path.endswith(".gz") or file.peek().startswith(GZIP):
                    with _unpacked(file, name) as unpacked:
                        yield _lines(unpacked, name, graphs)
                else:
                    yield _lines(file, name, graphs)
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from None


def _lines(
    file: io.BufferedReader[Any] | gzip.GzipFile, name: str, graphs: bool
) -> Iterable[str]:
    """A file's lines as text, if it is text and not of another known format."""
    head = file.peek(HEAD)
    if found := packed(head):
        what, remedy = found
        raise InputError(f"{name}: is {what}; {remedy}")
    other = looks_like(head.decode("utf-8-sig", "ignore")) if graphs else None
    if other is not None:
        raise InputError(
            f"{name}: looks like {other}, which is not PENMAN; give a file of graphs "
            "between blank lines"
        )
    return io.TextIOWrapper(cast("IO[bytes]", file), "utf-8-sig", "surrogateescape")


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


def _blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    kept: list[str] = []
    content: list[str] = []
    id_line: str | None = None
    first = 0
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if stripped:
            if not kept:
                first = number
            kept.append(stripped)
            if stripped[0] != "#":
                content.append(stripped)
            elif "::id" in stripped and _ID.search(stripped):
                id_line = stripped
        elif kept:
            if content or any("::" in line for line in kept):
                yield _checked(Block(tuple(kept), tuple(content), first, path, id_line))
            kept, content, id_line = [], [], None
    if content or any("::" in line for line in kept):
        yield _checked(Block(tuple(kept), tuple(content), first, path, id_line))


def _checked(block: Block) -> Block:
    """Refuse what no graph can hold, before any reader sees it."""
    text = "".join(block.lines)
    if "\0" in text or not (text.isascii() or _SURROGATE.search(text) is None):
        raise _unreadable(block)
    return block


def _unreadable(block: Block) -> InputError:
    """The error that names the first line that is not text."""
    for offset, line in enumerate(block.lines):
        place = place_of(block.path, block.line + offset)
        if "\0" in line:
            return InputError(f"{place}holds a NUL byte; is this a text file?")
        if found := _SURROGATE.search(line):
            byte = ord(found[0]) - 0xDC00
            return InputError(
                f"{place}byte 0x{byte:02x} is not UTF-8; convert the file, "
                "for example with iconv -t UTF-8"
            )
    raise AssertionError("a block was refused without a reason")


def no_graph(block: Block) -> GraphError:
    """The error for a block that names a graph in comments and holds none."""
    return block.origin().error("has comments but no graph")
