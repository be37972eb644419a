"""Files into blocks: the text of one graph each, with its place and metadata.

In PENMAN a block is what stands between blank lines, with the comments before it.
Lines that begin with ``#`` are comments; ``# ::key value`` comments are the graph's
metadata.  Other formats define their own blocks (:mod:`exactmatch.formats.formats`).
"""

from __future__ import annotations

import io
import os
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import IO, Any

from exactmatch.base.deadline import check, each_in_time, in_time, reading
from exactmatch.base.errors import GraphError, InputError, place_of
from exactmatch.formats.block import VALUE
from exactmatch.formats.block import Block as Block
from exactmatch.formats.characters import has_surrogates, refuse_surrogates
from exactmatch.formats.files import STANDARD_INPUT as STANDARD_INPUT
from exactmatch.formats.files import (
    beginning,
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

_SENTENCE = re.compile(r"::snt(?!\S)")
_ID = re.compile(rf"::id(?!\S){VALUE}")
_TRIPLE = re.compile(r"\([^()/,;\n]+[,;][^()/,;\n]+[,;][^()\n]+\)\s*$", re.MULTILINE)
"""A triple in brackets, alone in its line."""

_GRAPH = re.compile(r"\(\s*[^\s()]+\s*(/|$)")

_PAGES = (".md", ".markdown", ".txt")
"""Endings of texts; one with fences of Markdown holds answers, perhaps several."""

_KINDS = b"!" * 10 + b"\n" + b"!" * 22 + b"xx#" + b"x" * 91 + b"!" * 129
"""The kind of each byte: line break, ``#``, ``x`` (other visible ASCII), else ``!``."""

_AT_ONCE = 2**16
_LONGEST = 2**19
"""When blocks are counted: the bytes read at once, and the most kept of one block."""


def read_blocks(
    source: str | os.PathLike[str],
    format_in: HowRead = None,
    framework: str | None = None,
) -> Iterator[Block]:
    """Yield the blocks of a file, a folder or standard input.

    Comments belong to the graph after them, also across blank lines.  If no graph
    follows comments with an ``::id`` or ``::snt``, they are a block with empty
    ``content``, for a missing graph.  Other comments without a graph, such as a file's
    head, are not a block.

    Args:
        source: a file, a folder, or ``-``.
        format_in: the format, or how answers are read; default: what each file looks
            like.
        framework: take only the MRP graphs of this framework.

    Raises:
        InputError: if the source cannot be opened, unpacked or decoded, holds a NUL
            byte, or has no graph of that framework; the message names file and line.
    """
    blocks = each_in_time(
        _blocks_of(expand(source), format_in), named(os.fspath(source))
    )
    return blocks if framework is None else _of_framework(blocks, framework, source)


def _blocks_of(paths: Iterable[str], format_in: HowRead) -> Iterator[Block]:
    for path in paths:
        if isinstance(format_in, Answers) and format_in.documents:
            from exactmatch.formats.machine.whole_documents import documents_of

            yield from map(_checked, documents_of(path, format_in))
            continue
        how = how_of_path(path, format_in)
        if isinstance(how, Answers):
            yield from map(_checked, _answers(path, how))
            continue
        with opened(path, how) as (file, format_name):
            name = named(path)
            if format_name == PENMAN:
                yield from _blocks(in_time(file), name)
            else:
                yield from map(_checked, _of_format(file, format_name, name))


def _of_format(lines: Iterable[str], format_name: str, name: str) -> Iterator[Block]:
    """Yield the blocks of lines; no line is read before the first block is taken."""
    yield from get_format(format_name).blocks(in_time(lines), name)


def how_of_path(path: str, how: HowRead) -> HowRead:
    """Return how one file is read: as answers where it is a table or has fences.

    A text with fences is an answer that may hold several graphs.
    """
    if _is_table(path) and not isinstance(how, Answers):
        return Answers(how)
    if path.endswith(_PAGES) and has_fences(path):
        how = how if isinstance(how, Answers) else Answers(how)
        return how._replace(extract=how.extract or "all")
    return how


def has_fences(path: str) -> bool:
    """Return whether a file has fences of Markdown, in which models put graphs."""
    if os.path.isdir(path) or is_read_once(path):
        return False
    with suppress(OSError, zlib.error):  # said where it is read
        return _has_fence(beginning(path))
    return False


def begins_with_triple(text: str) -> bool:
    """Return whether the first line is a triple in brackets, which no graph is."""
    return _TRIPLE.match(text.lstrip()) is not None


def _has_fence(text: str) -> bool:
    return text.startswith("```") or "\n```" in text


_ROWS = (".jsonl", ".ndjson", ".json")


def _is_table(path: str) -> bool:
    return path.endswith(".parquet") or is_dataset(path)


def _answers(path: str, how: Answers) -> Iterator[Block]:
    """Yield the graphs of a file of answers, or of broken graphs."""
    from exactmatch.formats.machine import answers

    name = named(path)
    if _is_table(path):
        yield from answers.answers_in_table(path, how)
        return
    text = read_text(path)
    rows = _rows_of(text, how.field)
    if rows is not None:
        yield from answers.answers_in_rows(rows, name, how)
        return
    kind = how.format_in or looks_like(text)
    extract, lines = how.extract or "off", io.StringIO(text, newline=None)
    is_split = extract == "all" and _has_fence(text)
    is_plain = extract == "off" or text.lstrip()[:1] in ("(", "#")
    is_plain &= not begins_with_triple(text)
    if is_split:
        yield from answers.answers_on_page(text, name, how)
        return
    if kind == PENMAN and is_plain:
        blocks = _blocks(lines, name)
    else:
        blocks = answers.answers_of(text, 1, name, None, how)
        if is_format(kind) and kind != PENMAN:
            with suppress(InputError):
                blocks = iter([*get_format(kind).blocks(lines, name)])
    yield from (
        block if extract == "off" else answers.again(block, how) for block in blocks
    )


def _rows_of(text: str, field: str | None) -> list[tuple[int, Any]] | None:
    """Return the rows of JSON with a column of answers; ``None`` for a text of graphs.

    JSON objects without such a column are graphs if they look like graphs.
    """
    from exactmatch.formats.machine import answers

    if text.lstrip()[:1] not in ("{", "["):
        return None
    rows = [*answers.json_rows(text)]
    first = [row for _, row in rows[:1]]
    if any(answers.has_answers(row, field) for row in first):
        return rows
    is_graph = is_format(kind := looks_like(text)) and kind != "answers"
    return None if field is None or is_graph else rows


def refuse_idle_field(paths: Iterable[str | os.PathLike[str]], how: HowRead) -> None:
    """Refuse a column's name where no file has columns.

    Raises:
        InputError: if the option has no effect on any of the files.
    """
    if not isinstance(how, Answers) or how.field is None or how.documents:
        return
    sources = [os.fspath(path) for path in paths]
    if any(map(is_read_once, sources)):
        return
    files = [path for source in sources for path in expand(source)]
    names = [name.strip() or None for name in how.field.split(",")]
    for path in files:
        if _is_table(path):
            return
        text = read_text(path)
        if any(_rows_of(text, name) is not None for name in names):
            return
    raise InputError(
        f"{named(files[0])}: holds no answers, and --field has no effect: it names a "
        "column of rows of JSON or Parquet"
    )


def refuse_both_columns(paths: Iterable[str | os.PathLike[str]], how: HowRead) -> None:
    """Refuse references whose rows hold predictions, too, where no column is named.

    Raises:
        InputError: if they would be read from the predictions.
    """
    if isinstance(how, Answers) and (how.field is not None or how.documents):
        return
    sources = [os.fspath(path) for path in paths]
    files = [
        file for path in sources if not is_read_once(path) for file in expand(path)
    ]
    for file in files:
        if (both := both_columns_of(file)) is not None:
            raise InputError(
                f"{named(file)}: its rows have {both[0]!r} and {both[1]!r}, and they "
                f"are references; name both columns: --field {','.join(both)}"
            )


def both_columns_of(path: str) -> tuple[str, str] | None:
    """Return the columns of predictions and references, where rows have both."""
    is_rows = path.removesuffix(".gz").endswith(_ROWS)
    if not (is_rows or _is_table(path)):
        return None
    from exactmatch.formats.machine import answers  # here: most files are PENMAN

    columns: Collection[str] = ()
    if not is_rows:
        columns = answers.columns_of_table(path)
    else:
        text = read_text(path).lstrip()
        first = text if text[:1] == "[" else text.partition("\n")[0]
        rows = _rows_of(first, None) or []
        columns = next((row for _, row in rows if isinstance(row, Mapping)), ())
    return answers.both_columns(columns)


def _of_framework(
    blocks: Iterable[Block], framework: str, source: str | os.PathLike[str]
) -> Iterator[Block]:
    other_frameworks: dict[str, None] = {}
    missing = True
    for block in blocks:
        if block.framework == framework:
            missing = False
            yield block
        elif block.framework is not None:
            other_frameworks[block.framework] = None
    if missing:
        frameworks = (
            ", ".join(sorted(other_frameworks)) or "none: --framework is for MRP files"
        )
        raise InputError(
            f"{named(os.fspath(source))}: has no graph of framework {framework!r} (it "
            f"has {frameworks})"
        )


def count_blocks(
    source: str | os.PathLike[str],
    format_in: HowRead = None,
    framework: str | None = None,
) -> int:
    """Count the blocks that :func:`read_blocks` would yield; most are not made.

    Args:
        source: a file or a folder.
        format_in: the format; default: what each file looks like.
        framework: take only the MRP graphs of this framework.
    """
    if framework is not None:
        return sum(1 for _ in read_blocks(source, format_in, framework))
    return sum(_count(path, format_in) for path in expand(source))


def _count(path: str, format_in: HowRead) -> int:
    how = how_of_path(path, format_in)
    if isinstance(how, Answers):
        counted = None if how.documents else _count_answers(path, how)
        if counted is None:
            return _count_all(_blocks_of([path], how), path)
        return counted
    with opened(path, how, one_a_line=True) as (lines, format_name):
        if format_name != PENMAN:
            return _count_all(_of_format(lines, format_name, named(path)), path)
        if isinstance(lines, io.TextIOWrapper) and not is_read_once(path):
            with reading(named(path)):
                counted = _counted(lines.buffer)
            if counted is not None:
                return counted
    with opened(path, how, one_a_line=True) as (lines, _):
        return _count_all(_blocks(_in_time(lines), named(path)), path)


def _count_answers(path: str, how: Answers) -> int | None:
    """Count the answers of a file that has columns; ``None`` for any other."""
    from exactmatch.formats.machine import answers

    with reading(named(path)):
        if _is_table(path):
            return answers.count_in_table(path, how)
        rows = None if is_read_once(path) else _rows_of(read_text(path), how.field)
        return None if rows is None else answers.count_in_rows(rows, named(path), how)


def _in_time(lines: Iterable[str]) -> Iterator[str]:
    yield from in_time(lines)  # a generator: the limits may be set later


def _count_all(blocks: Iterable[Block], path: str) -> int:
    return sum(1 for _ in each_in_time(blocks, named(path)))


def _counted(file: IO[bytes]) -> int | None:
    """Count the blocks of a plain file by its bytes; ``None`` for any other.

    In a plain file every line that is not empty begins with visible ASCII, after any
    spaces and tabs; no block is very long, and every block has more than comments.
    """
    total = 0
    rest = b"\n"
    chunk = file.read(len(BOM_UTF8)).removeprefix(BOM_UTF8) or file.read(_AT_ONCE)
    while chunk:
        check()
        rest += chunk.translate(_KINDS, b" \t")
        if b"\r" in chunk or b"\n!" in rest or len(rest) > _LONGEST:
            return None
        *finished, rest = rest.split(b"\n\n")
        chunk = file.read(_AT_ONCE)
        if not chunk:
            finished.append(rest)
        for text in finished:
            if text[:1] == b"x" or b"\nx" in text:
                total += 1
            elif b"#" in text:
                return None
        rest = b"\n" + rest
    return total


def read_lines(source: str | os.PathLike[str]) -> Iterator[Block]:
    """Yield the sentences of a file: the blocks of graphs, else one line each.

    A file holds graphs if its first line that is not empty begins with ``# ::`` or
    ``(variable /``.  In any other file every line is a sentence, also an empty one.
    """
    for path in expand(source):
        with opened(path, PENMAN, one_a_line=True) as (opened_lines, _):
            stream = iter(opened_lines)
            graph_lines: list[str] = []
            while (not graph_lines or not graph_lines[-1].strip()) and (
                line := next(stream, "")
            ):
                graph_lines.append(line)
            lines = chain(graph_lines, stream)
            if graph_lines and begins_graph(graph_lines[-1].strip()):
                yield from _blocks(lines, named(path))
                continue
            for number, line in enumerate(lines, 1):
                text = line.strip()
                content = (text,)
                yield _checked(
                    Block(content, content, number, named(path), known={"snt": text})
                )


def begins_graph(text: str) -> bool:
    """Return whether a text begins as graphs do: ``# ::`` or ``(variable /``.

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
    r"""Yield the blocks of a string in any format, recognised by its beginning.

    PENMAN blocks with nothing but comments are skipped.

    Example:
        >>> [block.format for block in graphs_of_text("b1 REF x1\nb1 boy x1")]
        ['clauses']
    """
    name = PENMAN if text.lstrip()[:1] == "(" else looks_like(text)
    if name in FORMATS and name != PENMAN:
        lines = io.StringIO(text, newline=None)  # splitlines also splits at U+2028
        return map(_checked, FORMATS[name].blocks(lines, None))
    return (block for block in blocks_of_text(text) if block.content)


def first_id(text: str) -> str | None:
    r"""Return the ``::id`` of the first graph of a string, in any format.

    Example:
        >>> first_id("# ::id 7\n(b / bark-01)")
        '7'
    """
    head, _, rest = text.partition("\n(")
    lines = head.split("\n")
    if (
        rest[:1].isalpha()
        and all(line.startswith("# ::") for line in lines)
        and not ("\n#" in rest or "\r" in text)
    ):  # of one graph in PENMAN, as nearly all are, found sooner
        return _id_in([*map(str.strip, lines)])
    return next((block.id for block in graphs_of_text(text)), None)


def blocks_of_lines(lines: Iterable[str], path: str | None = None) -> Iterator[Block]:
    """Yield the blocks of an iterable of lines, such as an open file."""
    return _blocks((line or "\n" for line in lines), path)


def _paragraphs(
    lines: Iterable[str],
) -> Iterator[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """Yield the paragraphs between blank lines; every line must end in a line break.

    Yields:
        the number of the first line, the stripped lines, and the lines as written.
    """
    first = 1
    for is_blank, group in groupby(lines, str.isspace):
        written = tuple(group)
        if not is_blank:
            yield first, tuple(map(str.strip, written)), written
        first += len(written)


def _blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the blocks of lines, and refuse what no graph can hold.

    Comments belong to the graph after them, also across blank lines, as in penman,
    amrlib and smatch.  But if another ``::id`` or ``::snt`` comes before that graph,
    the comments before it stand for a missing graph.
    """
    pending: _Comments | None = None
    for first, stripped, written in _paragraphs(lines):
        comments, content = _apart(stripped)
        name = _id_in(comments)
        if content and pending is None:
            yield _checked(
                Block(stripped, content, first, path, name, None, None, written)
            )
            continue
        if pending is not None and pending.names_another(name, comments):
            yield pending.block((), path)
            pending = None
        if content or pending is not None or any("::" in line for line in comments):
            pending = pending or _Comments()
            pending.add(first, stripped, written, name, comments)
        if content and pending is not None:
            yield pending.block(content, path)
            pending = None
    if pending is not None and pending.name_a_graph:
        yield pending.block((), path)


class _Comments:
    """Comments that no graph has followed yet.

    Attributes:
        paragraphs: the first line's number, the stripped lines, and the lines as
            written, of each.
        name: the last ``::id`` among them.
        has_sentence: whether there is an ``::snt`` among them.
    """

    def __init__(self) -> None:
        self.paragraphs: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = []
        self.name: str | None = None
        self.has_sentence = False

    @property
    def name_a_graph(self) -> bool:
        """True if an ``::id`` or ``::snt`` says that a graph belongs here."""
        return self.name is not None or self.has_sentence

    def names_another(self, name: str | None, comments: Sequence[str]) -> bool:
        """Return whether the comments that follow name another graph."""
        if self.name is not None and name is not None:
            return self.name != name
        return self.has_sentence and any(map(_SENTENCE.search, comments))

    def add(
        self,
        first: int,
        lines: tuple[str, ...],
        written: tuple[str, ...],
        name: str | None,
        comments: Sequence[str],
    ) -> None:
        """Add a paragraph: the comments in it and, if it has one, the graph."""
        self.paragraphs.append((first, lines, written))
        self.name = self.name if name is None else name
        self.has_sentence |= any(map(_SENTENCE.search, comments))

    def block(self, content: tuple[str, ...], path: str | None) -> Block:
        """Return one block of all paragraphs; the blank lines between are empty."""
        first_line = self.paragraphs[0][0]
        all_stripped: list[str] = []
        all_written: list[str] = []
        for first, stripped, written in self.paragraphs:
            blank = [""] * (first - first_line - len(all_stripped))
            all_stripped += [*blank, *stripped]
            all_written += [*blank, *written]
        lines, indented = tuple(all_stripped), tuple(all_written)
        return _checked(
            Block(lines, content, first_line, path, self.name, None, None, indented)
        )


def commented_blocks(
    lines: Iterable[str], path: str | None, format_name: str
) -> Iterator[Block]:
    """Yield the paragraphs, except those of ``%`` comments alone."""
    for first, stripped, written in _paragraphs(line or "\n" for line in lines):
        if any(not line.startswith("%") for line in stripped):
            yield Block(stripped, stripped, first, path, None, format_name, {}, written)


def _apart(lines: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split lines into comments and others; the comments mostly come first."""
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
                return line[7:].lstrip(" \t")  # the usual form, without the slow search
            if match := _ID.search(line):
                return match[1]
    return None


def _checked(block: Block) -> Block:
    """Refuse what no graph can hold, before any reader sees it."""
    text = "".join(block.lines)
    if "\0" in text:
        for number, line in enumerate(block.lines, block.line):
            if "\0" in line:
                place = place_of(block.path, number)
                raise InputError(f"{place}holds a NUL byte; is this a text file?")
    if text.isascii() or not has_surrogates(text):
        return block
    refuse_surrogates(block.lines, block.path, block.line, halves=False)
    return block.with_whole_characters()


def no_graph(block: Block) -> GraphError:
    """Return the error for a block of comments without a graph."""
    return block.origin().error("has comments but no graph")
