"""The scores of every graph with every graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import option
from exactmatch.many.distances import check
from exactmatch.many.matrix import filled
from exactmatch.many.options import CdistOptions, Side
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.studies.many import OfMany, command, level, share
from exactmatch.views.tables import Column, Table, Tables


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
    """The scores or distances of every query with every choice."""

    FINDS = "exactmatch.many.matrix:scores"
    MEASURES = "exactmatch.many.distances:matrix"


def study(asked: MatrixOptions, reporter: Reporter = SILENCE) -> Matrix | None:
    """Score every graph with every graph; nothing is left to show of a file."""
    if asked.out is None and asked.dtype != "f8":
        raise InputError(
            "--dtype is the type of a NumPy array; write one with -o FILE.npy"
        )
    if asked.choices is None:
        asked = asked.but(choices=asked.queries)
    check(asked)
    answer = Matrix.of(asked, reporter)
    if asked.is_distance:
        filled(answer.found, asked.out, asked.dtype)
    if asked.out is None:
        return answer
    rows, columns = answer.found.shape
    what = "distances" if asked.is_distance else "scores"
    reporter.note(f"{asked.out}: {rows:,} x {columns:,} {what}")
    return None


def tables(answer: Matrix, digits: int | None = None) -> Tables:
    """Return a row for each query and a column for each choice."""
    queries, choices = map(list, answer.names)
    values: Any = answer.found.tolist()
    data: dict[str, Any] = {"queries": queries, "choices": choices}
    if not answer.sides:
        data["scores"] = values
        table = _crossed(queries, choices, values, "score", share(digits))
        return answer.shown("Matrix", (table,), data, [level(answer.asked.at_least)])
    from exactmatch.edit.distance import number

    limit = answer.asked.at_most
    values = [[None if math.isinf(one) else one for one in row] for row in values]
    data |= {"distances": values, "bounds": answer.found.bounds.tolist()}

    def shown(value: Any) -> str:
        return f">{limit}" if value is None else number(value)

    table = _crossed(queries, choices, values, "distance", shown)
    note = f"{len(queries)} x {several(len(choices), 'graph')}, every distance proven"
    signed = [("at-most", limit)]
    return answer.shown("Distances", (table,), data, signed, notes=(note,))


def _crossed(
    queries: Sequence[str],
    choices: Sequence[str],
    values: Sequence[Sequence[Any]],
    what: str,
    shown: Callable[[Any], str],
) -> Table:
    """Return a table with a row for each query and a column for each choice."""
    keys = [f"{what}_{k}" for k in range(1, len(choices) + 1)]
    titles = zip(keys, choices, strict=True)
    columns = (Column("query", "query"), *(Column(k, t, shown) for k, t in titles))
    rows = [
        {"query": name, **dict(zip(keys, row, strict=True))}
        for name, row in zip(queries, values, strict=True)
    ]
    return Table("", columns, rows)
