"""Files into blocks: the text of one graph each, with its place and metadata.

In PENMAN a block is what stands between blank lines.  Lines that begin with ``#`` are
comments; ``# ::key value`` comments are the graph's metadata.  What a block is in
another format is that format's business (:mod:`exactmatch.formats.formats`).
"""

from __future__ import annotations

import io
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import IO

from exactmatch.base.errors import GraphError, InputError, place_of
from exactmatch.formats.block import Block as Block
from exactmatch.formats.files import STANDARD_INPUT as STANDARD_INPUT
from exactmatch.formats.files import (
    expand,
    is_dataset,
    is_read_once,
    named,
    opened,
    read_text,
)
from exactmatch.formats.formats import (
    FORMATS,
    PENMAN,
    get_format,
    is_format,
    looks_like,
)
from exactmatch.formats.reading import Answers, HowRead

_PLACE = re.compile(r"::(?:id|snt)(?!\S)")
_ID = re.compile(r"::id(?!\S)[ \t]*(.*?)(?=\s+::\S|\s*$)")
_GRAPH = re.compile(r"\(\s*[^\s()]+\s*(/|$)")
_SURROGATE = re.compile("[\udc80-\udcff]")

_KINDS = b"!" * 10 + b"\n" + b"!" * 22 + b"xx#" + b"x" * 91 + b"!" * 129
"""Of each byte its kind: a new line, ``#``, ``x`` of what else is seen, else ``!``."""

_AT_ONCE = 2**16
_LONGEST = 2**22
"""How many bytes are read, and kept of one block, while blocks are counted."""


def read_blocks(
    source: str | os.PathLike[str],
    format_in: HowRead = None,
    framework: str | None = None,
) -> Iterator[Block]:
    """Yield the blocks of a file, a folder or standard input.

    Of comments alone, those with an ``::id`` or ``::snt`` are the place of a graph that
    is missing, a block with empty ``content``; others, such as a file's head, are none.

    Args:
        source: a file, a folder, or ``-``.
        format_in: the format, or how answers are read; default: what each file looks
            like.
        framework: take only the MRP graphs of this framework.

    Raises:
        InputError: if the source cannot be opened, unpacked or decoded, holds a NUL
            byte, or has no graph of that framework; the message names file and line.
    """
    blocks = _blocks_of(expand(source), format_in)
    return blocks if framework is None else _of_framework(blocks, framework, source)


def _blocks_of(paths: Iterable[str], format_in: HowRead) -> Iterator[Block]:
    for path in paths:
        if isinstance(format_in, Answers) or _is_table(path):
            how = format_in if isinstance(format_in, Answers) else Answers(format_in)
            yield from map(_checked, _answers(path, how))
            continue
        with opened(path, format_in) as (lines, found):
            name = named(path)
            if found == PENMAN:
                yield from _blocks(lines, name)
            else:
                yield from map(_checked, get_format(found).blocks(lines, name))


def _is_table(path: str) -> bool:
    return path.endswith(".parquet") or is_dataset(path)


def _answers(path: str, how: Answers) -> Iterator[Block]:
    """The graphs of a file of answers, or of a file of graphs that may be broken."""
    from exactmatch.formats.machine import answers

    name = named(path)
    if _is_table(path):
        yield from answers.answers_in_rows(answers.table_rows(path), name, how)
        return
    text = read_text(path)
    if text.lstrip()[:1] in ("{", "["):
        found = [*answers.json_rows(text)]
        if how.field or any(answers.has_answers(row) for _, row in found[:1]):
            yield from answers.answers_in_rows(found, name, how)
            return
    if how.field is not None:
        raise InputError(f"{name}: has no columns, of which --field could name one")
    kind = how.format_in or looks_like(text)
    extract, lines = how.extract or "off", io.StringIO(text, newline=None)
    if kind == PENMAN and (extract == "off" or text.lstrip()[:1] in ("(", "#")):
        blocks = _blocks(lines, name)
    else:
        blocks = iter([answers.answer(text, 1, name, None, how)])
        if is_format(kind) and kind != PENMAN:
            with suppress(InputError):
                blocks = iter([*get_format(kind).blocks(lines, name)])
    yield from (
        block if extract == "off" else answers.again(block, how) for block in blocks
    )


