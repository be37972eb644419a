"""Headers of Parquet's pages: the size of a column, before it is unpacked.

The statistics of a file are what its writer says.  A page's header says how long the
page is once it is unpacked, and how many values it has, nulls among them: a run of a
billion nulls, or of one word, takes a few bytes.

Source: Apache Parquet's ``parquet.thrift``, and Thrift's compact protocol, in which
the headers are written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

from exactmatch.base.deadline import in_time
from exactmatch.base.errors import InputError
from exactmatch.base.inputs import max_bytes

VALUE = 16
"""Bytes that a value counts for beside its text."""
_ROW, _FREE_ROW, _FREE_ITEM = 64, 256, 128
"""Bytes that a row counts for; and a row, or an item of a list, that takes no room."""
_PER_BYTE = 8  # rows or items that a byte holds, if each of them says anything

_ROWS = 1024  # rows that are read at once
_HEADER = 2**12  # bytes of a header that are read at first
_DICTIONARY, _DATA, _DATA_2 = 2, 0, 3
_DELTA_STRINGS = 7  # an encoding: a text repeats the beginning of the one before


def too_large(path: str) -> InputError:
    """Return the error of a table that unpacks to too much."""
    return InputError(
        f"{path}: its columns unpack to more than {max_bytes():,} bytes; raise "
        "--max-bytes"
    )


def size_of_rows(count: int, file_size: int) -> int:
    """Return what rows count for: more where the file can say little of each."""
    return count * (_ROW if count <= _PER_BYTE * file_size else _FREE_ROW)


def size_of_item(count: int, file_size: int) -> int:
    """Return the bytes that each item of a list counts for."""
    return VALUE if count <= _PER_BYTE * file_size else _FREE_ITEM


class _Page(NamedTuple):
    """Header of a page."""

    kind: int
    unpacked: int
    values: int
    encoding: int


class _Chunk(NamedTuple):
    """Place of the pages of a column in one group of rows."""

    begin: int
    end: int


_GROUP = 2**13
"""How many bytes a group of rows counts as: it takes a millisecond to be read."""


class Reading(NamedTuple):
    """Way to read columns: rows at once, and columns kept in dictionaries."""

    rows: int
    dictionaries: list[str]


def check_pages(path: str, metadata: Any, leaves: Sequence[int]) -> Reading:
    """Refuse columns that unpack to more than ``--max-bytes``."""
    limit, rows = max_bytes(), _ROWS
    size = os.path.getsize(path)
    total = size_of_rows(metadata.num_rows, size)
    total += metadata.num_row_groups * _GROUP
    if total > limit:
        raise too_large(path)
    described = {leaf: metadata.schema.column(leaf) for leaf in leaves}
    repeating: set[int] = set()
    with open(path, "rb") as file:
        for chunks in in_time(_groups(path, file, size, len(metadata.schema))):
            for leaf, column in described.items():
                values, longest, is_delta = 0, 0, False
                for page in _pages(path, file, chunks[leaf]):
                    total += page.unpacked
                    longest = max(longest, page.unpacked)
                    if page.kind != _DICTIONARY:
                        values += page.values
                        is_delta |= page.encoding == _DELTA_STRINGS
                is_list = column.max_repetition_level > 0
                total += values * (size_of_item(values, size) if is_list else VALUE)
                if column.physical_type == "FIXED_LEN_BYTE_ARRAY":
                    total += values * column.length
                if is_delta and not is_list:
                    rows = max(1, min(rows, limit // (longest + 1)))
                elif is_delta or (
                    column.physical_type == "BYTE_ARRAY" and not _is_text(column)
                ):
                    total += values * longest  # each may be as long as the page
                if is_delta:
                    repeating.add(leaf)
                if total > limit:
                    raise too_large(path)
    if total > limit:
        raise too_large(path)
    texts = {leaf for leaf, column in described.items() if _is_text(column)}
    return Reading(rows, [described[leaf].path for leaf in sorted(texts - repeating)])


def _is_text(column: Any) -> bool:
    """Return whether values stay in a dictionary until they are counted."""
    is_bytes = column.physical_type == "BYTE_ARRAY"
    return is_bytes and column.logical_type.type in ("NONE", "STRING", "JSON", "ENUM")


def _groups(
    path: str, file: BinaryIO, size: int, columns: int
) -> Iterator[list[_Chunk]]:
    """Yield where the columns lie in each group of rows, from the end of a file.

    pyarrow ends the process where what it would return beside is damaged.
    """
    file.seek(-8, os.SEEK_END)
    length = int.from_bytes(file.read(4), "little")
    file.seek(-8 - length, os.SEEK_END)
    try:
        groups = _Compact(file.read(length), _INT_64).struct().get(4, ())
        for group in groups:
            if group[3]:  # rows
                chunks = [_chunk(column[3]) for column in group[1]]
                if len(chunks) != columns:
                    raise ValueError
                if not all(0 <= begin <= end <= size for begin, end in chunks):
                    raise ValueError
                yield chunks
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InputError(f"{path}: is damaged: it has no whole footer") from None


def _chunk(column: dict[int, Any]) -> _Chunk:
    begin, first = _number(column, 9), _number(column, 11)
    begin = first if 0 < first < begin else begin  # a dictionary comes first
    return _Chunk(begin, begin + _number(column, 7))


def _pages(path: str, file: BinaryIO, chunk: _Chunk) -> Iterator[_Page]:
    """Yield the headers of a column's pages in one group of rows."""
    at, end = chunk
    while at < end:
        fields, length = _header(path, file, at, end)
        kind, unpacked, packed = (_number(fields, key) for key in (1, 2, 3))
        page_header = fields.get(
            {_DATA: 5, _DICTIONARY: 7, _DATA_2: 8}.get(kind, 0), {}
        )
        values = _number(page_header, 1) if page_header else 0
        encoding = (
            _number(page_header, 4 if kind == _DATA_2 else 2) if page_header else 0
        )
        if min(kind, unpacked, packed, values, encoding) < 0:
            raise InputError(f"{path}: is damaged: a page has no whole header")
        yield _Page(kind, unpacked, values, encoding)
        at += length + packed


