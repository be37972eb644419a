"""Compare every graph with every graph."""

from __future__ import annotations

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.scoring.reporter import CALLER, SILENCE, Reporter
from exactmatch.studies.matrix.options import MatrixOptions
from exactmatch.studies.matrix.results import Matrix


def study(asked: MatrixOptions, reporter: Reporter = SILENCE) -> Matrix | None:
    """Score every graph with every graph; nothing is left to show of a file."""
    if asked.out is None and asked.dtype != "f8":
        raise InputError(
            "--dtype is the type of a NumPy array; write one with -o FILE.npy"
        )
    if asked.choices is None:
        asked = asked.but(choices=asked.queries)
    answer = Matrix.of(asked, reporter)
    if asked.out is None:
        return answer
    rows, columns = answer.result.shape
    what = answer.comparison.what
    reporter.note(f"{asked.out}: {rows:,} x {columns:,} {what}s")
    return None


def _asked(asked: MatrixOptions) -> Matrix | None:
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
    return study(asked, CALLER)


matrix = function("matrix", MatrixOptions, _asked)
