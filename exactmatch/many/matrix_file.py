"""A matrix in a ``.npy`` file that is filled block by block, and completed later.

While it is being filled, a second file beside it (``NAME.blocks``) lists the blocks
that are done.  Its first line holds a checksum of the graphs and the metric, so that a
matrix is never completed with other graphs or under another metric.  Each further line
holds a block and the checksum of its scores: a block that does not stand in the matrix
as it was written is scored again.
"""

from __future__ import annotations

import json
import os
import stat
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.files import as_input_error
from exactmatch.many.blocks import Block

_LONGEST = 1000
"""Characters of a list's first line, and more."""


class MatrixFile:
    """A matrix that is being filled.

    Args:
        path: the ``.npy`` file.
        shape, dtype: of the matrix.
        digest: checksum of all that determines its numbers.

    Attributes:
        matrix: the matrix, memory-mapped.
        done: the blocks that an earlier run has finished.

    Raises:
        InputError: if the file exists and is not an unfinished file of this matrix, or
            if it cannot be written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        shape: tuple[int, int],
        dtype: np.dtype[Any],
        digest: str,
    ) -> None:
        self._path = os.fspath(path)
        self._list = f"{self._path}.blocks"
        self.done: set[Block] = set()
        self.matrix: npt.NDArray[Any]
        with as_input_error(Path(self._path)):
            listed = self._read_list(digest) if os.path.exists(self._path) else []
            if listed:
                self.matrix = self._map(shape, dtype)
                self.done = {b for b, crc in listed if self._sum(b) == crc}
            else:
                self._begin(shape, dtype, digest)

    def _begin(self, shape: tuple[int, int], dtype: np.dtype[Any], digest: str) -> None:
        """Make both files, and take all the room that the matrix needs.

        A file that has less fills up while it is written to, which ends the process.
        """
        self._remove_abandoned()
        with open(self._list, "x", encoding="utf-8") as file:
            file.write(json.dumps(_head(digest)) + "\n")
        try:
            self.matrix = np.lib.format.open_memmap(
                self._path, mode="w+", dtype=dtype, shape=shape
            )
            if hasattr(os, "posix_fallocate"):
                with open(self._path, "r+b") as whole:
                    size = os.fstat(whole.fileno()).st_size
                    os.posix_fallocate(whole.fileno(), 0, size)
        except OSError:
            for name in (self._path, self._list):
                if os.path.isfile(name):
                    os.remove(name)
            raise

    def _remove_abandoned(self) -> None:
        """Remove a list that an earlier run has left without a matrix."""
        self._refuse_link()
        if not os.path.exists(self._list):
            return
        with open(self._list, "rb") as file, suppress(ValueError, AttributeError):
            if json.loads(file.readline(_LONGEST)).keys() == _head("").keys():
                os.remove(self._list)
                return
        raise InputError(
            f"{self._list}: the list of finished blocks would take the place of this "
            f"file; move it, or name another file than {self._path}"
        )

    def _refuse_link(self) -> None:
        if os.path.lexists(self._list) and not stat.S_ISREG(os.lstat(self._list)[0]):
            raise InputError(
                f"{self._list}: is no plain file, and the list of finished blocks is "
                f"written to it; move it, or name another file than {self._path}"
            )

    def _read_list(self, digest: str) -> list[tuple[Block, int]]:
        """The blocks that are said to be done, with the checksums of their scores."""
        self._refuse_link()
        try:
            with open(self._list, "rb") as file:
                text = file.read()
        except FileNotFoundError:
            raise InputError(
                f"{self._path}: exists and is no unfinished matrix, which has "
                f"{Path(self._list).name} beside it as a finished one has not; remove "
                "it or name another file"
            ) from None
        whole = text.rfind(b"\n") + 1  # what follows was being written
        try:
            head, *lines = [json.loads(line) for line in text[:whole].splitlines()]
            found = [(Block(*places), int(crc)) for *places, crc in lines]
        except (ValueError, TypeError):
            raise InputError(
                f"{self._list}: the list of finished blocks is damaged; remove it and "
                f"{self._path}"
            ) from None
        if head != _head(digest):
            raise InputError(
                f"{self._path}: is an unfinished matrix of other graphs, another "
                "metric or version; remove it or name another file"
            )
        os.truncate(self._list, whole)
        return found

    def _map(self, shape: tuple[int, int], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        try:
            found: npt.NDArray[Any] = np.load(self._path, mmap_mode="r")
        except (ValueError, EOFError):  # "r+" would lengthen a file that was cut
            found = np.zeros(0)
        if found.shape != shape or found.dtype != dtype:
            raise InputError(
                f"{self._path}: is not the matrix that {self._list} is about; remove "
                "both, or name another file"
            )
        whole: npt.NDArray[Any] = np.load(self._path, mmap_mode="r+")
        return whole

    def finish(self, block: Block) -> None:
        """Note that a block is done and on disk."""
        assert isinstance(self.matrix, np.memmap)
        self.matrix.flush()
        places = [block.top, block.bottom, block.start, block.end, block.triangle]
        with open(self._list, "a", encoding="utf-8") as file:
            file.write(json.dumps([*places, self._sum(block)]) + "\n")

    def close(self) -> None:
        """Write what is left and remove the list of blocks."""
        assert isinstance(self.matrix, np.memmap)
        self.matrix.flush()
        with suppress(FileNotFoundError):  # who fills the same file was faster
            os.remove(self._list)

    def _sum(self, block: Block) -> int:
        """The checksum of a block's scores, and of their mirror image if it has one."""
        rows, columns = slice(block.top, block.bottom), slice(block.start, block.end)
        if not block.triangle:
            return zlib.crc32(np.ascontiguousarray(self.matrix[rows, columns]).data)
        right = block.top - block.start + 1  # of the diagonal; the rest may change
        scores = np.triu(self.matrix[rows, columns], right)
        mirrored = np.triu(self.matrix[columns, rows].T, right)
        crc = zlib.crc32(np.ascontiguousarray(scores).data)
        return zlib.crc32(np.ascontiguousarray(mirrored).data, crc)


def _head(digest: str) -> dict[str, str]:
    return {"matrix of": digest, "blocks with": "crc32"}
