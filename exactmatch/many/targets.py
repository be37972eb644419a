"""Targets that blocks of a matrix fill: arrays, halves, sparse matrices, files.

A ``.npy`` file can be completed later.  While it is being filled, a second file beside
it (``NAME.blocks``) lists the blocks that are done.  Its first line holds a checksum of
the graphs and the metric, so that a matrix is never completed with other graphs or
under another metric.  Each further line holds a block and the checksum of its scores: a
block whose scores in the matrix differ is scored again.  The writer holds a lock on the
list, and a second writer is refused.
"""

import json
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.files import as_input_error, lock, new_locked
from exactmatch.base.json_files import ShapeError, value_in
from exactmatch.many.blocks import Block
from exactmatch.many.mapped_files import check_plain, made, reopened
from exactmatch.many.packed import Floats

if TYPE_CHECKING:
    from typing_extensions import Self

_LONGEST = 1000  # characters of a list's first line, and more
_HEAD = {"matrix of": str, "blocks with": str}
_BLOCK_LINE = tuple[int, int, int, int, bool, int]
"""Shapes of the first line of a list, and of the others."""


class Target:
    """A place that blocks of scores are put into."""

    def put(self, block: Block, scores: Floats) -> None:
        """Store a block; one of a triangle with its mirror image, if there is one."""
        raise NotImplementedError

    def put_diagonal(self, scores: Floats) -> None:
        """Store the diagonal of a mirrored matrix."""

    def result(self) -> Any:
        """Return the filled matrix."""
        raise NotImplementedError


class Dense(Target):
    """A whole matrix in an array."""

    def __init__(self, matrix: npt.NDArray[Any]) -> None:
        self.matrix = matrix

    def put(self, block: Block, scores: Floats) -> None:
        if not block.triangle:
            self.matrix[block.top : block.bottom, block.start : block.end] = scores
            return
        for i in range(block.top, block.bottom):
            first = block.first(i)
            row = scores[i - block.top, first - block.start :]
            if len(row):
                self.matrix[i, first : block.end] = row
                self.matrix[first : block.end, i] = row

    def put_diagonal(self, scores: Floats) -> None:
        np.fill_diagonal(self.matrix, scores)

    def result(self) -> npt.NDArray[Any]:
        return self.matrix


