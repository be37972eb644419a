"""A matrix of scores, as the command shows it."""

from __future__ import annotations

from exactmatch.base.errors import InputError
from exactmatch.many.comparison import Comparison
from exactmatch.many.matrix import scores
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.studies.many import OfMany, level, share
from exactmatch.studies.matrix.options import MatrixOptions
from exactmatch.views.tables import Column, Table, Tables


class Matrix(OfMany):
    """The scores of every query with every choice."""

    VIEW = "exactmatch.studies.matrix.view:tables"


def study(asked: MatrixOptions, reporter: Reporter = SILENCE) -> Matrix | None:
    """Score every graph with every graph.

    Returns:
        The scores; ``None`` where they fill a file.
    """
    if asked.out is None and asked.dtype != "f8":
        raise InputError(
            "--dtype is the type of a NumPy array; write one with -o FILE.npy"
        )
    if asked.choices is None:
        asked = asked.but(choices=asked.queries)
    comparison = Comparison(asked, reporter)
    found = scores(asked, comparison)
    if asked.out is not None:
        rows, columns = found.shape
        reporter.note(f"{asked.out}: {rows:,} x {columns:,} scores")
        return None
    return Matrix(asked, comparison, found)


def tables(answer: Matrix, digits: int | None = None) -> Tables:
    """Return a row for each query and a column for each choice."""
    queries, choices = map(list, answer.comparison.names)
    matrix = answer.found.tolist()
    columns = [Column("query", "query")]
    for number, name in enumerate(choices, 1):
        columns.append(Column(f"score_{number}", name, share(digits)))
    rows = [
        {"query": name, **{f"score_{k}": s for k, s in enumerate(row, 1)}}
        for name, row in zip(queries, matrix, strict=True)
    ]
    data = {"queries": queries, "choices": choices, "scores": matrix}
    table = Table("", tuple(columns), rows)
    return answer.shown("Matrix", (table,), data, [level(answer.asked.at_least)])
