"""The scores of every graph with every graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.options import option
from exactmatch.base.registry import imported
from exactmatch.many.distances import check
from exactmatch.many.matrix import filled
from exactmatch.many.options import CdistOptions, Side
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.studies.answer import Answer
from exactmatch.studies.many import OfMany, command, crossed, level, share
from exactmatch.views.tables import Tables


class MatrixOptions(CdistOptions):
    """The options of ``cdist``, where choices may be left out."""

    choices: Side | None = option(default=None)  # type: ignore[assignment]  # the command's alone

    @property
    def idle(self) -> Mapping[str, str]:
        """Options that have no effect, with the reason."""
        if self.out is None:
            return {}
        why = "is a NumPy array, which has no --format; leave that out, or name a file"
        return {"--format": f"-o {self.out} {why} with another ending"}


COMMAND = command(
    "matrix",
    """Score every graph with every graph, exactly.

-o FILE.npy fills a NumPy array block by block, which may be larger than memory;
the same command after an interruption computes the blocks that are missing.
With --metric ged it has the edit distances of graphs of any kind.

Example:
  exactmatch matrix parsed.amr gold.amr
  exactmatch matrix graphs.amr -o matrix.npy -j 2
  exactmatch matrix graphs.bank --at-least 0.8 --format csv -o matrix.csv
  exactmatch matrix molecules/ --metric ged --at-most 5 -o distances.npy""",
    MatrixOptions,
    waiting=("reading",),
    fills=".npy",
)


class Matrix(OfMany):
    """The scores of every query with every choice."""

    VIEW = "exactmatch.studies.matrix:tables"
    FINDS = "exactmatch.many.matrix:scores"


def study(asked: MatrixOptions, reporter: Reporter = SILENCE) -> Answer | None:
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
    answer: Any
    if asked.is_distance:
        answer = imported("exactmatch.studies.distances:matrix")(asked)
        filled(answer.found, asked.out, asked.dtype)
    else:
        check(asked)
        answer = Matrix.of(asked, reporter)
    if asked.out is None:
        found: Answer = answer
        return found
    rows, columns = answer.found.shape
    what = "distances" if asked.is_distance else "scores"
    reporter.note(f"{asked.out}: {rows:,} x {columns:,} {what}")
    return None


def tables(answer: Matrix, digits: int | None = None) -> Tables:
    """Return a row for each query and a column for each choice."""
    queries, choices = map(list, answer.comparison.names)
    matrix = answer.found.tolist()
    data = {"queries": queries, "choices": choices, "scores": matrix}
    table = crossed(queries, choices, matrix, "score", share(digits))
    return answer.shown("Matrix", (table,), data, [level(answer.asked.at_least)])