class MatrixFile(Dense):
    """A matrix in a file, with a list of the blocks that are done.

    The *digest* is the checksum of all that determines its numbers.  It is an error if
    the file exists and is not an unfinished file of this matrix.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        shape: tuple[int, int],
        dtype: np.dtype[Any],
        digest: str,
    ) -> None:
        self._path, self._shape = os.fspath(path), shape
        self._list = f"{self._path}.blocks"
        with as_input_error(self._path):
            check_plain(self._list)
            self._file = self._open_list(digest)
            try:
                listed = self._read_list(digest) if os.path.exists(self._path) else []
                mapped = self._map if listed else self._begin
                super().__init__(mapped(shape, dtype, digest))
                self._done = {b for b, crc in listed if self._checksum(b) == crc}
            except BaseException:
                self.release()
                raise

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Release the file, which stays as it is, so that others can complete it."""
        self._file.close()

    def missing(self, blocks: list[Block]) -> list[Block]:
        """Return the blocks that are not filled in yet."""
        return [block for block in blocks if block not in self._done]

    def put(self, block: Block, scores: Floats) -> None:
        super().put(block, scores)
        self.finish(block)

    def result(self) -> npt.NDArray[Any]:
        self.close()
        return self.matrix

    def _open_list(self, digest: str) -> BinaryIO:
        """Open and lock the list; make it where there is no matrix."""
        while True:
            file: BinaryIO | None = None
            if os.path.lexists(self._list):
                with suppress(FileNotFoundError):
                    file = open(self._list, "r+b")  # noqa: SIM115  release closes it
            elif os.path.exists(self._path):
                raise InputError(
                    f"{self._path}: exists and is not an unfinished matrix: no "
                    f"{Path(self._list).name} is beside it; remove it or name another "
                    "file"
                )
            else:
                file = new_locked(self._list, _head_line(digest))
                if file is not None and not os.path.exists(self._path):
                    return file
                if file is not None:  # another process completed the same file first
                    os.remove(self._list)
                    file.close()
                    file = None
            if file is None:
                continue  # another writer has just begun, or finished
            try:
                lock(file.fileno(), self._path)
            except InputError:
                file.close()
                raise
            if os.fstat(file.fileno()).st_nlink:
                return file
            file.close()  # finished, and the list removed, before it was locked

    def _begin(
        self, shape: tuple[int, int], dtype: np.dtype[Any], digest: str
    ) -> npt.NDArray[Any]:
        """Make the matrix; none of its blocks is done."""
        self._check_is_list()
        try:
            self._file.truncate(0)
            self._file.write(_head_line(digest))
            self._file.flush()
            return made(self._path, shape, dtype)
        except OSError:
            os.remove(self._list)
            raise

    def _check_is_list(self) -> None:
        """Refuse a file in the place of the list that is not a list of ours."""
        self._file.seek(0)
        with suppress(ShapeError):
            value_in(self._file.readline(_LONGEST), _HEAD)
            self._file.seek(0)
            return
        raise InputError(
            f"{self._list}: is not a list of finished blocks, which would overwrite "
            f"it; move it, or name another file than {self._path}"
        )

    def _read_list(self, digest: str) -> list[tuple[Block, int]]:
        """Return the blocks that are listed as done, with checksums of their scores."""
        text = self._file.read()
        complete_length = text.rfind(b"\n") + 1  # an unfinished line may follow
        try:
            first, *lines = text[:complete_length].splitlines()
            head = value_in(first, _HEAD)
            blocks = [_listed_block(line, self._shape) for line in lines]
        except ValueError:
            raise InputError(
                f"{self._list}: the list of finished blocks is damaged; remove it and "
                f"{self._path}"
            ) from None
        if head != _head(digest):
            raise InputError(
                f"{self._path}: is an unfinished matrix of other graphs, another "
                "metric or version; remove it or name another file"
            )
        self._file.truncate(complete_length)
        return blocks

    def _map(
        self, shape: tuple[int, int], dtype: np.dtype[Any], _: str
    ) -> npt.NDArray[Any]:
        mapped = reopened(self._path, shape, dtype)
        if mapped is None:
            raise InputError(
                f"{self._path}: is not the matrix that {self._list} is about; remove "
                "both, or name another file"
            )
        return mapped

    def finish(self, block: Block) -> None:
        """List a block as done, once it is on disk."""
        assert isinstance(self.matrix, np.memmap)
        self.matrix.flush()
        corners = [block.top, block.bottom, block.start, block.end, block.triangle]
        with as_input_error(self._list):
            self._file.seek(0, os.SEEK_END)
            self._file.write(
                f"{json.dumps([*corners, self._checksum(block)])}\n".encode()
            )
            self._file.flush()

    def close(self) -> None:
        """Write the matrix to disk and remove the list of blocks."""
        if isinstance(self.matrix, np.memmap):
            self.matrix.flush()
        os.remove(self._list)
        self.release()

    def _checksum(self, block: Block) -> int:
        """Return the checksum of a block's scores and of their mirror image, if any."""
        rows, columns = slice(block.top, block.bottom), slice(block.start, block.end)
        parts = [self.matrix[rows, columns]]
        if block.triangle:
            # what lies below the first diagonal above the main one may still change
            first_diagonal = block.top - block.start + 1
            mirrored = self.matrix[columns, rows].T
            parts = [np.triu(part, first_diagonal) for part in (*parts, mirrored)]
        crc = 0
        for part in parts:
            crc = zlib.crc32(np.ascontiguousarray(part).data, crc)
        return crc


