"""Files of answers of language models.

They are JSON Lines, Parquet, and datasets that Hugging Face has saved.  A row has an
``id``, and its answer under ``prediction``, ``response`` or ``output``, or under the
name that ``--field`` says; ``model.response`` is a field within a field.  A value that
is not a text is the graph itself, or what a service returned around the text
(:mod:`.nested`); any other is an error.  In a text
:mod:`exactmatch.formats.machine.answer_texts` finds the graph.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import exactmatch.formats.faults as faults
from exactmatch.base.deadline import in_time
from exactmatch.base.errors import GraphError, InputError, place_of
from exactmatch.base.json_texts import dumps
from exactmatch.formats.beginnings import ANSWER_FIELDS
from exactmatch.formats.block import DOCUMENT_KEYS, Block
from exactmatch.formats.formats import (
    PENMAN,
    get_format,
    is_document,
    is_format,
    looks_like,
)
from exactmatch.formats.machine.answer_texts import (
    Place,
    answers_of_page,
    graph_in,
    graph_inside,
    graphs_in,
)
from exactmatch.formats.machine.json_graphs import (
    is_graph,
    json_values,
)
from exactmatch.formats.machine.nested import fields_in, fields_of_replies, text_in
from exactmatch.formats.machine.network import (
    JSON,
    block_of,
    of_graph,
    plain_text,
)
from exactmatch.formats.machine.tables import ColumnNames, read_table
from exactmatch.formats.reading import UNREADABLE, Answers
from exactmatch.formats.scored_by import ScoredBy
from exactmatch.graphs.graph import Graph

REFERENCES = ("gold", "reference", "expected", "expected_output", "answer")
"""Where the document of a row of references is looked for, in that order."""

_ID_FIELDS = ("custom_id", "id")

_MISSING = object()


def columns() -> dict[str, tuple[str, ...]]:
    """Return the names that each column of answers may have, apart from ``--field``."""
    return {"id": _ID_FIELDS, "answer": ANSWER_FIELDS}


def answers_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of JSON Lines of answers, one block each."""
    return answers_in_rows(json_rows("".join(lines)), path, Answers())


FIRST = 5
"""The most graphs that are read until one shows its format."""


def scored_by(text: str) -> ScoredBy | None:
    """Tell what scores the first answers that a graph can be taken out of."""
    with suppress(InputError):  # it is said when the file is read
        return scored_by_blocks(answers_blocks([text], None))
    return None


def scored_by_blocks(blocks: Iterable[Block]) -> ScoredBy | None:
    """Tell what scores the first blocks that hold a graph."""
    for block in islice(blocks, FIRST):
        if UNREADABLE in block.faults or not block.content:
            continue
        form = get_format(block.format or PENMAN)
        if way := form.scoring("\n".join(block.lines)):
            return way
    return None


