"""Matrices of scores: every graph of one list with every graph of another, exactly.

``cdist`` and ``pdist`` have the names and shapes of SciPy's and RapidFuzz's functions,
but hold scores: 1 for equal graphs, 0 for graphs with nothing in common.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.base.version import __version__
from exactmatch.formats.mistaken_files import remarks
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
from exactmatch.many.options import CdistOptions, PdistOptions
from exactmatch.many.scores import ScoreComparison
from exactmatch.many.targets import (
    Condensed,
    Dense,
    MatrixFile,
    Sparse,
    Target,
    array_for,
    float_type,
)
from exactmatch.scoring.reading import Digest
from exactmatch.scoring.sources import paths_of

_FILE_BLOCKS = 16  # blocks of a small matrix in a file, with any number of workers
_SHARE_PREPARED = 8  # blocks for each worker, so that none waits for a few hard pairs


def matrix(options: CdistOptions, comparison: Comparison) -> Any:
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
    return comparison.matrix(options)


def score_matrix(options: CdistOptions, comparison: ScoreComparison) -> Any:
    """Score every query with every choice."""
    cutoff = -math.inf if options.at_least is None else options.at_least
    out, sparse = options.out, options.sparse
    if sparse and (cutoff <= 0 or out is not None):
        raise InputError(
            "a sparse matrix holds the scores from a cutoff on: set at_least above 0, "
            "and no out"
        )
    entries = float_type(options.dtype, sparse)
    if options.queries is not options.choices:  # they may be exchanged
        named = {Path(path).name: path for path in paths_of(options.queries)}
        for remark in remarks(paths_of(options.choices), named):
            comparison.reporter.warn("files", remark)
    queries, choices = comparison.open(options.queries, options.choices)
    if not sparse and not isinstance(out, str | os.PathLike):
        return crossed(comparison, queries, choices, cutoff, out, entries)
    digest = None if sparse else Digest()
    sides = sides_of(comparison, queries, choices, cutoff, digest)
    mirrored = choices is queries and isinstance(sides, PackedSides)
    if digest is None:
        return _filled(Sparse(sides.shape, entries), sides, mirrored, comparison)
    measured = sides.metric
    identity = [__version__, measured.name, measured.signature(), cutoff, entries.str]
    digest.add(repr((identity, sides.shape, mirrored)).encode())
    assert isinstance(out, str | os.PathLike)
    with MatrixFile(out, sides.shape, entries, digest.checksum().hex()) as file:
        return _filled(file, sides, mirrored, comparison)


cdist = function("cdist", CdistOptions, for_caller(matrix))


def crossed(
    comparison: ScoreComparison,
    queries: Bank | list[Any],
    choices: Bank | list[Any],
    cutoff: float = -math.inf,
    out: Any = None,
    entries: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Score every graph of one open side with every graph of the other, in memory."""
    sides = sides_of(comparison, queries, choices, cutoff)
    mirrored = choices is queries and isinstance(sides, PackedSides)
    target = Dense(array_for(out, sides.shape, np.dtype(entries)))
    scores: npt.NDArray[Any] = _filled(target, sides, mirrored, comparison)
    return scores


def condensed_scores(
    options: PdistOptions, comparison: ScoreComparison
) -> npt.NDArray[Any]:
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
    cutoff = -math.inf if options.at_least is None else options.at_least
    entries = float_type(options.dtype)
    (side,) = comparison.open(options.graphs)
    return condensed(comparison, side, cutoff, entries)


pdist = function("pdist", PdistOptions, for_caller(condensed_scores))


def condensed(
    comparison: ScoreComparison,
    side: Bank | list[Any],
    cutoff: float = -math.inf,
    entries: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Score every pair of graphs of an open side."""
    sides = sides_of(comparison, side, side, cutoff)
    target = Condensed(sides.shape[0], np.dtype(entries))
    scores: npt.NDArray[Any] = _filled(target, sides, True, comparison)
    return scores


def _filled(
    target: Target, sides: Sides, mirrored: bool, comparison: ScoreComparison
) -> Any:
    """Score all blocks that are missing, and the diagonal of a mirrored matrix."""
    workers, executor = comparison.jobs, comparison.executor
    shape = sides.block_shape
    is_packed = isinstance(sides, PackedSides)
    if isinstance(target, MatrixFile) and (executor is None or not is_packed):
        shape = shared_shape(sides, _FILE_BLOCKS)
    elif is_packed and executor is None and workers > 1:
        shape = shared_shape(sides, SHARE * workers)
    elif not is_packed and (workers > 1 or executor is not None):
        shape = shared_shape(sides, _SHARE_PREPARED * workers)
    blocks = blocks_of(sides.shape, shape, mirrored)
    missing = target.missing(blocks) if isinstance(target, MatrixFile) else blocks
    if mirrored and not isinstance(target, Condensed):
        score = sides.scorer()
        diagonal_scores = [
            score(Block(i, i + 1, i, i + 1)) for i in range(sides.shape[0])
        ]
        target.put_diagonal(np.concatenate([np.zeros((0, 1)), *diagonal_scores])[:, 0])
    for block, scores in score_blocks(sides, missing, workers, executor):
        target.put(block, scores)
    return target.result()