def _listed_block(line: bytes, shape: tuple[int, int]) -> tuple[Block, int]:
    """Read a line of a list: a block of a matrix of that shape, and its checksum."""
    top, bottom, start, end, is_triangle, crc = value_in(line, _BLOCK_LINE)
    if not (0 <= top < bottom <= shape[0] and 0 <= start < end <= shape[1]):
        raise ShapeError("it is not a block of the matrix")
    return Block(top, bottom, start, end, is_triangle), crc


def _head(digest: str) -> dict[str, str]:
    return {"matrix of": digest, "blocks with": "crc32"}


def _head_line(digest: str) -> bytes:
    return f"{json.dumps(_head(digest))}\n".encode()


class Sparse(Target):
    """The scores of a matrix that are not 0."""

    def __init__(self, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
        self._shape = shape
        self._dtype = dtype
        self._entries: list[tuple[npt.NDArray[Any], npt.NDArray[Any], Floats]] = []

    def put(self, block: Block, scores: Floats) -> None:
        rows, columns = np.nonzero(scores)
        values = scores[rows, columns]
        rows, columns = rows + block.top, columns + block.start
        self._entries.append((rows, columns, values))
        if block.triangle:
            self._entries.append((columns, rows, values))

    def put_diagonal(self, scores: Floats) -> None:
        (places,) = np.nonzero(scores)
        self._entries.append((places, places, scores[places]))

    def result(self) -> Any:
        from scipy.sparse import coo_array

        if not self._entries:
            return coo_array(self._shape, dtype=self._dtype).tocsr()
        rows, columns, scores = map(np.concatenate, zip(*self._entries, strict=True))
        matrix = coo_array((scores.astype(self._dtype), (rows, columns)), self._shape)
        return matrix.tocsr()


class Condensed(Target):
    """The entries right of the diagonal, row by row."""

    def __init__(self, n: int, dtype: np.dtype[Any]) -> None:
        self._n = n
        self._scores = np.zeros(n * (n - 1) // 2, dtype=dtype)

    def put(self, block: Block, scores: Floats) -> None:
        for i in range(block.top, block.bottom):
            first = block.first(i)
            if first < block.end:
                at = i * self._n - i * (i + 1) // 2 - i - 1 + first
                row = scores[i - block.top, first - block.start :]
                self._scores[at : at + block.end - first] = row

    def result(self) -> npt.NDArray[Any]:
        return self._scores


def float_type(dtype: npt.DTypeLike, sparse: bool = False) -> np.dtype[Any]:
    """Return the type of a matrix's entries, or an InputError."""
    try:
        entry_type = np.dtype(dtype)
    except TypeError:
        raise InputError(
            f"dtype is {dtype!r}; it must be a floating-point type of NumPy, such as "
            "float32"
        ) from None
    if entry_type.kind != "f":
        raise InputError(
            f"dtype is {entry_type}; scores are shares of 1 and need a floating-point "
            "type"
        )
    if sparse and (entry_type.itemsize < 4 or not entry_type.isnative):
        raise InputError(
            f"dtype is {entry_type}, which SciPy's sparse matrices cannot hold; take "
            "float32 or float64"
        )
    return entry_type


def array_for(
    out: Any, shape: tuple[int, int], dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """Return the array to fill: a new one, or the caller's if that will do."""
    array: npt.NDArray[Any] = np.zeros(shape, dtype=dtype) if out is None else out
    if not isinstance(array, np.ndarray) or isinstance(array, np.matrix):
        raise InputError(
            f"out is a {type(out).__name__}; give an array of NumPy's or a file name"
        )
    float_type(array.dtype)
    if array.shape != shape:
        raise InputError(f"out has the shape {array.shape}, but the matrix has {shape}")
    if not array.flags.writeable:
        raise InputError("out is an array that is read-only; give one that is not")
    return array
