"""Gzip files that may be long, and yet not longer than their own length allows."""

from __future__ import annotations

import gzip
import io
import os
from typing import Any, BinaryIO

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import max_bytes

LINE = 16
"""How many bytes a line of a packed file counts as: it takes as long as many do."""

_TIMES = 100
"""How many times its own length a file may unpack to; texts take 2 to 20 times."""


class _Bounded(io.RawIOBase):
    """The bytes of a gzip file, up to a limit; a line counts for 16 at least."""

    def __init__(self, packed: BinaryIO, name: str, most: int) -> None:
        self._file = gzip.GzipFile(fileobj=packed)
        self._name, self._most = name, most
        self._lines = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = 0, /) -> int:
        self._lines = 0
        return self._file.seek(place, whence)

    def readinto(self, buffer: Any, /) -> int:
        count: int = self._file.readinto1(buffer)
        self._lines += bytes(buffer[:count]).count(b"\n")
        if max(self._file.tell(), self._lines * LINE) > self._most:
            raise InputError(
                f"{self._name}: unpacks to more than {self._most:,} bytes; raise "
                "--max-bytes"
            )
        return count


def unpacked(packed: BinaryIO, name: str) -> io.BufferedReader[Any]:
    """Return the content of a gzip file, which is read as it is unpacked.

    It may be ``--max-bytes`` long, or 100 times as long as the file is.

    Raises:
        InputError: while it is read, if it is longer.
    """
    limit = max(max_bytes(), _TIMES * os.fstat(packed.fileno()).st_size)
    return io.BufferedReader(_Bounded(packed, name, limit), 2**16)