def json_rows(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the rows of JSON Lines, or of a list, each with its place."""
    for number, value in json_values(text):
        rows = value if isinstance(value, list) else [value]
        yield from ((number, row) for row in rows)


def has_answers(row: Any, field: str | None = None) -> bool:
    """Return whether a row has an answer where one is looked for."""
    names = ANSWER_FIELDS if field is None else (field,)
    if any(_value(row, name) is not _MISSING for name in names):
        return True
    is_reply = field is None and isinstance(row, Mapping) and not is_graph(row)
    return is_reply and text_in(row) is not None


def both_columns(columns: Collection[str]) -> tuple[str, str] | None:
    """Return the columns of predictions and references, where a row has both."""
    preds = [name for name in ANSWER_FIELDS if name in columns]
    golds = [name for name in (*REFERENCES, "target") if name in columns]
    return (preds[0], golds[0]) if preds and golds else None


def _value(row: Any, field: str) -> Any:
    """Return the value of a field of a row, or of a field of its fields."""
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
    for number, value, name, document in _values(rows, path, how):
        for block in answers_of(value, number, path, name, how):
            if document is not None:
                metadata = {**block.metadata(), DOCUMENT_KEYS[0]: document}
                block = replace(block, known=metadata)
            yield block


def count_in_rows(
    rows: Iterable[tuple[int, Any]], path: str | None, how: Answers
) -> int:
    """Count the graphs of rows, which are read only where an answer may have several.

    Raises:
        InputError: if a row has no answer.
    """
    if how.extract == "all":
        return sum(1 for _ in answers_in_rows(rows, path, how))
    return sum(1 for _ in _values(rows, path, how))


def _values(
    rows: Iterable[tuple[int, Any]], path: str | None, how: Answers
) -> Iterator[tuple[int, Any, str | None, str | None]]:
    """Yield the place, the answer, the id and the document of each row."""
    names = ANSWER_FIELDS if how.field is None else (how.field,)
    for number, row in in_time(rows):
        values = (_value(row, name) for name in names)
        value = next(
            (candidate for candidate in values if candidate is not _MISSING), _MISSING
        )
        if value is _MISSING and how.field is None:  # what a service returned
            text = text_in(row) if isinstance(row, Mapping) else None
            value = _MISSING if text is None else text
        if value is _MISSING:
            raise _no_column(path, number, names, row)
        name = _id_of(row, number, path, how)
        documents = (plain_text(row.get(key)) for key in DOCUMENT_KEYS)
        yield number, value, name, next((d for d in documents if d is not None), None)


def _id_of(row: Any, number: int, path: str | None, how: Answers) -> str | None:
    """Return the id of a row."""
    if how.id_field is not None:
        value = _value(row, how.id_field)
        if value is _MISSING:
            raise _no_column(path, number, [how.id_field], row)
        return plain_text(value)
    ids = (row.get(key) for key in _ID_FIELDS)
    return plain_text(next((one for one in ids if one is not None), None))


def answers_of(
    value: Any, number: int, path: str | None, name: str | None, how: Answers
) -> Iterator[Block]:
    """Yield the block of one answer, or those of the graphs that it is split into."""
    if how.extract == "all":
        text = value if isinstance(value, str) else text_in(value)
        if text is not None:
            yield from graphs_in(text, number, path, name, how.format_in)
            return
    yield answer(value, number, path, name, how)


def answers_on_page(text: str, path: str | None, how: Answers) -> Iterator[Block]:
    """Yield the graphs of a page of Markdown, in their order, a missing one empty."""
    parts = answers_of_page(text)
    if not parts:
        yield from graphs_in(text, 1, path, None, how.format_in, is_page=True)
    for number, part in parts:
        yield answer(part, number, path, None, how)


def answers_in_table(path: str, how: Answers) -> Iterator[Block]:
    """Yield the graph of each row of a Parquet file, or of a dataset's folder."""
    return answers_in_rows(_rows_of_table(path, how), path, how)


def count_in_table(path: str, how: Answers) -> int:
    """Count the graphs of a table, as :func:`count_in_rows` does."""
    return count_in_rows(_rows_of_table(path, how), path, how)


def _rows_of_table(path: str, how: Answers) -> Iterator[tuple[int, Any]]:
    names = ANSWER_FIELDS if how.field is None else (how.field,)
    id_fields = _ID_FIELDS if how.id_field is None else (how.id_field,)
    ids = (*id_fields, *DOCUMENT_KEYS)
    columns, rows = read_table(path, ColumnNames(names, ids))
    if not ColumnNames(names).of(columns):
        unread = dict.fromkeys(columns)
        replies = fields_of_replies(columns) if how.field is None else []
        if not replies:
            raise _no_column(path, 1, names, unread)
        _, read = read_table(path, ColumnNames(replies[:1], (*replies[1:], *ids)))
        rows = (unread | row for row in read)  # names beside a text tell what it is
    return enumerate(rows, 1)


def columns_of_table(path: str) -> Sequence[str]:
    """Return the names of the columns of a Parquet file or a dataset's folder."""
    columns, _ = read_table(path, ColumnNames(ANSWER_FIELDS, ()))
    return columns


def _no_column(
    path: str | None, number: int, names: Iterable[str], row: Any
) -> InputError:
    keys = ", ".join(map(repr, row)) if isinstance(row, Mapping) else "none"
    expected = " or ".join(map(repr, names))
    return InputError(
        f"{place_of(path, number)}has no column {expected}; name one by --field "
        f"(its columns: {keys})"
    )


def answer(
    value: Any, number: int, path: str | None, name: str | None, how: Answers
) -> Block:
    """Return the block of one answer, which says why where it cannot be read."""
    extract = how.extract or "repair"
    extract = "repair" if extract == "all" else extract
    if value is None and extract != "off":
        return Place(number, path, name, None).none(faults.MISSING)
    if not isinstance(value, str):
        text = dumps(value, ensure_ascii=False, default=str)
        if not _is_graph_itself(value, text, how.format_in):
            opened = text_in(value)
            if opened is None and isinstance(value, Mapping | list) and value:
                fields = ", ".join(fields_in(value))
                reason = (
                    f"has an answer that is not a graph, with the fields {fields}; "
                )
                reason += "name the one with the text by --field"
                return block_of({"unreadable": reason}, number, path, name)
            text = text if opened is None else opened
        value = text
    try:
        return graph_in(value, extract, number, path, name, how.format_in)
    except InputError as error:
        reason = error.reason if isinstance(error, GraphError) else str(error)
        return block_of({"unreadable": reason, "answer": value}, number, path, name)


def _is_graph_itself(value: Any, text: str, format_in: str | None) -> bool:
    """Return whether data are or hold a graph, not the reply of a service."""
    if format_in is not None and format_in != JSON:
        return is_document(format_in) or looks_like(text) == format_in
    kind = looks_like(text)
    return graph_inside(value) is not None or (is_format(kind) and kind != "answers")


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
    metadata = {} if graph.id is None else {"id": graph.id}
    row = metadata | {ANSWER_FIELDS[0]: of_graph(graph).as_data()}
    return json.dumps(row, ensure_ascii=False) + "\n"
