"""Answers of language models, and the graph in each of them.

An answer is the graph alone, or has it between other words: thoughts, prose, markdown
fences, several attempts, of which the last counts.  Where it is broken it is mended,
and what had to be done is kept beside the graph (:attr:`Block.faults`), so that it is
counted.  An empty answer, and one in which there is no graph, is an empty graph in its
place.

Files of answers are JSON Lines, Parquet, and datasets that Hugging Face has saved.  A
row has an ``id``, and its answer under ``prediction``, ``response`` or ``output``, or
under the name that ``--field`` says; ``model.response`` is a field within a field.  A
value that is no text is taken for the graph itself.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import exactmatch.formats.faults as faults
from exactmatch.base.errors import ExactmatchError, GraphError, InputError, place_of
from exactmatch.formats.block import Block, Metadata
from exactmatch.formats.files import is_dataset
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
    json_values,
    network_of,
)
from exactmatch.formats.machine.mending import triples_in, values_in
from exactmatch.formats.machine.network import (
    JSON,
    Network,
    block_of,
    of_graph,
    plain_text,
)
from exactmatch.formats.reading import REPAIRED, UNREADABLE, Answers, Extract
from exactmatch.graphs.graph import Graph

_THOUGHTS = re.compile(r"<(think|thinking|reasoning|scratchpad)>", re.IGNORECASE)
_THOUGHTS_END = re.compile(_THOUGHTS.pattern.replace("<", "</"), re.IGNORECASE)
_FENCE = re.compile(r"(?:```|~~~)[^\n`]*$", re.MULTILINE)
_PENMAN = re.compile(r"\(\s*[^\s()\"/:]+\s*/\s*[^\s)]")
_LISTS = re.compile(r"^\s*(?:\*\*)?Nodes?(?:\*\*)?\s*:", re.IGNORECASE | re.MULTILINE)
_CHARTS = re.compile(
    r"^\s*(?:(?:flowchart|graph)[ \t]+(?:TB|TD|BT|RL|LR)\b|(?:strict\s+)?(?:di)?graph\b"
    r"[^\[{\n]*\{)",
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
    place = _Place(number, path, name, format_in)
    if extract == "off":
        return place.whole(answer, ())
    if not answer.strip():
        return place.none(faults.EMPTY)
    with suppress(ExactmatchError):
        return place.whole(answer, ())
    text, found = _without_thoughts(answer)
    parts = _FENCE.split(text)  # those between fences, the last perhaps without end
    fenced = [one for one in parts[1::2] if one.strip()]
    if fenced:
        found += (faults.FENCE,)
        found += (faults.TEXT_AROUND,) * any(map(str.strip, parts[::2]))
    if len(fenced) > 1:
        found += (faults.SEVERAL,)
    refusal: Exception | None = None
    for one in reversed(fenced or [text]):
        try:
            return place.whole(one, found)
        except ExactmatchError as error:
            refusal = refusal or error
        if extract == "repair" and (block := place.mended(one, found)):
            return block
    if extract == "repair":
        return place.none(faults.NO_GRAPH)
    raise refusal if isinstance(refusal, GraphError) else place.error(str(refusal))


def _without_thoughts(text: str) -> tuple[str, tuple[str, ...]]:
    """The text behind a model's thoughts; nothing behind thoughts without end."""
    if ends := [*_THOUGHTS_END.finditer(text)]:
        return text[ends[-1].end() :], (faults.THOUGHTS,)
    if begun := _THOUGHTS.search(text):
        return text[: begun.start()], (faults.THOUGHTS,)
    return text, ()


def _marks(found: Iterable[str]) -> tuple[str, ...]:
    """The remarks of a block on the faults that were mended, each once."""
    told = dict.fromkeys(found)
    return (REPAIRED, *told) if told else ()


