"""The graph in an answer of a language model.

An answer is the graph alone, or has it between other words: thoughts, prose, markdown
fences, several attempts, of which the last counts.  Where it is broken it is mended,
and what had to be done is kept beside the graph (:attr:`Block.faults`), so that it is
counted.  An empty answer, and one in which there is no graph, is an empty graph in its
place.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import exactmatch.formats.faults as faults
from exactmatch.base.errors import ExactmatchError, GraphError
from exactmatch.formats.block import Block, Metadata
from exactmatch.formats.formats import (
    PENMAN,
    get_format,
    is_document,
    is_format,
    looks_like,
)
from exactmatch.formats.machine.json_graphs import (
    is_graph,
    is_triple,
    network_of,
)
from exactmatch.formats.machine.markdown import sections, unescaped
from exactmatch.formats.machine.mending import values_in
from exactmatch.formats.machine.network import (
    JSON,
    Network,
    block_of,
)
from exactmatch.formats.machine.statements import statements_in
from exactmatch.formats.reading import REPAIRED, UNREADABLE, Extract
from exactmatch.formats.remarks import FACTS

_THOUGHTS = re.compile(r"<(think|thinking|reasoning|scratchpad)>", re.IGNORECASE)
_THOUGHTS_END = re.compile(_THOUGHTS.pattern.replace("<", "</"), re.IGNORECASE)
_PENMAN = re.compile(r"\(\s*[^\s()\"/:]+\s*/\s*[^\s)]")
_INDENT = r"^[^\S\n]*"  # not \s*, which would read on over all blank lines, at each
_LISTS = re.compile(
    _INDENT + r"(?:\*\*)?Nodes?(?:\*\*)?\s*:", re.IGNORECASE | re.MULTILINE
)
_CHARTS = re.compile(
    _INDENT + r"(?:(?:flowchart|graph)[ \t]+(?:TB|TD|BT|RL|LR)\b"
    r"|(?:strict\s+)?(?:di)?graph\b[^\[{\n]*\{)",
    re.MULTILINE,
)


def graph_in(
    answer: str,
    extract: Extract,
    number: int = 1,
    path: str | None = None,
    name: str | None = None,
    format_in: str | None = None,
) -> Block:
    """Return the block of the graph in an answer.

    It is taken as it stands (``off``), its fences are opened (``fences``), or what is
    broken is mended, too (``repair``).

    Args:
        number: the line of the file where it stands.
        name: its id.
        format_in: the format of the graph; default: what it looks like.

    Raises:
        GraphError: if nothing may be mended and there is no graph.
    """
    place = Place(number, path, name, format_in)
    if extract == "off":
        return place.whole(answer, ())
    if not answer.strip():
        return place.none(faults.EMPTY)
    plain, escapes = _plain(answer, format_in)
    if extract != "repair" or not _is_emphasised(plain, format_in):
        with suppress(ExactmatchError):
            return place.whole(plain, escapes)
    text, faults_before = without_thoughts(plain)
    faults_before += escapes
    parts = between_fences(text)  # the last perhaps without end
    fenced = [part for part in parts[1::2] if part.strip()]
    if fenced:
        faults_before += (faults.FENCE,)
        faults_before += (faults.TEXT_AROUND,) * any(map(str.strip, parts[::2]))
    if len(fenced) > 1:
        faults_before += (faults.SEVERAL,)
    refusal: Exception | None = None
    for part in reversed(fenced or [text]):
        try:
            if extract != "repair" or not _is_emphasised(part, format_in):
                return place.whole(part, faults_before)
        except ExactmatchError as error:
            refusal = refusal or error
        if extract == "repair" and (block := place.mended(part, faults_before)):
            return block
    if extract == "repair":
        outside = "\n".join(parts[::2]) if fenced else ""
        return place.mended(outside, faults_before) or place.none(faults.NO_GRAPH)
    raise refusal if isinstance(refusal, GraphError) else place.error(str(refusal))


def graphs_in(
    answer: str,
    number: int = 1,
    path: str | None = None,
    name: str | None = None,
    format_in: str | None = None,
    is_page: bool = False,
) -> list[Block]:
    """Return a block for each of the fenced graphs of an answer, or of its only graph.

    Where there are several, they are called ``NAME.1``, ``NAME.2`` and so on.  On a
    page of answers, a fence without a graph is an empty graph in its place, so that the
    others keep theirs.
    """
    plain, escapes = _plain(answer, format_in)
    text, faults_before = without_thoughts(plain)
    parts = between_fences(text)
    faults_before += (*escapes, faults.FENCE, faults.SPLIT)
    faults_before += (faults.TEXT_AROUND,) * any(map(str.strip, parts[::2]))
    blocks: list[Block] = []
    missing = 0
    for part in parts[1::2]:
        if not (part.strip() or is_page):
            continue
        graph_name = None if name is None else f"{name}.{len(blocks) + 1}"
        place = Place(number, path, graph_name, format_in)
        block = None
        if not _is_emphasised(part, format_in):
            with suppress(ExactmatchError):
                block = place.whole(part, faults_before)
        block = block or place.mended(part, faults_before)
        if block is None and is_page:
            missing += 1
            block = place.none(faults.NO_GRAPH if part.strip() else faults.EMPTY)
        if block is not None:
            blocks.append(block)
    if len(blocks) - missing > 1:
        return blocks
    return [graph_in(answer, "repair", number, path, name, format_in)]


def answers_of_page(text: str) -> list[tuple[int, str]]:
    """Return the answers of a page whose headings part them, each with its line.

    Where each part has one fence, or there are more fences than parts, the fences are
    the answers, and there is nothing to return.
    """
    parts = sections(text)
    counts = [sum(1 for _ in between_fences(part)[1::2]) for _, part in parts]
    if not parts or {*counts} <= {1} or sum(counts) > len(parts):
        return []
    return parts


_OWN_ESCAPES = ("dot", "rdf")


def _plain(text: str, format_in: str | None) -> tuple[str, tuple[str, ...]]:
    """Undo the escapes of markdown in a text; return it, and the fault if any."""
    if "\\" not in text or (format_in or looks_like(text)) in _OWN_ESCAPES:
        return text, ()
    plain = unescaped(text)
    return plain, (faults.ESCAPES,) * (plain != text)


def _is_emphasised(text: str, format_in: str | None) -> bool:
    """Return whether a text is relations with markdown that a reader would keep."""
    has_signs = any(sign in text for sign in ("*", "`", "_("))
    return has_signs and (format_in or looks_like(text.strip())) == "relations"


def without_thoughts(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text behind a model's thoughts; none if they do not end."""
    if ends := [*_THOUGHTS_END.finditer(text)]:
        return text[ends[-1].end() :], (faults.THOUGHTS,)
    if opening := _THOUGHTS.search(text):
        return text[: opening.start()], (faults.THOUGHTS,)
    return text, ()