def _number(fields: Any, key: int) -> int:
    """Return a whole number of a header, or -1 where there is none."""
    number = fields.get(key) if isinstance(fields, dict) else None
    return number if type(number) is int else -1


def _header(path: str, file: BinaryIO, at: int, end: int) -> tuple[dict[int, Any], int]:
    """Read the header at a place, and return its fields and length."""
    length = _HEADER
    while True:
        file.seek(at)
        compact = _Compact(file.read(min(length, end - at)), _INT_32)
        try:
            return compact.struct(), compact.at
        except IndexError:
            if length >= end - at:
                raise InputError(f"{path}: is damaged: a page has no header") from None
            length *= 16
        except (ValueError, RecursionError):
            raise InputError(f"{path}: is damaged: a page has no header") from None


_INT_32, _INT_64 = 5, 6  # kinds of values
_DEEPEST = 32


class _Compact:
    """Values of Thrift's compact protocol, read one after another.

    Values of other kinds than integers of the *width* that matters, lists and structs
    are ``None``: readers pass over fields of another kind than theirs.
    """

    def __init__(self, data: bytes, width: int) -> None:
        self._data, self._width, self.at = data, width, 0

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise ValueError("a number is too long")

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Read a struct: its fields by their numbers."""
        fields: dict[int, Any] = {}
        number = 0
        while True:
            head = self._byte()
            if head == 0:
                return fields
            number = number + (head >> 4) if head >> 4 else self._signed()
            if number in fields:
                raise ValueError("a field stands there twice")
            kind = head & 0xF
            fields[number] = None if kind in (1, 2) else self._value(kind, depth)

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2, 3):  # in lists, true and false are bytes
            self.at += 1
        elif kind in (4, _INT_32, _INT_64):
            number = self._signed()
            return number if kind == self._width else None
        elif kind in (7, 8):
            length = 8 if kind == 7 else self._unsigned()
            self.at += length
        elif kind in (9, 10) and depth < _DEEPEST:
            head = self._byte()
            count = self._unsigned() if head >> 4 == 15 else head >> 4
            if count > len(self._data) - self.at:
                raise IndexError
            return [self._value(head & 0xF, depth + 1) for _ in range(count)]
        elif kind == 12 and depth < _DEEPEST:
            return self.struct(depth + 1)
        else:
            raise ValueError("there are no such values")
        if self.at > len(self._data):
            raise IndexError
        return None