class _Place(NamedTuple):
    """Where an answer stands, and what is known of its graph."""

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

    def whole(self, text: str, found: tuple[str, ...]) -> Block:
        """Return the block of a text that is one graph, well-formed."""
        name = self.format_in or looks_like(text)
        if not is_format(name):
            raise self.error(f"looks like {name}, which is no format of graphs")
        if name == PENMAN:
            is_penman = _PENMAN.search(text) is not None
            wrong = faults.faults_of(text) if is_penman else (faults.NO_GRAPH,)
            if wrong:
                raise self.error(f"is not well-formed: {', '.join(wrong)}")
            return self._penman(text, found)
        form = get_format(name)
        lines = io.StringIO(text.strip(), newline=None)
        blocks = list(form.blocks(lines, self.path))
        if len(blocks) != 1:
            raise self.error(f"holds {len(blocks)} graphs where one is wanted")
        get_format(blocks[0].format or PENMAN).read(blocks[0])
        return self._named(blocks[0], found)

    def mended(self, text: str, found: tuple[str, ...]) -> Block | None:
        """Return the block of the graph that a text holds, mended, if there is one."""
        ways = [self._in_json, self._in_charts, self._in_lines, self._in_penman]
        if self.format_in is not None:
            wanted = {PENMAN: self._in_penman, JSON: self._in_json}
            ways = [wanted.get(self.format_in, self._in_lines)]
            if is_document(self.format_in):
                ways = [self._in_documents]
        return next(filter(None, (way(text, found) for way in ways)), None)

    def _in_json(self, text: str, found: tuple[str, ...]) -> Block | None:
        graphs: list[tuple[Any, dict[str, None]]] = []
        triples, wrong = [], dict.fromkeys(found)
        around, end = "", 0
        for value, begin, behind, mended in values_in(text):
            around, end = around + text[end:begin].strip(" \t\r\n,;"), behind
            if is_triple(value):
                triples.append(value)
                wrong |= mended
            elif (graph := _graph_inside(value)) is not None:
                graphs.append((graph, mended))
            else:
                around += text[begin:behind]
        if triples and not graphs:
            graphs = [(triples, {})]
        if (around + text[end:]).strip() and graphs:
            wrong[faults.TEXT_AROUND] = None
        if len(graphs) > 1:
            wrong[faults.SEVERAL] = None
        graphs.reverse()
        graphs.sort(key=lambda item: not item[0])  # an empty list may be anything
        for graph, mended in graphs:
            told = [*(wrong | mended)]
            try:
                network = network_of(graph, told)
            except (GraphError, RecursionError):
                continue
            if self.name is not None:
                network.metadata["id"] = self.name
            return self.block(network.as_data(), _marks(told))
        return None

    def _in_documents(self, text: str, found: tuple[str, ...]) -> Block | None:
        """Take the last object of a text."""
        for value, begin, end, mended in reversed([*values_in(text)]):
            if isinstance(value, dict):
                around = f"{text[:begin]}{text[end:]}".strip()
                told = (*found, *mended, *(faults.TEXT_AROUND,) * bool(around))
                with suppress(ExactmatchError):
                    return self.whole(json.dumps(value), told)
        return None

    def _in_penman(self, text: str, found: tuple[str, ...]) -> Block | None:
        begin = _PENMAN.search(text)
        if begin is None:
            return None
        whole = faults.repaired(text[begin.start() :])
        if whole is None:
            return None
        told = dict.fromkeys(found)
        before = [line.strip() for line in text[: begin.start()].splitlines()]
        comments = [line for line in before if line[:1] == "#"]
        if any(line[:1] not in ("", "#") for line in before):
            told[faults.TEXT_AROUND] = None
        told |= dict.fromkeys(faults.faults_of(text[begin.start() :]))
        from exactmatch.graphs.quiet_penman import penman

        try:
            penman.decode(whole)
        except (penman.PenmanError, RecursionError):
            return None
        return self._penman("\n".join([*comments, whole]), tuple(told))

    def _in_charts(self, text: str, found: tuple[str, ...]) -> Block | None:
        """Take a flowchart or a list of nodes that follows some words."""
        for pattern in (_CHARTS, _LISTS):
            for begin in [*pattern.finditer(text)][-1:]:
                part = text[begin.start() :].strip()
                for behind in (part, re.split(r"\n\s*\n", part)[0]):
                    with suppress(ExactmatchError):
                        return self.whole(behind, (*found, faults.TEXT_AROUND))
        return None

    def _in_lines(self, text: str, found: tuple[str, ...]) -> Block | None:
        """Take the lines that are triples."""
        lines = [line for line in text.splitlines() if line.strip()]
        stated = [triples_in(line) for line in lines]
        if not any(stated):
            return None
        network = Network({} if self.name is None else {"id": self.name})
        for source, label, target in chain.from_iterable(stated):
            if source and target:
                network.triple(source, label, target)
            else:
                found += (faults.NO_END,)
        if not all(stated):
            found += (faults.TEXT_AROUND,)
        return self.block(network.as_data(), _marks(found))

    def _penman(self, text: str, found: tuple[str, ...]) -> Block:
        lines = tuple(filter(None, map(str.strip, text.splitlines())))
        content = tuple(line for line in lines if line[0] != "#")
        block = Block(lines, content, self.number, self.path)
        return self._named(block, found)

    def _named(self, block: Block, found: tuple[str, ...]) -> Block:
        known = dict(block.known if block.known is not None else Metadata(block.lines))
        if self.name is not None:
            known["id"] = self.name
        return replace(block, line=self.number, known=known, faults=_marks(found))


