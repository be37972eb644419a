"""Matrices of scores: every graph of one list with every graph of another, exactly.

``cdist`` and ``pdist`` are named and shaped as SciPy's and RapidFuzz's functions of
those names, but hold scores: 1 is equal, 0 has nothing in common.
"""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.base.version import __version__
from exactmatch.many import distances
from exactmatch.many.bank import Bank
from exactmatch.many.blocks import (
    SHARE,
    Block,
    PackedSides,
    Sides,
    blocks_of,
    score_blocks,
    shared_shape,
    sides_of,
)
from exactmatch.many.comparison import Comparison, for_caller
from exactmatch.many.matrix_file import MatrixFile
from exactmatch.many.options import CdistOptions, PdistOptions
from exactmatch.many.packed import Floats
from exactmatch.scoring.contents import Digest

_FILE_BLOCKS = 16
"""Blocks of a small matrix in a file: the same with any workers, each written out."""


def scores(asked: CdistOptions, comparison: Comparison) -> Any:
    """Score every query with every choice.

    Each graph is read and prepared once.  A metric that learns from references learns
    from the choices.  ``metric="ged"`` computes edit distances of networkx graphs
    instead of scores, 0 for equal graphs (:func:`exactmatch.ged_matrix`).

    Returns:
        An array of shape ``(queries, choices)``, memory-mapped if *out* is a file.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option makes no sense.

    Example:
        >>> import exactmatch
        >>> graphs = ["(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"]
        >>> exactmatch.cdist(graphs, graphs).round(2).tolist()
        [[1.0, 0.67], [0.67, 1.0]]
    """
    cutoff = -math.inf if asked.at_least is None else asked.at_least
    out, sparse = asked.out, asked.sparse
    if sparse and (cutoff <= 0 or out is not None):
        raise InputError(
            "a sparse matrix holds the scores from a cutoff on: set at_least above 0, "
            "and no out"
        )
    entries = _float_type(asked.dtype, sparse)
    comparison.warn_of_files(asked.queries, asked.choices)
    queries, choices = comparison.open(asked.queries, asked.choices)
    if not sparse and not isinstance(out, str | os.PathLike):
        return crossed(comparison, queries, choices, cutoff, out, entries)
    digest = None if sparse else Digest()
    sides = sides_of(comparison, queries, choices, cutoff, digest)
    mirrored = choices is queries and isinstance(sides, PackedSides)
    target: _Target
    if digest is None:
        target = _Sparse(sides.shape, entries)
    else:
        measured = sides.metric
        about = [__version__, measured.name, measured.signature(), cutoff, entries.str]
        digest.add(repr((about, sides.shape, mirrored)).encode())
        assert isinstance(out, str | os.PathLike)
        target = _File(MatrixFile(out, sides.shape, entries, digest.text()))
    _fill(target, sides, mirrored, comparison)
    return target.result()


def filled(found: npt.NDArray[Any], out: Any, entries: npt.DTypeLike) -> Any:
    """Return distances in the array or in the file that is to hold them."""
    if isinstance(out, str | os.PathLike):
        part = f"{os.fspath(out)}.part"
        with open(part, "wb") as file:
            np.save(file, np.asarray(found, _float_type(entries)))
        os.replace(part, out)
        return np.load(out, mmap_mode="r")
    if out is None:
        return found.astype(_float_type(entries), copy=False)
    array = _array(out, found.shape, found.dtype)
    array[:] = found
    return array


def _distances(asked: CdistOptions) -> Any:
    found = distances.matrix(asked, *distances.sides_of(asked))
    return filled(found, asked.out, asked.dtype)


cdist = function(
    "cdist", CdistOptions, distances.or_distances(for_caller(scores), _distances)
)


