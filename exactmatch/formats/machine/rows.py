"""Files of answers: JSON Lines, Parquet, and datasets that Hugging Face has saved.

A row has an ``id``, and its answer under ``prediction``, ``response`` or ``output``, or
under the name that ``--field`` says; ``model.response`` is a field within a field.  A
value that is no text is taken for the graph itself.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import exactmatch.formats.faults as faults
from exactmatch.base.errors import GraphError, InputError, place_of
from exactmatch.formats.block import Block
from exactmatch.formats.files import is_dataset
from exactmatch.formats.formats import PENMAN, get_format
from exactmatch.formats.machine.answers import graph_in
from exactmatch.formats.machine.json_graphs import json_values
from exactmatch.formats.machine.network import block_of, of_graph, plain_text
from exactmatch.formats.reading import UNREADABLE, Answers
from exactmatch.graphs.graph import Graph

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
    """Yield the graph of each row.

    Raises:
        InputError: if a row has no answer where one is looked for.
    """
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
        marks = (UNREADABLE, faults.MISSING)
        return block_of({"nodes": [], "edges": []}, number, path, name, marks)
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, default=str)
    try:
        return graph_in(value, extract, number, path, name, how.format_in)
    except InputError as error:
        reason = error.reason if isinstance(error, GraphError) else str(error)
        data = {"unreadable": reason, "answer": value}
        return block_of(data, number, path, name)


def again(block: Block, how: Answers) -> Block:
    """Return a block of a file of graphs, mended where it cannot be read as it is."""
    lines = "\n".join(block.lines)
    if block.format is None:
        if block.content and not faults.faults_of("\n".join(block.content)):
            return block
    else:
        try:
            get_format(block.format).read(block)
        except GraphError:
            pass
        else:
            return block
    how = how._replace(format_in=block.format or PENMAN)
    return answer(lines, block.line, block.path, block.id, how)


def write_answers(graph: Graph) -> str:
    """Write a graph as the answer of a row."""
    known = {} if graph.id is None else {"id": graph.id}
    row = known | {FIELDS[0]: of_graph(graph).as_data()}
    return json.dumps(row, ensure_ascii=False) + "\n"


def table_rows(path: str) -> Iterator[tuple[int, Any]]:
    """The rows of a Parquet file or a dataset's folder, numbered from 1.

    Raises:
        InputError: if pyarrow is missing, or cannot read it.
    """
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