def _graph_inside(value: Any) -> Any:
    """The last graph in a value, or ``None``; some of its triples may be broken."""
    if is_graph(value) or (isinstance(value, list) and any(map(is_triple, value))):
        return value
    inside = value if isinstance(value, list) else []
    if isinstance(value, dict):
        inside = list(value.values())
    return next((one for one in reversed(inside) if is_graph(one)), None)


# ------------------------------------------------------------ files of answers

FIELDS = ("prediction", "response", "output")
"""Where the answer of a row is looked for, in that order."""

_MISSING = object()


def answers_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of JSON Lines of answers, one block each."""
    return answers_in_rows(json_rows("".join(lines)), path, Answers())


def json_rows(text: str) -> Iterator[tuple[int, Any]]:
    """The rows of JSON Lines, or of a list, each with its place."""
    for number, value in json_values(text):
        rows = value if isinstance(value, list) else [value]
        yield from ((number, row) for row in rows)


def has_answers(row: Any) -> bool:
    """Whether a row has an answer where one is looked for."""
    return any(_value(row, name) is not _MISSING for name in FIELDS)


def _value(row: Any, field: str) -> Any:
    """The value of a field of a row, or of a field of its fields."""
    if isinstance(row, Mapping):
        if field in row:
            return row[field]
        first, dot, rest = field.partition(".")
        if dot and first in row:
            return _value(row[first], rest)
    return _MISSING


def answers_in_rows(
    rows: Iterable[tuple[int, Any]], path: str | None, how: Answers
) -> Iterator[Block]:
    """Yield the graph of each row."""
    names = FIELDS if how.field is None else (how.field,)
    for number, row in rows:
        found = (_value(row, name) for name in names)
        value = next((one for one in found if one is not _MISSING), _MISSING)
        if value is _MISSING:
            keys = ", ".join(map(repr, row)) if isinstance(row, Mapping) else "none"
            wanted = " or ".join(map(repr, names))
            raise InputError(
                f"{place_of(path, number)}has no column {wanted}; name one by --field "
                f"(its columns: {keys})"
            )
        name = plain_text(row.get("id"))
        yield answer(value, number, path, name, how)


def answer(
    value: Any, number: int, path: str | None, name: str | None, how: Answers
) -> Block:
    """Return the block of one answer, which says why where it cannot be read."""
    extract = how.extract or "repair"
    if value is None and extract != "off":
        return _Place(number, path, name, None).none(faults.MISSING)
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, default=str)
    try:
        return graph_in(value, extract, number, path, name, how.format_in)
    except InputError as error:
        reason = error.reason if isinstance(error, GraphError) else str(error)
        return block_of({"unreadable": reason, "answer": value}, number, path, name)


def again(block: Block, how: Answers) -> Block:
    """Return a block of a file of graphs, mended where it cannot be read as it is."""
    with suppress(GraphError):
        if block.format is not None:
            get_format(block.format).read(block)
            return block
        if block.content and not faults.faults_of("\n".join(block.content)):
            return block
    how = how._replace(format_in=block.format or PENMAN)
    return answer("\n".join(block.lines), block.line, block.path, block.id, how)


def write_answers(graph: Graph) -> str:
    """Write a graph as the answer of a row."""
    known = {} if graph.id is None else {"id": graph.id}
    row = known | {FIELDS[0]: of_graph(graph).as_data()}
    return json.dumps(row, ensure_ascii=False) + "\n"


def table_rows(path: str) -> Iterator[tuple[int, Any]]:
    """The rows of a Parquet file or a dataset's folder, numbered from 1."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError(
            f"{path}: needs pyarrow: pip install 'exactmatch[tables]'"
        ) from None
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    number = 0
    try:
        for table in _tables(path, pa, pq):
            for row in table.to_pylist():
                number += 1
                yield number, row
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: cannot be read as a table: {reason}") from None


def _tables(path: str, pa: Any, pq: Any) -> Iterator[Any]:
    if not is_dataset(path):
        yield from pq.ParquetFile(path).iter_batches()
        return
    with open(os.path.join(path, "state.json"), encoding="utf-8") as file:
        state = json.load(file)
    for one in state["_data_files"]:
        with pa.memory_map(os.path.join(path, one["filename"])) as source:
            yield from pa.ipc.open_stream(source)
