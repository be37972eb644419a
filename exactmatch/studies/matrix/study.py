"""Compare every graph with every graph."""

from __future__ import annotations

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.scoring.reporter import CALLER, SILENCE, Reporter
from exactmatch.studies.matrix.options import MatrixOptions
from exactmatch.studies.matrix.results import Matrix


def study(options: MatrixOptions, reporter: Reporter = SILENCE) -> Matrix | None:
    """Score every graph with every graph; return nothing if a file holds the scores."""
    if options.out is None and options.dtype != "f8":
        raise InputError(
            "--dtype is the type of a NumPy array; write one with -o FILE.npy"
        )
    if options.choices is None:
        options = options.replace(choices=options.queries)
    answer = Matrix.of(options, reporter)
    if options.out is None:
        return answer
    rows, columns = answer.result.shape
    quantity = answer.comparison.what
    reporter.note(f"{options.out}: {rows:,} x {columns:,} {quantity}s")
    return None


def _from_python(options: MatrixOptions) -> Matrix | None:
    """Score every graph with every graph.

    :func:`exactmatch.cdist` returns the array alone.

    Returns:
        The scores or distances; ``None`` if they are written to a file.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option makes no sense.

    >>> from exactmatch import studies
    >>> studies.matrix(["(b / bark-01)", "(c / cat)"]).result.tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    return study(options, CALLER)


matrix = function("matrix", MatrixOptions, _from_python)