def crossed(
    comparison: Comparison,
    queries: Bank | list[Any],
    choices: Bank | list[Any],
    cutoff: float = -math.inf,
    out: Any = None,
    entries: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Score every graph of one open side with every graph of the other, in memory."""
    sides = sides_of(comparison, queries, choices, cutoff)
    mirrored = choices is queries and isinstance(sides, PackedSides)
    target = _Dense(_array(out, sides.shape, np.dtype(entries)))
    _fill(target, sides, mirrored, comparison)
    return target.result()


def condensed_scores(asked: PdistOptions, comparison: Comparison) -> npt.NDArray[Any]:
    """Score every pair of graphs of one list.

    Returns:
        The entries right of the diagonal of ``cdist(graphs, graphs)``, row by row: the
        order of ``scipy.spatial.distance.pdist``.  In each pair the earlier graph is
        the prediction, which matters to a metric that is not symmetric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option makes no sense.

    >>> import exactmatch
    >>> exactmatch.many.pdist(["(b / bark-01)", "(x / bark-01)", "(d / dog)"]).tolist()
    [1.0, 0.5, 0.5]
    """
    cutoff = -math.inf if asked.at_least is None else asked.at_least
    entries = _float_type(asked.dtype)
    (side,) = comparison.open(asked.graphs)
    return condensed(comparison, side, cutoff, entries)


pdist = function("pdist", PdistOptions, for_caller(condensed_scores))


def condensed(
    comparison: Comparison,
    side: Bank | list[Any],
    cutoff: float = -math.inf,
    entries: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Score every pair of graphs of an open side."""
    sides = sides_of(comparison, side, side, cutoff)
    target = _Condensed(sides.shape[0], np.dtype(entries))
    _fill(target, sides, True, comparison)
    return target.result()


def _float_type(dtype: npt.DTypeLike, sparse: bool = False) -> np.dtype[Any]:
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise InputError(
            f"dtype is {dtype!r}; it is a floating-point type of NumPy's, as float32"
        ) from None
    if found.kind != "f":
        raise InputError(
            f"dtype is {found}; scores are shares of 1 and need a floating-point type"
        )
    if sparse and (found.itemsize < 4 or not found.isnative):
        raise InputError(
            f"dtype is {found}, of which SciPy has no sparse matrices; take float32 or "
            "float64"
        )
    return found


def _array(out: Any, shape: tuple[int, int], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    if out is None:
        return np.zeros(shape, dtype=dtype)
    if not isinstance(out, np.ndarray) or isinstance(out, np.matrix):
        raise InputError(
            f"out is a {type(out).__name__}; give an array of NumPy's or a file name"
        )
    _float_type(out.dtype)
    if out.shape != shape:
        raise InputError(f"out has the shape {out.shape}, but the matrix has {shape}")
    if not out.flags.writeable:
        raise InputError("out is an array that is read-only; give one that is not")
    given: npt.NDArray[Any] = out
    return given


class _Target:
    def missing(self, blocks: list[Block]) -> list[Block]:
        """The blocks that are not filled in yet; default: all of them."""
        return blocks

    def put(self, block: Block, scores: Floats, mirrored: bool) -> None:
        """Take a block, and its mirror image left of the diagonal if it has one."""
        raise NotImplementedError

    def put_diagonal(self, scores: Floats) -> None:
        """Take the diagonal of a matrix that is mirrored; default: drop it."""

    def result(self) -> Any:
        raise NotImplementedError


def _fill(
    target: _Target,
    sides: Sides,
    mirrored: bool,
    comparison: Comparison,
) -> None:
    workers, executor = comparison.jobs, comparison.executor
    shape = sides.block_shape
    if executor is None and isinstance(target, _File):
        shape = shared_shape(sides, _FILE_BLOCKS)
    elif executor is None and workers > 1:
        shape = shared_shape(sides, SHARE * workers)
    blocks = blocks_of(sides.shape, shape, mirrored)
    wanted = target.missing(blocks)
    if mirrored:
        score = sides.scorer()
        alone = [score(Block(i, i + 1, i, i + 1)) for i in range(sides.shape[0])]
        target.put_diagonal(np.concatenate([np.zeros((0, 1)), *alone])[:, 0])
    for block, scores in score_blocks(sides, wanted, workers, executor):
        target.put(block, scores, mirrored)


class _Dense(_Target):
    def __init__(self, matrix: npt.NDArray[Any]) -> None:
        self.matrix = matrix

    def put(self, block: Block, scores: Floats, mirrored: bool) -> None:
        if not mirrored:
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


class _File(_Dense):
    """A matrix in a file, with a list of the blocks that are done."""

    def __init__(self, file: MatrixFile) -> None:
        super().__init__(file.matrix)
        self._file = file

    def missing(self, blocks: list[Block]) -> list[Block]:
        return [block for block in blocks if block not in self._file.done]

    def put(self, block: Block, scores: Floats, mirrored: bool) -> None:
        super().put(block, scores, mirrored)
        self._file.finish(block)

    def result(self) -> npt.NDArray[Any]:
        self._file.close()
        return self.matrix


class _Sparse(_Target):
    def __init__(self, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
        self._shape = shape
        self._dtype = dtype
        self._rows: list[npt.NDArray[np.intp]] = []
        self._columns: list[npt.NDArray[np.intp]] = []
        self._scores: list[Floats] = []

    def put(self, block: Block, scores: Floats, mirrored: bool) -> None:
        rows, columns = np.nonzero(scores)
        found = scores[rows, columns]
        self._add(rows + block.top, columns + block.start, found)
        if mirrored:
            self._add(columns + block.start, rows + block.top, found)

    def put_diagonal(self, scores: Floats) -> None:
        (places,) = np.nonzero(scores)
        self._add(places, places, scores[places])

    def _add(
        self, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], scores: Floats
    ) -> None:
        self._rows.append(rows)
        self._columns.append(columns)
        self._scores.append(scores)

    def result(self) -> Any:
        from scipy.sparse import coo_array

        if not self._rows:
            return coo_array(self._shape, dtype=self._dtype).tocsr()
        places = (np.concatenate(self._rows), np.concatenate(self._columns))
        scores = np.concatenate(self._scores).astype(self._dtype)
        return coo_array((scores, places), self._shape).tocsr()


class _Condensed(_Target):
    """The entries right of the diagonal, row by row."""

    def __init__(self, n: int, dtype: np.dtype[Any]) -> None:
        self._n = n
        self._scores = np.zeros(n * (n - 1) // 2, dtype=dtype)

    def put(self, block: Block, scores: Floats, mirrored: bool) -> None:
        del mirrored
        for i in range(block.top, block.bottom):
            first = block.first(i)
            if first < block.end:
                at = i * self._n - i * (i + 1) // 2 - i - 1 + first
                row = scores[i - block.top, first - block.start :]
                self._scores[at : at + block.end - first] = row

    def result(self) -> npt.NDArray[Any]:
        return self._scores