def between_fences(text: str) -> list[str]:
    """Cut a text at its fences: three backquotes or tildes, and the rest of the line.

    A backquote in that rest says that it is code within a line, and not a fence.
    """
    parts, pieces = list[str](), list[str]()
    for line in text.split("\n"):
        last = line.rfind("`")
        is_fence = last > 1 and line.startswith("```", last - 2)
        begin = last - 2 if is_fence else line.find("~~~", last + 1)
        if begin < 0:
            pieces += line, "\n"
        else:
            parts.append("".join((*pieces, line[:begin])))
            pieces = ["\n"]
    return [*parts, "".join(pieces)[:-1]]


def _marks(mended: Iterable[str]) -> tuple[str, ...]:
    """Return the remarks of a block on the faults that were mended, each once."""
    marks = dict.fromkeys(mended)
    return (REPAIRED, *marks) if marks else ()


class Place(NamedTuple):
    """Place of an answer, and the known facts of its graph."""

    number: int
    path: str | None
    name: str | None
    format_in: str | None

    def error(self, reason: str) -> GraphError:
        """Return the error that names the answer."""
        return GraphError(reason, self.path, self.number, self.name)

    def block(self, data: Any, marks: tuple[str, ...] = ()) -> Block:
        """Return the block of a graph in JSON."""
        return block_of(data, self.number, self.path, self.name, marks)

    def none(self, why: str) -> Block:
        """Return the empty graph in the place of an answer without one."""
        return self.block({"nodes": [], "edges": []}, (UNREADABLE, why))

    def whole(self, text: str, mended: tuple[str, ...]) -> Block:
        """Return the block of a text that is one graph, well-formed."""
        text = text.strip()
        name = self.format_in or looks_like(text)
        if not is_format(name):
            raise self.error(f"looks like {name}, which is not a format of graphs")
        if name == PENMAN:
            is_penman = _PENMAN.search(text) is not None
            wrong = faults.faults_of(text) if is_penman else (faults.NO_GRAPH,)
            if wrong:
                raise self.error(f"is not well-formed: {', '.join(wrong)}")
            return self._penman(text, mended)
        form = get_format(name)
        lines = io.StringIO(text, newline=None)
        blocks = list(form.blocks(lines, self.path))
        if len(blocks) != 1:
            raise self.error(f"holds {len(blocks)} graphs where one is wanted")
        get_format(blocks[0].format or PENMAN).read(blocks[0])
        return self._named(blocks[0], mended)

    def mended(self, text: str, faults_before: tuple[str, ...]) -> Block | None:
        """Return the block of the graph that a text holds, mended, if there is one."""
        ways = [self._in_json, self._in_charts, self._in_lines, self._in_penman]
        ways.append(self._in_empty)
        if self.format_in is not None:
            ways = [self._in_lines]
            if self.format_in == PENMAN:
                ways = [self._in_penman]
            elif self.format_in == JSON:
                ways = [self._in_json, self._in_empty]
            if is_document(self.format_in):
                ways = [self._in_documents]
        return next(filter(None, (way(text, faults_before) for way in ways)), None)

    def _in_json(self, text: str, faults_before: tuple[str, ...]) -> Block | None:
        graphs: list[tuple[Any, dict[str, None]]] = []
        triples, wrong = [], dict.fromkeys(faults_before)
        around, end = list[str](), 0
        for value, begin, behind, mended in values_in(text):
            around.append(text[end:begin].strip(" \t\r\n,;"))
            end = behind
            if is_triple(value):
                triples.append(value)
                wrong |= mended
            elif (graph := graph_inside(value)) is not None:
                graphs.append((graph, mended))
            else:
                around.append(text[begin:behind])
        if triples and not graphs:
            graphs = [(triples, {})]
        if graphs and "".join((*around, text[end:])).strip():
            wrong[faults.TEXT_AROUND] = None
        if len(graphs) > 1:
            wrong[faults.SEVERAL] = None
        if text[end:].strip() and not any(graph for graph, _ in graphs):
            return None  # an empty list before anything else
        graphs.reverse()
        graphs.sort(key=lambda item: not item[0])  # an empty list may be anything
        for graph, mended in graphs:
            marks = [*(wrong | mended)]
            try:
                network = network_of(graph, marks)
            except (GraphError, RecursionError):
                continue
            if self.name is not None:
                network.metadata["id"] = self.name
            return self.block(network.as_data(), _marks(marks))
        return None

    def _in_empty(self, text: str, faults_before: tuple[str, ...]) -> Block | None:
        """Take an empty list or an empty graph, where there is nothing else."""
        for value, _, _, _ in values_in(text):
            if graph_inside(value) is not None:
                marks = (*faults_before, faults.TEXT_AROUND)
                return self.block({"nodes": [], "edges": []}, _marks(marks))
        return None

    def _in_documents(self, text: str, faults_before: tuple[str, ...]) -> Block | None:
        """Take the last object of a text."""
        for value, begin, end, mended in reversed([*values_in(text)]):
            if isinstance(value, dict):
                around = f"{text[:begin]}{text[end:]}".strip()
                marks = (*faults_before, *mended, *(faults.TEXT_AROUND,) * bool(around))
                with suppress(ExactmatchError):
                    return self.whole(json.dumps(value), marks)
        return None

    def _in_penman(self, text: str, faults_before: tuple[str, ...]) -> Block | None:
        begin = _PENMAN.search(text)
        if begin is None:
            return None
        repaired_text = faults.repaired(text[begin.start() :])
        if repaired_text is None:
            return None
        marks = dict.fromkeys(faults_before)
        before = [line.strip() for line in text[: begin.start()].splitlines()]
        comments = [line for line in before if line[:1] == "#"]
        if any(line[:1] not in ("", "#") for line in before):
            marks[faults.TEXT_AROUND] = None
        marks |= dict.fromkeys(faults.faults_of(text[begin.start() :]))
        from exactmatch.graphs.quiet_penman import penman

        try:
            penman.decode(repaired_text)
        except (penman.PenmanError, RecursionError):
            return None
        return self._penman("\n".join([*comments, repaired_text]), tuple(marks))

    def _in_charts(self, text: str, faults_before: tuple[str, ...]) -> Block | None:
        """Take a flowchart or a list of nodes that follows some words."""
        for pattern in (_CHARTS, _LISTS):
            for begin in [*pattern.finditer(text)][-1:]:
                part = text[begin.start() :].strip()
                for behind in (part, re.split(r"\n\s*\n", part, maxsplit=1)[0]):
                    with suppress(ExactmatchError):
                        return self.whole(behind, (*faults_before, faults.TEXT_AROUND))
        return None

    def _in_lines(self, text: str, faults_before: tuple[str, ...]) -> Block | None:
        """Take the lines that are triples."""
        words = _PENMAN.search(text) is None  # else they may be parts of its names
        statements = statements_in(text, between_words=words)
        if not statements.triples and not statements.entities:
            return None
        network = Network({} if self.name is None else {"id": self.name})
        wrong = dict.fromkeys(faults_before)
        for name in statements.entities:
            network.term(name)
        for source, label, target in statements.triples:
            if source and target:
                network.triple(source, label, target)
            else:
                wrong[faults.NO_END] = None
        if statements.others:
            wrong[faults.TEXT_AROUND] = None
        if statements.broken:
            wrong[faults.NO_END] = None
        network.left_out[FACTS] += statements.facts
        return self.block(network.as_data(), _marks(wrong))

    def _penman(self, text: str, faults_before: tuple[str, ...]) -> Block:
        lines = tuple(filter(None, map(str.strip, text.splitlines())))
        content = tuple(line for line in lines if line[0] != "#")
        block = Block(lines, content, self.number, self.path)
        return self._named(block, faults_before)

    def _named(self, block: Block, faults_before: tuple[str, ...]) -> Block:
        metadata = dict(
            block.known if block.known is not None else Metadata(block.lines)
        )
        if self.name is not None:
            metadata["id"] = self.name
        return replace(
            block, line=self.number, known=metadata, faults=_marks(faults_before)
        )


def graph_inside(value: Any) -> Any:
    """Return the last graph in a value, or ``None``; broken triples are left out."""
    if is_graph(value) or (isinstance(value, list) and any(map(is_triple, value))):
        return value
    inside = value if isinstance(value, list) else []
    if isinstance(value, dict):
        inside = list(value.values())
    return next(
        (text_inside for text_inside in reversed(inside) if is_graph(text_inside)), None
    )
