"""A matrix in a ``.npy`` file that is filled block by block, and completed later.

While it is being filled, a second file beside it (``NAME.blocks``) lists the blocks
that are done: its first line holds a checksum of the graphs and the metric, so that a
matrix is never completed with other graphs or under another metric.
"""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.errors import InputError
from exactmatch.many.blocks import Block


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
        InputError: if the file exists and is not an unfinished file of this matrix.
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
        if os.path.exists(self._path):
            self._read_list(digest)
            self.matrix: npt.NDArray[Any] = np.load(self._path, mmap_mode="r+")
        else:
            with open(self._list, "w", encoding="utf-8") as file:
                file.write(json.dumps({"matrix of": digest}) + "\n")
            self.matrix = np.lib.format.open_memmap(
                self._path, mode="w+", dtype=dtype, shape=shape
            )

    def _read_list(self, digest: str) -> None:
        try:
            with open(self._list, encoding="utf-8") as file:
                head, *lines = file.read().split("\n")
        except FileNotFoundError:
            raise InputError(
                f"{self._path}: exists and is no unfinished matrix; remove it or name "
                "another file"
            ) from None
        if json.loads(head) != {"matrix of": digest}:
            raise InputError(
                f"{self._path}: is an unfinished matrix of other graphs, another "
                "metric or version; remove it or name another file"
            )
        for line in lines[:-1]:  # the last one is empty, or was being written
            self.done.add(Block(*json.loads(line)))

    def finish(self, block: Block) -> None:
        """Note that a block is done and on disk."""
        assert isinstance(self.matrix, np.memmap)
        self.matrix.flush()
        places = [block.top, block.bottom, block.start, block.end, block.triangle]
        with open(self._list, "a", encoding="utf-8") as file:
            file.write(json.dumps(places) + "\n")

    def close(self) -> None:
        """Write what is left and remove the list of blocks."""
        assert isinstance(self.matrix, np.memmap)
        self.matrix.flush()
        os.remove(self._list)