def _of_framework(
    blocks: Iterable[Block], framework: str, source: str | os.PathLike[str]
) -> Iterator[Block]:
    others: dict[str, None] = {}
    missing = True
    for block in blocks:
        if block.framework == framework:
            missing = False
            yield block
        elif block.framework is not None:
            others[block.framework] = None
    if missing:
        there = ", ".join(sorted(others)) or "none: --framework is for MRP files"
        raise InputError(
            f"{named(os.fspath(source))}: has no graph of framework {framework!r} (it "
            f"has {there})"
        )


def count_blocks(
    source: str | os.PathLike[str],
    format_in: HowRead = None,
    framework: str | None = None,
) -> int:
    """How many blocks :func:`read_blocks` would yield, without making most of them.

    Args:
        source: a file or a folder.
        format_in: the format; default: what each file looks like.
        framework: take only the MRP graphs of this framework.
    """
    if framework is not None:
        return sum(1 for _ in read_blocks(source, format_in, framework))
    return sum(_count(path, format_in) for path in expand(source))


def _count(path: str, format_in: HowRead) -> int:
    if isinstance(format_in, Answers) or _is_table(path):
        return sum(1 for _ in _blocks_of([path], format_in))
    with opened(path, format_in, one_a_line=True) as (lines, found):
        if found != PENMAN:
            return sum(1 for _ in get_format(found).blocks(lines, named(path)))
        if isinstance(lines, io.TextIOWrapper) and not is_read_once(path):
            counted = _counted(lines.buffer)
            if counted is not None:
                return counted
    with opened(path, format_in, one_a_line=True) as (lines, _):
        return sum(1 for _ in _blocks(lines, named(path)))


def _counted(file: IO[bytes]) -> int | None:
    """The number of blocks of a plain file, from its bytes; ``None`` of any other.

    In a plain file every line is empty, or begins with a character of ASCII that is
    seen, behind spaces and tabs perhaps; no block is very long, or of comments alone.
    """
    total = 0
    rest = b"\n"
    chunk = file.read(len(BOM_UTF8)).removeprefix(BOM_UTF8) or file.read(_AT_ONCE)
    while chunk:
        rest += chunk.translate(_KINDS, b" \t")
        if b"\r" in chunk or b"\n!" in rest or len(rest) > _LONGEST:
            return None
        *whole, rest = rest.split(b"\n\n")
        chunk = file.read(_AT_ONCE)
        if not chunk:
            whole.append(rest)
        for text in whole:
            if text[:1] == b"x" or b"\nx" in text:
                total += 1
            elif b"#" in text:
                return None
        rest = b"\n" + rest
    return total


def read_lines(source: str | os.PathLike[str]) -> Iterator[Block]:
    """Yield the sentences of a file: the blocks of graphs, else one line each.

    A file whose first line that is not empty begins with ``# ::`` or as a graph does,
    ``(variable /``, holds graphs; in any other file every line is a sentence, an empty
    one included.
    """
    for path in expand(source):
        with opened(path, PENMAN, one_a_line=True) as (found, _):
            stream = iter(found)
            begun: list[str] = []
            while (not begun or not begun[-1].strip()) and (line := next(stream, "")):
                begun.append(line)
            lines = chain(begun, stream)
            if begun and begins_graph(begun[-1].strip()):
                yield from _blocks(lines, named(path))
                continue
            for number, line in enumerate(lines, 1):
                text = line.strip()
                one = (text,)
                yield _checked(
                    Block(one, one, number, named(path), known={"snt": text})
                )


def begins_graph(text: str) -> bool:
    """Whether a text begins as graphs do, not sentences: ``# ::`` or ``(variable /``.

    >>> begins_graph("(w / want-01)"), begins_graph("(Laughter) He left.")
    (True, False)
    """
    return text.startswith("# ::") or _GRAPH.match(text) is not None


