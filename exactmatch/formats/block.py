"""The lines of one graph, with their place and metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from exactmatch.graphs.graph import Origin

_METADATA = re.compile(r"::(\S+)[ \t]*(.*?)(?=\s+::\S|\s*$)")


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one graph.

    Attributes:
        lines: the lines, stripped of blanks at both ends, comments included.
        content: the lines that are not comments.
        line: number of the first line in the file, from 1.
        path: the file, or ``None`` for a string.
        stated_id: the last ``::id`` among the comments.
        format: the format that the lines are in; ``None`` for PENMAN.
        known: the metadata, where the format has them elsewhere than in comments.
    """

    lines: tuple[str, ...]
    content: tuple[str, ...]
    line: int
    path: str | None
    stated_id: str | None = None
    format: str | None = None
    known: Mapping[str, str] | None = None

    @property
    def id(self) -> str | None:
        """The ``# ::id``, found without reading the rest of the metadata."""
        return self.stated_id if self.known is None else self.known.get("id")

    @property
    def framework(self) -> str | None:
        """The framework of an MRP graph."""
        return None if self.known is None else self.known.get("framework")

    def metadata(self) -> Mapping[str, str]:
        """The ``# ::key value`` comments; of a repeated key the last counts."""
        if self.known is not None:
            return self.known
        if self.format is not None or len(self.lines) == len(self.content):
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
        if self.format is None and self.content[0] in self.lines:
            return self.line + self.lines.index(self.content[0])
        for offset, line in enumerate(self.lines):
            if line[:1] != "#":
                return self.line + offset
        return self.line

    def origin(self) -> Origin:
        """File, first line of content and id; of what is in memory also its text."""
        text = self.lines if self.path is None else None
        return Origin(self.path, self.content_line(), self.id, text, self.format)


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
"""The metadata of every graph without comments."""
