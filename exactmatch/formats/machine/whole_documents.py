"""Files of JSON documents that are compared as they are, and answers that hold some.

A file is one document; in a file of JSON Lines each line is one.  A row may also hold
its document in a column: that of ``--field``; else a prediction's is ``prediction``,
``response`` or ``output``, and a reference's ``gold``, ``reference``, ``expected``,
``expected_output`` or ``answer``, if an object, a list or the text of one is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from json import JSONDecoder
from typing import Any

import exactmatch.formats.faults as faults
from exactmatch.base.errors import InputError, place_of
from exactmatch.base.json_texts import dumps, loads, raw_decode
from exactmatch.formats.beginnings import ANSWER_FIELDS
from exactmatch.formats.block import Block
from exactmatch.formats.files import is_dataset, named, read_text
from exactmatch.formats.machine.answer_texts import between_fences, without_thoughts
from exactmatch.formats.machine.answers import REFERENCES
from exactmatch.formats.machine.boxes import between_boxes
from exactmatch.formats.machine.mending import values_in
from exactmatch.formats.machine.nested import text_in
from exactmatch.formats.machine.network import plain_text
from exactmatch.formats.machine.tables import ColumnNames, read_table
from exactmatch.formats.reading import REPAIRED, UNREADABLE, Answers, Extract

DOCUMENT = "document"

_REPLIES = ("choices", "candidates", "custom_id")
"""Every reply of a service has one of these names."""

_ROWS = (".jsonl", ".ndjson")
_MANY_DIGITS = 4000  # Python refuses to read whole numbers of more than 4300
_MISSING = object()


def documents_of(path: str, how: Answers) -> Iterator[Block]:
    """Yield the documents of a file, a block each."""
    name = named(path)
    if path.endswith(".parquet") or is_dataset(path):
        for number, row in enumerate(_in_table(path, how), 1):
            yield _of_row(_Row(row, None, number, name), how)
        return
    text = read_text(path)
    lines = [
        (n, row_text)
        for n, row_text in enumerate(text.split("\n"), 1)
        if row_text.strip()
    ]
    document = _value(text)
    is_lines = path.removesuffix(".gz").endswith(_ROWS)
    if document is not _MISSING and not (
        is_lines and _value(lines[0][1]) is not _MISSING
    ):
        if isinstance(document, list) and (how.field is not None or is_lines):
            for row in document:
                yield _of_row(_Row(row, None, 1, name), how)
        elif lines:
            yield _of_row(_Row(document, text, lines[0][0], name, is_row=False), how)
        return
    if is_lines or (len(lines) > 1 and _value(lines[0][1]) is not _MISSING):
        for number, line in lines:
            yield _of_row(_Row(_value(line), line, number, name), how)
    elif lines:
        yield _of_row(_Row(_MISSING, text, 1, name), how)


def _in_table(path: str, how: Answers) -> Iterator[Any]:
    """Yield the rows of a Parquet file or a dataset's folder."""
    names = REFERENCES if how.is_gold else ANSWER_FIELDS
    chosen = ColumnNames(
        names if how.field is None else (how.field,), ("custom_id", "id")
    )
    columns, rows = read_table(path, chosen)
    if not chosen.of(columns):
        raise InputError(
            f"{path}: has no column {' or '.join(map(repr, chosen.names))}; name one "
            f"by --field (its columns: {', '.join(map(repr, columns))})"
        )
    yield from rows


class _Row:
    """A row of a file: its value, and its text where there is one."""

    def __init__(
        self,
        value: Any,
        text: str | None,
        line: int,
        path: str | None,
        *,
        is_row: bool = True,
    ) -> None:
        self.value = value
        self.text = text
        self.line = line
        self.path = path
        self.is_row = is_row

    @property
    def id(self) -> str | None:
        """Id that pairs the row."""
        if not isinstance(self.value, Mapping):
            return None
        return plain_text(self.value.get("custom_id", self.value.get("id")))

    def block(self, text: str, marks: tuple[str, ...] = ()) -> Block:
        """Return the block of a document."""
        metadata = {} if self.id is None else {"id": self.id}
        lines = tuple(text.split("\n"))
        return Block(
            lines, lines, self.line, self.path, None, DOCUMENT, metadata, faults=marks
        )


def _of_row(row: _Row, how: Answers) -> Block:
    if row.value is _MISSING:
        return _of_text(row, row.text or "", how)
    names: list[str] = []
    if how.field is not None:
        names = _path(row.value, how.field)
        if not names:
            keys = ", ".join(map(repr, row.value)) if _is_object(row.value) else "none"
            raise InputError(
                f"{place_of(row.path, row.line)}has no column {how.field!r}; name one "
                f"by --field (its columns: {keys})"
            )
    elif row.is_row and _is_object(row.value):
        names = _column(row.value, how)
    value, text = row.value, row.text
    for name in names:
        value = value[name]
        text = None if text is None else _member(text, name)
    reply = text_in(value) if (names or row.is_row) and _is_reply(value) else None
    if reply is not None:
        return _of_text(row, reply, how)
    if names and isinstance(value, str):
        return _of_text(row, value, how)
    return row.block(_written(value) if text is None else text)