def blocks_of_text(text: str, path: str | None = None) -> Iterator[Block]:
    r"""Yield the blocks of a string.

    Args:
        text: the string.
        path: the file that messages name, if there is one.

    Example:
        >>> [block.line for block in blocks_of_text("(a / b)\n\n(c / d)")]
        [1, 3]
    """
    return _blocks(io.StringIO(text, newline=None), path)


def graphs_of_text(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a string in any format, told by how it begins.

    Those of PENMAN that hold comments alone are passed over.

    Example:
        >>> [block.format for block in graphs_of_text("b1 REF x1\nb1 boy x1")]
        ['clauses']
    """
    name = PENMAN if text.lstrip()[:1] == "(" else looks_like(text)
    if name in FORMATS and name != PENMAN:
        lines = io.StringIO(text, newline=None)  # of no other breaks in strings
        return map(_checked, FORMATS[name].blocks(lines, None))
    return (block for block in blocks_of_text(text) if block.content)


def blocks_of_lines(lines: Iterable[str], path: str | None = None) -> Iterator[Block]:
    """Yield the blocks of an iterable of lines, such as an open file."""
    return _blocks((line or "\n" for line in lines), path)


def _paragraphs(
    lines: Iterable[str],
) -> Iterator[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """Yield what stands between blank lines, where every line has its end.

    It is the number of its first line, then its lines without and with the blanks at
    their ends.
    """
    first = 1
    for is_blank, group in groupby(lines, str.isspace):
        indented = tuple(group)
        if not is_blank:
            yield first, tuple(map(str.strip, indented)), indented
        first += len(indented)


def _blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the blocks of lines, and refuse what no graph can hold."""
    for first, kept, indented in _paragraphs(lines):
        comments, content = _apart(kept)
        if content or any(map(_PLACE.search, comments)):
            name = _id_in(comments)
            yield _checked(
                Block(kept, content, first, path, name, None, None, indented)
            )


def commented_blocks(
    lines: Iterable[str], path: str | None, format_name: str
) -> Iterator[Block]:
    """Yield what stands between blank lines and is more than comments behind ``%``."""
    for first, kept, indented in _paragraphs(line or "\n" for line in lines):
        if any(not line.startswith("%") for line in kept):
            yield Block(kept, kept, first, path, None, format_name, {}, indented)


def _apart(lines: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The comments among some lines, which mostly come first, and the other lines."""
    before = 0
    for line in lines:
        if line[0] != "#":
            break
        before += 1
    comments, content = lines[:before], lines[before:]
    if "#" in "".join(content):
        comments += tuple(line for line in content if line[0] == "#")
        content = tuple(line for line in content if line[0] != "#")
    return comments, content


def _id_in(comments: Sequence[str]) -> str | None:
    for line in reversed(comments):
        if "::id" in line:
            if line.startswith("# ::id ") and line.count("::") == 1:
                return line[7:].lstrip(" \t")  # as nearly all are, found sooner
            if found := _ID.search(line):
                return found[1]
    return None


def _checked(block: Block) -> Block:
    """Refuse what no graph can hold, before any reader sees it."""
    text = "".join(block.lines)
    if "\0" not in text and (text.isascii() or _SURROGATE.search(text) is None):
        return block
    for number, line in enumerate(block.lines, block.line):
        place = place_of(block.path, number)
        if "\0" in line:
            raise InputError(f"{place}holds a NUL byte; is this a text file?")
        for wrong in _SURROGATE.findall(line):
            raise InputError(
                f"{place}byte 0x{ord(wrong) - 0xDC00:02x} is not UTF-8; convert the "
                "file, for example with iconv -t UTF-8"
            )
    return block


def no_graph(block: Block) -> GraphError:
    """The error for a block that names a graph in comments and holds none."""
    return block.origin().error("has comments but no graph")
