"""Matrices in ``.npy`` files that are filled in place, by one writer at a time.

A file takes all its room when it is made: a full disk would end the process while it
writes.  A file that is not exactly as long as its matrix is
not mapped either, because mapping it for writing would lengthen it by zeros.
"""

from __future__ import annotations

import io
import os
import stat
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError

Matrix = npt.NDArray[Any]


def made(
    path: str | os.PathLike[str], shape: tuple[int, int], dtype: np.dtype[Any]
) -> Matrix:
    """Make the file of a matrix, and take all the room that it needs.

    Raises:
        OSError: if it cannot be written; the file is removed again.
    """
    try:
        matrix: Matrix = np.lib.format.open_memmap(
            path, mode="w+", dtype=dtype, shape=shape
        )
        _take_room(path)
        return matrix
    except OSError:
        if os.path.isfile(path):
            os.remove(path)
        raise


def reopened(
    path: str | os.PathLike[str], shape: tuple[int, int], dtype: np.dtype[Any]
) -> Matrix | None:
    """Map the file of a matrix for writing; ``None`` if it holds no such matrix.

    Raises:
        InputError: if it is a link, a folder or anything else that is not a plain file.
        OSError: if it cannot be read or written.
    """
    if not os.path.lexists(path):
        return None
    check_plain(path)
    length_of_data = int(np.prod(shape, dtype=object)) * dtype.itemsize
    with open(path, "rb") as file:
        magic, length = file.read(8), int.from_bytes(file.read(2), "little")
        header, begin = magic + _unpadded(file.read(length)), file.tell()
        size = os.fstat(file.fileno()).st_size
    if header != _header(shape, dtype) or size != begin + length_of_data:
        return None
    if not length_of_data:
        matrix: Matrix = np.zeros(shape, dtype)
        return matrix
    _take_room(path)
    mapped: Matrix = np.memmap(path, dtype, "r+", offset=begin, shape=shape)
    return mapped


def check_plain(path: str | os.PathLike[str]) -> None:
    """Refuse a link, folder or device, to which nothing is written."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise InputError(
            f"{os.fspath(path)}: is not a plain file, and would be written to; move "
            "it, or name another place"
        )


def _header(shape: tuple[int, int], dtype: np.dtype[Any]) -> bytes:
    """Return the beginning of a matrix's file, without its length and padding.

    A header is not parsed, because NumPy's parser raises errors of any kind.
    """
    written = io.BytesIO()
    header = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": shape,
    }
    np.lib.format.write_array_header_1_0(written, header)
    whole = written.getvalue()
    return whole[:8] + _unpadded(whole[10:])


def _unpadded(header: bytes) -> bytes:
    """Drop the padding of a header: NumPy reads no other white space there."""
    return header.removesuffix(b"\n").rstrip(b" ")


def _take_room(path: str | os.PathLike[str]) -> None:
    """Reserve the room of a file that may have holes, where the system can."""
    if hasattr(os, "posix_fallocate"):
        with open(path, "r+b") as file:
            if size := os.fstat(file.fileno()).st_size:
                os.posix_fallocate(file.fileno(), 0, size)