def _column(row: Mapping[str, Any], how: Answers) -> list[str]:
    """Return the column of documents of a row, if it has one.

    Where a side has no column of its own, it may have one of the other side, so that
    one file may be either.
    """
    default_column = [name for name in ANSWER_FIELDS if name in row][:1]
    if default_column and not how.is_gold:
        return default_column
    for name in (*REFERENCES, *(ANSWER_FIELDS if how.is_gold else ())):
        value = row.get(name)
        inner = _value(value) if isinstance(value, str) else value
        if isinstance(inner, dict | list):
            return [name]
    return []


def _is_reply(value: Any) -> bool:
    return _is_object(value) and any(name in value for name in _REPLIES)


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _path(row: Any, field: str) -> list[str]:
    """Return the keys that lead to a column, or to a field of its fields."""
    if not isinstance(row, Mapping):
        return []
    if field in row:
        return [field]
    first, point, rest = field.partition(".")
    inner = _path(row[first], rest) if point and first in row else []
    return [first, *inner] if inner else []


def _of_text(row: _Row, text: str, how: Answers) -> Block:
    """Return the block of the document that a text holds."""
    if how.extract == "off" or (how.is_gold and how.extract is None):
        return row.block(text)
    extract = "repair" if how.extract in (None, "all") else how.extract
    document, marks = document_in(text, extract)
    return row.block("{}" if document is None else document, marks)


def answered(text: str, extract: Extract) -> Block:
    """Return the block of the document in an answer that is a text in memory."""
    how = Answers(extract=extract, documents=True)
    return _of_text(_Row(_MISSING, text, 1, None), text, how)


def document_in(text: str, extract: Extract) -> tuple[str | None, tuple[str, ...]]:
    """Return the document in a model's answer as JSON, and what had to be mended.

    It is the text itself, that in a box of TeX, or the last fenced one; where broken
    JSON is mended, also the last object or list between other words.

    >>> document_in('Here it is: {"a": 1}', "repair")
    ('{"a": 1}', ('repaired', 'text around the graph'))
    """
    if _value(text) is not _MISSING:
        return text, ()
    if not text.strip():
        return None, (UNREADABLE, faults.EMPTY)
    plain_text, marks = without_thoughts(text)
    boxed = between_boxes(plain_text)
    for one in reversed(boxed[1::2]):
        taken: tuple[str, tuple[str, ...]] | None = None
        if isinstance(_value(one), dict | list):
            taken = one, ()
        elif extract == "repair" and one[:1] in ("{", "["):
            taken = _mended(one)
        if taken is not None:
            around = "".join(boxed[::2]).strip(" \t\r\n$")
            marks += (faults.BOX, *(faults.TEXT_AROUND,) * bool(around))
            return taken[0], _marks((*marks, *taken[1]))
    parts = between_fences(plain_text)
    fenced = [part for part in parts[1::2] if part.strip()]
    if fenced:
        marks += (faults.FENCE,)
        marks += (faults.TEXT_AROUND,) * any(map(str.strip, parts[::2]))
        marks += (faults.SEVERAL,) * (len(fenced) > 1)
    for part in reversed(fenced or [plain_text]):
        if _value(part) is not _MISSING:
            return part, _marks(marks)
        if extract == "repair" and (mended := _mended(part)) is not None:
            return mended[0], _marks((*marks, *mended[1]))
    if extract == "repair" and fenced:
        mended = _mended("\n".join(parts[::2]))
        if mended is not None:
            return mended[0], _marks((*marks, *mended[1]))
    return None, (UNREADABLE, faults.NO_GRAPH)


def _mended(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the last object of a text, else its last list, and its faults."""
    values = [
        value_and_end
        for value_and_end in values_in(text)
        if isinstance(value_and_end[0], dict | list)
    ]
    objects = [
        value_and_end for value_and_end in values if isinstance(value_and_end[0], dict)
    ]
    for value, begin, end, wrong in (objects or values)[-1:]:
        marks = tuple(wrong)
        if f"{text[:begin]}{text[end:]}".strip():
            marks += (faults.TEXT_AROUND,)
        return text[begin:end] if not wrong else _written(value), marks
    return None


def _marks(mended: Iterable[str]) -> tuple[str, ...]:
    marks = dict.fromkeys(mended)
    return (REPAIRED, *marks) if marks else ()


def _value(text: str) -> Any:
    """Return the value of a JSON text; ``None`` where it nests too deeply."""
    with suppress(ValueError):
        try:
            return loads(text, _DECODER)
        except RecursionError:
            return None
    return _MISSING


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) < _MANY_DIGITS else float("inf")


_DECODER = JSONDecoder(parse_int=_int)


def _member(text: str, name: str) -> str:
    """Return the text of a member of an object, numbers as they are written."""
    at, member = text.index("{") + 1, ""
    while True:
        key, at = raw_decode(text, _behind_blanks(text, at), _DECODER)
        begin = _behind_blanks(text, _behind_blanks(text, at) + 1)
        _, at = raw_decode(text, begin, _DECODER)
        if key == name:
            member = text[begin:at]
        at = _behind_blanks(text, at)
        if text[at] == "}":
            return member
        at += 1


def _behind_blanks(text: str, at: int) -> int:
    while text[at] in " \t\r\n":
        at += 1
    return at


def _written(value: Any) -> str:
    return dumps(value, ensure_ascii=False, default=str)
