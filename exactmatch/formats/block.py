"""The lines of one graph, with their place and metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from exactmatch.base.errors import (
    JSON_AS_WRITTEN,
    GraphError,
    json_fault,
    shortened,
)
from exactmatch.base.records import dataclass, field
from exactmatch.formats.characters import has_halves, with_whole_characters
from exactmatch.formats.faults import HALF
from exactmatch.graphs.graph import Origin

VALUE = r"[ \t]*((?:(?:\S+|\s+(?!::\S)\S+)(?:\s+(?!::\S)\S+)*)?)"
"""The value of a key among comments, words up to the next key, matched word by word."""

DOCUMENT_KEYS = ("doc", "document", "docid", "doc_id")
"""Keys and columns that may name the document of a graph."""

_METADATA = re.compile(rf"::(\S+){VALUE}")


@dataclass(slots=True)  # not frozen: it is made of every graph, in half the time
class Block:
    """The lines of one graph.

    Attributes:
        lines: the lines, stripped of blanks at both ends, comments included.
        content: the lines that are not comments.
        line: number of the first line in the file, from 1.
        path: the file, or ``None`` for a string.
        comment_id: the last ``::id`` among the comments.
        format: the format that the lines are in; ``None`` for PENMAN.
        known: the metadata, where the format has them elsewhere than in comments.
        indented: the lines with the blanks at their ends, where they are known.
        faults: what was wrong with the answer of a model that they were taken from.
        source: the text that the content was made of, where that is another one.
    """

    lines: tuple[str, ...]
    content: tuple[str, ...]
    line: int
    path: str | None
    comment_id: str | None = None
    format: str | None = None
    known: Mapping[str, str] | None = None
    indented: tuple[str, ...] = field(default=(), repr=False, compare=False)
    faults: tuple[str, ...] = ()
    source: str | None = field(default=None, repr=False, compare=False)

    @property
    def id(self) -> str | None:
        """The ``# ::id``, found without reading the rest of the metadata."""
        return self.comment_id if self.known is None else self.known.get("id")

    @property
    def framework(self) -> str | None:
        """The framework of an MRP graph."""
        return None if self.known is None else self.known.get("framework")

    def with_whole_characters(self) -> Block:
        r"""Return the block with U+FFFD where it has half a character.

        JSON can hold one as ``\ud83d``, as a model's answer does that was cut off.
        """
        if not any(map(has_halves, self.lines)):
            return self
        mended = with_whole_characters
        mended_metadata = self.known
        if mended_metadata is not None:
            mended_metadata = {
                mended(key): mended(value) for key, value in mended_metadata.items()
            }
        lines, content, indented = (
            tuple(map(mended, part))
            for part in (self.lines, self.content, self.indented)
        )
        name = None if self.comment_id is None else mended(self.comment_id)
        place = self.line, self.path, name, self.format, mended_metadata
        return Block(lines, content, *place, indented, (*self.faults, HALF))

    def metadata(self) -> Mapping[str, str]:
        """Return the ``# ::key value`` comments; of a repeated key the last counts."""
        if self.known is not None:
            return self.known
        if self.format is not None or len(self.lines) == len(self.content):
            return _NO_METADATA
        return Metadata(self.lines)

    def numbered(self) -> list[tuple[int, str]]:
        """Return the lines that are not comments, with their numbers in the file."""
        passed = ("#", "") if self.format is None else ("#",)  # "" is a blank line
        lines = enumerate(self.lines, self.line)
        return [(number, line) for number, line in lines if line[:1] not in passed]

    def error_at(self, reason: str, position: int) -> GraphError:
        """Make the error that names a character of the joined content.

        The position counts from 0; behind the end it stands for the end.
        """
        lines = self.numbered() or [(self.line, "")]
        k = 0
        while k < len(lines) - 1 and position >= len(lines[k][1]):
            position -= len(lines[k][1])
            k += 1
        number, text = lines[k]
        if self.content != tuple(line for _, line in lines):
            return self.origin().error(reason, number)
        column = min(position, len(text)) + 1
        return self.located(self.origin().error(reason, number, column, text))

    def parsed_json(self) -> Any:
        """Return the JSON of the block; a text that is not JSON is a GraphError."""
        from exactmatch.base.json_texts import loads  # here: most graphs are PENMAN

        try:
            return loads("\n".join(self.content))
        except RecursionError:
            raise self.origin().error("nests too deeply to be read") from None
        except ValueError as error:
            at = getattr(error, "pos", 0) - getattr(error, "lineno", 1) + 1
            fault = json_fault(error)
            way = "; --extract repair reads it" if fault in JSON_AS_WRITTEN else ""
            if re.match(r"[^\W\d_]+\s", self.content[0]):
                fault = f"it is the text {shortened(repr(self.content[0]), 40)}"
            raise self.error_at(f"is not JSON: {fault}{way}", at) from None

    def parsed_object(self) -> dict[str, Any]:
        """Return the JSON object that the block states, or raise a GraphError."""
        data = self.parsed_json()
        if not isinstance(data, dict):
            raise self.origin().error("is not a JSON object")
        return data

    def located(self, error: GraphError) -> GraphError:
        """Return a reader's error with the column that its file has.

        A reader counts characters in the line that it reads.  Where that is not the
        file's line without its indentation, the column is left out.
        """
        if error.column is None or error.line is None:
            return error
        if self.path is None and not self.indented:
            return error
        k = error.line - self.line
        text = self.indented[k] if 0 <= k < len(self.indented) else ""
        read = error.text or ""
        if text.strip() != read.strip():
            return GraphError(error.reason, error.path, error.line, error.graph_id)
        indent = len(read.lstrip()) - len(read) + len(text) - len(text.lstrip())
        place = error.path, error.line, error.graph_id
        return GraphError(error.reason, *place, error.column + indent, text.rstrip())

    def content_line(self) -> int:
        """Return the file's first line that is not a comment."""
        if not self.content:
            return self.line
        is_penman = self.format is None or self.content[0][:1] == "#"
        if is_penman and self.content[0] in self.lines:
            return self.line + self.lines.index(self.content[0])
        lines = enumerate(self.lines, self.line)
        return next((number for number, line in lines if line[:1] != "#"), self.line)

    def origin(self) -> Origin:
        """File, first line of content and id; for a graph in memory also its text."""
        text = self.lines if self.path is None else None
        return Origin(self.path, self.content_line(), self.id, text, self.format)


class Metadata(Mapping[str, str]):
    """The ``# ::key value`` comments among some lines, read when asked for."""

    __slots__ = ("_lines", "_values")

    def __init__(self, lines: tuple[str, ...]) -> None:
        self._lines = lines
        self._values: dict[str, str] | None = None

    def _read(self) -> dict[str, str]:
        if self._values is None:
            self._values = {}
            for line in self._lines:
                if "::" in line and (stripped := line.strip())[:1] == "#":
                    self._values.update(_METADATA.findall(stripped))
        return self._values

    def __getitem__(self, key: str) -> str:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return repr(self._read())


_NO_METADATA: Mapping[str, str] = Metadata(())
"""The metadata of every graph without comments."""
