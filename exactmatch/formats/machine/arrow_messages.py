"""Messages of Arrow's streams: how many rows they hold, and what they unpack to.

A compressed buffer begins with the length that it says it has when unpacked, and that
is allocated at once.  So it is read here before, from the messages' own headers.

Source: Apache Arrow's ``Message.fbs``; "FlatBuffers internals" for how tables lie.
"""

from __future__ import annotations

import os
import struct
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import max_bytes
from exactmatch.formats.machine.parquet_pages import size_of_rows, too_large

_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3  # kinds of messages


def check_messages(path: str, pa: Any) -> None:
    """Refuse a stream whose messages unpack to more than ``--max-bytes``."""
    rows = unpacked = 0
    size, limit = os.path.getsize(path), max_bytes()
    with pa.memory_map(path) as source:
        for message in pa.ipc.MessageReader.open_stream(source):
            try:
                lengths = _declared_lengths(memoryview(message.metadata), message.body)
            except (struct.error, ValueError, OverflowError):
                raise InputError(
                    f"{path}: is damaged: a message has no whole header"
                ) from None
            rows, unpacked = rows + lengths[0], unpacked + lengths[1]
            if size_of_rows(rows, size) + unpacked > limit:
                raise too_large(path)


def _declared_lengths(header: memoryview, body: Any) -> tuple[int, int]:
    """Return the rows of a message, and what its compressed buffers unpack to."""
    message = _Table(header, _at(header, 0))
    kind = message.number(1, "<B")
    if kind not in (_DICTIONARY_BATCH, _RECORD_BATCH):
        return 0, 0
    batch = message.table(2)
    if kind == _DICTIONARY_BATCH:
        batch = batch.table(1)
    rows, unpacked = batch.number(0, "<q"), 0
    if rows < 0:
        raise ValueError("a batch has fewer rows than none")
    if batch.field(3):
        content = memoryview(body)
        for offset, stored in batch.pairs(2):
            if offset < 0 or stored < 0 or offset + stored > len(content):
                raise ValueError("a buffer lies outside of the message")
            if stored:
                (length,) = _unpack("<q", content, offset)
                unpacked += stored if length == -1 else length
                if length < -1:
                    raise ValueError("a buffer has fewer bytes than none")
    return (0 if kind == _DICTIONARY_BATCH else rows), unpacked


def _unpack(form: str, data: memoryview, at: int) -> tuple[int, ...]:
    if at < 0:  # which struct would count from the end
        raise ValueError("an offset lies before the message")
    return struct.unpack_from(form, data, at)


def _at(data: memoryview, place: int) -> int:
    """Return the place that an offset leads to."""
    return place + _unpack("<I", data, place)[0]


class _Table:
    """A table of a FlatBuffer, whose fields are known by their numbers."""

    def __init__(self, data: memoryview, at: int) -> None:
        self._data, self._start = data, at
        self._fields = at - _unpack("<i", data, at)[0]
        (self._size,) = _unpack("<H", data, self._fields)

    def field(self, number: int) -> int:
        """Return the place of a field, or 0 if the table has none."""
        entry = 4 + 2 * number
        if entry + 2 > self._size:
            return 0
        (offset,) = _unpack("<H", self._data, self._fields + entry)
        return self._start + offset if offset else 0

    def number(self, number: int, form: str) -> int:
        """Return the number in a field, 0 where it is left out."""
        place = self.field(number)
        return _unpack(form, self._data, place)[0] if place else 0

    def table(self, number: int) -> _Table:
        """Return the table that a field refers to."""
        return _Table(self._data, _at(self._data, self.field(number)))

    def pairs(self, number: int) -> list[tuple[int, ...]]:
        """Return the pairs of numbers in the vector that a field refers to."""
        place = self.field(number)
        if not place:
            return []
        start = _at(self._data, place)
        (count,) = _unpack("<I", self._data, start)
        if start + 4 + 16 * count > len(self._data):
            raise ValueError("a vector ends behind the message")
        return [_unpack("<qq", self._data, start + 4 + 16 * k) for k in range(count)]
