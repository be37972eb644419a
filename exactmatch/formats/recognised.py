"""Formats and default metrics of graphs, recognised before they are read."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.records import NamedTuple
from exactmatch.formats.beginnings import ANSWER_FIELDS, lines_of
from exactmatch.formats.block import Block
from exactmatch.formats.files import (
    STANDARD_INPUT,
    beginning,
    expand,
    is_read_once,
)
from exactmatch.formats.formats import (
    PENMAN,
    Format,
    get_format,
    is_format,
    looks_like,
)
from exactmatch.formats.reading import Answers, HowRead, of_file
from exactmatch.formats.scored_by import (
    AMR,
    DOCUMENTS,
    NODES_AND_EDGES,
    TRIPLES,
    ScoredBy,
    as_data,
)
from exactmatch.graphs.graph import INSTANCE, Graph

FIRST = 5
"""The most graphs of a list that are looked at until one is recognised."""

_BOX = re.compile(r"\s*\(\s*[^\s()/]+\s*/\s*box(?![^\s()])")
_TOP = re.compile(r"^\(\s*[^\s()/]+\s*/\s*([^\s()]+)", re.MULTILINE)
_MEMBER = re.compile(r"\s:member\s")

_GZIP = b"\x1f\x8b"


class Seen(NamedTuple):
    """Kind of some graphs, recognised before they are read.

    Attributes:
        title: what messages call them.
        scored_by: the metric and options that score them by default.
        format: their format; ``None`` for objects in memory.
        path: the file that holds them, if one does.
    """

    title: str
    scored_by: ScoredBy
    format: Format | None = None
    path: str | None = None

    def full_title(self) -> str:
        """Return the title, and the path in brackets if there is one."""
        return self.title if self.path is None else f"{self.title} ({self.path})"

    def check(self) -> None:
        """Read the first graph of the file.

        Raises:
            InputError: if it cannot be read.
        """
        if self.path is None or self.format is None or is_read_once(self.path):
            return
        from exactmatch.formats.blocks import read_blocks

        for block in read_blocks(self.path, self.format.name):
            get_format(block.format or PENMAN).read(block)
            return


def scored_by_all(seen: Sequence[Seen]) -> ScoredBy | None:
    """Return what scores all these kinds of graphs by default; ``None`` without any.

    If some are triples and others nodes and edges, only edges count: both have them.

    Raises:
        InputError: if different metrics score them; if a file cannot be read, the
            message says that instead, because its format may have been mistaken.
    """
    chosen: Seen | None = None
    for kind in seen:
        if chosen is None:
            chosen = kind
        elif not _agree(chosen.scored_by, kind.scored_by):
            chosen.check()
            kind.check()
            first, other = _as_flags(chosen.scored_by), _as_flags(kind.scored_by)
            raise InputError(
                f"{chosen.full_title()} are scored by metric "
                f"{chosen.scored_by.metric}, and {kind.full_title()} by metric "
                f"{kind.scored_by.metric}; name what scores both, {first} or {other}"
            )
        elif kind.scored_by.profile is not None or kind.scored_by.options:
            chosen = kind
    return None if chosen is None else chosen.scored_by


def _agree(left: ScoredBy, right: ScoredBy) -> bool:
    profiles = {left.profile, right.profile} - {None}
    return left.metric == right.metric and len(profiles) < 2


def _as_flags(way: ScoredBy) -> str:
    """Return the options of the command line that choose a way to score."""
    profile = "" if way.profile is None else f" --profile {way.profile}"
    return f"--metric {way.metric}{profile}"


def seen_of(
    sources: Iterable[Any], how: HowRead = None, framework: str | None = None
) -> list[Seen]:
    """Return the kinds of graphs in sources, each once, without those in doubt.

    Args:
        sources: paths, texts, graphs, or lists and mappings of these; first the
            predictions, then the references.
        how: how files are read.
        framework: the only framework of MRP files that is read.
    """
    kinds: dict[object, Seen] = {}
    for place, source in enumerate(sources):
        for kind in _Recogniser(of_file(how, place), framework).seen(source):
            name = None if kind.format is None else kind.format.name
            kinds.setdefault((kind.title, kind.scored_by, name), kind)
    return [*kinds.values()]


def seen_in(graphs: Iterable[Any]) -> list[Seen]:
    """Return the kinds of single graphs or documents, none of which is a file."""
    recogniser = _Recogniser(None, None)
    return [
        kind for graph in graphs if (kind := recogniser.of_graph(graph)) is not None
    ]


def formats_seen(
    sources: Iterable[Any], how: HowRead = None, framework: str | None = None
) -> list[Format]:
    """Return the formats of graphs in files and texts; see :func:`seen_of`."""
    formats = (kind.format for kind in seen_of(sources, how, framework))
    return [*dict.fromkeys(form for form in formats if form is not None)]


def _beginning_of(source: Any) -> str:
    """Return the beginning of a file or folder, with line feeds as ends of lines.

    It is empty for other sources and for a file that cannot be opened: the error is
    raised when the file is read.
    """
    path = _path_of(source)
    if path is None:
        return ""
    try:
        text = beginning(path if path == STANDARD_INPUT else expand(path)[0])
    except (OSError, InputError, ValueError, zlib.error):
        return ""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def look_like_boxes(source: Any) -> bool:
    """Return whether a PENMAN file begins like a DRS: its root is a box with members.

    An AMR may use the same concept and role, so this is not certain.
    """
    text = _beginning_of(source)
    lines = (line for line in lines_of(text) if line.strip()[:1] not in ("", "#"))
    return bool(_BOX.match(next(lines, ""))) and bool(_MEMBER.search(text))


def look_like_documents(source: Any) -> bool:
    """Return whether at least half of a file's first AMRs have several sentences."""
    text = _beginning_of(source)
    concepts = [match[1] for match in _TOP.finditer(text)]
    return 0 < len(concepts) <= 2 * concepts.count(MULTI_SENTENCE)


