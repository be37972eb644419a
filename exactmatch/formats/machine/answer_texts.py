"""The graph in an answer of a language model.

An answer is the graph alone, or has it between other words: thoughts, prose, markdown
fences, a box of TeX, several attempts, of which the last counts; but triples in several
fences are one graph (:mod:`.answer_parts`).  Where a text can be read in several ways,
the one with most nodes and edges counts.  What is broken is mended, and what had to be
done is kept beside the graph (:attr:`Block.faults`), so that it is counted.  An empty
answer, and one in which there is no graph, is an empty graph in its place.
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
from exactmatch.formats.machine.answer_parts import (
    Part,
    graph_of,
    part_of,
    parts_that_count,
)
from exactmatch.formats.machine.boxes import between_boxes
from exactmatch.formats.machine.json_graphs import (
    is_graph,
    is_triple,
    labelled_network,
    network_of,
)
from exactmatch.formats.machine.markdown import sections, unescaped
from exactmatch.formats.machine.mending import values_in
from exactmatch.formats.machine.network import (
    JSON,
    Network,
    block_of,
)
from exactmatch.formats.machine.penman_in_text import NODE, beginning_of_penman
from exactmatch.formats.machine.statements import lines_of_relations, statements_in
from exactmatch.formats.reading import REPAIRED, UNREADABLE, Extract
from exactmatch.formats.remarks import FACTS

_THOUGHTS = re.compile(r"<(think|thinking|reasoning|scratchpad)>", re.IGNORECASE)
_THOUGHTS_END = re.compile(_THOUGHTS.pattern.replace("<", "</"), re.IGNORECASE)
_INDENT = r"^[^\S\n]*"  # not \s*, which would read on over all blank lines, at each
_LISTS = re.compile(
    _INDENT + r"(?:#{1,6}[ \t]+\**Nodes?\b|\*\*Nodes?\*\*|\**Nodes?\**[ \t]*:)",
    re.IGNORECASE | re.MULTILINE,
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
    plain_text, escapes = _plain(answer, format_in)
    if extract != "repair" or not _is_emphasised(plain_text, format_in):
        with suppress(ExactmatchError):
            return place.whole(plain_text, escapes)
    text, marks = without_thoughts(plain_text)
    marks += escapes
    boxed = between_boxes(without_thoughts(answer)[0]) if "\\" in answer else []
    parts = between_fences(text)  # the last perhaps without end
    refusal: Exception | None = None
    cut = marks
    for pieces, fault in ((boxed, faults.BOX), (parts, faults.FENCE)):
        if not any(map(str.strip, pieces[1::2])):
            continue
        around = "".join(pieces[::2]).strip(" \t\r\n$")
        cut = (*marks, fault, *(faults.TEXT_AROUND,) * bool(around))
        try:
            if block := _in_parts(place, pieces, cut, extract):
                return block
        except ExactmatchError as error:
            refusal = refusal or error
    block = None
    try:
        if not any(map(str.strip, parts[1::2])):
            block = place.taken(text, marks, extract)
        elif extract == "repair":
            block = place.mended("\n".join(parts[::2]), cut)
    except ExactmatchError as error:
        refusal = refusal or error
    if refusal is None or extract == "repair":
        return block or place.none(faults.NO_GRAPH)
    raise refusal if isinstance(refusal, GraphError) else place.error(str(refusal))


def _in_parts(
    place: Place, pieces: list[str], marks: tuple[str, ...], extract: Extract
) -> Block | None:
    """Return the block of the parts of an answer.

    It is that of the last that can be read; where that is triples, the triples of all.

    Args:
        pieces: what stands around and between the parts; every second is a part.

    Raises:
        ExactmatchError: if nothing may be mended and no part is a graph.
    """
    read: dict[int, Part] = {}
    empty: set[str] = set()  # parts without a graph, which may come again
    skipped = False
    refusal: ExactmatchError | None = None
    for k in range(len(pieces) - 1 - len(pieces) % 2, 0, -2):
        if pieces[k] in empty or not pieces[k].strip():
            continue
        try:
            block = place.taken(pieces[k], marks, extract)
        except ExactmatchError as error:
            refusal = refusal or error
            block = None
        if block is None:
            empty.add(pieces[k])
            continue
        part = part_of(block)
        if part is not None:
            read[k] = part
        elif read:
            skipped = True
        else:
            are_several = len([*filter(str.strip, pieces[1::2])]) > 1
            return with_faults(block, marks, (faults.SEVERAL,) * are_several)
    if not read:
        if refusal is not None:
            raise refusal
        return None
    are_lines = any(lines_of_relations(pieces[k]) for k in read)
    if extract == "repair" and are_lines and faults.FENCE in marks:
        for k in range(0, len(pieces), 2):  # a fence may lack its beginning or end
            if triples := lines_of_relations(pieces[k]):
                read[k] = Part(triples)
    ordered = [read[k] for k in sorted(read)]
    kept = parts_that_count(ordered)
    more = (faults.SEVERAL,) * (skipped or len(kept) < len(ordered))
    if len(kept) == 1 and kept[0].block is not None:
        return with_faults(kept[0].block, marks, more)
    own = [fault for part in kept if part.block for fault in part.block.faults]
    block = place.block(graph_of(kept, place.name), tuple(own))
    return with_faults(block, marks, more)


def with_faults(block: Block, before: tuple[str, ...], more: tuple[str, ...]) -> Block:
    """Return a block with more faults, behind those before and ahead of its own."""
    own = [fault for fault in block.faults if fault != REPAIRED]
    return replace(block, faults=_marks((*before, *more, *own)))


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
    plain_text, escapes = _plain(answer, format_in)
    text, faults_before = without_thoughts(plain_text)
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
        block = place.taken(part, faults_before, "repair")
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


_BETWEEN_VALUES = " \t\r\n,;"

_KEPT_SIGNS = ("*", "`", "_(", "'", "“", "‘", "«", "()", "[]", "<>", "{}")
"""Signs of names and empty ends that a file of relations keeps, and answers do not."""

_OWN_ESCAPES = ("dot", "rdf")


def _plain(text: str, format_in: str | None) -> tuple[str, tuple[str, ...]]:
    """Undo the escapes of markdown in a text; return it, and the fault if any."""
    if "\\" not in text or (format_in or looks_like(text)) in _OWN_ESCAPES:
        return text, ()
    plain_text = unescaped(text)
    return plain_text, (faults.ESCAPES,) * (plain_text != text)


def _is_emphasised(text: str, format_in: str | None) -> bool:
    """Return whether a text is relations with signs that a reader would keep."""
    has_signs = any(sign in text for sign in _KEPT_SIGNS)
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
            is_penman = NODE.search(text) is not None
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

    def taken(
        self, text: str, faults_before: tuple[str, ...], extract: Extract
    ) -> Block | None:
        """Return the block of a text, mended if that is wanted and has to be.

        Raises:
            ExactmatchError: if nothing may be mended and it is not one graph.
        """
        if extract != "repair":
            return self.whole(text, faults_before)
        if not _is_emphasised(text, self.format_in):
            with suppress(ExactmatchError):
                return self.whole(text, faults_before)
        return self.mended(text, faults_before)

    def mended(self, text: str, faults_before: tuple[str, ...]) -> Block | None:
        """Return the block of the graph that a text holds, mended, if there is one.

        Of several readings, the one with most nodes and edges counts.
        """
        if self.format_in == PENMAN:
            return self._in_penman(text, faults_before)
        if self.format_in is not None and is_document(self.format_in):
            return self._in_documents(text, faults_before)
        if self.format_in not in (None, JSON):
            return self._in_lines(text, faults_before)
        in_json, beside = self._in_json(text, faults_before)
        readings = [in_json]
        if self.format_in is None:
            readings.append(self._in_charts(text, faults_before))
            if in_json is None or faults.WORD in in_json.faults:
                readings.append(self._in_lines(text, faults_before))
            elif lines_of_relations(beside):
                marks = (*faults_before, faults.TEXT_AROUND)
                readings.append(self._in_lines(beside, marks))
            readings.append(self._in_penman(text, faults_before))
        blocks = [block for block in readings if block is not None]
        if blocks:  # the first of those that are equally large
            return max(blocks, key=_size)
        return self._in_empty(text, faults_before)

    def _in_json(
        self, text: str, faults_before: tuple[str, ...]
    ) -> tuple[Block | None, str]:
        """Take the last graph in JSON; return it, and the text beside such graphs."""
        graphs: list[tuple[Any, dict[str, None]]] = []
        triples, wrong = [], dict.fromkeys(faults_before)
        around, end = list[str](), 0
        for value, begin, behind, mended in values_in(text):
            around.append(f"{text[end:begin].strip(_BETWEEN_VALUES)}\n")
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
        beside = "".join((*around, text[end:]))
        if graphs and beside.strip():
            wrong[faults.TEXT_AROUND] = None
        if len(graphs) > 1:
            wrong[faults.SEVERAL] = None
        if text[end:].strip() and not any(graph for graph, _ in graphs):
            return None, text  # an empty list before anything else
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
            return self.block(network.as_data(), _marks(marks)), beside
        return None, text

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
        begin, _ = beginning_of_penman(text)
        if begin is None:
            return None
        repaired_text = faults.repaired(text[begin:])
        if repaired_text is None:
            return None
        marks = dict.fromkeys(faults_before)
        before = [line.strip() for line in text[:begin].splitlines()]
        comments = [line for line in before if line[:1] == "#"]
        if any(line[:1] not in ("", "#") for line in before):
            marks[faults.TEXT_AROUND] = None
        marks |= dict.fromkeys(faults.faults_of(text[begin:]))
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
        _, is_penman = beginning_of_penman(text)  # words may be parts of its names
        statements = statements_in(text, between_words=not is_penman)
        if not statements.triples and not statements.entities:
            return None
        network = Network({} if self.name is None else {"id": self.name})
        wrong = dict.fromkeys(faults_before)
        for name in statements.entities:
            network.term(name)
        for triple in statements.triples:
            network.triple(*triple)
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


def _size(block: Block) -> int:
    """Return how many nodes, edges and attributes a graph has."""
    if block.format is None:
        tokens = " ".join(block.content).split()
        return sum(token == "/" or token[0] == ":" for token in tokens)
    with suppress(GraphError, RecursionError):
        if (network := labelled_network(block)) is not None:
            return len(network.nodes) + len(network.edges)
    return 0


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