MULTI_SENTENCE = "multi-sentence"
"""The concept of AMR's graphs of several sentences."""


def _holds_texts(source: Mapping[Any, Any]) -> bool:
    """Return whether a mapping has lists of graphs as texts, not of triples."""
    lists = (value for value in source.values() if isinstance(value, list | tuple))
    texts = (item for items in lists for item in items if isinstance(item, str))
    return any(text.lstrip().startswith(("(", "#")) for text in texts)


def _refuse_row(source: Mapping[Any, Any]) -> None:
    """Refuse a row of a table of answers: only its text can hold a graph."""
    texts = {name: source[name] for name in ANSWER_FIELDS if name in source}
    for name, text in texts.items():
        if isinstance(text, str) and {*"([{"} & {*text}:
            raise InputError(
                f"a row of answers is given where a graph is wanted; give its text, "
                f"[row[{name!r}] for row in rows] with extract='repair', or say that "
                "rows are compared as documents, metric='json'"
            )


class _Recogniser(NamedTuple):
    """Recogniser of the graphs that one side begins with."""

    how: HowRead
    framework: str | None

    def seen(self, source: Any) -> Iterator[Seen]:
        """Yield the kinds of the first graphs of a side, or of each of its files."""
        if isinstance(source, str):
            yield from filter(None, [self.of_graph(source)])
        elif (path := _path_of(source)) is not None:
            yield from filter(None, [self._of_file(path)])
        elif isinstance(source, Mapping) and (
            as_data(source) is None or _holds_texts(source)
        ):
            yield from self._of_several(source.values())
        elif _is_list(source):
            yield from self._of_several(source)
        else:
            yield from filter(None, [self.of_graph(source)])

    def _of_several(self, sources: Iterable[Any]) -> Iterator[Seen]:
        """Yield the kinds of the first graphs, and of all files and lists."""
        graphs = 0
        for source in sources:
            if _path_of(source) is not None or _is_list(source):
                yield from self.seen(source)
            elif graphs < FIRST:
                graphs += 1
                kind = self.of_graph(source)
                if kind is not None:
                    graphs = FIRST
                    yield kind

    def of_graph(self, source: Any) -> Seen | None:
        if isinstance(source, Block):
            return _of_text("\n".join(source.lines), source.format or PENMAN)
        if isinstance(source, Graph):
            text = "\n".join(source.origin.text or ())
            return _of_text(text, source.origin.format or PENMAN)
        if isinstance(source, str):
            if isinstance(self.how, Answers) and self.how.extract not in (None, "off"):
                from exactmatch.formats.machine.answers import answer

                return _of_blocks([answer(source, 1, None, None, self.how)])
            return _of_text(source)
        if isinstance(source, Mapping):
            way = as_data(source)
            if way is not None:
                return Seen("graphs in mappings", way)
            _refuse_row(source)
            return Seen("JSON documents", DOCUMENTS) if source else None
        if hasattr(source, "is_multigraph"):
            has_concepts = any("concept" in own for _, own in source.nodes(data=True))
            way = AMR if has_concepts else NODES_AND_EDGES
            return Seen("networkx graphs", way)
        if _is_triples(source):
            has_concepts = any(one[1].lstrip(":") == INSTANCE for one in source)
            return Seen("lists of triples", AMR if has_concepts else TRIPLES)
        if type(source).__module__.partition(".")[0] == "penman":
            return _penman()._replace(format=None)
        return None

    def _of_file(self, path: str) -> Seen | None:
        """Recognise a file, or a folder's first file; ``None`` if it cannot be opened.

        The error is raised when the file is read.
        """
        format_in = self.how.format_in if isinstance(self.how, Answers) else self.how
        try:
            if path != STANDARD_INPUT:
                path = expand(path)[0]
            text = beginning(path)
            if not is_read_once(path):
                from exactmatch.formats.blocks import how_of_path, read_blocks

                if isinstance(how_of_path(path, self.how), Answers):
                    return _of_blocks(read_blocks(path, self.how, self.framework))
            kind = _of_text(text, format_in)
            return None if kind is None else kind._replace(path=path)
        except (OSError, InputError, ValueError):
            return None


@cache
def _penman() -> Seen:
    """Return the kind of texts that begin with a bracket, as most do."""
    form = get_format(PENMAN)
    return Seen(_short(form), AMR, form)


def _of_text(text: str, name: str | None = None) -> Seen | None:
    if name is None and text[:1] == "(":
        return _penman()
    first_character = text.lstrip("\ufeff \t\r\n")[:1]
    if not first_character and name != PENMAN:
        return None
    if name is None:
        name = PENMAN if first_character == "(" else looks_like(text)
        if name == PENMAN and not _is_penman(text):
            return None
    if name == "JSON":
        return Seen("JSON documents", DOCUMENTS)
    if not is_format(name):
        return None
    form = get_format(name)
    way = form.scoring(text)
    return None if way is None else Seen(_short(form), way, form)


def _short(form: Format) -> str:
    """Return what messages call the graphs of a format."""
    return form.title.partition(":")[0]


def _is_penman(text: str) -> bool:
    """Return whether a bracket begins the first line that is not a comment."""
    if "\r" in text:
        text = "\n".join(text.splitlines())
    lines = map(str.strip, lines_of(text))
    first = next((line for line in lines if line and line[0] != "#"), "")
    return first.startswith("(")


def _of_blocks(blocks: Iterable[Block]) -> Seen | None:
    from exactmatch.formats.machine.answers import scored_by_blocks

    way = scored_by_blocks(blocks)
    return None if way is None else Seen(_short(get_format("answers")), way)


def _path_of(source: Any) -> str | None:
    """Return the path of a source that is a path, or an object with one."""
    if isinstance(source, os.PathLike):
        return os.fsdecode(source)
    path = getattr(source, "path", None)
    return path if isinstance(path, str) and not isinstance(source, Block) else None


def _is_list(source: Any) -> bool:
    """Return whether a value is a list or column of graphs."""
    if isinstance(source, str | bytes | Mapping | Graph | Block):
        return False
    is_graph = hasattr(source, "is_multigraph") or _is_triples(source)
    kind = type(source).__module__.partition(".")[0]
    if is_graph or kind == "penman":
        return False
    return hasattr(source, "__len__") and hasattr(source, "__iter__")


def _is_triples(source: Any) -> bool:
    """Return whether a list is one graph: a list of triples of texts."""
    if not isinstance(source, list | tuple) or not source:
        return False
    first = source[0]
    is_triple = isinstance(first, list | tuple) and len(first) == 3
    return is_triple and all(
        isinstance(part, str) and "\n" not in part and part.lstrip()[:1] != "("
        for part in first
    )
